# SPDX-License-Identifier: MIT
"""The parts of the add-on that need no Blender."""

import ast
import json
import math
import os
import random
import re
import stat
import sys
import tempfile
import unittest
import zipfile

import fake_bpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'blender'))
fake_bpy.install((5, 0, 0))

import package  # noqa: E402
from ossa_io import bl_info, motion, rest, space, tool  # noqa: E402


def random_rotation(numbers):
    return space.normalized([numbers.gauss(0, 1) for _ in range(4)])


class Summary(unittest.TestCase):
    def lines(self, states):
        files = [{'path': f'f{i}', 'state': state} for i, state in enumerate(states)]
        return tool.summary({'clips': [], 'files': files, 'dropped': []})

    def test_files(self):
        self.assertEqual(self.lines(['unchanged']), ['No file was changed'])
        self.assertEqual(self.lines(['unchanged', 'changed']), ['1 of 2 files changed: f1'])
        self.assertEqual(self.lines(['unchanged', 'new']), ['1 of 2 files new: f1'])
        self.assertEqual(self.lines(['changed'] + ['new'] * 6),
                         ['1 of 7 files changed: f0', '6 of 7 files new: f1, f2, f3, f4, f5 ...'])


class Spaces(unittest.TestCase):
    def test_there_and_back(self):
        numbers = random.Random(1)
        for _ in range(1000):
            bone = motion.BoneSpace(random_rotation(numbers), tuple(numbers.gauss(0, 1) for _ in range(3)),
                                    random_rotation(numbers))
            pose = (random_rotation(numbers), tuple(numbers.gauss(0, 1) for _ in range(3)), (2.0, 2.0, 2.0))
            back = bone.to_ossa(bone.to_blender(pose))
            self.assertLess(space.angle_between(back[0], pose[0]), 1e-12)
            self.assertLess(math.dist(back[1], pose[1]), 1e-12)
            self.assertEqual(back[2], pose[2])

    def test_scales_along_axes(self):
        """All 24 rotations that map axes to axes; a scale goes along with them."""
        half = math.sqrt(0.5)
        quarter = [(half, half, 0, 0), (half, 0, half, 0), (half, 0, 0, half)]
        found = {space.IDENTITY}
        for _ in range(4):
            found |= {space.snapped(space.multiply(a, b), 1e-9) for a in found for b in quarter}
        distinct = {tuple(round(part, 6) for part in space.near(one, (0.9, 0.4, 0.3, 0.2))) for one in found}
        self.assertEqual(len(distinct), 24)
        for axes in distinct:
            axes = space.normalized(axes)
            bone = motion.BoneSpace(space.IDENTITY, (0, 0, 0), axes)
            scale = bone.to_blender((space.IDENTITY, (0, 0, 0), (2.0, 3.0, 5.0)))[2]
            for k in range(3):
                axis = space.rotate(axes, tuple(float(j == k) for j in range(3)))
                wanted = sum(abs(part) * factor for part, factor in zip(axis, (2.0, 3.0, 5.0)))
                self.assertAlmostEqual(scale[k], wanted)
            self.assertEqual(bone.to_ossa((space.IDENTITY, (0, 0, 0), scale))[2], (2.0, 3.0, 5.0))

    def test_scale_at_an_angle(self):
        bone = motion.BoneSpace(space.IDENTITY, (0, 0, 0), space.normalized((1, 0.3, 0, 0)))
        with self.assertRaises(ValueError):
            bone.to_ossa((space.IDENTITY, (0, 0, 0), (1.0, 2.0, 1.0)))

    def test_matrices(self):
        numbers = random.Random(2)
        for _ in range(1000):
            rotation = random_rotation(numbers)
            columns = [space.rotate(rotation, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
            rows = [[column[row] for column in columns] + [7.0] for row in range(3)] + [[0, 0, 0, 1]]
            self.assertLess(space.angle_between(space.from_matrix(rows), rotation), 1e-12)

    def test_shortest(self):
        numbers = random.Random(3)
        directions = [(0, 1, 0), (0, -1, 0), (1, 0, 0), (0, 0, -1)]
        directions += [tuple(numbers.gauss(0, 1) for _ in range(3)) for _ in range(100)]
        for direction in directions:
            self.assertLess(math.dist(space.rotate(space.shortest(direction), (0, 1, 0)), space.unit(direction)), 1e-9)


def scene_of(*bones):
    """Bones without rotations: name, parent, offset."""
    return {'clips': [], 'bones': [{'name': name, 'parent': parent, 'rotation': [0, 0, 0, 1], 'translation': offset,
                                    'scale': [1, 1, 1]} for name, parent, offset in bones]}


def clip_of(scene, frames=2, **tracks):
    """A clip in the rest pose, but for some tracks."""
    constant = [{'rotation': bone['rotation'], 'translation': list(bone['translation']), 'scale': bone['scale'],
                 'visible': True} for bone in scene['bones']]
    empty = {'rotations': [], 'translations': [], 'scales': [], 'visibilities': []}
    return dict(empty, frames=frames, constant=constant, **tracks)


class Keys(unittest.TestCase):
    def test_signs(self):
        """A quaternion and its negative are the same rotation, but Blender interpolates between them the long way."""
        numbers = random.Random(4)
        scene = scene_of(('a', -1, [0, 0, 0]))
        keys = [[math.sin(0.1 * frame) * sign, 0, 0, math.cos(0.1 * frame) * sign]
                for frame, sign in enumerate(numbers.choices((-1, 1), k=100))]
        clip = clip_of(scene, 100, rotations=[{'bone': 0, 'keys': keys}])
        bone = motion.BoneSpace(space.IDENTITY, (0, 0, 0), random_rotation(numbers))
        poses = motion.poses_in_blender(motion.Tracks(clip), 0, bone)
        for before, after in zip(poses, poses[1:]):
            self.assertGreater(sum(a * b for a, b in zip(before[0], after[0])), 0.9)


class Tails(unittest.TestCase):
    def test_chain(self):
        bones = rest.shape_bones(scene_of(('a', -1, [0, 1, 0]), ('b', 0, [0, 1, 0]), ('c', 1, [1, 0, 0])))
        self.assertEqual([bone.is_connected for bone in bones], [False, True, True])
        for bone, tail in zip(bones, ((0, 2, 0), (1, 2, 0), (1.5, 2, 0))):
            self.assertLess(math.dist(bone.tail, tail), 1e-9)

    def test_fork(self):
        """In the middle of the children, or at one that is near to it; with children on both sides, onwards."""
        bones = rest.shape_bones(scene_of(('a', -1, [0, 0, 0]), ('l', 0, [-0.5, 1, 0]), ('r', 0, [0.5, 1, 0])))
        self.assertLess(math.dist(bones[0].tail, (0, 1, 0)), 1e-9)
        self.assertFalse(bones[1].is_connected)
        bones = rest.shape_bones(scene_of(('a', -1, [0, 0, 0]), ('l', 0, [-0.3, 1, 0]), ('m', 0, [0, 1, 0]),
                                          ('r', 0, [0.3, 1, 0])))
        self.assertLess(math.dist(bones[0].tail, (0, 1, 0)), 1e-9)
        self.assertEqual([bone.is_connected for bone in bones], [False, False, True, False])
        bones = rest.shape_bones(scene_of(('a', -1, [0, 0, 0]), ('l', 0, [-1, 0, 0]), ('r', 0, [1, 0, 0])))
        self.assertGreater(bones[0].tail[1], 0.1)

    def test_moving(self):
        """A bone that a clip moves away from its parent is not connected to it: Blender would not move it."""
        scene = scene_of(('a', -1, [0, 1, 0]), ('b', 0, [0, 1, 0]), ('c', 1, [1, 0, 0]))
        scene['clips'] = [clip_of(scene, translations=[{'bone': 1, 'keys': [[0, 1, 0], [0, 1.5, 0]]}])]
        self.assertEqual([bone.is_connected for bone in rest.shape_bones(scene)], [False, False, True])
        scene['clips'] = [clip_of(scene)]
        scene['clips'][0]['constant'][2]['translation'] = [1, 0.5, 0]
        self.assertEqual([bone.is_connected for bone in rest.shape_bones(scene)], [False, True, False])

    def test_uneven_scales(self):
        """With them, tails point along the axes that the bones have."""
        scene = scene_of(('a', -1, [0, 0, 0]), ('b', 0, [3, 1, 1]))
        scene['clips'] = [clip_of(scene, scales=[{'bone': 1, 'keys': [[1, 1, 1], [1, 2, 1]]}])]
        bones = rest.shape_bones(scene)
        self.assertLess(math.dist(bones[0].tail, (3, 0, 0)), 1e-9)
        self.assertIsNotNone(space.snapped(bones[0].axes, 1e-9))

    def test_no_length(self):
        """Blender deletes bones of length 0."""
        for offset in ([0, 0, 0], [1e-9, 0, 0]):
            for bone in rest.shape_bones(scene_of(('a', -1, [0, 0, 0]), ('b', 0, offset), ('c', 1, offset))):
                self.assertGreater(math.dist(bone.head, bone.tail), 1e-5)


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, text):
        path = os.path.join(self.folder, 'ossa')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\n' + text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_options(self):
        self.assertEqual(tool.check_options(['--fps=20', '--in-place']), ['--fps=20', '--in-place'])
        for bad in ('-o', '--output=/x', '--force', 'x', '--', '-', '', '--json', '-ox'):
            with self.assertRaises(tool.Failed):
                tool.check_options(['--fps=20', bad])

    def test_find(self):
        program = self.program('')
        self.assertEqual(tool.find(program), program)
        with self.assertRaises(tool.Failed):
            tool.find(os.path.join(self.folder, 'nothing'))
        before = os.environ['PATH']
        try:
            os.environ['PATH'] = self.folder
            self.assertEqual(tool.find(), program)
            os.environ['PATH'] = os.path.join(self.folder, 'nothing')
            with self.assertRaises(tool.Failed):
                tool.find()
        finally:
            os.environ['PATH'] = before

    def test_failures(self):
        program = self.program('echo "ossa: x.anm: it is damaged" >&2; exit 1')
        with self.assertRaisesRegex(tool.Failed, '^x.anm: it is damaged$'):
            tool.figures(program, ['x.anm'])
        with self.assertRaisesRegex(tool.Failed, 'cannot be read'):
            tool.figures(self.program('echo "{"'), ['x'])
        with self.assertRaisesRegex(tool.Failed, 'cannot be run'):
            tool.figures(self.folder, ['x'])

    def test_arguments(self):
        """No shell sees them, and a file may begin with a dash."""
        program = self.program('for word; do echo "$word" >>"$0.log"; done; echo "[]"')
        tool.figures(program, ['-o', '$(touch x) ; y'])
        with open(program + '.log', encoding='utf-8') as file:
            self.assertEqual(file.read().splitlines(), ['list', '--figures', '--json', '--', '-o', '$(touch x) ; y'])

    def test_choices(self):
        listed = [{'figure': 'troll', 'input': 'a.res', 'bones': 3, 'clips': 1, 'paths': ['a.res#troll']},
                  {'figure': 'troll', 'input': 'b', 'bones': 3, 'clips': 2, 'paths': ['b/troll']},
                  {'figure': 'fly', 'input': 'fly.anb', 'bones': 0, 'clips': 1, 'paths': ['fly.anb']}]
        program = self.program(f"cat <<'E'\n{json.dumps(listed)}\nE\n")
        choices = tool.figures(program, ['a.res', 'b', 'fly.anb', 't.res'])
        self.assertEqual([(choice.name, choice.paths) for choice in choices],
                         [('troll', ['a.res#troll', 'fly.anb', 't.res']),
                          ('troll (2)', ['b/troll', 'fly.anb', 't.res'])])
        program = self.program(f"cat <<'E'\n{json.dumps(listed[2:])}\nE\n")
        self.assertEqual(tool.figures(program, ['fly.anb'])[0].paths, ['fly.anb'])


class Package(unittest.TestCase):
    def test_zip(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, 'ossa')
            with open(program, 'wb') as file:
                file.write(b'program')
            paths = [os.path.join(folder, name) for name in ('a.zip', 'b.zip')]
            for path in paths:
                package.package(path, program)
            contents = []
            for path in paths:
                with open(path, 'rb') as file:
                    contents.append(file.read())
            self.assertEqual(contents[0], contents[1])
            with zipfile.ZipFile(paths[0]) as archive:
                names = archive.namelist()
                self.assertEqual(archive.read('ossa_io/bin/ossa'), b'program')
                self.assertEqual(archive.getinfo('ossa_io/bin/ossa').external_attr >> 16 & 0o777, 0o755)
            self.assertIn('ossa_io/__init__.py', names)
            self.assertIn('ossa_io/blender_manifest.toml', names)
            self.assertTrue(all(name.startswith('ossa_io/') and '__pycache__' not in name for name in names))

    def test_version(self):
        """The version of the library, in both places that Blender reads."""
        with open(os.path.join(ROOT, 'include', 'ossa', 'api.h'), encoding='utf-8') as file:
            parts = re.findall(r'^#define OSSA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', file.read(), re.M)
        self.assertEqual(bl_info['version'], tuple(int(part) for part in parts))
        with open(os.path.join(ROOT, 'blender', 'ossa_io', 'blender_manifest.toml'), encoding='utf-8') as file:
            manifest = dict(re.findall(r'^(\w+) = (.*)$', file.read(), re.M))
        self.assertEqual(ast.literal_eval(manifest['version']), '.'.join(parts))
        self.assertEqual(ast.literal_eval(manifest['name']), bl_info['name'])
        self.assertLessEqual(len(ast.literal_eval(manifest['tagline'])), 64)
        self.assertRegex(ast.literal_eval(manifest['tagline']), r'\w$')


if __name__ == '__main__':
    unittest.main()
