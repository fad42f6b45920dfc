#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A programmer in Python gets the tool's values for a recording and for counts, from the package
# as it is installed. tests/pmu/library tests a live session.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"
with_recordings

root=$scratch/root
recording=$recordings/topdown.rec
# Debian's python3 has Debian's cffi; another python3 in PATH may not.
python=/usr/bin/python3
{
	make -s -C "$top/user" lib
	make -s -C "$top/user" install-python DESTDIR="$root" PREFIX=/usr
} >/dev/null
export PYTHONPATH=$root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH=$top/build
examples=$top/user/python/examples

# run CODE: runs Python code, in which the package is "b" and "path" is the name of a recording
run()
{
	"$python" -W error -c "import math, sys; import barepmu as b
path = '$recording'
$1"
}

# prints TEXT CODE: checks what the code prints
prints()
{
	said=$(run "$2" 2>&1)
	[ "$said" = "$1" ] || { printf '%s\n' "$said" | sed 's/^/# /'; false; }
}

# raises TEXT CODE: checks that the code ends with a barepmu.Error whose text begins with TEXT
raises()
{
	said=$(run "
try:
    $2
except b.Error as error:
    print(error.errno, error)" 2>&1)
	[[ $said == $1* ]] || { printf '%s\n' "$said" | sed 's/^/# /'; false; }
}

# of_tool NAME OPTION...: prints value and half-width of each row NAME in the tool's CSV
of_tool()
{
	local name=$1

	shift
	"$barepmu" report -x, "$@" "$recording" | awk -F, -v name="$name" '
		$3 == name || $18 == name {
			printf "%.6g %s\n", $4 $20, $8 == "inf" ? $8 : sprintf("%.6g", $8)
		}'
}

# equal "NAME OPTION..." CODE: checks that the code prints the tool's values
equal()
{
	local wanted

	# shellcheck disable=SC2086
	wanted=$(of_tool $1)
	[ -n "$wanted" ] || return 1
	prints "$wanted" "$2"
}

show="
def show(values, halves):
    for value, half in zip(values, halves):
        if not math.isnan(value):
            print('%.6g %.6g' % (value, half))
"

# functions: checks that the package declares the functions of the library's header
functions()
{
	diff <(run "print('\n'.join(sorted(f for f in dir(b.library.lib)
    if f.startswith('barepmu_'))))") \
		<(grep -oE '^[a-z].*\bbarepmu_[a-z_]+\(' "$top/user/lib/api/barepmu.h" |
		grep -oE 'barepmu_[a-z_]+' | sort)
}

examples_are_short()
{
	[ "$(wc -l "$examples"/* | awk '$2 != "total" && $1 > 40' | wc -l)" -eq 0 ]
}

# on_the_page: checks that the manual page has each name of the package and each public method
on_the_page()
{
	run "
names = [n for n in b.__all__]
names += [n for c in (b.Recording, b.Live) for n in dir(c) if n[0] != '_']
with open('$top/user/man/barepmu-python.3.scd') as text:
    page = text.read()
print('\n'.join(sorted(n for n in set(names) if '*' + n + '*' not in page)))" |
		sed '/^$/d; s/^/# missing: /' | { ! grep .; }
}

columns()
{
	"$python" "$examples/columns.py" "$recording" "$@"
}

# example: checks that the example prints the tool's values; its first column is the interval's end
example()
{
	local found wanted

	found=$(columns Retiring Core_Bound | awk -F, 'NR > 1 { printf "%.6g %.6g\n", $1, $2 }')
	wanted=$("$barepmu" report -M Retiring -I 100 -x, "$recording" |
		awk -F, '$18 == "Retiring" { printf "%.6g %.6g\n", $1, $20 }')
	[ -n "$wanted" ] || return 1
	[ "$found" = "$wanted" ] || { printf '%s\n' "$found" | sed 's/^/# /'; false; }
}

# fails TEXT COMMAND...: checks that COMMAND fails with TEXT
fails()
{
	local text=$1 status=0

	shift
	said=$("$@" 2>&1) || status=$?
	[ "$status" -eq 1 ] && says "$text"
}

# stand_in: makes a module "matplotlib" that writes what is plotted into the picture file
stand_in()
{
	mkdir -p "$scratch/stand-in/matplotlib"
	cat >"$scratch/stand-in/matplotlib/__init__.py" <<-'PYTHON'
		def use(backend): assert backend == "Agg"
	PYTHON
	cat >"$scratch/stand-in/matplotlib/pyplot.py" <<-'PYTHON'
		class Axes:
		    def plot(self, x, y): said.append(f"{len(x)} {len(y)} {y[0]:g}")
		    def fill_between(self, x, low, high, alpha): pass
		    def set_ylabel(self, text): said.append(text)
		    def set_xlabel(self, text): said.append(text)
		class Grid(list):
		    def __getitem__(self, at): return list.__getitem__(self, at[0])[at[1]]
		class Figure:
		    def savefig(self, name): open(name, "w").write(" ".join(said))
		said = []
		def subplots(number, sharex, squeeze):
		    return Figure(), Grid([Axes()] for i in range(number))
	PYTHON
	PYTHONPATH=$scratch/stand-in:$PYTHONPATH columns Retiring "$scratch/plot.png" >/dev/null &&
		[ "$(cat "$scratch/plot.png")" = '120 120 0.2 Retiring seconds' ]
}

result "the package has the functions of the header" functions
result "the version is the library's" prints "$("$barepmu" --version | sed 's/^barepmu //; q')" \
	'print(b.version())'
result "flags have the header's names without the prefix" prints 'True MIXED_GROUPS BURSTY' \
	'print(b.Flag.MISSING in b.Flag(24), b.Flag(16).name, b.Flag(1 << 17).name)'
result "barepmu-python(3) names all of the package" on_the_page
result "Recording: part and CPUs" prints 'ivb [0, 1, 2, 3]' '
r = b.Recording(path)
print(r.part, r.cpus)'
result "Recording: some of the CPUs, as text and as numbers" prints '[1, 3] [1, 3] [2]' '
print(*(b.Recording(path, cpus=c).cpus for c in ("1,3", [1, 3], 2)))'
result "columns: values and half-widths of a metric are the tool's" \
	equal "Backend_Bound -M Backend_Bound -I 100" "$show
with b.Recording(path, metrics=['Backend_Bound'], interval=0.1) as r:
    c = r.columns()['Backend_Bound']
show(c.value, c.half_width)"
result "columns: counts of all CPUs are the tool's" equal "RESOURCE_STALLS.SB -e RESOURCE_STALLS.SB" "$show
with b.Recording(path, events=['RESOURCE_STALLS.SB']) as r:
    c = r.columns()['RESOURCE_STALLS.SB']
show(map(round, c.value), map(round, c.half_width))"
result "columns: counts of each CPU are the tool's" equal "RESOURCE_STALLS.SB -A -e RESOURCE_STALLS.SB" "$show
with b.Recording(path, events=['RESOURCE_STALLS.SB'], per_cpu=True) as r:
    t = r.columns()
for cpu in r.cpus:
    c = t['RESOURCE_STALLS.SB', cpu]
    show(map(round, c.value), map(round, c.half_width))"
result "columns: without per_cpu there are none of a CPU" prints "['RESOURCE_STALLS.SB']" '
print(list(b.Recording(path, events=["RESOURCE_STALLS.SB"]).columns()))'
# A recording of twelve seconds; of 1200 samples of a CPU, each 400 lack the last ten.
result "columns: times and lengths of 120 intervals" prints '120 12.0 12.0 30 0' '
t = b.Recording(path, metrics=["Retiring"], interval=0.1).columns()
print(len(t.seconds), round(t.seconds[-1], 6), round(sum(t.duration), 6), sum(t.lost), t.flags[0])'
result "columns: the arrays are buffers of 8-byte numbers" prints 'd 120 8' '
m = memoryview(b.Recording(path, metrics=["Retiring"], interval=0.1).columns()["Retiring"].value)
print(m.format, len(m), m.itemsize)'
result "intervals: iterated one by one, the last says so" prints '0 False 119 True' '
i = list(b.Recording(path, metrics=["Retiring"], interval=0.1))
print(i[0].index, i[0].last, i[-1].index, i[-1].last)'
result "read: None at the end" prints 'True None None' '
with b.Recording(path, metrics=["Retiring"]) as r:
    print(r.read()["Retiring"].known, r.read(), r.read())'
# 2000 +- 100 of 4000 slots.
result "evaluate: value and half-width" prints '0.5 0.025 0' '
v = b.evaluate("ivb", "Retiring", {"UOPS_RETIRED.RETIRE_SLOTS": (2000, 100),
                                   "CPU_CLK_UNHALTED.THREAD": 1000})
print("%g %g %d" % (v.value, v.half_width, v.flags))'
result "evaluate: a missing count is NaN and flagged" prints 'False nan nan True' '
v = b.evaluate("ivb", "Retiring", {"CPU_CLK_UNHALTED.THREAD": 1000})
print(v.known, v.value, v.half_width, b.Flag.MISSING in v.flags)'
result "Error: a missing file, with its errno" raises "2 $scratch/none: cannot be read: " \
	"b.Recording('$scratch/none')"
result "Error: an unknown metric" raises "2 metric 'IPD': " 'b.Recording(path, metrics=["IPD"])'
result "Error: an unknown event" raises "2 event 'NO.EVENT': " 'b.Recording(path, events=["NO.EVENT"])'
result "Error: too short an interval" raises '22 -I: shorter than the 50 ms' \
	'b.Recording(path, metrics=["Retiring"], interval=1e-3).columns()'
result "Error: no event and no metric" raises '22 libbarepmu: nothing to count; ' \
	'b.Recording(path).columns()'
result "Error: no such CPU" raises '19 ' 'b.Recording(path, cpus=99)'
result "Live: without the module" raises '2 module: not loaded; ' 'b.Live()'
result "a string in place of a list is refused" prints \
	'events and metrics are lists of names, not one string' '
try:
    b.Recording(path, metrics="Retiring")
except TypeError as error:
    print(error)'
result "a closed handle is refused" prints 'the handle is closed; open another one' '
with b.Recording(path, metrics=["Retiring"]) as r:
    pass
try:
    r.read()
except ValueError as error:
    print(error)'
result "without the library the import says what to install" prints \
	'libbarepmu.so.0: not found; install libbarepmu0, or set LD_LIBRARY_PATH to its folder' "
import os, subprocess
e = dict(os.environ, LD_LIBRARY_PATH='')
p = subprocess.run([sys.executable, '-c', 'import barepmu'], env=e, capture_output=True, text=True)
print(p.stderr.splitlines()[-1].removeprefix('ImportError: '))"
result "examples have at most 40 lines each" examples_are_short
result "columns.py prints the tool's values" example
result "columns.py prints the names of the columns" \
	[ "$(columns Retiring Core_Bound | sed -n 1p)" = seconds,Retiring,Core_Bound ]
result "columns.py names an unknown metric" fails IPD columns IPD
result "columns.py plots with matplotlib" stand_in
result "live.py says that the module is not loaded" fails 'module: not loaded' "$python" \
	"$examples/live.py"
finish
