#!/bin/sh
# SPDX-License-Identifier: MIT
# Try the files of a release as their users do: tools/check-dist.sh [FOLDER [JOBS]]
# FOLDER (build/dist) is what tools/dist.sh made of the last commit. What cannot be tried here is said.
# The empty Debian is kept in build/debian-SUITE.tar.
# shellcheck disable=SC2016 # what stands in single quotes is for another program
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
dist=$(cd "${1:-build/dist}" && pwd) || { echo "check-dist: make dist comes first" >&2; exit 1; }
jobs=${2:-$(nproc 2>/dev/null || echo 1)}
work=$root/build/check-dist
version=$(sed -n 's/^.*  ossa-\([0-9.]*\)\.tar\.gz$/\1/p' "$dist/SHA256SUMS")
name=ossa-$version
skipped=0

say() { echo "check-dist: $*"; }
skip() { say "SKIPPED: $*"; skipped=$((skipped + 1)); }
fail() { say "$*" >&2; exit 1; }
logged() { # COMMAND...
    "$@" >>"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "'$*' failed; see $work/log"; }
}

# Every package makes the same page of the same files.
compare_page() { # PAGE WHAT
    grep -q 'id="ossa-data"' "$1" || fail "$2: ossa view made a page without files"
    if [ -e "$work/page.html" ]; then
        cmp "$1" "$work/page.html" || fail "$2: ossa view made another page than the first package"
    else
        cp "$1" "$work/page.html"
    fi
    say "$2: ossa view works ($(stat -c %s "$1") bytes)"
}
check_version() { # WHAT OUTPUT
    case $2 in
    "ossa $version"*) ;;
    *) fail "$1: '$2' is not version $version" ;;
    esac
}

check_sums() {
    (cd "$dist" && sha256sum -c --quiet --strict SHA256SUMS) || fail "SHA256SUMS do not match"
    for file in "$dist"/*; do
        case ${file##*/} in SHA256SUMS) continue ;; esac
        grep -q "  ${file##*/}\$" "$dist/SHA256SUMS" || fail "SHA256SUMS lack ${file##*/}"
    done
    say "SHA256SUMS: $(wc -l <"$dist/SHA256SUMS") files match"
}

# Without a network, and where npm, node and clang fail.
check_source() {
    tar -xzf "$dist/$name.tar.gz" -C "$work"
    mkdir "$work/none"
    for program in npm node clang wasm-ld; do
        printf '#!/bin/sh\necho "%s was called" >&2\nexit 1\n' "$program" >"$work/none/$program"
        chmod +x "$work/none/$program"
    done
    alone=
    if unshare -n true 2>/dev/null; then
        alone='unshare -n'
    elif unshare -rn true 2>/dev/null; then
        alone='unshare -rn'
    else
        skip "source: the network cannot be taken away here (unshare -n)"
    fi
    for step in "-S . -B build -DCMAKE_INSTALL_PREFIX=$work/installed" "--build build -j $jobs" '--install build'; do
        # shellcheck disable=SC2086 # words
        (cd "$work/$name" && PATH=$work/none:$PATH logged $alone cmake $step)
    done
    check_version source "$("$work/installed/bin/ossa" --version)"
    (cd "$work/$name/samples" && "$work/installed/bin/ossa" view troll -o "$work/source.html" >/dev/null)
    compare_page "$work/source.html" "source, installed"
    (cd "$work/$name/samples" && ../build/ossa view troll -o "$work/source-built.html" >/dev/null)
    compare_page "$work/source-built.html" "source, not installed"
}

# An empty Debian of this machine's release in $debian.
make_debian() {
    debian=
    # shellcheck disable=SC1091 # of the machine
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null |
        awk -v suite="$suite" '$2 == suite { print $1; exit }')
    PATH=$PATH:/usr/sbin:/sbin
    if ! unshare -mpf --mount-proc chroot / true 2>/dev/null; then
        skip "static program and Debian packages in an empty Debian: chroot and unshare -m need root"
        return
    fi
    archive=$root/build/debian-$suite.tar
    if [ ! -e "$archive" ]; then
        say "debootstrap $suite"
        logged debootstrap --variant=minbase "$suite" "$work/debootstrap" "$mirror"
        tar -C "$work/debootstrap" --one-file-system -cf "$archive.new" .
        mv "$archive.new" "$archive"
        rm -rf --one-file-system "$work/debootstrap"
    fi
    debian=$work/debian
    mkdir "$debian"
    tar -C "$debian" -xpf "$archive"
    echo "deb $mirror $suite main" >"$debian/etc/apt/sources.list"
    cp /etc/resolv.conf "$debian/etc/"
    mkdir "$debian/try"
    cp -R "$work/$name/samples/troll" "$debian/try/"
}
# With a /proc of its own, which ends with the command.
inside() { # SHELL COMMAND
    unshare -mpf --mount-proc="$debian/proc" chroot "$debian" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} sh -ec "cd /try; $1"
}

check_linux() {
    tar -xzf "$dist/$name-linux-x86_64.tar.gz" -C "$debian/opt"
    tool=/opt/$name-linux-x86_64/bin/ossa
    check_version "static program" "$(inside "$tool --version")"
    inside "$tool view troll -o static.html >/dev/null"
    compare_page "$debian/try/static.html" "static program"
}

check_debs() {
    cp "$dist"/*.deb "$debian/try/"
    logged inside 'apt-get update && apt-get install -y --no-install-recommends ./ossa_*.deb'
    check_version "package ossa" "$(inside 'ossa --version')"
    inside 'ossa view troll -o deb.html >/dev/null'
    compare_page "$debian/try/deb.html" "package ossa"
    inside 'gzip -dc /usr/share/man/man1/ossa.1.gz | grep -q "^.TH OSSA 1"' || fail "package ossa: no man page"
    inside 'test -z "$(dpkg --verify ossa)"' || fail "package ossa: md5sums do not match"
    logged inside 'apt-get install -y --no-install-recommends gcc libc6-dev pkg-config ./libossa*.deb'
    cat >"$debian/try/program.c" <<'PROGRAM'
#include <ossa/ossa.h>
#include <stdio.h>
int main(void)
{
    ossa_error error;
    ossa_file *file = ossa_read("no file of a game", 17, NULL, &error);
    printf("%s %d\n", ossa_version_text(), file == NULL);
    return 0;
}
PROGRAM
    inside 'gcc program.c $(pkg-config --cflags --libs ossa) -o shared'
    inside 'gcc -static program.c $(pkg-config --static --cflags --libs ossa) -o static'
    inside 'ldd shared | grep -q libossa.so.0' || fail "libossa-dev: the program does not use the shared library"
    for program in shared static; do
        [ "$(inside "./$program")" = "$version 1" ] || fail "libossa-dev: the $program program fails"
    done
    inside 'rm -rf /opt/* && apt-get -y -q purge ossa libossa-dev "libossa0*" >/dev/null 2>&1 && test ! -e /usr/share/ossa' ||
        fail "packages: something is left after purging"
    say "packages: installed, used with pkg-config (shared and --static), purged"
}

check_lintian() {
    as_root=
    [ "$(id -u)" -ne 0 ] || as_root=--allow-root
    lintian $as_root --fail-on error,warning "$dist"/*.deb || fail "lintian complains"
    say "packages: lintian has nothing to say"
}

check_npm() {
    project=$work/project
    mkdir "$project"
    cd "$project"
    echo '{ "private": true, "type": "module" }' >package.json
    logged npm install --offline --no-audit --no-fund "$dist/$name.tgz"
    cat >use.js <<'PROGRAM'
// Prints the same in Node and in a browser.
export async function use(load, wasm, files) {
  const ossa = await load(wasm);
  const workspace = ossa.workspace();
  for (const [path, bytes] of files) workspace.add(path, bytes);
  const scene = workspace.scene(['troll']);
  return `${ossa.version}: ${scene.bones.length} bones, ${scene.clips.length} clips, ${scene.glb().length} bytes`;
}
PROGRAM
    cat >node.js <<'PROGRAM'
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'ossa';
import { use } from './use.js';
const folder = process.argv[2];
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.map(({ path, name }) => [`troll${path.slice(folder.length)}/${name}`, readFileSync(`${path}/${name}`)]);
if (process.argv[3] === 'embed') console.log(JSON.stringify(bytes.map(([path, data]) => [path, [...data]])));
else console.log(await use(load, undefined, bytes));
PROGRAM
    node node.js "$work/$name/samples/troll" >node.txt
    grep -q "^$version: [1-9]" node.txt || fail "npm package: in Node it prints '$(cat node.txt)'"
    say "npm package: in Node, $(cat node.txt)"

    # For a browser, with the module inside and beside the script.
    { printf 'const files = '; node node.js "$work/$name/samples/troll" embed; } >browser.js
    cat >>browser.js <<'PROGRAM'
import { load } from 'ossa';
import wasm from 'ossa/ossa.wasm';
import { use } from './use.js';
use(load, wasm, files.map(([path, data]) => [path, new Uint8Array(data)]))
  .then((text) => { globalThis.document ? fetch('/', { method: 'POST', body: text }) : console.log(text); });
PROGRAM
    esbuild=$root/build/web/npm/node_modules/.bin/esbuild
    logged "$esbuild" browser.js --bundle --platform=browser --format=iife --target=es2022 \
        --loader:.wasm=binary --outfile=bundle.js
    logged "$esbuild" browser.js --bundle --platform=browser --format=esm --loader:.wasm=file --outdir=beside
    [ "$(find beside -name '*.wasm' | wc -l)" -eq 1 ] || fail "npm package: esbuild does not copy ossa.wasm"
    node bundle.js | cmp - node.txt || fail "npm package: the bundle prints something else"
    say "npm package: bundled by esbuild for browsers, the same in Node"
    if command -v chromium >/dev/null; then
        echo '<!DOCTYPE html><script type="module" src="browser.js"></script>' >beside/index.html
        cat >serve.js <<'PROGRAM'
// Serves the page to Chromium, and prints what it sends back.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    for await (const text of request) process.stdout.write(`${text}\n`);
    browser.kill();
    process.exit(0);
  }
  const name = request.url === '/' ? 'index.html' : request.url.slice(1);
  const type = types[name.split('.').pop()];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(readFileSync(`beside/${name}`));
});
let browser;
server.listen(0, '127.0.0.1', () => {
  browser = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${process.argv[2]}`,
    `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
});
setTimeout(() => { browser.kill(); process.exit(1); }, 120000);
PROGRAM
        node serve.js "$work/chromium" >browser.txt || fail "npm package: no answer from Chromium"
        cmp browser.txt node.txt || fail "npm package: Chromium sends '$(cat browser.txt)'"
        say "npm package: the same in Chromium"
    else
        skip "npm package in a browser: there is no Chromium"
    fi

    # Nobody is logged in here; all other warnings count.
    tar -xzf "$dist/$name.tgz"
    (cd package && npm publish --dry-run >"$work/publish.log" 2>&1) || fail "npm publish --dry-run fails; see $work/publish.log"
    if grep -i '^npm warn' "$work/publish.log" | grep -v 'requires you to be logged in\|user config'; then
        fail "npm publish --dry-run warns"
    fi
    say "npm package: npm publish --dry-run is clean"
    cd "$root"
}

# The program of an add-on is found and runs.
check_blender() {
    mkdir "$work/blender"
    unzip -q "$dist/$name-blender-linux-x86_64.zip" -d "$work/blender"
    check_version "add-on for Blender" "$(cd "$work/blender/ossa_io" &&
        PATH=/usr/bin:/bin python3 -c 'import subprocess, tool; subprocess.run([tool.find(), "--version"], check=True)')"
    [ -s "$work/blender/ossa_io/NOTICES.txt" ] || fail "add-on for Blender: no NOTICES.txt"
    say "add-on for Blender: its program runs"
}

check_windows() {
    unzip -q "$dist/$name-windows-x86_64.zip" -d "$work"
    folder=$work/$name-windows-x86_64
    unzip -q "$folder/ossa-blender.zip" -d "$work/blender-windows"
    cmp "$folder/ossa.exe" "$work/blender-windows/ossa_io/bin/ossa.exe"
    [ -s "$folder/NOTICES.txt" ] || fail "Windows: no NOTICES.txt"
    if ! command -v wine >/dev/null; then
        skip "Windows: there is no wine"
        return
    fi
    export WINEPREFIX="$work/wine"
    check_version Windows "$(tools/wine.sh "$folder/ossa.exe" --version | tr -d '\r')"
    (cd "$work/$name/samples" && "$root/tools/wine.sh" "$folder/ossa.exe" view troll -o ../../windows.html >/dev/null)
    compare_page "$work/windows.html" "Windows, under wine"
}

# In another folder, with another umask, time zone and number of jobs, and nothing from a cache.
check_again() {
    say "making all of it once more"
    (umask 077 && CCACHE_DISABLE=1 TZ=Asia/Tokyo tools/dist.sh "$work/again/dist" $((jobs + 1)) >>"$work/log" 2>&1) ||
        { tail -n 30 "$work/log" >&2; fail "the second run of tools/dist.sh fails"; }
    diff "$dist/SHA256SUMS" "$work/again/dist/SHA256SUMS" ||
        fail "the second run gives other bytes (or $dist is not of the last commit)"
    say "made twice, the same bytes"
}

rm -rf --one-file-system "$work"
mkdir -p "$work"
check_sums
check_source
check_lintian
make_debian
if [ -n "$debian" ]; then
    check_linux
    check_debs
fi
check_npm
check_blender
check_windows
check_again
rm -rf --one-file-system "$work"
say "$name: all that was tried works; $skipped skipped"
