# SPDX-License-Identifier: MIT
"""Meshes of a scene: bound to the armature, with shape keys for morph targets."""

import bpy

from . import clips, motion, rest, shapes, space


def create(scene, thing, names, materials, collection):
    """The objects of all meshes, and the shape keys of those that have some, by number."""
    bones = rest.read_bones(scene)
    hides = motion.hides(scene)
    if hides:
        for name in names:
            add_visibility(thing.pose.bones[name])
    morphed = {}
    for number, item in enumerate(scene['meshes']):
        mesh = create_mesh(item, bones, materials)
        made = bpy.data.objects.new(item['name'], mesh)
        made[shapes.MESH_NUMBER] = number
        collection.objects.link(made)
        bind(made, item, thing, names)
        if item.get('targets'):
            morphed[number] = create_shapes(made, item, bones, target_names(scene, number))
        if hides and 'vertex_bones' not in item and 'joints' not in item:
            for property_name in ('hide_viewport', 'hide_render'):
                drive_visibility(made, property_name, thing, names[item['bone']])
    return morphed


def owners_of(item, bones):
    """The bone whose space each vertex is in; None: they are in that of the model at rest."""
    if 'joints' in item:
        return None
    if 'vertex_bones' in item:
        return [bones[number] for number in item['vertex_bones']]
    return [bones[item['bone']]] * len(item['positions'])


def at_rest(owners, positions):
    """Blender wants vertices where they are at rest."""
    if owners is None:
        return [space.to_blender(position) for position in positions]
    return [space.to_blender(space.add(bone.head, space.rotate(bone.world_rotation, position)))
            for bone, position in zip(owners, positions)]


def normals_at_rest(owners, normals):
    if owners is None:
        return [space.to_blender(normal) for normal in normals]
    return [space.to_blender(space.rotate(bone.world_rotation, normal)) for bone, normal in zip(owners, normals)]


def add_texcoords(mesh, name, texcoords):
    layer = mesh.uv_layers.new(name=name)
    for loop, target in zip(mesh.loops, layer.data):
        u, v = texcoords[loop.vertex_index]
        target.uv = (u, 1.0 - v)


def create_mesh(item, bones, materials):
    mesh = bpy.data.meshes.new(item['name'])
    owners = owners_of(item, bones)
    positions = at_rest(owners, item['positions'])
    indices = item['indices']
    if item['kind'] == 'lines':
        mesh.from_pydata(positions, list(zip(indices[0::2], indices[1::2])), [])
    else:
        mesh.from_pydata(positions, [], list(zip(indices[0::3], indices[1::3], indices[2::3])))
    if 'texcoords' in item and mesh.loops:
        add_texcoords(mesh, 'UVMap', item['texcoords'])
    if 'texcoords2' in item and mesh.loops:
        add_texcoords(mesh, 'UVMap.001', item['texcoords2'])
    if 'colours' in item:
        layer = mesh.color_attributes.new('Colour', 'BYTE_COLOR', 'POINT')
        for colour, target in zip(item['colours'], layer.data):
            target.color_srgb = [part / 255.0 for part in colour]
    material = materials.of_mesh(item)
    if material is not None:
        mesh.materials.append(material)
    mesh.update()
    if 'normals' in item and mesh.polygons:
        set_normals(mesh, normals_at_rest(owners, item['normals']))
    return mesh


def set_normals(mesh, normals):
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    mesh.normals_split_custom_set_from_vertices(normals)
    if hasattr(mesh, 'use_auto_smooth'):  # before 4.1, custom normals are shown only with it
        mesh.use_auto_smooth = True


def weights_of(item):
    """Vertices by bone and weight."""
    weights = {}
    if 'joints' in item:
        for vertex, (bones, parts) in enumerate(zip(item['joints'], item['weights'])):
            for bone, part in zip(bones, parts):
                if part > 0.0:
                    weights.setdefault(bone, {}).setdefault(part, []).append(vertex)
        return weights
    owners = item.get('vertex_bones') or [item['bone']] * len(item['positions'])
    for vertex, bone in enumerate(owners):
        weights.setdefault(bone, {}).setdefault(1.0, []).append(vertex)
    return weights


def bind(made, item, thing, names):
    """One group per bone. A vertex without weights is in one of them with all its weight."""
    for bone, parts in sorted(weights_of(item).items()):
        group = made.vertex_groups.new(name=names[bone])
        for part, members in parts.items():
            group.add(members, part, 'ADD')  # a bone may stand twice
    made.parent = thing
    modifier = made.modifiers.new('Armature', 'ARMATURE')
    modifier.object = thing


# ---- visibility -------------------------------------------------------------------------------


def add_visibility(bone):
    bone[clips.VISIBLE] = 1
    bone.id_properties_ui(clips.VISIBLE).update(min=0, max=1, description='Whether the meshes of this bone are shown')


def drive_visibility(made, property_name, thing, bone_name):
    """The armature's action has the keys, so that one action holds a whole clip."""
    driver = made.driver_add(property_name).driver
    variable = driver.variables.new()
    variable.name = 'visible'
    variable.targets[0].id = thing
    variable.targets[0].data_path = f'{clips.bone_path(bone_name)}["{clips.VISIBLE}"]'
    driver.expression = 'visible < 0.5'


# ---- morph targets ----------------------------------------------------------------------------


def target_names(scene, mesh):
    """A target is called after the clip and frame that use it first, as in glTF."""
    names = {}
    for clip in scene['clips']:
        for track in clip.get('morphs', []):
            if track['mesh'] != mesh:
                continue
            for frame, target in enumerate(track['keys']):
                names.setdefault(target, f"{clip['name']} {frame}")
    return names


def create_shapes(made, item, bones, names):
    """Targets are offsets of the vertices in the space of the mesh's bone."""
    rotation = bones[item['bone']].world_rotation
    made.shape_key_add(name='Basis', from_mix=False)
    for number, target in enumerate(item['targets']):
        block = made.shape_key_add(name=names.get(number, f'target {number}'), from_mix=False)
        numbers = []
        for vertex, offset in zip(made.data.vertices, target):
            numbers.extend(space.add(tuple(vertex.co), space.to_blender(space.rotate(rotation, offset))))
        block.data.foreach_set('co', numbers)
    return made.data.shape_keys
