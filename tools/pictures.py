# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 -P tools/pictures.py -- FOLDER [COMMITTED]

Renders FOLDER/NAME.png of every FOLDER/NAME.glb in FIGURES. With COMMITTED, a folder of pictures that
were made before, it also fails when one shows nothing or looks otherwise than then."""

import math
import os
import sys

import bpy
import numpy
from mathutils import Euler, Vector

# Blender 3.4 uses a name that numpy 1.24 no longer has, and Debian 12 ships both.
if 'bool' not in vars(numpy):
    numpy.bool = bool

WIDTH, HEIGHT = 480, 360
BACKGROUND = (0.955, 0.953, 0.945)  # as it is seen, not linear
INK = (0.012, 0.014, 0.03)

# The clip and the frame that tell most; from where to look: degrees to the side and from above, seen
# from the front, +Z; the colours of the body, from the root to the ends of the limbs. What flies does
# so at a height, in sizes of the figure. One with materials of its own wears those instead, and of what
# its picture shows so much must be of these hues, in hundredths of a turn from red, as they have them.
# Blender has whole rates only: eleven of its frames at 200 per second are one key of Evil Islands.
FIGURES = {
    'troll': {'clip': 'walk', 'fps': 200, 'frame': 3 * 11, 'view': (38, 10),
              'hues': {'hide': (18, 27, 0.3), 'trousers': (3, 9, 0.08)}},
    'pedestrian': {'clip': 'run', 'fps': 30, 'frame': 0, 'view': (235, 8),
                   'hues': {'shirt and skin': (4, 11, 0.15), 'trousers': (58, 66, 0.1)}},
    'rabbit': {'clip': 'hop', 'fps': 30, 'frame': 18, 'view': (14, 6), 'colours': (INK, INK)},
    'bird': {'clip': 'fly', 'fps': 30, 'frame': 19, 'view': (155, 35), 'height': 0.3,
             'is_folded': True, 'hues': {'feathers': (6, 12, 0.2)}},
    'wyvern': {'clip': 'fly', 'fps': 200, 'frame': 5 * 11, 'view': (32, 30), 'height': 1.2,
               'hues': {'wings': (0, 5, 0.3), 'face and claws': (10, 17, 0.04),
                        'scales': (33, 42, 0.1)}},
}
FILLED = 0.8  # how much of the picture's width or height the figure takes up
LINE = 0.009  # how thick a line is drawn, in sizes of the figure
FAINT = 0.02  # so much is taken off every shadow, so that it has an end
DIFFERS = 0.04  # a pixel that is so far from the background shows something
# The mean difference from the committed picture. Half the samples give 0.0005 to 0.0023, the next frame 0.01.
MOST_DIFFERENT = 0.004
# So much of a picture has to show something.
LEAST_SHOWN = 0.03
LARGEST = 90000  # bytes of a committed picture
SAMPLES = 64  # of light, per pixel
SAMPLES_TO_COMPARE = 32  # the mean difference hardly grows, and it takes half the time


def import_figure(path, clip, fps, frame):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.gltf(filepath=path)
    armature = next(thing for thing in bpy.data.objects if thing.type == 'ARMATURE')
    for track in armature.animation_data.nla_tracks:
        track.mute = True
    armature.animation_data.action = bpy.data.actions[f'{clip}_{armature.name}']
    for keys in bpy.data.shape_keys:
        choose_shapes(keys.animation_data, clip)
    bpy.context.scene.frame_set(frame)
    return armature


def choose_shapes(animation, clip):
    """Of a mesh that morphs in several clips, the tracks of one."""
    if animation is None:
        return
    for track in animation.nla_tracks:
        track.mute = True
        if track.name == clip:
            animation.action = track.strips[0].action


def place_of(thing, vertex):
    return thing.matrix_world @ vertex.co


def corners_of(things):
    corners = []
    for thing in things:
        shown = thing
        if any(modifier.type == 'ARMATURE' for modifier in thing.modifiers):
            # Bound to the bones: where they have brought it, not where it is at rest.
            shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        corners += [place_of(shown, vertex) for vertex in shown.data.vertices]
    return corners


def size_of(corners):
    low = [min(corner[k] for corner in corners) for k in range(3)]
    high = [max(corner[k] for corner in corners) for k in range(3)]
    return math.dist(low, high)


def depth_of(bone):
    return len(bone.parent_recursive)


def material_of(colour, name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = (*colour, 1)
    shader.inputs['Roughness'].default_value = 0.7
    shader.inputs['Specular'].default_value = 0.2
    return material


def dress(armature, things, colours, size):
    """A plain material for each bone, lighter towards the ends; edges that catch the light."""
    depths = {bone.name: depth_of(bone) for bone in armature.data.bones}
    deepest = max(depths.values()) or 1
    for thing in things:
        part = depths.get(thing.parent_bone, 0) / deepest
        colour = [a + (b - a) * part for a, b in zip(*colours)]
        thing.data.materials.clear()
        thing.data.materials.append(material_of(colour, thing.name))
        if thing.data.polygons:
            bevel = thing.modifiers.new('round', 'BEVEL')
            bevel.width = 0.008 * size
            bevel.segments = 3
            for polygon in thing.data.polygons:
                polygon.use_smooth = False


def thicken(thing, size):
    """Lines have no thickness, and a render does not show them: a tube along each takes their place.
    It is made in the space of the picture, since the figure squashes and stretches."""
    edges = [edge for edge in thing.data.edges if edge.is_loose or not thing.data.polygons]
    if not edges:
        return None
    curve = bpy.data.curves.new(thing.name + ' lines', 'CURVE')
    curve.dimensions = '3D'
    curve.bevel_depth = LINE * size / 2
    curve.bevel_resolution = 3
    curve.use_fill_caps = True
    for edge in edges:
        line = curve.splines.new('POLY')
        line.points.add(1)
        for point, vertex in zip(line.points, edge.vertices):
            point.co = (*place_of(thing, thing.data.vertices[vertex]), 1)
    curve.materials.append(material_of(INK, thing.name + ' lines'))
    tube = bpy.data.objects.new(thing.name + ' lines', curve)
    bpy.context.collection.objects.link(tube)
    return tube


def add_floor(low, size):
    """What catches the shadow, and is not to be seen itself."""
    mesh = bpy.data.meshes.new('floor')
    reach = 20 * size
    mesh.from_pydata([(-reach, -reach, low), (reach, -reach, low), (reach, reach, low),
                      (-reach, reach, low)], [], [(0, 1, 2, 3)])
    floor = bpy.data.objects.new('floor', mesh)
    floor.is_shadow_catcher = True
    bpy.context.collection.objects.link(floor)


def add_light(side):
    sun = bpy.data.lights.new('sun', 'SUN')
    sun.energy = 2.4
    sun.angle = math.radians(25)  # soft shadows
    lamp = bpy.data.objects.new('sun', sun)
    lamp.rotation_euler = Euler((math.radians(42), 0, math.radians(side - 35)))
    bpy.context.collection.objects.link(lamp)
    world = bpy.data.worlds.new('sky')
    world.use_nodes = True
    world.node_tree.nodes['Background'].inputs['Color'].default_value = (0.9, 0.95, 1, 1)
    world.node_tree.nodes['Background'].inputs['Strength'].default_value = 0.6
    bpy.context.scene.world = world


def add_camera(corners, side, above):
    """From a given direction, so near that everything just fits, and in the middle."""
    data = bpy.data.cameras.new('camera')
    data.lens = 70
    camera = bpy.data.objects.new('camera', data)
    bpy.context.collection.objects.link(camera)
    camera.rotation_euler = Euler((math.radians(90 - above), 0, math.radians(side)))
    turn = camera.rotation_euler.to_matrix()
    right, up, back = turn.col
    # The half width and height of the picture at distance 1.
    half = data.sensor_width / 2 / data.lens
    halves = (half * FILLED, half * FILLED * HEIGHT / WIDTH)
    camera.location = sum(corners, Vector()) / len(corners) + back * 10 * size_of(corners)
    for _ in range(20):  # each time nearer to the right place
        seen = [turn.transposed() @ (corner - camera.location) for corner in corners]
        spans = []
        for k, axis in ((0, right), (1, up)):
            low = min(place[k] / -place.z for place in seen)
            high = max(place[k] / -place.z for place in seen)
            middle = sum(-place.z for place in seen) / len(seen)
            camera.location += axis * (low + high) / 2 * middle
            spans.append((high - low) / 2 / halves[k])
        nearest = min(-place.z for place in seen)
        camera.location += back * (max(spans) - 1) * nearest
    data.clip_end = 100 * size_of(corners)
    bpy.context.scene.camera = camera


def set_up_render(samples):
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.cycles.device = 'CPU'
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.02
    scene.cycles.seed = 1
    scene.cycles.max_bounces = 3
    scene.render.resolution_x = WIDTH
    scene.render.resolution_y = HEIGHT
    scene.render.resolution_percentage = 100
    scene.render.film_transparent = True
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = 'Standard'
    scene.render.image_settings.file_format = 'PNG'
    scene.render.image_settings.color_mode = 'RGBA'


def pixels_of(path):
    image = bpy.data.images.load(path)
    pixels = numpy.empty(WIDTH * HEIGHT * 4, dtype=numpy.float32)
    if tuple(image.size) != (WIDTH, HEIGHT):
        raise SystemExit(f'{path} is {tuple(image.size)}, not {(WIDTH, HEIGHT)}')
    image.pixels.foreach_get(pixels)
    return pixels.reshape(-1, 4)


def blurred(values, radius):
    """The mean of each pixel and those around it."""
    wide = numpy.pad(values, radius)
    steps = range(2 * radius + 1)
    rows = sum(wide[step:step + HEIGHT, :] for step in steps)
    return sum(rows[:, step:step + WIDTH] for step in steps) / len(steps) ** 2


def smooth_shadow(pixels):
    """Few samples leave grain in the shadow, which is black and lets the background through; taking
    the mean there, but for its darkest parts, costs the figure nothing."""
    image = pixels.reshape(HEIGHT, WIDTH, 4)
    alpha = image[:, :, 3]
    shadow = (image[:, :, :3].max(axis=2) < 0.02) & (alpha < 0.9)
    part = blurred(shadow.astype(numpy.float32), 3)
    mean = blurred(numpy.where(shadow, alpha, 0), 3) / numpy.maximum(part, 1e-6)
    dark = numpy.clip((alpha - 0.3) / 0.3, 0, 1)
    mean = dark * alpha + (1 - dark) * mean
    image[:, :, 3] = numpy.where(shadow, numpy.maximum(mean - FAINT, 0) / (1 - FAINT), alpha)


def put_on_background(path):
    pixels = pixels_of(path)
    smooth_shadow(pixels)
    alpha = pixels[:, 3:]
    pixels[:, :3] = pixels[:, :3] * alpha + numpy.array(BACKGROUND, numpy.float32) * (1 - alpha)
    pixels[:, :3] = numpy.round(pixels[:, :3] * 127) / 127  # nobody sees it, and it packs better
    pixels[:, 3] = 1
    image = bpy.data.images.new('picture', WIDTH, HEIGHT, alpha=False)
    image.pixels.foreach_set(pixels.ravel())
    scene = bpy.context.scene
    scene.render.image_settings.color_mode = 'RGB'
    scene.render.image_settings.compression = 100
    image.save_render(path, scene=scene)


def render(name, figure, folder, samples):
    armature = import_figure(os.path.join(folder, name + '.glb'), figure['clip'], figure['fps'],
                             figure['frame'])
    things = [thing for thing in bpy.data.objects if thing.type == 'MESH'
              and thing.matrix_world.to_scale().length > 1e-6]  # the others are hidden
    corners = corners_of(things)
    size = size_of(corners)
    if 'colours' in figure:
        dress(armature, things, figure['colours'], size)
    for thing in things:
        # Blender keeps normals as they are relative to the triangles at rest, of which some are
        # turned over where the bird folds its wings: without its own, it computes them as it flies.
        if figure.get('is_folded', False):
            thing.data.use_auto_smooth = False
        thicken(thing, size)
    side, above = figure['view']
    add_floor(min(corner.z for corner in corners) - figure.get('height', 0.002) * size, size)
    add_light(side)
    add_camera(corners, side, above)
    set_up_render(samples)
    path = os.path.join(folder, name + '.png')
    bpy.context.scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)
    put_on_background(os.path.abspath(path))


def seen(folder, name):
    return pixels_of(os.path.abspath(os.path.join(folder, name + '.png')))[:, :3]


def hues_of(pixels):
    """In hundredths of a turn, 0 being red; grey has none, which is -1."""
    high = pixels.max(axis=1)
    span = high - pixels.min(axis=1)
    red, green, blue = pixels.T
    safe = numpy.maximum(span, 1e-6)
    sixths = numpy.where(high == red, (green - blue) / safe % 6,
                         numpy.where(high == green, (blue - red) / safe + 2, (red - green) / safe + 4))
    return numpy.where(span < 0.25 * numpy.maximum(high, 1e-6), -1, sixths * 100 / 6)


def has_hues(name, pixels, hues):
    """Whether each of the colours takes up its part of what is shown."""
    found = hues_of(pixels)
    fine = True
    for what, (low, high, least) in hues.items():
        part = float(((found >= low) & (found <= high)).mean())
        print(f'{name}: {100 * part:.1f} % of what is shown has the hue of the {what}')
        if part < least:
            print(f'{name}: FAILED: it should be {100 * least:.0f} % at least')
            fine = False
    return fine


def compare(name, folder, committed):
    """Whether the picture shows something, and what was committed."""
    pixels = seen(folder, name)
    shown = numpy.abs(pixels - numpy.array(BACKGROUND, numpy.float32)).max(axis=1) > DIFFERS
    part = float(shown.mean())
    print(f'{name}: {100 * part:.1f} % of the pixels show something')
    if part < LEAST_SHOWN:
        print(f'{name}: FAILED: the picture is empty')
        return False
    if not has_hues(name, pixels[shown], FIGURES[name].get('hues', {})):
        return False
    differences = {other: float(numpy.abs(pixels - seen(committed, other)).mean())
                   for other in FIGURES}
    print(f'{name}: differs by {differences[name]:.5f} on average from the committed picture')
    if differences[name] > MOST_DIFFERENT:
        print(f'{name}: FAILED: more than {MOST_DIFFERENT}; look at both, and run make pictures')
        return False
    size = os.path.getsize(os.path.join(committed, name + '.png'))
    if size > LARGEST:
        print(f'{name}: FAILED: the committed picture has {size} bytes, more than {LARGEST}')
        return False
    # A measure that takes one figure for another measures nothing.
    if min(value for other, value in differences.items() if other != name) <= MOST_DIFFERENT:
        print(f'{name}: FAILED: it also resembles another figure: {differences}')
        return False
    return True


def main(folder, committed=None):
    failed = 0
    samples = SAMPLES if committed is None else SAMPLES_TO_COMPARE
    for name, figure in FIGURES.items():
        render(name, figure, folder, samples)
        if committed is not None and not compare(name, folder, committed):
            failed += 1
    return 1 if failed > 0 else 0


if __name__ == '__main__':
    status = main(*sys.argv[sys.argv.index('--') + 1:])
    if status != 0:
        raise SystemExit(status)
