#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who gives "barepmu errata" a wrong argument is told what would be right, without a module.
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
result "errata list prints the same as list errata" \
	[ "$listed" = "$("$barepmu" list --part ivb --names errata)" ]
refused "errata without a word is refused" 'errata: list, check or probe is expected; see "barepmu errata --help"'
refused "errata with an unknown word is refused" \
	'errata: list, check or probe is expected; see "barepmu errata --help"' find
refused "errata check with an event is refused" \
	"errata check: 'cycles': no event is expected; errata probe takes one" \
	check cycles
refused "errata probe without an event is refused" \
	'errata probe: no event; name one, see "barepmu list events"' probe
refused "errata probe with two events is refused" \
	"errata: 'branches': one word too many; see 'barepmu errata --help'" \
	probe cycles branches
refused "--trials with a unit is refused" \
	"--trials '1k': not a number from 0 to 10000; write one" check --trials 1k
refused "--counter above 31 is refused" \
	"--counter '32': not a number from 0 to 31; write one" \
	probe --counter 32 cycles
result "errata --help has --trials" grep -q -- '--trials N' <("$barepmu" errata --help)
finish
