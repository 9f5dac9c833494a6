# SPDX-License-Identifier: MIT
"""The armature of a scene, and what is known of it when it comes back."""

import math

import bpy
from mathutils import Vector

from . import motion, rest, space

# A custom property of each bone: its number in the scene. Names may differ, since Blender allows no two alike.
BONE_NUMBER = 'ossa_bone'


class RestChanged(Exception):
    """The rest pose is not the one that was imported."""


def create(context, scene, collection):
    """The object of a new armature in its rest pose, and the names of its bones by number."""
    data = bpy.data.armatures.new(scene['scene'])
    thing = bpy.data.objects.new(scene['scene'], data)
    collection.objects.link(thing)
    context.view_layer.objects.active = thing
    bones = rest.shape_bones(scene)
    bpy.ops.object.mode_set(mode='EDIT')
    made = [create_bone(data.edit_bones, bone) for bone in bones]
    for bone, edit_bone in zip(bones, made):
        if bone.parent >= 0:
            edit_bone.parent = made[bone.parent]
            edit_bone.use_connect = bone.is_connected
    names = [edit_bone.name for edit_bone in made]
    bpy.ops.object.mode_set(mode='OBJECT')
    for number, name in enumerate(names):
        data.bones[name][BONE_NUMBER] = number
        thing.pose.bones[name].rotation_mode = 'QUATERNION'
    return thing, names


def create_bone(edit_bones, bone):
    edit_bone = edit_bones.new(bone.name)
    edit_bone.head = space.to_blender(bone.head)
    edit_bone.tail = space.to_blender(bone.tail)
    up = space.rotate(space.multiply(bone.world_rotation, bone.axes), (0.0, 0.0, 1.0))
    edit_bone.align_roll(Vector(space.to_blender(up)))
    return edit_bone


def find_names(thing, scene):
    """The names of an armature's bones by their numbers in the scene."""
    names = {}
    for bone in thing.data.bones:
        number = bone.get(BONE_NUMBER)
        if number is None or not 0 <= number < len(scene['bones']):
            continue
        # A copy of a bone has its number, too; its name ends in .001 or the like.
        if number not in names or len(bone.name) < len(names[number]):
            names[number] = bone.name
    for number, bone in enumerate(scene['bones']):
        if number not in names:
            raise RestChanged(f"The armature has no bone {bone['name']} any more. "
                              'Undo its removal, or import the figure again.')
    return [names[number] for number in range(len(scene['bones']))]


def bone_spaces(thing, scene, names):
    """The way between Ossa's poses and Blender's per bone, from the axes that the bones have now. Those may have been
    rotated since the import (roll, tails), but a joint must be where it was."""
    bones = rest.read_bones(scene)
    size = rest.size_of(bones)
    spaces = []
    for bone, name in zip(bones, names):
        matrix = thing.data.bones[name].matrix_local
        moved = math.dist([row[3] for row in tuple(matrix)[:3]], space.to_blender(bone.head))
        if moved > max(1e-3 * size, 1e-6):
            raise RestChanged(f'The rest pose of the bone {name} was changed: it is {moved:.3g} away '
                              'from where it was. Move bones in pose mode, not in edit mode.')
        world = space.multiply(space.TO_BLENDER, bone.world_rotation)
        axes = space.multiply(space.inverse(world), space.from_matrix(matrix))
        spaces.append(motion.BoneSpace(bone.rotation, bone.translation, space.snapped(axes, 1e-5) or axes))
    return spaces
