# SPDX-License-Identifier: MIT
"""What prepare.sh made, and the results that tools/interop.js makes its table of."""

import json
import math
import os
import struct

TOLERANCE = 1e-4  # of the figure's size


class Results:
    """Facts about one program, a line each; figures that vary stay out of the outcome."""

    def __init__(self, path, program, version):
        self.path = path
        self.program = program
        self.version = version
        self.lines = []

    def add(self, subject, fact, outcome, worst=None):
        line = {'program': self.program, 'version': self.version, 'subject': subject,
                'fact': fact, 'outcome': outcome, 'worst': worst}
        self.lines.append(json.dumps(line, ensure_ascii=False))
        measured = '' if worst is None else f' (worst {worst:.2g})'
        print(f'{subject}: {fact}: {outcome}{measured}')

    def write(self):
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(''.join(line + '\n' for line in self.lines))


class Clip:
    """One clip as `ossa pose --json` tells of it: a pose for each frame, and some between."""

    def __init__(self, name, poses, between):
        self.name = name
        self.poses = poses
        self.between = between
        self.size = size_of(poses)
        last = poses[-1]
        self.fps = last['frame'] / last['time'] if last['frame'] > 0 else 30
        self.whole_fps, self.step = whole_rate(self.fps)


def whole_rate(fps):
    """A whole rate, for programs that know no other, and how many of its frames are one of the clip's."""
    for step in range(1, 60):
        if abs(fps * step - round(fps * step)) < 1e-3:
            return round(fps * step), step
    raise ValueError(f'{fps} frames per second')


def size_of(poses):
    """The diagonal of the box around all bones in all frames."""
    places = [bone['translation'] for pose in poses for bone in pose['bones']]
    low = [min(place[k] for place in places) for k in range(3)]
    high = [max(place[k] for place in places) for k in range(3)]
    return math.dist(low, high) or 1.0


class Figure:
    """A GLB, the poses that it must show, and the BVH files of its clips."""

    def __init__(self, folder, name):
        self.name = name
        self.glb = os.path.join(folder, name + '.glb')
        self.bvh_folder = os.path.join(folder, name)
        self.document, self.buffer = read_glb(self.glb)
        with open(os.path.join(folder, name + '.json'), encoding='utf-8') as file:
            scene = json.load(file)
        self.cameras = scene['cameras']
        self.bodies = bodies_of(self.document, scene)
        between = read_poses(os.path.join(folder, name + '.between.jsonl'))
        self.clips = [Clip(clip, poses, between.get(clip, [])) for clip, poses
                      in read_poses(os.path.join(folder, name + '.frames.jsonl')).items()]
        self.joints = [self.document['nodes'][joint]
                       for joint in self.document['skins'][0]['joints']]
        # A joint is the bone of the same number, and has its name.
        bones = self.clips[0].poses[0]['bones']
        assert [game_name(joint) for joint in self.joints] == [bone['name'] for bone in bones]

    def bvh(self, clip):
        return os.path.join(self.bvh_folder, clip.name + '.bvh')

    def hides(self):
        return any(not bone['visible'] for clip in self.clips
                   for pose in clip.poses for bone in pose['bones'])


def bodies_of(document, scene):
    """The meshes whose vertices have bones of their own, in the order of the GLB's primitives."""
    meshes = {scene['materials'][mesh['material']]['name']: mesh
              for mesh in scene['meshes'] if 'vertex_bones' in mesh}
    if not meshes:
        return []
    node = next(node for node in document['nodes'] if 'skin' in node)
    return [meshes[document['materials'][part['material']]['name']]
            for part in document['meshes'][node['mesh']]['primitives']]


def game_name(node):
    return node.get('extras', {}).get('name', node['name'])


def read_glb(path):
    with open(path, 'rb') as file:
        data = file.read()
    size = struct.unpack_from('<I', data, 12)[0]
    return json.loads(data[20:20 + size]), data[20 + size + 8:]


def read_poses(path):
    """By the names of the clips."""
    poses = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            pose = json.loads(line)
            poses.setdefault(pose['clip'], []).append(pose)
    return poses


def read_figures(folder):
    with open(os.path.join(folder, 'subjects'), encoding='utf-8') as file:
        return [Figure(folder, name.strip()) for name in file]


def damaged_copy(figure, path):
    """The GLB with one key of its first clip a little off: a hundredth of the figure's size for a
    translation, about one degree for a rotation."""
    animation = figure.document['animations'][0]
    channel = channel_that_moves(figure.document, animation)
    accessor = figure.document['accessors'][animation['samplers'][channel['sampler']]['output']]
    view = figure.document['bufferViews'][accessor['bufferView']]
    with open(figure.glb, 'rb') as file:
        data = bytearray(file.read())
    place = (len(data) - len(figure.buffer) + view.get('byteOffset', 0)
             + accessor.get('byteOffset', 0))
    layout = '<3f' if accessor['type'] == 'VEC3' else '<4f'
    place += struct.calcsize(layout) * (accessor['count'] // 2)
    values = list(struct.unpack_from(layout, data, place))
    values[0] += 0.01 * figure.clips[0].size if len(values) == 3 else 0.01
    if len(values) == 4:
        values = [value / math.hypot(*values) for value in values]
    struct.pack_into(layout, data, place, *values)
    with open(path, 'wb') as file:
        file.write(data)


def channel_that_moves(document, animation):
    """One that changes where bones are: a translation, else the rotation of a bone with others."""
    for path in ('translation', 'rotation'):
        for channel in animation['channels']:
            target = channel['target']
            if target['path'] == path and (path == 'translation'
                                           or document['nodes'][target['node']].get('children')):
                return channel
    raise ValueError('nothing moves')
