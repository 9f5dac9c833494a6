version: 1.10
verts: 3
reskins: 1
v 0 0 0
v 1 0 0
v 0 1 0
mtl a {
packets: 1
primitives: 1
attributes: 2
float shininess: 0.5
int draworder: 3
}
packet 3 1 0 0 {
adj 0 0 0 0 0 0
adj 1 0 0 0 0 0
adj 2 0 0 0 0 0
tri 0 1 2
}
