#!/bin/sh
# SPDX-License-Identifier: MIT
# Install the npm packages of a lock file: tools/npm.sh FOLDER INTO, FOLDER with package.json and
# package-lock.json, INTO outside of the source tree. Without the network when they are there.
set -eu
from=$1
into=$2

# The copy of the lock file is made last: it stands for a whole installation.
mkdir -p "$into"
if cmp -s "$from/package-lock.json" "$into/installed.json"; then exit 0; fi
rm -f "$into/installed.json"
cp "$from/package.json" "$from/package-lock.json" "$into/"
(cd "$into" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error)
cp "$from/package-lock.json" "$into/installed.json"
