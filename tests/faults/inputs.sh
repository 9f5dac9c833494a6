# SPDX-License-Identifier: MIT
# Inputs that change while they are read: a message or a result, but no half of one.
make_inputs
need_shim
names='rabbit figures.res textures.res rabbit.json rabbit.glb folder'
# shellcheck disable=SC2086
mkdir original && cp -R $names original || exit 99
# shellcheck disable=SC2086
restore() {
    rm -rf out $names && mkdir out && cp -R original/. . || exit 99
    find $names -type f >inputs
}
export OSSA_FAULT_RUN
for way in glb all import-folder build extract pack view; do
    restore
    calls=$(count_calls read "$way")
    [ "$calls" -gt 0 ] || fail "$way: reads nothing"
    for number in $(printf '%s\n' 1 2 "$calls" | sort -nu); do
        [ "$number" -gt 0 ] || continue
        for change in shorter longer gone; do
            restore
            case $change in
            shorter) OSSA_FAULT_RUN='xargs truncate -s 20 <inputs' ;;
            longer) OSSA_FAULT_RUN='xargs truncate -s +5000 <inputs' ;;
            gone) OSSA_FAULT_RUN='xargs rm <inputs' ;;
            esac
            call with_fault "read:$number:run" run_way "$way" out
            case $status in
            0) ;;
            1) grep -q '^ossa: ' messages || fail "$way, $change at read $number: not a word" ;;
            *) fail "$way, $change at read $number: status $status: $(head -2 messages)" ;;
            esac
            left=$(find out -name '*.ossa-part-??????')
            [ -z "$left" ] || fail "$way, $change at read $number: left behind: $left"
        done
    done
    # The disk cannot be read at all.
    restore
    call with_fault read:1+:EIO run_way "$way" out
    [ $status -eq 1 ] || fail "$way, EIO at each read: status $status"
    grep -q '^ossa: ' messages || fail "$way, EIO at each read: not a word"
    check_empty "$way, EIO at each read" out
done
