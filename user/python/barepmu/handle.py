# SPDX-License-Identifier: GPL-2.0
"""Handles of the library: a recording, or the module's session."""
import os
import select
from collections.abc import Mapping

from .library import ALL_CPUS, checked, ffi, lib
from .table import Interval, Table, Value


class Handle:
    """What Recording and Live have in common: CPUs, events and metrics, and an iterator
    over the intervals. A context manager: entering starts, leaving closes.

    part: short name of the CPU model, such as "ivb"
    cpus: numbers of the CPUs, ascending
    events, metrics: the names as they were given
    """

    def __init__(self, handle, events, metrics, interval, per_cpu):
        if isinstance(events, str) or isinstance(metrics, str):
            lib.barepmu_close(handle)
            raise TypeError("events and metrics are lists of names, not one string")
        self._handle = ffi.gc(handle, lib.barepmu_close)
        self._error = ffi.new("struct barepmu_error *")
        self._interval_ns = round(interval * 1e9)
        self._started = False
        self.part = ffi.string(lib.barepmu_part(handle)).decode()
        cpus = ffi.new("const uint32_t **")
        number = lib.barepmu_cpus(handle, cpus)
        self.cpus = list(cpus[0][0:number])
        self.events = list(events)
        self.metrics = list(metrics)
        # What to read of an interval: its key, the call, and the call's arguments.
        self._reads = []
        for name in self.metrics:
            self._reads.append((name, lib.barepmu_metric,
                                (self._call(lib.barepmu_add_metric, name.encode()),)))
        for name in self.events:
            event = self._call(lib.barepmu_add_event, name.encode())
            self._reads.append((name, lib.barepmu_event, (event, ALL_CPUS)))
            for cpu in self.cpus if per_cpu else []:
                self._reads.append(((name, cpu), lib.barepmu_event, (event, cpu)))

    def _call(self, function, *arguments):
        if self._handle is None:
            raise ValueError("the handle is closed; open another one")
        return checked(function(self._handle, *arguments, self._error), self._error)

    def start(self):
        """Schedules the events and starts to count; entering the context does it."""
        self._call(lib.barepmu_start, self._interval_ns)
        self._started = True
        return self

    def read(self):
        """Returns the next Interval, or None: there is none yet, or none any more. Does not
        wait."""
        raw = ffi.new("struct barepmu_interval *")
        if not self._call(lib.barepmu_read, raw):
            return None
        value = ffi.new("struct barepmu_value *")
        values = {}
        for key, call, arguments in self._reads:
            call(self._handle, *arguments, value)
            values[key] = Value.of(value)
        return Interval(raw, values)

    def columns(self):
        """Returns a Table of all intervals that the iterator yields."""
        table = Table(key for key, _, _ in self._reads)
        for interval in self:
            table.append(interval)
        return table

    def close(self):
        """Stops counting and frees the handle; leaving the context does it."""
        if self._handle is not None:
            ffi.release(self._handle)
        self._handle = None

    def __enter__(self):
        return self if self._started else self.start()

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        if not self._started:
            self.start()
        return self


def _opened(function, *arguments):
    handle, error = ffi.new("struct barepmu **"), ffi.new("struct barepmu_error *")
    checked(function(handle, *arguments, error), error)
    return handle[0]


def _cpus(cpus):
    """The list of CPUs as the library takes it: None, a string, a number, or numbers."""
    if cpus is None:
        return ffi.NULL
    if isinstance(cpus, (str, int)):
        return str(cpus).encode()
    return ",".join(map(str, cpus)).encode()


class Recording(Handle):
    """A file of "barepmu record". Needs no module and no permission but to read it.

    path: the file
    events, metrics: names, as for "barepmu report -e" and -M
    interval: length of an interval in seconds, not below that of the recording; 0 for a
        single one
    cpus: some of the recorded CPUs, as "0-3,8" or a list of numbers
    per_cpu: read events of each CPU, too
    """

    def __init__(self, path, events=(), metrics=(), interval=0, cpus=None, per_cpu=False):
        super().__init__(_opened(lib.barepmu_open_recording, os.fsencode(path), _cpus(cpus)),
                         events, metrics, interval, per_cpu)

    def __next__(self):
        interval = self.read()
        if interval is None:
            raise StopIteration
        return interval


class Live(Handle):
    """The counters, through the module, which has a single session: on a machine one Live or
    barepmu command can count at a time.

    cpus: CPUs as "0-3,8", a core type such as "adl-e", or a list of numbers; None for all
    events, metrics: names, as for "barepmu stat -e" and -M
    interval: length of an interval in seconds; 0 for a single one, which stop() ends
    per_cpu: read events of each CPU, too

    The iterator waits for each interval. After stop(), which a loop may call, it yields the
    rest and ends. poll() and selectors take a started Live: fileno() is readable when an
    interval may have ended; then call read() until it returns None.
    """

    def __init__(self, cpus=None, events=(), metrics=(), interval=0, per_cpu=False):
        super().__init__(_opened(lib.barepmu_open, _cpus(cpus)), events, metrics, interval,
                         per_cpu)
        self._stopped = False

    def fileno(self):
        """Returns the descriptor to wait for an interval, of a started Live."""
        if self._handle is None or not self._started:
            raise ValueError("nothing is counted; call start() before fileno()")
        return lib.barepmu_fd(self._handle)

    def stop(self):
        """Stops counting; the intervals up to now can still be read."""
        self._stopped = True
        self._call(lib.barepmu_stop)

    def __next__(self):
        while True:
            interval = self.read()
            if interval is not None:
                return interval
            if self._stopped:
                raise StopIteration
            if not self._interval_ns:
                raise ValueError("a single interval ends by stop(); call it before reading, "
                                 "or set interval")
            poll = select.poll()
            poll.register(self.fileno(), select.POLLIN)
            poll.poll()


def evaluate(part, metric, counts):
    """Evaluates a metric from counts, without a PMU, and returns a Value.

    part: short name of the CPU model, such as "ivb"
    metric: its name
    counts: a mapping of the names of events, and of constants such as "SECONDS", to their
        value, or to (value, half_width)
    """
    if not isinstance(counts, Mapping):
        raise TypeError("counts is a mapping of names to values")
    names = [ffi.new("char[]", name.encode()) for name in counts]
    given = [count if isinstance(count, tuple) else (count, 0.0) for count in counts.values()]
    raw = ffi.new("struct barepmu_count[]", [
        {"event": name, "value": value, "half_width": half}
        for name, (value, half) in zip(names, given)])
    value, error = ffi.new("struct barepmu_value *"), ffi.new("struct barepmu_error *")
    checked(lib.barepmu_evaluate(part.encode(), metric.encode(), raw, len(raw), value, error),
            error)
    return Value.of(value)
