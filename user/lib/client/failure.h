/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names and descriptions of the registers that a session could not program.
 */
#ifndef BPMU_FAILURE_H
#define BPMU_FAILURE_H

#include <stddef.h>

#include "client.h"

/* Maximum size of the text of bpmu_failure_words() in bytes */
#define BPMU_FAILURE_WORDS 128

const char *bpmu_failure_name(u32 what);
const char *bpmu_failure_words(u32 what, char text[BPMU_FAILURE_WORDS]);
void bpmu_counters_text(u64 counters, char *text, size_t size);

#endif /* BPMU_FAILURE_H */
