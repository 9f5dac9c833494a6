# SPDX-License-Identifier: MIT
"""What the add-on brings back: nothing but what was edited."""

import math
import os

import bpy
from mathutils import Quaternion

from blender_addon_poses import import_scene, rest_of, scene_of, shown_worlds
from blender_gltf import require
from ossa_io import armature, clips, edit


def edited_clips(thing, scene):
    document, notes = edit.edited_scene(bpy.context, thing, scene)
    require(not notes, f'notes: {notes}')
    require(document['bones'] == scene['bones'], 'the bones are others')
    return document['clips']


def check_untouched(figure, scene):
    """Number for number what came in."""
    found = edited_clips(import_scene(scene), scene)
    require(len(found) == len(scene['clips']), f'{figure.name}: {len(found)} clips')
    for clip, original in zip(found, scene['clips']):
        require(clip == original, f"{figure.name}: {clip['name']} is not what it was")


def curves_of(action, name):
    return {curve.array_index: curve for curve in action.fcurves
            if curve.data_path == f'{clips.bone_path(name)}.rotation_quaternion'}


def rotate_key(action, name, frame, degrees):
    """Rotate one key of a bone about its own X, as one would in pose mode."""
    curves = curves_of(action, name)
    value = Quaternion([curves[part].evaluate(frame) for part in range(4)])
    value = value @ Quaternion((1, 0, 0), math.radians(degrees))
    for part, curve in curves.items():
        point = next((point for point in curve.keyframe_points if point.co.x == frame), None)
        if point is None:
            point = curve.keyframe_points.insert(frame, 0.0, options={'FAST'})
        point.co.y = value[part]
        curve.update()


def keys_of(clip, kind, bone):
    for track in clip[kind]:
        if track['bone'] == bone:
            return track['keys']
    return None


def angle(a, b):
    return math.degrees(Quaternion((a[3], *a[:3])).rotation_difference(Quaternion((b[3], *b[:3]))).angle)


def check_one_key(figure, scene):
    """One key of one bone: that key changes, and nothing else."""
    thing = import_scene(scene)
    clip = next(clip for clip in scene['clips'] if clip['rotations'])
    track = clip['rotations'][len(clip['rotations']) // 2]
    frame = clip['frames'] // 2
    name = next(bone.name for bone in thing.data.bones if bone['ossa_bone'] == track['bone'])
    rotate_key(clips.find(thing, clip['name'])[0], name, frame, 10)
    for found, original in zip(edited_clips(thing, scene), scene['clips']):
        wanted = original
        if found['name'] == clip['name']:
            keys = keys_of(found, 'rotations', track['bone'])
            off = angle(keys[frame], track['keys'][frame])
            require(abs(off - 10) < 0.001, f'{figure.name}: the key was rotated by {off} degrees')
            keys[frame] = track['keys'][frame]
        require(found == wanted, f"{figure.name}: more than one key of {found['name']} has changed")


# ---- checks on the samples --------------------------------------------------------------------


def check_edit_is_what_is_shown(samples, folder):
    """The edited scene, imported again, shows what was shown: rotations, positions, scale and visibility, with
    constraints, and with bones whose roll was changed."""
    for name in ('rabbit', 'bird', 'troll'):
        for change in (change_keys, change_roll, add_constraint):
            scene = scene_of(folder, os.path.join(samples, name))
            thing = import_scene(scene)
            clip = scene['clips'][0]
            change(thing, clips.find(thing, clip['name'])[0], name)
            clips.show(bpy.context.scene, thing, clip['name'])
            shown = []
            for frame in range(clip['frames']):
                bpy.context.scene.frame_set(frame)
                shown.append((shown_worlds(thing, rest_of(scene)), visibilities(thing)))
            document, _ = edit.edited_scene(bpy.context, thing, scene)
            again = import_scene(dict(scene, clips=document['clips']))
            require(document['clips'][0] != clip, f'{name}: {change.__name__} changes nothing')
            for frame, (worlds, visible) in enumerate(shown):
                bpy.context.scene.frame_set(frame)
                for a, b in zip(worlds, shown_worlds(again, rest_of(scene))):
                    off = max(column.length for column in (a - b).col)
                    require(off < 2e-5, f'{name}, {change.__name__}, frame {frame}: {off:.3g} off')
                require(visible == visibilities(again), f'{name}, {change.__name__}, frame {frame}: visibility')


def visibilities(thing):
    return [thing.pose.bones[bone.name].get(clips.VISIBLE, 1) for bone in
            sorted(thing.data.bones, key=lambda bone: bone['ossa_bone'])]


def change_keys(thing, action, name):
    bone = thing.data.bones[3].name
    for frame in range(4, 9):
        rotate_key(action, bone, frame, 7 * frame)
    path = f'{clips.bone_path(bone)}'
    for curve in list(action.fcurves):
        if curve.data_path in (f'{path}.location', f'{path}.scale'):
            for point in curve.keyframe_points:
                point.co.y *= 1.25
            curve.update()
        if curve.data_path == f'{path}["{clips.VISIBLE}"]':
            curve.keyframe_points.insert(3, 0.0).interpolation = 'CONSTANT'
            curve.keyframe_points.insert(6, 1.0).interpolation = 'CONSTANT'


def change_roll(thing, _action, name):
    """By a quarter where scales have to stay along axes."""
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.mode_set(mode='EDIT')
    for bone in thing.data.edit_bones:
        bone.roll += math.radians(90 if name == 'rabbit' else 25)
    bpy.ops.object.mode_set(mode='OBJECT')


def add_constraint(thing, _action, _name):
    bones = list(thing.pose.bones)
    constraint = bones[-1].constraints.new('COPY_ROTATION')
    constraint.target = thing
    constraint.subtarget = bones[1].name
    constraint.influence = 0.5


def check_rest_pose(samples, folder):
    """A moved joint and a lost bone are refused by name; a bone that the game does not have is left out."""
    scene = scene_of(folder, os.path.join(samples, 'troll'))
    for change, message in ((move_joint, 'rest pose of the bone hd was changed'), (remove_bone, 'has no bone hd'),
                            (add_bones, None)):
        thing = import_scene(scene)
        bpy.ops.object.mode_set(mode='EDIT')
        change(thing.data.edit_bones)
        bpy.ops.object.mode_set(mode='OBJECT')
        try:
            document, notes = edit.edited_scene(bpy.context, thing, scene)
        except armature.RestChanged as error:
            require(message is not None and message in str(error), f'{change.__name__}: {error}')
            continue
        require(message is None, f'{change.__name__} was not refused')
        require(notes == ['Bones that the game does not have are left out: control, hd.001.'], f'notes are {notes}')
        require(document['clips'] == scene['clips'], 'the clips have changed')


def move_joint(edit_bones):
    edit_bones['hd'].use_connect = False
    edit_bones['hd'].head.x += 0.1


def remove_bone(edit_bones):
    edit_bones.remove(edit_bones['hd'])


def add_bones(edit_bones):
    control = edit_bones.new('control')
    control.tail = (0, 0, 1)
    copy = edit_bones.new('hd.001')
    copy.tail = (0, 0, 1)
    copy['ossa_bone'] = edit_bones['hd']['ossa_bone']


def check_saved_file(samples, folder):
    """A .blend keeps all that is needed."""
    scene = scene_of(folder, os.path.join(samples, 'rabbit'))
    name = import_scene(scene).name
    path = os.path.join(folder, 'rabbit.blend')
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    require(edited_clips(bpy.data.objects[name], scene) == scene['clips'], 'the clips have changed')


def check_shapes(samples, folder):
    """Another weight in one frame, another target in a second, another vertex of a shape key: those frames have other
    shapes, exactly those that Blender shows, and all others the old ones."""
    scene = scene_of(folder, os.path.join(samples, 'wyvern'))
    thing = import_scene(scene)
    track = next(clip for clip in scene['clips'] if clip.get('morphs'))['morphs'][0]
    mesh = next(child for child in thing.children if child['ossa_mesh'] == track['mesh'])
    keys = mesh.data.shape_keys
    curves = [keys.animation_data.action.fcurves.find(clips.block_path(block.name)) for block in keys.key_blocks[1:]]
    frame = next(frame for frame, target in enumerate(track['keys']) if target == 2)
    curves[2].keyframe_points[frame].co.y = 0.5
    curves[3].keyframe_points[frame].co.y = 0.25
    for curve in curves:
        curve.update()
    document, notes = edit.edited_scene(bpy.context, thing, scene)
    require(not notes, f'notes: {notes}')
    found = next(item for item in document['clips'][0]['morphs'] if item['mesh'] == track['mesh'])
    different = [number for number, pair in enumerate(zip(found['keys'], track['keys'])) if pair[0] != pair[1]]
    require(different == [frame], f'frames {different} have other shapes')
    targets = document['meshes'][track['mesh']]['targets']
    old = scene['meshes'][track['mesh']]['targets']
    require(targets[:-1] == old and found['keys'][frame] == len(old), 'one target is new')
    for new, a, b in zip(targets[-1], old[2], old[3]):
        require(math.dist(new, [0.5 * x + 0.25 * y for x, y in zip(a, b)]) < 1e-5, 'the new target')
    keys.key_blocks[1].data[7].co.x += 0.1
    document, _ = edit.edited_scene(bpy.context, thing, scene)
    found = next(item for item in document['clips'][0]['morphs'] if item['mesh'] == track['mesh'])
    different = [number for number, pair in enumerate(zip(found['keys'], track['keys'])) if pair[0] != pair[1]]
    wanted = sorted([frame] + [number for number, target in enumerate(track['keys']) if target == 0])
    require(different == wanted, f'frames {different} have other shapes, not {wanted}')


def check_length(samples, folder):
    """The manual range of an action is the length of its clip."""
    scene = scene_of(folder, os.path.join(samples, 'pedestrian'))
    thing = import_scene(scene)
    action, _ = clips.find(thing, 'walk')
    action.frame_start, action.frame_end = 2, 40
    found = next(clip for clip in edited_clips(thing, scene) if clip['name'] == 'walk')
    original = next(clip for clip in scene['clips'] if clip['name'] == 'walk')
    require(found['frames'] == 39, f"{found['frames']} frames")
    for frame in range(30):
        a = keys_of(found, 'rotations', 3)[frame]
        require(angle(a, keys_of(original, 'rotations', 3)[frame + 2]) < 0.01, f'frame {frame}')
    require(all(len(track['keys']) == 39 for track in found['rotations'] + found['translations']), 'a track is short')


CHECKS = (check_edit_is_what_is_shown, check_rest_pose, check_saved_file, check_shapes, check_length)
