# SPDX-License-Identifier: MIT
"""Materials and textures of a scene."""

import bpy


# Of meshes that have colours and no material: they look as they are.
VERTEX_COLOURS = {'name': 'vertex colours', 'texture': -1, 'colour': [1, 1, 1, 1], 'transparent': False,
                  'double_sided': True, 'unlit': True}


def create_images(scene):
    return [create_image(texture) for texture in scene.get('textures', [])]


def create_image(texture):
    """Rows of a texture go down, those of an image of Blender go up."""
    image = bpy.data.images.new(texture['name'], texture['width'], texture['height'], alpha=True)
    data = b''.join(bytes.fromhex(row) for row in reversed(texture['pixels']))
    image.pixels.foreach_set([byte / 255.0 for byte in data])
    image.update()
    image.pack()  # it has no file of its own
    return image


class Materials:
    """All materials of a scene, also those that only a variant shows."""

    def __init__(self, scene):
        images = create_images(scene)
        coloured = {mesh['material'] for mesh in scene['meshes'] if 'colours' in mesh and 'material' in mesh}
        self.made = [create_material(item, images, number in coloured)
                     for number, item in enumerate(scene.get('materials', []))]
        self.plain = None

    def of_mesh(self, mesh):
        """The material of a mesh; None if it has neither one nor colours."""
        if 'material' in mesh:
            return self.made[mesh['material']]
        if 'colours' not in mesh:
            return None
        if self.plain is None:
            self.plain = create_material(VERTEX_COLOURS, [], True)
        return self.plain


def create_material(item, images, has_colours):
    material = bpy.data.materials.new(item['name'])
    material.use_nodes = True
    material.use_fake_user = True  # a variant's may be on no mesh
    material.diffuse_color = item['colour']
    material.use_backface_culling = not item['double_sided']
    tree = material.node_tree
    tree.nodes.clear()
    output = tree.nodes.new('ShaderNodeOutputMaterial')
    colour, alpha = create_colour(tree, item, images, has_colours)
    shader = create_unlit(tree) if item['unlit'] else create_lit(tree)
    connect(tree, colour, socket(shader, 'Base Color', 'Color'), item['colour'])
    surface = shader.outputs[0]
    if item.get('alpha_cutoff', 0.0) > 0.0 and alpha is not None:
        surface = create_cutout(tree, surface, alpha, item['alpha_cutoff'])
        make_transparent(material)
    elif item['transparent'] or item['colour'][3] < 1.0:
        surface = create_transparency(tree, surface, alpha, item['colour'][3])
        make_transparent(material)
    tree.links.new(surface, output.inputs['Surface'])
    for index, node in enumerate(tree.nodes):
        node.location = (300 * index, 0)
    return material


def socket(node, *names):
    """The first input there is of these: their names depend on the version."""
    for name in names:
        if name in node.inputs:
            return node.inputs[name]
    raise KeyError(f'{node.bl_idname} has none of {names}')


def create_unlit(tree):
    return tree.nodes.new('ShaderNodeEmission')


def create_lit(tree):
    """Without highlights: the games have none."""
    shader = tree.nodes.new('ShaderNodeBsdfPrincipled')
    socket(shader, 'Specular IOR Level', 'Specular').default_value = 0.0
    socket(shader, 'Roughness').default_value = 1.0
    return shader


def create_transparency(tree, surface, alpha, factor):
    clear = tree.nodes.new('ShaderNodeBsdfTransparent')
    mix = tree.nodes.new('ShaderNodeMixShader')
    connect(tree, alpha, mix.inputs[0], factor)
    tree.links.new(clear.outputs[0], mix.inputs[1])
    tree.links.new(surface, mix.inputs[2])
    return mix.outputs[0]


def create_cutout(tree, surface, alpha, cutoff):
    """Texels of less alpha are not there, all others are there as a whole."""
    less = tree.nodes.new('ShaderNodeMath')
    less.operation = 'LESS_THAN'
    tree.links.new(alpha, less.inputs[0])
    less.inputs[1].default_value = cutoff
    clear = tree.nodes.new('ShaderNodeBsdfTransparent')
    mix = tree.nodes.new('ShaderNodeMixShader')
    tree.links.new(less.outputs[0], mix.inputs[0])
    tree.links.new(surface, mix.inputs[1])
    tree.links.new(clear.outputs[0], mix.inputs[2])
    return mix.outputs[0]


def make_transparent(material):
    """4.2 has another renderer for the viewport, with another name for this."""
    if hasattr(material, 'surface_render_method'):
        material.surface_render_method = 'DITHERED'
    elif hasattr(material, 'blend_method'):
        material.blend_method = 'HASHED'
        material.shadow_method = 'HASHED'


def create_colour(tree, item, images, has_colours):
    """Outputs for the colour and for the alpha; None: a constant."""
    colour = alpha = None
    if item['texture'] >= 0:
        node = tree.nodes.new('ShaderNodeTexImage')
        node.image = images[item['texture']]
        if all(item.get('clamped', [False])):  # a node has one setting for u and v
            node.extension = 'EXTEND'
        colour, alpha = node.outputs['Color'], node.outputs['Alpha']
    if has_colours:
        node = tree.nodes.new('ShaderNodeVertexColor')
        node.layer_name = 'Colour'
        colour = multiply(tree, colour, node.outputs['Color'])
    if colour is not None and list(item['colour'][:3]) != [1, 1, 1]:
        node = tree.nodes.new('ShaderNodeRGB')
        node.outputs[0].default_value = list(item['colour'][:3]) + [1.0]
        colour = multiply(tree, colour, node.outputs[0])
    return colour, alpha


def multiply(tree, colour, other):
    if colour is None:
        return other
    node = tree.nodes.new('ShaderNodeVectorMath')  # the same in all versions, unlike those for colours
    node.operation = 'MULTIPLY'
    tree.links.new(colour, node.inputs[0])
    tree.links.new(other, node.inputs[1])
    return node.outputs[0]


def connect(tree, output, target, constant):
    if output is None:
        target.default_value = constant
    else:
        tree.links.new(output, target)
