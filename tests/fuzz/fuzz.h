/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_FUZZ_H
#define BPMU_FUZZ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

void fuzz_hold(bool truth, const char *what);
void fuzz_refused(int ret, const struct bpmu_error *err);
char *fuzz_text(const unsigned char *data, size_t size);
const char *fuzz_file(const unsigned char *data, size_t size);

#endif /* BPMU_FUZZ_H */
