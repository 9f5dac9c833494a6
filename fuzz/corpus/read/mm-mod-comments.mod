# a model { mtl
VERSION 1.09 // 1.10
Verts: 3 ; v 9 9 9
V 0 0 -0 #0
v 1e0 +.0 -0 v 0 1. 0 // tri 0 1 2
MTL a{Packets 1 PRIMITIVES: 1}PACKET 3 1 0{ADJ 0 -1 -1 -1 -1 -1 adj 1 0 0 0 0 0 ;}
adj 2 0 0 0 0 0TRI 0 1 2}# the end