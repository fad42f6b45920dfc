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
