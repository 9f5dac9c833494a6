# SPDX-License-Identifier: MIT
"""Cameras of a scene. As in Blender, they look along their own -Z with +Y up."""

import math

import bpy

from . import actions, space

ASPECT = 'ossa_aspect'


def create(scene, collection, fps):
    """Keys have times of their own, so that they may be between frames."""
    made = []
    for item in scene['cameras']:
        data = bpy.data.cameras.new(item['name'])
        thing = bpy.data.objects.new(item['name'], data)
        collection.objects.link(thing)
        thing.rotation_mode = 'QUATERNION'
        data.sensor_fit = 'VERTICAL'
        data[ASPECT] = item['aspect']
        animate(item, thing, data, [time * fps for time in item['times']])
        made.append(thing)
    return made


def animate(item, thing, data, frames):
    rotations = []
    last = space.IDENTITY
    for rotation in item['rotations']:
        last = space.near(space.multiply(space.TO_BLENDER, space.from_json(rotation)), last)
        rotations.append(last)
    path = actions.Channels(item['name'], thing.name, 'OBJECT')
    path.add('location', [space.to_blender(position) for position in item['positions']], frames)
    path.add('rotation_quaternion', rotations, frames)
    actions.assign(thing, path.action, path.slot)
    lens = actions.Channels(item['name'], data.name, 'CAMERA', path.action)
    lens.add('lens', [[focal_length(data, angle)] for angle in item['fields_of_view']], frames)
    actions.assign(data, lens.action, lens.slot)


def focal_length(data, angle):
    return data.sensor_height / (2.0 * math.tan(angle / 2.0))
