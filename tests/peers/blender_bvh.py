# SPDX-License-Identifier: MIT
"""Blender's import of BVH, compared with `ossa pose`."""

import os

import bpy
from io_anim_bvh import import_bvh as bvh_add_on
from mathutils import Quaternion, Vector

import peer_files
from blender_gltf import TO_SCENE, Differences, Problem, require, start_scene

# Blender 3.4 opens BVH in a mode that Python 3.11 no longer has, and Debian 12 ships both.
bvh_add_on.open = lambda path, mode: open(path, mode.replace('U', ''), encoding='utf-8')

FIRST_FRAME = 1


def import_bvh(path, clip):
    start_scene(24 if clip.fps != 24 else 25)  # not the clip's own: the import has to set it
    bpy.ops.import_anim.bvh(filepath=path, axis_forward='-Z', axis_up='Y', use_fps_scale=False,
                            update_scene_fps=True, rotate_mode='NATIVE',
                            frame_start=FIRST_FRAME)
    armatures = [thing for thing in bpy.data.objects if thing.type == 'ARMATURE']
    require(len(armatures) == 1, f'{len(armatures)} armatures, not one')
    return armatures[0]


def check_length(armature, clip):
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    require(abs(rate - clip.fps) < 1e-3 * clip.fps, f'{clip.name}: {rate} frames a second')
    first, last = armature.animation_data.action.frame_range
    require(first == FIRST_FRAME and last == len(clip.poses),
            f'{clip.name}: frames {first} to {last}, not 1 to {len(clip.poses)}')


def match_bones(figure, armature):
    """By name: cleaned like those of glTF's nodes, among which the figure itself has one too and may
    have taken a bone's name from it."""
    found = []
    for joint in figure.joints:
        names = [name for name in (joint['name'], peer_files.game_name(joint))
                 if name in armature.pose.bones]
        require(names, f"no bone {joint['name']} in {sorted(armature.pose.bones.keys())}")
        found.append(armature.pose.bones[names[0]])
    require(len(set(found)) == len(found), 'two joints are one bone')
    return found


def compare_clip(figure, clip, path, worst):
    armature = import_bvh(path, clip)
    check_length(armature, clip)
    bones = match_bones(figure, armature)
    # Bones lie along the limbs and are not turned in the file: what they are turned by is their own.
    at_rest = [(TO_SCENE @ armature.matrix_world @ bone.bone.matrix_local).to_3x3().inverted()
               for bone in bones]
    before = [None] * len(bones)
    for pose in clip.poses:
        bpy.context.scene.frame_set(FIRST_FRAME + pose['frame'])
        for i, bone in enumerate(pose['bones']):
            matrix = TO_SCENE @ armature.matrix_world @ bones[i].matrix
            label = f"{clip.name}, frame {pose['frame']}, {bone['name']}"
            if bone['visible']:
                compare_bone(matrix, at_rest[i], bone, clip.size, worst, label)
            elif before[i] is not None:
                moved = (matrix.to_translation() - before[i]).length / clip.size
                require(moved <= peer_files.TOLERANCE, f'{label}: hidden, but it moves')
            before[i] = matrix.to_translation()


def compare_bone(matrix, at_rest, bone, size, worst, label):
    distance = (matrix.to_translation() - Vector(bone['translation'])).length / size
    worst.places = max(worst.places, distance)
    require(distance <= peer_files.TOLERANCE,
            f'{label}: {distance:.3g} of the size away from where ossa pose has it')
    i, j, k, s = bone['rotation']
    difference = matrix.to_3x3() @ at_rest - Quaternion((s, i, j, k)).to_matrix()
    furthest = max(column.length for column in difference.col)
    worst.axes = max(worst.axes, furthest)
    require(furthest <= peer_files.TOLERANCE, f'{label}: an axis is {furthest:.3g} off')


def damage(path, copy):
    """One number of the middle frame, the first of the root, becomes a little larger."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith('Frame Time:')) + 1
    middle = start + (len(lines) - start) // 2
    words = lines[middle].split()
    words[0] = repr(float(words[0]) + 0.01)
    lines[middle] = ' '.join(words)
    with open(copy, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


def check_damage(figure, clip, folder):
    path = os.path.join(folder, figure.name + ' damaged.bvh')
    damage(figure.bvh(clip), path)
    try:
        compare_clip(figure, clip, path, Differences())
    except Problem as problem:
        print(f'{figure.name}: damage is found: {problem}')
        return
    raise Problem('one number was changed, and nobody noticed')


def check(figure, folder, results):
    worst = Differences()
    for clip in figure.clips:
        compare_clip(figure, clip, figure.bvh(clip), worst)
    results.add(figure.name, 'bones in every frame', 'within 1e-4', worst.places)
    results.add(figure.name, 'rotations and scales', 'rotations only, within 1e-4', worst.axes)
    results.add(figure.name, 'all clips by name', 'one file per clip')
    results.add(figure.name, 'frame rate and duration', 'yes')
    results.add(figure.name, 'skeleton without a mesh', 'yes, as one armature')
    if any(peer_files.game_name(joint) != joint['name'] for joint in figure.joints):
        results.add(figure.name, 'bone names', 'cleaned names only')
    if figure.hides():
        results.add(figure.name, 'hidden objects', 'no, they stay visible')
    check_damage(figure, figure.clips[0], folder)
