/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_FUZZ_H
#define BPMU_FUZZ_H

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif /* BPMU_FUZZ_H */
