# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For jobs that inject errata into the virtual PMU and look for them by "barepmu errata check".
# host.sh is sourced before.

# look_for RUNS: sets the number of runs of "barepmu errata check" in each guest. In the guest each
# run prints a line with its exit status and the symptoms that were found.
look_for()
{
	runs=$1
	# shellcheck disable=SC2016
	checks='modprobe barepmu
	for run in $(seq '$runs'); do
		status=0
		barepmu errata check -x, >/tmp/found || status=$?
		echo "run $status" $(sed -n "1d;s/,.*,found,.*//p" /tmp/found | sort -u)
	done
	echo "listed" $(barepmu list errata --names)
	echo "published" $(sed -n "1d;s/.*,found,//p" /tmp/found | cut -d , -f 1 | sort -u)
	'
}

# all_runs LINE: checks that all runs printed LINE
# shellcheck disable=SC2317
all_runs()
{
	[ "$(grep -cx "run $1" "$work/out")" -eq "$runs" ] && return
	sed -n 's/^run /# /p' "$work/out" | sort | uniq -c
	return 1
}

# injected NAMES SIGNS PUBLISHED OPTION...: boots with OPTIONs and injects errata; the tool must find
# the symptoms SIGNS in all runs, and name the published errata of the part that have one
injected()
{
	name=$1 signs=$2 published=$3
	shift 3
	for each in $name; do
		set -- "$@" --erratum "$each"
	done
	boot "$checks" --timeout 3000 --vpmu model=counters "$@"
	result "$name: found in each run of $runs, and nothing else" \
		all_runs "3 $signs"
	result "$name: published errata with this symptom are named" \
		[ "$(said published)" = "$published" ]
}

# clean OPTION...: boots with OPTIONs and injects nothing; the tool must find nothing
clean()
{
	boot "$checks" --timeout 3000 --vpmu model=counters "$@"
	result "clean ($*): nothing found in runs: $runs" all_runs 0
}
