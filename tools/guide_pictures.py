# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P tools/guide_pictures.py -- FOLDER OUT

Renders the pictures of docs/modding.md: OUT/modding-NAME.png shows FOLDER/NAME.glb and, beside it,
FOLDER/NAME-new.glb, which is what the files are after the edit."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy
import numpy

import pictures
from pictures import FIGURES

pictures.WIDTH, pictures.HEIGHT = 240, 180
# The clip, its rate as it was converted, and the frame that shows the edit best; the rest is as in the
# pictures of README.md.
PAIRS = {
    'troll': {**FIGURES['troll'], 'clip': 'walk', 'fps': 24, 'frame': 0},
    'pedestrian': {**FIGURES['pedestrian'], 'clip': 'WALK', 'fps': 30, 'frame': 0},
    'rabbit': {**FIGURES['rabbit'], 'clip': 'hop', 'fps': 30, 'frame': 0},
    # The piece of a disc has no body: boxes.
    'bird': {**FIGURES['bird'], 'clip': '0x00000cd4', 'fps': 30, 'frame': 10,
             'colours': ((0.30, 0.10, 0.06), (0.78, 0.55, 0.22))},
}


def rows_of(path):
    return pictures.pixels_of(os.path.abspath(path)).reshape(pictures.HEIGHT, pictures.WIDTH, 4)


def save(rows, path):
    height, width = rows.shape[:2]
    image = bpy.data.images.new('pair', width, height, alpha=False)
    image.pixels.foreach_set(numpy.ascontiguousarray(rows).ravel())
    image.save_render(os.path.abspath(path), scene=bpy.context.scene)


def main(folder, out):
    for name, figure in PAIRS.items():
        halves = []
        for half in (name, name + '-new'):
            pictures.render(half, figure, folder, 96)
            halves.append(rows_of(os.path.join(folder, half + '.png')))
        save(numpy.concatenate(halves, axis=1), os.path.join(out, f'modding-{name}.png'))
        print(f'{name}: modding-{name}.png')


main(*sys.argv[sys.argv.index('--') + 1:])
