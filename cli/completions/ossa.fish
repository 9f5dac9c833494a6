# SPDX-License-Identifier: MIT
#
# Completion of ossa(1) for fish: verbs, the options of each, their values, files.

function __ossa_formats
    ossa formats 2>/dev/null | sed -e 1d -e 's/ .*//'
end

set -l verbs info check fields dump build formats help

complete -c ossa -f
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a info -d 'what a file is and holds'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a check -d 'everything that is wrong, and where'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a fields -d 'every byte of a file'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a dump -d 'a file as lossless JSON'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a build -d 'the file that the JSON of dump describes'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a formats -d 'the table of formats'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -a help -d 'more about a verb'
complete -c ossa -n "not __fish_seen_subcommand_from $verbs" -s V -l version -d 'show the version'
complete -c ossa -s h -l help -d 'show help'

complete -c ossa -n '__fish_seen_subcommand_from help' -a 'info check fields dump build formats'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build' -F
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump' -l format -x -a '(__ossa_formats)' -d 'take the files for this format'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump' -l dialect -x -a 'mm1 legacy documented retail' -d 'of mm-anim'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build' -l strict -d 'warnings count as errors'
complete -c ossa -n '__fish_seen_subcommand_from info check fields formats' -l json -d 'JSON for programs'
complete -c ossa -n '__fish_seen_subcommand_from check' -s q -l quiet -d 'only what is wrong, no summary'
complete -c ossa -n '__fish_seen_subcommand_from dump' -l pretty -d 'JSON over several lines'
complete -c ossa -n '__fish_seen_subcommand_from dump build' -s o -l output -r -F -d 'write there'
complete -c ossa -n '__fish_seen_subcommand_from info check fields dump build' -l max-size -x -a '1M 16M 256M 1G 4G' -d 'refuse larger files'
complete -c ossa -n '__fish_seen_subcommand_from formats' -l markdown -d 'a Markdown table'
