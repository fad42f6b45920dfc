# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for tests that run on the host and print their results as TAP. A script sources this
# file, calls begin, prints results with result (or calls skip_all), and at last calls finish, which
# counts the plan. A script that stops earlier prints no plan and counts as failed, whatever its
# exit status.

tap_nr=0
tap_finished=
# Stands before each description: several scripts may be one job, in which no two results may have
# the same name.
tap_name=${0##*/}
tap_name=${tap_name%.sh}
# A script may set tap_log to a file whose last lines are printed below each failed result, and
# tap_quiet to have the output of the conditions written to that file.
tap_log=
tap_quiet=
failed=0
trap at_exit EXIT

# A script that has something to remove or to stop at its end defines its own clean_up().
clean_up()
{
	:
}

at_exit()
{
	status=$?
	clean_up
	if [ -z "$tap_finished" ]; then
		echo "# $tap_name: stopped before its end (status $status)"
		failed=1
	fi
	[ "$status" -ne 0 ] || exit "$failed"
}

begin()
{
	echo "TAP version 13"
	echo "# $tap_name"
}

tap_holds()
{
	if [ -n "$tap_quiet" ]; then
		"$@" >"$tap_log" 2>&1
	else
		"$@"
	fi
}

# result DESCRIPTION CONDITION...: prints a result, which passes if the command CONDITION succeeds
result()
{
	tap_what=$1
	shift
	tap_nr=$((tap_nr + 1))
	if tap_holds "$@"; then
		echo "ok $tap_nr $tap_name: $tap_what"
		return
	fi
	printf 'failed: %s\n' "$*" | sed 's/^/# /'
	[ -z "$tap_log" ] || tail -n 40 "$tap_log" | sed 's/^/# /'
	echo "not ok $tap_nr $tap_name: $tap_what"
	failed=1
}

# finish: prints the plan, which is the number of results. After it the script may only run programs
# that print TAP of their own, and exits with $failed.
finish()
{
	echo "1..$tap_nr"
	tap_finished=1
}

# skip_all REASON: ends a test that cannot run here, without any result
skip_all()
{
	echo "1..0 # SKIP $1"
	tap_finished=1
	exit 0
}
