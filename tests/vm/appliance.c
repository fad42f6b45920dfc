// SPDX-License-Identifier: GPL-2.0
/*
 * The first process (PID 1) of a virtual machine whose file system has only this program, the
 * static tool and, unless it is built into the kernel, the module. There is no shell, no library
 * and no disk. The program loads the module and executes commands of the tool. It prints test
 * results (TAP) and the maximum resident memory of each command.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define TOOL	"/barepmu"
#define MODULE	"/barepmu.ko"
#define SAID	"/tmp/said"
#define PORT	9742

/* Maximum resident memory that the tool may use, in KiB. */
#define MOST	8192

/* Number of iterations of the workload; each has at least four instructions. */
#define ITERATIONS	2000000UL

static char text[1 << 18];
static long resident;
static int number;

static void result(bool good, const char *what)
{
	printf("%sok %d appliance: %s\n", good ? "" : "not ", ++number, what);
}

/* read_from() - read a file up to its end into the string @text */
static void read_from(int fd)
{
	size_t length = 0;
	ssize_t got;

	while (fd >= 0 && length < sizeof(text) - 1) {
		got = read(fd, text + length, sizeof(text) - 1 - length);
		if (got <= 0)
			break;
		length += got;
	}
	text[length] = '\0';
	close(fd);
}

static pid_t start(char *const argv[])
{
	pid_t child = fork();
	int fd;

	if (child)
		return child;
	fd = open(SAID, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	execv(TOOL, argv);
	_exit(127);
}

/* ended() - wait for the end of a command, and update the maximum of resident memory */
static bool ended(pid_t child, const char *name)
{
	struct rusage used;
	int status = -1;

	wait4(child, &status, 0, &used);
	printf("# %s: %ld KiB resident\n", name, used.ru_maxrss);
	if (used.ru_maxrss > resident)
		resident = used.ru_maxrss;
	if (!status)
		return true;
	read_from(open(SAID, O_RDONLY));
	printf("# status %#x\n%s\n", status, text);
	return false;
}

/* says() - execute a command, and check that it succeeds and prints @wanted */
static bool says(char *const argv[], const char *wanted)
{
	if (!ended(start(argv), argv[1]))
		return false;
	read_from(open(SAID, O_RDONLY));
	if (strstr(text, wanted))
		return true;
	printf("# without \"%s\":\n%s\n", wanted, text);
	return false;
}

/*
 * counts() - execute "stat" and check the number of instructions in its CSV, for all CPUs. It must
 * be at least the workload's number of instructions, and below 2^40: a count that went wrong when a
 * counter wrapped would be larger
 */
static bool counts(void)
{
	static char *const stat[] = { TOOL, "stat", "-x,", "-e", "instructions", "--", "/init",
				      "work", NULL };
	static const char name[] = ",instructions,";
	unsigned long instructions;
	char *row;

	if (!says(stat, name))
		return false;
	row = strstr(text, name);
	instructions = strtoul(row + strlen(name), NULL, 10);
	printf("# %lu instructions\n", instructions);
	return instructions >= 4 * ITERATIONS && instructions < 1UL << 40;
}

static int connected(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct timespec moment = { .tv_nsec = 100000000 };
	int tries;
	int fd;

	for (tries = 0; tries < 600; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
			return fd;
		close(fd);
		nanosleep(&moment, NULL);
	}
	return -1;
}

/* fetched() - get /metrics of "barepmu serve" by HTTP again and again, until it has counts */
static bool fetched(void)
{
	static const char get[] = "GET /metrics HTTP/1.0\r\n\r\n";
	struct timespec second = { .tv_sec = 1 };
	int tries;
	int fd;

	for (tries = 0; tries < 60; tries++) {
		fd = connected();
		if (fd < 0 || write(fd, get, sizeof(get) - 1) < 0)
			return false;
		read_from(fd);
		if (strstr(text, "\nbarepmu_events_total{"))
			return true;
		nanosleep(&second, NULL);
	}
	printf("# the last page:\n%s\n", text);
	return false;
}

static bool serves(void)
{
	static char *const argv[] = { TOOL, "serve", "-I", "1s", NULL };
	pid_t child = start(argv);
	bool good = fetched();

	kill(child, SIGTERM);
	return ended(child, argv[1]) && good;
}

static void loopback_up(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
}

static bool loads(void)
{
	if (!syscall(SYS_finit_module, open(MODULE, O_RDONLY), "", 0))
		return true;
	printf("# %s: %s\n", MODULE, strerror(errno));
	return false;
}

static void tests(void)
{
	static char *const check[] = { TOOL, "check", NULL };
	static char *const topdown[] = { TOOL, "topdown", "-l", "2", "--", "/init", "work", NULL };
	static char *const record[] = { TOOL, "record", "--topdown", "2", "-o", "/tmp/run", "--",
					"/init", "work", NULL };
	static char *const report[] = { TOOL, "report", "/tmp/run", NULL };

	printf("TAP version 13\n1..8\n");
	result(access(MODULE, F_OK) ? !access("/sys/module/barepmu", F_OK) : loads(),
	       "the module is loaded");
	result(says(check, "You can measure here."), "check finds that it can measure");
	result(counts(), "stat counts instructions");
	result(says(topdown, "Retiring"), "topdown prints the tree");
	result(says(record, " samples to /tmp/run ("), "record writes samples to tmpfs");
	result(says(report, "Retiring"), "report reads the recording");
	result(serves(), "serve answers with counts");
	result(resident > 0 && resident <= MOST, "each command has at most 8 MiB of resident memory");
}

int main(int argc, char **argv)
{
	volatile unsigned long left = ITERATIONS;

	if (argc > 1 && !strcmp(argv[1], "work")) {
		while (left)
			left--;
		return 0;
	}
	mkdir("/dev", 0755);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/tmp", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("tmp", "/tmp", "tmpfs", 0, NULL);
	dup2(open("/dev/console", O_RDWR), STDOUT_FILENO);
	loopback_up();
	tests();
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	return reboot(RB_POWER_OFF);
}
