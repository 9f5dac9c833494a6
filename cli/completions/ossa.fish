# SPDX-License-Identifier: MIT
#
# Completion of ossa(1) for fish: verbs, their options, values and files.

function __ossa_formats
    ossa formats 2>/dev/null | sed -e 1d -e 's/ .*//'
end

# The entries and figures of the archive $argv[1], one per line.
function __ossa_inside
    test -d $argv[1]; and return
    begin
        ossa list $argv[1]; and ossa info $argv[1]
    end </dev/null 2>/dev/null | awk '
        /^[a-z0-9-]+ +[0-9]+  / && !models {
            sub(/^[a-z0-9-]+ +[0-9]+  /, "")
            sub(/  \([0-9]+ inside\)$/, "")
            if (/^0x[0-9a-f]+\./) sub(/  .*/, "")
            gsub(/\\\\/, "/")
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
end

# After ARCHIVE#, what is in it.
function __ossa_entries
    set -l parts (string match -r '^(.*)#[^#]*$' -- (commandline -ct)); or return
    set -l archive (string unescape -- $parts[2])
    test "$archive" = -; and return
    set archive (string replace -r '^~/' $HOME/ -- $archive)
    for name in (__ossa_inside $archive)
        echo "$archive#$name"
    end
end

set -l verbs info check fields dump build pose convert import diff merge-reports view list extract pack formats help

complete -c ossa -f
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a info -d 'show what files are and contain'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a check -d 'report every deviation, and where it is'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a fields -d 'list every byte'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a dump -d 'convert files to lossless JSON'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a build -d 'convert the JSON of dump back to files'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a pose -d 'print the pose of a skeleton at a frame or a time'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a convert -d 'convert to glTF, BVH, CSV, JSON or PNG'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a import -d 'put an edited glTF, BVH, JSON or PNG back into the files of a game'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a diff -d 'show what differs between two files, figures or archives'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a merge-reports -d 'combine the reports of convert --shard'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a view -d 'show files in the browser'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a list -d 'list the contents of archives'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a extract -d 'extract files from an archive'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a pack -d 'make an archive from a folder, or change one'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a formats -d 'list the supported formats'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a help -d 'show details of a verb'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -s V -l version -d 'show the version'
complete -c ossa -s h -l help -d 'show help'

complete -c ossa -n '__fish_seen_subcommand_from help' -a 'info check fields dump build pose convert import diff merge-reports view list extract pack formats'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build pose convert import diff view list extract pack' -F -a '(__ossa_entries)'
complete -c ossa -n '__fish_seen_subcommand_from merge-reports' -F
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump pose convert import list extract pack' -l format -x -a '(__ossa_formats)' -d 'read the files as this format'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump pose convert import' -l dialect -x -a 'mm1 legacy documented retail' -d 'Midtown Madness dialect'
complete -c ossa -n '__fish_seen_subcommand_from pack' -l dialect -x -a 'ares dave zip' -d 'kind of Midtown Madness archive'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build pose convert import' -l strict -d 'treat warnings as errors'
complete -c ossa -n '__fish_seen_subcommand_from info check fields pose list formats import diff' -l json -d 'print JSON'
complete -c ossa -n '__fish_seen_subcommand_from check convert import merge-reports view list extract pack' -s q -l quiet -d 'print problems only, no summary'
complete -c ossa -n '__fish_seen_subcommand_from dump convert' -l pretty -d 'indent the JSON'
complete -c ossa -n '__fish_seen_subcommand_from dump build convert import merge-reports view pack' -s o -l output -r -F -d 'output file or folder'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump pose convert import diff list extract' -l index -r -F -d 'keep what a search of a disc found'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build pose convert import diff view list extract pack' -l max-size -x -a '1M 16M 256M 1G 4G' -d 'refuse larger files'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l to -x -a 'glb gltf json bvh csv png' -d 'output format'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import' -l clip -x -d 'only this clip; * and ? are wildcards'
complete -c ossa -n '__fish_seen_subcommand_from pose' -l frame -x -d 'frame number, counted from 0'
complete -c ossa -n '__fish_seen_subcommand_from pose' -l time -x -d 'time in seconds'
complete -c ossa -n '__fish_seen_subcommand_from pose convert' -l space -x -a 'model local' -d 'model, or relative to the parent'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l fps -x -d 'frames per second'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l scale -x -d 'multiply all lengths'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l complexion -x -d 'Evil Islands: build of the figure'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l parts -x -d 'Evil Islands: also show these parts'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l root -x -a 'b+t t b' -d 'Evil Islands: position of the root'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l euler -x -a 'xyz zyx' -d 'Vib-Ribbon: order of rotations'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import view' -l missing -x -a 'identity hold' -d 'Vib-Ribbon: values that a key omits'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l twist -x -a 'degree turn none' -d 'Vib-Ribbon: unit of camera twist'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l view -x -a 'turn distance degree' -d 'Vib-Ribbon: unit of the field of view'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l look -x -a 'game y z up' -d 'Evil Islands: viewing direction of cameras'
complete -c ossa -n '__fish_seen_subcommand_from pose convert import' -l in-place -d 'remove displacement along x and z'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l join -d 'join numbered clips end to end'
complete -c ossa -n '__fish_seen_subcommand_from convert view' -l boxes -d 'add a box along each bone if there is no mesh'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l skin -d 'glTF: one skinned mesh'
complete -c ossa -n '__fish_seen_subcommand_from convert view' -l morph -x -a 'all clip none' -d 'Evil Islands: clips with morph targets'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l resample -x -d 'Evil Islands: keys per frame'
complete -c ossa -n '__fish_seen_subcommand_from formats' -l markdown -d 'print a Markdown table'
complete -c ossa -n '__fish_seen_subcommand_from list' -l tree -d 'also list nested archives, as a tree'
complete -c ossa -n '__fish_seen_subcommand_from list' -l flat -d 'the same, one full path per line'
complete -c ossa -n '__fish_seen_subcommand_from list' -l figures -d 'list figures instead'
complete -c ossa -n '__fish_seen_subcommand_from extract' -l to -x -a '(__fish_complete_directories)' -d 'output folder'
complete -c ossa -n '__fish_seen_subcommand_from extract' -l raw -d 'write nested archives as files'
complete -c ossa -n '__fish_seen_subcommand_from pack' -l replace -x -d 'replace an entry with a file'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l all -d 'convert every figure of the inputs'
complete -c ossa -n '__fish_seen_subcommand_from convert' -s j -l jobs -x -d 'number of threads'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l shard -x -d 'every Nth figure from the Kth on'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l force -d 'overwrite files of another kind, convert everything again'
complete -c ossa -n '__fish_seen_subcommand_from dump build merge-reports view' -l force -d 'overwrite a file of another kind'
complete -c ossa -n '__fish_seen_subcommand_from pack' -l force -d 'replace entries by any files, overwrite a file of another kind'
complete -c ossa -n '__fish_seen_subcommand_from extract import' -l force -d 'overwrite files that exist with other contents'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l texture -r -F -d 'use this texture'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l sides -x -a 'low high' -d 'Shadow of the Colossus: width of textures'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l palette -x -a 'smooth plain csm1' -d 'Shadow of the Colossus: order of colours'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l unlit -d 'Shadow of the Colossus: materials without lighting'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l level -x -d 'png: level of the texture'
complete -c ossa -n '__fish_seen_subcommand_from import' -l over -r -F -a '(__ossa_entries)' -d 'the originals'
complete -c ossa -n '__fish_seen_subcommand_from import' -l dry-run -d 'report what would change, write nothing'
complete -c ossa -n '__fish_seen_subcommand_from import' -l limit -x -d 'degrees that a packed key may be off'
complete -c ossa -n '__fish_seen_subcommand_from import' -l retime -d 'clips may have another number of frames'
complete -c ossa -n '__fish_seen_subcommand_from import' -l resample -d 'take curves at the frames, whatever their rate'
complete -c ossa -n '__fish_seen_subcommand_from import' -l drop -d 'leave out what a format cannot store'
complete -c ossa -n '__fish_seen_subcommand_from import' -l as -x -d 'make a new clip of this name'
complete -c ossa -n '__fish_seen_subcommand_from import' -l like -x -d 'the clip that it is modelled on'
