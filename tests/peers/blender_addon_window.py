# SPDX-License-Identifier: MIT
"""The operators of the add-on, as the menus call them."""

import os
import types

import bpy

from blender_gltf import Problem, require
from ossa_io import clips, export_operator, figure, import_operator, tool, ui


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
            ({'directory': os.path.join(samples, 'bird'), 'files': [{'name': 'bird.skb'}, {'name': 'fly.anb'}]},
             15, ['fly']),
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
            ({'filepath': os.path.join(samples, 'packed', 'figures.res')},
             'There are 2 figures; choose one: troll, wyvern'),
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


class Layout:
    """Takes what is drawn; names of properties that their owner does not have are found."""

    def __init__(self):
        self.texts = []

    def label(self, *, text, icon='NONE'):
        self.texts.append(text)

    def prop(self, owner, name, text=None, **_settings):
        require(hasattr(owner, name), f'{owner} has no {name}')
        self.texts.append(text or name)

    def operator(self, name, text='', **_settings):
        group, word = name.split('.')
        require(hasattr(getattr(bpy.ops, group), word), f'there is no operator {name}')
        self.texts.append(text)
        return types.SimpleNamespace()

    def menu(self, name, text='', **_settings):
        require(hasattr(bpy.types, name), f'there is no menu {name}')
        self.texts.append(text)

    def column_flow(self, *, columns):
        require(columns >= 1, 'no columns')
        return self


class Items(list):
    """A collection of an operator."""

    def add(self):
        self.append(types.SimpleNamespace(name='', frames=0, chosen=True))
        return self[-1]


class Dialog:
    """An operator as its window has it, which there is not without a screen."""
    draw_options = import_operator.SceneOptions.draw_options

    def __init__(self, **members):
        self.layout = Layout()
        self.scale, self.fps, self.options = 1.0, 0.0, ''
        vars(self).update(members)

    def drawn(self, operator):
        self.layout = Layout()
        operator.draw(self, bpy.context)
        return self.layout.texts


def check_dialog(samples, _folder):
    """Two figures, of which the second is chosen, with one of its clips."""
    inputs = [os.path.join(samples, 'packed', 'figures.res')]
    import_operator.Listing.start(tool.figures(tool.find(), inputs))
    require([item[1] for item in import_operator.figure_items(None, None)] == ['troll', 'wyvern'], 'the figures')
    dialog = Dialog(figure='1', clips=Items(), problem='', all_clips=False)
    import_operator.list_clips(dialog, bpy.context)
    texts = dialog.drawn(import_operator.IMPORT_SCENE_OT_ossa_choose)
    require({'fly (24)', 'rest (30)', 'figure', 'scale'} <= set(texts), f'the dialog has {texts}')
    bpy.ops.import_scene.ossa_choose(figure='1', all_clips=False, clips=[
        {'name': 'fly', 'frames': 24, 'chosen': False}, {'name': 'rest', 'frames': 30, 'chosen': True}])
    require(clips.names_of(bpy.context.object) == ['rest'], 'the clips')
    import_operator.Listing.start(tool.figures(tool.find(), inputs))
    dialog.options = '--nonsense'
    import_operator.list_clips(dialog, bpy.context)
    texts = dialog.drawn(import_operator.IMPORT_SCENE_OT_ossa_choose)
    require(any('--nonsense' in text for text in texts), 'the problem')


def check_sidebar(samples, _folder):
    require(Dialog().drawn(ui.OSSA_PT_sidebar) == ['Import', 'Select an armature from Ossa'], 'without an armature')
    bpy.ops.import_scene.ossa(filepath=os.path.join(samples, 'wyvern'))
    thing = bpy.context.object
    for active in (thing, thing.children[0]):
        bpy.context.view_layer.objects.active = active
        require(Dialog().drawn(ui.OSSA_PT_sidebar) == ['Import', 'Evil Islands (2000)', 'fly', 'Export changes'],
                f'with {active.name}: {Dialog().drawn(ui.OSSA_PT_sidebar)}')
        require(Dialog().drawn(ui.OSSA_MT_clips) == ['fly', 'rest'], 'the clips')
        require(bpy.ops.ossa.show_clip(clip='rest') == {'FINISHED'}, 'show')
        require(bpy.ops.ossa.show_clip(clip='fly') == {'FINISHED'}, 'show')
    draw = types.SimpleNamespace(layout=Layout())
    ui.draw_import(draw, bpy.context)
    ui.draw_export(draw, bpy.context)
    require(len(draw.layout.texts) == 2, 'the menus')
    members = dict(dry_run=False, overwrite=False, retime=False, drop=False, limit=0.1, new_clip='', like='')
    require(len(Dialog(**members).drawn(export_operator.EXPORT_SCENE_OT_ossa)) == 7, 'the export')


CHECKS = (check_dialog, check_sidebar, check_inputs, check_refusals, check_options, check_clips_in_turn)
