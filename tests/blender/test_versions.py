# SPDX-License-Identifier: MIT
"""The add-on in versions of Blender that are not here, against a stand-in for them."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import fake_bpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'blender'))
fake_bpy.install((5, 0, 0))

from ossa_io import actions, clips, edit, figure  # noqa: E402

OSSA = os.environ.get('OSSA', 'ossa')
VERSIONS = ((3, 4, 0), (4, 2, 0), (4, 4, 0), (5, 0, 0))
SUBJECTS = (('troll', '--clip=walk'), ('wyvern',), ('rabbit', 'more/stage.anc', '--clip=hop', '--clip=walk0'),
            ('bird', '--boxes'))


def read_scene(inputs):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'scene.json')
        paths = [name if name.startswith('-') else os.path.join(ROOT, 'samples', name) for name in inputs]
        subprocess.run([OSSA, 'convert', '-q', '-o', path, *paths], check=True)
        with open(path, encoding='utf-8') as file:
            return json.load(file)


SCENES = [read_scene(inputs) for inputs in SUBJECTS]


class Versions(unittest.TestCase):
    def each(self):
        """Every sample in every version."""
        for version in VERSIONS:
            for inputs, scene in zip(SUBJECTS, SCENES):
                with self.subTest(version=version, inputs=inputs):
                    bpy = fake_bpy.install(version)
                    yield version, bpy, scene, figure.create(bpy.context, scene, ['nowhere'], ['--fps=20'])

    def test_untouched(self):
        for _, bpy, scene, thing in self.each():
            document, notes = edit.edited_scene(bpy.context, thing, scene)
            self.assertEqual(notes, [])
            for clip, original in zip(document['clips'], scene['clips'], strict=True):
                self.assertEqual(clip, original)
            if any(clip.get('morphs') for clip in scene['clips']):
                self.assertEqual(document['meshes'], scene['meshes'])

    def test_one_key(self):
        for _, bpy, scene, thing in self.each():
            name = scene['clips'][0]['name']
            track = scene['clips'][0]['rotations'][2]
            bone = thing.data.bones[track['bone']].name
            curves = actions.curves_of(*clips.find(thing, name))
            for part, value in enumerate((0.6, 0.0, 0.8, 0.0)):
                curves[f'pose.bones["{bone}"].rotation_quaternion', part].keyframe_points.keys[5][1] = value
            document, _ = edit.edited_scene(bpy.context, thing, scene)
            changed = next(item for item in document['clips'][0]['rotations'] if item['bone'] == track['bone'])
            different = [frame for frame, keys in enumerate(zip(changed['keys'], track['keys'])) if keys[0] != keys[1]]
            self.assertEqual(different, [5])
            changed['keys'][5] = track['keys'][5]
            self.assertEqual(document['clips'][0]['rotations'], scene['clips'][0]['rotations'])

    def test_actions(self):
        """One action per clip; with slots it also has the shape keys and nothing is left without its slot."""
        for version, bpy, scene, thing in self.each():
            names = [clip['name'] for clip in scene['clips']]
            self.assertEqual(clips.names_of(thing), names)
            cameras = [camera['name'] for camera in scene['cameras']]
            morphed = [mesh for mesh in scene['meshes'] if mesh.get('targets')]
            if version >= (4, 4, 0):
                self.assertEqual(sorted(action.name for action in bpy.data.actions), sorted(names + cameras))
                for name in names:
                    kinds = [slot.target_id_type for slot in bpy.data.actions[name].slots]
                    self.assertEqual(kinds, ['OBJECT'] + ['KEY'] * len(morphed))
                self.assertFalse(hasattr(bpy.data.actions[0], 'fcurves'))
            else:
                self.assertEqual(len(bpy.data.actions), len(names) * (1 + len(morphed)) + 2 * len(cameras))
            self.assertTrue(all(track.mute for track in thing.animation_data.nla_tracks))

    def test_show(self):
        for version, bpy, scene, thing in self.each():
            for clip in scene['clips']:
                self.assertTrue(clips.show(bpy.context.scene, thing, clip['name']))
                self.assertEqual(thing.animation_data.action[clips.CLIP], clip['name'])
                render = bpy.context.scene.render
                self.assertAlmostEqual(render.fps / render.fps_base, clip['fps'])
                self.assertEqual(bpy.context.scene.frame_end, clip['frames'] - 1)
                for keys in clips.shape_keys_of(thing):
                    self.assertIsNotNone(keys.animation_data.action)
                    if version >= (4, 4, 0):
                        self.assertEqual(keys.animation_data.action_slot.target_id_type, 'KEY')
                if version >= (4, 4, 0):
                    self.assertEqual(thing.animation_data.action_slot.target_id_type, 'OBJECT')

    def test_morphs(self):
        """Exactly the targets that the scene has, each in its frames."""
        for _, bpy, scene, thing in self.each():
            for clip in scene['clips']:
                for track in clip.get('morphs', []):
                    keys = thing.children[track['mesh']].data.shape_keys
                    curves = actions.curves_of(*clips.find(keys, clip['name']))
                    for frame, target in enumerate(track['keys']):
                        shown = [number for number, block in enumerate(keys.key_blocks[1:])
                                 if curves[f'key_blocks["{block.name}"].value', 0].evaluate(frame) == 1.0]
                        self.assertEqual(shown, [target] if target >= 0 else [])

    def test_materials(self):
        for version, bpy, scene, _ in self.each():
            for item in scene.get('materials', []):
                material = bpy.data.materials[item['name']]
                kinds = [node.bl_idname for node in material.node_tree.nodes]
                self.assertEqual('ShaderNodeEmission' in kinds, item['unlit'])
                self.assertEqual('ShaderNodeTexImage' in kinds, item['texture'] >= 0)
                if version >= (4, 2, 0):
                    self.assertEqual(material.blend_method, 'OPAQUE')

    def test_source(self):
        for _, _, scene, thing in self.each():
            source = figure.source_of(thing)
            self.assertEqual((source['inputs'], source['options']), (['nowhere'], ['--fps=20']))
            thing[figure.SOURCE] = '{"version": 99}'
            self.assertIsNone(figure.source_of(thing))

    def test_names(self):
        """Two bones of one name, and names that have to be quoted."""
        scene = json.loads(json.dumps(SCENES[0]))
        for number, name in ((1, 'a"b\\c'), (2, scene['bones'][3]['name'])):
            scene['bones'][number]['name'] = name
        for version in VERSIONS:
            bpy = fake_bpy.install(version)
            thing = figure.create(bpy.context, scene, ['nowhere'], [])
            document, _ = edit.edited_scene(bpy.context, thing, scene)
            self.assertEqual(document['clips'], scene['clips'])
            paths = {path for path, _ in actions.curves_of(*clips.find(thing, 'walk'))}
            self.assertIn('pose.bones["a\\"b\\\\c"].rotation_quaternion', paths)

    def test_transparency(self):
        """4.2 and later have another name for it."""
        scene = json.loads(json.dumps(SCENES[1]))
        scene['materials'][0].update(transparent=True, colour=[1, 0.5, 1, 0.5])
        for version in VERSIONS:
            bpy = fake_bpy.install(version)
            figure.create(bpy.context, scene, ['nowhere'], [])
            material = bpy.data.materials[scene['materials'][0]['name']]
            kinds = [node.bl_idname for node in material.node_tree.nodes]
            self.assertIn('ShaderNodeMixShader', kinds)
            self.assertEqual(material.blend_method, 'HASHED' if version < (4, 2, 0) else 'OPAQUE')


if __name__ == '__main__':
    unittest.main()
