# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Results of a test that runs on the host, as TAP on the standard output. To be sourced by a script
# that calls begin, result or skip_all, and at last finish, which counts the plan. A script that
# stops before prints no plan and fails, whatever the status with which it stopped.

tap_nr=0
tap_finished=
# Before each description, because several scripts may be one job, in which no two results have the
# same name.
tap_name=${0##*/}
tap_name=${tap_name%.sh}
# A file whose last lines are printed for a result that is a failure; and whether conditions write
# their output into it.
tap_log=
tap_quiet=
failed=0
trap at_exit EXIT

# A script that has something to remove or to stop defines its own.
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

# result DESCRIPTION CONDITION...: prints a result; CONDITION is a command that succeeds if it holds
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

# finish: prints the number of results; after it only programs with TAP of their own may run. The
# script exits with $failed.
finish()
{
	echo "1..$tap_nr"
	tap_finished=1
}

# skip_all REASON: ends a test that cannot run here
skip_all()
{
	echo "1..0 # SKIP $1"
	tap_finished=1
	exit 0
}
