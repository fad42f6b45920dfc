// SPDX-License-Identifier: GPL-2.0
/*
 * Turns one mutant on. A mutant is a fault that is put into the source code to see whether a test
 * fails. All mutants are compiled into the program; the environment variable MUTANT is the number
 * of the mutant that is on. The program writes to the file MUTANT_PLACES.seen the number of each
 * mutant whose place in the code it reaches, in a line of the mutant's own; other lines have only
 * bytes 0. The file is mapped, because the program may be killed, may have no right to open files
 * any more, and tests put functions of their own in the place of the C library's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE 5

/*
 * Section of the variables of the mutants. They are not in .data and .bss, because a test of the
 * tool (tests/user/library.sh) has a list of the variables that may be in .data and .bss.
 */
#define MUTANTS __attribute__((section("mutants")))

int bpmu_mutant MUTANTS;
char *bpmu_mutant_places MUTANTS;
char bpmu_mutant_seen[BPMU_MUTANTS] MUTANTS;

/**
 * bpmu_mutant_note() - note that the program has reached the place of a mutant
 * @number: number of the mutant
 */
void bpmu_mutant_note(int number)
{
	char line[LINE + 1];

	bpmu_mutant_seen[number] = 1;
	if (!bpmu_mutant_places)
		return;
	snprintf(line, sizeof(line), "%*d\n", LINE - 1, number);
	memcpy(bpmu_mutant_places + LINE * number, line, LINE);
}

/**
 * bpmu_mutant_copy() - copy a faulty table over the real table, if the mutant of the table is on
 * @number: number of the mutant (the fault in the table)
 * @to: the real table, which is read-only
 * @from: the table with the fault
 * @size: size of each table in bytes
 *
 * Each program that is linked with the real table calls this function when it starts. So it counts
 * as a program that has reached the mutant, even if it never reads the table.
 */
void bpmu_mutant_copy(int number, void *to, const void *from, unsigned long size)
{
	unsigned long page = sysconf(_SC_PAGESIZE);
	unsigned long first = (unsigned long)to & ~(page - 1);

	bpmu_mutant_note(number);
	if (bpmu_mutant != number)
		return;
	if (mprotect((void *)first, (unsigned long)to + size - first, PROT_READ | PROT_WRITE))
		abort();
	memcpy(to, from, size);
}

/* Maps the file for the places. Neither openat() nor fdopen() is one that a test replaces. */
static char *map_places(const char *name)
{
	char path[4096];
	char *at = MAP_FAILED;
	FILE *file;

	snprintf(path, sizeof(path), "%s.seen", name);
	file = fdopen(openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), "r+");
	if (!file)
		return NULL;
	if (!ftruncate(fileno(file), LINE * BPMU_MUTANTS))
		at = mmap(NULL, LINE * BPMU_MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED,
			  fileno(file), 0);
	fclose(file);
	return at == MAP_FAILED ? NULL : at;
}

/*
 * Reads the number of the mutant that is on, 0 for none, and whether places are to be noted.
 * Constructor 101 runs before the constructors 102, which copy the faulty table of this mutant over
 * the real table.
 */
static void __attribute__((constructor(101))) choose(void)
{
	const char *text = getenv("MUTANT");

	bpmu_mutant = text ? atoi(text) : 0;
	text = getenv("MUTANT_PLACES");
	if (text)
		bpmu_mutant_places = map_places(text);
}
