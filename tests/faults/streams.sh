# SPDX-License-Identifier: MIT
# Standard streams that are closed: files do not get what was meant for them.
make_inputs
make_wanted "glb extract pack view"
# without STREAMS COMMAND...: with 0, 1 or 2 in STREAMS that stream is closed.
without() (
    case $1 in *0*) exec <&- ;; esac
    case $1 in *1*) exec >&- ;; esac
    case $1 in *2*) exec 2>&- ;; esac
    shift
    "$@"
)
for streams in 0 1 2 01 02 12 012; do
    for way in glb extract pack view; do
        rm -rf out && mkdir out || exit 99
        call without $streams run_way "$way" out
        check_call "$way without $streams" 0 0
        diff -r "want/$way" out >difference || fail "$way without $streams: $(head -3 difference)"
    done
    # What is printed, or read, is missed.
    case $streams in *1*) wanted=1 ;; *) wanted=0 ;; esac
    case $streams in *2* | 0) messages=0 ;; *) messages=1 ;; esac
    for verb in 'info rabbit' 'check rabbit' 'list figures.res' 'list --json figures.res' 'fields rabbit/hop.anm' \
        'dump rabbit/hop.anm' 'pose --json rabbit --clip hop' formats --help 'convert rabbit -o -'; do
        # shellcheck disable=SC2086
        call without $streams ossa $verb
        check_call "$verb without $streams" $wanted $messages
    done
    case $streams in *2*) messages=0 ;; *) messages=1 ;; esac
    case $streams in
    *0*)
        rm -rf out && mkdir out || exit 99
        call without $streams ossa dump - -o out/x.json
        check_call "standard input without $streams" 1 $messages
        check_empty "standard input without $streams" out
        ;;
    esac
done
