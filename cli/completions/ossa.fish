# SPDX-License-Identifier: MIT
#
# Completion of ossa(1) for fish: verbs, the options of each, their values, files.

function __ossa_formats
    ossa formats 2>/dev/null | sed -e 1d -e 's/ .*//'
end

set -l verbs info check fields dump build pose convert view list extract pack formats help

complete -c ossa -f
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a info -d 'what a file is and holds'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a check -d 'everything that is wrong, and where'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a fields -d 'every byte of a file'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a dump -d 'a file as lossless JSON'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a build -d 'the file that the JSON of dump describes'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a pose -d 'where every bone is at a frame or a time'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a convert -d 'to glTF, BVH or CSV'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a view -d 'see it move, in the browser'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a list -d 'what is in an archive'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a extract -d 'files out of an archive'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a pack -d 'an archive of a folder'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a formats -d 'the table of formats'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a help -d 'more about a verb'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -s V -l version -d 'show the version'
complete -c ossa -s h -l help -d 'show help'

complete -c ossa -n '__fish_seen_subcommand_from help' -a 'info check fields dump build pose convert view list extract pack formats'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build pose convert view list extract pack' -F
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump pose convert list extract pack' -l format -x -a '(__ossa_formats)' -d 'take the files for this format'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump pose convert' -l dialect -x -a 'mm1 legacy documented retail' -d 'of mm-anim'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build' -l strict -d 'warnings count as errors'
complete -c ossa -n '__fish_seen_subcommand_from info check fields pose list formats' -l json -d 'JSON for programs'
complete -c ossa -n '__fish_seen_subcommand_from check convert view list extract pack' -s q -l quiet -d 'no summary, only what is wrong'
complete -c ossa -n '__fish_seen_subcommand_from dump convert' -l pretty -d 'JSON over several lines'
complete -c ossa -n '__fish_seen_subcommand_from dump build convert view pack' -s o -l output -r -F -d 'write there'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build pose convert view list extract pack' -l max-size -x -a '1M 16M 256M 1G 4G' -d 'refuse larger files'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l to -x -a 'glb gltf json bvh csv png' -d 'what to make'
complete -c ossa -n '__fish_seen_subcommand_from pose convert' -l clip -x -d 'only this clip; * and ? stand for any characters'
complete -c ossa -n '__fish_seen_subcommand_from pose' -l frame -x -d 'the frame, from 0 on'
complete -c ossa -n '__fish_seen_subcommand_from pose' -l time -x -d 'the time in seconds'
complete -c ossa -n '__fish_seen_subcommand_from pose convert' -l space -x -a 'model local' -d 'model, or from each parent'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l fps -x -d 'frames a second'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l scale -x -d 'all lengths times this'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l complexion -x -d 'Evil Islands: strength, dexterity, height'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l euler -x -a 'xyz zyx' -d 'Vib-Ribbon: order of turns'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l missing -x -a 'identity hold' -d 'Vib-Ribbon: what a key leaves out'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l twist -x -a 'degree turn none' -d "Vib-Ribbon: unit of a camera's twist"
complete -c ossa -n '__fish_seen_subcommand_from convert' -l view -x -a 'distance turn degree' -d 'Vib-Ribbon: unit of a field of view'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l look -x -a 'y z up' -d 'Evil Islands: where a camera looks'
complete -c ossa -n '__fish_seen_subcommand_from pose convert' -l in-place -d "take the root's way along x and z out"
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l join -d 'numbered clips end to end, as one'
complete -c ossa -n '__fish_seen_subcommand_from convert view' -l boxes -d 'a box along each bone where there is no mesh'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l skin -d 'glTF: one mesh bound to the bones'
complete -c ossa -n '__fish_seen_subcommand_from convert view' -l morph -x -a 'all clip none' -d 'Evil Islands: which clips have their shapes'
complete -c ossa -n '__fish_seen_subcommand_from pose convert view' -l resample -x -d 'Evil Islands: keys a frame'
complete -c ossa -n '__fish_seen_subcommand_from formats' -l markdown -d 'a Markdown table'
complete -c ossa -n '__fish_seen_subcommand_from list' -l tree -d 'enter archives inside, as a tree'
complete -c ossa -n '__fish_seen_subcommand_from list' -l flat -d 'enter archives inside, a word a line'
complete -c ossa -n '__fish_seen_subcommand_from extract' -l to -x -a '(__fish_complete_directories)' -d 'the folder to write into'
complete -c ossa -n '__fish_seen_subcommand_from extract' -l raw -d 'leave archives inside as they are'
complete -c ossa -n '__fish_seen_subcommand_from pack' -l replace -x -d 'put a file in the place of an entry'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l all -d 'every model of an archive'
complete -c ossa -n '__fish_seen_subcommand_from convert' -s j -l jobs -x -d 'on so many cores'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l force -d 'convert again what is there already'
complete -c ossa -n '__fish_seen_subcommand_from convert' -l texture -r -F -d 'this texture'
