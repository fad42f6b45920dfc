# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# What the tests of the tool without a module share: TAP, and the tool itself.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
barepmu=${BAREPMU:-$top/build/barepmu}
count=0
failed=0
trap 'echo "1..$count"; exit $failed' EXIT

# result DESCRIPTION CONDITION...: one test
result()
{
	local name=$1

	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $name"
	else
		echo "# failed: $*"
		echo "not ok $count - $name"
		failed=1
	fi
}

# tool WORD...: its status and words are in $status and $said
tool()
{
	status=0
	said=$("$barepmu" "$@" 2>&1) || status=$?
}

# says TEXT: somewhere in its words
says()
{
	[[ $said == *"$1"* ]] || { echo "# $said"; false; }
}

# with_recordings: the tool is the one with the sanitizers; recordings lie in
# $recordings, and in $scratch is room
with_recordings()
{
	barepmu=$top/build/barepmu-san
	recordings=$top/build/html
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"; echo "1..$count"; exit $failed' EXIT
	make -s -C "$top/tests/html" recordings
}
