# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P blender_addon_install.py -- OSSA FOLDER

Installs the add-on from the file that `make blender` makes, and imports a sample with the program in it. The caller
sets BLENDER_USER_SCRIPTS, so that nothing of the user's is touched."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'blender'))

import bpy

import package

sys.path.pop(0)  # what is installed is to be found, not what it was made from


def main(ossa, folder):
    scripts = os.environ['BLENDER_USER_SCRIPTS']
    path = os.path.join(folder, 'ossa-blender.zip')
    package.package(path, ossa)
    bpy.ops.preferences.addon_install(filepath=path)
    bpy.ops.preferences.addon_enable(module='ossa_io')
    import ossa_io
    from ossa_io import tool
    assert ossa_io.__file__.startswith(scripts), ossa_io.__file__
    assert tool.find().startswith(scripts) and os.access(tool.find(), os.X_OK), tool.find()
    assert bpy.ops.import_scene.ossa(filepath=os.path.join(ROOT, 'samples', 'bird')) == {'FINISHED'}
    preferences = bpy.context.preferences.addons['ossa_io'].preferences
    preferences.executable = os.path.join(folder, 'nothing')
    try:
        bpy.ops.import_scene.ossa(filepath=os.path.join(ROOT, 'samples', 'bird'))
        raise AssertionError('the preferences have no effect')
    except RuntimeError as error:
        assert 'Choose the ossa program in the preferences' in str(error), error
    bpy.ops.preferences.addon_disable(module='ossa_io')
    assert not hasattr(bpy.types, 'OSSA_PT_sidebar')
    print('installed, used and removed')


main(*sys.argv[sys.argv.index('--') + 1:])
