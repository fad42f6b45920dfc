#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The threads of "report" have no data race, as far as ThreadSanitizer finds them. Needs a separate
# build and takes minutes, so this is a job of check-long.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
make -s -C "$top/user" SAN=thread || exit
barepmu=$top/build/barepmu-tsan
big=$scratch/big
"$recordings/make-recording" big 16 40 "$big"
"$recordings/make-recording" big 16 40 "$scratch/part" 10
export TSAN_OPTIONS=exitcode=66:halt_on_error=1

# without_randomisation COMMAND...: the sanitizer does not start if addresses are too random
without_randomisation()
{
	setarch -R "$@" >"$scratch/said" 2>&1
}

# planted: a deliberate race must be found; otherwise it means nothing that none is found
planted()
{
	cat >"$scratch/race.c" <<-'C'
	#include <pthread.h>
	static int shared;
	static void *add(void *none) { for (int i = 0; i < 1000; i++) shared++; return none; }
	int main(void)
	{
		pthread_t other;
		if (pthread_create(&other, 0, add, 0))
			return 1;
		add(0);
		return pthread_join(other, 0);
	}
	C
	gcc -fsanitize=thread -O0 -g -o "$scratch/race" "$scratch/race.c" -pthread &&
		! without_randomisation "$scratch/race" && grep -q 'data race' "$scratch/said"
}

# clean OPTION...: checks that four threads succeed and no race is reported
clean()
{
	without_randomisation "$barepmu" report --threads 4 "$@" &&
		! grep -q ThreadSanitizer "$scratch/said" && return
	sed 's/^/# /' "$scratch/said" | head -n 40
	false
}

says_something()
{
	clean "$@" && [ -s "$scratch/said" ]
}

result "ThreadSanitizer finds a deliberate race" planted
result "report of the whole recording has no data race" says_something "$big"
result "report of intervals has no data race" says_something -I 400ms -x, "$big"
result "report of each CPU has no data race" says_something -A -I 4s -x, "$big"
result "report of some CPUs in a window of time has no data race" says_something -C 3,9-11 --from 3.3 --to 30.7 -I 1s -j "$big"
result "report of several files has no data race" says_something -I 1s -x, "$scratch"/part*
result "report --diff has no data race" says_something --diff -I 1s "$big" "$big"
head -c 1500000 "$big" >"$scratch/cut"
result "report of a truncated file has no data race" says_something -I 1s -x, "$scratch/cut"
[ ! -e "$top/build/uplot/uPlot.iife.min.js" ] ||
	result "report --html has no data race" clean --html "$scratch/page" "$big"
finish
