#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Command-line completion, called as by bash.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=user/man/barepmu.bash-completion
. "$top/user/man/barepmu.bash-completion"

# typed WORD...: prints the completions of the last word
typed()
{
	COMP_WORDS=(barepmu "$@")
	COMP_CWORD=$#
	_barepmu "$barepmu" "${COMP_WORDS[COMP_CWORD]}" \
		"${COMP_WORDS[COMP_CWORD - 1]}" 2>&1
}

# offers WORD: checks that WORD is among them
offers()
{
	[[ " ${COMPREPLY[*]} " == *" $1 "* ]]
}

only()
{
	[[ ${COMPREPLY[*]} == "$1" ]]
}

# all_begin TEXT: checks that all start with TEXT, ignoring case as the tool does
all_begin()
{
	local word

	for word in "${COMPREPLY[@],,}"; do
		[[ $word == "$1"* ]] || return
	done
}

typed topd
result "a subcommand" only topdown
typed ""
result "all subcommands" offers stat
typed stat --int
result "options of a subcommand" offers --interval-count
typed topdown --al
result "options of another one" offers --alert
typed serve --lis
result "options of the server" only --listen
typed top --int
result "options of the live view" offers --interval-count
typed top ech
result "the live view runs no command" only ""
typed list --part iv
result "parts" offers ivb
typed list --part = iv
result "parts behind a =" offers ivb
typed list --part = ivb events uops_retired.retire_s
result "events of a part behind a =" only UOPS_RETIRED.RETIRE_SLOTS
typed list --part ivb events mem_load_uops_retired.llc_h
result "events of a part, in any case" only MEM_LOAD_UOPS_RETIRED.LLC_HIT
typed list --part ivb metrics Back
result "metrics" only Backend_Bound
typed list --part ivb errata BV
result "errata" only BV98
# Further completions depend on the part.
typed stat -e cycles,instr
result "behind a comma" offers cycles,instructions
result "with what is before it" all_begin cycles,instr
typed explain --part ivb backend
result "nodes that are explained" only Backend_Bound
typed explain --part ivb uops_issued.an
result "events that are explained" only UOPS_ISSUED.ANY
typed eval --part skl -M Frontend_Bound,back
result "metrics that are chosen" only Frontend_Bound,Backend_Bound
typed eval --part skl --metrics "$top/tests/vendor/skl" -M precise
result "metrics of files" only precise_name
typed stat -C ""
result "CPUs" offers 0
typed record --cpi
result "options of a recording" only --cpistack
typed report --per-s
result "options of a report" only --per-socket
typed errata pr
result "actions on errata" only probe
typed errata list --part ivb BV
result "errata of a part" only BV98
typed doctor wat
result "problems that doctor can fix" only watchdog
typed selftest --dry
result "options of a self-test" only --dry-run
typed stat --prefetchers of
result "prefetchers" only off
typed phi --element d
result "elements" only dp
typed record --topdown ""
result "levels" only "1 2 3 4"
typed decan --kind ld,gr
result "kinds of variants, behind a comma" only ld,groups
typed decan --invo
result "options of an analysis" only --invocation
typed list ev
result "topics" only events
typed stat ech
result "commands to run" offers echo
typed help lis
result "help of a subcommand" only list
