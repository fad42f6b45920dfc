/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal of "barepmu top": copies the cells of a screen to it, and reads keys.
 */
#ifndef BPMU_TOP_TERM_H
#define BPMU_TOP_TERM_H

#include "top_screen.h"
#include "top_state.h"

bool bpmu_top_term_usable(void);
int bpmu_top_term_open(struct bpmu_error *err);
void bpmu_top_term_close(void);
void bpmu_top_term_resize(void);
void bpmu_top_term_size(int *lines, int *columns);
bool bpmu_top_term_wide(void);
void bpmu_top_term_show(const struct bpmu_top_screen *screen);
enum bpmu_top_key bpmu_top_term_key(void);

#endif /* BPMU_TOP_TERM_H */
