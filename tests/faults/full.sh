# SPDX-License-Identifier: MIT
# A disk that is full, or fails, at any call: one message, and nothing that is not whole.
make_inputs
need_shim
make_wanted
for way in $ways; do
    for what in create:EDQUOT write:ENOSPC rename:EIO mkdir:ENOSPC; do
        calls=$(count_calls ${what%:*} "$way")
        # The first, the last and one between, each once.
        for number in $(printf '%s\n' 1 $((calls / 2)) "$calls" | sort -nu); do
            [ "$number" -gt 0 ] && [ "$number" -le "$calls" ] || continue
            rm -rf out && mkdir out || exit 99
            call with_fault "${what%:*}:$number:${what#*:}" run_way "$way" out
            check_call "$way, ${what#*:} at ${what%:*} $number" 1 1
            check_tree "$way, ${what#*:} at ${what%:*} $number" "$way" out
        done
        # It stays full from then on: still one message, and the folders are gone with it.
        [ "$calls" -gt 0 ] || continue
        rm -rf out && mkdir out || exit 99
        call with_fault "${what%:*}:1+:${what#*:}" run_way "$way" out/new
        case $what:$way in
        rename:*) ;; # anything may be wrong with a single file
        *) check_call "$way, ${what#*:} at each ${what%:*}" 1 1 ;;
        esac
        check_empty "$way, ${what#*:} at each ${what%:*}" out
    done
done

# Files that get too large, by a limit of the process.
for way in glb gltf json view repack; do
    rm -rf out && mkdir out || exit 99
    (
        failures=0
        ulimit -f 8
        call run_way $way out
        check_call "$way, limit of size" 1 1
        exit $failures
    ) || fail "$way, limit of size"
    check_empty "$way, limit of size" out
done

# A real disk, where one can be had.
mkdir disk
if mount -t tmpfs -o size=32k,nr_inodes=40 none disk 2>/dev/null; then
    for way in $ways; do
        rm -rf disk/* || exit 99
        call run_way "$way" disk
        [ $status -eq 0 ] || check_call "$way, small disk" 1 1
        check_tree "$way, small disk" "$way" disk
    done
    umount disk
fi
