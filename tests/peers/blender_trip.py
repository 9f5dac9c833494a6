# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P blender_trip.py -- JOBS

Takes glTF files through Blender: imports each, may edit it, and exports it again. JOBS is a file of
JSON, one job per line:

    {"from": PATH, "to": PATH, "fps": N, "base": N, "heuristic": "BLENDER", "settings": {...},
     "edit": {"clip": NAME, "bone": NAME, "frames": [5, 6], "degrees": 30, "axis": [x, y, z]}}"""

import json
import math
import sys

sys.dont_write_bytecode = True

import bpy
import mathutils
import numpy

# Blender 3.4 uses a name that numpy 1.24 no longer has, and Debian 12 ships both.
if 'bool' not in vars(numpy):
    numpy.bool = bool


def find_action(clip):
    """The action of a clip: Blender calls it CLIP_ARMATURE."""
    names = [action.name for action in bpy.data.actions]
    for action in bpy.data.actions:
        if action.name == clip or action.name.startswith(clip + '_'):
            return action
    raise SystemExit(f'no action for {clip} among {names}')


def rotate(edit):
    """Rotate a bone, or an object that stands for one, in some frames of a clip."""
    action = find_action(edit['clip'])
    path = f'pose.bones["{edit["bone"]}"].rotation_quaternion'
    curves = [action.fcurves.find(path, index=i) for i in range(4)]
    if None in curves:
        raise SystemExit(f'{edit["bone"]} does not rotate in {action.name}')
    turn = mathutils.Quaternion(edit['axis'], math.radians(edit['degrees']))
    keys = [{round(key.co.x): key for key in curve.keyframe_points} for curve in curves]
    for frame in edit['frames']:
        rotation = mathutils.Quaternion([keys[i][frame].co.y for i in range(4)]) @ turn
        for i in range(4):
            keys[i][frame].co.y = rotation[i]
    for curve in curves:
        curve.update()


def run(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = job['fps']
    bpy.context.scene.render.fps_base = job.get('base', 1)
    bpy.ops.import_scene.gltf(filepath=job['from'], bone_heuristic=job.get('heuristic', 'TEMPERANCE'))
    if 'edit' in job:
        rotate(job['edit'])
    bpy.ops.export_scene.gltf(filepath=job['to'], export_format='GLB', **job.get('settings', {}))


with open(sys.argv[sys.argv.index('--') + 1], encoding='utf-8') as jobs:
    for line in jobs:
        run(json.loads(line))
