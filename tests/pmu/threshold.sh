#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who writes a counter mask gets the cycles in which at least so many events happened:
# from the text of the event to the register.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

event=IDQ_UOPS_NOT_DELIVERED.CORE

begin
load
[ "$(part)" = ivb ] || skip_all "no such event on this part"
cpu=$(last_cpu)
run barepmu stat -x, -C "$cpu" \
	-e "$event:[>=2],$event:[>=3],$event:[=2],$event:c=3" \
	-- taskset -c "$cpu" "$here/fetch" 20
two=$(counted "$event:[>=2]")
three=$(counted "$event:[>=3]")
result "counter mask [>=2] counts: $two" [ "$two" -gt 0 ]
result "counter mask [>=3] counts less than [>=2]: $three" [ "$three" -lt "$two" ]
result "counter mask [=2] counts the difference of [>=2] and [>=3]" \
	[ "$(counted "$event:[=2]")" -eq $((two - three)) ]
result "counter mask c=3 counts the same as [>=3]" [ "$(counted "$event:c=3")" -eq "$three" ]
unload
finish
