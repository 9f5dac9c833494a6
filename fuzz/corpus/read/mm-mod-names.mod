version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 mtl Material #25 {
packets: 1 primitives: 1
textures: 2 texture: 0 "A B {"texture: 1 C }
packet 3 1 0 { adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 } mtl "tri 0 0 0"{packets: 0}
mtl packet { texture: 0 "open
}
mtl épé { texture: 0 "" illum: ÿ}
