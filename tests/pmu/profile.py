#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: profile.py METHOD TITLE OUTPUT TRUTH PROGRAM
#
# Compares sampled shares of functions and instructions, which OUTPUT has of each run, with the
# profile in the truth file TRUTH. Prints lines "table ..." with the tables of barepmu-report(1),
# "says WHAT ..." with figures, and "holds WHAT" if they are within their limits.
#
# The bias is half the sum of the absolute differences between sampled and true shares of a program,
# over all its runs: the share of events that are charged to another function, or to another
# instruction, than their own. "Chance" is what the bias would be if the samples were drawn at random
# from the events; it becomes smaller with more samples, the rest of the bias does not.
#
# By METHOD "ibs" less is expected. It has no filter for privilege levels: a sample in a program also
# stands for what the kernel executes on its way back from the interrupt, so that programs have
# larger shares of all events than they should. Its intervals are therefore compared with shares of
# the program's own events. It tags the op that is dispatched in the cycle that is sampled, not the
# one for which the core waits, to which the profile charges the cycle: of its cycles only the bias
# of functions is judged, by a limit that was measured. "slots" are the slots that retire, one of
# each op.

import collections
import json
import math
import operator
import re
import subprocess
import sys

Z = 1.959964
PROGRAMS = ["compute", "memory", "branches", "code", "calls"]
# Functions with a smaller true share of a program's events have no interval in the tables.
LEAST = 0.005
# A result of a test that holds may fail once in 10,000 runs: quantile of the normal distribution.
SURE = 3.72
# Share of a program's events that may be charged wrongly to others, beside what chance does.
NEAR = 0.02
# The same on average over all programs. Between instructions of a loop the samples are not quite
# random, because the loop is short compared with a period.
NEAR_ALL = {"functions": 0, "instructions": NEAR}
# Mean bias of functions for cycles by IBS, chance included: 0.239 and 0.246 were measured, in two
# runs. No other source says how large it has to be, so that this only tells if it becomes larger.
DISPATCHED = 0.246


def functions_of(program):
    """Returns [(first address, end, name)] of the functions of the mixture."""
    found = []
    for line in subprocess.check_output(["nm", "-S", program], text=True).splitlines():
        field = line.split()
        if len(field) == 4 and field[2] in "tT" and re.match(
                "pick$|(%s)_" % "|".join(PROGRAMS), field[3]):
            first = int(field[0], 16)
            found.append((first, first + int(field[1], 16), field[3]))
    return sorted(found)


def truth_of(file):
    """Returns {region: {address: counts}}."""
    regions = collections.defaultdict(dict)
    with open(file) as text:
        for place in json.load(text)["instructions"]:
            regions[place["region"]][int(place["pc"], 16)] = place
    return regions


class Run:
    def __init__(self, words):
        self.region = int(words[1])
        self.tool, self.program, self.event = words[2:5]
        self.period = int(words[5])
        self.symbols = {}
        self.addresses = collections.Counter()
        self.interrupts = collections.Counter()
        self.samples = 0
        self.counted = 0


def runs_of(file):
    """Reads the runs. Of the tool, rows of functions: their interval, and the events counted; of
    both tools, events for which the samples at each address stand."""
    runs = []
    head = None
    with open(file, errors="replace") as text:
        for line in text:
            if line.startswith("run "):
                runs.append(Run(line.split()))
            elif line.startswith("sample "):
                nr, address = line.split()[1:3]
                runs[-1].addresses[int(address, 16)] += int(nr) * runs[-1].period
                runs[-1].interrupts[int(address, 16)] += int(nr)
            elif line.startswith(("symbol|key|", "address|key|")):
                head = line.strip().split("|")
            elif line.startswith(("symbol|", "address|")):
                row = dict(zip(head, line.strip().split("|")))
                if line.startswith("address|"):
                    address = row["key"].split()[0]
                    if address.startswith("0x"):
                        runs[-1].addresses[int(address, 16)] += int(row["periods"])
                        runs[-1].interrupts[int(address, 16)] += int(row["interrupts"])
                    continue
                runs[-1].samples += int(row["interrupts"])
                runs[-1].counted = int(row["counted"])
                name = row["key"].removesuffix(" [mixture]")
                if name != row["key"]:
                    runs[-1].symbols[name] = (float(row["low_percent"]) / 100,
                                              float(row["high_percent"]) / 100)
    return runs


def wilson(share, nr):
    middle = share + Z * Z / (2 * nr)
    half = Z * math.sqrt(share * (1 - share) / nr + Z * Z / (4 * nr * nr))
    return (middle - half) / (1 + Z * Z / nr), (middle + half) / (1 + Z * Z / nr)


def shares(events):
    total = sum(events.values())
    return {key: value / total for key, value in events.items()} if total else {}


def distance(sampled, true):
    """Share of the events that are charged to another key than their own."""
    a, b = shares(sampled), shares(true)
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def deviation(mean):
    """Mean absolute deviation of a Poisson distribution from its mean."""
    least = math.floor(mean)
    return 2 * math.exp((least + 1) * math.log(mean) - mean - math.lgamma(least + 1))


def chance(true, nr):
    return sum(deviation(p * nr) for p in shares(true).values() if p) / nr / 2 if nr else 0


def variance(true, nr):
    """Variance of the bias around chance, if the samples of each key have a Poisson distribution.
    The sum of their numbers is known, which makes both a little smaller than this."""
    return sum(p * nr - deviation(p * nr) ** 2
               for p in shares(true).values() if p) / nr ** 2 / 4 if nr else 0


class Cell:
    """What the runs of a program by a tool and an event have in common."""

    def __init__(self):
        self.sampled = {"functions": collections.Counter(), "instructions": collections.Counter()}
        self.true = {"functions": collections.Counter(), "instructions": collections.Counter()}
        self.samples = 0
        self.held = 0
        self.held_inside = 0
        self.intervals = 0

    def add(self, run, functions, truth):
        true = collections.Counter()
        of = {}
        for first, end, name in functions:
            for address in range(first, end):
                of[address] = name
        for address, place in truth.items():
            if address in of:
                true[address] += place[run.event]
        sampled = collections.Counter(
            {a: n for a, n in run.addresses.items() if a in of})
        by = {"instructions": (sampled, true), "functions": (collections.Counter(),
                                                            collections.Counter())}
        for i in (0, 1):
            for address, nr in by["instructions"][i].items():
                by["functions"][i][of[address]] += nr
        for what, (a, b) in by.items():
            self.sampled[what] += a
            self.true[what] += b
        nr = sum(run.interrupts[address] for address in sampled)
        self.samples += nr
        self.cover(run, nr, by["functions"])

    def cover(self, run, nr, by):
        sampled, true = by
        inside = sum(sampled.values())
        for name, events in true.items():
            if events < LEAST * sum(true.values()):
                continue
            share = events / sum(true.values())
            low, high = wilson(sampled[name] / inside, nr) if nr else (0, 1)
            self.held_inside += low <= share <= high
            if run.tool == "barepmu":
                share = events / run.counted
                low, high = run.symbols.get(name, (0, wilson(0, run.samples)[1]))
            self.intervals += 1
            self.held += low <= share <= high

    def bias(self, what):
        return distance(self.sampled[what], self.true[what])

    def chance(self, what):
        return chance(self.true[what], self.samples)


def mean(values):
    return sum(values) / len(values)


def most(cell, what):
    """Bias of a program that chance exceeds in one of 10,000 runs of 30 programs and events at most.
    A sample changes the bias by 1 / n, so that McDiarmid's inequality holds, even for samples that
    have little to do with their expected number: P(bias - mean > t) < exp(-2 n t^2)."""
    return cell.chance(what) + math.sqrt(math.log(30 * 10000) / (2 * max(cell.samples, 1)))


def near(said, cells, what, more):
    """Checks the mean bias of CELLS, which chance changes little: if no more than MORE of the events
    are charged wrongly, it exceeds the limit in one of 10,000 runs at most, and also did in random
    draws from the true shares. The mean is weighted by the inverse variances, since some cells have
    few samples."""
    weights = [1 / max(variance(cell.true[what], cell.samples), 1e-9) for cell in cells]
    bias, least = (sum(map(operator.mul, weights, each)) / sum(weights) for each in (
        [cell.bias(what) for cell in cells], [cell.chance(what) for cell in cells]))
    limit = least + more + SURE / math.sqrt(sum(weights))
    print("says %s of all: %.1f %%, at most %.1f %%" % (said, 100 * bias, 100 * limit))
    return bias <= limit


def as_measured(cells):
    """Checks the mean bias of functions for cycles by IBS, by McDiarmid's inequality as most()."""
    bias = mean([cell.bias("functions") for cell in cells])
    limit = DISPATCHED + math.sqrt(
        math.log(10000) * sum(1 / max(cell.samples, 1) for cell in cells) / 2) / len(cells)
    print("says cycles: %.1f %%, at most %.1f %%" % (100 * bias, 100 * limit))
    return bias <= limit


class Row:
    """The cells of a tool and an event, one for each program."""

    def __init__(self, tool, event, programs):
        self.tool, self.event = tool, event
        self.programs = programs
        self.cells = list(programs.values())
        self.held = sum(cell.held for cell in self.cells)
        self.held_inside = sum(cell.held_inside for cell in self.cells)
        self.intervals = sum(cell.intervals for cell in self.cells)

    def print(self, title):
        figures = []
        for what in ("functions", "instructions"):
            figures += [mean([cell.bias(what) for cell in self.cells]),
                        mean([cell.chance(what) for cell in self.cells])]
        print("table %-24s %-8s %-13s%s  %5.1f %% of %d" % (
            title, self.tool, self.event, "".join(" %6.1f" % (100 * each) for each in figures),
            100 * self.held / self.intervals, self.intervals))
        for what in ("functions", "instructions"):
            print("table   %-24s %s" % ("bias of %s:" % what, ", ".join(
                "%s %.1f" % (name, 100 * cell.bias(what))
                for name, cell in self.programs.items())))

    def holds(self, what):
        """Checks the mean of the programs, and then each of them."""
        said = "%s %s" % (what, self.event)
        holds = near(said, self.cells, what, NEAR_ALL[what])
        for name, cell in self.programs.items():
            bias, limit = cell.bias(what), NEAR + most(cell, what)
            if bias > limit:
                print("says %s of %s: %.1f %%, at most %.1f %%" % (
                    said, name, 100 * bias, 100 * limit))
                holds = False
        return holds


def covers(held, nr):
    off = 0.02 + SURE * math.sqrt(0.95 * 0.05 / nr)
    print("says coverage %.1f %% of %d intervals, 95 +- %.1f %%" % (100 * held / nr, nr, 100 * off))
    return abs(held / nr - 0.95) <= off


def main():
    method, title, output, truth_file, program = sys.argv[1:]
    functions = functions_of(program)
    truth = truth_of(truth_file)
    cells = collections.defaultdict(Cell)
    order = []
    for run in runs_of(output):
        if (run.tool, run.event) not in order:
            order.append((run.tool, run.event))
        cells[run.tool, run.event, run.program].add(run, functions, truth[run.region])
    rows = [Row(*key, {each: cells[key + (each,)] for each in PROGRAMS
                       if key + (each,) in cells}) for key in order]
    for row in rows:
        row.print(title)
    own = [row for row in rows if row.tool == "barepmu"]
    # Of instructions that retire in one cycle it is arbitrary to which the cycle belongs.
    judged = {"functions": own, "instructions": [row for row in own if row.event != "cycles"]}
    held = sum(row.held for row in own)
    found = {}
    if method == "ibs":
        own = judged["functions"] = judged["instructions"]
        held = sum(row.held_inside for row in own)
        found["cycles"] = all(as_measured(row.cells) for row in rows if row.event == "cycles")
    found["coverage"] = covers(held, sum(row.intervals for row in own))
    for what, of in judged.items():
        if of:
            found[what] = all([row.holds(what) for row in of] + [
                near(what, [cell for row in of for cell in row.cells], what, NEAR_ALL[what])])
    for what, holds in found.items():
        if holds:
            print("holds %s" % what)


main()
