# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P blender_guide.py -- FROM TO FPS EDIT...

A step of docs/modding.md in Blender: imports a glTF at a frame rate, edits it, and exports it with the
default settings. What EDIT is: see tests/support/guide.sh."""

import sys

sys.dont_write_bytecode = True

import bpy
import numpy

# Blender 3.4 uses a name that numpy 1.24 no longer has, and Debian 12 ships both.
if 'bool' not in vars(numpy):
    numpy.bool = bool


def armature():
    return next(thing for thing in bpy.data.objects if thing.type == 'ARMATURE')


def action_of(clip):
    """Blender calls it CLIP_ARMATURE."""
    return bpy.data.actions[f'{clip}_{armature().name}']


def hold(action, path, values):
    """Delete all keys of a property, and set one at the first frame."""
    for index, value in enumerate(values):
        curve = action.fcurves.find(path, index=index)
        if curve is not None:
            action.fcurves.remove(curve)
        action.fcurves.new(path, index=index).keyframe_points.insert(0, value)


def edit(kind, clip, bones, *words):
    armature().animation_data.action = action_of(clip)  # as the Action Editor does
    for bone in bones.split(','):
        path = f'pose.bones["{bone}"].'
        if kind == 'scales':
            hold(action_of(clip), path + 'scale', 3 * [float(words[0])])
            continue
        source, frame = action_of(words[0]), int(words[1])
        path += 'rotation_quaternion'
        curves = [source.fcurves.find(path, index=index) for index in range(4)]
        hold(action_of(clip), path, [curve.evaluate(frame) for curve in curves])


def main(source, target, fps, *words):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(fps)
    bpy.ops.import_scene.gltf(filepath=source)
    edit(*words)
    # Blender 3.4 cannot export lines with colours of vertices.
    has_lines = any(not mesh.polygons for mesh in bpy.data.meshes)
    settings = {'export_colors': False} if has_lines else {}
    bpy.ops.export_scene.gltf(filepath=target, export_format='GLB', **settings)


main(*sys.argv[sys.argv.index('--') + 1:])
