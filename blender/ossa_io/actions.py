# SPDX-License-Identifier: MIT
"""Actions, whatever the version of Blender has for them.

Before 4.4 an action has curves for one data-block. Since then it has a slot per data-block, with a bag of curves
each; 5.0 has removed `Action.fcurves`. Nothing outside this file knows the difference."""

import bpy

CONSTANT, LINEAR = 'CONSTANT', 'LINEAR'


def has_slots():
    return bpy.app.version >= (4, 4, 0)


class Channels:
    """The curves of one action for one data-block, while they are made. Of actions without slots, a clip
    has one action per data-block."""

    def __init__(self, clip_name, owner_name, id_type, action=None):
        self.slot = None
        if not has_slots():
            self.action = bpy.data.actions.new(clip_name if id_type == 'OBJECT' else f'{clip_name} {owner_name}')
            self.action.id_root = id_type
            return
        self.action = action or bpy.data.actions.new(clip_name)
        self.slot = self.action.slots.new(id_type=id_type, name=owner_name)
        layer = self.action.layers[0] if self.action.layers else self.action.layers.new('Layer')
        strip = layer.strips[0] if layer.strips else layer.strips.new(type='KEYFRAME')
        self.bag = strip.channelbag(self.slot, ensure=True)

    def new_curve(self, path, index, group):
        if self.slot is None:
            return self.action.fcurves.new(path, index=index, action_group=group)
        curve = self.bag.fcurves.new(path, index=index)
        if group:
            curve.group = self.bag.groups.get(group) or self.bag.groups.new(group)
        return curve

    def add(self, path, rows, times=None, interpolation=LINEAR, group=''):
        """One curve per number of a row, with one key per row: at frames 0, 1, ..., or at `times`."""
        times = times or range(len(rows))
        for index in range(len(rows[0])):
            curve = self.new_curve(path, index, group)
            fill(curve, times, [row[index] for row in rows], interpolation)


def fill(curve, times, values, interpolation):
    points = curve.keyframe_points
    points.add(len(values))
    points.foreach_set('co', [number for key in zip(times, values) for number in key])
    kind = bpy.types.Keyframe.bl_rna.properties['interpolation'].enum_items[interpolation].value
    points.foreach_set('interpolation', [kind] * len(values))
    curve.update()


def add_track(owner, name, channels, is_scaled_by=1.0):
    """A track of the NLA for a clip; muted, because all tracks cover the same frames."""
    animation = owner.animation_data or owner.animation_data_create()
    track = animation.nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, 0, channels.action)
    strip.name = name
    if channels.slot is not None:
        strip.action_slot = channels.slot
    strip.scale = is_scaled_by
    track.mute = True
    return track


def assign(owner, action, slot):
    animation = owner.animation_data or owner.animation_data_create()
    animation.action = action
    if action is not None and slot is not None:
        animation.action_slot = slot


def slot_of_strip(strip):
    return strip.action_slot if has_slots() else None


def active_of(owner):
    """The active action and its slot; None if there is none."""
    animation = owner.animation_data
    if animation is None or animation.action is None:
        return None
    return animation.action, animation.action_slot if has_slots() else None


def actions_of(owner):
    """Every action that a data-block uses, active or in its tracks, with its slot; each once."""
    if owner.animation_data is None:
        return []
    animation = owner.animation_data
    found = []
    for track in animation.nla_tracks:
        for strip in track.strips:
            if strip.action is not None and all(strip.action != known for known, _ in found):
                found.append((strip.action, slot_of_strip(strip)))
    active = active_of(owner)
    if active is not None and all(active[0] != known for known, _ in found):
        found.append(active)
    return found


def curves_of(action, slot):
    """The curves for a slot by data path and index; those of an action without slots are all there are."""
    if not has_slots():
        return {(curve.data_path, curve.array_index): curve for curve in action.fcurves}
    curves = {}
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot) if slot is not None else None
            for curve in bag.fcurves if bag is not None else ():
                curves[curve.data_path, curve.array_index] = curve
    return curves
