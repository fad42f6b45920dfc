#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "barepmu list" without a module: its contents and formats.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

# run WORD...: runs list and sets $out, $err and $status
run()
{
	err=$(mktemp)
	status=0
	out=$("$barepmu" list "$@" 2>"$err") || status=$?
	error=$(<"$err")
	rm -f "$err"
}

has()
{
	[[ $out == *"$1"* ]]
}

lines()
{
	[ "$(wc -l <<<"$out")" -eq "$1" ]
}

run --part ivb
result "alone: an overview" has "Intel Ivy Bridge (ivb)"
result "with numbers of events" [ "$(grep -c '^  events \+[1-9]' <<<"$out")" = 1 ]
run --part ivb events RETIRE_SLOTS
result "a word matches a part of a name" has UOPS_RETIRED.RETIRE_SLOTS
result "names are printed one per line" lines 1
run --part ivb events 'uops_retired.*slots'
result "a glob matches in any case" has UOPS_RETIRED.RETIRE_SLOTS
run --part ivb metric
result "a mistyped topic" [ "$error" = "barepmu: list: 'metric' is neither a topic nor part of a name; did you mean 'barepmu list metrics'?" ]
run --part ivb events metric
result "after a topic, no topic is suggested" [ "$error" = "barepmu: list: none of the events of ivb matches 'metric'; use another word or a glob such as '*MISS*'" ]
run --part ivb events 'SLOTS*'
result "a glob is the whole name" [ "$status" -eq 1 ]

# Rows that differ from Intel's file are marked.
for row in {snb,jkt,ivb,ivt,hsw,hsx,bdw,bdx}:UOPS_EXECUTED.CORE_CYCLES_NONE \
	{snb,jkt}:L1D_PEND_MISS.FB_FULL {skl,skx}:INST_RETIRED.TOTAL_CYCLES_PS \
	{bdw,bdx}:CYCLE_ACTIVITY.{CYCLES_LDM_PENDING,STALLS_TOTAL} \
	{bdw,bdx}:CYCLE_ACTIVITY.STALLS_{L2_MISS,MEM_ANY} \
	{icl,icx,rkl}:EXE_ACTIVITY.EXE_BOUND_0_PORTS \
	{icl,tgl,rkl}:LONGEST_LAT_CACHE.REFERENCE \
	{arl-e,lnl-e,ptl-e,cwf}:TOPDOWN_{BAD_SPECULATION,FE_BOUND,RETIRING}.ALL; do
	run -v --part "${row%:*}" events "${row#*:}"
	result "${row%:*}: ${row#*:} differs and says so" has "Intel's file"
done
run --part zen2 groups -v
result "groups of a part without a tree" [ "$status" -eq 0 ]
result "of BRANCH how many instructions there are for one" \
	[ "$(grep -c '^  Instructions_per_Branch  *ratio  *instructions / branches$' <<<"$out")" = 1 ]
result "groups without their main metric are not listed" \
	[ "$(grep -c -e ^BRANCH: -e ^FLOPS_DP: <<<"$out")" = 1 ]
named='"type":"metric","groups":"BRANCH","metric":"Instructions_per_Branch","unit":"ratio","formula":"instructions / branches"}'
run --part zen2 groups -v -j
result "JSON has one row per metric of a group" [ "$(grep -cF "$named" <<<"$out")" = 1 ]
result "JSON has no row of slots for AMD's groups" [ "$(grep -c '"type":"slot"' <<<"$out")" = 0 ]
run --part ivb groups -v -x,
result "CSV has their columns behind those of events" \
	[ "$(head -n 1 <<<"$out")" = level,group,counter,event,groups,metric,unit,formula ]
result "a metric has no counter" \
	[ "$(grep -c '^,,,,BRANCH,Instructions_per_Branch,ratio,' <<<"$out")" = 1 ]
result "an event no formula" [ "$(grep -cE '^1,1,[^,]+,[^,]+,,,,$' <<<"$out")" -gt 3 ]
run --part ivb groups -x,
result "without -v there are events alone" \
	[ "$(grep -vc '^[0-9]*,[0-9]*,[^,]*,[^,]*$' <<<"$out")" = 1 ]
# Every group that the metric files name exists on some part.
named=$(sed -n 's/.*| group \([A-Z0-9_]*\).*/\1/p' "$top"/arch/metrics/{groups,power}.bpm | sort -u)
shown=$(for part in ivt skx skl zen2; do "$barepmu" list --part $part groups -v; done |
	sed -n 's/^\([A-Z0-9_]*\):$/\1/p' | sort -u)
result "no group is left out" [ "$shown" = "$named" ]
result "memory's traffic by what the part counts best, with other lines in either()" \
	[ "$(for part in ivb hsx zen2 zen4 spr srf; do
		"$barepmu" list --part $part -v metrics Memory_Traffic 2>&1 |
			sed -n 's/^ *formula *//p'
	done)" = 'Memory_Request_Rate
Controllers_Traffic
Memory_Rate
Controllers_Traffic
Controllers_Traffic' ]
run --part zen2 groups
result "Top-Down groups are refused on AMD" [ "$error" = "barepmu: groups: Top-Down has none on zen2; 'barepmu list groups -v' has those that -g takes" ]
run --part ivb nosuchthing
result "nothing found is a failure" [ "$status" -eq 1 ]
result "the error has the name that was not found" [ "$error" = "barepmu: list: none of the names of ivb matches 'nosuchthing'; use another word or a glob such as '*MISS*'" ]
run --part nosuchpart
result "an unknown part is refused, with those that exist" \
	[ "${error%%snb*}" = "barepmu: part 'nosuchpart': not known; choose one of " ]
result "each of them once" \
	[ -z "$(echo "${error##*choose one of }" | tr -d ' ' | tr , '\n' | sort | uniq -d)" ]
run --part SKL
result "an unknown part is refused, with similar names" [ "$error" = \
	"barepmu: part 'SKL': not known; did you mean skl, skx, rkl? See 'barepmu list parts'" ]
run --part ivb LLC_MISS -v
result "-v: code" has "code       0xd1"
result "-v: umask" has "umask      0x20"
result "-v: counters with hyper-threading on and off" \
	has "0-3 with hyper-threading on, 0-7 with it off"
result "-v: errata" has "errata     BV98"
run --part ivb -v events STALLS_L1D_PENDING
result "-v: counter mask" has "cmask      12"
run --part skl -v events LLC-load-misses
result "-v: extra register" has "extra      offcore_rsp=0x3ffc020001"
run --part ivb -v events UOPS_RETIRED.CORE_STALL_CYCLES
result "-v: flags" has "flags      inv any"
run --part ivb -v metrics Bad_Spec
result "-v: formula with what parentheses it needs" \
	has "(SlotsIssued - SlotsRetired + RecoveryBubbles) / TotalSlots"
result "-v: threshold" has "Bad_Speculation > 0.15"
result "-v: events of the formula" has "INT_MISC.RECOVERY_CYCLES"
run --part ivb -v metrics Retiring
result "-v: each of them once" has \
	$'  events     UOPS_RETIRED.RETIRE_SLOTS CPU_CLK_UNHALTED.THREAD_ANY CPU_CLK_UNHALTED.THREAD\n'
run --part ivb bv98
result "a word is looked for among errata too" has "hyper-threading on"
run --part bdw errata
result "the condition of an erratum" has "(hyper-threading off)"
run --part skl errata TSX -v
result "microcode that cures it" has "fixed in   0xea"
run --part skl -x, errata TSX
result "models and steppings of an erratum" has ",model 0x9e stepping 0 to 12,0xea,"
run --part skx -x, errata TSX
result "a single stepping" has ",model 0x55 stepping 3,0x100015b,"
run --part hsw errata HSD135 -v
result "events that an erratum touches" has IDQ_UOPS_NOT_DELIVERED.CORE

run --part ivb -x, events LLC_MISS
result "CSV: a header line" has \
	"event,same_as,unit,code,umask,cmask,flags,counters_ht_on,counters_ht_off,errata,description,category"
result "CSV: a row" has \
	"MEM_LOAD_UOPS_RETIRED.LLC_MISS,,core,0xd1,0x20,,,0-3,0-3,BV98,Retired loads that missed the last cache"
run --part ivb -x, events UOPS_ISSUED.ANY
result "CSV: quotes where they are needed" \
	has ',"Uops handed from the frontend to the backend, wrong paths too"'
run --part ivb -x, events LLC-loads
result "CSV: one of perf's names that no event of Intel's is" has \
	"LLC-loads,,core,0xb7,0x01,,,0-3,0-3,,Demand reads of data that left the core,memory"
run --part ivb -x, events STALLS_L1D_PENDING
result "CSV: a counter mask is a number" has ",0x0c,12,,2,2,"
run --part ivb -x, metrics Frontend_Bound
result "CSV: header of metrics" has \
	"metric,level,parent,unit,formula,threshold,events,errata,source,description"
run --part ivb -x, errata
result "CSV: header of errata" has \
	"erratum,parts,models,fixed_in,condition,applies,events,description,advice"
run --part ivb -x, parts ivb
result "CSV: parts" has "ivb,Intel Ivy Bridge,4,2,"
run --part ivb -x, LLC
result "CSV without a topic is wrong usage" [ "$status" -eq 2 ]
run --part ivb -x "" events
result "an empty separator too" [ "$status" -eq 2 ]
run --part ivb -j events MEM_LOAD_UOPS_RETIRED.LLC_MISS
result "JSON: an event" [ "$out" = '{"schema":1,"type":"event","event":"MEM_LOAD_UOPS_RETIRED.LLC_MISS","same_as":null,"unit":"core","code":"0xd1","umask":"0x20","cmask":null,"flags":[],"counters_ht_on":"0-3","counters_ht_off":"0-3","errata":["BV98"],"description":"Retired loads that missed the last cache","category":"memory"}' ]
run --part ivb -j
result "JSON: the overview" has '{"schema":1,"type":"topic","topic":"parts","part":"ivb","count":'
for part in ivb knc zen1 zen4; do
	run --part $part -j events
	result "$part: every event has a description" \
		[ "$(grep -c '"same_as":null.*"description":""' <<<"$out") $(grep -c '"same_as":null.*"description":null' <<<"$out")" = "0 0" ]
done
# Those that the part lacks say why instead.
undescribed()
{
	for part in $("$barepmu" list --names parts); do
		"$barepmu" list --part "$part" -x '|' metrics |
			awk -F '|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
				$at["description"] == "" { print }'
	done
}
result "every metric of every part has a description" [ -z "$(undescribed)" ]
names_of()
{
	cat "$@" | sed -nE 's/^\t*(tma_[a-z0-9_]+)( =.*| \|.*)?$/\1/p' | sort -u
}
result "every metric of Intel's that is described is one of some part" \
	[ -z "$(comm -13 <(names_of "$top"/arch/metrics/tma-*) <(names_of "$top"/arch/metrics/tma.bpm))" ]
# with LINE FILE...: prints the metrics that have such a line below their name
with()
{
	awk -v line="$1" '{ sub(/^\t*/, "") }
		/^tma_/ { name = $1 }
		$0 ~ line { print name }' "${@:2}" | sort -u
}
result "every metric of Intel's that has a threshold says what to do" \
	[ -z "$(comm -23 <(with '^[|].*flag ' "$top"/arch/metrics/tma-*) <(with '^[|] next ' "$top"/arch/metrics/tma.bpm))" ]
run --part ivb events
result "events stand under what they are about" has $'\nmemory:\n'
for row in L1D.REPLACEMENT:memory DTLB_LOAD_MISSES.WALK_COMPLETED:virtual\ memory \
	UOPS_RETIRED.ALL:retirement UOPS_ISSUED.ANY:execution IDQ.EMPTY:frontend \
	UNC_CLOCK.SOCKET:uncore BR_MISP_RETIRED.ALL_BRANCHES:branches \
	FP_ASSIST.ANY:floating\ point; do
	run --part ivb -j events "${row%:*}"
	result "${row%:*}: ${row#*:}" has "\"category\":\"${row#*:}\""
done
explain()
{
	status=0
	out=$("$barepmu" explain "$@" 2>&1) || status=$?
}
explain --part ivb memory_bound
result "explain: where a node is" has "Backend_Bound > Memory_Bound"
result "explain: description of the node" has "Cycles lost to loads and stores that wait."
result "explain: when it deserves a look" has "Memory_Bound > 0.2"
result "explain: remedy" has "locality, prefetching, data layout"
result "explain: its formula" has "Memory_Bound = MemStalls.AnyLoad / Clocks + StoreStalls"
result "explain: events of the node" has "RESOURCE_STALLS.SB  "
result "explain: children of the node" has "Ext_Memory_Bound "
explain --part gnr tma_l3_miss_bound
result "explain: description of a node of Intel's tree" has "Cycles lost to loads that miss the L3 cache."
result "explain: what to do about it" has "bandwidth or latency: look one level down"
explain --part ivb Ext_Memory_Bound
result "explain: errata" has "Errata that touch it: BV98"
explain --part ivb instructions
result "explain: an event" has "Instructions completed."
explain --part ivb Memry_Bound
result "explain: nearly a node" has "did you mean Memory_Bound"
result "explain: fails for it" [ "$status" -eq 1 ]
make -s -C "$top/tests/html" recordings
explain Memory_Bound "$top/build/html/topdown.rec"
value=$("$barepmu" report -j --topdown 2 "$top/build/html/topdown.rec" |
	sed -n 's/.*"metric":"Memory_Bound".*"value":\(0\.[0-9]\{4\}\).*/\1/p')
result "explain: the value in a recording" has "                 = ${value:-none}"
explain Memory_Bound "$top/README.md"
result "explain: no recording" has "README.md: is no recording"
explain
result "explain: nothing is wrong usage" [ "$status" -eq 2 ]
if command -v python3 >/dev/null; then
	for topic in events metrics errata parts groups; do
		run --part ivb -j "$topic"
		result "JSON: $topic are objects" python3 -c '
import json, sys
for line in sys.argv[1].splitlines():
    assert json.loads(line)["schema"] == 1' "$out"
	done
fi
run --part spr errata
result "no errata is an answer" [ "$status: $out" = "0: No errata of spr are known." ]
run --part zen4 metrics
result "a part without a method has what every part has" \
	has "  IPC  "
run --part skl -v metrics
result "where Intel's tree and the paper's are the same" \
	has "paper      MITE is the same"
result "differences between the two trees" \
	has "paper      Stores_Bound differs: StoreStalls"
run --part ivb -v metrics tma_icache_misses
result "also on Ivy Bridge, whose own method is the paper's" \
	has "paper      ICache_Misses differs: ICacheStalls / Clocks"
run --part ivb -v metrics tma_retiring
result "Ivy Bridge: nodes that are the same in both trees" has "paper      Retiring is the same"
run --part knc cycles
result "a search of events finds aliases" has "same as CPU_CLK_UNHALTED"
run --part ivb --names errata
result "--names: names alone" [ "$out" = $'BV98\nL2-PENDING\nIRET' ]
run --nonsense
result "an unknown option is wrong usage" [ "$status" -eq 2 ]
unknown="barepmu: option '--nonsense': not known; see 'barepmu"
result "the error names the unknown option" [ "$error" = "$unknown list --help'" ]
for command in check info; do
	result "$command: the error names the unknown option" [ "$("$barepmu" $command --nonsense 2>&1)" = \
		"$unknown $command --help'" ]
done
run parts extra word
result "too many words are wrong usage" [ "$status" -eq 2 ]
result "the error names the first extra word" [ "${error%;*}" = "barepmu: list: 'word': one word too many" ]
