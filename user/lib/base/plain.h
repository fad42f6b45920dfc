/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Untrusted texts: names of processes and files, contents of recordings and tables.
 * A terminal would execute control characters in them, and JSON must be valid UTF-8.
 */
#ifndef BPMU_PLAIN_H
#define BPMU_PLAIN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

bool bpmu_plain_is(const char *text, const char *but);
char *bpmu_plain(char *text, const char *but);
bool bpmu_utf8_is(const char *text, size_t len);
json_t *bpmu_utf8_text(const char *text);

#endif /* BPMU_PLAIN_H */
