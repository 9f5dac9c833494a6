# SPDX-License-Identifier: MIT
"""Poses of a clip as Blender keeps them, and back.

A pose bone of Blender has the difference from the rest pose, along the bone's own axes. With a bone's rest
rotation and translation r and t, and the rotation `axes` of rest.py, a local pose (R, T, S) of Ossa is

    rotation = axes^-1 * r^-1 * R * axes      location = axes^-1 * r^-1 * (T - t)

and a scale is that along the other axes."""

from . import space


class BoneSpace:
    """The way between the local poses of one bone of Ossa and those of its pose bone."""

    def __init__(self, rotation, translation, axes):
        self.translation = translation
        self.axes = axes
        self.map = space.multiply(rotation, axes)
        self.back = space.inverse(self.map)
        self.straight = space.snapped(axes, 1e-4)  # None: it is at an angle

    def to_blender(self, pose):
        rotation, translation, scale = pose
        location = space.rotate(self.back, space.subtract(translation, self.translation))
        turned = space.multiply(space.multiply(self.back, rotation), self.axes)
        return turned, location, self.convert_scale(scale, False)

    def to_ossa(self, pose):
        rotation, location, scale = pose
        translation = space.add(self.translation, space.rotate(self.map, location))
        local = space.multiply(space.multiply(self.map, rotation), space.inverse(self.axes))
        return space.normalized(local), translation, self.convert_scale(scale, True)

    def convert_scale(self, scale, is_back):
        if self.straight is None:
            # Evaluated poses are not as exact as curves.
            if not space.is_uniform(scale, 1e-4 if is_back else 1e-6):
                raise ValueError('its scale differs by axis, which cannot be expressed along the axes that it has')
            return (sum(scale) / 3.0,) * 3
        axes = space.inverse(self.straight) if is_back else self.straight
        return space.permute(axes, scale)


class Tracks:
    """The values of a clip by bone: a list with a value per frame, or None for a constant."""

    def __init__(self, clip):
        self.clip = clip
        self.frames = clip['frames']
        self.rotations = by_bone(clip['rotations'])
        self.translations = by_bone(clip['translations'])
        self.scales = by_bone(clip['scales'])
        self.visibilities = by_bone(clip['visibilities'])

    def is_still(self, bone):
        return not any(bone in tracks for tracks in (self.rotations, self.translations, self.scales))

    def pose(self, bone, frame):
        constant = self.clip['constant'][bone]
        rotation = self.rotations[bone][frame] if bone in self.rotations else constant['rotation']
        translation = self.translations[bone][frame] if bone in self.translations else constant['translation']
        scale = self.scales[bone][frame] if bone in self.scales else constant['scale']
        return space.from_json(rotation), tuple(translation), tuple(scale)

    def is_visible(self, bone, frame):
        if bone in self.visibilities:
            return self.visibilities[bone][frame]
        return self.clip['constant'][bone]['visible']


def by_bone(tracks):
    return {track['bone']: track['keys'] for track in tracks}


def poses_in_blender(tracks, bone, bone_space):
    """One pose per frame, or a single one of a bone that keeps still. Quaternions continue each other, since
    Blender interpolates their parts."""
    poses = []
    last = space.IDENTITY
    for frame in range(1 if tracks.is_still(bone) else tracks.frames):
        rotation, location, scale = bone_space.to_blender(tracks.pose(bone, frame))
        last = space.near(rotation, last)
        poses.append((last, location, scale))
    return poses


def visibility_in_blender(tracks, bone):
    if bone in tracks.visibilities:
        return [1.0 if is_visible else 0.0 for is_visible in tracks.visibilities[bone]]
    return [1.0 if tracks.is_visible(bone, 0) else 0.0]


def hides(scene):
    """Are objects of the scene hidden in some frame?"""
    return any(clip['visibilities'] or not all(bone['visible'] for bone in clip['constant'])
               for clip in scene['clips'])
