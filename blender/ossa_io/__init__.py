# SPDX-License-Identifier: MIT
"""Ossa: animations of old games in Blender, and back into the games' own files.

The `ossa` program reads and writes the files; this add-on exchanges scenes with it as JSON."""

bl_info = {
    'name': 'Ossa: animations of old games',
    'description': 'Import figures and clips of old games, and bring edited clips back into their files',
    'author': 'The Ossa contributors',
    'version': (0, 2, 0),
    'blender': (3, 4, 0),
    'location': 'File > Import, File > Export, sidebar of the 3D viewport',
    'category': 'Import-Export',
}


def register():
    from . import ui  # not needed by programs that use only the parts without a window
    ui.register()


def unregister():
    from . import ui
    ui.unregister()
