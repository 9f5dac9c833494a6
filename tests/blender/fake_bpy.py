# SPDX-License-Identifier: MIT
"""A stand-in for Blender's Python modules, for the versions that cannot be run here.

It has what the add-on uses, with the names that a version has according to its reference, and refuses all others: what
5.0 has removed raises AttributeError here, too. It keeps data, and computes nothing but the rest matrices of bones."""

import math
import struct
import sys
import types


def single(value):
    """Blender's floats have 32 bits."""
    return struct.unpack('<f', struct.pack('<f', value))[0]


class Thing:
    """Has the members that its class lists in FIELDS, and custom properties."""
    FIELDS = {}

    def __init__(self, **members):
        object.__setattr__(self, 'properties', {})
        for name, value in self.fields().items():
            object.__setattr__(self, name, value() if callable(value) else value)
        for name, value in members.items():
            setattr(self, name, value)

    def fields(self):
        return self.FIELDS

    def __setattr__(self, name, value):
        if name not in self.fields():
            raise AttributeError(f'{type(self).__name__} has no {name}')
        object.__setattr__(self, name, value)

    def __getitem__(self, key):
        return self.properties[key]

    def __setitem__(self, key, value):
        if not isinstance(value, (int, float, str)):
            raise TypeError(f'{key}: {type(value).__name__}')
        self.properties[key] = value

    def __contains__(self, key):
        return key in self.properties

    def get(self, key, default=None):
        return self.properties.get(key, default)


class Collection(list):
    """Things in order, also found by name; `make` makes those that new() adds."""

    def __init__(self, make=None):
        super().__init__()
        self.make = make

    def new(self, *arguments, **named):
        made = self.make(*arguments, **named)
        if getattr(made, 'name', None) is not None:
            base, count = made.name, 0
            while any(other.name == made.name for other in self):
                count += 1
                made.name = f'{base}.{count:03}'
        self.append(made)
        return made

    def __getitem__(self, key):
        if isinstance(key, str):
            return next(item for item in self if item.name == key)
        return super().__getitem__(key)

    def __contains__(self, key):
        return any(item.name == key for item in self) if isinstance(key, str) else super().__contains__(key)

    def get(self, key, default=None):
        return next((item for item in self if item.name == key), default)

    def link(self, item):
        self.append(item)


# ---- actions ----------------------------------------------------------------------------------


class Points:
    def __init__(self):
        self.keys = []

    def add(self, count):
        self.keys += [[0.0, 0.0, 'BEZIER'] for _ in range(count)]

    def foreach_set(self, name, values):
        values = list(values)
        if len(values) != len(self.keys) * (2 if name == 'co' else 1):
            raise ValueError(f'{name}: {len(values)} values for {len(self.keys)} keys')
        for index, key in enumerate(self.keys):
            if name == 'co':
                key[0], key[1] = single(values[2 * index]), single(values[2 * index + 1])
            else:
                key[2] = values[index]


class Curve(Thing):
    FIELDS = {'data_path': '', 'array_index': 0, 'group': None, 'keyframe_points': Points}

    def update(self):
        self.keyframe_points.keys.sort()

    def evaluate(self, frame):
        keys = self.keyframe_points.keys
        if frame <= keys[0][0]:
            return keys[0][1]
        for before, after in zip(keys, keys[1:]):
            if before[0] <= frame < after[0]:
                part = 0.0 if before[2] == 0 else (frame - before[0]) / (after[0] - before[0])
                return before[1] + (after[1] - before[1]) * part
        return keys[-1][1]


class Group(Thing):
    FIELDS = {'name': ''}


def new_curve(path, *, index=0):
    return Curve(data_path=path, array_index=index)


def new_curve_in_group(path, *, index=0, group_name=''):
    return Curve(data_path=path, array_index=index, group=Group(name=group_name) if group_name else None)


def new_legacy_curve(path, *, index=0, action_group=''):
    return new_curve_in_group(path, index=index, group_name=action_group)


class Bag(Thing):
    def fields(self):
        make = new_curve_in_group if VERSION >= (5, 0, 0) else new_curve
        return {'slot': None, 'fcurves': lambda: Collection(make),
                'groups': lambda: Collection(lambda name: Group(name=name))}


class Slot(Thing):
    FIELDS = {'target_id_type': '', 'name_display': ''}


class KeyframeStrip(Thing):
    FIELDS = {'channelbags': list}

    def channelbag(self, slot, *, ensure=False):
        if not isinstance(slot, Slot):
            raise TypeError('a slot is needed')
        for bag in self.channelbags:
            if bag.slot is slot:
                return bag
        if not ensure:
            return None
        self.channelbags.append(Bag(slot=slot))
        return self.channelbags[-1]


def new_keyframe_strip(*, type):
    if type != 'KEYFRAME':
        raise TypeError(type)
    return KeyframeStrip()


class Layer(Thing):
    FIELDS = {'name': '', 'strips': lambda: Collection(new_keyframe_strip)}


class Marker(Thing):
    FIELDS = {'name': '', 'frame': 0}


class Action(Thing):
    def fields(self):
        fields = {'name': '', 'use_fake_user': False, 'use_frame_range': False, 'frame_start': 0.0, 'frame_end': 0.0,
                  'use_cyclic': False, 'pose_markers': lambda: Collection(lambda name: Marker(name=name))}
        if VERSION >= (4, 4, 0):
            fields['slots'] = lambda: Collection(lambda id_type, name: Slot(target_id_type=id_type, name_display=name))
            fields['layers'] = lambda: Collection(lambda name: Layer(name=name))
        if VERSION < (4, 4, 0):  # 4.4 and 4.5 still have them, but only for the first slot
            fields['fcurves'] = lambda: Collection(new_legacy_curve)
            fields['id_root'] = 'OBJECT'
        return fields


    @property
    def frame_range(self):
        assert self.use_frame_range
        return self.frame_start, self.frame_end


class NlaStrip(Thing):
    def fields(self):
        fields = {'name': '', 'frame_start': 0, 'action': None, 'scale': 1.0}
        return dict(fields, action_slot=None) if VERSION >= (4, 4, 0) else fields


class NlaTrack(Thing):
    FIELDS = {'name': 'NlaTrack', 'mute': False, 'strips': lambda: Collection(
        lambda name, start, action: NlaStrip(name=name, frame_start=start, action=action))}


class AnimData(Thing):
    def fields(self):
        fields = {'action': None, 'nla_tracks': lambda: Collection(NlaTrack)}
        return dict(fields, action_slot=None) if VERSION >= (4, 4, 0) else fields


class Animated(Thing):
    def animation_data_create(self):
        self.animation_data = AnimData()
        return self.animation_data


# ---- armatures --------------------------------------------------------------------------------


def normalized(vector):
    length = math.sqrt(sum(part * part for part in vector))
    return [part / length for part in vector]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Bone(Thing):
    FIELDS = {'name': '', 'parent': None, 'use_connect': False, 'head': (0, 0, 0), 'tail': (0, 0, 0), 'up': (0, 0, 1)}

    def align_roll(self, vector):
        self.up = tuple(vector)

    @property
    def matrix_local(self):
        y = normalized([b - a for a, b in zip(self.head, self.tail)])
        x = normalized(cross(y, self.up))
        z = cross(x, y)
        rows = [[single(x[k]), single(y[k]), single(z[k]), single(self.head[k])] for k in range(3)]
        return rows + [[0.0, 0.0, 0.0, 1.0]]


class PropertyUi:
    def update(self, **_settings):
        pass


class PoseBone(Thing):
    FIELDS = {'name': '', 'rotation_mode': 'QUATERNION', 'location': (0, 0, 0), 'rotation_quaternion': (1, 0, 0, 0),
              'scale': (1, 1, 1), 'constraints': list}

    def id_properties_ui(self, key):
        assert key in self
        return PropertyUi()


class Armature(Thing):
    FIELDS = {'name': '', 'bones': Collection, 'edit_bones': lambda: Collection(lambda name: Bone(name=name))}


class Pose(Thing):
    FIELDS = {'bones': Collection}


# ---- objects, meshes, materials and cameras ---------------------------------------------------


class Vertex(Thing):
    FIELDS = {'co': (0, 0, 0)}


class Loop(Thing):
    FIELDS = {'vertex_index': 0}


class Polygon(Thing):
    FIELDS = {'use_smooth': False, 'vertices': ()}


class Value(Thing):
    FIELDS = {'uv': (0, 0), 'color_srgb': (0, 0, 0, 0), 'co': ()}


class Layered(Thing):
    FIELDS = {'name': '', 'data': list}


class ShapeData(list):
    def foreach_set(self, name, numbers):
        if name != 'co' or len(numbers) != 3 * len(self):
            raise ValueError(f'{name}: {len(numbers)} numbers for {len(self)} vertices')
        for index, value in enumerate(self):
            value.co = tuple(single(number) for number in numbers[3 * index:3 * index + 3])


class KeyBlock(Thing):
    FIELDS = {'name': '', 'value': 0.0, 'data': ShapeData}


class ShapeKeys(Animated):
    FIELDS = {'name': 'Key', 'animation_data': None, 'key_blocks': lambda: Collection(lambda name: KeyBlock(name=name))}


class Mesh(Thing):
    def fields(self):
        fields = {'name': '', 'vertices': list, 'edges': list, 'loops': list, 'polygons': list, 'materials': list,
                  'shape_keys': None, 'custom_normals': None}
        return dict(fields, use_auto_smooth=False) if VERSION < (4, 1, 0) else fields

    def from_pydata(self, positions, edges, faces):
        self.vertices = [Vertex(co=tuple(single(part) for part in position)) for position in positions]
        self.edges = list(edges)
        self.polygons = [Polygon(vertices=face) for face in faces]
        self.loops = [Loop(vertex_index=vertex) for face in faces for vertex in face]

    @property
    def uv_layers(self):
        return Collection(lambda name: Layered(name=name, data=[Value() for _ in self.loops]))

    @property
    def color_attributes(self):
        return Collection(lambda name, _type, _domain: Layered(name=name, data=[Value() for _ in self.vertices]))

    def update(self):
        pass

    def normals_split_custom_set_from_vertices(self, normals):
        if len(normals) != len(self.vertices):
            raise ValueError(f'{len(normals)} normals for {len(self.vertices)} vertices')
        self.custom_normals = normals


class Camera(Animated):
    FIELDS = {'name': '', 'animation_data': None, 'sensor_fit': 'AUTO', 'sensor_height': 24.0, 'lens': 50.0}


class VertexGroup(Thing):
    FIELDS = {'name': '', 'members': list}

    def add(self, members, weight, how):
        assert 0.0 < weight <= 1.0 and how == 'ADD'
        self.members += members


class Target(Thing):
    FIELDS = {'id': None, 'data_path': ''}


class Variable(Thing):
    FIELDS = {'name': '', 'targets': lambda: [Target()]}


class Driver(Thing):
    FIELDS = {'expression': '', 'variables': lambda: Collection(lambda: Variable(name='var'))}


class DriverCurve(Thing):
    FIELDS = {'driver': Driver}


class Modifier(Thing):
    FIELDS = {'name': '', 'type': '', 'object': None}


class Object(Animated):
    FIELDS = {'name': '', 'data': None, 'mode': 'OBJECT', 'parent': None, 'pose': Pose, 'animation_data': None,
              'rotation_mode': 'XYZ', 'drivers': dict,
              'vertex_groups': lambda: Collection(lambda name: VertexGroup(name=name)),
              'modifiers': lambda: Collection(lambda name, type: Modifier(name=name, type=type))}

    @property
    def type(self):
        return {Armature: 'ARMATURE', Mesh: 'MESH', Camera: 'CAMERA'}[type(self.data)]

    @property
    def children(self):
        return [thing for thing in bpy.data.objects if thing.parent is self]

    def driver_add(self, name):
        self.drivers[name] = DriverCurve()
        return self.drivers[name]

    def shape_key_add(self, *, name, from_mix):
        assert not from_mix
        self.data.shape_keys = self.data.shape_keys or ShapeKeys()
        block = self.data.shape_keys.key_blocks.new(name)
        block.data = ShapeData(Value(co=vertex.co) for vertex in self.data.vertices)
        return block


class Socket(Thing):
    FIELDS = {'name': '', 'default_value': None}


INPUTS = {'ShaderNodeOutputMaterial': ['Surface'], 'ShaderNodeEmission': ['Color', 'Strength'],
          'ShaderNodeBsdfTransparent': ['Color'], 'ShaderNodeMixShader': ['Fac', 'Shader', 'Shader'],
          'ShaderNodeVectorMath': ['Vector', 'Vector'], 'ShaderNodeTexImage': ['Vector'], 'ShaderNodeVertexColor': [],
          'ShaderNodeRGB': []}


class Node(Thing):
    FIELDS = {'bl_idname': '', 'inputs': Collection, 'outputs': Collection, 'location': (0, 0), 'image': None,
              'layer_name': '', 'operation': '', 'extension': 'REPEAT'}


def new_node(kind):
    names = INPUTS.get(kind)
    if kind == 'ShaderNodeBsdfPrincipled':
        names = ['Base Color', 'Roughness', 'Specular IOR Level' if VERSION >= (4, 0, 0) else 'Specular']
    node = Node(bl_idname=kind)
    node.inputs.extend(Socket(name=name) for name in names)
    node.outputs.extend(Socket(name=name) for name in ('Color', 'Alpha'))
    return node


class NodeTree(Thing):
    FIELDS = {'nodes': lambda: Collection(new_node), 'links': lambda: Collection(lambda start, end: (start, end))}


class Material(Thing):
    def fields(self):
        fields = {'name': '', 'use_nodes': False, 'use_fake_user': False, 'diffuse_color': (), 'node_tree': NodeTree,
                  'use_backface_culling': False, 'blend_method': 'OPAQUE'}
        return dict(fields, **({'surface_render_method': 'DITHERED'} if VERSION >= (4, 2, 0)
                               else {'shadow_method': 'OPAQUE'}))


class Pixels(list):
    def foreach_set(self, values):
        self[:] = values


class Image(Thing):
    FIELDS = {'name': '', 'size': (0, 0), 'pixels': Pixels}

    def update(self):
        pass

    def pack(self):
        pass


# ---- the modules ------------------------------------------------------------------------------


class Render(Thing):
    FIELDS = {'fps': 24, 'fps_base': 1.0}


class SceneCollection(Thing):
    FIELDS = {'name': '', 'children': Collection, 'objects': Collection}


class Scene(Thing):
    FIELDS = {'render': Render, 'frame_start': 1, 'frame_end': 250, 'frame_current': 1, 'collection': SceneCollection}


class ViewObjects(Thing):
    FIELDS = {'active': None}


class ViewLayer(Thing):
    FIELDS = {'objects': ViewObjects}


class Context(Thing):
    FIELDS = {'scene': Scene, 'view_layer': ViewLayer}

    @property
    def object(self):
        return self.view_layer.objects.active


class Data(Thing):
    FIELDS = {
        'actions': lambda: Collection(lambda name: Action(name=name)),
        'armatures': lambda: Collection(lambda name: Armature(name=name)),
        'meshes': lambda: Collection(lambda name: Mesh(name=name)),
        'cameras': lambda: Collection(lambda name: Camera(name=name)),
        'objects': lambda: Collection(lambda name, data: Object(name=name, data=data)),
        'collections': lambda: Collection(lambda name: SceneCollection(name=name)),
        'materials': lambda: Collection(lambda name: Material(name=name)),
        'images': lambda: Collection(lambda name, width, height, alpha: Image(name=name, size=(width, height)))}


def mode_set(*, mode):
    """Leaving edit mode makes bones and pose bones of the edited ones."""
    thing = bpy.context.object
    if thing.mode == 'EDIT' and mode == 'OBJECT':
        thing.data.bones.extend(thing.data.edit_bones)
        thing.pose.bones.extend(PoseBone(name=bone.name) for bone in thing.data.edit_bones)
    thing.mode = mode


VERSION = (5, 0, 0)
bpy = types.ModuleType('bpy')
mathutils = types.ModuleType('mathutils')
mathutils.Vector = tuple


def install(version):
    """Be this version of Blender from now on, with nothing in it."""
    global VERSION
    VERSION = version
    interpolations = {name: types.SimpleNamespace(value=value)
                      for value, name in enumerate(('CONSTANT', 'LINEAR', 'BEZIER'))}
    keyframe = types.SimpleNamespace(bl_rna=types.SimpleNamespace(
        properties={'interpolation': types.SimpleNamespace(enum_items=interpolations)}))
    bpy.app = types.SimpleNamespace(version=version, background=True)
    bpy.types = types.SimpleNamespace(Keyframe=keyframe)
    bpy.ops = types.SimpleNamespace(object=types.SimpleNamespace(mode_set=mode_set))
    bpy.data = Data()
    bpy.context = Context()
    sys.modules['bpy'] = bpy
    sys.modules['mathutils'] = mathutils
    return bpy
