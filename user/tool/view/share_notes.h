/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints how many events interrupts stand for, and why what functions have of them is inexact: skid,
 * lost interrupts, throttling.
 */
#ifndef BPMU_SHARE_NOTES_H
#define BPMU_SHARE_NOTES_H

#include <stdio.h>

#include "replay/report_replay.h"

/* room for the text of bpmu_share_pace() */
#define BPMU_SHARE_PACE 40

const char *bpmu_share_pace(char text[BPMU_SHARE_PACE], const struct bpmu_sched_slot *slot);
void bpmu_share_events_print(FILE *out, const struct bpmu_shares *shares);
void bpmu_share_losses_print(FILE *out, const struct bpmu_shares *shares);
void bpmu_share_notes_print(FILE *out, const struct bpmu_shares *shares, bool branches);

#endif /* BPMU_SHARE_NOTES_H */
