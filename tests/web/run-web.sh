#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tests of one folder here:
#
#   tests/web/run-web.sh api|page
#
# By the environment: OSSA, the tool; OSSA_WEB, what tools/web.sh has built.
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

command -v node >/dev/null || skip 'there is no node'
[ -f "$OSSA_WEB/ossa.wasm" ] || skip 'there is no ossa.wasm (tools/web.sh builds it)'

case $1 in
api | page) exec node --test --test-reporter=dot "$here/$1"/*.test.mjs ;;
*)
    echo "run-web.sh: '$1' is none of api and page" >&2
    exit 2
    ;;
esac
