#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who gives an alert that can never fire is told so before the measurement.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

# refused TEXT WORD...: checks for wrong usage with TEXT
refused()
{
	local text=$1

	shift
	tool topdown "$@" true
	[ "$status" -eq 2 ] && [[ $said == "barepmu: $text"* ]]
}

result "--alert without -I is refused" \
	refused "--alert: there are no intervals; add -I MS" --alert 'A > 1'
result "--alert-exec without --alert is refused" \
	refused "--alert-exec: there is no alert; add --alert" --alert-exec true
result "--alert without a number after the comparison is refused" \
	refused "--alert 'A >': no number after the comparison; write NAME" \
	-I 1s --alert 'A >'
finish
