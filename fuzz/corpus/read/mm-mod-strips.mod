version: 1.08
verts: 5
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 2 0
mtl a { packets: 1 primitives: 3 }
packet 5 3 0 {
adj 0 0 0 0 0 0
adj 1 0 0 0 0 0
adj 2 0 0 0 0 0
adj 3 0 0 0 0 0
adj 4 0 0 0 0 0
str 5 0 1 2 3 4
stp 4 1 2 3 4
str 2 0 1
}
