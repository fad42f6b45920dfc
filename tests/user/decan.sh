#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who calls "barepmu decan" in a way that cannot work is told so before the program starts.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)

# refuses STATUS TEXT: checks the exit status and that TEXT was printed
refuses()
{
	[ "$status" -eq "$1" ] && says "$2"
}

# plain: checks that table and page have the name of the variant without its control characters
plain()
{
	[ "$(grep -cF "mat/?[31mvec?_loop0_loads" <<<"$said")" -ge 2 ] &&
		[[ $said != *[$'\033\233']* ]]
}

# standard: checks that the page is on the standard output and not in a file named "-"
standard()
{
	says "<!DOCTYPE html>" && [ ! -e "$scratch/-" ]
}

make -s -C "$top/tests/workload"
program=$top/build/workload/decan

tool decan
result "a missing command is refused" refuses 2 "decan: no command; name the program"
tool decan --kind lds -- "$program"
result "an unknown --kind is refused" refuses 2 "--kind 'lds': not known"
tool decan -r 5 -- "$program"
result "-r with too few rounds for an interval is refused" refuses 2 "-r"
tool decan --loop 0 -- "$program" matvec 2
result "--loop without -f is refused" refuses 1 \
	"--loop 0: of which function? name it with -f"
tool decan -f nothing --loop 0 -- "$program" matvec 2
result "an unknown function is refused" refuses 1 "function 'nothing': not in"
tool decan -f matvec --loop x -- "$program" matvec 2
result "--loop with neither a number nor a range is refused" refuses 1 \
	"--loop 'x': is neither a number nor START-END"
tool decan -f matvec --loop 0 -- "$scratch/nothing"
result "a command that does not exist is refused" refuses 1 "command '$scratch/nothing'"
tool decan -f matvec --loop 0 -- "$program" chain 2
result "a loop that the command never enters is an error" refuses 1 \
	"loop: never entered by this command"
tool decan -C 8191 -f matvec --loop 0 -r 6 --kind loads -- "$program" matvec 2
result "a CPU beyond those of the machine is refused" refuses 1 \
	"CPU 8191: the program cannot run there: Invalid argument; take another one with -C"
tool decan -C 8192 -f matvec --loop 0 -- "$program" matvec 2
result "a CPU beyond those of any kernel is refused" refuses 2 "-C '8192': not a number from 0 to 8191"
tool decan -f chain --loop 0 -e cycles -- "$program" chain 2
result "-e without the module is an error" refuses 1 "module: not loaded"

printf '#!/bin/sh\nexec "%s" matvec 2\n' "$program" >"$scratch/script"
chmod +x "$scratch/script"
tool decan -f matvec --loop 0 -- "$scratch/script"
result "a script is refused, because the function is not in its interpreter" refuses 1 "not in"

tool decan -f matvec --list --loop 0 -- "$program" matvec 2
result "--list prints the candidates of a loop" says "candidates of loop 0"
result "--list succeeds" [ "$status" -eq 0 ]

# A program is a foreign file: its names may contain any bytes, and those of Go contain slashes.
foreign=$(printf 'mat/\033[31mvec\233')
objcopy --redefine-sym "matvec=$foreign" "$program" "$scratch/renamed"
tool decan -f "$foreign" --list --loop 0 -- "$scratch/renamed" matvec 2
result "control characters in a function's name are replaced in a list" \
	says "mat/?[31mvec? in $scratch/renamed"
cd "$scratch" || exit
tool decan -f "$foreign" --loop 0 -r 6 --kind loads --write variants --html - \
	-- ./renamed matvec 2
result "control characters in a function's name are replaced in a table and a page" plain
result "--html - writes the page to the standard output" standard
result "--write: a slash in a function's name becomes an underscore in that of the file" \
	[ -x "$scratch/variants/mat_?[31mvec?_loop0_loads" ]

# The loader finds an unusable library before the system's. The file names are those of Debian 12
# and 13.
mkdir "$scratch/lib"
echo nothing | tee "$scratch/lib/libZydis.so.4.0" >"$scratch/lib/libZydis.so.4.1"
LD_LIBRARY_PATH=$scratch/lib tool decan -f matvec --loop 0 -- "$program" matvec 2
version=${said##*install Zydis }
version=${version%% *}
result "the error names the package of a missing Zydis" refuses 1 "install Zydis 4.${version#4.} (Debian: libzydis4.${version#4.})"
finish
