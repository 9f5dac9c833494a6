# SPDX-License-Identifier: MIT
# Somebody who can write to the output folder puts links in the place of its folders, in the middle of a
# run, before any call: nothing outside is created, replaced, removed or gets another time.
make_inputs
need_shim
OSSA_FAULT_RUN='
for folder in out/*; do
    [ -d "$folder" ] && [ ! -h "$folder" ] || continue
    mv "$folder" "aside/$(basename "$folder")" && ln -s "$PWD/outside" "$folder" || exit 1
done'
export OSSA_FAULT_RUN
mkdir sub && cp -R rabbit sub/rabbit || exit 99
run_tree() {
    case $1 in
    extract) ossa extract -q figures.res 'w*' --to out ;;
    import) ossa import -q rabbit.glb --over sub -o out ;;
    esac
}
for tree in extract import; do
    rm -rf out outside aside && mkdir out aside outside || exit 99
    run_tree $tree || fail "$tree: $?"
    # Outside there are files and folders of the same names.
    (cd out && find ./*/ -type d) | sed 's|^\./[^/]*/||' | while read -r name; do mkdir -p "outside/$name"; done
    (cd out && find ./*/ -type f) | sed 's|^\./[^/]*/||' | while read -r name; do echo mine >"outside/$name"; done
    find outside -exec touch -d 2001-01-01 {} +
    find outside -printf '%p %s %T@\n' | sort >before
    [ "$(wc -l <before)" -gt 1 ] || fail "$tree: there is nothing to lose"
    for what in mkdir create write rename; do
        rm -rf out aside && mkdir out aside || exit 99
        OSSA_FAULT_COUNT=$PWD/count with_fault $what:0:EIO run_tree $tree
        calls=$(cat count)
        number=1
        while [ $number -le "$calls" ]; do
            rm -rf out aside && mkdir out aside || exit 99
            call with_fault $what:$number:run run_tree $tree
            find outside -printf '%p %s %T@\n' | sort >after
            cmp -s before after || fail "$tree, a link before $what $number: $(diff before after | head -3)"
            cp after before # to see what the next does
            number=$((number + 5))
        done
    done
done
