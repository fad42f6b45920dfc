# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The command line with which each tool samples all CPUs: the first EVENTS events, every MS
# milliseconds, SAMPLES times. Output goes to /dev/null, or to $printing. Sourced in the guest; each
# function ends with "measure COMMAND...".

tools='ours unchecked stat perf likwid papi floor'
unread='-o /dev/null'
printing=$unread

# Counters that all tools use: Ivy Bridge without hyper-threading has three fixed and eight general
# ones, of which likwid uses four.
counters=7

# most TOOL: prints the maximum number of events of a tool
most()
{
	case $1 in
	likwid) echo $counters ;;
	*) echo 12 ;;
	esac
}

events_of_ours()
{
	first "$1" , CPU_CLK_UNHALTED.THREAD INST_RETIRED.ANY \
		CPU_CLK_UNHALTED.REF_TSC BR_INST_RETIRED.ALL_BRANCHES \
		BR_MISP_RETIRED.ALL_BRANCHES MEM_UOPS_RETIRED.ALL_LOADS \
		MEM_UOPS_RETIRED.ALL_STORES UOPS_ISSUED.ANY \
		UOPS_RETIRED.RETIRE_SLOTS LONGEST_LAT_CACHE.MISS \
		LONGEST_LAT_CACHE.REFERENCE IDQ_UOPS_NOT_DELIVERED.CORE
}

# first NUMBER SEPARATOR WORD...: prints the first words with separators
first()
{
	number=$1 separator=$2
	shift 2
	for word; do
		echo "$word"
	done | head -n "$number" | tr '\n' "$separator" | sed 's/.$//'
}

# ours, unchecked, stat, perf, likwid, papi, floor EVENTS MS SAMPLES: run a tool. "ours" stores all
# samples, as the other tools do; "stat" prints them as text.
ours()
{
	measure tool record -a -I "$2" --timeout "$(($2 * $3))" -o /dev/null \
		-e "$(events_of_ours "$1")"
}

# "ours" with a module that does not check for other writers of the registers.
unchecked()
{
	rmmod barepmu && insmod unchecked.ko
	ours "$@"
	rmmod barepmu && insmod /lib/barepmu.ko
}

stat()
{
	# shellcheck disable=SC2086
	measure tool stat -a -I "$2" --interval-count "$3" -x, $printing \
		-e "$(events_of_ours "$1")"
}

perf()
{
	# shellcheck disable=SC2086
	measure perf stat -a -I "$2" --interval-count "$3" -x, $printing \
		-e "$(first "$1" , cycles instructions ref-cycles \
		r00c4 r00c5 r81d0 r82d0 r010e r02c2 r412e r4f2e r019c)"
}

# likwid stops with its command; the number of samples is in its output.
likwid()
{
	measure chroot /tools /usr/bin/likwid-perfctr -M 0 -f -c "0-$((cpus - 1))" \
		-t "$2ms" -g "$(first "$1" , CPU_CLK_UNHALTED_CORE:FIXC1 \
		INSTR_RETIRED_ANY:FIXC0 CPU_CLK_UNHALTED_REF:FIXC2 \
		BR_INST_RETIRED_ALL_BRANCHES:PMC0 \
		BR_MISP_RETIRED_ALL_BRANCHES:PMC1 \
		MEM_UOPS_RETIRED_LOADS_ALL:PMC2 \
		MEM_UOPS_RETIRED_STORES_ALL:PMC3)" \
		sleep "$(echo "$2 $3" | awk '{ print $1 * $2 / 1000 }')"
	samples=$(grep -c '^1 ' "$output") || :
}

papi()
{
	# shellcheck disable=SC2046
	measure chroot /tools /usr/bin/papi_loop "$2" "$3" $(first "$1" ' ' \
		ivb::UNHALTED_CORE_CYCLES ivb::INSTRUCTION_RETIRED \
		ivb::UNHALTED_REFERENCE_CYCLES \
		ivb::BR_INST_RETIRED:ALL_BRANCHES \
		ivb::BR_MISP_RETIRED:ALL_BRANCHES \
		ivb::MEM_UOPS_RETIRED:ALL_LOADS \
		ivb::MEM_UOPS_RETIRED:ALL_STORES ivb::UOPS_ISSUED:ANY \
		ivb::UOPS_RETIRED:RETIRE_SLOTS ivb::LAST_LEVEL_CACHE_MISSES \
		ivb::LAST_LEVEL_CACHE_REFERENCES \
		ivb::IDQ_UOPS_NOT_DELIVERED:CORE)
}

floor()
{
	measure sh -c "insmod bench_floor.ko events=$1 interval_ms=$2 \
		samples=$3 && rmmod bench_floor"
}
