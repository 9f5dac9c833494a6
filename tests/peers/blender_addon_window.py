# SPDX-License-Identifier: MIT
"""The operators of the add-on, as the menus call them."""

import os

import bpy

from blender_gltf import Problem, require
from ossa_io import clips, figure


def refused(**arguments):
    """The message of an import that must fail."""
    try:
        bpy.ops.import_scene.ossa(**arguments)
    except RuntimeError as error:
        return str(error)
    raise Problem(f'{arguments} was not refused')


def check_inputs(samples, _folder):
    """Folders, files, archives, discs, and what goes along with them."""
    packed = os.path.join(samples, 'packed')
    for arguments, bones, names in (
            ({'filepath': os.path.join(samples, 'troll')}, 15, ['dance', 'idle', 'walk']),
            ({'filepath': os.path.join(samples, 'troll'), 'clips': 'w*, idle'}, 15, ['idle', 'walk']),
            ({'directory': os.path.join(samples, 'bird'), 'files': [{'name': 'bird.skb'}, {'name': 'fly.anb'}]}, 15, ['fly']),
            ({'filepath': os.path.join(packed, 'figures.res'), 'figure': 'wyvern'}, 9, ['fly', 'rest']),
            ({'directory': packed, 'files': [{'name': 'textures.res'}, {'name': 'figures.res'}], 'figure': 'wyvern'},
             9, ['fly', 'rest']),
            ({'filepath': packed, 'figure': 'rabbit'}, 17, ['hop', 'walk0', 'walk1']),
            ({'filepath': os.path.join(packed, 'NICO.DAT')}, 15, None)):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        require(bpy.ops.import_scene.ossa(**arguments) == {'FINISHED'}, f'{arguments}')
        thing = bpy.context.object
        require(len(thing.data.bones) == bones, f'{arguments}: {len(thing.data.bones)} bones')
        found = sorted(clips.names_of(thing))
        require(names is None and len(found) == 2 or found == names, f'{arguments}: clips {found}')
        has_texture = len(bpy.data.images) > 0
        require(has_texture == ('textures.res' in str(arguments)), f'{arguments}: textures')


def check_refusals(samples, _folder):
    for arguments, message in (
            ({'filepath': os.path.join(samples, 'packed', 'figures.res')}, 'There are 2 figures; choose one: troll, wyvern'),
            ({'filepath': os.path.join(samples, 'packed'), 'figure': 'nobody'}, 'There is no figure nobody'),
            ({'filepath': os.path.join(samples, 'nothing')}, 'cannot be opened'),
            ({'filepath': os.path.join(samples, 'bird'), 'clips': 'swim'}, "no clip 'swim'"),
            ({'filepath': os.path.join(samples, 'bird'), 'options': '-o x'}, "'-o' is not an option for scenes"),
            ({'filepath': os.path.join(samples, 'bird'), 'options': '--output=x'}, "'--output=x' is not an option")):
        found = refused(**arguments)
        require(message in found, f'{arguments}: {found}')
        require(not bpy.data.objects, f'{arguments}: something was imported')


def check_options(samples, _folder):
    """Scale and rate, and that they are kept for the way back."""
    bpy.ops.import_scene.ossa(filepath=os.path.join(samples, 'bird'), scale=2.0, fps=25.0, options='--boxes')
    thing = bpy.context.object
    require(abs(thing.data.bones['root'].head_local.z - 3.2) < 1e-5, 'the scale')
    require(bpy.context.scene.render.fps == 25, 'the rate')
    require(len(thing.children) > 0, 'the boxes')
    require(figure.source_of(thing)['options'] == ['--scale=2', '--fps=25', '--boxes'], 'what is kept')


def check_clips_in_turn(samples, _folder):
    """Clips of two rates: each has its own when it is shown, and lasts as long in the NLA."""
    bpy.ops.import_scene.ossa(filepath=os.path.join(samples, 'rabbit'))
    thing = bpy.context.object
    for name, fps, others in (('hop', 30, 52.5), ('walk0', 20, 35)):
        require(bpy.ops.ossa.show_clip(clip=name) == {'FINISHED'}, name)
        require(bpy.context.scene.render.fps == fps and thing.animation_data.action[clips.CLIP] == name, name)
        end = thing.animation_data.nla_tracks['walk1'].strips[0].frame_end
        require(abs(end - others) < 1e-3, f'{name}: walk1 ends at {end}')


CHECKS = (check_inputs, check_refusals, check_options, check_clips_in_turn)
