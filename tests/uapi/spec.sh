#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Holds uapi/barepmu.yaml against uapi/linux/barepmu.h: the same
# names in the same order, hence the same numbers.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
header=$top/uapi/linux/barepmu.h
spec=$top/uapi/barepmu.yaml
failed=0
count=0

# the enumerators of one enum of the header that have a place in a message
of_header() {
	awk -v want="enum $1 {" '
		$0 == want { on = 1; next }
		/^};/ { on = 0 }
		on && /^\t[A-Z]/ {
			name = $1
			sub(/,$/, "", name)
			if (name !~ /_MAX$/)
				print name
		}' "$header"
}

# the names of one list of the specification, with the C prefix
of_spec() {
	awk -v section="$1" -v set="$2" -v prefix="$3" '
		/^[a-z]/ { top = $1 }
		/^    name: / { part = $2 }
		/^      name: / && top == "operations:" && section == top {
			print prefix toupper($2)
		}
		/^      - \{name: / && top == section && part == set {
			name = $3
			sub(/,$/, "", name)
			print prefix toupper(name)
		}
		/^    entries: / && top == section && part == set {
			gsub(/[][,]/, "")
			for (i = 2; i <= NF; i++)
				print prefix toupper($i)
		}' "$spec" | tr - _
}

same() {
	count=$((count + 1))
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $count $1"
		return
	fi
	failed=1
	echo "not ok $count $1"
	echo "$2" | sed 's/^/# header: /'
	echo "$3" | sed 's/^/# specification: /'
}

number() {
	sed -n "s/^\tBPMU_$1 = \([0-9]*\),*\$/\1/p" "$header"
}

spec_number() {
	awk -v want="$1" '$1 == "name:" { on = $2 == want }
		on && $1 == "value:" { print $2 }' "$spec"
}

members() {
	awk -v want="bpmu_$1" '$1 == "struct" && $2 == want && /{/ { on = 1; next } /^};/ { on = 0 }
		on { sub(/;/, ""); sub(/^__/, "", $1); print $2, $1 }' "$header"
}

spec_members() {
	awk -F '[ {},:]+' -v want="$1" '/^    name: / { on = $3 == want }
		on && /- \{name:.*type:/ { print $4, $6 }' "$spec" | tr - _
}

echo "TAP version 13"
echo "1..20"
same "commands" "$(of_header bpmu_cmd)" \
	"$(echo BPMU_CMD_UNSPEC; of_spec operations: '' BPMU_CMD_)"
same "attributes" "$(of_header bpmu_attr)" \
	"$(of_spec attribute-sets: main BPMU_A_)"
same "group attributes" "$(of_header bpmu_group_attr)" \
	"$(of_spec attribute-sets: group BPMU_A_GROUP_)"
same "event attributes" "$(of_header bpmu_event_attr)" \
	"$(of_spec attribute-sets: event BPMU_A_EVENT_)"
same "loss attributes" "$(of_header bpmu_loss_attr)" \
	"$(of_spec attribute-sets: loss BPMU_A_LOSS_)"
same "states" "$(of_header bpmu_state)" \
	"$(of_spec definitions: state BPMU_STATE_)"
same "sample flags" "$(of_header bpmu_sample_flag)" \
	"$(of_spec definitions: sample-flag BPMU_SAMPLE_)"
same "who flags" "$(of_header bpmu_who_flag)" \
	"$(of_spec definitions: who-flag BPMU_WHO_)"
same "timers" "$(of_header bpmu_timer)" \
	"$(of_spec definitions: timer BPMU_TIMER_)"
same "checks" "$(of_header bpmu_check)" \
	"$(of_spec definitions: check BPMU_CHECK_)"
same "sample record" "$(members sample)" "$(spec_members sample)"
same "position" "$(members position)" "$(spec_members position)"
for name in counter-fixed counter-metrics counter-uncore counters-per-box \
	    max-counters max-groups min-interval-ns \
	    max-buffer-samples; do
	same "limit $name" \
		"$(number "$(echo "$name" | tr a-z- A-Z_)")" \
		"$(spec_number "$name")"
done
exit $failed
