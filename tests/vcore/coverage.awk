# SPDX-License-Identifier: GPL-2.0
#
# Usage: awk -f coverage.awk WINDOWS RUNS
#
# WINDOWS: the virtual PMU's totals while counters are enabled, one line per run.
# RUNS: the tool's output, one section per run.

# Returns the sum of KEY over the privilege levels, kernel and user.
function total(key,    rest, sum) {
	rest = $0
	while (match(rest, "\"" key "\": [0-9]+")) {
		sum += substr(rest, RSTART + length(key) + 4, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
	}
	return sum
}

FILENAME != ARGV[2] && /"index"/ {
	w = windows++
	slots = 4 * total("cycles")
	truth[w, "Frontend_Bound"] = total("bubbles") / slots
	truth[w, "Fetch_Latency_Bound"] = \
		4 * total("cycles_with_4_bubbles") / slots
	truth[w, "Retiring"] = total("retired") / slots
	truth[w, "Bad_Speculation"] = (total("issued") - total("retired") + \
		4 * total("recovery_cycles")) / slots
	truth[w, "Backend_Bound"] = 1 - truth[w, "Frontend_Bound"] - \
		truth[w, "Bad_Speculation"] - truth[w, "Retiring"]
	next
}

FILENAME == ARGV[2] { FS = "," ; $0 = $0 }

$1 == "run" {
	program = $2
	if (!(program in known)) {
		known[program] = 1
		programs[++nr_programs] = program
	}
	w = runs++
	next
}

(w, $3) in truth && $5 != "" && $9 != "inf" {
	if (!($3 in seen)) {
		seen[$3] = 1
		node[++nodes] = $3
	}
	error = $5 - truth[w, $3]
	held = error <= $9 + 0.000001 && -error <= $9 + 0.000001
	off = (error < 0 ? -error : error) - $9
	if (!held && off > worst[$3])
		worst[$3] = off
	n[program, $3]++
	hits[program, $3] += held
	all++
	all_hits += held
}

END {
	if (!runs || runs != windows || !all) {
		print "barepmu: coverage: " runs + 0 " runs, but " windows + 0 \
			" windows of the virtual PMU" >"/dev/stderr"
		exit 1
	}
	printf "%-22s", "95 % intervals that contain the true value"
	printf "\n%-22s", ""
	for (p = 1; p <= nr_programs; p++)
		printf "%12s", programs[p]
	printf "%18s\n", "largest distance"
	for (k = 1; k <= nodes; k++) {
		printf "%-22s", node[k]
		for (p = 1; p <= nr_programs; p++)
			printf "%9d/%-2d", hits[programs[p], node[k]], \
				n[programs[p], node[k]]
		printf "%16.3f %%\n", 100 * worst[node[k]]
	}
	printf "all: %d of %d, %.1f %%\n", all_hits, all, 100 * all_hits / all
}
