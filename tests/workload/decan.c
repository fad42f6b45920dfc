// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: decan NAME [TIMES]
 *
 * Calls the function NAME TIMES times. Each function contains one loop with a known bottleneck.
 * They are for tests of "barepmu decan", which makes variants of a loop, each without some of its
 * instructions, and compares their times. Some loops are like the codes in the DECAN papers, which
 * are not available.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#define PAGE 4096

/* Number of doubles of an array that fits the L1D. */
#define SMALL 256
/* Number of doubles of an array that is larger than all caches of the simulated CPU. */
#define LARGE (4 << 20)
#define ROWS 4096
#define CHOICES 8192
#define ADDS 1000000
#define COUNTS 100000
/*
 * Number of pages by which the function deep() extends the stack: more than the kernel maps for the
 * stack when a program starts.
 */
#define DEPTH 256
/*
 * Number of elements of an array that each of the loops offset1() to offset8() loads: a multiple of
 * 1, 2, 4 and 8, because offset8() loads eight elements in each iteration.
 */
#define MOVED 480

static double vhilf[2 * SMALL] __attribute__((aligned(PAGE)));
static double temp[2 * SMALL] __attribute__((aligned(PAGE)));
static double acx[2 * SMALL] __attribute__((aligned(PAGE)));
static double AM[LARGE] __attribute__((aligned(PAGE)));
static double PHI[SMALL] __attribute__((aligned(PAGE)));
static double ompu[LARGE] __attribute__((aligned(PAGE)));
static double ompl[LARGE] __attribute__((aligned(PAGE)));
static unsigned char choices[CHOICES];
static double *next[SMALL];
static long counter[2][8] __attribute__((aligned(64)));
static long *shared;
static int output = -1;

/*
 * 4K aliasing, as in MAGMA's matvec: the addresses of a store and two loads have the same low 12
 * bits. Each load gives the address of the next load. Each load also waits for the older store,
 * with which it seems to overlap. decan makes variants of this loop, without some of its
 * instructions. In a variant without one of the loads, the other load still waits. In a variant
 * without both loads, or in one without the store, the multiplications are the bottleneck.
 * matvec_bare() is the variant without the store, written by hand to check decan's: it has a NOP of
 * 4 bytes in place of the store.
 */
#define MATVEC(name, store)                                                    \
	__attribute__((noinline)) static void name(void)                       \
	{                                                                      \
		double *out = vhilf;                                           \
		const double *t = temp, *a = acx;                              \
		long n = SMALL, x = 1;                                         \
		asm volatile("pxor %%xmm2, %%xmm2\n\t"                         \
			     ".p2align 5\n"                                    \
			     "1:\n\t"                                          \
			     store                                             \
			     "movsd (%1), %%xmm0\n\t"                          \
			     "movsd (%2), %%xmm1\n\t"                          \
			     "movq %%xmm0, %%rax\n\t"                          \
			     "movq %%xmm1, %%rdx\n\t"                          \
			     "lea 8(%1,%%rax), %1\n\t"                         \
			     "lea 8(%2,%%rdx), %2\n\t"                         \
			     "imul %4, %4\n\t"                                 \
			     "imul %4, %4\n\t"                                 \
			     "imul %4, %4\n\t"                                 \
			     "add $8, %0\n\t"                                  \
			     "dec %3\n\t"                                      \
			     "jnz 1b"                                          \
			     : "+r" (out), "+r" (t), "+r" (a), "+r" (n),       \
			       "+r" (x)                                        \
			     :                                                 \
			     : "rax", "rdx", "xmm0", "xmm1", "xmm2", "cc",     \
			       "memory");                                      \
	}

#define NOP4 ".byte 0x0f, 0x1f, 0x40, 0x00\n\t"

MATVEC(matvec, "movsd %%xmm2, (%0)\n\t")
MATVEC(matvec_bare, NOP4)

/*
 * 4K aliasing with a store whose address is known late, because it depends on the previous load.
 * The next load waits for such a store, on AMD's Zen, too. late_bare() is the variant of the loop
 * without the store, written by hand to check the variant that decan makes: it has a NOP in place
 * of the store.
 */
#define LATE(name, store)                                                      \
	__attribute__((noinline)) static void name(void)                       \
	{                                                                      \
		double *out = vhilf;                                           \
		const double *in = temp;                                       \
		long n = 8 * SMALL;                                            \
		asm volatile("xor %%eax, %%eax\n\t"                            \
			     "pxor %%xmm1, %%xmm1\n\t"                         \
			     ".p2align 5\n"                                    \
			     "1:\n\t"                                          \
			     store                                             \
			     "movsd (%1), %%xmm0\n\t"                          \
			     "movq %%xmm0, %%rax\n\t"                          \
			     "imul $1, %%rax, %%rax\n\t"                       \
			     "imul $1, %%rax, %%rax\n\t"                       \
			     "imul $1, %%rax, %%rax\n\t"                       \
			     "dec %2\n\t"                                      \
			     "jnz 1b"                                          \
			     : "+r" (out), "+r" (in), "+r" (n)                 \
			     :                                                 \
			     : "rax", "xmm0", "xmm1", "cc", "memory");         \
	}

LATE(late, "movsd %%xmm1, (%0,%%rax)\n\t")
LATE(late_bare, NOP4)

/*
 * Cache misses, as in RECOM's rbgauss. The loop loads three doubles from every second line of a
 * long array, and one double from a short array. In a variant without one load of the long array,
 * the other two still miss the caches.
 */
__attribute__((noinline)) static void rbgauss(void)
{
	const double *am = AM, *phi = PHI;
	long n = LARGE / 64;

	asm volatile("pxor %%xmm3, %%xmm3\n\t"
		     ".p2align 5\n"
		     "1:\n\t"
		     "movsd (%0), %%xmm0\n\t"
		     "addsd 8(%0), %%xmm0\n\t"
		     "addsd 16(%0), %%xmm0\n\t"
		     "mulsd (%1), %%xmm0\n\t"
		     "addsd %%xmm0, %%xmm3\n\t"
		     "movsd %%xmm3, 8(%1)\n\t"
		     "add $128, %0\n\t"
		     "dec %2\n\t"
		     "jnz 1b"
		     : "+r" (am), "+r" (phi), "+r" (n)
		     :
		     : "xmm0", "xmm3", "cc", "memory");
}

/*
 * Cache misses and dependences, as in DASSAULT's eufluxm. Each iteration loads from a new page of
 * each of two arrays, and the addresses of the next iteration depend on both loads. In a variant
 * without one of the loads, the other load still misses the caches.
 */
__attribute__((noinline)) static void eufluxm(void)
{
	const double *u = ompu, *l = ompl;
	double *vec = PHI;
	long n = ROWS;

	asm volatile(".p2align 5\n"
		     "1:\n\t"
		     "movsd (%0), %%xmm0\n\t"
		     "movsd (%1), %%xmm1\n\t"
		     "movsd (%2), %%xmm2\n\t"
		     "orps %%xmm1, %%xmm0\n\t"
		     "addsd %%xmm0, %%xmm2\n\t"
		     "movq %%xmm0, %%rax\n\t"
		     "movsd %%xmm2, 8(%2)\n\t"
		     "lea 4160(%0,%%rax), %0\n\t"
		     "lea 4160(%1,%%rax), %1\n\t"
		     "dec %3\n\t"
		     "jnz 1b"
		     : "+r" (u), "+r" (l), "+r" (vec), "+r" (n)
		     :
		     : "rax", "xmm0", "xmm1", "xmm2", "cc", "memory");
}

/* A chain of divisions: each division depends on the previous one. */
__attribute__((noinline)) static void divide(void)
{
	double *v = PHI;
	long n = SMALL - 1;

	asm volatile(".p2align 5\n"
		     "1:\n\t"
		     "movsd (%0), %%xmm0\n\t"
		     "addsd %%xmm2, %%xmm0\n\t"
		     "divsd %%xmm1, %%xmm2\n\t"
		     "movsd %%xmm0, 8(%0)\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (v), "+r" (n)
		     :
		     : "xmm0", "xmm1", "xmm2", "cc", "memory");
}

/* A chain of a million additions, each of one cycle: each addition depends on the previous one. */
__attribute__((noinline)) static void chain(void)
{
	long n = ADDS / 10, sum = 0;

	asm volatile(".p2align 5\n"
		     "1:\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "add $1, %1\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (n), "+r" (sum)
		     :
		     : "cc");
}

/* A branch on random data, which cannot be predicted. */
__attribute__((noinline)) static void branch(void)
{
	const unsigned char *c = choices;
	long n = CHOICES, sum = 0;

	asm volatile(".p2align 5\n"
		     "1:\n\t"
		     "cmpb $0, (%0)\n\t"
		     "je 2f\n\t"
		     "add $3, %2\n\t"
		     "2:\n\t"
		     "inc %0\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (c), "+r" (n), "+r" (sum)
		     :
		     : "cc", "memory");
}

/*
 * A load gives the address of the next access. A variant that decan makes of this loop by removing
 * the load accesses an invalid address.
 */
__attribute__((noinline)) static void indirect(void)
{
	double **at = next;
	long n = SMALL - 1;

	asm volatile("1:\n\t"
		     "movq (%0), %%xmm0\n\t"
		     "movq %%xmm0, %%rax\n\t"
		     "movsd (%%rax), %%xmm1\n\t"
		     "add $8, %0\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (at), "+r" (n)
		     :
		     : "rax", "xmm0", "xmm1", "cc", "memory");
}

/* A loaded value ends the loop. A variant from which decan has removed the load never ends. */
__attribute__((noinline)) static void search(void)
{
	static double field[SMALL];
	const double *at = field;
	double end = 1;

	field[SMALL - 1] = 1;
	asm volatile("1:\n\t"
		     "movsd (%0), %%xmm0\n\t"
		     "and $-8, %0\n\t"
		     "add $8, %0\n\t"
		     "cmp %2, %0\n\t"
		     "cmove %3, %0\n\t"
		     "ucomisd %1, %%xmm0\n\t"
		     "jne 1b"
		     : "+r" (at)
		     : "x" (end), "r" (field + SMALL), "r" (field)
		     : "xmm0", "cc", "memory");
}

/*
 * The stores of this loop go to a file that is mapped with MAP_SHARED. The runs of decan must not
 * change the file.
 */
__attribute__((noinline)) static void publish(void)
{
	long n = 100;
	long *at = shared;

	asm volatile("1:\n\t"
		     "movq %%xmm0, (%0)\n\t"
		     "incq 8(%0)\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (at), "+r" (n)
		     :
		     : "xmm0", "cc", "memory");
}

/* Calls write() for one byte in each iteration. */
__attribute__((noinline)) static void writing(void)
{
	long n = 3, result;

	asm volatile("1:\n\t"
		     "movsd (%3), %%xmm0\n\t"
		     "mov $1, %%eax\n\t"
		     "mov %2, %%edi\n\t"
		     "mov %3, %%rsi\n\t"
		     "mov $1, %%edx\n\t"
		     "syscall\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "=&a" (result), "+b" (n)
		     : "r" (output), "r" (PHI)
		     : "rdi", "rsi", "rdx", "rcx", "r11", "xmm0", "cc",
		       "memory");
}

/* A loop that takes only some nanoseconds. */
__attribute__((noinline)) static void brief(void)
{
	const double *at = PHI;
	long n = 8;

	asm volatile("1:\n\t"
		     "movsd (%0), %%xmm0\n\t"
		     "add $8, %0\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (at), "+r" (n)
		     :
		     : "xmm0", "cc", "memory");
}

/*
 * Increments the counter @at. Another thread may write to the same counter, or to its cache line.
 */
__attribute__((noinline)) static void count(long *at)
{
	long n = COUNTS;

	asm volatile(".p2align 5\n"
		     "1:\n\t"
		     "movq (%0), %%xmm0\n\t"
		     "movq %%xmm0, (%0)\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (at), "+r" (n)
		     :
		     : "xmm0", "cc", "memory");
}

/*
 * a[i] = b[i - distance], with 4K aliasing: the addresses of the arrays have the same low 12 bits,
 * so that a load waits for the data of an older store. The address of a load depends on the element
 * that was loaded @distance iterations before. So there are @distance independent chains of loads.
 * The more chains there are, the more of the waiting time is hidden by the multiplications.
 */
#define OFFSET(distance, registers, ...)                                       \
	__attribute__((noinline)) static void offset##distance(void)           \
	{                                                                      \
		double *a = vhilf + 8;                                         \
		const double *b = temp + 8;                                    \
		long n = MOVED / (distance), x = 1;                            \
		asm volatile(".irp r, " registers "\n\t"                       \
			     "xor %%\\r, %%\\r\n\t"                            \
			     ".endr\n\t"                                       \
			     ".p2align 5\n"                                    \
			     "1:\n\t"                                          \
			     ".irp r, " registers "\n\t"                       \
			     "movsd -8*" #distance "(%1,%%\\r), %%xmm0\n\t"    \
			     "movq %%xmm0, %%\\r\n\t"                          \
			     "movsd %%xmm0, (%0)\n\t"                          \
			     "imul %3, %3\n\t"                                 \
			     "add $8, %0\n\t"                                  \
			     "add $8, %1\n\t"                                  \
			     ".endr\n\t"                                       \
			     "dec %2\n\t"                                      \
			     "jnz 1b"                                          \
			     : "+r" (a), "+r" (b), "+r" (n), "+r" (x)          \
			     :                                                 \
			     : __VA_ARGS__, "xmm0", "cc", "memory");           \
	}

OFFSET(1, "r8", "r8")
OFFSET(2, "r8,r9", "r8", "r9")
OFFSET(4, "r8,r9,r10,r11", "r8", "r9", "r10", "r11")
OFFSET(8, "r8,r9,r10,r11,r12,r13,r14,r15", "r8", "r9", "r10", "r11",
	"r12", "r13", "r14", "r15")

/* A loop of thirty instructions: decan makes a variant for each of them. */
__attribute__((noinline)) static void wide(void)
{
	long n = SMALL;

	asm volatile("1:\n\t"
		     ".rept 29\n\t"
		     "movsd (%1), %%xmm0\n\t"
		     ".endr\n\t"
		     "movsd %%xmm0, 8(%1)\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (n)
		     : "r" (PHI)
		     : "xmm0", "cc", "memory");
}

/*
 * The loaded value is added to the address of the store; it is the length of two pages. In a
 * variant from which decan has removed the load, the value is 0, and the store goes to an address
 * that is two pages lower.
 */
__attribute__((noinline)) static void aside(void)
{
	static const long distance = 2 * PAGE;
	double *at = ompu;
	long n = SMALL;

	asm volatile("pxor %%xmm0, %%xmm0\n"
		     "1:\n\t"
		     "movsd (%2), %%xmm0\n\t"
		     "movq %%xmm0, %%rax\n\t"
		     "movsd %%xmm0, (%0,%%rax)\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+r" (at), "+r" (n)
		     : "r" (&distance)
		     : "rax", "xmm0", "cc", "memory");
}

/* Extends the stack by one page in each iteration. */
__attribute__((noinline)) static void deep(void)
{
	long n = DEPTH, stack;

	asm volatile("mov %%rsp, %1\n"
		     "1:\n\t"
		     "sub $4096, %%rsp\n\t"
		     "movsd %%xmm0, (%%rsp)\n\t"
		     "movsd (%2), %%xmm0\n\t"
		     "dec %0\n\t"
		     "jnz 1b\n\t"
		     "mov %1, %%rsp"
		     : "+r" (n), "=&r" (stack)
		     : "r" (PHI)
		     : "xmm0", "cc", "memory");
}

/* Jumps to an address in a register in each iteration, as a jump by a table does. */
__attribute__((noinline)) static void table(void)
{
	long n = SMALL, to;

	asm volatile("1:\n\t"
		     "lea 2f(%%rip), %0\n\t"
		     "jmp *%0\n"
		     "2:\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "=&r" (to), "+r" (n)
		     :
		     : "cc");
}

/* All threads increment the same counter, by locked instructions. */
__attribute__((noinline)) static void together(void)
{
	long n = SMALL;

	asm volatile("1:\n\t"
		     "lock incq %0\n\t"
		     "dec %1\n\t"
		     "jnz 1b"
		     : "+m" (counter[0][0]), "+r" (n)
		     :
		     : "cc");
}

static void *other_together(void *times)
{
	long n = (long)times;

	while (n--)
		together();
	return NULL;
}

static void *other_count(void *times)
{
	long n = (long)times;

	while (n--)
		count(&counter[0][1]);
	return NULL;
}

/* False sharing: two threads increment different counters in the same cache line. */
static void false_sharing(unsigned long times)
{
	pthread_t thread;

	pthread_create(&thread, NULL, other_count, (void *)times);
	while (times--)
		count(&counter[0][0]);
	pthread_join(thread, NULL);
}

static void *third_count(void *times)
{
	long n = (long)times;

	while (n--)
		count(&counter[0][2]);
	return NULL;
}

/* False sharing by three threads, which increment different counters in the same cache line. */
static void three_sharing(unsigned long times)
{
	pthread_t thread;

	pthread_create(&thread, NULL, third_count, (void *)times);
	false_sharing(times);
	pthread_join(thread, NULL);
}

/* True sharing: two threads increment the same counter. */
static void true_sharing(unsigned long times)
{
	pthread_t thread;

	pthread_create(&thread, NULL, other_together, (void *)times);
	other_together((void *)times);
	pthread_join(thread, NULL);
}

static void prepare(const char *file)
{
	unsigned int random = 1;
	int i;

	for (i = 0; i < CHOICES; i++) {
		random = random * 1103515245 + 12345;
		choices[i] = random >> 30 & 1;
	}
	for (i = 0; i < SMALL; i++)
		next[i] = PHI;
	for (i = 0; i < LARGE; i += PAGE / 8) {
		AM[i] = 0;
		ompu[i] = 0;
		ompl[i] = 0;
	}
	if (!file)
		return;
	output = open(file, O_RDWR | O_CREAT, 0600);
	if (ftruncate(output, PAGE))
		perror(file);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, output,
		      0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} loops[] = {
		{ "matvec", matvec }, { "rbgauss", rbgauss },
		{ "eufluxm", eufluxm }, { "divide", divide },
		{ "chain", chain }, { "branch", branch },
		{ "indirect", indirect }, { "search", search },
		{ "publish", publish }, { "writing", writing },
		{ "brief", brief }, { "offset1", offset1 },
		{ "offset2", offset2 }, { "offset4", offset4 },
		{ "offset8", offset8 }, { "wide", wide },
		{ "table", table }, { "alone", together },
		{ "deep", deep }, { "aside", aside },
		{ "matvec_bare", matvec_bare }, { "late", late },
		{ "late_bare", late_bare },
	};
	unsigned long times = iterations(argc - 1, argv + 1, 4);
	unsigned int i;

	prepare(argc > 3 ? argv[3] : NULL);
	if (argc > 1 && !strcmp(argv[1], "count")) {
		false_sharing(times);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "three")) {
		three_sharing(times);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "together")) {
		true_sharing(times);
		return 0;
	}
	for (i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (argc < 2 || strcmp(argv[1], loops[i].name))
			continue;
		while (times--)
			loops[i].run();
		return 0;
	}
	fputs("decan: name one of its loops\n", stderr);
	return 2;
}
