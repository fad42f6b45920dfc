// SPDX-License-Identifier: GPL-2.0
/*
 * What serve's filter of system calls leaves to whoever reads and writes files by the C
 * library: one name a line, with what came of it.
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
