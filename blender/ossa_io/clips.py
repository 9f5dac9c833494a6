# SPDX-License-Identifier: MIT
"""Clips as actions: one per clip, one key per frame, frame N of the game at frame N.

An action has the game's own frames, whatever the rate of the scene is. The scene has the rate of the clip that is
shown, and in the NLA the strips of clips with other rates are scaled to last as long as they should."""

import json

from . import actions, motion

# Custom properties of an action.
CLIP, FPS, FRAMES, EXTRAS = 'ossa_clip', 'ossa_fps', 'ossa_frames', 'ossa_extras'
# That of a pose bone which its meshes are hidden by.
VISIBLE = 'visible'
# What a game stores as numbers of frames; 0 is none.
EVENTS = {'hit_frame': ('hit',), 'special_frame': ('sound',), 'show_hide': ('show', 'hide'),
          'step_sounds': ('step', 'step', 'step', 'step')}


def create(thing, names, spaces, scene, morphed):
    """Actions and tracks for all clips. `morphed` has the shape keys of meshes by number."""
    still = still_bones(scene)
    has_scales = any(scale != [1, 1, 1] for clip in scene['clips'] for scale in scales_of(clip))
    hides = motion.hides(scene)
    for clip in scene['clips']:
        channels = actions.Channels(clip['name'], thing.name, 'OBJECT')
        tracks = motion.Tracks(clip)
        for number, name in enumerate(names):
            add_bone(channels, tracks, number, name, spaces[number], number in still, has_scales)
            if hides:
                rows = [[value] for value in motion.visibility_in_blender(tracks, number)]
                channels.add(f'{bone_path(name)}["{VISIBLE}"]', rows, interpolation=actions.CONSTANT, group=name)
        describe(channels.action, clip)
        ratio = scene['clips'][0]['fps'] / clip['fps']
        actions.add_track(thing, clip['name'], channels, ratio)
        for mesh, keys in morphed.items():
            add_morphs(channels, clip, mesh, keys, ratio)


def quote(name):
    escaped = name.replace('\\', '\\\\').replace('"', '\\"')
    return f'"{escaped}"'


def bone_path(name):
    return f'pose.bones[{quote(name)}]'


def block_path(name):
    return f'key_blocks[{quote(name)}].value'


def scales_of(clip):
    for constant in clip['constant']:
        yield constant['scale']
    for track in clip['scales']:
        yield from track['keys']


def still_bones(scene):
    """The bones that no clip moves away from where they are at rest; they need no curves of locations."""
    offsets = [bone['translation'] for bone in scene['bones']]
    moved = set()
    for clip in scene['clips']:
        moved.update(track['bone'] for track in clip['translations'])
        moved.update(number for number, constant in enumerate(clip['constant'])
                     if constant['translation'] != offsets[number])
    return set(range(len(offsets))) - moved


def add_bone(channels, tracks, number, name, bone_space, is_still, has_scales):
    path = bone_path(name)
    poses = motion.poses_in_blender(tracks, number, bone_space)
    channels.add(path + '.rotation_quaternion', [pose[0] for pose in poses], group=name)
    if not is_still:
        channels.add(path + '.location', [pose[1] for pose in poses], group=name)
    if has_scales:
        channels.add(path + '.scale', [pose[2] for pose in poses], group=name)


def describe(action, clip):
    """What is needed to bring the clip back, and what its file says of it."""
    action[CLIP] = clip['name']
    action[FPS] = clip['fps']
    action[FRAMES] = clip['frames']
    action[EXTRAS] = json.dumps(clip['extras'], ensure_ascii=False)
    action.use_fake_user = True
    action.use_frame_range = True
    action.frame_start = 0
    action.frame_end = max(clip['frames'] - 1, 0)
    action.use_cyclic = clip['loop']
    for name, frame in events_of(clip):
        action.pose_markers.new(name).frame = frame


def events_of(clip):
    """Names and frames of what happens in a clip, in the order of the file."""
    for key, names in EVENTS.items():
        values = clip['extras'].get(key, 0)
        values = values if isinstance(values, list) else [values]
        for name, value in zip(names, values):
            if isinstance(value, (int, float)) and 0 < value < clip['frames']:
                yield name, int(value)


def add_morphs(channels, clip, mesh, keys, ratio):
    """The weights of the shape keys of a mesh: 1 for the target of a frame, 0 for all others."""
    tracks = {track['mesh']: track['keys'] for track in clip.get('morphs', [])}
    own = actions.Channels(clip['name'], keys.name, 'KEY', channels.action)
    own.action[CLIP] = clip['name']
    own.action[FPS] = clip['fps']
    for target, block in enumerate(list(keys.key_blocks)[1:]):
        rows = [[1.0 if shown == target else 0.0] for shown in tracks.get(mesh, [-1])]
        if all(row == rows[0] for row in rows):
            rows = rows[:1]
        own.add(block_path(block.name), rows)
    actions.add_track(keys, clip['name'], own, ratio)


# ---- which clip is shown ----------------------------------------------------------------------


def names_of(thing):
    """The clips of an armature, in the order of its tracks."""
    names = []
    for action, _ in actions.actions_of(thing):
        if CLIP in action and action[CLIP] not in names:
            names.append(action[CLIP])
    return names


def find(owner, clip_name):
    """The action of a clip, and its slot for an armature or shape keys; (None, None) if there is none."""
    for action, slot in actions.actions_of(owner):
        if action.get(CLIP) == clip_name:
            return action, slot
    return None, None


def shape_keys_of(thing):
    return [child.data.shape_keys for child in thing.children
            if child.type == 'MESH' and child.data.shape_keys is not None]


def show(scene, thing, clip_name):
    """Make a clip the active action of all that it moves, and give the scene its rate and range."""
    action, slot = find(thing, clip_name)
    if action is None:
        return False
    for bone in thing.pose.bones:  # what the action does not have must not stay from another
        bone.location = (0, 0, 0)
        bone.rotation_quaternion = (1, 0, 0, 0)
        bone.scale = (1, 1, 1)
    actions.assign(thing, action, slot)
    for keys in shape_keys_of(thing):
        own, own_slot = find(keys, clip_name)
        if own is not None:
            actions.assign(keys, own, own_slot)
    set_rate(scene, action.get(FPS, 30.0))
    scene.frame_start = int(action.frame_start)
    scene.frame_end = max(int(action.frame_end), scene.frame_start)
    scale_strips(thing, action.get(FPS, 30.0))
    return True


def scale_strips(thing, fps):
    for owner in [thing] + shape_keys_of(thing):
        for track in owner.animation_data.nla_tracks if owner.animation_data else ():
            for strip in track.strips:
                if strip.action is not None and FPS in strip.action:
                    strip.scale = fps / strip.action[FPS]


def set_rate(scene, fps):
    """Blender has a whole number and a divisor: 1000/55 is 18 / 0.99."""
    scene.render.fps = max(round(fps), 1)
    scene.render.fps_base = scene.render.fps / fps
