version: 1.09
verts: 6
normals: 2
colors: 2
tex1s: 3
tex2s: 0
tangents: 0
materials: 2
adjuncts: 9
primitives: 3
matrices: 2

v	0.5 0.0 0.0
v	-0.5 0.0 0.25
v	0.0 1.0 0.0
v	0.25 0.0 0.0
v	-0.25 0.0 0.0
v	0.0 0.5 -0.125

n	0.0 0.0 1.0
n	0.0 3.0 4.0

c	1.0 1.0 1.0 1.0
c	1.0 0.5 0.0 1.0

t1	0.0 1.0
t1	1.0 1.0
t1	0.5 0.0

mtl skin {
	packets:	2
	primitives:	2
	textures:	1
	texture:	0 BEARD64
	illum:	diffuse
	ambient:	0.1 0.1 0.1
	diffuse:	0.5 0.25 1.0
	specular:	0.0 0.0 0.0
}

mtl shoe {
	packets:	1
	primitives:	1
	textures:	0
	illum:	diffuse
	ambient:	0.0 0.0 0.0
	diffuse:	0.0 0.0 0.0
	specular:	0.0 0.0 0.0
}

packet 3 1 1 {
	adj	0 0 0 0 0 0
	adj	1 0 0 1 0 0
	adj	2 0 0 2 0 0
	tri	0 1 2
	mtx	0
}

packet 3 1 2 {
	adj	2 1 0 0 0 0
	adj	3 1 0 1 0 1
	adj	4 1 0 2 0 1
	tri	2 1 0
	mtx	0 1
}

packet 3 1 1 {
	adj	3 1 1 0 0 0
	adj	4 1 1 1 0 0
	adj	5 1 1 2 0 0
	tri	0 1 2
	mtx	1
}

mtxv	3 3
mtxn	1 1
