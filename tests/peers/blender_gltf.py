# SPDX-License-Identifier: MIT
"""Blender's import of a GLB, compared with `ossa pose`."""

import math
import os
import struct

import bpy
from mathutils import Matrix, Quaternion, Vector

import peer_files

# Blender's Z is up and its Y goes away; the scene's Y is up and its Z comes nearer.
TO_SCENE = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
SMALL = 1e-6


class Problem(Exception):
    """Blender shows something else than `ossa pose` says."""


def require(condition, message):
    if not condition:
        raise Problem(message)


def start_scene(fps):
    """An empty scene; its rate has to be set before an import, which turns seconds into frames."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.context.scene.render.fps_base = 1


def import_glb(path, fps):
    start_scene(fps)
    bpy.ops.import_scene.gltf(filepath=path)
    armatures = [thing for thing in bpy.data.objects if thing.type == 'ARMATURE']
    require(len(armatures) == 1, f'{len(armatures)} armatures, not one')
    if armatures[0].animation_data is not None:
        for track in armatures[0].animation_data.nla_tracks:
            track.mute = True
    return armatures[0]


def find_action(armature, clip):
    """A clip is the action CLIP_SKELETON."""
    name = f'{clip.name}_{armature.name}'
    require(name in bpy.data.actions, f'no action {name} in {sorted(bpy.data.actions.keys())}')
    return bpy.data.actions[name]


def rest_turns(figure, armature):
    """Importing turns bones so that they point along the limbs; this turns each one back."""
    inverse_binds = read_matrices(figure)
    turns = []
    for joint, inverse_bind in zip(figure.joints, inverse_binds):
        bone = armature.data.bones[joint['name']]
        shown = TO_SCENE @ armature.matrix_world @ bone.matrix_local
        meant = inverse_bind.inverted().to_quaternion().to_matrix()
        turns.append(shown.to_3x3().normalized().inverted() @ meant)
    return turns


def read_matrices(figure):
    document = figure.document
    accessor = document['accessors'][document['skins'][0]['inverseBindMatrices']]
    start = document['bufferViews'][accessor['bufferView']].get('byteOffset', 0)
    matrices = []
    for i in range(accessor['count']):
        columns = struct.unpack_from('<16f', figure.buffer, start + 64 * i)
        matrices.append(Matrix([columns[row::4] for row in range(4)]))
    return matrices


class Differences:
    """The worst there were; `places` in sizes of the figure, `axes` in lengths of an axis."""

    def __init__(self):
        self.places = 0.0
        self.axes = 0.0
        self.vertices = 0.0
        self.visible = 0
        self.hidden = 0


def compare_clip(figure, armature, clip, turns, meshes, worst):
    armature.animation_data.action = find_action(armature, clip)
    for pose in clip.poses:
        bpy.context.scene.frame_set(pose['frame'] * clip.step)
        where = f"{clip.name}, frame {pose['frame']}"
        for joint, bone, turn in zip(figure.joints, pose['bones'], turns):
            shown = armature.pose.bones[joint['name']]
            matrix = TO_SCENE @ armature.matrix_world @ shown.matrix
            label = f"{where}, {bone['name']}"
            if bone['visible']:
                compare_visible(matrix, bone, turn, clip.size, worst, label)
                worst.visible += 1
            else:
                compare_hidden(matrix, shown, label)
                worst.hidden += 1
            for mesh in meshes.get(joint['name'], []):
                compare_mesh(mesh, bone, label)
        if figure.bodies:
            compare_bodies(figure, pose, clip.size, worst, where)


def compare_bodies(figure, pose, size, worst, label):
    """Vertices that have bones of their own: each where its bone has it, without a bind pose."""
    bound = [thing for thing in bpy.data.objects if thing.type == 'MESH'
             and any(modifier.type == 'ARMATURE' for modifier in thing.modifiers)]
    require(len(bound) == 1, f'{label}: {len(bound)} meshes are bound to the bones, not one')
    body = bound[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = [Matrix.LocRotScale(Vector(bone['translation']),
                                 Quaternion((bone['rotation'][3], *bone['rotation'][:3])),
                                 Vector(bone['scale'])) for bone in pose['bones']]
    wanted = [places[bone] @ Vector(position) for mesh in figure.bodies
              for bone, position in zip(mesh['vertex_bones'], mesh['positions'])]
    require(len(wanted) == len(body.data.vertices),
            f'{label}: {len(body.data.vertices)} vertices, not {len(wanted)}')
    matrix = TO_SCENE @ body.matrix_world
    for i, (vertex, place) in enumerate(zip(body.data.vertices, wanted)):
        distance = (matrix @ vertex.co - place).length / size
        worst.vertices = max(worst.vertices, distance)
        require(distance <= peer_files.TOLERANCE,
                f'{label}: vertex {i} is {distance:.3g} of the size away from where its bone has it')


def compare_visible(matrix, bone, turn, size, worst, label):
    distance = (matrix.to_translation() - Vector(bone['translation'])).length / size
    worst.places = max(worst.places, distance)
    require(distance <= peer_files.TOLERANCE,
            f'{label}: {distance:.3g} of the size away from where ossa pose has it')
    i, j, k, s = bone['rotation']
    meant = Matrix.LocRotScale(None, Quaternion((s, i, j, k)), Vector(bone['scale'])).to_3x3()
    difference = matrix.to_3x3() @ turn - meant
    furthest = max(column.length for column in difference.col)
    largest = max([1.0] + [abs(factor) for factor in bone['scale']])
    worst.axes = max(worst.axes, furthest / largest)
    require(furthest / largest <= peer_files.TOLERANCE,
            f'{label}: an axis is {furthest:.3g} off, by rotation or scale')


def compare_hidden(matrix, shown, label):
    """What is hidden is drawn together to a point, that of its parent NAME_visible."""
    require(matrix.to_3x3().to_scale().length < SMALL, f'{label}: hidden, but it has a size')
    require(shown.parent is not None and shown.parent.name == shown.name + '_visible',
            f'{label}: hidden, but its parent is not {shown.name}_visible')
    require((shown.head - shown.parent.head).length < SMALL,
            f'{label}: hidden, but away from {shown.parent.name}')


def compare_mesh(mesh, bone, label):
    """A mesh goes with its bone, and must be there or not be there with it."""
    matrix = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    corners = [matrix @ Vector(corner) for corner in mesh.bound_box]
    extent = max((corner - corners[0]).length for corner in corners)
    meant = bone['visible'] and max(abs(factor) for factor in bone['scale']) > SMALL
    require((extent > SMALL) == meant,
            f"{label}: its mesh is {'not ' if meant else ''}to be seen")


def meshes_of(armature):
    meshes = {}
    for thing in bpy.data.objects:
        if thing.type == 'MESH' and thing.parent == armature and thing.parent_type == 'BONE':
            meshes.setdefault(thing.parent_bone, []).append(thing)
    return meshes


def check_motion(figure, path):
    """All clips of a GLB, imported once for each rate there is."""
    worst = Differences()
    for fps in sorted({clip.whole_fps for clip in figure.clips}):
        armature = import_glb(path, fps)
        turns = rest_turns(figure, armature)
        meshes = meshes_of(armature)
        for clip in figure.clips:
            if clip.whole_fps == fps:
                compare_clip(figure, armature, clip, turns, meshes, worst)
    return worst


def check_actions(figure, armature):
    """Nothing but the clips: every animation is an action, every action one of them."""
    names = [animation['name'] for animation in figure.document['animations']]
    for clip in figure.clips:
        require(clip.name in names, f'{clip.name} is not in the GLB')
        first, last = find_action(armature, clip).frame_range
        require(first == 0, f'{clip.name} starts at {first}')
        if clip.whole_fps == bpy.context.scene.render.fps:
            frames = len(clip.poses)
            require(abs(last - max(frames - 1, 1) * clip.step) < 1e-3, f'{clip.name} ends at {last}')
    for action in bpy.data.actions:
        require(any(action.name.startswith(name) for name in names),
                f'the action {action.name} is no clip')


def has_own_names(figure, armature):
    """Where a name had to be cleaned, the game's own is a property of the bone."""
    cleaned = [joint for joint in figure.joints if 'name' in joint.get('extras', {})]
    for joint in figure.joints:
        require(joint['name'] in armature.data.bones, f"no bone {joint['name']}")
    for joint in cleaned:
        shown = armature.pose.bones[joint['name']].get('name')
        require(shown == joint['extras']['name'], f"{joint['name']} has the name {shown}")
    return bool(cleaned)


def check_meshes(figure, results):
    """Lines are edges without faces; colours and the unlit material have come along."""
    lines = [mesh for mesh in figure.document.get('meshes', [])
             if any(part.get('mode', 4) == 1 for part in mesh['primitives'])]
    for mesh in lines:
        shown = bpy.data.meshes[mesh['name']]
        require(len(shown.edges) > 0, f"{mesh['name']} has no edges")
        require(any('COLOR_0' not in part['attributes'] for part in mesh['primitives'])
                or len(shown.color_attributes) > 0, f"{mesh['name']} has no colours")
    if not lines:
        return
    results.add(figure.name, 'lines', 'as edges, not rendered')
    results.add(figure.name, 'colours', 'yes')
    for material in bpy.data.materials:
        kinds = {node.type for node in material.node_tree.nodes}
        require('BSDF_PRINCIPLED' not in kinds, f'{material.name} is lit')
    results.add(figure.name, 'unlit material', 'yes')


def check_between(figure, armature, results):
    """Between frames Blender does not turn bones at even speed: how far does that take them?"""
    worst = 0.0
    for clip in figure.clips:
        armature.animation_data.action = find_action(armature, clip)
        for pose in clip.between:
            show_time(pose['time'])
            for joint, bone in zip(figure.joints, pose['bones']):
                place = (TO_SCENE @ armature.matrix_world
                         @ armature.pose.bones[joint['name']].matrix).to_translation()
                if bone['visible']:
                    worst = max(worst, math.dist(place, bone['translation']) / clip.size)
    require(worst <= 1e-3, f'between frames a bone is {worst:.3g} of the size away')
    results.add(figure.name, 'bones between frames', 'within 1e-3', worst)


def check_cameras(figure, results):
    """A camera goes its way in an action of its own, and looks along its -Z with +Y up."""
    require(len(bpy.data.cameras) == len(figure.cameras),
            f'{len(bpy.data.cameras)} cameras, not {len(figure.cameras)}')
    worst = 0.0
    for camera in figure.cameras:
        shown = next(thing for thing in bpy.data.objects
                     if thing.type == 'CAMERA' and thing.name.startswith(camera['name']))
        for track in shown.animation_data.nla_tracks:
            track.mute = True
        shown.animation_data.action = bpy.data.actions[f"{camera['name']}_{shown.name}"]
        for time, place, rotation in zip(camera['times'], camera['positions'],
                                         camera['rotations']):
            show_time(time)
            i, j, k, s = rotation
            meant = Matrix.LocRotScale(Vector(place), Quaternion((s, i, j, k)), None)
            difference = TO_SCENE @ shown.matrix_world - meant
            off = max(column.to_3d().length for column in difference.col)
            worst = max(worst, off)
            require(off <= peer_files.TOLERANCE, f"{camera['name']} is {off:.3g} off at {time} s")
        height = camera['fields_of_view'][0]
        require(shown.data.sensor_fit == 'VERTICAL' and abs(shown.data.angle_y - height) < 1e-4,
                f"{camera['name']} sees {shown.data.angle_y} radians, not {height}")
    if figure.cameras:
        results.add(figure.name, 'cameras', 'within 1e-4', worst)


def show_time(seconds):
    frame = seconds * bpy.context.scene.render.fps
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))


def steps(document):
    """How the visibility of objects goes from key to key."""
    kinds = set()
    for animation in document.get('animations', []):
        for channel in animation['channels']:
            node = document['nodes'][channel['target']['node']]
            if node.get('name', '').endswith('_visible') and channel['target']['path'] == 'scale':
                sampler = animation['samplers'][channel['sampler']]
                kinds.add(sampler.get('interpolation', 'LINEAR'))
    return kinds


def check_export(figure, folder, results):
    """What is left of the steps when Blender writes glTF again."""
    if not steps(figure.document):
        return
    for action in bpy.data.actions:
        for curve in action.fcurves:
            if '_visible"' in curve.data_path:
                kinds = {key.interpolation for key in curve.keyframe_points}
                require(kinds == {'CONSTANT'}, f'{curve.data_path} is {kinds}')
    results.add(figure.name, 'step interpolation', 'yes')
    path = os.path.join(folder, figure.name + ' from Blender.glb')
    # Colours on lines end Blender 3.4's export with an error; the steps are what is asked here.
    bpy.ops.export_scene.gltf(filepath=path, export_format='GLB', export_colors=False)
    kinds = steps(peer_files.read_glb(path)[0])
    require(kinds, 'no visibility in what Blender wrote')
    results.add(figure.name, 'steps after re-export', ' and '.join(sorted(kinds)))


def check_damage(figure, folder):
    """The comparison must be able to fail."""
    path = os.path.join(folder, figure.name + ' damaged.glb')
    peer_files.damaged_copy(figure, path)
    try:
        check_motion(figure, path)
    except Problem as problem:
        print(f'{figure.name}: damage is found: {problem}')
        return
    raise Problem('one key was changed, and nobody noticed')


def check(figure, folder, results):
    worst = check_motion(figure, figure.glb)
    results.add(figure.name, 'bones in every frame', 'within 1e-4', worst.places)
    results.add(figure.name, 'rotations and scales', 'within 1e-4', worst.axes)
    if figure.bodies:
        results.add(figure.name, 'skinned vertices', 'within 1e-4', worst.vertices)
    if figure.hides():
        results.add(figure.name, 'hidden objects', 'yes')
    armature = import_glb(figure.glb, figure.clips[0].whole_fps)
    check_actions(figure, armature)
    results.add(figure.name, 'all clips by name', 'yes, as CLIP_SKELETON')
    results.add(figure.name, 'frame rate and duration', 'yes, if the rate is set before the import')
    kept = any(action.keys() for action in bpy.data.actions)
    results.add(figure.name, 'clip extras', 'yes' if kept else 'no')
    if has_own_names(figure, armature):
        results.add(figure.name, 'bone names', 'yes, the originals as properties')
    if not figure.document.get('meshes'):
        results.add(figure.name, 'skeleton without a mesh', 'yes, as one armature')
    check_between(figure, armature, results)
    check_meshes(figure, results)
    check_cameras(figure, results)
    check_export(figure, folder, results)
    check_damage(figure, folder)
