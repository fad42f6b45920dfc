// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: happen {EVENT UMASK BOX COUNT}...
 *
 * Injects events, so that a test knows what a counter has to count. COUNT events with this event
 * code and unit mask occur in a box of the core complex or package of this CPU. The virtual PMU
 * adds them to the counters that count such events. BOX is one of
 *
 *   N                    slice N of the L3
 *   df                   data fabric
 *   umcN                 AMD's memory controller N; UMASK is 1 for a read, 2 for a write
 *   imcN[/K]             memory channel N; with K, during the Kth read of a counter of this
 *                        channel. On clients, memory controller N, and UMASK is a bitmap of
 *                        its channels
 *   haN                  home agent or M2M N
 *   qpiN                 QPI or UPI link N; EVENT can have bit 8, as perf writes it
 *   eclkN, uclkN         Knights Landing's MCDRAM controller N, the counters at the clock of MCDRAM
 *                        or at that of the mesh
 *   mclkN                Knights Landing's memory controller N, the counters at the mesh's clock
 *   m2pcie0              Knights Landing's M2PCIe
 *   cboN/OPCODE[/THREAD] CBo or CHA N; for a lookup, cboN/STATE, where STATE has one bit set
 *   offcore/BITS         request that leaves this CPU's core, BITS as in the extra register;
 *                        EVENT and UMASK are ignored
 *   frontend/BITS        front-end event of this CPU, BITS as in the extra register;
 *                        EVENT and UMASK are ignored
 *   pcu/N                power control unit; N is a frequency in 100 MHz or a number of
 *                        cores
 *   ubox                 UBox
 *   iioN/PART[/CLASS]    IIO stack N, CLASS is a flow control class
 *   irpN                 IRP of IIO stack N
 */
#include <stdbool.h>
#include <string.h>

#include "workload.h"

#define MAGIC_LEAF 0x42504d55
#define HAPPEN 8
#define HAPPEN_FABRIC 9
#define HAPPEN_UMC 10
#define HAPPEN_CBO 11
#define HAPPEN_EXTRA 12
#define HAPPEN_SERVER 13
#define UBOX 0x10000u
#define HAPPEN_IMC 14
#define HAPPEN_IIO 15
#define HAPPEN_IRP 18
#define FRONTEND 0x80000000u

/*
 * Translates the name of a box, such as "imc3". ../vpmu/box/imc.h numbers the boxes of several
 * types: stores in *@first the number of the first box of this type ("imc"). Returns the rest of
 * the text ("3"), or NULL if imc.h does not have this type.
 */
static char *device(char *text, unsigned int *first)
{
	static const struct {
		const char *name;
		unsigned int first;
	} devices[] = {
		{ "imc", 0 }, { "ha", 12 }, { "qpi", 16 }, { "eclk", 19 }, { "uclk", 27 },
		{ "mclk", 35 }, { "m2pcie", 37 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		*first = devices[i].first;
		if (!strncmp(text, devices[i].name, strlen(devices[i].name)))
			return text + strlen(devices[i].name);
	}
	return NULL;
}

/*
 * Translates a @text "/OPCODE" or "/OPCODE/THREAD", such as "/0x182/3". Returns OPCODE in bits
 * 25:16 and THREAD in bits 31:26, where ../vpmu/box/cbo.c and server.c read them.
 */
static unsigned int detail(const char *text)
{
	unsigned int value = 0;
	char *end;

	if (*text == '/') {
		value = strtoul(text + 1, &end, 0);
		if (*end == '/')
			value |= strtoul(end + 1, NULL, 0) << 10;
	}
	return value << 16;
}

/*
 * Stores in *@ebx and *@ecx the inputs of the CPUID leaf for a @text "offcore/BITS" or
 * "frontend/BITS". Leaves them unchanged for other texts.
 */
static void extra(const char *text, unsigned int *ebx, unsigned int *ecx)
{
	bool frontend = !strncmp(text, "frontend/", 9);
	unsigned long long bits;

	if (!frontend && strncmp(text, "offcore/", 8))
		return;
	bits = strtoull(strchr(text, '/') + 1, NULL, 0);
	*ebx = bits;
	*ecx = HAPPEN_EXTRA | bits >> 32 << 16 | (frontend ? FRONTEND : 0);
}

/*
 * Stores in *@ebx and *@ecx the inputs of the CPUID leaf for a @text "pcu/N" or "ubox". A bit of
 * *@ebx tells the two units apart. Leaves both inputs unchanged for other texts.
 */
static void server(const char *text, unsigned int *ebx, unsigned int *ecx)
{
	bool ubox = !strcmp(text, "ubox");

	if (!ubox && strncmp(text, "pcu", 3))
		return;
	*ebx = (*ebx & 0xffff) | (ubox ? UBOX : 0);
	*ecx = HAPPEN_SERVER | (ubox ? 0 : detail(text + 3));
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 3 < argc; i += 4) {
		bool fabric = !strcmp(argv[i + 2], "df");
		bool umc = !strncmp(argv[i + 2], "umc", 3);
		bool cbo = !strncmp(argv[i + 2], "cbo", 3);
		bool iio = !strncmp(argv[i + 2], "iio", 3);
		bool irp = !strncmp(argv[i + 2], "irp", 3);
		unsigned int first;
		char *pci = device(argv[i + 2], &first);
		char *slice = pci ? pci : argv[i + 2] + (umc || cbo || iio || irp ? 3 : 0);
		unsigned int event = strtoul(argv[i], NULL, 0);
		unsigned int eax = MAGIC_LEAF;
		unsigned int ecx = umc ? HAPPEN_UMC : fabric ? HAPPEN_FABRIC : HAPPEN;
		unsigned int ebx = (pci ? (event & 0xff) | (event & 0x100) << 16 : event) |
				   strtoul(argv[i + 1], NULL, 0) << (fabric ? 14 : 8) |
				   strtoul(slice, &slice, 0) << 16;
		unsigned int edx = strtoul(argv[i + 3], NULL, 0);

		if (cbo)
			ecx = HAPPEN_CBO | detail(slice);
		if (iio)
			ecx = HAPPEN_IIO | detail(slice);
		if (irp)
			ecx = HAPPEN_IRP;
		if (pci) {
			ebx += first << 16;
			ecx = HAPPEN_IMC | detail(slice);
		}
		extra(argv[i + 2], &ebx, &ecx);
		server(argv[i + 2], &ebx, &ecx);
		asm volatile("cpuid"
			     : "+a" (eax), "+b" (ebx), "+c" (ecx), "+d" (edx));
	}
	if (i == argc && argc > 1)
		return 0;
	fprintf(stderr, "usage: happen EVENT UMASK SLICE COUNT...\n");
	return 2;
}
