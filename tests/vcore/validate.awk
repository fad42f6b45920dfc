# SPDX-License-Identifier: GPL-2.0
#
# Prints the tables of validate. Input: lines WORKLOAD,STAGE,EVENT,COUNT, one file per
# configuration, the one with real units first.

function min3(a, b, c)
{
	return a < b ? (a < c ? a : c) : (b < c ? b : c)
}

function max3(a, b, c)
{
	return a > b ? (a > c ? a : c) : (b > c ? b : c)
}

function magnitude(a)
{
	return a < 0 ? -a : a
}

# Returns the CPI of a component; finer: without the cycles that a perfect unit still takes.
function value(w, stage, c, finer,    slots)
{
	slots = part["real", w, stage, c]
	if (finer && c == "DCACHE")
		slots -= part["real", w, stage, "DCACHE_HIT"]
	if (finer && c == "ALU")
		slots = part["real", w, stage, "ALU_FURTHER"]
	return slots / insn["real", w, stage]
}

# Returns the distance of a saving from the predicted bounds.
function outside(saved, low, high)
{
	return saved < low ? low - saved : saved > high ? saved - high : 0
}

function judge(w, config, c, finer,    d, i, k, low, high, saved, all, ok, off)
{
	d = value(w, "DISPATCH", c, finer)
	i = value(w, "ISSUE", c, finer)
	k = value(w, "COMMIT", c, finer)
	low = min3(d, i, k)
	high = max3(d, i, k)
	all = cpi["real", w]
	if (max3(value(w, "DISPATCH", c, 0), value(w, "ISSUE", c, 0),
		 value(w, "COMMIT", c, 0)) < 0.1 * all)
		return
	saved = all - cpi[config, w]
	off = outside(saved, low, high)
	ok = off <= 0.02 * all
	printf "%-12s %-7s %8.3f %8.3f  %8.3f %8.3f %8.3f  %s\n", w, config,
		all, saved, d, i, k,
		ok ? "inside" : (saved < low ? "less" : "more")
	cases[finer, c]++
	inside[finer, c] += ok
	error[finer, c, 1] += magnitude(saved - d) / all
	error[finer, c, 2] += magnitude(saved - i) / all
	error[finer, c, 3] += magnitude(saved - k) / all
	error[finer, c, 4] += off / all
}

function bounds(finer,    i, c, rated, held)
{
	printf "%-12s %-7s %8s %8s  %8s %8s %8s  %s\n", "workload", "cause",
		"real", "saved", "dispatch", "issue", "commit", "bounds"
	for (i = 1; i <= nr; i++)
		for (c = 1; c <= 4; c++)
			judge(order[i], tolower(causes[c]), causes[c], finer)
	printf "\nMean error in per cent of the cycles per instruction\n"
	printf "%-12s %5s %8s %8s %8s %12s %8s\n", "cause", "cases",
		"dispatch", "issue", "commit", "multi-stage", "inside"
	for (i = 1; i <= 4; i++) {
		c = causes[i]
		if (!cases[finer, c])
			continue
		printf "%-12s %5d %8.1f %8.1f %8.1f %12.1f %8d\n", tolower(c),
			cases[finer, c],
			100 * error[finer, c, 1] / cases[finer, c],
			100 * error[finer, c, 2] / cases[finer, c],
			100 * error[finer, c, 3] / cases[finer, c],
			100 * error[finer, c, 4] / cases[finer, c],
			inside[finer, c]
	}
	rated = cases[finer, "BPRED"] + cases[finer, "ALU"]
	held = inside[finer, "BPRED"] + inside[finer, "ALU"]
	if (rated)
		printf "branch and ALU: %d of %d inside, %.0f%%; the paper has all\n",
			held, rated, 100 * held / rated
}

function pair(w, one, other,    both, all, a, b, ab, what)
{
	both = one "+" other
	if (!((both, w) in cpi))
		return
	all = cpi["real", w]
	a = all - cpi[one, w]
	b = all - cpi[other, w]
	ab = all - cpi[both, w]
	if (a < 0.05 * all && b < 0.05 * all)
		return
	what = ab > a + b ? "hide each other" : "overlap"
	if (magnitude(ab - a - b) <= 0.02 * all)
		what = "add up"
	printf "%-12s %-13s %8.3f %8.3f %8.3f %8.3f  %s\n", w, both, all, a, b,
		ab, what
}

FNR == 1 {
	config = FILENAME
	sub(/.*\//, "", config)
	sub(/\.csv$/, "", config)
}

{
	if (!($1 in seen)) {
		seen[$1] = 1
		order[++nr] = $1
	}
	event = $3
	sub(/:.*/, "", event)
	if (event ~ /^INST_RETIRED/) {
		insn[config, $1, $2] = $4
	} else if (event ~ /^CPU_CLK/) {
		clocks[config, $1, $2] = $4
	} else {
		sub(/^CPI_STACK\.[A-Z]*_/, "", event)
		part[config, $1, $2, event] = $4 / 4
	}
}

END {
	split("ICACHE DCACHE BPRED ALU", causes, " ")
	for (k in clocks) {
		split(k, key, SUBSEP)
		if (key[3] == "DISPATCH" && insn[k])
			cpi[key[1], key[2]] = clocks[k] / insn[k]
	}
	print "Cycles per instruction: saving of a perfect unit, and the predictions of the"
	print "stacks; inside: within the bounds, with a tolerance of 2% of the cycles\n"
	print "Components as in table 2"
	bounds(0)
	print "\nWithout the latency of a hit and the first cycle of an operation"
	bounds(1)
	print "\nTwo perfect units: savings of each and of both together"
	printf "%-12s %-13s %8s %8s %8s %8s\n", "workload", "units", "real",
		"first", "second", "both"
	for (i = 1; i <= nr; i++)
		for (k = 1; k <= 4; k++)
			for (m = k + 1; m <= 4; m++)
				pair(order[i], tolower(causes[k]),
				     tolower(causes[m]))
}
