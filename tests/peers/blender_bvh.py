# SPDX-License-Identifier: MIT
"""Blender's import of BVH, compared with `ossa pose`."""

import os

import bpy
from io_anim_bvh import import_bvh as bvh_add_on
from mathutils import Matrix, Vector

import peer_files
from blender_gltf import Problem, require, start_scene

# Blender 3.4 opens BVH in a mode that Python 3.11 no longer has, and Debian 12 ships both.
bvh_add_on.open = lambda path, mode: open(path, mode.replace('U', ''), encoding='utf-8')

# With -Z forward and Y up Blender turns the file's axes into its own; this goes back.
TO_SCENE = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
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
    """By name, as the BVH has it: cleaned like the names of glTF's nodes."""
    found = []
    for joint in figure.joints:
        require(joint['name'] in armature.pose.bones,
                f"no bone {joint['name']} in {sorted(armature.pose.bones.keys())}")
        found.append(armature.pose.bones[joint['name']])
    return found


def compare_clip(figure, clip, path):
    armature = import_bvh(path, clip)
    check_length(armature, clip)
    bones = match_bones(figure, armature)
    worst = 0.0
    before = [None] * len(bones)
    for pose in clip.poses:
        bpy.context.scene.frame_set(FIRST_FRAME + pose['frame'])
        for i, bone in enumerate(pose['bones']):
            place = TO_SCENE @ armature.matrix_world @ bones[i].head
            label = f"{clip.name}, frame {pose['frame']}, {bone['name']}"
            if bone['visible']:
                distance = (place - Vector(bone['translation'])).length / clip.size
                worst = max(worst, distance)
                require(distance <= peer_files.TOLERANCE,
                        f'{label}: {distance:.3g} of the size away from where ossa pose has it')
            elif before[i] is not None:
                moved = (place - before[i]).length / clip.size
                require(moved <= peer_files.TOLERANCE, f'{label}: hidden, but it moves')
            before[i] = place
    return worst


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
        compare_clip(figure, clip, path)
    except Problem as problem:
        print(f'{figure.name}: damage is found: {problem}')
        return
    raise Problem('one number was changed, and nobody noticed')


def check(figure, folder, results):
    worst = 0.0
    for clip in figure.clips:
        worst = max(worst, compare_clip(figure, clip, figure.bvh(clip)))
    results.add(figure.name, 'bones in every frame', 'yes', worst)
    results.add(figure.name, 'all clips by name', 'a file each')
    results.add(figure.name, 'rate and length', 'yes')
    if figure.hides():
        results.add(figure.name, 'hidden objects', 'no, they stay where they were')
    check_damage(figure, figure.clips[0], folder)
