# SPDX-License-Identifier: GPL-2.0
"""What is read: values, intervals, and columns of them."""
import math
from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from .library import Flag


class Value(NamedTuple):
    """Value of an event or a metric in an interval.

    value: the metric, or the count, scaled to the whole interval if the event was
        multiplexed; NaN if there is none, and flags say why. Never clamped.
    half_width: half-width of its 95 % confidence interval in the unit of value; 0 if the
        value is exact, infinity if its uncertainty is unknown
    running: fraction of the time in which the event was on a counter; 1 for metrics
    flags: a Flag, 0 if nothing speaks against the value
    """

    value: float
    half_width: float
    running: float
    flags: Flag

    @classmethod
    def of(cls, raw):
        """Copies a struct barepmu_value."""
        if not raw.known:
            return cls(math.nan, math.nan, raw.running, Flag(raw.flags))
        return cls(raw.value, raw.half_width, raw.running, Flag(raw.flags))

    @property
    def known(self):
        """There is a value."""
        return not math.isnan(self.value)


class Interval(dict):
    """An interval: the Value of each metric and event by its name, and of the event EVENT
    on CPU number N by (EVENT, N).

    index: number of the interval, from 0
    seconds: its end, in seconds since the start of counting, or of the recording
    duration: its length in seconds
    lost: samples lost on all CPUs; counts are complete, but may be attributed to an
        adjacent interval
    flags: a Flag that applies to the whole interval
    last: no interval follows
    """

    def __init__(self, raw, values):
        super().__init__(values)
        self.index = raw.index
        self.seconds = raw.seconds
        self.duration = raw.duration
        self.lost = raw.lost
        self.flags = Flag(raw.flags)
        self.last = raw.last


@dataclass(frozen=True)
class Column:
    """A Value's members, an element for each interval. The arrays have the buffer
    protocol: numpy.asarray() takes them without a copy."""

    value: array = field(default_factory=lambda: array("d"))
    half_width: array = field(default_factory=lambda: array("d"))
    running: array = field(default_factory=lambda: array("d"))
    flags: array = field(default_factory=lambda: array("I"))

    def append(self, value):
        """Adds a Value."""
        for into, one in zip((self.value, self.half_width, self.running, self.flags), value):
            into.append(one)


class Table(dict):
    """Intervals in columns: the Column of each metric and event by the key that it has in
    an Interval; seconds, duration, lost and flags are arrays of the Interval's members."""

    def __init__(self, keys):
        super().__init__((key, Column()) for key in keys)
        self.seconds = array("d")
        self.duration = array("d")
        self.lost = array("Q")
        self.flags = array("I")

    def append(self, interval):
        """Adds an Interval."""
        self.seconds.append(interval.seconds)
        self.duration.append(interval.duration)
        self.lost.append(interval.lost)
        self.flags.append(interval.flags)
        for key, column in self.items():
            column.append(interval[key])
