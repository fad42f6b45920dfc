#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: eval.sh TOOL
#
# A user of "eval" gets the values of the formulas for counts in files. Prints TAP; needs no
# counters.
set -u

tool=$(realpath "$1")
cd "$(dirname "$0")/eval" || exit 1
# shellcheck source=tests/tap.sh
. ../../tap.sh
out=$(mktemp)

clean_up()
{
	rm -f "$out"
}

equals()
{
	difference=$(printf '%s\n' "$1" | diff - "$out") && return
	printf '%s\n' "$difference" | sed 's/^/# /'
	return 1
}

# said NAME WANTED: checks that $out contains exactly WANTED
said()
{
	result "$1" equals "$2"
}

# expected FILE: prints a file of expected output, without its comments
expected()
{
	grep -v '^#' "$1"
}

# values NAME WANTED OPTION...: checks "label metric value flags" of the chosen metrics, and that
# all rows have as many columns as the first
values()
{
	name=$1
	wanted=$2
	shift 2
	"$tool" eval --part ivb -x, "$@" 2>&1 |
		awk -F, 'NR == 1 { columns = NF }
			NF != columns { print NF, "columns of", columns }
			NR > 1 { print $1":" $2, $4 ($7 ? " " $7 : "") }' \
		>"$out"
	said "$name" "$wanted"
}

# prints NAME INPUT WANTED OPTION...: checks the whole output and the exit status for INPUT
prints()
{
	name=$1
	input=$2
	wanted=$3
	shift 3
	printf '%b' "$input" | "$tool" eval --part ivb "$@" >"$out" 2>&1
	echo "status $?" >>"$out"
	said "$name" "$wanted"
}

begin

values "levels 1 to 4 by the paper's formulas, hyper-threading off" "$(expected paper.expected)" \
	-l 4 paper.csv
values "--smt: levels by the counts of two threads of a core" "$(expected smt.expected)" --smt smt.csv
values "CSV of stat -x: a set of values for each time and CPU" "$(expected own.expected)" own.csv
values "JSON lines of stat -j" \
	"1.000000000 0-3:Frontend_Bound  missing
1.000000000 0-3:Bad_Speculation  missing
1.000000000 0-3:Retiring 0.500000
1.000000000 0-3:Backend_Bound  missing" own.json
values "CSV of perf stat: event names and modifiers of perf" \
	":Frontend_Bound 0.150000
:Fetch_Latency_Bound 0.080000
:Fetch_Bandwidth_Bound 0.070000
:Bad_Speculation 0.075000
:Branch_Mispredicts  missing
:Machine_Clears  missing
:Retiring 0.500000
:BASE  missing
:MicroSequencer  missing
:Backend_Bound 0.275000
:Memory_Bound  missing
:Core_Bound  missing" -l 2 perf.csv

printf '%s\n' CPU_CLK_UNHALTED.CORE,1000 TOPDOWN_FE_BOUND.ALL,500 \
	TOPDOWN_FE_BOUND.FRONTEND_LATENCY,250 TOPDOWN_RETIRING.ALL,2500 \
	TOPDOWN_BAD_SPECULATION.ALL,500 TOPDOWN_BAD_SPECULATION.MISPREDICT,400 \
	TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS,100 UOPS_RETIRED.MS,50 \
	LD_HEAD.ANY_AT_RET,300 MEM_SCHEDULER_BLOCK.ST_BUF,100 \
	MEM_BOUND_STALLS.LOAD,250 MEM_BOUND_STALLS.LOAD_L2_MISS,150 \
	MEM_BOUND_STALLS.LOAD_DRAM_HIT,90 |
	awk -F, '{ a = a "," $1; b = b "," $2 }
		END { print "label" a; print "A" b }' |
	"$tool" eval --part adl-e -l 3 -x, 2>&1 |
	awk -F, 'NR > 1 { print $2, $4 }' >"$out"
said "adl-e: slots at 5 per cycle, and memory stalls" "Frontend_Bound 0.100000
Fetch_Latency_Bound 0.050000
Fetch_Bandwidth_Bound 0.050000
Bad_Speculation 0.100000
Branch_Mispredicts 0.080000
Machine_Clears 0.020000
Retiring 0.500000
BASE 0.490000
MicroSequencer 0.010000
Backend_Bound 0.300000
Memory_Bound 0.400000
L1_Bound 0.050000
L2_Bound 0.100000
L3_Bound 0.060000
Ext_Memory_Bound 0.090000
Stores_Bound 0.100000"

# slots NAME PART WIDTH: checks the shares of WIDTH slots in each of 1000 cycles, by Intel's metrics
slots()
{
	printf '%s %s\n' CPU_CLK_UNHALTED.CORE 1000 \
		TOPDOWN_FE_BOUND.ALL_P $(($3 * 100)) \
		TOPDOWN_FE_BOUND.FRONTEND_LATENCY $(($3 * 50)) \
		TOPDOWN_RETIRING.ALL_P $(($3 * 500)) \
		TOPDOWN_BAD_SPECULATION.ALL_P $(($3 * 100)) \
		TOPDOWN_BAD_SPECULATION.MISPREDICT $(($3 * 80)) \
		TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS $(($3 * 20)) |
		awk '{ a = a "," $1; b = b "," $2 }
			END { print "label" a; print "A" b }' |
		"$tool" eval --part "$2" -l 2 -x, 2>&1 |
		awk -F, 'NR > 1 && $4 != "" { print $2, $4 }' >"$out"
	said "$1" "Frontend_Bound 0.100000
Fetch_Latency_Bound 0.050000
Fetch_Bandwidth_Bound 0.050000
Bad_Speculation 0.100000
Branch_Mispredicts 0.080000
Machine_Clears 0.020000
Retiring 0.500000
Backend_Bound 0.300000"
}
for each in mtl-e:6 arl-lp:6 srf:6 grr:6 arl-e:8 lnl-e:8 ptl-e:8 cwf:8; do
	slots "${each%:*}: slots at ${each#*:} per cycle" "${each%:*}" "${each#*:}"
done

# The tree of efficient cores that Intel publishes, for 1000 cycles of WIDTH slots. In cycles:
# 200 are lost to fetch (60 of them to branch detection), 300 to the back end, 100 to
# speculation; 400 retire.
while read -r part width front back retiring bad; do
	printf '%s %s\n' CPU_CLK_UNHALTED.CORE 1000 "TOPDOWN_FE_BOUND.$front" $((width * 200)) \
		"TOPDOWN_BE_BOUND.$back" $((width * 300)) \
		"TOPDOWN_RETIRING.$retiring" $((width * 400)) \
		"${bad:=TOPDOWN_BAD_SPECULATION.ALL_P}" $((width * 100)) \
		TOPDOWN_FE_BOUND.BRANCH_DETECT $((width * 60)) |
		awk '{ a = a "," $1; b = b "," $2 }
			END { print "label" a; print "A" b }' |
		"$tool" eval --part "$part" --method tma -x, \
			-M tma_frontend_bound,tma_branch_detect,tma_bad_speculation,tma_backend_bound,tma_retiring 2>&1 |
		awk -F, 'NR > 1 { print $2, $4 }' >"$out"
	said "$part: level 1 of --method tma at $width slots per cycle" \
"tma_frontend_bound 0.200000
tma_branch_detect 0.060000
tma_bad_speculation 0.100000
tma_backend_bound 0.300000
tma_retiring 0.400000"
done <<'END'
adl-e 5 ALL ALL ALL INST_RETIRED.ANY
mtl-e 6 ALL_P ALL_P ALL_P
arl-e 8 ALL ALL_P ALL
arl-lp 6 ALL_P ALL_P ALL_P
lnl-e 8 ALL ALL_P ALL
ptl-e 8 ALL ALL_P ALL
tnt 4 ALL ALL ALL TOPDOWN_BAD_SPECULATION.ALL
srf 6 ALL_P ALL_P ALL_P
grr 6 ALL_P ALL_P ALL_P
cwf 8 ALL ALL_P ALL
END

# Mean retire latencies: none is published for these parts; the user's file wins where one is.
printf '{"Data": {"MEM_INST_RETIRED.LOCK_LOADS": {"MIN": 0, "MEAN": 2.5}}}' >"$out.json"
locked()
{
	printf 'MEM_INST_RETIRED.LOCK_LOADS,CPU_CLK_UNHALTED.THREAD\n10,1000\n' |
		"$tool" eval -x, --method tma -M tma_lock_latency "$@" 2>&1 |
		sed -n 's/.*tma_lock_latency,4,//p; s/^barepmu: //p' |
		cut -d , -f 1 >"$out"
}
for part in mtl arl lnl ptl; do
	locked --part "$part"
	said "$part: a metric that needs a retire latency is refused by name" \
		"metric 'tma_lock_latency': needs MEM_INST_RETIRED.LOCK_LOADS: mean retire latency"
	locked --part "$part" --events "$out.json"
	said "$part: --events gives the user's mean" 0.025000
done
locked --part gnr
said "gnr: the mean that Intel published" 0.637600
locked --part gnr --events "$out.json"
said "gnr: the user's mean comes before it" 0.025000
rm -f "$out.json"

for each in spr:5.2 srf:3.6 tnt:1.2 adl:5.1; do
	part=${each%:*}
	printf 'CPU_CLK_UNHALTED.THREAD,CPU_CLK_UNHALTED.CORE\n1,1\n' |
		"$tool" eval --part "$part" --method tma -j 2>/dev/null |
		grep -o '"tree":.*' >"$out" || :
	said "$part: JSON has the version of the published tree" "\"tree\":\"TMA ${each#*:}\"}"
done

m=PERF_METRICS
for part in arl lnl ptl; do
	printf '%s %s\n' TOPDOWN.SLOTS 8000 CPU_CLK_UNHALTED.THREAD 1000 \
		$m.FRONTEND_BOUND 51 $m.BAD_SPECULATION 26 $m.RETIRING 102 \
		$m.BACKEND_BOUND 76 $m.FETCH_LATENCY 20 \
		$m.BRANCH_MISPREDICTS 20 UOPS_ISSUED.ANY 4000 \
		MEMORY_STALLS.L1 50 MEMORY_STALLS.L2 40 MEMORY_STALLS.L3 30 \
		MEMORY_STALLS.MEM 20 EXE_ACTIVITY.BOUND_ON_STORES 10 |
		awk '{ a = a "," $1; b = b "," $2 }
			END { print "label" a; print "A" b }' |
		"$tool" eval --part $part -l 3 -x, 2>&1 |
		awk -F, 'NR > 1 && $4 != "" { print $2, $4 }' >"$out"
	said "$part: slots by fields of PERF_METRICS, and memory stalls" "Frontend_Bound 0.200000
Fetch_Latency_Bound 0.0784314
Fetch_Bandwidth_Bound 0.121569
Bad_Speculation 0.101961
Branch_Mispredicts 0.0784314
Machine_Clears 0.0235294
Retiring 0.400000
Backend_Bound 0.298039
Memory_Bound 0.150000
L1_Bound 0.050000
L2_Bound 0.040000
L3_Bound 0.030000
Ext_Memory_Bound 0.020000
Stores_Bound 0.010000"
done

"$tool" eval --part ivb -x, perf-interval.csv |
	awk -F, '$2 == "Retiring" { print $1":" $4 ($7 ? " " $7 : "") }' >"$out"
said "CSV of perf stat -I -A: a row for each time and CPU" "1.000100200 CPU0:0.500000 mixed-groups undecided
1.000100200 CPU1:0.505000
2.000100200 CPU0: missing"
"$tool" eval --part ivb -x, perf-core.csv |
	awk -F, '$2 == "Retiring" { print $1":" $4 ($7 ? " " $7 : "") }' >"$out"
said "CSV of perf stat --per-core, separated by semicolons" "S0-D0-C0:0.500000
S0-D0-C1:0.250000"

"$tool" eval --part ivb --cpi -l 2 -x, paper.csv | grep '^[AD],' >"$out"
said "--cpi: components in cycles per instruction" "$(expected cpi.expected)"

tail -n +3 paper.csv | head -n 2 | "$tool" eval --part ivb -j |
	tail -n 2 >"$out"
said "eval -j: JSON of counts from standard input" '{"schema":3,"type":"metric","label":"A","metric":"Backend_Bound","level":1,"value":0.275000,"unit":"slots","flagged":true,"flags":[],"uncertainty":0.000000,"errata":[]}
{"schema":3,"type":"verdict","label":"A","verdict":"flagged","first":[],"paths":[["Backend_Bound"]],"besides":[],"why":[],"maybe":null,"longer":null,"longer_runs":null}'

# These counts have a leaf on a deep level that is smaller than others.
cat >"$out.csv" <<'END'
CPU_CLK_UNHALTED.THREAD,IDQ_UOPS_NOT_DELIVERED.CORE,IDQ_UOPS_NOT_DELIVERED.CORE:[>=4],UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,IDQ.MS_UOPS,BR_MISP_RETIRED.ALL_BRANCHES,MACHINE_CLEARS.COUNT,CYCLE_ACTIVITY.CYCLES_NO_EXECUTE,RS_EVENTS.EMPTY_CYCLES,UOPS_EXECUTED.THREAD:[>=1],UOPS_EXECUTED.THREAD:[>=2],CYCLE_ACTIVITY.STALLS_MEM_ANY,CYCLE_ACTIVITY.STALLS_L1D_MISS,CYCLE_ACTIVITY.STALLS_L2_MISS,RESOURCE_STALLS.SB,MEM_LOAD_UOPS_RETIRED.LLC_HIT,MEM_LOAD_UOPS_RETIRED.LLC_MISS,UNC_CLOCK.SOCKET,UNC_ARB_TRK_OCCUPANCY.ALL:[>=1],UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]
1000000,2600000,600000,440000,440000,0,0,1,1,900000,600000,100000,50000,210000,100000,50000,0,1,1,500000,100000,0
END
for level in 2 3 4; do
	"$tool" eval --part ivb -l $level "$out.csv" | grep '^Flagged' >"$out"
	said "-l $level: the verdict follows the largest nodes, not the deepest leaf" \
		"Flagged: Frontend_Bound > Fetch_Latency_Bound."
done
rm -f "$out.csv"

printf 'label,cycles,UOPS_RETIRED.RETIRE_SLOTS\n\303\244\351,1,1\n\303\244,1,1\n' |
	"$tool" eval --part ivb -j -M Retiring | grep '"metric"' |
	sed 's/.*\("label":"[^"]*"\).*/\1/' >"$out"
said "eval -j: bytes of a label that are not UTF-8 are replaced" \
	'"label":"ä?"
"label":"ä"'

head -n 4 paper.csv | "$tool" eval --part ivb -l 3 --paper |
	grep -A 3 '^ *L3_Bound =' >"$out"
said "--paper: L3_Bound is explained with its counts" "$(expected formula.expected)"

# Cases without thresholds or without a verdict; with work instead of instructions; with a penalty.
printf 'CPU_CYCLES,IA64_INST_RETIRED,BACK_END_BUBBLE.ALL,L3_READS.DATA_READ_MISS\n1000,500,400,2\n' >"$out.csv"
"$tool" eval --part itanium2 -l 1 "$out.csv" >"$out.text" 2>&1
grep -c flagged "$out.text" >"$out"
said "itanium2: a method without thresholds flags nothing" 0
"$tool" eval --part itanium2 --set Work=10 --set MemoryPenalty=300 -x, \
	-M CPI,Retiring_CPI,Memory_Model_CPI "$out.csv" | cut -d , -f 2,4 >"$out"
said "itanium2: --set changes definitions" "metric,value
CPI,100.000000
Retiring_CPI,60.000000
Memory_Model_CPI,60.000000
Cycles_per_Instruction,2.000000"
rm -f "$out.csv" "$out.text"

# The sum of four threads of a Knights Corner core; then one thread, as the user states.
cat >"$out.csv" <<'END'
label,CPU_CLK_UNHALTED,INSTRUCTIONS_EXECUTED,VPU_ELEMENTS_ACTIVE,VPU_INSTRUCTIONS_EXECUTED,DATA_READ_OR_WRITE,DATA_READ_MISS_OR_WRITE_MISS,EXEC_STAGE_CYCLES,DATA_PAGE_WALK,LONG_DATA_PAGE_WALK,L2_DATA_READ_MISS_MEM_FILL,L2_DATA_WRITE_MISS_MEM_FILL,HWP_L2MISS
core,4800000,1200000,6400000,500000,400000,20000,900000,5000,300,6000,2000,4000
END
knc()
{
	"$tool" eval --part knc -x, "$@" "$out.csv" 2>&1 |
		awk -F, 'NR > 1 { print $2, $4, $6 }' >"$out"
}
knc --element sp --freq 1.1 -M 'Average*,Vector*,L2_Comp*,*Latency*,Read*,TLB*'
said "knc: metrics of a core with four threads" "Average_CPI_per_Thread 4.000000 0
Average_CPI_per_Core 1.000000 0
Vectorization_Intensity 12.800000 1
L2_Compute_to_Data_Access_Ratio 320.000000 0
Estimated_Latency_Impact 175.000000 1
TLB_Walk_Clocks 0.0307292 0
Read_Bandwidth_Bytes_per_Clock 0.640000 0"
knc --threads-used 1 --pages 2m -M 'Average*,TLB*'
said "knc: metrics of one thread per core, on huge pages" "Average_CPI_per_Thread 4.000000 1
Average_CPI_per_Core 4.000000 1
TLB_Walk_Clocks 0.0140833 0"
knc --paper --threads-used 1 -M 'Average*'
said "knc: --paper uses the printed thresholds" "Average_CPI_per_Thread 4.000000 0
Average_CPI_per_Core 4.000000 1"
rm -f "$out.csv"
prints "--pages is refused on ivb" 'cycles\n1\n' \
	"barepmu: --element, --threads-used, --pages, --freq: of Knights Corner's counts only; add --part knc
status 1" --pages 2m

# MEM_Bandwidth is 50000 of 300000 cycles; MEM_Latency is 300000 of 500000 cycles, less
# MEM_Bandwidth; by default both are shares of 500000.
values "--paper: MEM_Bandwidth and MEM_Latency as in Table 2" "A:MEM_Bandwidth 0.166667
A:MEM_Latency 0.433333
B:MEM_Bandwidth 0.166667
B:MEM_Latency 0.433333
C:MEM_Bandwidth 0.000000
C:MEM_Latency 0.200000
D:MEM_Bandwidth  divided-by-0
D:MEM_Latency  divided-by-0" -l 4 --paper -M MEM_Bandwidth,MEM_Latency paper.csv

# 900 of 1000 cycles have at most one uop, in 800 of them a load is pending. Of 700 cycles with a
# full store buffer 100 are left to stores, of 50 all.
stores=$(mktemp -d)
cat >"$stores/loads.csv" <<'COUNTS'
label,CPU_CLK_UNHALTED.THREAD,CYCLE_ACTIVITY.CYCLES_NO_EXECUTE,UOPS_EXECUTED.THREAD:c1,UOPS_EXECUTED.THREAD:c2,RS_EVENTS.EMPTY_CYCLES,CYCLE_ACTIVITY.STALLS_LDM_PENDING,RESOURCE_STALLS.SB
both,1000,850,150,100,0,800,700
few,1000,850,150,100,0,800,50
loads,1000,850,150,100,0,950,700
COUNTS
values "Stores_Bound excludes cycles with pending loads" "both:Memory_Bound 0.900000
both:Stores_Bound 0.100000
both:Core_Bound 0.000000
few:Memory_Bound 0.850000
few:Stores_Bound 0.050000
few:Core_Bound 0.050000
loads:Memory_Bound 0.950000
loads:Stores_Bound 0.000000
loads:Core_Bound -0.050000 below-0" -l 3 -M 'Memory_Bound,Stores_Bound,Core_Bound' \
	"$stores/loads.csv"
values "--paper: Stores_Bound includes cycles with pending loads, as in Table 2" "both:Memory_Bound 1.500000 above-1
both:Stores_Bound 0.700000
both:Core_Bound -0.600000 below-0
few:Memory_Bound 0.850000
few:Stores_Bound 0.050000
few:Core_Bound 0.050000
loads:Memory_Bound 1.650000 above-1
loads:Stores_Bound 0.700000
loads:Core_Bound -0.750000 below-0" -l 3 --paper \
	-M 'Memory_Bound,Stores_Bound,Core_Bound' "$stores/loads.csv"
rm -r "$stores"

printf 'label,cycles,UOPS_RETIRED.RETIRE_SLOTS\r\n"a,b",1000,-5\r\n' |
	"$tool" eval --part ivb -x, | grep Retiring >"$out"
said "CSV: a label with a comma, and a count below 0" \
	'"a,b",Retiring,1,-0.001250,slots,0,below-0 wrapped,,'

printf 'label,cycles,UOPS_RETIRED.RETIRE_SLOTS\n"a ""b""",1000, 2000 \n' |
	"$tool" eval --part ivb -x, | grep -o '^.*,Retiring,1,0.500000' >"$out"
said "CSV: a label with quotes, and a count between blanks" \
	'"a ""b""",Retiring,1,0.500000'

printf 'UOPS_RETIRED.RETIRE_SLOTS\n2000\n' |
	"$tool" eval --part ivb -x, --set cycles=1000 | grep Retiring >"$out"
said "--set gives a count" ',Retiring,1,0.500000,slots,0,,,'

prints "a count that is not a number is refused" 'label,cycles\nx,1O\n' \
	"barepmu: stdin:2:3: '1O' is not a number; write a count, or nothing if there is none
status 1"
prints "a row with too few fields is refused" 'label,cycles\nx\n' \
	"barepmu: stdin:2:2: the row has fewer fields than the head has columns, 2; complete it or correct the head
status 1"
prints "a row with too many fields is refused" 'cycles\n1,2\n' \
	"barepmu: stdin:2:2: the row has more fields than the head has columns, 1; complete it or correct the head
status 1"
prints "an unknown event is refused, with a similar one" 'label,UOPS_ISSUED.ANI\n' \
	"barepmu: stdin:1:7: event 'UOPS_ISSUED.ANI': not known on ivb; did you mean UOPS_ISSUED.ANY? See 'barepmu list'
status 1"
prints "two names of an event: different counts are refused" \
	'cycles,CPU_CLK_UNHALTED.THREAD,instructions\n100,102,50\n' \
	"barepmu: event 'CPU_CLK_UNHALTED.THREAD': 'cycles' counts the same, but 100 are not 102; leave one of them out
status 1" -M CPI
printf 'cycles,CPU_CLK_UNHALTED.THREAD,INST_RETIRED.ANY,instructions,UOPS_RETIRED.RETIRE_SLOTS\n100,100,,50,200\n100,,50,50,200\n,100,50,,200\n' \
	>"$out.csv"
values "two names of an event: the one that was counted, or the first of equal ones" \
	":Retiring 0.500000
:IPC 0.500000
:Retiring 0.500000
:IPC 0.500000
:Retiring 0.500000
:IPC 0.500000" -M IPC,Retiring "$out.csv"
values "two names of an event: -M of one metric treats the file alike" ":Retiring 0.500000
:Retiring 0.500000
:Retiring 0.500000" -M Retiring "$out.csv"

# published FILE PART FACTOR OPTIONS METRIC=VALUE...: compares with what perf printed for these
# counts
published()
{
	file=$1
	part=$2
	factor=$3
	options=$(echo "$4" | tr , ' ')
	shift 4
	# shellcheck disable=SC2086
	"$tool" eval --part "$part" $options -x, "real/$file.csv" 2>&1 |
		awk -F, -v factor="$factor" -v wanted="$*" '
		NR > 1 { value[$2] = factor * $4 }
		END {
			nr = split(wanted, word, " ")
			for (i = 1; i <= nr; i++) {
				split(word[i], part, "=")
				digits = index(part[2], ".") ? length(part[2]) - index(part[2], ".") : 0
				off = value[part[1]] - part[2]
				if (!(part[1] in value) || off > 0.5001 / 10 ^ digits ||
				    off < -0.5001 / 10 ^ digits)
					print part[1], value[part[1]], "not", part[2]
			}
			print nr, "values"
		}' >"$out"
	said "perf's counts and values: $file, $options" "$# values"
}

while read -r file part factor options wanted; do
	# shellcheck disable=SC2086
	case $file in
	"#"*) ;;
	*) published "$file" "$part" "$factor" "$options" $wanted ;;
	esac
done <real/printed

# shares PERCENT: prints the same counts as perf does if they ran in PERCENT of a second
shares()
{
	for count in cycles,1000000 IDQ_UOPS_NOT_DELIVERED.CORE,1600000 UOPS_ISSUED.ANY,2000000 \
		UOPS_RETIRED.RETIRE_SLOTS,1900000 INT_MISC.RECOVERY_CYCLES,10000; do
		echo "${count#*,},,${count%,*},$(echo "$1" | awk '{ print $1 * 1e7 }'),$1,,"
	done
}

# Uncertainty of Frontend_Bound by the formula in barepmu-eval(1); 2.0206 is Student's t from a
# table.
shares 16.7 | "$tool" eval --part ivb -x, | awk -F, '$2 == "Frontend_Bound" {
	r = 2.0206 * sqrt((1 - 0.167) / (167 / 4))
	half = 0.4 * sqrt(r ^ 2 + ((1 / (1 + r) - 1) ^ 2 + (1 / (1 - r) - 1) ^ 2) / 2)
	print $4, ($7 == ""), ($8 / half > 0.998 && $8 / half < 1.002)
}' >"$out"
said "perf's share of the time: counts of 16.7 % have an interval" "0.400000 1 1"
shares 99.88 | "$tool" eval --part ivb -x, | awk -F, '$2 == "Frontend_Bound" {
	half = 0.4 * 0.0012 * sqrt(2)
	print $4, ($7 == ""), ($8 / half > 0.998 && $8 / half < 1.002)
}' >"$out"
said "perf's share of the time: counts of 99.88 % have a narrow one" "0.400000 1 1"
for percent in 0.06 3 16.7 99.88 100; do
	shares $percent | "$tool" eval --part ivb -j | sed -n 's/.*"verdict":"\([a-z]*\)".*/\1/p'
done >"$out"
said "perf's share of the time: no verdict from 0.06 or 3 %" "undecided
undecided
flagged
flagged
flagged"
shares 100 | sed 's/,10000000*,100,/,1000000000,100,/; s/\(UOPS_RETIRED.RETIRE_SLOTS,.*\),100,/\1,30,/' |
	"$tool" eval --part ivb -x, | awk -F, 'NR > 1 { print $2 ($7 ? " " $7 : "") }' >"$out"
said "perf's share of the time: only values of different groups are mixed" "Frontend_Bound
Bad_Speculation mixed-groups
Retiring mixed-groups
Backend_Bound mixed-groups"
# 7 events on 4 counters: perf's multiplexed groups may by chance have equal shares of the time.
for event in cycles CYCLE_ACTIVITY.CYCLES_NO_EXECUTE RS_EVENTS.EMPTY_CYCLES \
	UOPS_EXECUTED.THREAD:c1 UOPS_EXECUTED.THREAD:c2 CYCLE_ACTIVITY.STALLS_MEM_ANY RESOURCE_STALLS.SB; do
	echo "1000,,$event,500000000,50.00,,"
done | "$tool" eval --part ivb -x, -M Memory_Bound | awk -F, 'NR > 1 { print $2, $4, $7 }' >"$out"
said "perf's share of the time: events that do not fit the counters are of several groups" \
	"Memory_Bound 1.000000 mixed-groups"

printf 'TOPDOWN.SLOTS,PERF_METRICS.FRONTEND_BOUND,PERF_METRICS.BAD_SPECULATION,PERF_METRICS.RETIRING,PERF_METRICS.BACKEND_BOUND,BR_MISP_RETIRED.ALL_BRANCHES,MACHINE_CLEARS.COUNT,INT_MISC.UOP_DROPPING,INT_MISC.CLEARS_COUNT\n1000,250,250,250,250,30,10,0,\n1000,250,250,250,250,30,10,0,60\n1000,255,255,250,255,30,10,0,0\n1000,255,255,255,260,30,10,0,0\n' >"$out.csv"
values "without a correction: values say so, and nothing is divided by it" \
	":tma_bad_speculation 0.250000 uncorrected
:tma_branch_mispredicts 0.187500 uncorrected
:tma_other_mispredicts  missing uncorrected
:tma_retiring 0.250000
:tma_bad_speculation 0.000000
:tma_branch_mispredicts 0.000000
:tma_other_mispredicts 0.000100
:tma_retiring 0.250000
:tma_bad_speculation 0.251232
:tma_branch_mispredicts 0.188424
:tma_other_mispredicts 0.753695
:tma_retiring 0.246305
:tma_bad_speculation 0.248780 normalised
:tma_branch_mispredicts 0.186585 normalised
:tma_other_mispredicts 0.746341 normalised
:tma_retiring 0.248780 normalised" --part icl \
	-M tma_bad_speculation,tma_branch_mispredicts,tma_other_mispredicts,tma_retiring "$out.csv"
rm -f "$out.csv"
printf 'cycles,topdown-total-slots,topdown-recovery-bubbles,topdown-fetch-bubbles,topdown-slots-issued,topdown-slots-retired\n,4000,400,1000,2000,1500\n' >"$out.csv"
values "counts that Linux multiplies by the slots of a cycle" ":Frontend_Bound 0.250000
:Bad_Speculation 0.225000
:Retiring 0.375000
:Backend_Bound 0.150000" --part skl "$out.csv"
values "the same with hyper-threading" ":Frontend_Bound 0.250000
:Bad_Speculation 0.225000
:Retiring 0.375000
:Backend_Bound 0.150000" --part skl --smt "$out.csv"
rm -f "$out.csv"
prints "a derived count that an input column replaces" 'TOPDOWN_BAD_SPECULATION.ALL,TOPDOWN_FE_BOUND.ALL,TOPDOWN_BE_BOUND.ALL,TOPDOWN_RETIRING.ALL,cycles\n100,1000,1000,1000,1000\n,1000,1000,1000,1000\n' \
	'label,metric,level,value,unit,flagged,flags,uncertainty,errata
,Bad_Speculation,1,0.020000,slots,0,,,
,Bad_Speculation,1,0.400000,slots,1,,,
status 0' --part adl-e -x, -M Bad_Speculation
prints "a field in perf's form replaces that of the name" \
	'cpu/UOPS_RETIRED.ALL,umask=0x2/,cycles\n200,100\n' 'label,metric,level,value,unit,flagged,flags,uncertainty,errata
,Retiring,1,0.500000,slots,0,,,
status 0' -x, -M Retiring

# verdict NAME STATUS WHY COUNTS OPTION...: compares the status, reason and nodes of the verdict
verdict()
{
	name=$1
	wanted="$2 $3"
	counts=$4
	shift 4
	printf 'cycles,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES\n%s\n' \
		"$counts" | "$tool" eval --part ivb -j "$@" |
		sed -n 's/.*"verdict":"\([a-z-]*\)".*"why":\[\([^]]*\)\].*/\1 \2/p' >"$out"
	said "verdict: $name" "$wanted"
}

# A loop with a machine clear in 300 cycles: its stores hit its own code, or its loads overtake
# stores.
clears='cycles,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,BR_MISP_RETIRED.ALL_BRANCHES,MACHINE_CLEARS.COUNT
1000000,1600000,900000,500000,150000,20,3300'
for method in ivb:paper ivb:tma skl:paper skl:tma; do
	echo "$clears" | "$tool" eval --part "${method%:*}" --method "${method#*:}" -l 2 -j |
		sed -n 's/.*"verdict":"\([a-z]*\)","first":\([^:]*\),"paths.*/\1 \2/p'
done >"$out"
said "verdict: a machine-clear loop" 'flagged [["Bad_Speculation","Machine_Clears"]]
flagged [["tma_bad_speculation","tma_machine_clears"]]
flagged [["Bad_Speculation","Machine_Clears"]]
flagged [["tma_bad_speculation","tma_machine_clears"]]'

# A loop that stores to its own code: its clears are not of the order of loads.
printf '%s,MACHINE_CLEARS.MEMORY_ORDERING\n%s,0\n' "${clears%%
*}" "${clears#*
}" | "$tool" eval --part skl --method tma -l 3 -j |
	sed -n 's/.*"first":\(\[\[[^]]*\]\]\),"paths.*/\1/p' >"$out"
said "verdict: a loop of stores to code" '[["tma_bad_speculation","tma_machine_clears","tma_other_nukes"]]'
# A loop with denormal numbers: the microcode sequencer delivers 35 uops for each assist.
assists='cycles,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,IDQ.MS_UOPS'
for method in ivb:paper ivb:tma skl:paper skl:tma; do
	printf '%s,%s\n%s,%s\n' "$assists" \
		OTHER_ASSISTS.ANY_WB_ASSIST,FP_ASSIST.ANY,OTHER_ASSISTS.ANY,UOPS_RETIRED.MACRO_FUSED,INST_RETIRED.ANY \
		1000000,300000,3150000,3100000,10000,2800000 40000,80000,0,0,380000 |
		if [ "${method%:*}" = ivb ]; then cut -d, -f1-7; else cut -d, -f1-6,8-; fi |
		"$tool" eval --part "${method%:*}" --method "${method#*:}" -l 4 -j |
		sed -n 's/.*"paths":\(\[\[[^]]*\]\]\).*/\1/p'
done >"$out"
said "verdict: a loop of denormals" '[["Retiring","MicroSequencer"]]
[["tma_retiring","tma_heavy_operations","tma_microcode_sequencer","tma_assists"]]
[["Retiring","MicroSequencer"]]
[["tma_retiring","tma_heavy_operations","tma_microcode_sequencer","tma_assists"]]'

# Intel's metric files state shares in per cent.
cat >"$out.json" <<'END'
{"Metrics": [
 {"MetricName": "Frontend_Bound", "Level": 1, "UnitOfMeasure": "percent", "Formula": "100 * a / b",
  "Events": [{"Name": "IDQ_UOPS_NOT_DELIVERED.CORE", "Alias": "a"}, {"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "b"}],
  "Threshold": {"Formula": "a > 15", "ThresholdMetrics": [{"Alias": "a", "Value": "Frontend_Bound"}]}},
 {"MetricName": "Fetch_Latency", "Level": 2, "ParentCategory": "Frontend_Bound", "UnitOfMeasure": "percent",
  "Formula": "a", "Events": [{"Name": "UOPS_ISSUED.ANY", "Alias": "a"}]}
]}
END
for counts in 100,303 100,104 100,50; do
	printf 'CPU_CLK_UNHALTED.THREAD,IDQ_UOPS_NOT_DELIVERED.CORE\n%s\n' "$counts" |
		"$tool" eval --part skl --metrics "$out.json" | grep -e Flagged -e "^No verdict"
done >"$out"
rm -f "$out.json"
said "verdict: none of impossible shares in per cent" \
	"No verdict: Frontend_Bound 303 % cannot be; the counts contradict each other.
Flagged: Frontend_Bound.
Flagged: Frontend_Bound."
verdict "none of impossible values" contradictory \
	'"Frontend_Bound","Bad_Speculation","Retiring","Backend_Bound"' 194420,2356235,1073595,944133,226132
verdict "none of part of a level" incomplete '"Frontend_Bound","Backend_Bound"' 1000,,2000,1000,10
verdict "none of the nodes that -M names" incomplete '"Bad_Speculation","Backend_Bound"' \
	1000,500,2000,1000,10 -M Frontend_Bound,Retiring
verdict "none of counters that read 0" counts-nothing '"Backend_Bound"' 1000000,0,0,0,0
verdict "one of counters that read little" flagged '' 1000000,1,1,1,0
cat >"$out.bpm" <<'END'
# SPDX-License-Identifier: GPL-2.0
Rate = UOPS_ISSUED.ANY / SECONDS | unit count
Ratio = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit count
Other = BR_MISP_RETIRED.ALL_BRANCHES / CPU_CLK_UNHALTED.THREAD + UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit count
END
# The groups' own cycles differ: 800 of 1000 for that of the uops, 1250 for that of the branches.
printf 'time,cpus,event,count,unit,enabled_percent,lost,uncertainty,clock,errata,type,flags\n,0,cycles,1000,events,100.00,0,,,,event,\n,0,UOPS_ISSUED.ANY,1600,events,50.00,0,16,800,,event,\n,0,BR_MISP_RETIRED.ALL_BRANCHES,25,events,50.00,0,1,1250,,event,\n' \
	>"$out.csv"
values "ratios take the cycles of the counts' own groups, sums over the time do not" \
	"0:Rate 1600.000000
0:Ratio 2.000000
0:Other 2.020000 mixed-groups" --metrics "$out.bpm" --set SECONDS=1 "$out.csv"
rm -f "$out.bpm" "$out.csv"
printf 'time,cpus,event,count,unit,enabled_percent,lost,uncertainty,clock,errata,type,flags,metric,level,value\n,0,cycles,1000,events,100.00,0,,,,count,,,,\n,0,,,events,,,,,,metric,,Own,1,7\n,0,instructions,1500,events,100.00,0,,,,count,,,,\n' \
	>"$out.csv"
values "rows of metrics in CSV of stat -x are left out, also those in events" "0:IPC 1.500000" \
	-M IPC "$out.csv"
rm -f "$out.csv"
values "latency of L3 misses by counts of all sockets" \
	"A:L3_Read_Miss_Latency 200000000.000000
A:L3_Read_Misses_Under_Way 0.600000" --part skx --set CHAS=2 --set SOCKETS=2 --set SECONDS=1 \
	-M L3_Read_Miss_Latency,L3_Read_Misses_Under_Way - <<'END'
label,UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD,UNC_CHA_TOR_INSERTS.IA_MISS_DRD,UNC_CHA_CLOCKTICKS
A,600,3,4000
END
prints "an event at two privilege levels is not one event" \
	'cycles:u,cycles:k,instructions:u,instructions:k\n10,10,30,50\n' \
	"barepmu: event 'cycles:k': 'cycles:u' is the same event at another privilege level; leave all counts of one level out, or add them up
status 1" -M IPC
prints "events of different privilege levels are refused" 'cycles:u,UOPS_RETIRED.RETIRE_SLOTS\n' \
	"barepmu: event 'UOPS_RETIRED.RETIRE_SLOTS': 'cycles:u' has another privilege level; count all events in user space, all in the kernel, or all in both
status 1"
prints "invalid JSON is refused" '{"type":"count","event":\n' \
	"barepmu: stdin:1:24: not JSON, unexpected token near end of file; give one object a line
status 1"
prints "JSON: a count without CPUs is refused" '{"type":"count","event":"cycles"}\n' \
	"barepmu: stdin:1:1: the count has no \"cpus\" of the right type; give what 'stat -j' wrote
status 1"
prints "CSV of perf stat: an event that occurs twice is refused" '100,,cycles,1,100\n94,,cycles,1,100\n' \
	"barepmu: stdin:2:1: event 'cycles' is there twice; drop one, or measure with -I so that times differ
status 1"
# Output of perf in the virtual machine: rows, and instructions per cycle as perf printed them. Not
# for -r: 6.1 prints the mean of other runs, 7.2 prints none.
for file in perf/*.expected; do
	for input in "${file%.expected}.csv" "${file%.expected}.json"; do
		"$tool" eval --part ivb -M IPC -x, "$input" 2>&1 | awk -F, 'NR > 1 {
			print $1 ":", $4 == "" ? $7 : sprintf("%.2f", $4)
		}' >"$out"
		said "$input: rows and their cycles per instruction" \
			"$(sed -n "/^# ${input##*.}/,/^\$/p" "$file" | grep ':')"
	done
done
# Of an event in several groups the count is taken from the group with most events. perf's own
# values are for twice the slots, as it does not know that the core has no second thread.
for input in perf/6.1-topdown.csv perf/6.1-topdown.json; do
	"$tool" eval --part ivb --method tma -x, "$input" 2>&1 |
		awk -F, '$2 ~ /speculation|retiring/ { print $2, $4, $7 }'
done >"$out"
said "perf 6.1: TopdownL2 in several groups" "$(expected perf/6.1-topdown.values)"
# The group that ran for 30 % has most events: its cycles are taken, not those of the other groups.
prints "CSV of perf stat: of an event in several groups the count of the largest group" \
	"500,,cycles,2000000000,60.00,,\\n<not counted>,,instructions,0,0.00,,\\n400,,cycles,1000000000,30.00,,\\n800,,instructions,1000000000,30.00,,\\n3,,branches,1000000000,30.00,,\\n9,,faults,1000,100.00,,\\n,,,,,1.5,metric\\n" \
	"label,metric,level,value,unit,flagged,flags,uncertainty,errata
,IPC,1,2.000000,instructions/clock,0,,0.297209,
barepmu: stdin: not used: event 'faults': not known here: the kernel counts it; use perf stat
barepmu: cycles, instructions: counted by several groups in stdin; taken is the count of the group that counted most other events
barepmu: stdin: not used: 1 line with metrics of perf's own
status 0" -M IPC -x, -v
# Equal counts with 100 % are of one run; if no group of an event was counted, it has no count.
prints "CSV of perf stat: groups that all fit, or of which none counted" \
	"100,,cycles,1000,100.00,,\\n103,,cycles,1000,100.00,,\\n<not counted>,,branches,0,0.00,,\\n<not counted>,,branches,0,0.00,,\\n200,,instructions,1000,100.00,,\\n" \
	"Metrics on Intel Ivy Bridge

  IPC                                     2 instructions/clock
status 0" -M IPC
prints "CSV of perf stat: a group that did not count is not taken, however many events it has" \
	"400,,cycles,1000,100.00,,\\n<not counted>,,cycles,900,0.00,,\\n800,,instructions,900,100.00,,\\n3,,branches,900,100.00,,\\n" \
	"Metrics on Intel Ivy Bridge

  IPC                                     2 instructions/clock
status 0" -M IPC
prints "a head of labels alone is refused" 'core,cpus,\nS0-D0-C0,1,0.0,\n' \
	"barepmu: stdin:1:1: the first line has no name of an event; give counts, which perf stat writes without --metric-only
status 1"
prints "JSON of perf 6.1: a metric that is no number" \
	'{"counter-value" : "400", "event" : "cycles", "event-runtime" : 1, "pcnt-running" : 100.00, "metric-value" : nan, "metric-unit" : " nan"}\n{"counter-value" : "800", "event" : "instructions", "event-runtime" : 1, "pcnt-running" : 100.00, "metric-value" : -nan, "metric-unit" : ""}\n{"metric-value" : inf, "metric-unit" : "x"}\n' \
	"Metrics on Intel Ivy Bridge

  IPC                                     2 instructions/clock
status 0" -M IPC
prints "CSV of perf stat -A: counts of boxes add up, a PMU behind the name is none of it" \
	"5,,UNC_M_CAS_COUNT.RD [uncore_imc_0],1000,100.00,,\\n7,,UNC_M_CAS_COUNT.RD [uncore_imc_1],1000,100.00,,\\n3,,UNC_M_CAS_COUNT.RD [uncore_imc_2],1000,100.00,,\\n4,,cycles [cpu],1000,100.00,,\\n" \
	"label,metric,level,value,unit,flagged,flags,uncertainty,errata
,Lines,1,15.000000,count,0,,,
,Clocks,1,4.000000,count,0,,,
status 0" --part ivt --metrics lines.bpm -x,
prints "CSV of perf stat: events that the CPU model lacks are named, those of the kernel with -v" \
	"9,,task-clock,1000,100.00,,\\n1,,UOPS_ISSUED.ANI,1000,100.00,,\\n<not counted>,,NO_SUCH,0,0.00,,\\n2,,cycles,1000,100.00,,\\n4,,instructions,1000,100.00,,\\n,,,,2.0,insn per cycle\\n" \
	"label,metric,level,value,unit,flagged,flags,uncertainty,errata
,IPC,1,2.000000,instructions/clock,0,,,
barepmu: stdin: not used: event 'UOPS_ISSUED.ANI': not known on ivb; did you mean UOPS_ISSUED.ANY? See 'barepmu list'
status 0" -M IPC -x,
{
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "1,,NO_SUCH_$i,1000,100.00,,"
	done
	printf '%s\n' 2,,cycles,1000,100.00,, 4,,instructions,1000,100.00,,
} >"$out.csv"
"$tool" eval --part ivb -M IPC -x, "$out.csv" 2>&1 >"$out.rows" | sed "s|$out|X|" >"$out"
said "CSV of perf stat: eight of ten unknown events are named" "$(
	for i in 1 2 3 4 5 6 7 8; do
		echo "barepmu: X.csv: not used: event 'NO_SUCH_$i': not known on ivb; see 'barepmu list'"
	done)
barepmu: X.csv: not used: 2 more events, which -v names"
"$tool" eval --part ivb -M IPC -x, -v "$out.csv" 2>&1 >"$out.rows" | grep -c NO_SUCH >"$out"
said "-v names all of them" 10
rm -f "$out.csv" "$out.rows"
prints "CSV of perf stat -I -A --summary: the summary has a row for each CPU" \
	"summary,CPU0,2,,cycles,1000,100.00,,\\nsummary,CPU0,4,,instructions,1000,100.00,,\\nsummary,CPU1,2,,cycles,1000,100.00,,\\nsummary,CPU1,6,,instructions,1000,100.00,,\\n" \
	"label,metric,level,value,unit,flagged,flags,uncertainty,errata
summary CPU0,IPC,1,2.000000,instructions/clock,0,,,
summary CPU1,IPC,1,3.000000,instructions/clock,0,,,
status 0" -M IPC -x,
prints "CSV of perf stat --metric-only, without a head" "\\n0.000,,,,0.00,\\n" \
	"barepmu: stdin: has metrics of perf, and no counts; measure without --metric-only
status 1"
prints "JSON of perf stat --metric-only" '{}\n{"core" : "S0-D0-C0", "aggregate-number" : 1, {"metric-value" : "0.0"}{"metric-value" : ""}\n' \
	"barepmu: stdin: has metrics of perf, and no counts; measure without --metric-only
status 1"
prints "JSON of perf stat --metric-only of later ones" '{"GHz" : "0.017", "insn per cycle" : "0.85"}\n' \
	"barepmu: stdin: has metrics of perf, and no counts; measure without --metric-only
status 1"
prints "JSON of another tool is refused" '{"cycles" : 1000}\n' \
	"barepmu: stdin:1:1: has no \"type\"; give what 'stat -j' wrote
status 1"
prints "JSON of perf stat: an object without a count is refused" '{"event" : "cycles", "metric-value" : 0.5}\n' \
	"barepmu: stdin:1:1: has no \"counter-value\", \"event\" or \"pcnt-running\" of the right type; give what 'perf stat -j' wrote
status 1"
for event in r003c cpu/event=0x3c,umask=0x0/ cpu_core/event=0x3c/ cycles:P cycles:ukHG \
	cpu/cycles:pp/ cpu_core/cycles/ cycles:HD cycles:De cpu/cycles/uk cpu/cycles/ukDH; do
	printf '1000,,%s,1000,100.00,,\n500,,r00c0,1000,100.00,,\n' "$event" |
		"$tool" eval --part adl -M IPC -x, 2>&1 | awk -F, -v event="$event" \
		'NR > 1 { print event, $4 }'
done >"$out"
said "raw codes and perf's modifiers: cycles and instructions of fixed counters" "r003c 0.500000
cpu/event=0x3c,umask=0x0/ 0.500000
cpu_core/event=0x3c/ 0.500000
cycles:P 0.500000
cycles:ukHG 0.500000
cpu/cycles:pp/ 0.500000
cpu_core/cycles/ 0.500000
cycles:HD 0.500000
cycles:De 0.500000
cpu/cycles/uk 0.500000
cpu/cycles/ukDH 0.500000"
prints "raw codes: the any bit is another event, as is another unit mask" \
	'10,,r20003c,1000,100.00,,\n10,,r013c,1000,100.00,,\n5,,r00c0,1000,100.00,,\n' \
	"Metrics on Intel Skylake

  No value for 1 of 1 metrics: the counts lack cycles.
status 0" --part skl -M IPC
prints "a tree without counts names what is missing, eight of them" 'cycles\n1000\n' \
	"Top-Down on Intel Ivy Bridge

  No value for 12 of 12 metrics: the counts lack IDQ_UOPS_NOT_DELIVERED.CORE, UOPS_ISSUED.ANY, UOPS_RETIRED.RETIRE_SLOTS, INT_MISC.RECOVERY_CYCLES, IDQ_UOPS_NOT_DELIVERED.CORE:[>=4], BR_MISP_RETIRED.ALL_BRANCHES, MACHINE_CLEARS.COUNT, IDQ.MS_UOPS and 6 more, which -v names.

No node has a value: no verdict.
status 0" -l 2
prints "a head with blanks between the names is refused" 'label cycles instructions\nA 1 2\n' \
	"barepmu: stdin:1:1: 'label cycles instructions' has blanks between its names; write commas, semicolons, tabs or |
status 1"
prints "a row of toplev is refused" '# 4.8-full on X [ivb]\nC0,FE,Frontend_Bound,25.0,% Slots <,Slots\n' \
	"barepmu: stdin:2:1: is of 'toplev -x', which writes metrics and no counts; give what perf stat -x wrote, or measure with 'barepmu topdown'
status 1"
prints "a head of toplev is refused" 'Area,Node,C0,Description,Sample,Stddev,Multiplex\n' \
	"barepmu: stdin:1:1: is of 'toplev -x', which writes metrics and no counts; give what perf stat -x wrote, or measure with 'barepmu topdown'
status 1"
for head in GHz IPC 'insn per cycle' '%%  tma_retiring' tma_info_thread_ipc Retiring; do
	# shellcheck disable=SC2059
	printf "time,$head\\n1,2\\n" | "$tool" eval --part ivb 2>&1 | grep -c "is a metric, not an event"
done >"$out"
said "a head of metrics is refused" "1
1
1
1
1
1"
head -c 1048577 /dev/zero | tr '\0' a >"$out.csv"
prints "a line of more than 1 MiB is refused" '' \
	"barepmu: $out.csv:1: the line is longer than 1 MiB; is it a file of counts?
status 1" "$out.csv"
rm -f "$out.csv"
prints "CSV of perf stat: a line without fields is refused" '1,,cycles,1,100\nhello\n' \
	"barepmu: stdin:2:1: is not a line of 'perf stat -x': no count, unit, event, time and percentage in a row, which --metric-only leaves out; remove it, or give the names of the events in the first line of a table
status 1"
prints "empty input is refused" '' "barepmu: stdin: is empty; give a table of counts, or what stat -x, stat -j or perf stat -x wrote
status 1"
prints "input that is not text is refused" 'a\001b' "barepmu: stdin:1:1: is not text; give a table of counts, or what stat -x, stat -j or perf stat -x wrote
status 1"
prints "a missing file is refused" '' "barepmu: nothing.csv: cannot be read: No such file or directory; give a file of counts
status 1" nothing.csv
prints "--set without a number is refused" '' "barepmu: --set 'cycles': no number behind a '='; write NAME=NUMBER
status 1" --set cycles
prints "-l 0 is refused" '' "barepmu: -l '0': not a number from 1 to 99; write one
status 2" -l 0
prints "two files are refused" '' "barepmu: eval: more than one file; give one, or join them with cat
status 2" a b
values "-M: a metric of a lower level" "A:BASE 0.475000
B:BASE 0.475000
C:BASE 0.499950
D:BASE  divided-by-0" -M base paper.csv
values "-M TopdownL1: the metrics of level 1" \
	"A:Frontend_Bound 0.150000
A:Bad_Speculation 0.075000
A:Retiring 0.500000
A:Backend_Bound 0.275000
B:Frontend_Bound 0.150000
B:Bad_Speculation 0.075000
B:Retiring 0.500000
B:Backend_Bound 0.275000
C:Frontend_Bound 0.350000
C:Bad_Speculation -0.020000 below-0
C:Retiring 0.505000
C:Backend_Bound 0.165000
D:Frontend_Bound  divided-by-0
D:Bad_Speculation  divided-by-0
D:Retiring  divided-by-0
D:Backend_Bound  divided-by-0" -M TopdownL1 paper.csv
values "Intel's files: values, a missing count, and a metric that is refused" \
	"A:ratio 10.000000
A:child  missing
A:equal 2.000000
A:utilization 50.000000
:opcode  refused" --part skl --metrics ../../vendor/skl \
	-M 'ratio,child,equal,opc*,utilization' --set TSC=100 vendor.csv
prints "Intel's files: -v prints why there is no value" 'NEW.PLAIN,cycles\n1,2\n' \
	"Metrics on Intel Skylake

  No value for 1 of 1 metrics: the counts lack NEW.ON_TWO.
  child: missing NEW.ON_TWO
  opcode: not measured, UNC_NEW_CBO.LOOKUP:opc=0x182 needs an opcode filter, which the unit of its event lacks
status 0" --part skl --metrics ../../vendor/skl -M 'chil?,opcod?' -v
prints "Intel's files: choosing a metric that is refused is an error" 'NEW.PLAIN\n1\n' \
	"barepmu: metrics: none of those asked for can be measured; thread: UNC_NEW_CBO.LOOKUP:tid=0x3e needs a thread filter, which the unit of its event lacks; see 'barepmu list metrics -v'
status 1" --part skl --metrics ../../vendor/skl -M thread
prints "zen2: -M basic prints the metrics that the part can count" \
	'cycles,instructions\n1000,500\n' \
	"Metrics on AMD Zen 2

  IPC                                   0.5 instructions/clock  (erratum)
  CPI                                     2 clocks/instruction  (erratum)
  No value for 4 of 6 metrics: the counts lack branch_misses, branches, cache_misses, cache_references.
status 0" --part zen2 -M basic
prints "zen2: the error names the event that GHz lacks" 'cycles,instructions\n1000,500\n' \
	"barepmu: metric 'GHz': needs ref_cycles, which zen2 does not have; use another metric
status 1" --part zen2 -M GHz
prints "Intel's files: events that cannot be counted here are read from the input" \
	'UNC_NEW_CBO.LOOKUP:tid=0x3e,UNC_NEW_CBO.LOOKUP:opc=0x182\n7,9\n' \
	"Metrics on Intel Skylake

  opcode                                  9 percent
  thread                                  7 percent
status 0" --part skl --metrics ../../vendor/skl -M 'opcode,thread'
prints "a column that occurs twice is refused" 'NEW.PLAIN,cycles,new.plain\n1,2,3\n' \
	"barepmu: stdin:1:18: event 'new.plain' is there twice; leave one of the columns out
status 1" --part skl --metrics ../../vendor/skl -M ratio
cat >"$out.json" <<'END'
{"Metrics": [
 {"MetricName": "core", "Formula": "a / b", "Events": [
   {"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "a"},
   {"Name": "CPU_CLK_UNHALTED.THREAD_ANY", "Alias": "b"}]},
 {"MetricName": "small", "Formula": "a / 3e9", "Events": [
   {"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "a"}]},
 {"MetricName": "ticks", "Formula": "a", "BaseFormula": "tsc", "Constants": [
   {"Name": "SYSTEM_TSC_FREQ", "Alias": "a"}]},
 {"MetricName": "rate", "Formula": "a", "Constants": [
   {"Name": "SYSTEM_TSC_FREQ", "Alias": "a"}]},
 {"MetricName": "socket", "Formula": "a[0] * b", "Events": [
   {"Name": "UNC_CHA_CLOCKTICKS:one_unit", "Alias": "a"}], "Constants": [
   {"Name": "SOCKET_COUNT", "Alias": "b"}]}
]}
END
printf 'label,CPU_CLK_UNHALTED.THREAD,CPU_CLK_UNHALTED.THREAD_ANY,UNC_CHA_CLOCKTICKS:one_unit,SOCKETS\nA,100,400,5,4\nB,200,400,6,\n' \
	>"$out.csv"
values "Intel's files: clocks of thread and core, TSC ticks and rate, one uncore unit, a constant as a column" \
	"A:core 0.250000
A:small 0.0000000333333
A:ticks 1500.000000
A:rate 1000.000000
A:socket 20.000000
B:core 0.500000
B:small 0.0000000666667
B:ticks 1500.000000
B:rate 1000.000000
B:socket 12.000000" --part skl --smt --metrics "$out.json" \
	--set TSC_HZ=1000 --set SECONDS=1.5 --set SOCKETS=2 "$out.csv"
cat >"$out.json" <<'END'
{"Metrics": [
 {"MetricName": "all", "Formula": "a", "Events": [
   {"Name": "UNC_CHA_CLOCKTICKS", "Alias": "a"}]},
 {"MetricName": "one", "Formula": "a[0]", "Events": [
   {"Name": "UNC_CHA_CLOCKTICKS:one_unit", "Alias": "a"}]},
 {"MetricName": "power", "Formula": "a * 61", "Events": [
   {"Name": "FREERUN_PKG_ENERGY_STATUS", "Alias": "a"}]}
]}
END
printf 'label,UNC_CHA_CLOCKTICKS,UNC_CHA_CLOCKTICKS:one_unit,FREERUN_PKG_ENERGY_STATUS\nA,70,7,10\n' \
	>"$out.csv"
values "Intel's files: an event in one CHA and in all of them are two columns, energy is a count" \
	"A:all 70.000000
A:one 7.000000
A:power 610.000000" --part skx --metrics "$out.json" "$out.csv"
rm -f "$out.json" "$out.csv"
printf 'label,CPU_CLK_UNHALTED.THREAD,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,INST_RETIRED.ANY,CPU_CLK_UNHALTED.REF_TSC,BR_INST_RETIRED.ALL_BRANCHES,BR_MISP_RETIRED.ALL_BRANCHES\nA,1000,800,2400,2000,50,1500,500,300,6\n' \
	>"$out.csv"
values "skl: --method tma: level 1 of Intel's tree" \
	"A:tma_frontend_bound 0.200000
A:tma_bad_speculation 0.150000
A:tma_backend_bound 0.150000
A:tma_retiring 0.500000" --part skl --method tma "$out.csv"
values "ivb: --method tma: level 1 of Intel's tree in Linux" \
	"A:tma_frontend_bound 0.200000
A:tma_bad_speculation 0.150000
A:tma_backend_bound 0.150000
A:tma_retiring 0.500000" --part ivb --method tma "$out.csv"
values "skl: -M: metrics of every part and of Intel by their names" \
	"A:IPC 1.500000
A:CPI 0.666667
A:GHz 4.000000
A:Branch_Miss_Ratio 0.020000 erratum
A:Branch_MPKI 4.000000
A:Cycles_per_Instruction 0.666667
A:tma_info_thread_ipc 1.500000" --part skl --set TSC_HZ=2e9 \
	-M IPC,CPI,GHz,Branch_Miss_Ratio,Branch_MPKI,tma_info_thread_ipc \
	"$out.csv"
values "skl: -M tmaL1: level 1 of Intel's tree" \
	"A:tma_frontend_bound 0.200000
A:tma_bad_speculation 0.150000
A:tma_backend_bound 0.150000
A:tma_retiring 0.500000" --part skl -M tmaL1 --method tma "$out.csv"
values "ivb: -M tmaL1: level 1 of Intel's tree, without the nodes of --extra" \
	"A:tma_frontend_bound 0.200000
A:tma_bad_speculation 0.150000
A:tma_backend_bound 0.150000
A:tma_retiring 0.500000" --part ivb -M tmaL1 "$out.csv"
values "zen2: -M IPC on a part without a method" "A:IPC 2.000000 erratum" --part zen2 -M IPC - <<END
label,instructions,cycles
A,10,5
END
rm -f "$out.csv"
prints "a metric of Intel's that the part cannot count is refused" '' \
	"barepmu: metric 'tma_info_thread_slots_utilization': needs TOPDOWN.SLOTS: the sum of a core's threads, which this CPU model does not count; use another metric
status 1" --part icl -M tma_info_thread_slots_utilization
printf 'label,%s,%s,UNC_CHA_CLOCKTICKS,%s,%s,UNC_M_CLOCKTICKS,POWER.PKG,POWER.DRAM\nA,60000,300,16000,9000,90,24000,4000,500\n' \
	UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD UNC_CHA_TOR_INSERTS.IA_MISS_DRD \
	UNC_M_RPQ_OCCUPANCY UNC_M_RPQ_INSERTS >"$out.csv"
# 200 and 100 cycles of 2000, in 0.5 s; 4000 / 16384 J and 500 / 65536 J in 0.5 s.
values "skx: Intel's tree has latencies, clocks and power of two sockets" \
	"A:tma_info_system_uncore_frequency 0.000004
A:tma_info_system_mem_read_latency 50000000.000000
A:tma_info_system_mem_dram_read_latency 50000000.000000
A:tma_info_system_power 0.503540
A:tma_info_system_socket_clks 2000.000000" --part skx --set SOCKETS=2 --set CHAS=4 --set IMCS=6 \
	--set SECONDS=0.5 --set JOULE=0.00006103515625 --set JOULE_DRAM=0.0000152587890625 \
	-M tma_info_system_mem_dram_read_latency,tma_info_system_mem_read_latency,tma_info_system_power,tma_info_system_socket_clks,tma_info_system_uncore_frequency "$out.csv"
rm -f "$out.csv"
prints "knc: --method tma is refused" '' \
	"barepmu: method 'tma': Intel publishes no metrics for knc; leave --method out
status 1" --part knc --method tma
for part in zen1 zen2 zen3; do
	prints "$part: AMD's Top-Down begins with Zen 4" '' \
		"barepmu: method 'topdown': AMD publishes no Top-Down metrics for $part, only from Zen 4 on; see 'barepmu list metrics' for others
status 1" --part $part
	prints "$part: --method tma is refused likewise" '' \
		"barepmu: method 'tma': AMD publishes no Top-Down metrics for $part, only from Zen 4 on; see 'barepmu list metrics' for others
status 1" --part $part --method tma
done
prints "zen4: --method tma names the tree that there is" '' \
	"barepmu: method 'tma': is Intel's tree, and zen4 has AMD's; leave --method out
status 1" --part zen4 --method tma
# What perf 6.12 writes on a Zen 4 for its metrics PipelineL1 and PipelineL2.
cat >"$out.csv" <<'END'
12000,,ls_not_halted_cyc,1000,100.00,,
10800,,de_no_dispatch_per_slot.no_ops_from_frontend,1000,100.00,15.0,frontend_bound
1200,,cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/,1000,100.00,10.0,frontend_bound_latency
30000,,de_src_op_disp.all,1000,100.00,11.7,bad_speculation
21600,,ex_ret_ops,1000,100.00,30.0,retiring
25200,,de_no_dispatch_per_slot.backend_stalls,1000,100.00,35.0,backend_bound
6000,,de_no_dispatch_per_slot.smt_contention,1000,100.00,8.3,smt_contention
30,,ex_ret_brn_misp,1000,100.00,,
10,,resyncs_or_nc_redirects,1000,100.00,,
300,,ex_no_retire.load_not_complete,1000,100.00,,
400,,ex_no_retire.not_complete,1000,100.00,,
5400,,ex_ret_ucode_ops,1000,100.00,,
END
values "zen4: AMD's tree by perf's names of its events" ":Frontend_Bound 0.150000
:Fetch_Latency_Bound 0.100000
:Fetch_Bandwidth_Bound 0.050000
:Bad_Speculation 0.116667
:Branch_Mispredicts 0.087500
:Pipeline_Restarts 0.0291667
:Retiring 0.300000
:Fastpath 0.225000
:Microcode 0.075000
:Backend_Bound 0.350000
:Memory_Bound 0.262500
:Core_Bound 0.087500
:SMT_Contention 0.0833333" --part zen4 -l 2 "$out.csv"
sed -e s/resyncs_or_nc_redirects/bp_redirects.resync/ -e s/cmask=0x6/cmask=0x8/ "$out.csv" >"$out.5.csv"
values "zen5: slots of eight a cycle" ":Frontend_Bound 0.112500
:Fetch_Latency_Bound 0.100000
:Fetch_Bandwidth_Bound 0.012500
:Bad_Speculation 0.087500
:Branch_Mispredicts 0.065625
:Pipeline_Restarts 0.021875
:Retiring 0.225000
:Fastpath 0.168750
:Microcode 0.056250
:Backend_Bound 0.262500
:Memory_Bound 0.196875
:Core_Bound 0.065625
:SMT_Contention 0.062500" --part zen5 -l 2 "$out.5.csv"
sed s/bp_redirects/bp_fe_redir/ "$out.5.csv" >"$out.csv"
values "zen6: restarts have another name" ":Pipeline_Restarts 0.021875" \
	--part zen6 -M Pipeline_Restarts "$out.csv"
# Most slots are lost to the other thread: the verdict must name SMT_Contention.
printf 'CYCLES_NOT_IN_HALT,DISPATCH_STALLS_1.FE_NO_OPS,OPS_SOURCE_DISPATCHED_FROM_DECODER.ALL,RETIRED_OPS,DISPATCH_STALLS_1.BE_STALLS,DISPATCH_STALLS_1.SMT_CONTENTION\n1000,300,1800,1740,900,3000\n' >"$out.csv"
"$tool" eval --part zen4 -l 1 "$out.csv" >"$out" 2>&1
said "zen4: the verdict knows the fifth root" "Top-Down on AMD Zen 4

  Frontend_Bound                      5.0 % of slots
  Bad_Speculation                     1.0 % of slots
  Retiring                           29.0 % of slots
  Backend_Bound                      15.0 % of slots
  SMT_Contention                     50.0 % of slots  <==

Flagged: SMT_Contention.
Slots of cycles that went to the other thread of the core
Next: the core's slots are shared, not lost: give the thread a core of its own if its time matters"
rm -f "$out.csv" "$out.5.csv"
prints "--method: an unknown method is refused" '' \
	"barepmu: --method 'toplev': not known; paper or tma is
status 2" --method toplev
prints "-M: an unknown metric is refused, with a similar one" '' \
	"barepmu: metric 'Frontend_Bund': no metric or group of them is called so; did you mean Frontend_Bound? Or see 'barepmu list metrics'
status 1" -M Frontend_Bund
prints "--cpi with -M is refused" '' \
	"barepmu: --cpi: is made of a whole tree; leave out -M and Intel's metrics
status 1" --cpi -M Retiring
printf 'time,cpus,event,count,unit,enabled_percent,lost,uncertainty,errata,type,flags\n,0,cycles,100,events,100.00,0,,,event,\n,0,UOPS_RETIRED.RETIRE_SLOTS,200,events,100.00,0,,,event,\n,0,cycles,0.5,slots,,,,,metric,\n' \
	>"$out.csv"
values "CSV of stat -M: rows of metrics are not read as counts" "0:Retiring 0.500000" \
	-M Retiring "$out.csv"
cat >"$out.csv" <<'END'
time,part,cpus,cpu_count,event,count,unit,enabled_percent,lost,uncertainty,errata
,adl,core 0.0,2,slots,1000,events,100.00,0,,
,adl,core 0.0,2,perf_metrics.retiring,500,events,100.00,0,,
,adl-e,core 0.4,1,CPU_CLK_UNHALTED.CORE,1000,events,100.00,0,,
,adl-e,core 0.4,1,TOPDOWN_RETIRING.ALL,2500,events,100.00,0,,
,adl-e,core 0.5,1,CPU_CLK_UNHALTED.CORE,1000,events,100.00,0,,
,adl-e,core 0.5,1,TOPDOWN_RETIRING.ALL,500,events,50.00,0,,
END
values "CSV of stat --per-core on a hybrid part: cores of adl-e" "core 0.4:Retiring 0.500000
core 0.5:Retiring 0.100000 mixed-groups" --part adl-e -M Retiring "$out.csv"
prints "counts of other parts only are refused" '' \
	"barepmu: $out.csv: has no counts of CPU model ivb; use --part adl-e
status 1" "$out.csv"
cat >"$out.csv" <<'END'
time;process;samples;time_percent;event;count;unit;enabled_percent;lost;uncertainty;errata
;make 7;12;25.0000;cycles;100;events;100.00;0;;
;make 7;12;25.0000;UOPS_RETIRED.RETIRE_SLOTS;200;events;100.00;0;;
END
values "CSV of report --by: a row for each process" "make 7:Retiring 0.500000" \
	-M Retiring "$out.csv"
cat >"$out.csv" <<'END'
{"schema":1,"type":"count","time":1.0,"part":"adl","cpus":"0-3","event":"cycles","count":100,"unit":"events"}
{"schema":1,"type":"count","time":1.0,"part":"adl-e","cpus":"core 0.4","cpu_count":1,"event":"CPU_CLK_UNHALTED.CORE","count":1000,"unit":"events"}
{"schema":1,"type":"count","time":1.0,"part":"adl-e","cpus":"core 0.4","cpu_count":1,"event":"TOPDOWN_RETIRING.ALL","count":2500,"unit":"events"}
{"schema":1,"type":"count","time":1.0,"part":"adl-e","by":"process","samples":2,"time_percent":1.0,"key":"make 7","event":"TOPDOWN_RETIRING.ALL","count":2500,"unit":"events"}
{"schema":1,"type":"count","time":1.0,"part":"adl-e","by":"process","samples":2,"time_percent":1.0,"place":"make 8","event":"TOPDOWN_RETIRING.ALL","count":2500,"unit":"events"}
END
values "JSON lines of a hybrid part and of report --by: cores and processes of adl-e" \
	"1.000000000 core 0.4:Retiring 0.500000
1.000000000 make 7:Retiring  missing
1.000000000 make 8:Retiring  missing" --part adl-e -M Retiring "$out.csv"
printf 'label,cycles,UOPS_RETIRED.RETIRE_SLOTS\n\033[2J\302\2331m,1000,2000\n' |
	"$tool" eval --part ivb -M Retiring | sed -n 1p >"$out"
said "a label: control characters are replaced" \
	"Metrics on Intel Ivy Bridge, ?[2J??1m"
printf 'time,cpus,event,count,unit,enabled_percent\n,\033[2J,cycles,1,events,100\n' |
	"$tool" eval --part ivb -M Retiring | sed -n 1p >"$out"
said "the CPUs of a row: control characters are replaced" "Metrics on Intel Ivy Bridge, ?[2J"
prints "the error message: control characters are replaced" 'label,\302\233A\n' \
	"barepmu: stdin:1:7: event '??A': not known on ivb; see 'barepmu list'
status 1"

# many FORMAT NR: writes NR rows. A linear search through all rows read before would take minutes.
many()
{
	awk -v format="$1" -v nr="$2" 'BEGIN {
		print "time,cpus,event,count,unit,enabled_percent"
		for (i = 0; i < nr; i++)
			printf ",%s,%s,1,events,100.00\n", \
				format == "rows" ? i : 0, \
				format == "rows" ? "cycles" : "NAME_" i
	}' >"$out.csv"
	prlimit --cpu=60 "$tool" eval --part ivb -x, -M Retiring "$out.csv" |
		wc -l >"$out"
}

many rows 200000
said "200,000 rows of CPUs are evaluated within 60 s of CPU time" 200001
many names 20000
said "20,000 names of unknown events are skipped within 60 s of CPU time" 2
rm -f "$out.csv"

finish
