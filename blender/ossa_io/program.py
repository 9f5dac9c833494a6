# SPDX-License-Identifier: MIT
"""The ossa program as the preferences have it."""

import bpy

from . import tool


def find(context):
    addon = context.preferences.addons.get(__package__)
    preferred = addon.preferences.executable if addon is not None and addon.preferences is not None else ''
    return tool.find(bpy.path.abspath(preferred) if preferred else '')
