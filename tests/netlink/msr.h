/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MSRs of CPU 0, as another agent reads and writes them: by the kernel's driver "msr".
 */
#ifndef MSR_H
#define MSR_H

#include <stdint.h>

int msr_open(void);
void msr_close(void);
uint64_t msr_read(uint32_t address);
int msr_write(uint32_t address, uint64_t value);

/*
 * Opens the MSRs in a fixture or test of kselftest_harness.h. Without the driver, skips the test
 * and executes @statement.
 */
#define MSR_OPEN(statement) do { \
	int _opened = msr_open(); \
	\
	if (_opened > 0) \
		SKIP(statement, "no msr device here"); \
	ASSERT_EQ(0, _opened); \
} while (0)

#endif /* MSR_H */
