#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Holds uapi/barepmu.yaml against uapi/linux/barepmu.h: the same
# names in the same order, hence the same numbers. Holds what the module takes
# and what the fuzzer sends against both: nothing is left out.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
header=$top/uapi/linux/barepmu.h
spec=$top/uapi/barepmu.yaml
module=$top/kmod
fuzzer=$top/tests/netlink/fuzz_table.c
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
	echo "$2" | sed "s/^/# ${4:-header}: /"
	echo "$3" | sed "s/^/# ${5:-specification}: /"
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

# What all commands have in these parts of them ("request", "reply", "event"): a
# line each for the command and for each of its attributes.
messages_of_spec() {
	awk -v parts="$1" '/^[a-z]/ { on = $1 == "operations:" }
		!on { next }
		/^      name: / { command = $2 }
		/^        [a-z]+:/ || /^      [a-z]+:/ {
			part = $1
			sub(/:/, "", part)
			wanted = index(parts, part)
		}
		/^      (do|dump):/ { print command }
		/^            - / && wanted { print command, $2 }
		/^ +attributes: \[/ && wanted {
			gsub(/[][,]/, "")
			for (i = 2; i <= NF; i++)
				print command, $i
		}' "$spec" | tr a-z- A-Z_ | sort
}

attributes_of_spec() {
	messages_of_spec 'request reply event' | sed -n 's/.* /BPMU_A_/p' |
		sort -u
}

# The policies and sets of C sources: their names without what they all end in,
# the attributes in them, and which command has which of them.
requests_of_c() {
	awk '/^static const struct (nla_policy|fuzz_attr) / {
			set = $5 == "" ? $4 : $5
			sub(/(_policy|_attrs)?\[.*/, "", set)
		}
		/^}/ { set = "" }
		match($0, /(^\t\[|\.type = )BPMU_A_[A-Z0-9_]+/) {
			name = substr($0, RSTART, RLENGTH)
			sub(/.*BPMU_A_/, "", name)
			has[set] = has[set] " " name
		}
		match($0, /\.(cmd|number) = BPMU_CMD_[A-Z_]+/) {
			command = substr($0, RSTART, RLENGTH)
			sub(/.*BPMU_CMD_/, "", command)
		}
		match($0, /\.(policy = |set = &)[a-z_]+/) {
			of = substr($0, RSTART, RLENGTH)
			sub(/.*[ &]/, "", of)
			sub(/(_policy|_set)$/, "", of)
			print command
			nr = split(has[of], names, " ")
			for (i = 1; i <= nr; i++)
				print command, names[i]
		}' "$1" | sort
}

# nested FILE SET: the attributes of a policy or set
nested_of_c() {
	awk -v want="$2" '$0 ~ "^static const struct [a-z_]+ " want "\\[" { on = 1 }
		/^}/ { on = 0 }
		on && match($0, /BPMU_A_[A-Z0-9_]+\]? = |\.type = BPMU_A_[A-Z0-9_]+/) {
			name = substr($0, RSTART, RLENGTH)
			gsub(/\.type = |\]? = /, "", name)
			print name
		}' "$1" | sort
}

# those that mean something
meant_of_header() {
	of_header "$1" | grep -vE '_(UNSPEC|PAD)$' | sort
}

echo "TAP version 13"
echo "1..32"
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
same "failure attributes" "$(of_header bpmu_failure_attr)" \
	"$(of_spec attribute-sets: failure BPMU_A_FAILURE_)"
same "failures" "$(of_header bpmu_failure)" \
	"$(of_spec definitions: failure BPMU_FAILURE_)"
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
	    max-buffer-samples reserved-samples; do
	same "limit $name" \
		"$(number "$(echo "$name" | tr a-z- A-Z_)")" \
		"$(spec_number "$name")"
done
same "each attribute has its place" "$(meant_of_header bpmu_attr)" \
	"$(attributes_of_spec)"
same "requests that the module takes" "$(requests_of_c "$module/netlink/netlink.c")" \
	"$(messages_of_spec request)" module
same "requests that the fuzzer sends" "$(requests_of_c "$fuzzer")" \
	"$(messages_of_spec request)" fuzzer
same "group attributes that the module takes" \
	"$(meant_of_header bpmu_group_attr)" \
	"$(nested_of_c "$module/netlink/netlink.c" group_policy)" header module
same "event attributes that the module takes" \
	"$(meant_of_header bpmu_event_attr)" \
	"$(nested_of_c "$module/netlink/netlink.c" event_policy)" header module
for set in group uncore_group event uncore_event; do
	same "attributes of the fuzzer's $set" \
		"$(meant_of_header "bpmu_${set#uncore_}_attr")" \
		"$(nested_of_c "$fuzzer" "${set}_attrs")" header fuzzer
done
exit $failed
