# SPDX-License-Identifier: MIT
"""The `ossa` program: where it is, and calls of it. It does all that concerns the files of games."""

import json
import os
import shutil
import subprocess
import tempfile

# What a scene depends on, of the options of `ossa convert`. They are kept in .blend files, which may come from anybody,
# so nothing else is passed on: no option that names an output.
SCENE_OPTIONS = {'boxes', 'complexion', 'dialect', 'euler', 'fps', 'in-place', 'join', 'look', 'missing', 'morph',
                 'palette', 'parts', 'root', 'scale', 'sides', 'texture', 'twist', 'unlit', 'view'}
# Those that clips depend on, so that the way back needs them, too.
CLIP_OPTIONS = {'complexion', 'dialect', 'euler', 'fps', 'in-place', 'missing', 'parts', 'root', 'scale'}


class Failed(Exception):
    """The program is not there, or it refused; the message is for the user."""


def find(preferred=''):
    """The program that the preferences name, else the one in this folder, else the one on the PATH."""
    if preferred:
        if not os.path.isfile(preferred):
            raise Failed(f'There is no file {preferred}. Choose the ossa program in the preferences of the add-on.')
        return preferred
    name = 'ossa.exe' if os.name == 'nt' else 'ossa'
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'bin', name)
    found = bundled if os.path.isfile(bundled) else shutil.which(name)
    if found is None:
        raise Failed('The ossa program was not found. Install it, or choose it in the preferences of the add-on.')
    if found == bundled and not os.access(found, os.X_OK):
        os.chmod(found, 0o755)  # archives are unpacked without such bits
    return found


def call(program, arguments):
    """Run it without a shell: status, output, and what it says about problems."""
    hidden = {'creationflags': subprocess.CREATE_NO_WINDOW} if os.name == 'nt' else {}
    try:
        done = subprocess.run([program] + arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              **hidden)
    except OSError as error:
        raise Failed(f'{program} cannot be run: {error}') from error
    messages = [line[len('ossa: '):] if line.startswith('ossa: ') else line
                for line in done.stderr.decode('utf-8', 'replace').splitlines() if line.strip()]
    return done.returncode, done.stdout.decode('utf-8', 'replace'), messages


def failure(messages):
    return Failed('\n'.join(messages[:20]) or 'ossa failed without a message.')


def parse(text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failed(f'ossa gave an answer that cannot be read: {error}') from error


def name_of(option):
    return option[2:].split('=', 1)[0] if option.startswith('--') else ''


def check_options(options):
    """Options of the form --name or --name=value, if each is one that scenes depend on."""
    for option in options:
        if name_of(option) not in SCENE_OPTIONS:
            raise Failed(f"'{option}' is not an option for scenes. There are: "
                         f"{', '.join('--' + known for known in sorted(SCENE_OPTIONS))}.")
    return list(options)


class Choice:
    """A figure that can be imported, and the inputs that it is made from."""

    def __init__(self, name, paths, clips, bones):
        self.name = name
        self.paths = paths
        self.clips = clips
        self.bones = bones


def figures(program, inputs):
    """The figures in some inputs. As in `ossa convert --all`, an input without a figure is for all of them; without any
    figure, all inputs together are one."""
    status, output, messages = call(program, ['list', '--figures', '--json', '--'] + inputs)
    if status != 0:
        raise failure(messages)
    found = [item for item in parse(output) if item['bones'] > 0]
    holders = {item['input'] for item in found}
    shared = [path for path in inputs if path not in holders]
    choices = [Choice(item['figure'], item['paths'] + shared, item['clips'], item['bones']) for item in found]
    if not choices:
        name = os.path.basename(os.path.normpath(inputs[0]))
        choices = [Choice(name, list(inputs), 0, 0)]
    used = {}
    for choice in choices:  # names are what the user chooses by
        used[choice.name] = used.get(choice.name, 0) + 1
        if used[choice.name] > 1:
            choice.name = f'{choice.name} ({used[choice.name]})'
    return choices


def convert(program, inputs, options, clips=()):
    """The scene of some inputs, and what was left out of it."""
    with tempfile.TemporaryDirectory(prefix='ossa-') as folder:
        path = os.path.join(folder, 'scene.json')
        chosen = [f'--clip={clip}' for clip in clips]
        status, _, messages = call(program, ['convert', '-q'] + check_options(options) + chosen
                                   + ['-o', path, '--'] + inputs)
        # With clips that do not fit, the rest is a scene all the same.
        if not os.path.isfile(path):
            raise failure(messages)
        with open(path, encoding='utf-8') as file:
            scene = parse(file.read())
    return scene, messages if status != 0 else []


def import_edit(program, scene, inputs, options, output, extra):
    """Bring an edited scene back into the files it was made from: the report of `ossa import`, and its messages.
    Without an output, only report."""
    with tempfile.TemporaryDirectory(prefix='ossa-') as folder:
        path = os.path.join(folder, 'edited.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(scene, file, ensure_ascii=False)
        own = [option for option in check_options(options) if name_of(option) in CLIP_OPTIONS]
        where = ['--dry-run'] if output is None else ['-o', output]
        status, text, messages = call(program, ['import', '--json'] + own + extra + where + [path, '--over'] + inputs)
    messages = [message.replace(f'{path}: ', '').replace('json: ', '', 1) for message in messages]
    if status != 0:
        raise failure(messages)
    return parse(text), messages


def summary(report):
    """The report of `ossa import` in lines for people."""
    lines = []
    for clip in report['clips']:
        if clip['state'] not in ('changed', 'new'):
            continue
        worst = clip.get('worst') or {}
        where = f" ({worst['bone']}, frame {worst['frame']})" if worst.get('bone') else ''
        lines.append(f"{clip['name']}: {clip['state']}; written within {worst.get('degrees', 0):.3g}° and "
                     f"{worst.get('millimetres', 0):.3g} mm{where}")
    changed = [file['path'] for file in report['files'] if file['state'] == 'changed']
    made = [file['path'] for file in report['files'] if file['state'] == 'new']
    for paths, what in ((changed, 'changed'), (made, 'new')):
        if paths:
            lines.append(f"{len(paths)} of {len(report['files'])} files {what}: {', '.join(paths[:5])}"
                         f"{' ...' if len(paths) > 5 else ''}")
    if not changed and not made:
        lines.append('No file was changed')
    for loss in report.get('dropped', []):
        lines.append(f"Lost: {loss['what']} of {loss['bone']}, {loss['size']:.3g}")
    return lines
