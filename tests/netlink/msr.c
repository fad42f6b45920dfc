// SPDX-License-Identifier: GPL-2.0
#include "msr.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int msr = -1;

/**
 * msr_open() - load the driver, and open the MSRs
 *
 * Return: 0; 1 if there is no such driver, -1 if its device cannot be opened.
 */
int msr_open(void)
{
	if (system("modprobe msr 2>/dev/null"))
		return 1;
	msr = open("/dev/cpu/0/msr", O_RDWR);
	return msr < 0 ? -1 : 0;
}

/**
 * msr_close() - close the MSRs; does nothing if msr_open() has failed
 */
void msr_close(void)
{
	if (msr >= 0)
		close(msr);
	msr = -1;
}

/**
 * msr_read() - read an MSR
 * @address: address of the MSR
 *
 * Return: contents of the MSR; all ones if it cannot be read.
 */
uint64_t msr_read(uint32_t address)
{
	uint64_t value;

	return pread(msr, &value, sizeof(value), address) == sizeof(value) ? value : ~0ULL;
}

/**
 * msr_write() - write an MSR
 * @address: address of the MSR
 * @value: new contents
 *
 * Return: 0; -1 if the MSR cannot be written.
 */
int msr_write(uint32_t address, uint64_t value)
{
	return pwrite(msr, &value, sizeof(value), address) == sizeof(value) ? 0 : -1;
}
