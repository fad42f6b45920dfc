#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user records the load latency. The loads of a program that waits for the L3 are found there,
# with their latency and their cache lines, and the kernel's own perf reads the same from the
# export. What lacks something is refused with the remedy. On parts of the model with such records.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
data=/tmp/perf.data
samples=/tmp/samples
rows=/tmp/rows
event=cpu/event=0xcd,umask=1,ldlat=8/upp
beside=LD_BLOCKS.STORE_FORWARD

# farther: checks that loads waited longer for the L3 than for the L2
farther()
{
	run barepmu report --by source -x '|' "$file"
	awk -F'|' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["waited"]) { nr[$1] = $(at["waited"]); mean[$1] = $(at["latency_cycles"]) / nr[$1] }
		END {
			print "# L2: " nr["L2"] " waited " mean["L2"] ", L3: " nr["L3"] " waited " mean["L3"]
			exit !(nr["L2"] > 10 && nr["L3"] > 10 && mean["L2"] < 20 && mean["L3"] > 25)
		}' "$out"
}

# ours: prints what our report has of sources: loads of the L1, L2, L3, memory, lines on their way
ours()
{
	run barepmu report --by source -x '|' "$file"
	awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			for (k = 1; k <= 3; k++)
				sum[k] += $(at["from_l" k])
			sum[4] += $(at["from_memory"])
			sum[5] += $(at["from_fill_buffer"])
		}
		END { print sum[1] + 0, sum[2] + 0, sum[3] + 0, sum[4] + 0, sum[5] + 0 }' "$out"
}

# perfs: prints the same of the samples of perf script
perfs()
{
	awk '/OP LOAD/ { sum[/LVL LFB/ ? 5 : /LVL L1/ ? 1 : /LVL L2/ ? 2 : /LVL L3/ ? 3 : 4]++ }
		END { print sum[1] + 0, sum[2] + 0, sum[3] + 0, sum[4] + 0, sum[5] + 0 }' "$samples"
}

# agree: checks that perf and our report have the same sources, and that they have some
agree()
{
	echo "# report $(ours), perf $(perfs)"
	[ "$(ours)" = "$(perfs)" ] && [ "$(ours)" != "0 0 0 0 0" ]
}

# lines: checks that the loads are of many cache lines
lines()
{
	run barepmu report --by cacheline -x '|' "$file"
	echo "# $(grep -c '^0x' "$out")"
	[ "$(grep -c '^0x' "$out")" -gt 20 ]
}

begin
load
case $(part) in
spr) loads="-e $event,$beside -c 1009,0" ;;
skl) loads="-e $event -c 1009" ;;
*) skip_all "the model has no load latency of this part" ;;
esac

# shellcheck disable=SC2086
run barepmu record $loads -o "$file" -- chase 30000
result "the load latency has interrupts" grep -q "[0-9] interrupts to " "$out" "$err"
result "its loads wait longer for the L3 than for the L2" farther
result "the loads are of many cache lines" lines
run barepmu report --perf-data "$data" "$file"
perf script -i "$data" -F ip,addr,weight,data_src >"$samples" 2>"$err"
result "perf script: the same sources of data as in report" agree
perf c2c report -i "$data" --stdio >"$rows" 2>"$err"
result "perf c2c: has the loads" \
	grep -q "Load Operations *: *$(grep -c 'OP LOAD' "$samples")$" "$rows"
run barepmu record -e MEM_INST_RETIRED.ALL_STORES:upp -c 2003 -o "$file" -- count 100000
run barepmu report --by source "$file"
result "precise stores are stores" grep -q '\[store\]$' "$out"
if [ "$(part)" = spr ]; then
	run barepmu record -e "$event" -c 1009 -o "$file" -- true
	result "the load latency without its auxiliary event is refused with the remedy" \
		grep -q "add it with the period 0: -e $event,$beside -c N,0" "$err"
fi
run barepmu stat -e "cpu/event=0xcd,umask=1,ldlat=8/" -- true
result "the load latency without precise records is refused" \
	grep -q 'counts nothing without precise records' "$err"
run barepmu record -e "cpu/event=0xcd,umask=1,ldlat=2/pp,$beside" -c 1009,0 -o "$file" -- true
result "too low a threshold is refused" grep -q 'a threshold of 3 cycles or more' "$err"
rm -f "$file" "$data" "$samples" "$rows"
unload
finish
