#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who presses Tab is offered what fits at that place, and nothing else. Calls the completion
# function as bash does.
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

# offers WORD: checks that WORD is among the completions
offers()
{
	[[ " ${COMPREPLY[*]} " == *" $1 "* ]]
}

# only WORDS: checks that there are no other completions
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
result "a subcommand is completed" only topdown
typed ""
result "subcommands are offered for an empty word" offers stat
typed stat --int
result "options of stat are offered" offers --interval-count
typed topdown --al
result "options of topdown are offered" offers --alert
typed serve --lis
result "options of serve are completed" only --listen
typed top --int
result "options of top are offered" offers --interval-count
typed top ech
result "top: no commands are offered" only ""
typed list --part iv
result "--part: parts are offered" offers ivb
typed list --part = iv
result "--part=: parts are offered" offers ivb
typed list --part = ivb events uops_retired.retire_s
result "list --part=ivb events: events of the part are completed" only UOPS_RETIRED.RETIRE_SLOTS
typed list --part ivb events mem_load_uops_retired.llc_h
result "list --part ivb events: lower case is completed" only MEM_LOAD_UOPS_RETIRED.LLC_HIT
typed list --part ivb metrics Back
result "list --part ivb metrics: metrics are completed" only Backend_Bound
typed list --part ivb errata BV
result "list --part ivb errata: errata are completed" only BV98
# These completions depend on the part.
typed stat -e cycles,instr
result "stat -e: an event after a comma is offered" offers cycles,instructions
result "stat -e: completions begin with the events before the comma" all_begin cycles,instr
typed explain --part ivb backend
result "explain: nodes are completed" only Backend_Bound
typed explain --part ivb uops_issued.an
result "explain: events are completed" only UOPS_ISSUED.ANY
typed eval --part skl -M Frontend_Bound,back
result "-M: a metric after a comma is completed" only Frontend_Bound,Backend_Bound
typed eval --part skl --metrics "$top/tests/vendor/skl" -M precise
result "-M: metrics of --metrics are completed" only precise_name
typed stat --part skl -g BRANCH,rec
result "-g: a metric group after a comma is completed" only BRANCH,RECOVERY
typed stat -C ""
result "-C: CPUs are offered" offers 0
typed record --cpi
result "options of record are completed" only --cpistack
typed report --per-s
result "options of report are completed" only --per-socket
typed errata pr
result "errata: actions are completed" only probe
typed errata list --part ivb BV
result "errata list --part ivb: errata are completed" only BV98
typed doctor wat
result "doctor: problems that it can fix are completed" only watchdog
typed selftest --dry
result "options of selftest are completed" only --dry-run
typed record --call-graph l
result "--call-graph: values are completed" only lbr
typed stat --prefetchers of
result "--prefetchers: values are completed" only off
typed phi --element d
result "phi --element: element types are completed" only dp
typed record --topdown ""
result "record --topdown: levels are offered" only "1 2 3 4"
typed decan --kind ld,gr
result "decan --kind: a variant after a comma is completed" only ld,groups
typed decan --invo
result "options of decan are completed" only --invocation
typed list --part ivb groups ener
result "list --part ivb groups: groups are completed" only ENERGY
typed list sch
result "list: the topic of schedules is completed" only schedule
typed list ev
result "list: topics are completed" only events
typed stat ech
result "stat: commands to run are offered" offers echo
typed help lis
result "help: subcommands are completed" only list
finish
