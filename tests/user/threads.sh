#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The threads of "report" under ThreadSanitizer: it must find no data race. Takes a
# separate build and minutes, so it is a job of check-long.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
make -s -C "$top/user" SAN=thread || exit
barepmu=$top/build/barepmu-tsan
big=$scratch/big
"$recordings/make-recording" big 16 40 "$big"
"$recordings/make-recording" big 16 40 "$scratch/part" 10
export TSAN_OPTIONS=exitcode=66:halt_on_error=1

# The sanitizer does not start if address space randomisation is too strong for it.
plainly()
{
	setarch -R "$@" >"$scratch/said" 2>&1
}

# A deliberate race must be found, or finding none means nothing.
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
		! plainly "$scratch/race" && grep -q 'data race' "$scratch/said"
}

# clean OPTION...: checks that four threads succeed and no race is reported
clean()
{
	plainly "$barepmu" report --threads 4 "$@" &&
		! grep -q ThreadSanitizer "$scratch/said" && return
	sed 's/^/# /' "$scratch/said" | head -n 40
	false
}

says_something()
{
	clean "$@" && [ -s "$scratch/said" ]
}

result "a planted race is seen" planted
result "report of the whole recording" says_something "$big"
result "intervals" says_something -I 400ms -x, "$big"
result "each CPU" says_something -A -I 4s -x, "$big"
result "a window of some CPUs" says_something -C 3,9-11 --from 3.3 --to 30.7 -I 1s -j "$big"
result "several files" says_something -I 1s -x, "$scratch"/part*
result "two that are compared" says_something --diff -I 1s "$big" "$big"
head -c 1500000 "$big" >"$scratch/cut"
result "a file that was cut off" says_something -I 1s -x, "$scratch/cut"
[ ! -e "$top/build/uplot/uPlot.iife.min.js" ] ||
	result "a page" clean --html "$scratch/page" "$big"
