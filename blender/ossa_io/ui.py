# SPDX-License-Identifier: MIT
"""Menus, preferences and the sidebar."""

import bpy
from bpy.props import StringProperty
from bpy.types import AddonPreferences, Menu, Operator, Panel

from . import clips, export_operator, figure, import_operator


class OSSA_preferences(AddonPreferences):
    bl_idname = __package__

    executable: StringProperty(
        name='Ossa program', subtype='FILE_PATH',
        description='The ossa program; if this is empty, the one that comes with the add-on, or the one on the PATH')

    def draw(self, _context):
        self.layout.prop(self, 'executable')


class OSSA_OT_show_clip(Operator):
    """Show a clip: its action, its frame rate and its range"""
    bl_idname = 'ossa.show_clip'
    bl_label = 'Show Clip'
    bl_options = {'REGISTER', 'UNDO'}

    clip: StringProperty(name='Clip')

    @classmethod
    def poll(cls, context):
        return figure.active(context) is not None

    def execute(self, context):
        if not clips.show(context.scene, figure.active(context), self.clip):
            self.report({'ERROR'}, f'The armature has no clip {self.clip}.')
            return {'CANCELLED'}
        return {'FINISHED'}


class OSSA_MT_clips(Menu):
    bl_idname = 'OSSA_MT_clips'
    bl_label = 'Clips'

    def draw(self, context):
        for name in clips.names_of(figure.active(context)):
            self.layout.operator(OSSA_OT_show_clip.bl_idname, text=name, translate=False).clip = name


class OSSA_PT_sidebar(Panel):
    bl_idname = 'OSSA_PT_sidebar'
    bl_label = 'Ossa'
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'UI'
    bl_category = 'Ossa'

    def draw(self, context):
        layout = self.layout
        layout.operator(import_operator.IMPORT_SCENE_OT_ossa.bl_idname, text='Import', icon='IMPORT')
        thing = figure.active(context)
        if thing is None:
            layout.label(text='Select an armature from Ossa')
            return
        layout.label(text=figure.source_of(thing).get('game', ''))
        animation = thing.animation_data
        action = animation.action if animation is not None else None
        shown = action.get(clips.CLIP) if action is not None else None
        layout.menu(OSSA_MT_clips.bl_idname, text=shown or 'Choose a clip', icon='ACTION')
        layout.operator(export_operator.EXPORT_SCENE_OT_ossa.bl_idname, text='Export changes', icon='EXPORT')


CLASSES = (OSSA_preferences, import_operator.OSSA_clip_choice, import_operator.IMPORT_SCENE_OT_ossa,
           import_operator.IMPORT_SCENE_OT_ossa_choose, export_operator.EXPORT_SCENE_OT_ossa, OSSA_OT_show_clip,
           OSSA_MT_clips, OSSA_PT_sidebar)


def draw_import(self, _context):
    self.layout.operator(import_operator.IMPORT_SCENE_OT_ossa.bl_idname, text='Ossa (game files)')


def draw_export(self, _context):
    self.layout.operator(export_operator.EXPORT_SCENE_OT_ossa.bl_idname, text='Ossa (changes back into game files)')


def register():
    for item in CLASSES:
        bpy.utils.register_class(item)
    bpy.types.TOPBAR_MT_file_import.append(draw_import)
    bpy.types.TOPBAR_MT_file_export.append(draw_export)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(draw_export)
    bpy.types.TOPBAR_MT_file_import.remove(draw_import)
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
