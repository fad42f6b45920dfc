// SPDX-License-Identifier: GPL-2.0
/*
 * Tries to read and write files and to open a socket, by functions of the C library, after the
 * filter of system calls of "barepmu serve" has been set. Prints a line with the result of each
 * try.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "cmd/serve/confine.h"

static void say(const char *what, bool works)
{
	printf("%s %s\n", what, works ? "works" : strerror(errno));
}

int main(void)
{
	struct bpmu_error err = { };
	struct stat status;
	char line[80];
	FILE *file;

	if (bpmu_confine_calls(&err)) {
		puts(err.text);
		return 1;
	}
	file = fopen("/proc/self/status", "r");
	say("read", file && fgets(line, sizeof(line), file));
	say("stat", !stat("/proc/self/status", &status));
	say("write", fopen("/dev/null", "w"));
	say("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
	return 0;
}
