# SPDX-License-Identifier: MIT
"""Name the few inputs of a corpus that add most to what its seeds reach.

Usage: fuzz_cover.py CONTROL_FILE MOST     CONTROL_FILE is that of libFuzzer's -set_cover_merge=1: the number
of inputs, the number of seeds among them, their paths, and a line "FT INDEX FEATURE..." for each.
Merging keeps all that add anything; this chooses again, the best one first."""
import sys

LEAST = 3  # what reaches only one or two new edges is not worth a file


def main():
    with open(sys.argv[1], encoding="utf-8") as control:
        lines = control.read().splitlines()
    total, seeds = int(lines[0]), int(lines[1])
    paths = lines[2 : 2 + total]
    reached = set()
    candidates = {}
    for line in lines[2 + total :]:
        words = line.split()
        if not words or words[0] != "FT":
            continue
        features = set(map(int, words[2:]))
        if int(words[1]) < seeds:
            reached |= features
        else:
            candidates[paths[int(words[1])]] = features
    for _ in range(int(sys.argv[2])):
        best = max(candidates, key=lambda path: len(candidates[path] - reached), default=None)
        if best is None or len(candidates[best] - reached) < LEAST:
            break
        reached |= candidates.pop(best)
        print(best)


main()
