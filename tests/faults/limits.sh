# SPDX-License-Identifier: MIT
# Too few files may be open, or too little memory may be had: whole or absent, and a word about it.
make_inputs
make_wanted
# with_limit OPTION NUMBER COMMAND...
with_limit() (
    ulimit "$1" "$2" || exit 99
    shift 2
    "$@"
)
check_limited() { # WHAT WAY
    case $status in
    0) diff -r "want/$2" out >difference || fail "$1: $(head -3 difference)" ;;
    1)
        grep -q '^ossa: ' messages || fail "$1: not a word"
        check_tree "$1" "$2" out
        ;;
    *) fail "$1: status $status: $(head -3 messages)" ;;
    esac
}
for files in 4 5 6 8 64; do
    # The first of them are the standard streams; the loader needs one more.
    with_limit -n $files ossa --version >/dev/null 2>&1 || continue
    for way in $ways; do
        rm -rf out && mkdir out || exit 99
        call with_limit -n $files run_way "$way" out
        check_limited "$way with $files files" "$way"
    done
done
passed=0
for kilobytes in 4000 6000 8000 12000 16000; do
    with_limit -v $kilobytes ossa --version >/dev/null 2>&1 || continue
    passed=$((passed + 1))
    for way in $ways; do
        rm -rf out && mkdir out || exit 99
        call with_limit -v $kilobytes run_way "$way" out
        check_limited "$way with $kilobytes KiB" "$way"
    done
done
[ $passed -gt 1 ] || echo 'memory cannot be limited here'
