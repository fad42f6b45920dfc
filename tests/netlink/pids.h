/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PIDS_H
#define PIDS_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

/*
 * Forks until a child gets the process ID @number, which no process has. Children with other process
 * IDs end at once. Returns what fork() does: 0 in the child, its process ID in the caller, or -1.
 */
static inline pid_t fork_as(pid_t number)
{
	char text[16];
	pid_t pid;
	int fd;

	snprintf(text, sizeof(text), "%d", number - 1);
	do {
		fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
		if (fd < 0)
			return -1;
		if (write(fd, text, strlen(text)) < 0) {
			close(fd);
			return -1;
		}
		close(fd);
		pid = fork();
		if (!pid && getpid() != number)
			_exit(0);
		if (pid > 0 && pid != number)
			waitpid(pid, NULL, 0);
	} while (pid > 0 && pid != number);
	return pid;
}

#endif /* PIDS_H */
