# SPDX-License-Identifier: MIT
"""python3 package.py OUT.zip [OSSA [NOTICES]]

The add-on as a file that Blender installs, with the program OSSA in it if one is given, and NOTICES, the licences of the
libraries that it contains. The same input gives the same bytes on every machine: names in order, no times, nothing
compressed, since that depends on the version of zlib."""

import os
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ADDON = 'ossa_io'


def add(archive, name, path, mode):
    entry = zipfile.ZipInfo(f'{ADDON}/{name}', (1980, 1, 1, 0, 0, 0))
    entry.create_system = 3  # Unix: this is where the mode counts
    entry.external_attr = (0o100000 | mode) << 16
    with open(path, 'rb') as file:
        archive.writestr(entry, file.read(), zipfile.ZIP_STORED)


def package(output, program=None, notices=None):
    folder = os.path.join(HERE, ADDON)
    names = sorted(name for name in os.listdir(folder) if name.endswith(('.py', '.toml')))
    with zipfile.ZipFile(output, 'w') as archive:
        for name in names:
            add(archive, name, os.path.join(folder, name), 0o644)
        add(archive, 'LICENSE', os.path.join(os.path.dirname(HERE), 'LICENSE'), 0o644)
        if notices is not None:
            add(archive, 'NOTICES.txt', notices, 0o644)
        if program is not None:
            is_windows = program.lower().endswith('.exe')
            add(archive, 'bin/ossa.exe' if is_windows else 'bin/ossa', program, 0o755)


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    package(*sys.argv[1:])
