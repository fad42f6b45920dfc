#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user is told before the measurement what "barepmu serve" cannot do; the service's files (unit,
# rules, dashboard) are consistent with the tool.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

fleet=$top/user/fleet
rules=$top/build/barepmu-rules.yml

# refused TEXT WORD...: checks for wrong usage with TEXT
refused()
{
	local text=$1

	shift
	tool serve "$@"
	[ "$status" -eq 2 ] && [[ $said == "barepmu: $text"* ]]
}

# local_only: by default the server can only be reached from this machine
local_only()
{
	"$barepmu" serve --help | grep -q 'default 127\.0\.0\.1:'
}

# known: checks that "list" knows all events that the recording rules name for a part
known()
{
	local parts event part found

	found=$(grep -oE 'part=~"[^"]*",event="[^"]*"' "$rules" | sort -u)
	[[ $found == *ivb* && $found == *spr* && $found == *adl-e* ]] || return 1
	while IFS=\" read -r _ parts _ event _; do
		for part in ${parts//|/ }; do
			"$barepmu" list --part "$part" --names events "$event" |
				grep -qxF "$event" || return 1
		done
	done <<<"$found"
}

# recorded: checks that the rules define each recorded series in alerts and dashboard
recorded()
{
	local name

	while read -r name; do
		grep -q "record: $name\$" "$rules" || return 1
	done < <(grep -hoE '(job|instance):[a-z_0-9:]+' \
		"$fleet/barepmu-dashboard.json" "$fleet/barepmu-alerts.yml" |
		sort -u)
}

# safe: checks systemd's rating of the unit: 0 is best, 10 worst
safe()
{
	local rated

	rated=$(systemd-analyze security --offline=yes --no-pager \
		"$fleet/barepmu-serve.service" |
		sed -nE 's/.*exposure level.*: ([0-9.]+) .*/\1/p')
	[[ -n $rated ]] && awk -v a="$rated" 'BEGIN { exit a >= 2 }'
}

result "--listen without an address is refused" refused "--listen 'here': not an address" \
	--listen here
result "--listen with a host name is refused" \
	refused "--listen 'localhost:1': not an address" --listen localhost:1
result "-l 5 is refused" refused "-l '5': no such level" -l 5
result "--method tma has six levels" refused "-l '7': no such level" --method tma -l 7
# These options are right: only the module is missing.
tool serve --method tma -l 6
result "--method tma -l 6 is no wrong usage" [ "$status" -ne 2 ]
result "--method alone is refused" refused "--method: is of -l and -M; add -l 1" --method tma
result "--max-series 0 is refused" refused "--max-series '0': not a number" \
	--max-series 0
result "-x is refused" refused "option '-x': not known" -x ,
result "--attach with a command is refused" \
	refused "--attach: does not wait for a command" --attach -- true
result "--attach with --timer is refused" \
	refused "--attach: timer and multiplexing are set by" --attach --timer tick
result "the default address is local" local_only
result "rules name existing events" known
result "series of dashboard and alerts are recorded by the rules" recorded
if command -v systemd-analyze >/dev/null; then
	result "systemd rates the exposure of the service below 2" safe
fi
finish
