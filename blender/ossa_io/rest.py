# SPDX-License-Identifier: MIT
"""The rest pose of a scene, and the shape that its bones get in Blender.

A bone of Ossa has a position and axes of its own; one of Blender also has a tail, which its +Y axis points
at. So each bone gets new axes. The rotation between the two is `axes`:

    armature space = TO_BLENDER * world of Ossa * axes

A scale that differs by axis cannot be expressed along axes at an angle to its own. If a scene has any, `axes` only maps
axes to axes in it, and tails point along the nearest axis."""

import math

from . import space

# No bone is shorter, as a part of the figure's size and in metres: Blender deletes those of length 0.
SHORTEST = 0.02
SHORTEST_LENGTH = 2e-5
# Joints that are as near as this are one point.
SAME_POINT = 1e-5


class Bone:
    """How a bone stands, in Ossa's space, and its shape."""

    def __init__(self, name, parent, rotation, translation):
        self.name = name
        self.parent = parent
        self.rotation = rotation        # relative to the parent
        self.translation = translation
        self.world_rotation = rotation
        self.head = translation
        self.children = []
        self.tail = None
        self.axes = space.IDENTITY
        self.is_connected = False


def read_bones(scene):
    """The rest pose without its scales, which Blender's bones do not have: they go into the poses."""
    bones = []
    for index, item in enumerate(scene['bones']):
        bone = Bone(item['name'], item['parent'], space.from_json(item['rotation']),
                    tuple(item['translation']))
        if bone.parent >= 0:
            parent = bones[bone.parent]
            bone.world_rotation = space.multiply(parent.world_rotation, bone.rotation)
            bone.head = space.add(parent.head, space.rotate(parent.world_rotation, bone.translation))
            parent.children.append(index)
        bones.append(bone)
    return bones


def values_of(clip, kind):
    """Every value that a clip has of a kind, such as 'scale', with its bone."""
    tracked = {track['bone']: track['keys'] for track in clip[kind + 's']}
    for index, constant in enumerate(clip['constant']):
        for value in tracked.get(index, [constant[kind]]):
            yield index, value


def has_uneven_scales(scene):
    return any(not space.is_uniform(scale) for clip in scene['clips']
               for _, scale in values_of(clip, 'scale'))


def moving_bones(scene):
    """The bones that some clip has at another offset from their parents than the rest pose."""
    offsets = [bone['translation'] for bone in scene['bones']]
    size = size_of(read_bones(scene))
    return {index for clip in scene['clips'] for index, value in values_of(clip, 'translation')
            if math.dist(value, offsets[index]) > SAME_POINT * size}


def size_of(bones):
    """The diagonal of the box around all joints at rest."""
    heads = [bone.head for bone in bones]
    low = [min(head[k] for head in heads) for k in range(3)]
    high = [max(head[k] for head in heads) for k in range(3)]
    return math.dist(low, high) or 1.0


def shortest(size):
    return max(SHORTEST * size, SHORTEST_LENGTH)


def shape_bones(scene):
    """The rest pose with tails, axes and connections."""
    bones = read_bones(scene)
    if not bones:
        return bones
    size = size_of(bones)
    along_axes = has_uneven_scales(scene)
    moving = moving_bones(scene)
    for bone in bones:
        wanted = wanted_tail(bone, bones, size)
        direction = space.rotate(space.inverse(bone.world_rotation), space.subtract(wanted, bone.head))
        if along_axes:
            direction = nearest_axis(direction)
        length = max(math.hypot(*direction), shortest(size))
        bone.axes = space.shortest(direction)
        bone.tail = space.add(bone.head, space.rotate(
            space.multiply(bone.world_rotation, bone.axes), (0.0, length, 0.0)))
        for child in bone.children:
            # Blender does not move a connected bone away from its parent's tail.
            meets = math.dist(bones[child].head, bone.tail) <= SAME_POINT * size
            bones[child].is_connected = meets and child not in moving
    return bones


def wanted_tail(bone, bones, size):
    """At the child, or in the middle of the children; a bone without any continues its parent."""
    heads = [bones[child].head for child in bone.children
             if math.dist(bones[child].head, bone.head) > shortest(size)]
    if len(heads) == 1:
        return heads[0]
    if heads:
        reach = sum(math.dist(head, bone.head) for head in heads) / len(heads)
        middle = tuple(sum(head[k] for head in heads) / len(heads) for k in range(3))
        nearest = min(heads, key=lambda head: math.dist(head, middle))
        if math.dist(nearest, middle) < 0.2 * reach:
            return nearest  # so that the chain goes on there
        if math.dist(middle, bone.head) > 0.25 * reach:
            return middle
    return continued_tail(bone, bones, size)


def continued_tail(bone, bones, size):
    if bone.parent < 0:
        return space.add(bone.head, (0.0, 0.1 * size, 0.0))
    parent = bones[bone.parent]
    along = space.subtract(parent.tail, parent.head)
    length = max(0.5 * math.hypot(*along), shortest(size))
    return space.add(bone.head, space.scaled(space.unit(along), length))


def nearest_axis(direction):
    largest = max(range(3), key=lambda k: abs(direction[k]))
    return tuple(direction[k] if k == largest else 0.0 for k in range(3))
