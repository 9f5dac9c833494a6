# SPDX-License-Identifier: MIT
"""Vertices that move with several bones, in Blender: each where ossa_skin_mesh has it, in what the import of a GLB
shows and in what the add-on shows. Files of vertices come from make_gltf: of a scene made by hand, and of every figure
that has weighted vertices."""

import glob
import json
import math
import os

import bpy
from mathutils import Vector

from blender_gltf import Problem, TO_SCENE, import_glb, require, show_time
import peer_files

TOLERANCE = 1e-5  # of the figure's size
ENDING = '.vertices.jsonl'


class Vertices:
    """A scene, and where the vertices of its meshes with several bones are in frames of its clips."""

    def __init__(self, files, name):
        self.name = name
        self.glb = os.path.join(files, name + '.glb')
        with open(os.path.join(files, name + '.json'), encoding='utf-8') as file:
            self.scene = json.load(file)
        with open(os.path.join(files, name + ENDING), encoding='utf-8') as file:
            self.lines = [json.loads(line) for line in file]
        places = [place for line in self.lines for place in line['positions']]
        self.size = math.dist(*([pick(place[k] for place in places) for k in range(3)] for pick in (min, max)))

    def moments(self):
        """The positions by mesh, by the clip and the frame."""
        moments = {}
        for line in self.lines:
            moments.setdefault((line['clip'], line['frame'], line['time']), {})[line['mesh']] = line['positions']
        return moments


def read_all(files):
    names = sorted(os.path.basename(path)[:-len(ENDING)] for path in glob.glob(os.path.join(files, '*' + ENDING)))
    require('weighted' in names, 'there are no vertices of make_gltf --weights')
    return [Vertices(files, name) for name in names]


def compare(vertices, shown, wanted, where):
    """All points; gives how far the worst one is away."""
    require(len(shown) == len(wanted), f'{where}: {len(shown)} vertices, not {len(wanted)}')
    worst = 0.0
    for i, (point, place) in enumerate(zip(shown, wanted)):
        off = (point - Vector(place)).length / vertices.size
        worst = max(worst, off)
        require(off <= TOLERANCE, f'{where}: vertex {i} is {off:.3g} of the size off')
    return worst


def points_of(thing):
    """The vertices of an object as it is drawn, in the space of the scene."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = TO_SCENE @ shown.matrix_world
    return [matrix @ vertex.co for vertex in shown.data.vertices]


# ---- glTF -------------------------------------------------------------------------------------------


def key_of_mesh(scene, mesh):
    """What meshes and primitives are alike by: the material and the kinds of numbers of a vertex."""
    material = 'colours' if 'colours' in mesh else 'plain'
    if 'material' in mesh:
        material = scene['materials'][mesh['material']]['name']
    return (material, *(name in mesh for name in ('normals', 'colours', 'texcoords', 'texcoords2')))


def key_of_primitive(document, part):
    return (document['materials'][part['material']]['name'],
            *(name in part['attributes'] for name in ('NORMAL', 'COLOR_0', 'TEXCOORD_0', 'TEXCOORD_1')))


def in_order_of_blender(vertices, document):
    """Pairs of a mesh and one of its vertices. Primitives follow each other, and in them meshes that are alike; Blender
    leaves out vertices of no triangle."""
    node = next(node for node in document['nodes'] if 'skin' in node)
    order = []
    for part in document['meshes'][node['mesh']]['primitives']:
        for number, mesh in enumerate(vertices.scene['meshes']):
            is_bound = 'joints' in mesh or 'vertex_bones' in mesh
            if is_bound and key_of_mesh(vertices.scene, mesh) == key_of_primitive(document, part):
                order += [(number, vertex) for vertex in sorted(set(mesh['indices']))]
    return order


def check_glb(vertices):
    document = peer_files.read_glb(vertices.glb)[0]
    order = in_order_of_blender(vertices, document)
    rates = {animation['name']: peer_files.whole_rate(animation['extras']['fps'])[0]
             for animation in document['animations'] if 'fps' in animation.get('extras', {})}
    worst = 0.0
    for fps in sorted({rates[line['clip']] for line in vertices.lines}):
        armature = import_glb(vertices.glb, fps)
        bound = [thing for thing in bpy.data.objects if thing.type == 'MESH'
                 and any(modifier.type == 'ARMATURE' for modifier in thing.modifiers)]
        require(len(bound) == 1, f'{len(bound)} meshes are bound to the bones, not one')
        for (clip, frame, time), meshes in vertices.moments().items():
            if rates[clip] != fps:
                continue
            armature.animation_data.action = bpy.data.actions[f'{clip}_{armature.name}']
            show_time(round(time * fps) / fps)
            wanted = [meshes[number][vertex] for number, vertex in order]
            worst = max(worst, compare(vertices, points_of(bound[0]), wanted, f'{clip}, frame {frame}'))
    return worst


# ---- the add-on -------------------------------------------------------------------------------------


def check_addon(vertices):
    from ossa_io import clips, figure as addon_figure
    bpy.ops.wm.read_factory_settings(use_empty=True)
    thing = addon_figure.create(bpy.context, vertices.scene, ['nowhere'], [])
    objects = {child['ossa_mesh']: child for child in thing.children if child.type == 'MESH'}
    worst = 0.0
    for (clip, frame, _), meshes in vertices.moments().items():
        require(clips.show(bpy.context.scene, thing, clip), f'{clip} cannot be shown')
        bpy.context.scene.frame_set(frame)
        for number, wanted in meshes.items():
            where = f'{clip}, frame {frame}, mesh {number}'
            worst = max(worst, compare(vertices, points_of(objects[number]), wanted, where))
    return worst


def check(files, way, label):
    """Every scene; and one whose vertices are not where the file has them, which must be found."""
    for vertices in read_all(files):
        worst = way(vertices)
        print(f'{vertices.name}: weighted vertices, {label}: within {TOLERANCE} (worst {worst:.2g})')
        position = vertices.lines[-1]['positions'][-1]
        position[0] += 3 * TOLERANCE * vertices.size
        try:
            way(vertices)
        except Problem:
            continue
        raise Problem(f'{vertices.name}: a vertex was moved, and nobody noticed')
