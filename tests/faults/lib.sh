# SPDX-License-Identifier: MIT
#
# For the tests of faults of the system: read by run.sh before each. What every one of them asks: the
# output is whole or absent, the status is right, there is exactly one message, and nothing else is left.

failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
skip() {
    echo "skipped: $*"
    exit 77
}

# The inputs, in the current folder.
make_inputs() {
    cp -R "$SAMPLES/packed/figures.res" "$SAMPLES/rabbit" . || exit 99
    cp "$SAMPLES/packed/textures.res" . || exit 99
    ossa extract -q figures.res 'w*' --to folder || exit 99
    ossa dump rabbit/rabbit.tmd -o rabbit.json || exit 99
    ossa convert -q rabbit -o rabbit.glb || exit 99
    # Larger than what is written at once.
    {
        printf '<!DOCTYPE html>'
        head -c 200000 /dev/zero | tr '\0' x
        printf '<!-- ossa:data -->'
    } >viewer.html
    OSSA_VIEWER=$PWD/viewer.html
    export OSSA_VIEWER
}

# Every way to write: `run_way WAY FOLDER` writes into a folder, which exists.
ways='glb gltf json csv all import-folder import-file dump dumps build builds extract pack repack view'
run_way() {
    case $1 in
    glb) ossa convert -q rabbit -o "$2/x.glb" ;;
    gltf) ossa convert -q rabbit -o "$2/x.gltf" ;;
    json) ossa convert -q rabbit -o "$2/x.json" ;;
    csv) ossa convert -q rabbit --to csv -o "$2" ;;
    all) ossa convert -q -j 1 figures.res textures.res --all -o "$2" ;;
    import-folder) ossa import -q rabbit.glb --over rabbit -o "$2" ;;
    import-file) ossa import -q rabbit.glb --over rabbit/hop.anm rabbit/rabbit.tmd -o "$2/x.anm" ;;
    dump) ossa dump rabbit/rabbit.tmd -o "$2/x.json" ;;
    dumps) ossa dump rabbit/rabbit.tmd rabbit/hop.anm -o "$2" ;;
    build) ossa build rabbit.json -o "$2/x.tmd" ;;
    builds) ossa build rabbit.json -o "$2/" ;;
    extract) ossa extract -q figures.res 'w*' --to "$2" ;;
    pack) ossa pack -q folder -o "$2/x.res" ;;
    repack) ossa pack -q figures.res -o "$2/x.res" ;;
    view) ossa view -q rabbit -o "$2/x.html" ;;
    esac
}

# What each way writes when nothing fails: want/WAY.
make_wanted() {
    for way in ${1:-$ways}; do
        mkdir -p "want/$way" || exit 99
        run_way "$way" "want/$way" >/dev/null 2>messages || fail "$way: $? $(cat messages)"
    done
}

# Run a command; its status is $status, and what it said is in the file `messages`.
call() {
    "$@" >printed 2>messages
    status=$?
}

# check_call WHAT STATUS MESSAGES
check_call() {
    [ $status -eq "$2" ] || fail "$1: status $status, not $2: $(head -3 messages)"
    said=$(grep -c '^ossa: ' messages)
    [ "$said" -eq "$3" ] || fail "$1: $said messages, not $3: $(head -3 messages)"
    [ "$(wc -l <messages)" -eq "$said" ] || fail "$1: $(grep -v '^ossa: ' messages | head -3)"
}

# check_tree WHAT WAY FOLDER [killed]: what is there is whole. Lists of what was written say what was
# written, so they may be shorter. A run that was killed may leave what has a name for that.
check_tree() {
    (cd "$3" && find . -type f) | sort >found
    while read -r found_file; do
        case ${4-}:$found_file in
        killed:*.ossa-part-??????) ;;
        *:*/ossa-archive.txt) head -c 15 "$3/$found_file" | grep -q '^ossa archive 1 ' || fail "$1: $found_file" ;;
        *:*/report.json) tail -c 2 "$3/$found_file" | grep -q '}' || fail "$1: $found_file" ;;
        *) cmp -s "$3/$found_file" "want/$2/$found_file" || fail "$1: $found_file is not whole" ;;
        esac
    done <found
}

# check_empty WHAT FOLDER
check_empty() {
    left=$(find "$2" -mindepth 1 | head -3)
    [ -z "$left" ] || fail "$1: left behind: $left"
}

# Run a command with a fault, see shim.c: with_fault CALL:WHEN:WHAT COMMAND...
with_fault() (
    LD_PRELOAD=$SHIM OSSA_FAULT=$1 ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
    export LD_PRELOAD OSSA_FAULT ASAN_OPTIONS
    shift
    "$@"
)
# How often a way calls something: count_calls CALL WAY
count_calls() {
    rm -rf counting && mkdir counting || exit 99
    OSSA_FAULT_COUNT=$PWD/count with_fault "$1:0:EIO" run_way "$2" counting >/dev/null 2>&1
    cat count
}
need_shim() {
    [ -f "$SHIM" ] || skip 'calls of the system cannot be replaced here'
    make_wanted glb
    mkdir shim || exit 99
    call with_fault write:1:EIO run_way glb shim
    [ $status -eq 1 ] || skip 'calls of the system cannot be replaced here'
}
