#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tests of one folder here, or of one file in it, FOLDER/NAME.test.mjs:
#
#   tests/web/run-web.sh api|page|browser|firefox [NAME]
#   tests/web/run-web.sh npm                 only installs what the browser's tests need
#   tests/web/run-web.sh picture OUT.png     the picture of the viewer in the documentation
#   tests/web/run-web.sh film OUT.gif        a film that the viewer saves, for README.md
#
# By the environment: OSSA, the tool; OSSA_WEB, what tools/web.sh has built; for the browser, whose
# driver comes from npm (once with the network, afterwards without), OSSA_WEB_NPM, a folder for it
# outside of the source tree, and CHROMIUM or FIREFOX where that is not in the PATH.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

skip() { # WHY
    if [ -n "${OSSA_PEERS_REQUIRED-}" ]; then
        echo "failed: $1, and OSSA_PEERS_REQUIRED is set (make check FAST=1 goes without it)"
        exit 1
    fi
    echo "skipped: $1"
    exit 77
}

install_npm() {
    command -v npm >/dev/null || skip 'there is no npm'
    if ! "$here/../../tools/npm.sh" "$here" "$OSSA_WEB_NPM"; then
        echo 'what comes from npm cannot be installed; make check FAST=1 goes without it' >&2
        exit 1
    fi
}

need_chromium() {
    CHROMIUM=${CHROMIUM-$(command -v chromium || true)}
    [ -n "$CHROMIUM" ] || skip 'there is no chromium'
    export CHROMIUM
}

need_firefox() {
    FIREFOX=${FIREFOX-$(command -v firefox-esr || command -v firefox || true)}
    [ -n "$FIREFOX" ] || skip 'there is no firefox'
    command -v Xvfb >/dev/null || skip 'there is no Xvfb, which Firefox draws on'
    export FIREFOX
}

need_driver() {
    [ -f "$OSSA_WEB/ossa-viewer.html" ] || skip 'there is no ossa-viewer.html (tools/web.sh builds it)'
    install_npm
    OSSA_WEB_MODULES=$OSSA_WEB_NPM/node_modules
    OSSA_PICTURES=$OSSA_WEB_NPM/pictures
    export OSSA_WEB_MODULES OSSA_PICTURES
}

command -v node >/dev/null || skip 'there is no node'
[ -f "$OSSA_WEB/ossa.wasm" ] || skip 'there is no ossa.wasm (tools/web.sh builds it)'

# run FOLDER [NAME]
run() {
    if [ $# -gt 1 ]; then
        exec node --test --test-reporter=spec "$here/$1/$2.test.mjs"
    fi
    exec node --test --test-reporter=spec --test-concurrency=2 "$here/$1"/*.test.mjs
}

case $1 in
api | page) run "$@" ;;
npm) need_driver ;;
browser)
    need_chromium
    need_driver
    run "$@"
    ;;
firefox)
    need_firefox
    need_driver
    run "$@"
    ;;
picture)
    need_chromium
    need_driver
    exec node "$here/../../tools/viewer_picture.mjs" "$2"
    ;;
film)
    need_chromium
    need_driver
    exec node "$here/../../tools/viewer_film.mjs" "$2"
    ;;
*)
    echo "run-web.sh: '$1' is none of api, page, browser, firefox, npm, picture and film" >&2
    exit 2
    ;;
esac
