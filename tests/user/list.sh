#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who lists events, metrics or parts, without a module, finds them by a word or a glob,
# and is told what was mistyped.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"
scratch=$(mktemp -d)

# run WORD...: runs "barepmu list" with these words; sets $out, $err and $status
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
result "list without words prints an overview" has "Intel Ivy Bridge (ivb)"
result "the overview has the number of events" [ "$(grep -c '^  events \+[1-9]' <<<"$out")" = 1 ]
run --part ivb events RETIRE_SLOTS
result "a word matches a part of a name" has UOPS_RETIRED.RETIRE_SLOTS
result "names are printed one per line" lines 1
run --part ivb events 'uops_retired.*slots'
result "a glob matches in any case" has UOPS_RETIRED.RETIRE_SLOTS
run --part ivb metric
result "a mistyped topic: the error names the similar one" [ "$error" = "barepmu: list: 'metric' is neither a topic nor part of a name; did you mean 'barepmu list metrics'?" ]
run --part ivb events metric
result "after a topic, no topic is suggested" [ "$error" = "barepmu: list: none of the events of ivb matches 'metric'; use another word or a glob such as '*MISS*'" ]
run --part ivb events 'SLOTS*'
result "a glob matches whole names only" [ "$status" -eq 1 ]

# Rows that deliberately differ from Intel's file are marked in the list.
for row in {snb,jkt,ivb,ivt,hsw,hsx,bdw,bdx}:UOPS_EXECUTED.CORE_CYCLES_NONE \
	{snb,jkt}:L1D_PEND_MISS.FB_FULL {skl,skx}:INST_RETIRED.TOTAL_CYCLES_PS \
	{bdw,bdx}:CYCLE_ACTIVITY.{CYCLES_LDM_PENDING,STALLS_TOTAL} \
	{bdw,bdx}:CYCLE_ACTIVITY.STALLS_{L2_MISS,MEM_ANY} \
	{icl,icx,rkl}:EXE_ACTIVITY.EXE_BOUND_0_PORTS \
	{icl,tgl,rkl}:LONGEST_LAT_CACHE.REFERENCE \
	{arl-e,lnl-e,ptl-e,cwf}:TOPDOWN_{BAD_SPECULATION,FE_BOUND,RETIRING}.ALL; do
	run -v --part "${row%:*}" events "${row#*:}"
	result "${row%:*}: ${row#*:} is marked as different from Intel's file" has "Intel's file"
done
run --part zen2 groups -v
result "zen2: list groups -v succeeds" [ "$status" -eq 0 ]
result "zen2: group BRANCH has Instructions_per_Branch" \
	[ "$(grep -c '^  Instructions_per_Branch  *ratio  *instructions / branches$' <<<"$out")" = 1 ]
result "zen2: groups without their main metric are not listed" \
	[ "$(grep -c -e ^BRANCH: -e ^FLOPS_DP: <<<"$out")" = 1 ]
named='"type":"metric","groups":"BRANCH","metric":"Instructions_per_Branch","unit":"ratio","formula":"instructions / branches","description":'
run --part zen2 groups -v -j
result "zen2: JSON has one row per metric of a group" [ "$(grep -cF "$named" <<<"$out")" = 1 ]
run --part ivb groups -v -x,
result "list groups -v -x: the header" [ "$(head -n 1 <<<"$out")" = groups,metric,unit,formula,description ]
result "list groups -v -x: one row per metric of a group" [ "$(grep -c '^BRANCH,' <<<"$out")" = 5 ]
run --part ivb groups -x, '[t]lb'
result "list groups -x: a group has its metrics and description" [ "$out" = 'groups,metrics,description
TLB,DTLB_Load_Walks DTLB_Store_Walks ITLB_Walks DTLB_Load_Walk_Time,TLB misses and page walks of data and instructions' ]
# Each group that the metric files name exists on some part and has a description.
named=$(grep -o '| group [A-Z0-9_]*' "$top"/arch/metrics/{groups,power}.bpm | sed 's/.* //' | sort -u)
shown=$(for part in ivt skx skl zen2 spr knl; do "$barepmu" list --part $part groups; done |
	sed -n 's/^  \([A-Z0-9_]*\) \+[A-Z][^_]* [^_]*$/\1/p' | sort -u)
result "list groups of six parts prints every group of the metric files, described" [ "$shown" = "$named" ]
run --part ivb groups --metrics <(echo 'Rate = cycles / SECONDS | unit count/s | group MINE')
result "list groups --metrics: the groups are those of the file" [ "$out" = "  MINE         Rate" ]
run --part ivb schedule -x,
result "list schedule: the events of topdown, by level and group" \
	[ "$(head -n 1 <<<"$out")" = level,group,counter,event ]
result "list schedule: an event has level, group and counter" \
	[ "$(grep -cE '^1,1,[^,]+,[^,]+$' <<<"$out")" -gt 3 ]

# What a word finds: names, words of descriptions, groups and units of metrics, perf's PMU names.
while read -r part word topic name; do
	run --part "$part" "$topic" "$word"
	result "$part: list $topic $word finds $name" grep -qw "$name" <<<"$out"
	run --part "$part" "$word"
	result "$part: list $word finds $name among the $topic" \
		grep -qw "$name" < <(sed -n "/^$topic:/,/^[a-z]*:$/p" <<<"$out"; sed -n "/^$topic:/,\$p" <<<"$out")
done <<'END'
icx numa groups NUMA
icx numa metrics Remote_Loads
icx numa events MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM
icx watt metrics DRAM_Power
icx bandwidth groups MEM
icx bandwidth metrics DRAM_Read_Rate
icx imc events UNC_M_CAS_COUNT.RD
icx Package_Temperature groups ENERGY
END
run --part icx events imc
result "a word finds uncore events by the name of perf's PMU only at the beginning of a word" \
	[ "$("$barepmu" list --part icx events mc | grep -c UNC_M_CAS_COUNT)" = 0 ]
run --part icx 'numa*'
result "a glob looks at names only" [ "$(grep -c . <<<"$out")" = 2 ]
result "either(): Memory_Traffic has the most precise formula of each part" \
	[ "$(for part in ivb hsx zen2 zen4 spr srf; do
		"$barepmu" list --part $part -v metrics Memory_Traffic 2>&1 |
			sed -n 's/^ *formula *//p'
	done)" = 'Memory_Request_Rate
Controllers_Traffic
Memory_Rate
Controllers_Traffic
Controllers_Traffic' ]
# For every CPU model the list tells what it has, or why not; the manual's table says the same.
run parts -v
for what in topdown tma energy uncore groups; do
	result "list parts -v: every part has a line '$what' with a value or a reason" \
		[ "$(grep -cE "^ {8}$what +(none: )?[a-zA-Z0-9]" <<<"$out")" = "$("$barepmu" list parts --names | wc -l)" ]
done
run parts -v nvl
result "list parts -v: an uncore that is not counted has the reason" has \
	"uncore     none: a discovery table announces it, whose address is in MSR 0x711 and which barepmu does not read"
run parts -v ivb
result "list parts -v: levels of both trees, the version of the published one" \
	[ "$(grep -cE '^ +(topdown +4 levels|tma +6 levels, [A-Z].*[0-9])$' <<<"$out")" = 2 ]
result "list parts -v: a group that the part lacks is named with the event that it needs" \
	has "HA: Home_Busy of this group needs UNC_H_TRACKER_CYCLES_NE, which ivb does not have"
run parts -v 'Knights Landing'
result "list parts -v: the units of an uncore, and those that are not programmed" \
	[ "$(grep -cx -e '        uncore     imc imc-uclk edc-eclk edc-uclk m2pcie' -e \
		'        no uncore  its cha, pcu, ubox and irp are not programmed' <<<"$out")" = 2 ]
run parts -v wsm-ex
result "list parts -v: the boxes of an uncore that is not programmed" grep -qx \
	'        uncore     none: its boxes B, C, M, R, S, U and W are not programmed' <<<"$out"
run parts -v nhm
result "list parts -v: the reason has no words of a refused command" \
	grep -qE '^ +topdown +none: before Sandy Bridge no event counts slots that were not delivered$' <<<"$out"
run parts -x,
result "list parts -x: levels are those that schedule has, energy and uncore are words" \
	grep -q "^ivb,Intel Ivy Bridge,4,2,[0-9]*,$("$barepmu" list --part ivb schedule -x, | sed '1d;s/,.*//' | sort -n | tail -n 1),6,package cores graphics,clock arb cbo imc,BRANCH " <<<"$out"
result "barepmu-list(1) has all CPU models, with their levels, energy and uncore" \
	diff <("$barepmu" list parts -x '|' | awk -F '|' 'NR > 1 {
		print $1, $6 ? $6 : "-", $7 ? $7 : "-", $8 ? "yes" : "-", $9 ? $9 : "-"
	}' | sort) \
	<(sed -n '/^# CPU MODELS/,/^# SEE/s/^| \(.*\) |$/\1/p' "$top/user/man/barepmu-list.1.scd" | awk -F ' [|] ' '{
		nr = split($1, part, " ")
		for (i = 1; i <= nr; i++)
			print part[i], $2, $3, $4, $5
	}' | sort)
run --part knc schedule
result "a schedule of a part without Top-Down is refused" [ "$error" = "barepmu: schedule: Top-Down has no events on knc; 'barepmu list groups' has the groups that -g takes" ]
run --part ivb nosuchthing
result "a word without a match: list fails" [ "$status" -eq 1 ]
result "a word without a match: the error has the word" [ "$error" = "barepmu: list: none of the names of ivb matches 'nosuchthing'; use another word or a glob such as '*MISS*'" ]
run --part nosuchpart
result "an unknown part: the error lists the parts" \
	[ "${error%%nhm*}" = "barepmu: part 'nosuchpart': not known; choose one of " ]
result "an unknown part: the error lists each part once" \
	[ -z "$(echo "${error##*choose one of }" | tr -d ' ' | tr , '\n' | sort | uniq -d)" ]
run --part SKL
result "a part in upper case: the error has similar names" [ "$error" = \
	"barepmu: part 'SKL': not known; did you mean skl, skx, rkl? See 'barepmu list parts'" ]
run --part ivb LLC_MISS -v
result "-v: an event has its code" has "code       0xd1"
result "-v: an event has its umask" has "umask      0x20"
result "-v: an event has its counters with hyper-threading on and off" \
	has "0-3 with hyper-threading on, 0-7 with it off"
result "-v: an event has its errata" has "errata     BV98"
run --part ivb -v events STALLS_L1D_PENDING
result "-v: an event has its counter mask" has "cmask      12"
run --part skl -v events LLC-load-misses
result "-v: an event has the value of its extra register" has "extra      offcore_rsp=0x3ffc020001"
run --part ivb -v events UOPS_RETIRED.CORE_STALL_CYCLES
result "-v: an event has its flags" has "flags      inv any"
run --part bulldozer -v events LINK_3.DATA
result "-v: an event of the northbridge has its code of twelve bits" has "code       0x1f9"
run --part ivb -v metrics Bad_Spec
result "-v: a formula has only the necessary parentheses" \
	has "(SlotsIssued - SlotsRetired + RecoveryBubbles) / TotalSlots"
result "-v: a metric has its threshold" has "Bad_Speculation > 0.15"
result "-v: a metric has the events of its formula" has "INT_MISC.RECOVERY_CYCLES"
run --part ivb -v metrics Retiring
result "-v: a metric has each event once" has \
	$'  events     UOPS_RETIRED.RETIRE_SLOTS CPU_CLK_UNHALTED.THREAD_ANY CPU_CLK_UNHALTED.THREAD\n'
run --part ivb bv98
result "list with a word also searches errata" has "hyper-threading on"
run --part bdw errata
result "an erratum has its condition" has "(hyper-threading off)"
run --part zen1 errata 990
result "list errata: families and ranges of models" \
	has "can be counted too high. (family 0x17 model 0x01 to 0x0f)"
run --part zen1 errata 1023
result "list errata: AMD's revision ZP-B1 is a stepping" \
	has "can cease after the first. (family 0x17 model 0x01 stepping 1)"
run --part zen1 -v errata 1054
result "list errata: free-running registers are among the events" has "events     CORE.IRPERF"
run --part skl errata TSX -v
result "an erratum has the revision of microcode that fixes it" has "fixed in   0xea"
run --part skl -x, errata TSX
result "an erratum has models and a range of steppings" has ",model 0x9e stepping 0 to 12,0xea,"
run --part skx -x, errata TSX
result "an erratum has a single stepping" has ",model 0x55 stepping 3,0x100015b,"
run --part glm -x, errata PMI-FREEZE
result "each stepping of Apollo Lake has its revision of microcode" \
	[ "$(grep -cF -e ",model 0x5c stepping 2,0xe," -e ",model 0x5c stepping 9,0x2e," -e ",model 0x5c stepping 10,0x8," <<<"$out")" = 3 ]
run --part hsw errata HSD135 -v
result "an erratum has the events that it affects" has IDQ_UOPS_NOT_DELIVERED.CORE

run --part ivb -x, events LLC_MISS
result "CSV of events: the header" has \
	"event,same_as,unit,code,umask,cmask,flags,counters_ht_on,counters_ht_off,errata,description,category,fields,extra"
result "CSV of events: a row" has \
	"MEM_LOAD_UOPS_RETIRED.LLC_MISS,,core,0xd1,0x20,,,0-3,0-3,BV98,Retired loads that missed the last cache"
run --part ivb -x, events UOPS_ISSUED.ANY
result "CSV of events: a description with a comma is quoted" \
	has ',"Uops handed from the frontend to the backend, wrong paths too"'
run --part ivb -x, events LLC-loads
result "CSV of events: a name of perf that is no event of Intel's" has \
	"LLC-loads,,core,0xb7,0x01,,,0-3,0-3,,Demand reads of data that left the core,memory"
run --part ivb -x, events STALLS_L1D_PENDING
result "CSV of events: a counter mask is decimal" has ",0x0c,12,,2,2,"
run --part ivb -x, metrics Frontend_Bound
result "CSV of metrics: the header" has \
	"metric,level,parent,unit,formula,threshold,events,errata,source,version,description"
run --part ivb -x, errata
result "CSV of errata: the header" has \
	"erratum,parts,models,fixed_in,condition,applies,events,description,advice"
run --part ivb -x, parts ivb
result "CSV of parts: a row" has "ivb,Intel Ivy Bridge,4,2,"
run --part ivb -x, LLC
result "CSV without a topic is wrong usage" [ "$status" -eq 2 ]
run --part ivb -x "" events
result "an empty separator is wrong usage" [ "$status" -eq 2 ]
run --part ivb -j events MEM_LOAD_UOPS_RETIRED.LLC_MISS
result "JSON of events: an object" [ "$out" = '{"schema":3,"type":"event","event":"MEM_LOAD_UOPS_RETIRED.LLC_MISS","same_as":null,"unit":"core","code":"0xd1","umask":"0x20","cmask":null,"flags":[],"counters_ht_on":"0-3","counters_ht_off":"0-3","errata":["BV98"],"description":"Retired loads that missed the last cache","category":"memory","fields":null,"extra":null}' ]
run --part icx -x, events UNC_CHA_TOR_INSERTS.IA_MISS_DRD_LOCAL_DDR
result "CSV of events: an extended unit mask is a field, not part of the code" has \
	",0x35,0x01,,,0-3,0-3,,Entries of the CHAs' queue of requests under way: data reads of cores of this socket's memory in DRAM that missed the L3,uncore,umask_ext=0xc81686,"
run --part skx -v events UNC_CHA_TOR_INSERTS.IA_MISS_CRD
result "the filter of an event of a CHA" has \
	"extra      filter_rem=0x1:filter_loc=0x1:filter_all_op=0x0:filter_nm=0x1:filter_not_nm=0x1:filter_opc0=0x201"
run --part skx -j events UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0
result "JSON of events: the part of an IIO stack" has '"fields":"ch_mask=0x1:fc_mask=0x7","extra":null'
run --part icl -j metrics tma_ports_utilized_0
result "JSON of metrics: an event keeps its commas" \
	has '"events":["cpu/event=0xa6,umask=0x80/","CPU_CLK_UNHALTED.THREAD"]'
run --part ivb -j
result "JSON of the overview: an object" has '{"schema":3,"type":"topic","topic":"parts","part":"ivb","count":'
for part in ivb knc zen1 zen4; do
	run --part $part -j events
	result "$part: every event has a description" \
		[ "$(grep -c '"same_as":null.*"description":""' <<<"$out") $(grep -c '"same_as":null.*"description":null' <<<"$out")" = "0 0" ]
done
# undescribed: prints the metrics without a description; metrics that a part lacks have a reason
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
run --part spr -v metrics tma_l2_bound
result "list -v has the version of a published tree" has $'\n        version    TMA 5.2\n'
run --part ptl-e -j metrics tma_cisc
result "a tree of another part's names it" has '"version":"Linux 7.3.4 of lnl-e"'
result "every described metric of Intel's exists on some part" \
	[ -z "$(comm -13 <(names_of "$top"/build/arch/metrics/tma-*) <(names_of "$top"/arch/metrics/tma.bpm))" ]
# with LINE FILE...: prints the metrics that have a line matching LINE below their name
with()
{
	awk -v line="$1" '{ sub(/^\t*/, "") }
		/^tma_/ { name = $1 }
		$0 ~ line { print name }' "${@:2}" | sort -u
}
result "every metric of Intel's with a threshold has advice" \
	[ -z "$(comm -23 <(with '^[|].*flag ' "$top"/build/arch/metrics/tma-*) <(with '^[|] next ' "$top"/arch/metrics/tma.bpm))" ]
run --part ivb events
result "list events has headings of categories" has $'\nmemory:\n'
for row in L1D.REPLACEMENT:memory DTLB_LOAD_MISSES.WALK_COMPLETED:virtual\ memory \
	UOPS_RETIRED.ALL:retirement UOPS_ISSUED.ANY:execution IDQ.EMPTY:frontend \
	UNC_CLOCK.SOCKET:uncore BR_MISP_RETIRED.ALL_BRANCHES:branches \
	FP_ASSIST.ANY:floating\ point; do
	run --part ivb -j events "${row%:*}"
	result "${row%:*} has the category ${row#*:}" has "\"category\":\"${row#*:}\""
done
explain()
{
	status=0
	out=$("$barepmu" explain "$@" 2>&1) || status=$?
}
explain --part ivb memory_bound
result "explain: a node has its path" has "Backend_Bound > Memory_Bound"
result "explain: a node has its description" has "Cycles lost to loads and stores that wait."
result "explain: a node has its threshold" has "Memory_Bound > 0.2"
result "explain: a node has advice" has "locality, prefetching, data layout"
result "explain: a node has its formula" has "Memory_Bound = MemStalls.AnyLoad / Clocks + StoreStalls"
result "explain: a node has its events" has "RESOURCE_STALLS.SB  "
result "explain: a node has its children" has "Ext_Memory_Bound "
explain --part gnr tma_l3_miss_bound
result "explain: a node of Intel's tree has its description" has "Cycles lost to loads that miss the L3 cache."
result "explain: a node of Intel's tree has advice" has "bandwidth or latency: look one level down"
explain --part ivb Ext_Memory_Bound
result "explain: a node has its errata" has "Errata that touch it: BV98"
explain --part ivb instructions
result "explain: an event has its description" has "Instructions completed."
explain --part ivb MEM_LOAD_UOPS_RETIRED.LLC_HIT
result "explain: an event has its code" has "code       0xd1"
result "explain: an event has its counters" has "counters   0-3"
result "explain: an event has the text of its errata" \
	has "BV98: A count of D0 to D3 can land in the sibling's counter of the same index."
explain --part nvl UNC_M_CAS_COUNT_RD
result "explain: an event of an uncore that is not counted: the error says why" \
	has "UNC_M_CAS_COUNT_RD': not counted on nvl: a discovery table announces it"
explain --part ivb Memry_Bound
result "explain: a misspelt node: the error names the similar one" has "did you mean Memory_Bound"
result "explain: a misspelt node is an error" [ "$status" -eq 1 ]
make -s -C "$top/tests/html" recordings
explain Memory_Bound "$top/build/html/topdown.rec"
value=$("$barepmu" report -j --topdown 2 "$top/build/html/topdown.rec" |
	sed -n 's/.*"metric":"Memory_Bound".*"value":\(0\.[0-9]\{4\}\).*/\1/p')
result "explain: a node has its value in a recording" has "                 = ${value:-none}"
explain Memory_Bound "$top/README.md"
result "explain: a file that is no recording is refused" has "README.md: is no recording"
explain
result "explain: no word is wrong usage" [ "$status" -eq 2 ]
if command -v python3 >/dev/null; then
	for topic in groups metrics events errata parts schedule; do
		run --part ivb -j "$topic"
		result "JSON of $topic: each line is an object" python3 -c '
import json, sys
for line in sys.argv[1].splitlines():
    assert json.loads(line)["schema"] == 3' "$out"
	done
fi
run --part spr errata
result "list errata of a part without errata succeeds" [ "$status: $out" = "0: No errata of spr are known." ]
run --part slm errata
result "list errata of a part of which no list could be read says so" [ "$status: $out" = "0: No errata of slm are known.
slm may have more: Intel's specification updates of it could not be had." ]
run --part zen5 errata
result "list errata names a guide of AMD's that could not be read" \
	has "zen5 may have more: AMD's revision guides of Zen 5, such as 58251, could not be had."
run --part zen5 --names errata
result "names of errata are followed by nothing" [ "$out" = IC-FETCH ]
run --part zen4 metrics
result "zen4: metrics of every part are listed without a method" \
	has "  IPC  "
# How nodes of Intel's tree differ from the paper's, for counts that the hardware can produce:
# clocks are equal on a fixed and a general counter, cycles with an event are at most the clocks,
# stalls with an L2 miss at most those with an L1 miss, slots are clocks times the width. Fields
# of PERF_METRICS are rounded, so a difference of two can be below 0, where Intel's tree has
# max(0, ...).
while read -r part node claim; do
	run --part "$part" -v metrics "$node"
	result "$part: $node against the paper's: $claim" has "paper      $claim"
done <<'END'
ivb tma_fetch_latency Fetch_Latency_Bound is the same
ivb tma_icache_misses ICache_Misses is the same
ivb tma_l1_bound L1_Bound is the same
ivb tma_retiring Retiring is the same
ivb tma_store_bound Stores_Bound differs: StoreStalls
ivb tma_mem_latency MEM_Latency differs: ExtMemOutstanding[>=1] / ExtMemClocks - MEM_Bandwidth
ivt tma_mem_latency MEM_Latency is the same
skl tma_mite MITE is the same
skl tma_store_bound Stores_Bound is the same
skl tma_l3_bound L3_Bound is the same
skl tma_core_bound Core_Bound differs: ExecutionStalls - Memory_Bound
icl tma_mite MITE is the same
icl tma_bad_speculation Bad_Speculation differs: (SlotsIssued - SlotsRetired + RecoveryBubbles) / TotalSlots
icl tma_fetch_bandwidth Fetch_Bandwidth_Bound differs: Frontend_Bound - Fetch_Latency_Bound
spr tma_bad_speculation Bad_Speculation is the same
spr tma_machine_clears Machine_Clears differs: Bad_Speculation - Branch_Mispredicts
arl tma_l1_bound L1_Bound is the same
END
run --part knc cycles
result "list with a word finds aliases of events" has "same as CPU_CLK_UNHALTED"
run --part ivb --names errata
result "--names prints names only" [ "$out" = $'BV98\nL2-PENDING\nIRET' ]
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

# LIKWID's groups, with values by hand for counts of one second. In single precision a scalar
# instruction is one operation, a vector of 128 bits is four.
while read -r part metric value counts; do
	events=$(tr ' ' '\n' <<<"$counts" | sed 's/=[^=]*$//' | paste -sd,)
	found=$(printf '%s\n%s\n' "$events" "$(tr ' ' '\n' <<<"$counts" | sed 's/.*=//' | paste -sd,)" |
		"$barepmu" eval --part "$part" --set SECONDS=1 -M "$metric" -x, | awk -F, 'NR > 1 { print $4 + 0 }')
	result "$part: $metric is $value" [ "$found" = "$value" ]
done <<'END'
ivb SP_FLOP_Rate 17 FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE=1e9 FP_COMP_OPS_EXE.SSE_PACKED_SINGLE=2e9 SIMD_FP_256.PACKED_SINGLE=1e9
ivb SP_Packed_Share 0.75 FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE=1e9 FP_COMP_OPS_EXE.SSE_PACKED_SINGLE=2e9 SIMD_FP_256.PACKED_SINGLE=1e9
skl SP_FLOP_Rate 21 FP_ARITH_INST_RETIRED.SCALAR_SINGLE=1e9 FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE=3e9 FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE=1e9
spr SP_FLOP_Rate 37 FP_ARITH_INST_RETIRED.SCALAR_SINGLE=1e9 FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE=3e9 FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE=1e9 FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE=1e9
lnl SP_FLOP_Rate 21 FP_ARITH_OPS_RETIRED.SCALAR_SINGLE=1e9 FP_ARITH_OPS_RETIRED.128B_PACKED_SINGLE=3e9 FP_ARITH_OPS_RETIRED.256B_PACKED_SINGLE=1e9
srf SP_FLOP_Rate 2 FP_FLOPS_RETIRED.FP32=2e9
spr HP_FLOP_Rate 57 FP_ARITH_INST_RETIRED2.SCALAR=1e9 FP_ARITH_INST_RETIRED2.128B_PACKED_HALF=1e9 FP_ARITH_INST_RETIRED2.256B_PACKED_HALF=1e9 FP_ARITH_INST_RETIRED2.512B_PACKED_HALF=1e9
spr HP_Packed_Share 0.6 FP_ARITH_INST_RETIRED2.SCALAR=2e9 FP_ARITH_INST_RETIRED2.128B_PACKED_HALF=1e9 FP_ARITH_INST_RETIRED2.256B_PACKED_HALF=1e9 FP_ARITH_INST_RETIRED2.512B_PACKED_HALF=1e9
icx SP_AVX_FLOP_Rate 24 FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE=1e9 FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE=1e9
icx DP_AVX_FLOP_Rate 20 FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE=1e9 FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE=2e9
bdw SP_AVX_FLOP_Rate 8 FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE=1e9
snb DP_AVX_FLOP_Rate 4 SIMD_FP_256.PACKED_DOUBLE=1e9
skl Loads_per_Store 4 MEM_INST_RETIRED.ALL_LOADS=8 MEM_INST_RETIRED.ALL_STORES=2
zen3 Loads_per_Store 1.5 LS_DISPATCH.LD_DISPATCH=5 LS_DISPATCH.LD_ST_DISPATCH=1 LS_DISPATCH.STORE_DISPATCH=3
ivb Divider_Busy 0.3 ARITH.FPU_DIV_ACTIVE=30 cycles=100
tnt Divider_Busy 0.3 CYCLES_DIV_BUSY.ANY=30 cycles=100
glm Divider_Busy 0.3 CYCLES_DIV_BUSY.ALL=30 cycles=100
ivb Division_Cycles 10 ARITH.FPU_DIV_ACTIVE=30 ARITH.FPU_DIV=3
zen4 Division_Cycles 8 DIV_CYCLES_BUSY_COUNT=40 DIV_OP_COUNT=5
hsw Divider_Uops 20 ARITH.DIVIDER_UOPS=20 instructions=1000
skl L1I_Misses 7 ICACHE_64B.IFTAG_MISS=7 instructions=1000
zen2 L1I_Misses 7 INSTRUCTION_CACHE_REFILLS_FROM_L2=5 INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM=2 instructions=1000
adl-e L1I_Miss_Ratio 0.1 ICACHE.MISSES=10 ICACHE.ACCESSES=100
ivb L1I_Miss_Ratio 0.2 ICACHE.MISSES=10 ICACHE.HIT=40
spr L1I_Stalls 0.25 ICACHE_DATA.STALLS=25 cycles=100
hsw L2_Misses 3 L2_RQSTS.MISS=3 instructions=1000
skl L3_Load_Misses 4 MEM_LOAD_RETIRED.L3_MISS=4 instructions=1000
hsw L3_Load_Miss_Ratio 0.25 MEM_LOAD_UOPS_RETIRED.L3_MISS=1 MEM_LOAD_UOPS_RETIRED.L3_HIT=3
icx HITM_Loads 2 MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM=2 instructions=1000
icx Remote_HITM_Loads 3 MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM=3 instructions=1000
snb Execution_Stalls 0.4 CYCLE_ACTIVITY.CYCLES_NO_DISPATCH=40 cycles=100
skl Load_Stalls 0.3 CYCLE_ACTIVITY.STALLS_MEM_ANY=30 cycles=100
spr L1D_Miss_Stalls 0.2 MEMORY_ACTIVITY.STALLS_L1D_MISS=20 cycles=100
hsw L2_Miss_Stalls 0.1 CYCLE_ACTIVITY.STALLS_L2_PENDING=10 cycles=100
skl L3_Miss_Stalls 0.05 CYCLE_ACTIVITY.STALLS_L3_MISS=5 cycles=100
skl Recovery_Cycles 0.1 INT_MISC.RECOVERY_CYCLES=10 cycles=100
skl Recovery_Time 20 INT_MISC.RECOVERY_CYCLES=100 INT_MISC.CLEARS_COUNT=5
skl Issued_Uops 1.2 UOPS_ISSUED.ANY=12 instructions=10
snb Executed_Uops 1.3 UOPS_DISPATCHED.THREAD=13 instructions=10
zen2 Retired_Uops 1.1 RETIRED_OPS=11 instructions=10
nhm Loads_per_Store 4 MEM_INST_RETIRED.LOADS=8 MEM_INST_RETIRED.STORES=2
wsm Divider_Busy 0.3 ARITH.CYCLES_DIV_BUSY=30 cycles=100
nhm L1I_Misses 7 L1I.MISSES=7 instructions=1000
nhm L1I_Miss_Ratio 0.2 L1I.MISSES=10 L1I.READS=50
wsm L3_Load_Misses 4 MEM_LOAD_RETIRED.LLC_MISS=4 instructions=1000
glm Retired_Uops 1.1 UOPS_RETIRED.ANY=11 instructions=10
glp ITLB_Fetch_Misses 7 ITLB.MISS=7 instructions=1000
slm DTLB_Walks 5 PAGE_WALKS.D_SIDE_WALKS=5 instructions=1000
slm ITLB_Walks 6 PAGE_WALKS.I_SIDE_WALKS=6 instructions=1000
glm DTLB_Walk_Cycles 0.2 PAGE_WALKS.D_SIDE_CYCLES=20 cycles=100
slm ITLB_Walk_Cycles 0.1 PAGE_WALKS.I_SIDE_CYCLES=10 cycles=100
skl Issue_Stalls 0.2 UOPS_ISSUED.STALL_CYCLES=20 cycles=100
spr Dispatch_Stalls 0.2 UOPS_EXECUTED.STALLS=20 cycles=100
skl Retirement_Stalls 0.3 UOPS_RETIRED.STALL_CYCLES=30 cycles=100
spr Port_5 0.7 UOPS_DISPATCHED.PORT_5_11=70 cycles=100
ivb Port_2 0.4 UOPS_DISPATCHED_PORT.PORT_2=40 cycles=100
icl Port_2_3 1.4 UOPS_DISPATCHED.PORT_2_3=140 cycles=100
skx DP_Operations_per_Byte 0.25 FP_ARITH_INST_RETIRED.SCALAR_DOUBLE=16e9 FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE=0 FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE=0 FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE=0 UNC_M_CAS_COUNT.RD=5e8 UNC_M_CAS_COUNT.WR=5e8
END

# platform_events NAME...: writes the events that Intel would publish for platforms with the same CPU
# model
platform_events()
{
	local name

	for name; do
		printf '{"Events": [{"EventName": "%s.OWN", "EventCode": "0x01", "UMask": "0x01", "Counter": "0"}]}\n' \
			"$name" >"$scratch/$name.json"
	done
	cat >"$scratch/mapfile.csv" <<-END
		Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
		GenuineIntel-6-55-[01234],V1,/SKX.json,core,,,
		GenuineIntel-6-55-[56789ABCDEF],V1,/CLX.json,core,,,
	END
}

# own_event PART: prints the published event of a platform
own_event()
{
	"$barepmu" list --part "$1" --events "$scratch" -x, events '*.OWN' | cut -d, -f1 | sed 1d
}

platform_events SKX CLX
result "--part skx: the published events are those of Skylake" [ "$(own_event skx)" = SKX.OWN ]
result "--part clx: the published events are those of Cascade Lake" [ "$(own_event clx)" = CLX.OWN ]
finish
