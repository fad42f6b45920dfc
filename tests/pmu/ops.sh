#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of an AMD part samples ops by IBS, by name or as precise cycles and uops, as with perf, and
# fetches. A program that waits for memory is found, with its data and their source, the interrupts
# stand for what was counted, the kernel's own perf reads ops and fetches and finds the same fetches
# by itself, and what IBS cannot do is refused.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
data=/tmp/perf.data
samples=/tmp/samples
rows=/tmp/rows
period=20000

# named EVENT: checks that the recording has this event
named()
{
	run barepmu report --by comm "$file"
	grep -q "^$1: " "$out"
}

# covered: checks that the rows stand for all that was counted but since the last interrupt
covered()
{
	run barepmu report --by comm -x '|' "$file"
	awk -F'|' -v most=$((2 * period)) 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum += $(at["periods"]); counted = $(at["counted"]) }
		END { print "# " sum " of " counted; exit !(sum && sum <= counted && counted - sum <= most) }' "$out"
}

# waits LEAST: checks that the program's own code has at least this share; the kernel clears its
# memory and may gather random numbers meanwhile
waits()
{
	run barepmu report --by symbol -x '|' "$file"
	awk -F'|' -v least="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["key"]) ~ /chase/ { share += $(at["share_percent"]) }
		END { print "# " share; exit !(share > least) }' "$out"
}

# farther: checks that loads waited longer for the L3 than for the L2, which they did not wait for long
farther()
{
	run barepmu report --by source -x '|' "$file"
	awk -F'|' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["waited"]) { nr[$1] = $(at["waited"]); mean[$1] = $(at["latency_cycles"]) / nr[$1] }
		END {
			print "# L2: " nr["L2"] " waited " mean["L2"] ", L3: " nr["L3"] " waited " mean["L3"]
			exit !(nr["L2"] > 20 && nr["L3"] > 5 && mean["L2"] < 20 && mean["L3"] > 25)
		}' "$out"
}

# ours: prints what our report has of sources: loads of the L1, L2, L3, and memory
ours()
{
	run barepmu report --by source -x '|' "$file"
	awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (k = 1; k <= 4; k++) sum[k] += $(at[k < 4 ? "from_l" k : "from_memory"]) }
		END { print sum[1] + 0, sum[2] + 0, sum[3] + 0, sum[4] + 0 }' "$out"
}

# perfs: prints the same of the samples of perf script
perfs()
{
	awk '/OP LOAD/ { sum[/LVL L1/ ? 1 : /LVL L2/ ? 2 : /LVL L3/ ? 3 : /RAM/ ? 4 : 5]++ }
		END { print sum[1] + 0, sum[2] + 0, sum[3] + 0, sum[4] + 0 }' "$samples"
}

# agree: checks that perf and our report have the same sources, and that they have some
agree()
{
	echo "# report $(ours), perf $(perfs)"
	[ "$(ours)" = "$(perfs)" ] && [ "$(ours)" != "0 0 0 0" ]
}

# lines: checks that perf's samples have data on as many cache lines as our report has, and that
# these are many; the kernel's lines are those of all processes
lines()
{
	run barepmu report --by cacheline -x '|' "$file"
	perf script -i "$data" -F pid,addr 2>"$err" | sed -e '/ 0 *$/d' -e 's/ *$//' \
		-e 's/[0-3].$/00/; s/[4-7].$/40/; s/[89ab].$/80/; s/[c-f].$/c0/' \
		-e 's/.* \(ffff\)/\1/' | sort -u >"$rows"
	echo "# perf $(grep -c . "$rows"), report $(grep -c '^0x' "$out")"
	[ "$(grep -c . "$rows")" -gt 50 ] &&
		[ "$(grep -c . "$rows")" = "$(grep -c '^0x' "$out")" ]
}

# places FILE: prints the addresses of the program in a perf.data file that have a tenth of its samples
places()
{
	perf script -i "$1" -F comm,ip 2>"$err" | awk '
		$1 == "count" && length($2) == 6 { nr[$2]++; all++ }
		END {
			print "# " all " samples" >"/dev/stderr"
			for (at in nr)
				if (all > 50 && nr[at] > all / 10)
					print at
		}' | sort
}

# same_places: checks that perf has found the same places as we have, and that there are some
same_places()
{
	places "$data" >"$rows"
	places "$samples" >"$rows.perf"
	sed 's/^/# ours: /' "$rows"
	sed 's/^/# perf: /' "$rows.perf"
	[ -s "$rows" ] && cmp "$rows" "$rows.perf"
}

# missed: checks that fetches of a program whose code is in no cache missed, and waited for it
missed()
{
	run barepmu report --by symbol -x '|' "$file"
	awk -F'|' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ nr += $(at["fetches"]); l1 += $(at["missed_l1i"]); tlb += $(at["missed_itlb"])
		  cycles += $(at["fetch_cycles"]); refill += $(at["refill_cycles"]) }
		END {
			print "# " nr " fetches, " l1 " missed the L1I, " tlb " the ITLB; " cycles ", " refill
			exit !(nr > 50 && l1 > 5 && tlb && refill && cycles > 5 * l1)
		}' "$out"
}

# told EVENT CONFIG1 OTHER: checks that perf knows the filter of EVENT as its own; OTHER interrupts
told()
{
	run barepmu record -e "$1,$3" -c $period -o "$file" -- count 20000
	barepmu report --perf-data "$data" "$file"
	perf evlist -v -i "$data" >"$rows" 2>&1
	result "perf knows the filter as its own: $1" grep -qE "^$1: .*config1 [}]: $2(,|$)" "$rows"
}

# both: checks that ops and fetches were recorded at the same time
both()
{
	run barepmu report --by source -x '|' "$file"
	grep -q '|ibs_op|' "$out" && grep -q '|ibs_fetch|' "$out"
}

# unclaimed: prints the number of NMIs so far that no handler has claimed
unclaimed()
{
	dmesg | grep -c 'NMI received for unknown' || true
}

begin
load
case $(part) in
zen*) ;;
*) skip_all "this part has no IBS" ;;
esac

before=$(unclaimed)
run barepmu check
result "check says that ops and fetches can be sampled" \
	grep -q 'sampling .*IBS.*ops and fetches' "$out"
run barepmu record -e cycles:pp -c $period -o "$file" -- chase 30000
result "precise cycles are sampled by IBS" named ibs_op
result "interrupts of IBS stand for all cycles counted" covered
result "the program that waits has cycles" waits 10
run barepmu record -e ibs_op:cnt_ctl=1 -c 2003 -o "$file" -- chase 30000
result "its loads wait longer for the L3 than for the L2" farther
run barepmu report --perf-data "$data" "$file"
result "report --perf-data: prints nothing" [ -z "$(cat "$out" "$err")" ]
perf script -i "$data" -F ip,addr,weight,data_src >"$samples" 2>"$err"
result "perf script: the same sources of data as in report" agree
result "perf script: data on the same number of cache lines" lines
perf c2c report -i "$data" --stdio >"$rows" 2>"$err"
result "perf c2c: has the loads" \
	grep -q "Load Operations *: *$(grep -c 'OP LOAD' "$samples")$" "$rows"
run barepmu record -e r0c1:upp -c $period -o "$file" -- count 200000
result "precise uops are sampled by IBS" named ibs_op:cnt_ctl=1:u
result "interrupts of IBS stand for all ops counted at their level" covered
run barepmu record -e ibs_fetch -c $period -o "$file" -- find /lib -name none
result "interrupts stand for all fetches counted" covered
run barepmu record -e ibs_fetch/rand_en=1/ -c 1000 -o "$file" -- find /lib -name none
result "fetches of code that is new have missed the caches" missed
run barepmu record -e ibs_fetch,ibs_op -c $period -o "$file" -- count 200000
result "ops and fetches are sampled at the same time" both
run barepmu record -e ibs_fetch/rand_en=1/ -c 4000 -o "$file" -- count 400000
run barepmu report --perf-data "$data" "$file"
perf record -a -e ibs_fetch/rand_en=1/ -c 4000 -o "$samples" -- count 400000 >"$out" 2>&1
result "perf record finds the same fetches" same_places
perf evlist -v -i "$data" >"$rows" 2>&1
result "perf knows the event as its own" \
	grep -q "type: $(cat /sys/bus/event_source/devices/ibs_fetch/type), .*config: 0x200000000000000" "$rows"
run barepmu record -e ibs_fetch/fetchlat=128/ -c $period -o "$file" -- true
case $(part) in
zen6)
	result "a filter that the CPU has is taken" [ "$status" -eq 0 ]
	told ibs_op/strmst=1/ 0x1000 ibs_fetch
	told ibs_fetch/fetchlat=128/ 0x80 ibs_op
	;;
*) result "a filter that the CPU lacks is refused" grep -q 'no fetchlat' "$err" ;;
esac
run barepmu record -e instructions:pp -c $period -o "$file" -- true
result "precise instructions are refused" grep -q 'cycles and of uops only, by IBS' "$err"
for each in op fetch; do
	run barepmu stat -e ibs_$each -- true
	result "IBS without a period is refused: $each" grep -q 'give the event a period' "$err"
done
run barepmu record -e ibs_op:ldlat=100 -c $period -o "$file" -- true
result "a latency that IBS cannot have is refused" grep -q 'ldlat is a multiple of 128' "$err"
result "each NMI is claimed, also that after IBS has been stopped" [ "$(unclaimed)" -eq "$before" ]
rm -f "$file" "$data" "$samples" "$rows" "$rows.perf"
unload
finish
