version: 1.06
verts: 3 v 0 0 0 v 1 0 0 v 0 1 0
mtl a { texture1: SKIN 
 texture2: GLOSS }
mtl b { texture1: none texture2:
 }
adj 0 0 0 0 0 1 adj 1 0 0 0 0 1 adj 2 0 0 0 0 1
adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 adj 2 0 0 0 0 0
tri 0 1 2 tri 3 4 5 tri 3 5 4 tri 0 2 1
