// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: region NUMBER idle|busy OUTPUT COMMAND [ARGUMENT]...
 *
 * Executes a command and tells the virtual PMU when a region (a span of time) begins and ends. The
 * virtual PMU writes down, under NUMBER, how many events happened in the region. Meanwhile every
 * CPU is idle, or executes a loop at the lowest priority. The region begins with the command. If
 * OUTPUT is "-", the region ends with the command's first output. Otherwise the command's output is
 * written to the file OUTPUT, and the region ends with the command.
 *
 * Prints the length of the region in nanoseconds, the number of user instructions that the loops
 * have executed in the region, and the command's exit status. The loops pause while the region
 * begins and ends, so that the virtual PMU counts exactly the iterations in the region.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAGIC_LEAF 0x42504d55
#define BEGIN 1
#define END 2

#define REST 3
#define REST_IN_PAUSE 4

/*
 * Time in microseconds for which the loop on a guest CPU sleeps in each iteration, so that the
 * guest can have more CPUs than the host.
 */
#define REST_US 50

/*
 * Number of instructions of one iteration of the loop: the increment of the number of iterations,
 * 250 additions, CPUID and the branch.
 */
#define LOOP_INSTRUCTIONS 256
#define MAX_CPUS 64

/*
 * Number of iterations of the loop on a CPU. It has a cache line of its own, so that loops do not
 * write to the same line.
 */
struct line {
	unsigned long iterations;
	char rest[56];
};

static struct line *lines;
static pid_t loops[MAX_CPUS];
static int nr_loops;

static void die(const char *what)
{
	perror(what);
	exit(125);
}

/*
 * Executes the CPUID leaf that the virtual PMU answers, to call the virtual PMU's function @what.
 */
static void leaf(unsigned int what, unsigned int value)
{
	unsigned int eax = MAGIC_LEAF, ebx = value, ecx = what, edx;

	asm volatile("cpuid"
		     : "+a" (eax), "+b" (ebx), "+c" (ecx), "=d" (edx));
}

/*
 * Executes the loop and counts its iterations in *@iterations. Each iteration sleeps for @rest_us
 * microseconds if that is not 0.
 */
static void spin(unsigned long *iterations, unsigned int rest_us)
{
	asm volatile("1:\n\t"
		     "incq (%0)\n\t"
		     ".rept 250\n\t"
		     "add $1, %%rdx\n\t"
		     ".endr\n\t"
		     "mov %1, %%eax\n\t"
		     "mov %2, %%ebx\n\t"
		     "mov %3, %%ecx\n\t"
		     "cpuid\n\t"
		     "jmp 1b"
		     :
		     : "r" (iterations), "i" (MAGIC_LEAF), "r" (rest_us),
		       "i" (REST)
		     : "rax", "rbx", "rcx", "rdx", "cc", "memory");
}

static void start_loop(int cpu)
{
	const struct sched_param none = { };
	cpu_set_t set;

	loops[cpu] = fork();
	if (loops[cpu] < 0)
		die("fork");
	if (loops[cpu])
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) ||
	    sched_setscheduler(0, SCHED_IDLE, &none) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL))
		die("loop");
	raise(SIGSTOP);
	/*
	 * In a guest with one CPU, QEMU advances the guest's time with the number of executed
	 * instructions (-icount). The loop then needs no sleep, even if the host is slow.
	 */
	spin(&lines[cpu].iterations, nr_loops > 1 ? REST_US : 0);
}

static void start_loops(void)
{
	int cpu;

	lines = mmap(NULL, MAX_CPUS * sizeof(*lines), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	nr_loops = sysconf(_SC_NPROCESSORS_ONLN);
	if (lines == MAP_FAILED || nr_loops > MAX_CPUS)
		die("region");
	for (cpu = 0; cpu < nr_loops; cpu++)
		start_loop(cpu);
}

static void signal_loops(int number)
{
	int i;

	for (i = 0; i < nr_loops; i++)
		kill(loops[i], number);
}

static void wait_until_stopped(void)
{
	int i;

	for (i = 0; i < nr_loops; i++)
		waitpid(loops[i], NULL, WUNTRACED);
}

static unsigned long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/*
 * Returns the file descriptor that becomes the command's standard output. If @output is "-", the
 * descriptor is the writing end of a pipe, and *@output_pipe becomes the reading end. Otherwise the
 * descriptor is the file @output, and *@output_pipe becomes -1.
 */
static int open_output(const char *output, int *output_pipe)
{
	int fd[2];

	*output_pipe = -1;
	if (strcmp(output, "-")) {
		fd[1] = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0600);
		if (fd[1] < 0)
			die(output);
		return fd[1];
	}
	if (pipe2(fd, O_CLOEXEC))
		die("pipe");
	*output_pipe = fd[0];
	return fd[1];
}

/* Starts the command, whose standard output and error are @to. Returns the command's process ID. */
static pid_t start(char **argv, int to)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		if (dup2(to, 1) < 0 || dup2(to, 2) < 0)
			die("output");
		execvp(argv[0], argv);
		die(argv[0]);
	}
	close(to);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Waits for the command's first output. Returns 0, or 1 if the command has ended without output. */
static int wait_for_word(int output_pipe)
{
	char byte;

	return read(output_pipe, &byte, 1) != 1;
}

static void wait_for_silence(int output_pipe)
{
	char bytes[4096];

	while (read(output_pipe, bytes, sizeof(bytes)) > 0)
		;
}

int main(int argc, char **argv)
{
	unsigned long long began, ended, user = 0;
	unsigned int number;
	int status, output_pipe, to, i;
	pid_t pid;

	if (argc < 5)
		return 2;
	number = strtoul(argv[1], NULL, 10);
	to = open_output(argv[3], &output_pipe);
	leaf(REST_IN_PAUSE, REST_US);
	if (!strcmp(argv[2], "busy"))
		start_loops();
	wait_until_stopped();
	leaf(BEGIN, number);
	began = now();
	signal_loops(SIGCONT);
	pid = start(argv + 4, to);
	status = output_pipe < 0 ? status_of(pid) : wait_for_word(output_pipe);
	signal_loops(SIGSTOP);
	wait_until_stopped();
	ended = now();
	leaf(END, number);
	for (i = 0; i < nr_loops; i++)
		user += lines[i].iterations * LOOP_INSTRUCTIONS;
	signal_loops(SIGKILL);
	if (output_pipe >= 0) {
		wait_for_silence(output_pipe);
		status |= status_of(pid);
	}
	printf("%llu %llu %d\n", ended - began, user, status);
	return 0;
}
