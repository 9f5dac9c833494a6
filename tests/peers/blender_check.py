# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P blender_check.py -- FILES FOLDER RESULTS

Everything of prepare.sh in one run of Blender. FILES is what prepare.sh made, FOLDER is for files of
our own, RESULTS is where the results go."""

import os
import sys
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy
import numpy

# Blender 3.4 uses a name that numpy 1.24 no longer has, and Debian 12 ships both.
if 'bool' not in vars(numpy):
    numpy.bool = bool

import blender_bvh
import blender_gltf
import blender_shapes
import blender_weights
import peer_files


def main(files, folder, results_folder):
    version = bpy.app.version_string
    os.makedirs(folder, exist_ok=True)
    failed = 0
    figures = peer_files.read_figures(files)
    for check, program, name in ((blender_gltf.check, 'Blender, glTF', 'blender-gltf.jsonl'),
                                 (blender_bvh.check, 'Blender, BVH', 'blender-bvh.jsonl')):
        results = peer_files.Results(os.path.join(results_folder, name), program, version)
        for figure in figures:
            try:
                check(figure, folder, results)
            except Exception:  # any error fails the figure, and the others are still looked at
                traceback.print_exc()
                print(f'{figure.name}: FAILED ({program})')
                failed += 1
        results.write()
    blender_shapes.check(files)
    blender_weights.check(files, blender_weights.check_glb, 'glTF')
    print(f'Blender {version}: {len(figures)} figures, {failed} failures')
    return 1 if failed > 0 or not figures else 0


status = main(*sys.argv[sys.argv.index('--') + 1:])
if status != 0:
    raise SystemExit(status)
