#!/bin/sh
# SPDX-License-Identifier: MIT
# Run fuzzers, and print a table of what they did.
# Usage: tools/fuzz.sh BUILD_DIR SECONDS [TARGET...]     all targets, if none is named
#        tools/fuzz.sh --minimise BUILD_DIR [TARGET...]  add to fuzz/corpus what the runs found
#        tools/fuzz.sh --list BUILD_DIR                  the names of the targets
# Every format has a target of its name; the others are programs in BUILD_DIR/fuzzers. FUZZ_JOBS
# targets run at once (1). Fixtures, samples and fuzz/corpus are only read: new inputs, findings and
# logs stay in BUILD_DIR/fuzz-runs, with a line for each run in totals.tsv: when, target, seconds,
# executions, edges, features, inputs in the corpus, findings.
set -eu
cd "$(dirname "$0")/.."
action=run
case ${1-} in --minimise | --list | --one) action=${1#--}; shift ;; esac
build=$1
shift
runs=$build/fuzz-runs
ossa=$build/ossa
test -x "$build/fuzzers/format" || { echo "fuzz: no fuzzers in $build/fuzzers" >&2; exit 1; }

formats=$("$ossa" formats | sed -e 1d -e 's/ .*//')
is_format() { echo "$formats" | grep -qxF -e "$1"; }

list() {
    echo "$formats"
    echo read
    for fuzzer in "$build"/fuzzers/*; do echo "${fuzzer##*/}"; done | grep -vx -e format -e read
}

# The program of a target.
program() {
    if is_format "$1" || [ "$1" = read ]; then echo "$build/fuzzers/format"; else echo "$build/fuzzers/$1"; fi
}

# Where the seeds of a target are, one folder per line.
seeds() {
    if [ -d "fuzz/corpus/$1" ]; then echo "fuzz/corpus/$1"; fi
    case $1 in
    read) echo tests/fixtures ;;
    esac
    if is_format "$1"; then
        for folder in tests/fixtures tests/vectors; do
            if [ -d "$folder/$1" ]; then echo "$folder/$1"; fi
        done
        # Samples lie together by figure, so those that end like files of the format are copied.
        rm -rf "$runs/$1/samples"
        mkdir -p "$runs/$1/samples"
        endings=$("$ossa" formats --json | tr '{' '\n' | sed -n "s/^\"id\":\"$1\".*\"extensions\":\"\([^\"]*\)\".*/\1/p")
        for ending in $endings; do
            find samples -type f -iname "*.$ending" -size -100k
        done | while read -r file; do cp "$file" "$runs/$1/samples/$(echo "$file" | tr / -)"; done
        echo "$runs/$1/samples"
    fi
}

# The words of a fuzzer, and the ids of the formats.
dictionary() {
    words=fuzz/$1.dict
    if is_format "$1" || [ "$1" = read ]; then words=fuzz/format.dict; fi
    if [ ! -f "$words" ]; then return; fi
    {
        cat "$words"
        echo "$formats" | sed 's/.*/"\\"&\\""/'
    } >"$runs/$1/dict"
    echo "-dict=$runs/$1/dict"
}

# One run of a target, and a line about it. A finding ends a process, so another one follows until
# the time is over; the tenth finding ends the run.
one() {
    name=$1
    seconds=$2
    fuzzer=$(program "$name")
    test -x "$fuzzer" || { echo "fuzz: no target $name (try --list)" >&2; exit 2; }
    mkdir -p "$runs/$name/corpus" "$runs/$name/findings"
    if is_format "$name"; then export OSSA_FUZZ_FORMAT="$name"; fi
    folders=$(seeds "$name")
    options=$(dictionary "$name")
    begin=$(date +%s)
    found=0 executions=0 left=$seconds
    while [ "$left" -gt 0 ] && [ "$found" -lt 10 ]; do
        status=0
        # shellcheck disable=SC2086 # these are lists of words
        "$fuzzer" -max_total_time="$left" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
            -max_len=65536 -entropic=0 -print_final_stats=1 -artifact_prefix="$runs/$name/findings/" \
            $options "$runs/$name/corpus" $folders >"$runs/$name/log" 2>&1 || status=$?
        executions=$((executions + $(sed -n 's/^stat::number_of_executed_units: *//p' "$runs/$name/log")))
        if [ "$status" -ne 0 ]; then
            found=$((found + 1))
            cp "$runs/$name/log" "$runs/$name/findings/log-$(date +%s)-$found"
        fi
        left=$((seconds - ($(date +%s) - begin)))
    done
    # The last line of progress, if there is one: #123 DONE cov: 45 ft: 67 corp: 8/9b ...
    progress=$(grep '^#[0-9].* cov: ' "$runs/$name/log" | tail -n 1)
    number() { echo "$progress" | sed -n "s/.* $1: \([0-9]*\).*/\1/p"; }
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$name" \
        "$(($(date +%s) - begin))" "$executions" "$(number cov)" "$(number ft)" "$(number corp)" "$found" \
        >>"$runs/totals.tsv"
    if [ "$found" -gt 0 ]; then
        echo "fuzz: $name: $found findings in $runs/$name/findings" >&2
    fi
}

# Keep up to 12 inputs, of up to 4 KiB, that reach most edges that the seeds do not.
minimise() {
    name=$1
    fuzzer=$(program "$name")
    mkdir -p "$runs/$name/corpus"
    if is_format "$name"; then export OSSA_FUZZ_FORMAT="$name"; fi
    rm -rf "$runs/$name/merged" "$runs/$name/control"
    mkdir -p "$runs/$name/merged"
    for folder in $(seeds "$name"); do
        find "$folder" -type f | while read -r file; do cp "$file" "$runs/$name/merged/$(echo "$file" | tr / -)"; done
    done
    "$fuzzer" -set_cover_merge=1 -merge_control_file="$runs/$name/control" -use_counters=0 -max_len=4096 -timeout=10 \
        "$runs/$name/merged" "$runs/$name/corpus" >"$runs/$name/merge.log" 2>&1
    python3 tools/fuzz_cover.py "$runs/$name/control" 12 | while read -r file; do
        mkdir -p "fuzz/corpus/$name"
        test "$(wc -c <"$file")" -gt 4096 || cp "$file" "fuzz/corpus/$name/"
    done
    unset OSSA_FUZZ_FORMAT
    if [ -d "fuzz/corpus/$name" ]; then
        echo "$name: $(find "fuzz/corpus/$name" -type f | wc -l) inputs"
    fi
}

case $action in
list) list ;;
one) one "$2" "$1" ;;
minimise)
    # shellcheck disable=SC2046 # one word per target
    test $# -gt 0 || set -- $(list)
    for name in "$@"; do minimise "$name"; done
    ;;
run)
    seconds=$1
    shift
    # shellcheck disable=SC2046 # one word per target
    test $# -gt 0 || set -- $(list)
    mkdir -p "$runs"
    touch "$runs/totals.tsv"
    before=$(wc -l <"$runs/totals.tsv")
    printf '%s\n' "$@" |
        xargs -P "${FUZZ_JOBS:-1}" -I '{}' "$0" --one "$build" "$seconds" '{}'
    printf '%-12s %8s %12s %7s %9s %7s %9s\n' target seconds executions edges features corpus findings
    tail -n "+$((before + 1))" "$runs/totals.tsv" | awk -F '\t' '
        { printf "%-12s %8d %12d %7d %9d %7d %9d\n", $2, $3, $4, $5, $6, $7, $8
          seconds += $3; executions += $4; findings += $8 }
        END { printf "%-12s %8d %12d %7s %9s %7s %9d\n", "all", seconds, executions, "", "", "", findings
              exit findings > 0 }'
    ;;
esac
