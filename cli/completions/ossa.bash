# SPDX-License-Identifier: MIT
#
# Completion of ossa(1) for bash: verbs, their options, values and files.

_ossa_words() { # the words of the list $1 that begin with what is typed
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_ossa_files() { # -f: files and folders, -d: folders only
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_ossa_inside() { # the entries and figures of the archive $1, one per line
    [[ -d $1 ]] && return
    { "${COMP_WORDS[0]}" list "$1" && "${COMP_WORDS[0]}" info "$1"; } </dev/null 2>/dev/null | awk '
        /^[a-z0-9-]+ +[0-9]+  / && !models {
            sub(/^[a-z0-9-]+ +[0-9]+  /, "")
            sub(/  \([0-9]+ inside\)$/, "")
            if (/^0x[0-9a-f]+\./) sub(/  .*/, "")
            gsub(/\\/, "/")
            out[++count] = stem = folder = $0
            sub(/\.[^.\/]*$/, "", stem)
            if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
            name = stem; sub(/^.*\//, "", name)
            if (!(name in stems)) stems[name] = stem
            name = folder; sub(/^.*\//, "", name)
            if (name != "") folders[name] = folder
            next
        }
        /^  models / { models = 1 }
        /^    [^ ].*: [0-9]+ parts?, / && models {
            gsub(/^    |: [0-9]+ parts?, .*$/, "")
            if ($0 in folders) out[++count] = folders[$0]
            else if ($0 in stems) out[++count] = stems[$0]
        }
        / entr(y|ies), [0-9]+ bytes$/ && !models { archives++ }
        END { for (i = 1; archives == 1 && i <= count; i++) print out[i] }'
}

_ossa_inputs() { # files and folders, and after ARCHIVE# what is in it
    local typed=$current archive name
    if [[ $typed == [\"\']* ]]; then typed=${typed:1}; else typed=${typed//\\/}; fi
    archive=${typed%#*}
    if [[ $typed == *'#'* && $archive != - ]]; then
        # shellcheck disable=SC2088 # it is what was typed
        [[ $archive == '~/'* ]] && archive=$HOME/${archive:2}
        typed=${typed##*#}
        while IFS= read -r name; do
            # As in the archives, letter case does not count.
            [[ ${name,,} == "${typed,,}"* ]] && COMPREPLY+=("$archive#$name")
        done < <(_ossa_inside "$archive")
        if ((${#COMPREPLY[@]} > 0)); then
            compopt -o filenames -o nospace 2>/dev/null # for the quotes; another # may follow
            return
        fi
    fi
    _ossa_files -f
}

_ossa() {
    local current=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    local verb=${COMP_WORDS[1]}
    local i
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        case $current in
        -*) _ossa_words '--help --version' ;;
        *) _ossa_words 'info check fields dump build pose convert import diff merge-reports view list extract pack formats help' ;;
        esac
        return
    fi

    # bash splits --format=ID into three words.
    if [[ $current == '=' ]]; then
        current=
    elif [[ $before == '=' ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
    --format)
        _ossa_words "$("${COMP_WORDS[0]}" formats 2>/dev/null | sed -e 1d -e 's/ .*//')"
        return ;;
    --dialect)
        if [[ $verb == pack ]]; then _ossa_words 'ares dave zip'
        else _ossa_words 'mm1 legacy documented retail'; fi
        return ;;
    --index)
        _ossa_files -f
        return ;;
    --max-size)
        _ossa_words '1M 16M 256M 1G 4G'
        return ;;
    --to)
        if [[ $verb == extract ]]; then
            _ossa_files -d
            return
        fi
        _ossa_words 'glb gltf json bvh csv png'
        return ;;
    --space)
        _ossa_words 'model local'
        return ;;
    --root)
        _ossa_words 'b+t t b'
        return ;;
    --euler)
        _ossa_words 'xyz zyx'
        return ;;
    --missing)
        _ossa_words 'identity hold'
        return ;;
    --twist)
        _ossa_words 'degree turn none'
        return ;;
    --view)
        _ossa_words 'turn distance degree'
        return ;;
    --look)
        _ossa_words 'game y z up'
        return ;;
    --sides)
        _ossa_words 'low high'
        return ;;
    --palette)
        _ossa_words 'smooth plain csm1'
        return ;;
    --morph)
        _ossa_words 'all clip none'
        return ;;
    --resample)
        [[ $verb != import ]] && return ;; # nothing to offer; a flag of import
    --clip | --frame | --time | --fps | --scale | --complexion | --parts | --limit | --as | --like | --replace | --jobs | -j | --shard)
        return ;; # nothing to offer
    --texture | --over)
        _ossa_inputs
        return ;;
    --output | -o)
        _ossa_files -f
        return ;;
    esac

    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _ossa_inputs
            return
        fi
    done
    case $current in
    --*)
        case $verb in
        info) _ossa_words '--format --dialect --strict --json --index --max-size --help' ;;
        check) _ossa_words '--format --dialect --strict --json --quiet --index --max-size --help' ;;
        fields) _ossa_words '--format --dialect --strict --json --index --max-size --help' ;;
        dump) _ossa_words '--format --dialect --strict --pretty --output --force --index --max-size --help' ;;
        build) _ossa_words '--strict --output --force --max-size --help' ;;
        pose) _ossa_words '--format --dialect --strict --json --clip --frame --time --space --in-place
            --fps --scale --complexion --parts --root --euler --missing --join --resample --index --max-size --help' ;;
        convert) _ossa_words '--texture --level --all --jobs --shard --force --format --dialect --strict --pretty --quiet --output --to --clip --space --in-place
            --fps --scale --complexion --parts --root --euler --missing --twist --view --look --sides --palette --unlit --join --boxes --skin --morph --resample
            --index --max-size --help' ;;
        import) _ossa_words '--over --output --dry-run --limit --retime --resample --drop --as --like --clip --force --json --quiet
            --format --dialect --strict --in-place --fps --scale --complexion --parts --root --euler --missing
            --index --max-size --help' ;;
        diff) _ossa_words '--json --index --max-size --help' ;;
        merge-reports) _ossa_words '--output --force --quiet --help' ;;
        view) _ossa_words '--output --force --quiet --fps --scale --complexion --parts --root --euler --missing --morph
            --join --boxes --resample --max-size --help' ;;
        list) _ossa_words '--json --quiet --tree --flat --figures --format --index --max-size --help' ;;
        extract) _ossa_words '--to --quiet --raw --force --format --index --max-size --help' ;;
        pack) _ossa_words '--output --format --dialect --replace --force --quiet --max-size --help' ;;
        formats) _ossa_words '--json --markdown --help' ;;
        esac ;;
    -*)
        case $verb in
        check | list | extract) _ossa_words '-q -h' ;;
        convert) _ossa_words '-q -o -j -h' ;;
        import | merge-reports | pack | view) _ossa_words '-q -o -h' ;;
        dump | build) _ossa_words '-o -h' ;;
        info | fields | pose | diff | formats) _ossa_words '-h' ;;
        esac ;;
    *)
        case $verb in
        help) _ossa_words 'info check fields dump build pose convert import diff merge-reports view list extract pack formats' ;;
        info | check | fields | dump | build | pose | convert | import | diff | view | list | extract | pack) _ossa_inputs ;;
        merge-reports) _ossa_files -f ;;
        esac ;;
    esac
}

complete -F _ossa ossa
