# SPDX-License-Identifier: MIT
# Several runs at the same time into one folder, which none of them finds: all do what one would do.
make_inputs
make_wanted
for way in all import-folder dumps extract csv; do
    for round in 1 2 3; do
        rm -rf out || exit 99
        for number in 1 2 3 4; do
            { run_way $way out/new/deep/ >/dev/null 2>messages.$number || echo $? >>messages.$number; } &
        done
        wait
        cat messages.* >messages
        [ ! -s messages ] || fail "$way, round $round: $(head -3 messages)"
        case $way in
        all) diff -r -x report.json want/all out/new/deep ;;
        *) diff -r "want/$way" out/new/deep ;;
        esac >difference || fail "$way, round $round: $(head -3 difference)"
    done
done
# One after the other at the worst moment: another run does everything before a call of this one.
need_shim
export OSSA_FAULT_RUN
for way in import-folder dumps extract csv; do
    OSSA_FAULT_RUN=". '$SOURCE/tests/faults/lib.sh'; run_way $way out/new/deep/"
    for what in mkdir:1 mkdir:3 create:1 create:2 rename:1 rename:2; do
        rm -rf out || exit 99
        call with_fault $what:run run_way $way out/new/deep/
        check_call "$way, another at $what" 0 0
        diff -r "want/$way" out/new/deep >difference || fail "$way, another at $what: $(head -3 difference)"
    done
done
# Another run fails, and removes the folders that it has made and this one was about to use.
OSSA_FAULT_RUN='rmdir out/new/deep out/new out 2>/dev/null; :'
for way in import-folder dumps extract csv; do
    for what in mkdir:2 mkdir:3 create:1; do
        rm -rf out || exit 99
        mkdir -p out/new
        [ $what != create:1 ] || mkdir out/new/deep
        call with_fault $what:run run_way $way out/new/deep/
        check_call "$way, folders removed at $what" 0 0
        diff -r "want/$way" out/new/deep >difference || fail "$way, folders removed at $what: $(head -3 difference)"
    done
done
