# SPDX-License-Identifier: MIT
"""Morph targets in Blender: the files of `make_gltf --shapes`, see there."""

import os

import bpy

from blender_gltf import require, start_scene


def target(frame, count):
    return 7 * frame % (count + 1) - 1


def compare_clip(keys, action, count, frames, moves):
    keys.animation_data.action = action
    # All frames of a long clip would take minutes.
    for frame in list(range(0, frames, 1 if frames < 100 else 23)) + [frames - 1]:
        for part in (0, 0.25) if frame + 1 < frames else (0,):
            bpy.context.scene.frame_set(frame, subframe=part)
            for i, block in enumerate(keys.key_blocks[1:]):
                wanted = 0
                if moves and target(frame, count) == i:
                    wanted += 1 - part
                if moves and target(frame + 1, count) == i:
                    wanted += part
                require(abs(block.value - wanted) < 1e-4,
                        f'{action.name} of {count}: target {i} has the weight {block.value} in frame {frame + part}')


def check(files):
    for count in (60, 600):
        for kind in ('', '-skin'):
            start_scene(25)
            bpy.ops.import_scene.gltf(filepath=os.path.join(files, f'shapes{kind}-{count}.glb'))
            keys = [key for key in bpy.data.shape_keys if len(key.key_blocks) == count + 1]
            require(len(keys) == 1, f'{len(keys)} meshes with {count} targets')
            for track in keys[0].animation_data.nla_tracks:
                track.mute = True
            actions = {action.name[:5]: action for action in bpy.data.actions
                       if any(curve.data_path.startswith('key_blocks') for curve in action.fcurves)}
            require(sorted(actions) == ['clip0', 'clip1'], f'actions {sorted(actions)}')
            compare_clip(keys[0], actions['clip0'], count, count, True)
            compare_clip(keys[0], actions['clip1'], count, 3, False)
            print(f'{count} shapes{kind}: every weight')
