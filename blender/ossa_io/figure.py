# SPDX-License-Identifier: MIT
"""A scene of Ossa as objects of Blender, and what an armature remembers of it."""

import json

import bpy

from . import armature, cameras, clips, materials, meshes

# A custom property of the armature: where it comes from, for the way back.
SOURCE = 'ossa'
SOURCE_VERSION = 1


def create(context, scene, inputs, options):
    """Everything of a scene, in a collection of its own; the armature, or None for cameras alone."""
    if context.object is not None and context.object.mode != 'OBJECT':
        bpy.ops.object.mode_set(mode='OBJECT')
    collection = bpy.data.collections.new(scene['scene'])
    context.scene.collection.children.link(collection)
    thing = None
    fps = scene['clips'][0]['fps'] if scene['clips'] else 0.0
    if scene['bones']:
        thing = create_figure(context, scene, collection)
        thing[SOURCE] = json.dumps({'version': SOURCE_VERSION, 'inputs': list(inputs),
                                    'options': list(options), 'game': scene['game']}, ensure_ascii=False)
    if not fps:
        render = context.scene.render
        fps = render.fps / render.fps_base
    cameras.create(scene, collection, fps)
    return thing


def create_figure(context, scene, collection):
    thing, names = armature.create(context, scene, collection)
    morphed = meshes.create(scene, thing, names, materials.Materials(scene), collection)
    clips.create(thing, names, armature.bone_spaces(thing, scene, names), scene, morphed)
    if scene['clips']:
        clips.show(context.scene, thing, scene['clips'][0]['name'])
    return thing


def active(context):
    """The armature from Ossa that is active, itself or by one of its meshes; None if there is none."""
    thing = context.object
    if thing is not None and thing.type == 'MESH':
        thing = thing.parent
    return thing if source_of(thing) is not None else None


def source_of(thing):
    """What create() noted; None if the object does not come from Ossa."""
    if thing is None or thing.type != 'ARMATURE' or SOURCE not in thing:
        return None
    try:
        source = json.loads(thing[SOURCE])
    except ValueError:
        return None
    if not isinstance(source, dict) or source.get('version') != SOURCE_VERSION:
        return None
    return source
