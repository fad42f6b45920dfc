#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: profile.py METHOD TITLE BAREPMU PROGRAM [OUTPUT TRUTH]...
#
# Compares sampled shares of functions and instructions, by recordings of PROGRAM that each OUTPUT
# has and that BAREPMU evaluates, with the profile in the truth file TRUTH. Prints lines "table ..."
# with the tables of barepmu-report(1), "says WHAT ..." with figures, and "holds WHAT" if they are
# within their limits.
#
# The bias is half the sum of the absolute differences between sampled and true shares of a program,
# over all its runs: the share of events that are charged to another function, or to another
# instruction, than their own. "Chance" is what the bias would be if the samples were drawn at random
# from the events; it becomes smaller with more samples, the rest of the bias does not.
#
# The tool's 95 % intervals are of shares of all that was counted, also of other programs; those that
# perf's samples have here, by the same formula, are of shares of the program's own samples. 93 to 97 %
# of them are to hold the true share.
#
# By METHOD "ibs" less is expected of cycles: IBS tags the op that is dispatched in the cycle that is
# sampled, not the one for which the core waits, to which the profile charges the cycle. Only the bias
# of functions is judged, by a limit that was measured. "slots" are the slots that retire, one of each
# op. IBS has no filter for privilege levels: a sample in a program also stands for what the kernel
# executes on its way back from the interrupt. A counter beside it tells the events of user space.

import base64
import collections
import json
import math
import operator
import re
import statistics
import struct
import subprocess
import sys
import tempfile

Z = 1.959964
PROGRAMS = ["compute", "memory", "branches", "code", "calls"]
WHAT = ["functions", "instructions"]
# Events of Top-Down, by interrupts and PEBS, that are only measured, not judged: in which cycle such a
# counter has overflowed is estimated by the virtual PMU, between two looks at it
# (tests/vpmu/counter/overflow.c). IBS counts slots exactly.
TOPDOWN = ["slots", "issued", "bubbles"]
# Keys with a smaller true share of a program's events have no interval in the tables.
LEAST = 0.005
# A result of a test that holds may fail once in so many runs: as a probability, and as a quantile of
# the normal distribution.
CHANCE = 1e-7
SURE = statistics.NormalDist().inv_cdf(1 - CHANCE)
# Share of the 95 % intervals that hold the true share.
COVERAGE = 0.93, 0.97
# Share of a program's events that may be charged wrongly to others, beside what chance does.
NEAR = 0.02
# The same on average over all programs. Between instructions of a loop the samples are not quite
# random, because the loop is short compared with a period.
NEAR_ALL = {"functions": 0, "instructions": NEAR}
# Mean bias of functions for cycles by IBS, chance included: 0.239 to 0.247 were measured, also by perf.
# No other source says how large it has to be for functions, so that this only tells if it becomes
# larger.
DISPATCHED = 0.247


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


def rows_of(command):
    """Returns the rows that COMMAND prints, as dictionaries."""
    lines = [line.split("|")
             for line in subprocess.check_output(command, text=True).splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


class Run:
    """A recording of a program: for addresses, their interrupts and the events these stand for; for
    functions and addresses, the tool's intervals of their shares of the events that were counted."""

    def __init__(self, words):
        self.region = int(words[1])
        self.tool, self.program, self.event = words[2:5]
        self.period = int(words[5])
        self.text = []
        self.of = {"functions": {}, "instructions": {}}
        self.addresses = collections.Counter()
        self.interrupts = collections.Counter()
        self.samples = 0
        self.counted = 0

    def evaluate(self, barepmu):
        data = base64.b64decode("".join(self.text))
        self.text = []
        if self.tool == "perf":
            self.of_perf(data)
            return
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            report = [barepmu, "report", "-x", "|", file.name]
            for by in ("symbol", "address"):
                self.of_tool(by, rows_of(report + ["--by", by]))
            self.counted = int(rows_of(report)[-1]["count"])

    def of_tool(self, by, rows):
        for row in rows:
            interval = float(row["low_percent"]) / 100, float(row["high_percent"]) / 100
            name = row["key"].removesuffix(" [mixture]")
            if by == "symbol":
                self.samples += int(row["interrupts"])
                if name != row["key"]:
                    self.of["functions"][name] = interval
            elif name.startswith("0x"):
                address = int(name.split()[0], 16)
                self.addresses[address] += int(row["periods"])
                self.interrupts[address] += int(row["interrupts"])
                self.of["instructions"][address] = interval

    def of_perf(self, data):
        """Adds the samples of a file of perf (Linux, tools/perf/Documentation/perf.data-file-format.txt):
        a sample begins with its identifier, if it has one, and the address."""
        attributes, _, at, size = struct.unpack_from("<4Q", data, 24)
        identified = struct.unpack_from("<Q", data, attributes + 24)[0] >> 16 & 1
        end = at + size
        while at < end:
            kind, _, size = struct.unpack_from("<IHH", data, at)
            if kind == 9:
                address = struct.unpack_from("<Q", data, at + 8 + 8 * identified)[0]
                self.addresses[address] += self.period
                self.interrupts[address] += 1
            at += size


def runs_of(file, barepmu):
    """Reads and evaluates the runs."""
    runs = []
    with open(file, errors="replace") as text:
        for line in text:
            if line.startswith("run "):
                runs.append(Run(line.split()))
            elif line.startswith("data "):
                runs[-1].text.append(line.split()[1])
    for run in runs:
        run.evaluate(barepmu)
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


class Cover:
    """How many intervals hold the true share, of how many."""

    def __init__(self, held=0, intervals=0):
        self.held = held
        self.intervals = intervals

    def __add__(self, other):
        return Cover(self.held + other.held, self.intervals + other.intervals)


class Cell:
    """What the runs of a program by a tool and an event have in common."""

    def __init__(self):
        self.sampled = {what: collections.Counter() for what in WHAT}
        self.true = {what: collections.Counter() for what in WHAT}
        self.cover = {what: Cover() for what in WHAT}
        self.samples = 0

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
        nr = sum(run.interrupts[address] for address in sampled)
        for what, (a, b) in by.items():
            self.sampled[what] += a
            self.true[what] += b
            self.cover[what] += covered(run, nr, run.of[what], a, b)
        self.samples += nr

    def bias(self, what):
        return distance(self.sampled[what], self.true[what])

    def chance(self, what):
        return chance(self.true[what], self.samples)


def covered(run, nr, intervals, sampled, true):
    """Compares the INTERVALS of the tool, or those of the NR samples of perf in the program."""
    cover = Cover()
    inside = sum(sampled.values())
    for key, events in true.items():
        if events < LEAST * sum(true.values()):
            continue
        if run.tool == "barepmu":
            share = events / run.counted
            low, high = intervals.get(key, (0, wilson(0, run.samples)[1]))
        else:
            share = events / sum(true.values())
            low, high = wilson(sampled[key] / inside, nr) if nr else (0, 1)
        cover += Cover(low <= share <= high, 1)
    return cover


def mean(values):
    return sum(values) / len(values)


def most(cell, what):
    """Bias of a program that chance exceeds in one of 1 / CHANCE runs of 30 programs and events at most.
    A sample changes the bias by 1 / n, so that McDiarmid's inequality holds, even for samples that
    have little to do with their expected number: P(bias - mean > t) < exp(-2 n t^2)."""
    return cell.chance(what) + math.sqrt(math.log(30 / CHANCE) / (2 * max(cell.samples, 1)))


def near(said, cells, what, more):
    """Checks the mean bias of CELLS, which chance changes little: if no more than MORE of the events
    are charged wrongly, it exceeds the limit in one of 1 / CHANCE runs at most, and also did in random
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
        math.log(1 / CHANCE) * sum(1 / max(cell.samples, 1) for cell in cells) / 2) / len(cells)
    print("says cycles: %.1f %%, at most %.1f %%" % (100 * bias, 100 * limit))
    return bias <= limit


class Row:
    """The cells of a tool and an event, one for each program."""

    def __init__(self, tool, event, programs):
        self.tool, self.event = tool, event
        self.programs = programs
        self.cells = list(programs.values())

    def cover(self, what):
        return sum((cell.cover[what] for cell in self.cells), Cover())

    def print(self, title):
        figures = ""
        for what in WHAT:
            cover = self.cover(what)
            figures += "  %6.1f %6.1f %6.1f %%" % (
                100 * mean([cell.bias(what) for cell in self.cells]),
                100 * mean([cell.chance(what) for cell in self.cells]),
                100 * cover.held / max(cover.intervals, 1))
        print("table %-24s %-8s %-13s%s of %d and %d, %d to %d samples" % (
            title, self.tool, self.event, figures, *(self.cover(what).intervals for what in WHAT),
            min(cell.samples for cell in self.cells), max(cell.samples for cell in self.cells)))
        for what in WHAT:
            print("table   %-24s %s" % ("bias of %s:" % what, ", ".join(
                "%s %.1f (%.1f)" % (name, 100 * cell.bias(what), 100 * cell.chance(what))
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


def binomial(most, nr, p):
    """Probability of at most MOST of NR."""
    return sum(math.exp(math.lgamma(nr + 1) - math.lgamma(k + 1) - math.lgamma(nr - k + 1) +
                        k * math.log(p) + (nr - k) * math.log1p(-p)) for k in range(most + 1))


def covers(said, held, nr):
    """Checks that a share of the intervals in COVERAGE explains that HELD of NR hold their shares, with a
    probability of CHANCE or more."""
    share = held / nr
    print("says %s: %.1f +- %.1f %% of %d intervals" % (
        said, 100 * share, 100 * Z * math.sqrt(share * (1 - share) / nr), nr))
    return (binomial(held, nr, COVERAGE[0]) >= CHANCE and
            binomial(nr - held, nr, 1 - COVERAGE[1]) >= CHANCE)


def main():
    method, title, barepmu, program = sys.argv[1:5]
    functions = functions_of(program)
    cells = collections.defaultdict(Cell)
    order = []
    for output, truth_file in zip(sys.argv[5::2], sys.argv[6::2]):
        truth = truth_of(truth_file)
        for run in runs_of(output, barepmu):
            if (run.tool, run.event) not in order:
                order.append((run.tool, run.event))
            cells[run.tool, run.event, run.program].add(run, functions, truth[run.region])
    rows = [Row(*key, {each: cells[key + (each,)] for each in PROGRAMS
                       if key + (each,) in cells}) for key in order]
    for row in rows:
        row.print(title)
    own = [row for row in rows if row.tool == "barepmu" and
           (method == "ibs" or row.event not in TOPDOWN)]
    # Of instructions that retire in one cycle it is arbitrary to which the cycle belongs.
    judged = {"functions": own, "instructions": [row for row in own if row.event != "cycles"]}
    if method == "interrupts":
        del judged["instructions"]
    found = {}
    if method == "ibs":
        judged["functions"] = judged["instructions"]
        found["cycles"] = all(as_measured(row.cells) for row in own if row.event == "cycles")
    for what, of in judged.items():
        if not of:
            continue
        cover = sum((row.cover(what) for row in of), Cover())
        found["coverage of %s" % what] = covers(
            "coverage of %s" % what, cover.held, cover.intervals)
        found[what] = all([row.holds(what) for row in of] + [
            near(what, [cell for row in of for cell in row.cells], what, NEAR_ALL[what])])
    for what, holds in found.items():
        if holds:
            print("holds %s" % what)


main()
