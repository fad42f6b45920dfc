#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Arguments of "barepmu errata", without a module.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

# refused DESCRIPTION SENTENCE WORD...: checks for wrong usage with SENTENCE
refused()
{
	local name=$1 sentence=$2 said status=0

	shift 2
	said=$("$barepmu" errata "$@" 2>&1) || status=$?
	result "$name" [ "$status: $said" = "2: barepmu: $sentence" ]
}

listed=$("$barepmu" errata list --part ivb --names)
result "errata list is list errata" \
	[ "$listed" = "$("$barepmu" list --part ivb --names errata)" ]
refused "no word" 'errata: list, check or probe is expected; see "barepmu errata --help"'
refused "a word that is none" \
	'errata: list, check or probe is expected; see "barepmu errata --help"' find
refused "check takes no event" \
	"errata check: 'cycles': no event is expected; errata probe takes one" \
	check cycles
refused "probe takes one" \
	'errata probe: no event; name one, see "barepmu list events"' probe
refused "probe takes one only" \
	"errata: 'branches': one word too many; see 'barepmu errata --help'" \
	probe cycles branches
refused "trials are a number" \
	"--trials '1k': not a number from 0 to 10000; write one" check --trials 1k
refused "a general counter" \
	"--counter '32': not a number from 0 to 31; write one" \
	probe --counter 32 cycles
result "help" grep -q -- '--trials N' <("$barepmu" errata --help)
