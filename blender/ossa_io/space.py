# SPDX-License-Identifier: MIT
"""Rotations, and the way between Ossa's space and Blender's.

A scene of Ossa has +Y up, Blender has +Z up: (x, y, z) becomes (x, -z, y). Everything is computed in
Python's own floats of 64 bits, because mathutils has 32 bits, and keys would not survive the trip.
Quaternions are (w, x, y, z), as in Blender; scene JSON has (x, y, z, w)."""

import math

IDENTITY = (1.0, 0.0, 0.0, 0.0)
TO_BLENDER = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # a quarter of a full rotation about X


def from_json(rotation):
    x, y, z, w = rotation
    return normalized((w, x, y, z))


def to_json(rotation):
    w, x, y, z = rotation
    return [x, y, z, w]


def to_blender(vector):
    return (vector[0], -vector[2], vector[1])


def multiply(a, b):
    """First b, then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw)


def inverse(rotation):
    w, x, y, z = rotation
    return (w, -x, -y, -z)


def normalized(rotation):
    length = math.sqrt(sum(part * part for part in rotation))
    return tuple(part / length for part in rotation) if length > 0.0 else IDENTITY


def rotate(rotation, vector):
    w, x, y, z = rotation
    vx, vy, vz = vector
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return (vx + w * tx + y * tz - z * ty,
            vy + w * ty + z * tx - x * tz,
            vz + w * tz + x * ty - y * tx)


def angle_between(a, b):
    """In radians. The chord, because the cosine of a small angle has no digits left."""
    chord = min(math.dist(a, b), math.dist(a, tuple(-part for part in b)))
    return 4.0 * math.asin(min(chord / 2.0, 1.0))


def near(rotation, other):
    """Of the two quaternions for a rotation, the one that is nearer to another quaternion."""
    if sum(a * b for a, b in zip(rotation, other)) < 0.0:
        return tuple(-part for part in rotation)
    return rotation


def from_matrix(matrix):
    """The rotation of the upper left 3 by 3 of a matrix, given by rows, without scale."""
    (a, b, c), (d, e, f), (g, h, i) = (tuple(row)[:3] for row in tuple(matrix)[:3])
    candidates = ((1.0 + a + e + i, h - f, c - g, d - b),
                  (h - f, 1.0 + a - e - i, b + d, c + g),
                  (c - g, b + d, 1.0 - a + e - i, f + h),
                  (d - b, c + g, f + h, 1.0 - a - e + i))
    largest = max(range(4), key=lambda k: candidates[k][k])
    return normalized(candidates[largest])


def shortest(direction):
    """The smallest rotation that takes +Y to a direction."""
    x, y, z = unit(direction)
    if y < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    return normalized((1.0 + y, z, 0.0, -x))


def snapped(rotation, tolerance):
    """The rotation among the 24 that map axes to axes, if it is nearer than a tolerance; else None."""
    half = math.sqrt(0.5)
    steps = (0.0, 0.5, half, 1.0)
    parts = []
    for part in rotation:
        step = min(steps, key=lambda value: abs(abs(part) - value))
        parts.append(math.copysign(step, part))
    found = normalized(parts)
    if abs(sum(part * part for part in parts) - 1.0) > 1e-6 or angle_between(found, rotation) > tolerance:
        return None
    return found


def permute(axes, scale):
    """A scale along other axes: `axes` maps axes to axes."""
    moved = []
    for k in range(3):
        axis = rotate(axes, tuple(1.0 if j == k else 0.0 for j in range(3)))
        moved.append(sum(abs(round(axis[j])) * scale[j] for j in range(3)))
    return tuple(moved)


def unit(vector):
    length = math.sqrt(sum(part * part for part in vector))
    return tuple(part / length for part in vector) if length > 0.0 else (0.0, 1.0, 0.0)


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(vector, factor):
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)


def is_uniform(scale, tolerance=1e-6):
    return max(scale) - min(scale) <= tolerance * max(1.0, abs(scale[0]))
