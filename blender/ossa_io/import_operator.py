# SPDX-License-Identifier: MIT
"""File > Import > Ossa (game files)."""

import os
import shlex

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator, OperatorFileListElement, PropertyGroup
from bpy_extras.io_utils import ImportHelper

from . import figure, program, tool


class Listing:
    """What the dialog offers. Blender wants the texts of a menu to stay, so they are kept here."""
    choices = []
    items = []
    scenes = {}

    @classmethod
    def start(cls, choices):
        cls.choices = choices
        cls.items = [(str(number), choice.name, ', '.join(choice.paths)) for number, choice in enumerate(choices)]
        cls.scenes = {}

    @classmethod
    def scene(cls, context, number, options):
        key = (number, tuple(options))
        if key not in cls.scenes:
            cls.scenes[key] = tool.convert(program.find(context), cls.choices[number].paths, options)
        return cls.scenes[key]


def scene_options(operator):
    options = []
    if operator.scale != 1.0:
        options.append(f'--scale={operator.scale:.9g}')
    if operator.fps > 0.0:
        options.append(f'--fps={operator.fps:.9g}')
    try:
        options += shlex.split(operator.options)
    except ValueError as error:
        raise tool.Failed(f'The options cannot be understood: {error}') from error
    return tool.check_options(options)


def finish(operator, context, scene, inputs, options, messages):
    for message in messages:
        operator.report({'WARNING'}, message)
    thing = figure.create(context, scene, inputs, options)
    rates = {clip['fps'] for clip in scene['clips']}
    if len(rates) > 1:
        operator.report({'WARNING'}, 'The clips have different frame rates. The scene has that of the first; '
                                     'Show Clip in the sidebar sets that of another.')
    if thing is not None:
        for other in context.selected_objects:
            other.select_set(False)
        thing.select_set(True)
        context.view_layer.objects.active = thing
    operator.report({'INFO'}, f"{scene['scene']}: {len(scene['bones'])} bones, {len(scene['clips'])} clips, "
                              f"{len(scene['meshes'])} meshes, {len(scene['cameras'])} cameras")


class SceneOptions:
    """The options that both operators have."""
    scale: FloatProperty(name='Scale', default=1.0, min=1e-6, max=1e6, description='Multiply all lengths by this')
    fps: FloatProperty(name='Frame rate', default=0.0, min=0.0, max=1e6,
                       description="Frames per second, instead of the game's own rate; 0: the game's own")
    options: StringProperty(name='Other options', description='Further options of `ossa convert`, such as '
                                                              '--complexion=0,0,1 or --parts=*helm*')

    def draw_options(self, layout):
        layout.prop(self, 'scale')
        layout.prop(self, 'fps')
        layout.prop(self, 'options')


class IMPORT_SCENE_OT_ossa(Operator, ImportHelper, SceneOptions):
    """Import figures and clips of a game: files, a folder, an archive or a disc image"""
    bl_idname = 'import_scene.ossa'
    bl_label = 'Import Game Files'
    bl_options = {'UNDO'}

    filename_ext = ''
    filter_glob: StringProperty(default='*', options={'HIDDEN'})
    directory: StringProperty(subtype='DIR_PATH', options={'HIDDEN', 'SKIP_SAVE'})
    files: CollectionProperty(type=OperatorFileListElement, options={'HIDDEN', 'SKIP_SAVE'})
    figure: StringProperty(name='Figure', options={'HIDDEN', 'SKIP_SAVE'},
                           description='The name of the figure, if there are several')
    clips: StringProperty(name='Clips', options={'HIDDEN', 'SKIP_SAVE'},
                          description='Names of clips with commas between them, also with * and ?; none: all clips')
    ask: BoolProperty(options={'HIDDEN', 'SKIP_SAVE'})

    def invoke(self, context, event):
        self.ask = True
        return super().invoke(context, event)

    def draw(self, _context):
        self.draw_options(self.layout)
        self.layout.label(text='A folder is imported if no file is chosen')

    def inputs(self):
        """What was chosen: files, or the folder that is shown."""
        chosen = [os.path.join(self.directory, item.name) for item in self.files if item.name]
        chosen = chosen or [self.filepath or self.directory]
        return [os.path.normpath(bpy.path.abspath(path)) for path in chosen]

    def execute(self, context):
        try:
            choices = tool.figures(program.find(context), self.inputs())
            Listing.start(choices)
            options = scene_options(self)
            if self.ask and (len(choices) > 1 or choices[0].clips > 1):
                bpy.ops.import_scene.ossa_choose('INVOKE_DEFAULT', scale=self.scale, fps=self.fps, options=self.options)
                return {'CANCELLED'}  # nothing to undo yet
            choice = self.choose(choices)
            patterns = [word.strip() for word in self.clips.split(',') if word.strip()]
            scene, messages = tool.convert(program.find(context), choice.paths, options, patterns)
            finish(self, context, scene, choice.paths, options, messages)
        except tool.Failed as failure:
            self.report({'ERROR'}, str(failure))
            return {'CANCELLED'}
        return {'FINISHED'}

    def choose(self, choices):
        wanted = [choice for choice in choices if choice.name == self.figure] if self.figure else choices
        if len(wanted) == 1:
            return wanted[0]
        names = ', '.join(choice.name for choice in choices[:20])
        raise tool.Failed(f"There is no figure {self.figure}; there are: {names}." if self.figure else
                          f'There are {len(choices)} figures; choose one: {names}.')


class OSSA_clip_choice(PropertyGroup):
    frames: IntProperty()
    chosen: BoolProperty(default=True, description='Import this clip')


def figure_items(_self, _context):
    return Listing.items


def list_clips(self, context):
    """Another figure has other clips; those with the names of clips that were not chosen are not, either."""
    self.problem = ''
    before = {item.name: item.chosen for item in self.clips}
    self.clips.clear()
    try:
        scene, _ = Listing.scene(context, int(self.figure or 0), scene_options(self))
    except tool.Failed as failure:
        self.problem = str(failure)
        return
    for clip in scene['clips']:
        item = self.clips.add()
        item.name = clip['name']
        item.frames = clip['frames']
        item.chosen = before.get(clip['name'], True)


class IMPORT_SCENE_OT_ossa_choose(Operator, SceneOptions):
    """Choose a figure and its clips"""
    bl_idname = 'import_scene.ossa_choose'
    bl_label = 'Import Game Files'
    bl_options = {'UNDO', 'INTERNAL'}

    figure: EnumProperty(name='Figure', items=figure_items, update=list_clips)
    all_clips: BoolProperty(name='All clips', default=True, description='Import every clip of the figure')
    clips: CollectionProperty(type=OSSA_clip_choice)
    problem: StringProperty(options={'HIDDEN', 'SKIP_SAVE'})

    def invoke(self, context, _event):
        self.figure = '0'
        list_clips(self, context)
        return context.window_manager.invoke_props_dialog(self, width=450)

    def draw(self, _context):
        layout = self.layout
        layout.prop(self, 'figure')
        for line in self.problem.splitlines():
            layout.label(text=line, icon='ERROR')
        layout.prop(self, 'all_clips')
        if not self.all_clips:
            flow = layout.column_flow(columns=1 + len(self.clips) // 20)
            for item in self.clips:
                flow.prop(item, 'chosen', text=f'{item.name} ({item.frames})', translate=False)
        self.draw_options(layout)

    def execute(self, context):
        try:
            options = scene_options(self)
            number = int(self.figure)
            scene, messages = Listing.scene(context, number, options)
            # A script's clips come after those that its choice of a figure has listed.
            chosen = {item.name: item.chosen for item in self.clips}
            scene = dict(scene, clips=[clip for clip in scene['clips'] if self.all_clips or chosen.get(clip['name'])])
            finish(self, context, scene, Listing.choices[number].paths, options, messages)
        except tool.Failed as failure:
            self.report({'ERROR'}, str(failure))
            return {'CANCELLED'}
        Listing.start([])
        return {'FINISHED'}
