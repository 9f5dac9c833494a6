# SPDX-License-Identifier: MIT
"""What the add-on shows: joints, vertices, cameras and events, compared with `ossa pose` and the scene."""

import json
import math
import os
import subprocess

import bpy
from mathutils import Matrix, Quaternion, Vector

import peer_files
from blender_gltf import Problem, require
from ossa_io import clips, figure as addon_figure

# Blender's Z is up and its Y goes away; the scene's Y is up and its Z comes nearer.
TO_SCENE = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


class Worst:
    """In sizes of the figure, or lengths of an axis."""

    def __init__(self):
        self.joints = self.axes = self.vertices = 0.0
        self.vertex_count = self.hidden = 0


def matrix_of(transform):
    i, j, k, s = transform['rotation']
    return Matrix.LocRotScale(Vector(transform['translation']), Quaternion((s, i, j, k)), Vector(transform['scale']))


def rest_of(scene):
    """The rest pose without scales, which is what the armature has."""
    worlds = []
    for bone in scene['bones']:
        local = matrix_of(dict(bone, scale=(1, 1, 1)))
        worlds.append(worlds[bone['parent']] @ local if bone['parent'] >= 0 else local)
    return worlds


def import_scene(scene):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return addon_figure.create(bpy.context, scene, ['nowhere'], [])


def bones_by_number(thing):
    return sorted(thing.data.bones, key=lambda bone: bone['ossa_bone'])


def shown_worlds(thing, rest):
    """Where Blender has the bones, with the axes of the scene: how each is moved from its rest pose, on top of that. No
    axes of Blender's bones are in this, so that those of the add-on cannot be wrong in the same way twice."""
    worlds = []
    for bone, world in zip(bones_by_number(thing), rest):
        moved = thing.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
        worlds.append(TO_SCENE @ moved @ TO_SCENE.inverted() @ world)
    return worlds


def check(figure, scene):
    thing = import_scene(scene)
    rest = rest_of(scene)
    worst = Worst()
    require(clips.names_of(thing) == [clip.name for clip in figure.clips], f'clips are {clips.names_of(thing)}')
    for clip, item in zip(figure.clips, scene['clips']):
        require(clips.show(bpy.context.scene, thing, clip.name), f'{clip.name} cannot be shown')
        check_timing(thing, item)
        for pose in clip.poses:
            bpy.context.scene.frame_set(pose['frame'])
            where = f"{clip.name}, frame {pose['frame']}"
            compare_bones(shown_worlds(thing, rest), pose, clip.size, worst, where)
            compare_meshes(thing, scene, item, pose, clip.size, worst, where)
        for pose in clip.between:
            compare_between(thing, rest, pose, item['fps'], clip.size, clip.name)
    require((worst.hidden > 0) == figure.hides(), f'{worst.hidden} objects are hidden')
    return worst


def compare_between(thing, rest, pose, fps, size, name):
    """Blender does not rotate bones at even speed between frames, so it is only near."""
    frame = pose['time'] * fps
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    for world, bone in zip(shown_worlds(thing, rest), pose['bones']):
        distance = (world.to_translation() - Vector(bone['translation'])).length / size
        require(distance <= 1e-3, f"{name}, {pose['time']} s, {bone['name']}: {distance:.3g} of the size away")


def check_timing(thing, item):
    scene = bpy.context.scene
    require(abs(scene.render.fps / scene.render.fps_base - item['fps']) < 1e-5, f"{item['name']}: the rate")
    require((scene.frame_start, scene.frame_end) == (0, item['frames'] - 1), f"{item['name']}: the range")
    track = thing.animation_data.nla_tracks[item['name']]
    require(track.mute and len(track.strips) == 1, f"{item['name']}: its track")
    strip = track.strips[0]
    wanted = max(item['frames'] - 1, 1)
    require(strip.frame_start == 0 and abs(strip.frame_end - wanted) < 1e-3 or item['frames'] == 1,
            f"{item['name']}: its strip ends at {strip.frame_end}, not {wanted}")


def compare_bones(worlds, pose, size, worst, where):
    for world, bone in zip(worlds, pose['bones']):
        distance = (world.to_translation() - Vector(bone['translation'])).length / size
        worst.joints = max(worst.joints, distance)
        require(distance <= peer_files.TOLERANCE, f"{where}, {bone['name']}: {distance:.3g} of the size away")
        meant = matrix_of(bone)
        largest = max([1.0] + [abs(factor) for factor in bone['scale']])
        off = max((a - b).length for a, b in zip(world.to_3x3().col, meant.to_3x3().col)) / largest
        worst.axes = max(worst.axes, off)
        require(off <= peer_files.TOLERANCE, f"{where}, {bone['name']}: an axis is {off:.3g} off")


def compare_meshes(thing, scene, item, pose, size, worst, where):
    """Every vertex where its bone has it, with the offset of its morph target; objects hidden with their bones."""
    graph = bpy.context.evaluated_depsgraph_get()
    worlds = [matrix_of(bone) for bone in pose['bones']]
    objects = [child for child in thing.children if child.type == 'MESH']
    require(len(objects) == len(scene['meshes']), f'{len(objects)} meshes')
    morphs = {track['mesh']: track['keys'][pose['frame']] for track in item.get('morphs', [])}
    for number, mesh in enumerate(scene['meshes']):
        made = next(thing for thing in objects if thing.data.name == name_of_mesh(scene, number))
        shown = made.evaluated_get(graph)
        if 'vertex_bones' not in mesh and 'joints' not in mesh:
            is_hidden = not pose['bones'][mesh['bone']]['visible']
            require(shown.hide_viewport == is_hidden and shown.hide_render == is_hidden,
                    f"{where}: {mesh['name']} is {'' if shown.hide_viewport else 'not '}hidden")
            worst.hidden += is_hidden
            if is_hidden:
                continue
        if 'joints' in mesh:
            continue  # see blender_weights.py
        bones = mesh.get('vertex_bones') or [mesh['bone']] * len(mesh['positions'])
        target = morphs.get(number, -1)
        require(len(shown.data.vertices) == len(mesh['positions']), f"{where}: vertices of {mesh['name']}")
        for index, vertex in enumerate(shown.data.vertices):
            position = Vector(mesh['positions'][index])
            if target >= 0:
                position += Vector(mesh['targets'][target][index])
            off = ((TO_SCENE @ shown.matrix_world @ vertex.co) - worlds[bones[index]] @ position).length / size
            worst.vertices = max(worst.vertices, off)
            worst.vertex_count += 1
            require(off <= peer_files.TOLERANCE,
                    f"{where}: vertex {index} of {mesh['name']} is {off:.3g} of the size off")


def name_of_mesh(scene, number):
    """Blender numbers meshes of the same name."""
    name = scene['meshes'][number]['name']
    earlier = sum(mesh['name'] == name for mesh in scene['meshes'][:number])
    return f'{name}.{earlier:03}' if earlier else name


# ---- checks on the samples --------------------------------------------------------------------


def scene_of(folder, *inputs):
    path = os.path.join(folder, 'scene.json')
    subprocess.run(['ossa', 'convert', '-q', *inputs, '-o', path], check=True)
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def check_that_damage_shows(samples, folder):
    """One key of one bone a degree off: the comparison must find it."""
    scene = scene_of(folder, os.path.join(samples, 'bird'))
    output = subprocess.run(['ossa', 'pose', '--json', os.path.join(samples, 'bird'), '--clip', 'fly', '--frame', '7'],
                            check=True, capture_output=True)
    pose = json.loads(output.stdout)
    track = scene['clips'][0]['rotations'][3]['keys']
    for damage in (0.0, 0.01):
        track[7] = list(Quaternion([track[7][3] + damage] + track[7][:3]).normalized())
        track[7] = track[7][1:] + track[7][:1]
        thing = import_scene(scene)
        bpy.context.scene.frame_set(7)
        try:
            compare_bones(shown_worlds(thing, rest_of(scene)), pose, 1.0, Worst(), 'fly')
        except Problem:
            require(damage > 0.0, 'damage is found where there is none')
            return
    raise Problem('one key was changed, and nobody noticed')


def check_cameras(samples, folder):
    for inputs in (('troll', 'more/flight.cam'), ('rabbit', 'more/stage.anc'), ('more/stage.anc',)):
        scene = scene_of(folder, *(os.path.join(samples, name) for name in inputs))
        bpy.ops.wm.read_factory_settings(use_empty=True)
        addon_figure.create(bpy.context, scene, ['nowhere'], [])
        camera = scene['cameras'][0]
        thing = bpy.data.objects[camera['name']]
        render = bpy.context.scene.render
        for key, time in enumerate(camera['times']):
            frame = time * render.fps / render.fps_base
            bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
            meant = matrix_of({'translation': camera['positions'][key], 'rotation': camera['rotations'][key],
                               'scale': (1, 1, 1)})
            off = max(column.length for column in (TO_SCENE @ thing.matrix_world - meant).col)
            require(off < 1e-4, f'{inputs}: key {key} is {off:.3g} off')
            angle = camera['fields_of_view'][key]
            shown = thing.data.angle_y
            require(abs(shown - angle) < 1e-4, f'{inputs}: key {key} sees {shown}, not {angle}')


def check_events(samples, folder):
    scene = scene_of(folder, os.path.join(samples, 'wyvern'))
    scene['clips'][0]['extras'].update(hit_frame=5, special_frame=0, step_sounds=[3, 9, 0, 0], show_hide=[2, 99])
    import_scene(scene)
    markers = {(marker.name, marker.frame) for marker in bpy.data.actions['fly'].pose_markers}
    require(markers == {('hit', 5), ('step', 3), ('step', 9), ('show', 2)}, f'markers are {markers}')
    require(bpy.data.actions['fly'].use_cyclic, 'fly is a loop')


def check_materials(samples, folder):
    """A texture, pixel by pixel from the bottom; vertex colours; materials without light."""
    scene = scene_of(folder, os.path.join(samples, 'wyvern'))
    thing = import_scene(scene)
    texture = scene['textures'][0]
    image = bpy.data.images[texture['name']]
    require(tuple(image.size) == (texture['width'], texture['height']), f'the image has the size {tuple(image.size)}')
    top_left = [byte / 255 for byte in bytes.fromhex(texture['pixels'][0][:8])]
    start = 4 * texture['width'] * (texture['height'] - 1)
    require(max(abs(a - b) for a, b in zip(image.pixels[start:start + 4], top_left)) < 1e-6, 'the top left pixel')
    mesh = next(child.data for child in thing.children if child.name == scene['meshes'][0]['name'])
    for loop, uv in zip(mesh.loops, mesh.uv_layers[0].data):
        u, v = scene['meshes'][0]['texcoords'][loop.vertex_index]
        require(math.dist(uv.uv, (u, 1 - v)) < 1e-6, 'a texture coordinate')
    kinds = {node.type for node in mesh.materials[0].node_tree.nodes}
    require({'BSDF_PRINCIPLED', 'TEX_IMAGE'} <= kinds, f'nodes are {kinds}')
    scene = scene_of(folder, os.path.join(samples, 'rabbit'))
    thing = import_scene(scene)
    mesh = thing.children[0].data
    require(len(mesh.edges) > 0 and len(mesh.color_attributes) == 1, 'lines with colours')
    kinds = {node.type for node in mesh.materials[0].node_tree.nodes}
    require('EMISSION' in kinds and 'BSDF_PRINCIPLED' not in kinds, f'unlit nodes are {kinds}')


def check_cutout(_samples, folder):
    """A texture that is clamped and cut: alpha is compared with the cutoff."""
    with open(os.path.join(folder, '..', 'files', 'weighted.json'), encoding='utf-8') as file:
        scene = json.load(file)
    item = next(item for item in scene['materials'] if 'alpha_cutoff' in item)
    item['clamped'] = [True, True]
    import_scene(scene)
    nodes = bpy.data.materials[item['name']].node_tree.nodes
    cut = [node for node in nodes if node.type == 'MATH' and node.operation == 'LESS_THAN']
    require(len(cut) == 1 and abs(cut[0].inputs[1].default_value - item['alpha_cutoff']) < 1e-6, 'the cutoff')
    extensions = {node.extension for node in nodes if node.type == 'TEX_IMAGE'}
    require(extensions == {'EXTEND'}, f'textures go on as {extensions}')
    others = {node.extension for material in bpy.data.materials if material.name != item['name']
              for node in material.node_tree.nodes if node.type == 'TEX_IMAGE'}
    require(others == {'REPEAT'}, f'other textures go on as {others}')


def check_bones(samples, folder):
    """Tails at children, chains connected, no bone without a length."""
    for name, connected in (('troll', 9), ('pedestrian', 12), ('bird', 9), ('wyvern', 4), ('rabbit', 0)):
        thing = import_scene(scene_of(folder, os.path.join(samples, name)))
        bones = thing.data.bones
        require(all(bone.length > 1e-3 for bone in bones), f'{name}: a bone is too short')
        require(sum(bone.use_connect for bone in bones) == connected,
                f'{name}: {sum(bone.use_connect for bone in bones)} bones are connected')
        for bone in bones:
            if len(bone.children) == 1 and name != 'rabbit':
                off = (bone.tail_local - bone.children[0].head_local).length
                require(off < 1e-5, f'{name}: the tail of {bone.name} is {off:.3g} away from its child')


CHECKS = (check_that_damage_shows, check_cameras, check_events, check_materials, check_cutout, check_bones)
