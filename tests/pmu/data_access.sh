#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user records the load latency, and stores. The loads of a program that waits for the L3 are
# found there, with their latency and their cache lines, stores in the L1 or beyond, and the kernel's
# own perf reads the same from the export. What lacks something is refused with the remedy. On parts
# of the model with such records.
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

# stores: prints how many stores hit and missed the L1, by our report
stores()
{
	run barepmu report --by source -x '|' "$file"
	awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^\[store, hit the L1\]/ { hit = $(at["interrupts"]) }
		/^\[store, missed the L1\]/ { missed = $(at["interrupts"]) }
		END { print hit + 0, missed + 0 }' "$out"
}

# c2c_stores: prints the same of the rows of perf c2c
c2c_stores()
{
	awk -F: '/Store L1D Hit/ { hit = $2 } /Store L1D Miss/ { missed = $2 }
		END { print hit + 0, missed + 0 }' "$rows"
}

# stored: checks that perf and our report agree on stores, which both hit and missed the L1
stored()
{
	echo "# report $(stores), perf $(c2c_stores)"
	[ "$(stores)" = "$(c2c_stores)" ] && ! stores | grep -qw 0
}

# exact: checks that samples say that their address is the instruction's (bit 14 of misc,
# PERF_RECORD_MISC_EXACT_IP), if records of this part have it: those up to Ivy Bridge have that of the
# next instruction
exact()
{
	perf script -D -i "$data" >"$rows" 2>"$err"
	case $(part) in
	ivb | nhm) ! grep -q 'PERF_RECORD_SAMPLE(IP, 0x4' "$rows" && grep -q 'PERF_RECORD_SAMPLE' "$rows" ;;
	*) grep -q 'PERF_RECORD_SAMPLE(IP, 0x4' "$rows" ;;
	esac
}

# loads: prints how many interrupts of the annotated function were at loads, and at any instruction
loads()
{
	run barepmu annotate main "$file"
	awk '$2 == "%" && $6 ~ /^[0-9]+$/ { all += $6; loads += /, \[/ ? $6 : 0 }
		END { print loads + 0, all + 0 }' "$out"
}

# at_loads: checks that the branches of a recording lead to the loads, which they do not without
at_loads()
{
	without=$(loads)
	# shellcheck disable=SC2086
	run barepmu record -b $loads -o "$file" -- chase 30000
	with=$(loads)
	echo "# at loads, of all: $without, with branches $with"
	[ $((${with% *} * 100)) -ge $((${with#* } * 95)) ] && [ "${with#* }" -gt 100 ] &&
		[ $((${without% *} * 2)) -lt "${without#* }" ] &&
		barepmu report --by address "$file" | grep -q 'skid: 0 instructions: [0-9,]* of ' &&
		barepmu report --perf-data "$data" "$file" &&
		perf script -D -i "$data" 2>"$err" | grep -q 'PERF_RECORD_SAMPLE(IP, 0x4'
}

begin
load
written=MEM_INST_RETIRED.ALL_STORES:upp
case $(part) in
spr) loads="-e $event,$beside -c 1009,0" ;;
skl) loads="-e $event -c 1009" ;;
nhm)
	event=cpu/event=0x0b,umask=0x10,ldlat=8/upp
	loads="-e $event -c 1009" written=
	;;
ivb) loads="-e $event -c 1009" written=MEM_TRANS_RETIRED.PRECISE_STORE:upp ;;
*) skip_all "the model has no load latency of this part" ;;
esac

# shellcheck disable=SC2086
run barepmu record $loads -o "$file" -- chase 30000
result "the load latency has interrupts" grep -q "[0-9] interrupts to " "$out" "$err"
result "its loads wait longer for the L3 than for the L2" farther
result "the loads are of many cache lines" lines
if [ "$(part)" = ivb ]; then
	result "branches lead to the loads, whose records name the next instruction" at_loads
fi
run barepmu report --perf-data "$data" "$file"
perf script -i "$data" -F ip,addr,weight,data_src >"$samples" 2>"$err"
result "perf script: the same sources of data as in report" agree
perf c2c report -i "$data" --stdio >"$rows" 2>"$err"
result "perf c2c: has the loads" \
	grep -q "Load Operations *: *$(grep -c 'OP LOAD' "$samples")$" "$rows"
if [ -n "$written" ]; then
	run barepmu record -e "$written" -c 2003 -o "$file" -- chase 1000
	run barepmu report --perf-data "$data" "$file"
	perf c2c report -i "$data" --stdio >"$rows" 2>"$err"
	result "perf c2c: as many stores as in report hit and missed the L1" stored
fi
result "perf script: the addresses are exact where the records have them" exact
if [ "$(part)" = spr ]; then
	run barepmu record -e "$event" -c 1009 -o "$file" -- true
	result "the load latency without its auxiliary event is refused with the remedy" \
		grep -q "add it with the period 0: -e $event,$beside -c N,0" "$err"
fi
run barepmu stat -e "${event%upp}" -- true
result "the load latency without precise records is refused" \
	grep -q 'counts nothing without precise records' "$err"
# shellcheck disable=SC2046
run barepmu record $(echo "$loads" | sed s/ldlat=8/ldlat=2/) -o "$file" -- true
result "too low a threshold is refused" grep -q 'a threshold of 3 cycles or more' "$err"
rm -f "$file" "$data" "$samples" "$rows"
unload
finish
