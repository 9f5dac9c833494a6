# SPDX-License-Identifier: MIT
"""File > Export > Ossa (changes back into game files)."""

import os

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy.types import Operator

from . import armature, edit, figure, program, tool


def export(context, thing, output, extra=(), new=None):
    """Bring an armature's clips back into copies of its files: the report, and notes for the user."""
    source = figure.source_of(thing)
    if source is None:
        raise tool.Failed('Select an armature that was imported with Ossa.')
    for path in source['inputs']:
        if not os.path.exists(path.split('#')[0]) and not os.path.exists(path):
            raise tool.Failed(f'The original {path} is not there any more; it is needed for all that was not edited.')
    if '--join' in source['options']:
        raise tool.Failed('Clips that were joined cannot go back into their files; import them without --join.')
    found = program.find(context)
    scene, _ = tool.convert(found, source['inputs'], source['options'])
    try:
        edited, notes = edit.edited_scene(context, thing, scene, new)
    except (armature.RestChanged, edit.NoClip) as error:
        raise tool.Failed(str(error)) from error
    extra = list(extra)
    if new is not None:
        extra += [f'--as={new.name}'] + ([f'--like={new.like}'] if new.like else [])
    report, messages = tool.import_edit(found, edited, source['inputs'], source['options'], output, extra)
    return report, notes + [message.removeprefix('warning: ') for message in messages]


class EXPORT_SCENE_OT_ossa(Operator):
    """Write the game files again with the clips of this armature; the originals stay as they are"""
    bl_idname = 'export_scene.ossa'
    bl_label = 'Export Changes'
    bl_options = {'REGISTER'}

    directory: StringProperty(name='Folder', subtype='DIR_PATH',
                              description='Where the files go; not that of the originals')
    filter_folder: BoolProperty(default=True, options={'HIDDEN'})
    dry_run: BoolProperty(name='Only report', description='Write nothing; only say what would change')
    overwrite: BoolProperty(name='Overwrite (--force)',
                            description='Replace files of an earlier export that have other contents')
    retime: BoolProperty(name='Other lengths (--retime)',
                         description='Allow clips that have another number of frames than the original')
    drop: BoolProperty(name='Drop what does not fit (--drop)',
                       description='Leave out what the format cannot store, instead of refusing')
    limit: FloatProperty(name='Limit (--limit)', default=0.1, min=1e-6, max=180.0,
                         description='The largest error in degrees that packed rotations may have')
    new_clip: StringProperty(name='New clip (--as)',
                             description='Also make a clip of this name from the active action; empty: only the clips '
                                         'that were imported')
    like: StringProperty(name='Modelled on (--like)',
                         description='The clip that the new one gets its other data from; empty: the first')

    @classmethod
    def poll(cls, context):
        return figure.active(context) is not None

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {'RUNNING_MODAL'}

    def draw(self, _context):
        for name in ('dry_run', 'overwrite', 'retime', 'drop', 'limit', 'new_clip', 'like'):
            self.layout.prop(self, name)

    def arguments(self):
        flags = [(self.retime, '--retime'), (self.drop, '--drop'), (self.overwrite, '--force'),
                 (abs(self.limit - 0.1) > 1e-6, f'--limit={self.limit:.6g}')]
        return [flag for is_set, flag in flags if is_set]

    def execute(self, context):
        try:
            output = None if self.dry_run else bpy.path.abspath(self.directory)
            new = edit.NewClip(self.new_clip, self.like) if self.new_clip else None
            report, notes = export(context, figure.active(context), output, self.arguments(), new)
        except tool.Failed as failure:
            self.report({'ERROR'}, str(failure))
            return {'CANCELLED'}
        for note in notes:
            self.report({'WARNING'}, note)
        lines = tool.summary(report) + ([] if output is None else [f'Written to {output}'])
        for line in lines:
            self.report({'INFO'}, line)
        if not bpy.app.background:
            context.window_manager.popup_menu(
                lambda menu, _context: [menu.layout.label(text=line) for line in lines + notes],
                title='Ossa', icon='INFO')
        return {'FINISHED'}
