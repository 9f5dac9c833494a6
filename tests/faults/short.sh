# SPDX-License-Identifier: MIT
# Calls that are interrupted, or do only a part of the work, are no failure.
make_inputs
need_shim
make_wanted
for way in $ways; do
    for fault in write:1*:short write:2*:EINTR read:1*:short read:2*:EINTR; do
        rm -rf out && mkdir out || exit 99
        call with_fault $fault run_way "$way" out
        check_call "$way, $fault" 0 0
        diff -r "want/$way" out >difference || fail "$way, $fault: $(head -3 difference)"
    done
done
