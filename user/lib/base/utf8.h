/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_UTF8_H
#define BPMU_UTF8_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

bool bpmu_utf8_is(const char *text, size_t len);
json_t *bpmu_utf8_text(const char *text);

#endif /* BPMU_UTF8_H */
