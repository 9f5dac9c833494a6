# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P blender_addon.py -- OSSA FILES FOLDER

The add-on of blender/ in one run of Blender: what it imports, compared with `ossa pose`, and what it brings back.
FILES is what prepare.sh made, FOLDER is for files of our own."""

import json
import os
import sys
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, 'blender')]

import bpy

import blender_addon_back
import blender_addon_files
import blender_addon_poses
import blender_addon_window
import blender_weights
import ossa_io
import peer_files


def check_figure(figure, files):
    """All of a figure of prepare.sh, from its scene."""
    with open(os.path.join(files, figure.name + '.json'), encoding='utf-8') as file:
        scene = json.load(file)
    worst = blender_addon_poses.check(figure, scene)
    blender_addon_back.check_untouched(figure, scene)
    blender_addon_back.check_one_key(figure, scene)
    print(f'{figure.name}: joints within {worst.joints:.2g}, axes within {worst.axes:.2g}, '
          f'vertices within {worst.vertices:.2g} of the size ({worst.vertex_count} vertices)')


def main(ossa, files, folder):
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    os.environ['PATH'] = os.path.dirname(os.path.abspath(ossa)) + os.pathsep + os.environ.get('PATH', '')
    ossa_io.register()
    samples = os.path.join(ROOT, 'samples')
    figures = peer_files.read_figures(files)
    checks = [(figure.name, check_figure, (figure, files)) for figure in figures]
    for module in (blender_addon_poses, blender_addon_back, blender_addon_window, blender_addon_files):
        checks += [(check.__name__, check, (samples, folder)) for check in module.CHECKS]
    checks.append(('weights', blender_weights.check, (files, blender_weights.check_addon, 'add-on')))
    failed = 0
    for name, check, arguments in checks:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        try:
            check(*arguments)
        except Exception:  # any error fails the check, and the others still run
            traceback.print_exc()
            print(f'{name}: FAILED')
            failed += 1
    print(f'Blender {bpy.app.version_string}: {len(figures)} figures, {len(checks)} checks of the add-on, '
          f'{failed} failures')
    return 1 if failed > 0 or not figures else 0


status = main(*sys.argv[sys.argv.index('--') + 1:])
if status != 0:
    raise SystemExit(status)
