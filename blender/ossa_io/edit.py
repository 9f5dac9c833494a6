# SPDX-License-Identifier: MIT
"""The clips of an edited armature as scene JSON.

The scene of the originals is the pattern: a value that is still what the import made of it is written as the original
number, so that a clip that nobody edited comes out as it went in, digit for digit."""

import math

from . import actions, armature, clips, motion, shapes, space

# Below what `ossa import` takes for a change, and above what Blender's floats lose.
SAME_RADIANS = math.radians(0.001)
SAME_PART = 5e-6

# What an edit says nothing about.
LEFT_OUT = {'materials', 'textures', 'variants'}

DEFAULTS = {'rotation_quaternion': (1.0, 0.0, 0.0, 0.0), 'location': (0.0, 0.0, 0.0), 'scale': (1.0, 1.0, 1.0)}


class NewClip:
    """The active action as a clip that the game does not have, modelled on one that it has."""

    def __init__(self, name, like=''):
        self.name = name
        self.like = like


class NoClip(Exception):
    """What is to become a clip cannot."""


def edited_scene(context, thing, scene, new=None):
    """Scene JSON with the bones of `scene` and the clips of the armature, and notes for the user. Meshes are
    in it only if clips show morph targets."""
    names = armature.find_names(thing, scene)
    spaces = armature.bone_spaces(thing, scene, names)
    originals = {clip['name']: clip for clip in scene['clips']}
    morphs = shapes.Shapes(thing, scene)
    notes = unknown_bones(thing, names) + morphs.notes
    found = {}
    active = thing.animation_data.action if new is not None and thing.animation_data is not None else None
    for action, slot in actions.actions_of(thing):
        name = action.get(clips.CLIP)
        if action == active and (name is None or name in found):
            continue
        if name is None:
            notes.append(f'The action {action.name} was not imported as a clip, and is left out.')
        elif name not in originals:
            notes.append(f'The original files have no clip {name} any more; the action {action.name} is left out.')
        elif name in found:
            notes.append(f'Two actions are the clip {name}; {action.name} is left out.')
        else:
            sampler = sampler_for(context, thing, names, action, slot)
            found[name] = edit_clip(originals[name], action, sampler, spaces, names)
            add_morphs(found[name], originals[name], action, morphs)
    made = []
    if new is not None:
        made = [new_clip(context, thing, scene, names, spaces, new)]
    document = {key: value for key, value in scene.items() if key not in LEFT_OUT}
    document.update(clips=[found[clip['name']] for clip in scene['clips'] if clip['name'] in found] + made,
                    meshes=morphs.meshes if morphs.morphed else [], cameras=[])
    return document, notes


def new_clip(context, thing, scene, names, spaces, new):
    active = actions.active_of(thing)
    pattern = next((clip for clip in scene['clips'] if clip['name'] == new.like or not new.like), None)
    if active is None:
        raise NoClip('The armature has no active action that could become a clip.')
    if pattern is None:
        raise NoClip(f'There is no clip {new.like} to model the new one on.')
    if any(clip['name'] == new.name for clip in scene['clips']):
        raise NoClip(f'There is a clip {new.name} already.')
    sampler = sampler_for(context, thing, names, *active)
    made = edit_clip(dict(pattern, name=new.name), active[0], sampler, spaces, names)
    made.pop('morphs', None)
    return made


def add_morphs(edited, clip, action, morphs):
    edited.pop('morphs', None)
    tracks = morphs.tracks(clip, *length_of(action, clip)) if morphs.morphed else []
    if tracks:
        edited['morphs'] = tracks


def unknown_bones(thing, names):
    extra = sorted({bone.name for bone in thing.data.bones} - set(names))
    return [f"Bones that the game does not have are left out: {', '.join(extra)}."] if extra else []


# ---- what Blender shows -----------------------------------------------------------------------


def sampler_for(context, thing, names, action, slot):
    """Curves have the exact values. With constraints they are not the whole truth: then the evaluated pose is taken."""
    if any(bone.constraints for bone in thing.pose.bones):
        return PoseSampler(context, thing, names, action, slot)
    return CurveSampler(names, action, slot)


class CurveSampler:
    def __init__(self, names, action, slot):
        self.paths = [clips.bone_path(name) for name in names]
        self.curves = actions.curves_of(action, slot)

    def begin(self, frame):
        self.frame = frame

    def end(self):
        pass

    def value(self, path, index, default):
        curve = self.curves.get((path, index))
        return default if curve is None else curve.evaluate(self.frame)

    def pose(self, bone):
        values = []
        for kind, default in DEFAULTS.items():
            path = f'{self.paths[bone]}.{kind}'
            values.append(tuple(self.value(path, index, part) for index, part in enumerate(default)))
        return space.normalized(values[0]), values[1], values[2]

    def visibility(self, bone):
        return self.value(f'{self.paths[bone]}["{clips.VISIBLE}"]', 0, None)


class PoseSampler(CurveSampler):
    """The pose as constraints and drivers leave it."""

    def __init__(self, context, thing, names, action, slot):
        super().__init__(names, action, slot)
        self.context, self.thing, self.names = context, thing, names
        self.before = actions.active_of(thing) or (None, None)
        self.frame_before = context.scene.frame_current
        actions.assign(thing, action, slot)

    def begin(self, frame):
        super().begin(frame)
        self.context.scene.frame_set(math.floor(frame))
        evaluated = self.thing.evaluated_get(self.context.evaluated_depsgraph_get())
        self.bones = evaluated.pose.bones

    def end(self):
        actions.assign(self.thing, *self.before)
        self.context.scene.frame_set(self.frame_before)

    def pose(self, bone):
        shown = self.bones[self.names[bone]]
        matrix = shown.bone.convert_local_to_pose(
            shown.matrix, shown.bone.matrix_local, invert=True,
            **({'parent_matrix': shown.parent.matrix, 'parent_matrix_local': shown.parent.bone.matrix_local}
               if shown.parent is not None else {}))
        location, rotation, scale = matrix.decompose()
        return space.normalized(tuple(rotation)), tuple(location), tuple(scale)


# ---- a clip -----------------------------------------------------------------------------------


def length_of(action, clip):
    """The first frame and the number of frames: an action's manual range is the length of the clip. Without one,
    a clip has the length that it had, and a new one that of its keys."""
    if not action.use_frame_range and action.get(clips.CLIP) == clip['name']:
        return 0, clip['frames']
    first, last = action.frame_range
    return round(first), max(round(last) - round(first) + 1, 1)


def edit_clip(clip, action, sampler, spaces, names):
    first, frames = length_of(action, clip)
    tracks = motion.Tracks(clip)
    imported = [motion.poses_in_blender(tracks, bone, spaces[bone]) for bone in range(len(spaces))]
    rows = {'rotations': [], 'translations': [], 'scales': [], 'visibilities': []}
    columns = [[] for _ in spaces]
    try:
        for frame in range(frames):
            sampler.begin(first + frame)
            for bone, bone_space in enumerate(spaces):
                columns[bone].append(edit_pose(tracks, bone, frame, imported[bone], sampler, bone_space, names))
    finally:
        sampler.end()
    for bone, column in enumerate(columns):
        constant = clip['constant'][bone]
        for part, (kind, value) in enumerate((('rotations', constant['rotation']),
                                              ('translations', constant['translation']),
                                              ('scales', constant['scale']),
                                              ('visibilities', constant['visible']))):
            keys = [values[part] for values in column]
            if bone in getattr(tracks, kind) or any(key != value for key in keys):
                rows[kind].append({'bone': bone, 'keys': keys})
    return dict(clip, **rows, frames=frames)


def edit_pose(tracks, bone, frame, imported, sampler, bone_space, names):
    """Rotation, translation, scale and visibility of a bone in a frame, as scene JSON has them."""
    shown = sampler.pose(bone)
    meant = None
    rotation = translation = scale = None
    if frame < tracks.frames:
        meant = imported[min(frame, len(imported) - 1)]
        originals = original_values(tracks, bone, frame)
        if space.angle_between(shown[0], space.normalized(meant[0])) <= SAME_RADIANS:
            rotation = originals[0]
        if is_same(shown[1], meant[1]):
            translation = originals[1]
        if is_same(shown[2], meant[2]):
            scale = originals[2]
    if rotation is None or translation is None or scale is None:
        try:
            back = bone_space.to_ossa(shown)
        except ValueError as error:
            raise armature.RestChanged(f'The bone {names[bone]} cannot be exported: {error}.') from error
        rotation = space.to_json(back[0]) if rotation is None else rotation
        translation = list(back[1]) if translation is None else translation
        scale = list(back[2]) if scale is None else scale
    seen = sampler.visibility(bone)
    if seen is None:
        seen = tracks.is_visible(bone, min(frame, tracks.frames - 1))
    return rotation, translation, scale, seen if isinstance(seen, bool) else seen >= 0.5


def original_values(tracks, bone, frame):
    constant = tracks.clip['constant'][bone]
    return (tracks.rotations[bone][frame] if bone in tracks.rotations else constant['rotation'],
            tracks.translations[bone][frame] if bone in tracks.translations else constant['translation'],
            tracks.scales[bone][frame] if bone in tracks.scales else constant['scale'])


def is_same(a, b):
    return all(abs(x - y) <= SAME_PART * max(1.0, abs(y)) for x, y in zip(a, b))
