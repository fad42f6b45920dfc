# SPDX-License-Identifier: GPL-2.0
#
# The table of validate: from lines of WORKLOAD,STAGE,EVENT,COUNT in one file
# for each configuration, the real one first.

function component(event)
{
	sub(/.*_/, "", event)
	sub(/:.*/, "", event)
	return event
}

function min3(a, b, c)
{
	return a < b ? (a < c ? a : c) : (b < c ? b : c)
}

function max3(a, b, c)
{
	return a > b ? (a > c ? a : c) : (b > c ? b : c)
}

# a component's cycles per instruction at dispatch
function per_insn(config, w, c)
{
	return part[config, w, "DISPATCH", c] / insn[config, w, "DISPATCH"]
}

# what else changed most when a component's cause was removed
function along(w, config, own,    c, i, d, best, name)
{
	best = 0
	for (i = 1; i <= 7; i++) {
		c = names[i]
		if (c == own)
			continue
		d = per_insn("real", w, c) - per_insn(config, w, c)
		if ((d < 0 ? -d : d) > (best < 0 ? -best : best)) {
			best = d
			name = c
		}
	}
	if (best > 0)
		return sprintf("%s fell too, by %.3f", tolower(name), best)
	if (name == "DEPEND")
		return sprintf("depend rose by %.3f: what is perfect still takes %s",
			       -best, own == "ALU" ? "a cycle" : "an L1 hit's time")
	return sprintf("%s rose by %.3f: hidden before", tolower(name), -best)
}

function judge(w, config, c,    d, i, k, low, high, saved, ok)
{
	d = part["real", w, "DISPATCH", c] / insn["real", w, "DISPATCH"]
	i = part["real", w, "ISSUE", c] / insn["real", w, "ISSUE"]
	k = part["real", w, "COMMIT", c] / insn["real", w, "COMMIT"]
	low = min3(d, i, k)
	high = max3(d, i, k)
	if (high < 0.1 * cpi["real", w])
		return
	saved = cpi["real", w] - cpi[config, w]
	ok = saved >= low - 0.02 * cpi["real", w] &&
	     saved <= high + 0.02 * cpi["real", w]
	printf "%-12s %-7s %8.3f %8.3f  %8.3f %8.3f %8.3f  [%6.3f, %6.3f]  %s\n", w,
		tolower(c), cpi["real", w], saved, d, i, k, low, high,
		ok ? "inside" : "OUTSIDE: " along(w, config, c)
	cases[c]++
	inside[c] += ok
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
	if ($3 ~ /^INST_RETIRED/)
		insn[config, $1, $2] = $4
	else if ($3 ~ /^CPU_CLK/)
		clocks[config, $1, $2] = $4
	else
		part[config, $1, $2, component($3)] = $4 / 4
}

END {
	split("BASE ICACHE BPRED DCACHE ALU DEPEND OTHER", names, " ")
	for (k in clocks) {
		split(k, key, SUBSEP)
		if (key[3] == "DISPATCH" && insn[k])
			cpi[key[1], key[2]] = clocks[k] / insn[k]
	}
	print "Cycles per instruction: what a perfect part saves, what each stack predicted\n"
	printf "%-12s %-7s %8s %8s  %8s %8s %8s  %-16s\n", "workload", "cause",
		"real", "saved", "dispatch", "issue", "commit", "bounds"
	for (i = 1; i <= nr; i++) {
		judge(order[i], "icache", "ICACHE")
		judge(order[i], "dcache", "DCACHE")
		judge(order[i], "bpred", "BPRED")
		judge(order[i], "alu", "ALU")
	}
	print "\nAll four perfect: they overlap and hide each other, so their savings do not add up"
	printf "%-12s %8s %8s %8s\n", "workload", "real", "saved", "sum of 4"
	for (i = 1; i <= nr; i++) {
		w = order[i]
		r = cpi["real", w]
		sum = cpi["icache", w] + cpi["dcache", w]
		sum += cpi["bpred", w] + cpi["alu", w]
		printf "%-12s %8.3f %8.3f %8.3f\n", w, r, r - cpi["all", w],
			4 * r - sum
	}
	print ""
	for (i = 1; i <= 7; i++)
		if (cases[names[i]])
			printf "%-7s %d of %d inside the bounds, 2%% of the cycles aside\n",
				tolower(names[i]), inside[names[i]],
				cases[names[i]]
	rated = cases["BPRED"] + cases["ALU"]
	if (rated)
		printf "branch and ALU: %d of %d, %.0f%%; the paper has all\n",
			inside["BPRED"] + inside["ALU"], rated,
			100 * (inside["BPRED"] + inside["ALU"]) / rated
}
