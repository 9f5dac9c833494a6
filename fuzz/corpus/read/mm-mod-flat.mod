version: 1.09
verts: 6
normals: 2
colors: 0
tex1s: 0
tex2s: 0
tangents: 0
materials: 2
adjuncts: 7
primitives: 3
matrices: 2
v 0.5 0 0
v -0.5 0 0.25
v 0 1 0
v 0.25 0 0
v -0.25 0 0
v 0 0.5 -0.125
n 0 0 1
n 0 3 4
mtl skin { adjuncts: 4 primitives: 2 textures: 0 illum: diffuse
  ambient: 0 0 0 diffuse: 1 1 1 specular: 0 0 0 }
mtl shoe { adjuncts: 3 primitives: 1 textures: 0 illum: diffuse
  ambient: 0 0 0 diffuse: 0 0 0 specular: 0 0 0 }
adj 0 0 0 0 0
adj 1 0 0 0 0
adj 2 0 0 0 0
adj 3 1 0 0 0
adj 3 1 -1 -1 -1
adj 4 1 -1 -1 -1
adj 5 1 -1 -1 -1
tri 0 1 2
tri 0 2 3
tri 4 5 6
mtxv 3 3
mtxn 1 1
