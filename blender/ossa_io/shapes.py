# SPDX-License-Identifier: MIT
"""Shape keys on the way back: the shapes that edited meshes have in each frame of a clip."""

from . import actions, clips, rest, space

# A custom property of each mesh object: its number in the scene.
MESH_NUMBER = 'ossa_mesh'
# Metres, below what `ossa import` takes for a change.
SAME = 5e-6


class Shapes:
    """The meshes of a scene with the targets that edits add to them."""

    def __init__(self, thing, scene):
        bones = rest.read_bones(scene)
        self.meshes = list(scene['meshes'])
        self.notes = []
        self.morphed = []
        for child in thing.children:
            number = child.get(MESH_NUMBER)
            if child.type != 'MESH' or number is None or not 0 <= number < len(self.meshes):
                continue
            item = self.meshes[number]
            if not item.get('targets') or child.data.shape_keys is None:
                continue
            if len(child.data.vertices) != len(item['positions']):
                self.notes.append(f'The mesh {child.name} has other vertices than before; '
                                  'its shapes are left as they were.')
                continue
            self.meshes[number] = dict(item, targets=list(item['targets']))
            self.morphed.append(MorphedMesh(number, self.meshes[number], child.data.shape_keys, bones[item['bone']]))

    def tracks(self, clip, first, frames):
        """What `morphs` of a clip is now; `first` is the frame of its action that it begins with."""
        old = {track['mesh']: track['keys'] for track in clip.get('morphs', [])}
        new = dict(old)
        for mesh in self.morphed:
            keys = mesh.keys(clip, old.get(mesh.number), first, frames)
            if keys is not None:
                new[mesh.number] = keys
        return [{'mesh': number, 'keys': keys} for number, keys in sorted(new.items()) if len(keys) == frames]


class MorphedMesh:
    def __init__(self, number, item, shape_keys, bone):
        self.number = number
        self.targets = item['targets']
        self.shape_keys = shape_keys
        self.back = space.inverse(space.multiply(space.TO_BLENDER, bone.world_rotation))
        self.offsets = [self.read_block(block) for block in list(shape_keys.key_blocks)[1:]]
        self.made = {}

    def read_block(self, block):
        """What a shape key adds to the basis, in the space of the mesh's bone."""
        basis = self.shape_keys.key_blocks[0]
        return [space.rotate(self.back, space.subtract(tuple(point.co), tuple(base.co)))
                for point, base in zip(block.data, basis.data)]

    def keys(self, clip, old, first, frames):
        """The target of each frame; None: nothing is known, or there is none."""
        action, slot = clips.find(self.shape_keys, clip['name'])
        if action is None:
            return None
        curves = actions.curves_of(action, slot)
        blocks = [curves.get((clips.block_path(block.name), 0)) for block in list(self.shape_keys.key_blocks)[1:]]
        keys = []
        for frame in range(frames):
            weights = tuple(round(curve.evaluate(first + frame), 6) if curve is not None else 0.0 for curve in blocks)
            keys.append(self.target_for(weights, old[frame] if old is not None and frame < len(old) else -1))
        return keys if old is not None or any(key >= 0 for key in keys) else None

    def target_for(self, weights, old):
        """The old target if it has this shape, else one that has it, made if need be."""
        if (weights, old) in self.made:
            return self.made[weights, old]
        shape = self.mixed(weights)
        found = old
        if not self.is_shape(shape, old):
            candidates = [-1] + list(range(len(self.targets)))
            found = next((target for target in candidates if self.is_shape(shape, target)), None)
            if found is None:
                found = len(self.targets)
                self.targets.append([list(offset) for offset in shape])
        self.made[weights, old] = found
        return found

    def mixed(self, weights):
        shape = [(0.0, 0.0, 0.0)] * len(self.shape_keys.key_blocks[0].data)
        for weight, offsets in zip(weights, self.offsets):
            if weight != 0.0:
                shape = [space.add(a, space.scaled(b, weight)) for a, b in zip(shape, offsets)]
        return shape

    def is_shape(self, shape, target):
        wanted = self.targets[target] if target >= 0 else [(0.0, 0.0, 0.0)] * len(shape)
        return all(abs(a - b) <= SAME for x, y in zip(shape, wanted) for a, b in zip(x, y))
