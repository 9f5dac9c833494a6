#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants the faults of tests/mutants/ one at a time, and lists those that no quick test notices.

    tools/mutants.py [--jobs N] [--only REGEX] [--check]

Each worker has a copy of the tree in build/mutants/, so that the checkout is never touched. It writes
one fault into its copy, builds the programs of the tests in the order in which they are needed, and
runs the tests until one fails: first those whose names have to do with the file, then the quicker
before the slower ones. Tests that CMake calls long are run only if they have to do with the file. A
test that takes far longer than without a fault counts as failed.

--check only says whether every fault can still be planted. The exit status is 0 when every fault was
noticed, or is explained in the list; 1 when one survived; 2 when something else is wrong.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTS = os.path.join(TOP, "tests", "mutants")
WORK = os.path.join(TOP, "build", "mutants")
TESTS = r"^(test_|platform_hashes$)"
LEFT_OUT = {"build", ".git"}  # of what is at the top
MOST_MEMORY = 6 << 20  # KiB of a test: one that allocates for ever must not take the machine with it

# Tests that have to do with a folder or a file, where its own name does not tell.
ALIASES = {
    "base": "core tool",
    "codec": "core fields build vectors",
    "archive": "core inflate",
    "evil": "ei",
    "midtown": "mm",
    "vib": "vib",
    "shadow": "sotc",
    "formats": "checks probe roundtrip fields",
    "disc": "iso9660 cue",
    "lanes": "sample lanes soa",
    "sample": "sample scene",
    "import": "apply losses",
    "export": "gltf bvh csv png euler json",
    "quaternion": "blend additive sample",
    "matrix": "skin pose",
    "document": "build",
}

Mutant = collections.namedtuple("Mutant", "name path old new explained place")
Test = collections.namedtuple("Test", "name command environment folder is_long")


class Trouble(Exception):
    """Something is wrong with the list or with the build, not with the tests."""


# ---- the list --------------------------------------------------------------------------------


def parse(path):
    """The faults of one file; CONTRIBUTING.md says how they are written."""
    mutants = []
    entry = None

    def end():
        if entry is not None:
            place = "%s:%d" % (os.path.relpath(path, TOP), entry["line"])
            if not entry["-"] or (not entry["+"] and not entry["removes"]):
                raise Trouble(place + ": needs lines with - and with +")
            mutants.append(
                Mutant(
                    entry["file"] + ": " + entry["what"],
                    entry["file"],
                    "\n".join(entry["-"]),
                    "\n".join(entry["+"]),
                    " ".join(entry["="]),
                    place,
                )
            )

    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line == "" or line.startswith("#"):
                continue
            if line.startswith("@ ") and ": " in line:
                end()
                file, what = line[2:].split(": ", 1)
                entry = {"file": file, "what": what, "line": number, "removes": False}
                entry.update({"-": [], "+": [], "=": []})
            elif entry is not None and line[0] in "-+=" and line[1:2] in ("", " "):
                entry[line[0]].append(line[2:])
                if line == "+":
                    entry["removes"] = True
            else:
                raise Trouble("%s:%d: not understood: %s" % (path, number, line))
    end()
    return mutants


def read_lists():
    mutants = []
    for name in sorted(os.listdir(LISTS)):
        if name.endswith(".txt"):
            mutants += parse(os.path.join(LISTS, name))
    names = collections.Counter(mutant.name for mutant in mutants)
    for mutant in mutants:
        if names[mutant.name] > 1:
            raise Trouble("%s: the same file and words twice: %s" % (mutant.place, mutant.name))
    return mutants


def plant(text, mutant):
    """The text of the file with the fault in it."""
    found = text.count(mutant.old)
    if found != 1:
        raise Trouble("%s: found %d times in %s: %s" % (mutant.place, found, mutant.path, mutant.old))
    if mutant.old == mutant.new:
        raise Trouble(mutant.place + ": changes nothing")
    return text.replace(mutant.old, mutant.new)


def read_text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write_text(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def check_lists(mutants):
    """Each fault can be planted; all that cannot are told at once."""
    problems = []
    for mutant in mutants:
        try:
            plant(read_text(os.path.join(TOP, mutant.path)), mutant)
        except (Trouble, OSError) as problem:
            problems.append(str(problem))
    if problems:
        raise Trouble("\n".join(problems))


# ---- copies of the tree ------------------------------------------------------------------------


def files_below(top):
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if folder != top or name not in LEFT_OUT]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), top)


def same(a, b):
    if not os.path.exists(b) or os.path.getsize(a) != os.path.getsize(b):
        return False
    with open(a, "rb") as one, open(b, "rb") as other:
        return one.read() == other.read()


def copy_tree(target):
    """What is the same already keeps its time, so that it is not compiled again."""
    wanted = set(files_below(TOP))
    for name in set(files_below(target)) - wanted:
        os.remove(os.path.join(target, name))
    for name in wanted:
        source, copy = os.path.join(TOP, name), os.path.join(target, name)
        if os.path.islink(source) or same(source, copy):
            continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(source, copy)


# ---- building and running ----------------------------------------------------------------------


def run_test(test, temporary, timeout):
    """True when it passes."""
    environment = dict(os.environ, TMPDIR=temporary, **test.environment)
    limits = "ulimit -c 0 && ulimit -v %d && exec \"$@\"" % MOST_MEMORY
    child = subprocess.Popen(
        ["sh", "-c", limits, "sh"] + test.command,
        cwd=test.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return child.wait(timeout) in (0, 77)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return False


class Copy:
    """One copy of the tree and its build folder."""

    def __init__(self, number):
        self.top = os.path.join(WORK, str(number))
        self.build = os.path.join(self.top, "build", "mutants")
        self.temporary = os.path.join(self.top, "build", "tmp")
        self.tests = []

    def call(self, command, folder):
        # Paths below the copy are made relative, so that copies share what ccache keeps.
        environment = dict(os.environ, CCACHE_BASEDIR=self.top, CCACHE_NOHASHDIR="1")
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    def must(self, command, folder):
        done = self.call(command, folder)
        if done.returncode != 0:
            raise Trouble("%s failed:\n%s%s" % (" ".join(command), done.stdout, done.stderr))
        return done.stdout

    def prepare(self, jobs):
        os.makedirs(self.top, exist_ok=True)
        copy_tree(self.top)
        self.must(["cmake", "--preset", "mutants"], self.top)
        known = self.must(["ninja", "-t", "targets", "all"], self.build)
        programs = re.findall(r"^(tests/unit/test_\w+|platform_hashes): ", known, re.MULTILINE)
        self.must(["ninja", "-j", str(jobs)] + programs, self.build)
        self.list_tests()

    def list_tests(self):
        listed = json.loads(self.must(["ctest", "--show-only=json-v1", "-R", TESTS], self.build))
        self.tests = []
        for test in listed["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            variables = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
            folder = properties.get("WORKING_DIRECTORY", self.build)
            is_long = properties.get("COST", 0) > 1
            self.tests.append(Test(test["name"], test["command"], variables, folder, is_long))

    def target(self, test):
        """What ninja calls the program of a test, which a script may run."""
        for word in test.command:
            if word.startswith(self.build + os.sep):
                return os.path.relpath(word, self.build)
        raise Trouble("%s: no program of the build in %s" % (test.name, test.command))

    def measure(self, number, count):
        """The times of every so many-th test without a fault: all must pass."""
        os.makedirs(self.temporary, exist_ok=True)
        seconds = {}
        for test in self.tests[number::count]:
            start = time.monotonic()
            if not run_test(test, self.temporary, 600):
                raise Trouble(test.name + " fails without any fault planted")
            seconds[test.name] = time.monotonic() - start
        return seconds

    def who_notices(self, mutant, seconds, first):
        """The name of a test that fails with the fault planted, or None."""
        path = os.path.join(self.top, mutant.path)
        original = read_text(path)
        built = set()
        shutil.rmtree(self.temporary, ignore_errors=True)
        os.makedirs(self.temporary)
        write_text(path, plant(original, mutant))
        try:
            for test in in_order(self.tests, mutant, seconds, first):
                target = self.target(test)
                if target not in built:
                    done = self.call(["ninja", "-j1", target], self.build)
                    if done.returncode != 0:
                        raise Trouble("%s: does not compile:\n%s" % (mutant.place, done.stdout))
                    built.add(target)
                # The other workers and everything else on the machine slow a test down.
                if not run_test(test, self.temporary, 20 + 10 * seconds[test.name]):
                    return test.name
            return None
        finally:
            write_text(path, original)


def words_of(text):
    return set(re.split(r"[^a-z0-9]+", text.lower())) - {"", "test", "src", "c", "h"}


def in_order(tests, mutant, seconds, first):
    words = words_of(mutant.path)
    for word in list(words):
        words |= set(ALIASES.get(word, "").split())

    def related(test):
        return len(words & words_of(test.name))

    def key(test):
        own = words_of(os.path.basename(mutant.path)) <= words_of(test.name)
        return (test.name != first, test.is_long, not own, -related(test), seconds[test.name])

    return sorted((test for test in tests if related(test) or not test.is_long), key=key)


# ---- all of it ---------------------------------------------------------------------------------


def remembered(path):
    """Which test noticed which fault the last time: it is tried first."""
    try:
        return json.loads(read_text(path))
    except (OSError, ValueError):
        return {}


def run(mutants, jobs):
    copies = [Copy(number + 1) for number in range(jobs)]
    note_path = os.path.join(WORK, "noticed.json")
    print("mutants: build the tests in %d copies of the tree" % jobs, flush=True)
    for copy in copies:
        copy.prepare(jobs)
    seconds = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(lambda number: copies[number].measure(number, jobs), range(jobs)):
            seconds.update(part)
    print("mutants: %d tests pass without a fault" % len(seconds), flush=True)
    notes = remembered(note_path)
    free = queue.SimpleQueue()
    for copy in copies:
        free.put(copy)
    lock = threading.Lock()
    results = {}
    troubles = []

    def try_one(mutant):
        copy = free.get()
        found = None
        try:
            found = copy.who_notices(mutant, seconds, notes.get(mutant.name))
        except Trouble as trouble:
            troubles.append(str(trouble))
        finally:
            free.put(copy)
        with lock:
            results[mutant.name] = found
            print("%3d/%d %s: %s" % (len(results), len(mutants), mutant.name, found or "SURVIVED"))
            sys.stdout.flush()
            if found:
                notes[mutant.name] = found
                write_text(note_path, json.dumps(notes, indent=1))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(try_one, mutant) for mutant in mutants]
        try:
            for future in waiting:
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    if troubles:
        raise Trouble("\n".join(troubles))
    return results


def summarize(mutants, results):
    """The table, and the exit status."""
    folders = collections.defaultdict(lambda: [0, 0, 0, 0])
    failed = []
    for mutant in mutants:
        column = 1 if results[mutant.name] else 2 if mutant.explained else 3
        for row in (os.path.dirname(mutant.path), "all"):
            folders[row][0] += 1
            folders[row][column] += 1
        if column == 3:
            failed.append("survived: " + mutant.name)
        if column == 1 and mutant.explained:
            failed.append("noticed, though the list says that nothing can: " + mutant.name)
    print("%-38s %8s %8s %10s %9s" % ("", "planted", "noticed", "equivalent", "survived"))
    for row in sorted(folders, key=lambda name: (name == "all", name)):
        print("%-38s %8d %8d %10d %9d" % ((row,) + tuple(folders[row])))
    for line in failed:
        print(line)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="just the faults whose file or words match")
    parser.add_argument("--check", action="store_true", help="plant nothing; check the list")
    arguments = parser.parse_args()
    start = time.monotonic()
    try:
        mutants = read_lists()
        check_lists(mutants)
        chosen = [mutant for mutant in mutants if re.search(arguments.only, mutant.name)]
        if not chosen:
            raise Trouble("no fault matches " + arguments.only)
        if arguments.check:
            print("mutants: all %d can be planted" % len(mutants))
            return 0
        results = run(chosen, max(1, min(arguments.jobs, len(chosen))))
        status = summarize(chosen, results)
        print("mutants: %.0f s" % (time.monotonic() - start))
        return status
    except Trouble as trouble:
        print("mutants: %s" % trouble, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
