#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Readers of the games' archives that share nothing with Ossa: written from descriptions of the formats, and
looking names up as the games do. ZIPs are left to Python's own module.

    read_archives.py ARCHIVE FOLDER    extract all entries, as files of FOLDER

Exit status 1 and a message: the archive breaks a rule, or the game would not find a name."""

import os
import struct
import sys
import zipfile
import zlib


def need(ok, message):
    if not ok:
        sys.exit(f"{sys.argv[1]}: {message}")


def text_at(data, at):
    return data[at:data.index(b"\0", at)]


def read_res(data):
    """Evil Islands: a table that is hashed by the sum of a name's letters."""
    count, table, names_size = struct.unpack_from("<3I", data, 4)
    names = table + 22 * count
    need(names + names_size == len(data), "the names do not end the file")
    rows = [struct.unpack_from("<iIIIHI", data, table + 22 * i) for i in range(count)]

    def name_of(row):
        return data[names + row[5]:names + row[5] + row[4]]

    for row in rows:
        name = name_of(row)
        lowered = bytes(c + 32 if 65 <= c <= 90 else c for c in name)
        slot = sum(c - 256 if c > 127 else c for c in lowered) % count
        steps = 0
        while rows[slot] is not row:
            slot = rows[slot][0]
            steps += 1
            need(0 <= slot < count and steps <= count, f"the game does not find {name!r}")
        need(row[2] % 16 == 0, f"{name!r} is not aligned")
    order = sorted(rows, key=lambda row: row[2])
    return [(name_of(row).decode("cp1251"), data[row[2]:row[2] + row[1]]) for row in order]


def read_pak(data):
    """Vib-Ribbon: offsets, then name, length and data of each."""
    (count,) = struct.unpack_from("<I", data, 0)
    entries = []
    end = 4 + 4 * count
    for i in range(count):
        (at,) = struct.unpack_from("<I", data, 4 + 4 * i)
        need(at == end, f"entry {i} does not follow the one before")
        name = text_at(data, at)
        at += (len(name) // 4 + 1) * 4
        (size,) = struct.unpack_from("<I", data, at)
        entries.append((name.decode("latin-1"), data[at + 4:at + 4 + size]))
        end = (at + 4 + size + 3) // 4 * 4
    need(end == len(data), "the entries do not fill the file")
    return entries


def read_ares(data):
    """The first Midtown Madness: a tree; a game asks for each name by binary search."""
    count, roots, names_size = struct.unpack_from("<3I", data, 4)
    names = 16 + 12 * count
    entries = []

    def name_of(words):
        number = str(words[2] >> 1 & 0x1FFF).encode()
        name = text_at(data, names + (words[2] >> 14)).replace(b"\1", number)
        extension = words[1] >> 23
        return name + b"." + text_at(data, names + extension) if extension else name

    def node(i):
        need(i < count, "a node that does not exist")
        return struct.unpack_from("<3I", data, 16 + 12 * i)

    def find(name, first, number):
        low, high = first, first + number
        while low < high:
            middle = (low + high) // 2
            if name_of(node(middle)) < name:
                low = middle + 1
            else:
                high = middle
        return low

    def walk(first, number, path):
        for i in range(first, first + number):
            words = node(i)
            name = name_of(words)
            need(name == name.upper(), f"{name!r} is not in upper case")
            need(find(name, first, number) == i, f"the game does not find {name!r}")
            size = words[1] & 0x7FFFFF
            whole = path + name.decode("latin-1")
            if words[2] & 1:
                walk(words[0], size, whole + "/")
            else:
                need(words[0] + size <= len(data), f"{whole} is not all there")
                entries.append((whole, data[words[0]:words[0] + size]))

    need(names + names_size <= len(data), "the names are not all there")
    walk(0, roots, "")
    return entries


def read_dave(data):
    """The second Midtown Madness: sorted paths; data is stored or a raw DEFLATE stream."""
    count, table_size, names_size = struct.unpack_from("<3I", data, 4)
    need(16 * count <= table_size, "the table is too small")
    names = 0x800 + table_size
    entries = []
    before = b""
    for i in range(count):
        name_at, offset, size, stored = struct.unpack_from("<4I", data, 0x800 + 16 * i)
        need(name_at < names_size, "a name outside the names")
        name = text_at(data, names + name_at)
        key = name.lower().replace(b"\\", b"/")
        need(before < key, f"the game does not find {name!r}")
        before = key
        need(stored == 0 or offset % 0x800 == 0, f"{name!r} is not aligned")
        bytes_ = data[offset:offset + stored]
        if stored != size:
            bytes_ = zlib.decompress(bytes_, -15)
        need(len(bytes_) == size, f"{name!r} has {len(bytes_)} bytes, expected {size}")
        entries.append((name.decode("latin-1"), bytes_))
    return entries


def read_zip(path):
    with zipfile.ZipFile(path) as archive:
        need(archive.testzip() is None, "a checksum is wrong")
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def main():
    path, folder = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    readers = {b"\x3c\xe2\x9c\x01": read_res, b"ARES": read_ares, b"DAVE": read_dave}
    if data[:2] == b"PK":
        entries = read_zip(path)
    else:
        entries = readers.get(data[:4], read_pak)(data)
    for name, contents in entries:
        target = os.path.join(folder, *name.replace("\\", "/").split("/"))
        if name.endswith(("/", "\\")):
            os.makedirs(target, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(contents)


main()
