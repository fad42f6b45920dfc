// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: atonce COUNT COUNTER TITLE COUNTER TITLE
 *
 * Two processes ask the module for sessions at the same time. The first COUNTER and TITLE are for
 * one process, the second ones for the other. COUNTER is the number of an uncore counter in
 * uapi/linux/barepmu.h. TITLE is the name that the module's sentences have for the uncore units
 * with this counter. Each process asks COUNT times for a session on its COUNTER. The module must
 * refuse each request by a sentence that begins with TITLE. Prints "own N", the number of such
 * sentences, and "other N", the number of other answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/barepmu.h>

#include "../netlink/genl.h"

/*
 * Asks @times times for a session on @counter. Returns the number of refusals whose sentence begins
 * with @title, and prints each answer that is something else.
 */
static unsigned int ask(unsigned int times, unsigned int counter, const char *title)
{
	static struct genl genl;
	unsigned int own = 0;

	if (genl_open(&genl)) {
		perror("atonce: no family barepmu");
		return 0;
	}
	while (times--) {
		genl_put_group_as(genl_new(&genl, BPMU_CMD_CONFIGURE, 0),
				  BPMU_A_UNCORE_GROUP, counter, 1);
		if (genl_send(&genl) && !strncmp(genl.sentence, title, strlen(title)))
			own++;
		else
			fprintf(stderr, "# not of the %s: %s\n", title, genl.sentence);
	}
	genl_close(&genl);
	return own;
}

int main(int argc, char **argv)
{
	unsigned int times, own, theirs = 0;
	int ends[2];
	pid_t child;

	if (argc != 6 || pipe(ends)) {
		fprintf(stderr, "usage: atonce COUNT COUNTER TITLE COUNTER TITLE\n");
		return 2;
	}
	times = atoi(argv[1]);
	child = fork();
	if (!child) {
		own = ask(times, atoi(argv[4]), argv[5]);
		return write(ends[1], &own, sizeof(own)) != sizeof(own);
	}
	close(ends[1]);
	own = ask(times, atoi(argv[2]), argv[3]);
	if (child < 0 || read(ends[0], &theirs, sizeof(theirs)) != sizeof(theirs))
		perror("atonce: no answer of the other process");
	waitpid(child, NULL, 0);
	printf("own %u\nother %u\n", own + theirs, 2 * times - own - theirs);
	return 0;
}
