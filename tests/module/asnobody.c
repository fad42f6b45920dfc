// SPDX-License-Identifier: GPL-2.0
/* Executes a command as a user without any privilege. */
#include <stdio.h>
#include <unistd.h>

#define NOBODY 65534

int main(int argc, char **argv)
{
	if (argc < 2 || setgid(NOBODY) || setuid(NOBODY)) {
		perror("asnobody");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
