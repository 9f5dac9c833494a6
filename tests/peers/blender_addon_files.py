# SPDX-License-Identifier: MIT
"""From the games' files through the operators of the add-on and back into files."""

import os
import shutil

import bpy

from blender_addon_back import angle, keys_of, rotate_key
from blender_addon_poses import scene_of
from blender_gltf import Problem, require
from ossa_io import clips

# What is imported, the figure if there are several, and how many degrees a key of the format may be off.
INPUTS = (('troll', '', 0.001), ('wyvern', '', 0.001), ('pedestrian', '', 0.001), ('rabbit', '', 0.1),
          ('bird', '', 0.1), ('packed/figures.res', 'troll', 0.001), ('packed/ped.ar', '', 0.001),
          ('packed/rabbit.pak', '', 0.1))


def start(samples, name, figure, **options):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.ossa(filepath=os.path.join(samples, name), figure=figure, **options)
    return bpy.context.object


def export(folder, **options):
    """The folder of the files; what it has from before is removed."""
    output = os.path.join(folder, 'out')
    shutil.rmtree(output, ignore_errors=True)
    bpy.ops.export_scene.ossa(directory=output, **options)
    return output


def refused(folder, **options):
    """The message of an export that must fail, and must write nothing."""
    try:
        export(folder, **options)
    except RuntimeError as error:
        require(not os.path.exists(os.path.join(folder, 'out')), 'it was refused, and something was written')
        return str(error)
    raise Problem('the export was not refused')


def files_in(path):
    """The contents of a folder, or of a file, by relative names."""
    if os.path.isfile(path):
        with open(path, 'rb') as file:
            return {os.path.basename(path): file.read()}
    found = {}
    for folder, _, names in os.walk(path):
        for name in names:
            full = os.path.join(folder, name)
            with open(full, 'rb') as file:
                found[os.path.relpath(full, path)] = file.read()
    return found


def inputs_of(path, figure):
    return f'{path}#{figure}' if figure else path


def check_untouched_files(samples, folder):
    for name, figure, _ in INPUTS:
        start(samples, name, figure)
        found = files_in(export(folder))
        require(found == files_in(os.path.join(samples, name)), f'{name}: {sorted(found)} are not the same bytes')


def check_one_key_in_files(samples, folder):
    """Files that have one key changed: as scenes they differ in that key, and in nothing else."""
    for name, figure, off in INPUTS:
        thing = start(samples, name, figure)
        before = scene_of(folder, inputs_of(os.path.join(samples, name), figure))
        clip = next(clip for clip in before['clips'] if clip['rotations'])
        track = clip['rotations'][len(clip['rotations']) // 2]
        frame = clip['frames'] // 2
        bone = next(bone.name for bone in thing.data.bones if bone['ossa_bone'] == track['bone'])
        rotate_key(clips.find(thing, clip['name'])[0], bone, frame, 10)
        output = export(folder)
        if os.path.isfile(os.path.join(samples, name)):
            output = os.path.join(output, os.path.basename(name))
        after = scene_of(folder, inputs_of(output, figure))
        compare_scenes(name, before, after, clip['name'], track['bone'], frame, off)


def compare_scenes(name, before, after, clip_name, bone, frame, off):
    require(before['bones'] == after['bones'], f'{name}: the bones have changed')
    for old, new in zip(before['clips'], after['clips']):
        where = f"{name}, {old['name']}"
        if old['name'] == clip_name:
            turned = angle(keys_of(old, 'rotations', bone)[frame], keys_of(new, 'rotations', bone)[frame])
            require(abs(turned - 10) <= off + 0.002, f'{where}: the key was rotated by {turned:.4f} degrees')
            for other, (a, b) in enumerate(zip(keys_of(old, 'rotations', bone), keys_of(new, 'rotations', bone))):
                require(other == frame or angle(a, b) <= off, f'{where}: frame {other} has changed')
        for kind in ('rotations', 'translations', 'scales', 'visibilities'):
            for track in old[kind]:
                if (old['name'], kind, track['bone']) == (clip_name, 'rotations', bone):
                    continue
                keys = keys_of(new, kind, track['bone'])
                if kind == 'rotations':  # EI stores rotations of a part that depend on its parent's
                    same = keys is not None and all(angle(a, b) < 1e-3 for a, b in zip(track['keys'], keys))
                else:
                    same = keys == track['keys']
                require(same, f"{where}: {kind} of the bone {track['bone']} have changed")


def check_one_shape_in_files(samples, folder):
    """Half of a shape in one frame: one file changes, and has half of the offsets there."""
    path = os.path.join(samples, 'wyvern')
    thing = start(samples, 'wyvern', '')
    before = scene_of(folder, path)
    track = before['clips'][0]['morphs'][0]
    mesh = next(child for child in thing.children if child['ossa_mesh'] == track['mesh'])
    keys = mesh.data.shape_keys
    frame = next(frame for frame, target in enumerate(track['keys']) if target == 2)
    curve = keys.animation_data.action.fcurves.find(clips.block_path(keys.key_blocks[3].name))
    curve.keyframe_points[frame].co.y = 0.5
    curve.update()
    output = export(folder)
    found = files_in(output)
    changed = [name for name, data in files_in(path).items() if found[name] != data]
    part = before['meshes'][track['mesh']]['name']
    require(changed == [os.path.join('fly', f'{part}.anm')], f'{changed} have changed')
    after = scene_of(folder, output)
    new = next(item for item in after['clips'][0]['morphs'] if item['mesh'] == track['mesh'])
    for number, (a, b) in enumerate(zip(track['keys'], new['keys'])):
        part = 0.5 if number == frame else 1.0
        for x, y in zip(shape_of(before, track['mesh'], a), shape_of(after, track['mesh'], b)):
            off = max(abs(part * p - q) for p, q in zip(x, y))
            require(off < 1e-5, f'frame {number}: a vertex is {off:.3g} off')


def shape_of(scene, mesh, target):
    item = scene['meshes'][mesh]
    return item['targets'][target] if target >= 0 else [[0, 0, 0]] * len(item['positions'])


def check_files_of_options(samples, folder):
    """Scale and rate are undone, and what only concerns the looks is left away."""
    thing = start(samples, 'pedestrian', '', scale=3.0, fps=24.0, options='--boxes --morph=none')
    found = files_in(export(folder))
    require(found == files_in(os.path.join(samples, 'pedestrian')), 'they are not the same bytes')
    rotate_key(clips.find(thing, 'walk')[0], 'head', 7, 10)
    found = files_in(export(folder))
    changed = [name for name, data in files_in(os.path.join(samples, 'pedestrian')).items() if found[name] != data]
    require(changed == ['walk.anim'], f'{changed} have changed')


def check_some_clips(samples, folder):
    """Clips that were not imported stay as they were."""
    thing = start(samples, 'pedestrian', '', clips='walk')
    rotate_key(clips.find(thing, 'walk')[0], 'head', 7, 10)
    found = files_in(export(folder))
    changed = [name for name, data in files_in(os.path.join(samples, 'pedestrian')).items() if found[name] != data]
    require(changed == ['walk.anim'], f'{changed} have changed')


def check_new_clip(samples, folder):
    """A copy of an action, edited and longer, as a new clip: the old files stay, and the new clip is what is shown."""
    for name, like, end in (('troll', 'walk', 40), ('pedestrian', 'walk', 40), ('rabbit', 'hop', 40),
                            ('bird', 'fly', 50)):
        thing = start(samples, name, '')
        action = clips.find(thing, like)[0].copy()
        thing.animation_data.action = action
        action.frame_end = end
        bone = thing.data.bones[3].name
        rotate_key(action, bone, 11, 10)
        output = export(folder, new_clip='stroll', like=like)
        found = files_in(output)
        for file, data in files_in(os.path.join(samples, name)).items():
            require(found.pop(file) == data, f'{name}: {file} has changed')
        require(found and all('stroll' in file for file in found), f'{name}: {sorted(found)} are new')
        after = {clip['name']: clip for clip in scene_of(folder, output)['clips']}
        require(after['stroll']['frames'] == end + 1, f"{name}: {after['stroll']['frames']} frames")
        number = thing.data.bones[3]['ossa_bone']
        keys = zip(keys_of(after['stroll'], 'rotations', number), keys_of(after[like], 'rotations', number))
        for frame, (a, b) in enumerate(keys):
            turned = angle(a, b)
            require(abs(turned - (10 if frame == 11 else 0)) < 0.1, f'{name}: frame {frame} is {turned} degrees off')
    try:
        export(folder, new_clip='fly')
        raise Problem('a clip of that name was there, and it was not refused')
    except RuntimeError as error:
        require('There is a clip fly already' in str(error), str(error))


def check_refused_files(samples, folder):
    """What a format cannot store, with the bone; lengths; originals that are gone; nothing to export."""
    thing = start(samples, 'troll', '')
    action, _ = clips.find(thing, 'walk')
    curve = action.fcurves.new(f'{clips.bone_path("lh2")}.location', index=0)
    curve.keyframe_points.insert(9, 0.1)
    message = refused(folder)
    require('lh2' in message, f'a moved bone: {message}')
    export(folder, drop=True)
    action.fcurves.remove(curve)
    action.frame_end = 30
    rotate_key(action, 'lh2', 30, 20)
    message = refused(folder)
    require('frames' in message and '31' in message, f'a longer clip: {message}')
    export(folder, retime=True)
    action.frame_end = 23
    rotate_key(action, 'lh2', 30, -20)
    nowhere = os.path.join(folder, 'nowhere')
    require(bpy.ops.export_scene.ossa(directory=nowhere, dry_run=True) == {'FINISHED'}, 'a dry run')
    require(not os.path.exists(nowhere), 'a dry run has written something')
    thing['ossa'] = thing['ossa'].replace('troll', 'gone')
    require('is not there any more' in refused(folder), 'the originals')
    thing['ossa'] = '{}'
    require(not bpy.ops.export_scene.ossa.poll(), 'an armature that does not come from Ossa')


CHECKS = (check_untouched_files, check_one_key_in_files, check_one_shape_in_files, check_files_of_options,
          check_some_clips, check_new_clip, check_refused_files)
