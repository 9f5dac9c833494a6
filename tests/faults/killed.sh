# SPDX-License-Identifier: MIT
# Killed without a chance to tidy up, at every tenth call: what is there is whole, apart from what has a
# name of its own, and the next run does what this one would have done.
make_inputs
need_shim
make_wanted
for way in $ways; do
    for what in write rename; do
        calls=$(count_calls $what "$way")
        number=1
        while [ $number -le "$calls" ]; do
            rm -rf out && mkdir out || exit 99
            { call with_fault $what:$number:kill run_way "$way" out; } 2>/dev/null
            [ $status -eq 137 ] || fail "$way: not killed at $what $number: $status"
            check_tree "$way, killed at $what $number" "$way" out killed
            call run_way "$way" out
            check_call "$way, after it was killed at $what $number" 0 0
            find out -name '*.ossa-part-??????' -exec rm {} + # and only now
            case $way in
            all) diff -r -x report.json want/all out ;;
            *) diff -r "want/$way" out ;;
            esac >difference || fail "$way, after it was killed at $what $number: $(head -3 difference)"
            [ $number -eq 1 ] && number=0
            number=$((number + 10))
        done
    done
done

# What is left is not an input: not of pack, view or check, nor of convert --all.
rm -rf out && mkdir out || exit 99
{ call with_fault write:1:kill run_way extract out; } 2>/dev/null
left=$(find out -name '*.ossa-part-??????')
[ -n "$left" ] || fail 'nothing is left of a run that was killed'
ossa extract -q figures.res 'w*' --to out || fail 'extracting again'
ossa pack -q out -o one.res 2>messages || fail 'packing'
ossa pack -q folder -o two.res || fail 'packing'
cmp one.res two.res || fail 'what is left was packed'
