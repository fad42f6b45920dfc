#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: profile.py TITLE OUTPUT TRUTH PROGRAM
#
# Compares sampled shares of functions and instructions, which OUTPUT has of each run, with the
# profile in the truth file TRUTH. Prints lines "table ..." with the tables of barepmu-report(1),
# "says WHAT ..." with figures, and "holds WHAT" if they are within their limits.
#
# The bias is half the sum of the absolute differences between sampled and true shares of a program,
# over all its runs: the share of events that are charged to another function, or to another
# instruction, than their own. "Chance" is what the bias would be if the samples were drawn at random
# from the events; it becomes smaller with more samples, the rest of the bias does not.

import collections
import json
import math
import re
import subprocess
import sys

Z = 1.959964
PROGRAMS = ["compute", "memory", "branches", "code", "calls"]
# Functions with a smaller true share of a program's events have no interval in the tables.
LEAST = 0.005
# A result of a test that holds may fail once in 10,000 runs: quantile of the normal distribution.
SURE = 3.72
# Share of the events that may be charged wrongly to others, beside what chance does.
NEAR = 0.02


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
    return sum(deviation(p * nr) for p in shares(true).values() if p) / nr / 2 if nr else 1


class Cell:
    """What the runs of a program by a tool and an event have in common."""

    def __init__(self):
        self.sampled = {"functions": collections.Counter(), "instructions": collections.Counter()}
        self.true = {"functions": collections.Counter(), "instructions": collections.Counter()}
        self.samples = 0
        self.held = 0
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
            if run.tool == "barepmu":
                share = events / run.counted
                low, high = run.symbols.get(name, (0, wilson(0, run.samples)[1]))
            else:
                share = events / sum(true.values())
                low, high = wilson(sampled[name] / inside, nr) if nr else (0, 1)
            self.intervals += 1
            self.held += low <= share <= high


def most(true, nr, tests):
    """Bias that chance exceeds in one of 10,000 runs of all TESTS at most. A sample changes the bias
    by 1 / NR, so that McDiarmid's inequality holds: P(bias - mean > t) < exp(-2 NR t^2)."""
    return chance(true, nr) + math.sqrt(math.log(10000 * tests) / (2 * nr))


def mean(values):
    return sum(values) / len(values)


class Row:
    """The cells of a tool and an event, one for each program."""

    def __init__(self, tool, event, programs):
        self.tool, self.event = tool, event
        self.names, self.cells = list(programs), list(programs.values())
        self.held = sum(cell.held for cell in self.cells)
        self.intervals = sum(cell.intervals for cell in self.cells)

    def bias(self, what):
        return [distance(cell.sampled[what], cell.true[what]) for cell in self.cells]

    def chance(self, what):
        return mean([chance(cell.true[what], cell.samples) for cell in self.cells])

    def print(self, title):
        figures = []
        for what in ("functions", "instructions"):
            figures += [mean(self.bias(what)), self.chance(what)]
        print("table %-24s %-8s %-13s%s  %5.1f %% of %d" % (
            title, self.tool, self.event, "".join(" %6.1f" % (100 * each) for each in figures),
            100 * self.held / self.intervals, self.intervals))

    def holds(self, what, tests):
        for name, cell, bias in zip(self.names, self.cells, self.bias(what)):
            limit = NEAR + most(cell.true[what], cell.samples, tests)
            if bias > limit:
                print("says %s %s of %s: %.1f %%, at most %.1f %%" % (
                    what, self.event, name, 100 * bias, 100 * limit))
                return False
        return True


def main():
    title, output, truth_file, program = sys.argv[1:]
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
        for what in ("functions", "instructions"):
            print("table   %-24s %s" % ("bias of %s:" % what, ", ".join(
                "%s %.1f" % (name, 100 * bias) for name, bias in zip(row.names, row.bias(what)))))
    own = [row for row in rows if row.tool == "barepmu"]
    held, nr = sum(row.held for row in own), sum(row.intervals for row in own)
    off = 0.02 + SURE * math.sqrt(0.95 * 0.05 / nr)
    print("says coverage %.1f %% of %d intervals, 95 +- %.1f %%" % (100 * held / nr, nr, 100 * off))
    if abs(held / nr - 0.95) <= off:
        print("holds coverage")
    # Of instructions that retire in one cycle it is arbitrary to which the cycle belongs.
    for what in ("functions", "instructions"):
        judged = [row for row in own if what == "functions" or row.event != "cycles"]
        if all(row.holds(what, len(own) * len(PROGRAMS)) for row in judged):
            print("holds %s" % what)


main()
