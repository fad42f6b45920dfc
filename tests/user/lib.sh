# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Functions for the tests of the tool that need no module: the results as TAP, and calls of the
# tool.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
barepmu=${BAREPMU:-$top/build/barepmu}
scratch=
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
begin

clean_up()
{
	rm -rf "$scratch"
}

# tool WORD...: runs the tool and sets $status and $said
tool()
{
	status=0
	said=$("$barepmu" "$@" 2>&1) || status=$?
}

# says TEXT: checks that the tool's output contains TEXT
says()
{
	[[ $said == *"$1"* ]] || { echo "# $said"; false; }
}

# with_recordings: uses the tool with sanitizers, recordings in $recordings, and the
# temporary folder $scratch
with_recordings()
{
	barepmu=$top/build/barepmu-san
	recordings=$top/build/html
	scratch=$(mktemp -d)
	make -s -C "$top/tests/html" recordings
}
