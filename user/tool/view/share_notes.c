// SPDX-License-Identifier: GPL-2.0
#include "share_notes.h"

#include "base/print.h"
#include "event/event.h"

/*
 * a note is printed if the mean period between interrupts is longer than the requested period by
 * this factor; smaller differences are normal, because the module varies periods by a sixteenth
 */
#define LONGER 1.25

static void print_skid(FILE *out, const char *event)
{
	if (bpmu_event_is_precise(event))
		fprintf(out, "  Note: skid: 0 instructions: an interrupt by %s names the instruction that caused the first event after the period, as the CPU has written it down (PEBS).\n",
			event);
	else
		fprintf(out, "  Note: skid: an interrupt by %s names the instruction that was to come next when it was taken, some behind the one that overflowed the counter: trust functions and loops, not single instructions.\n",
			event);
}

/**
 * bpmu_share_pace() - format how often an event was asked to interrupt, for a note on shares
 * @text: filled in
 * @slot: the event's slot
 *
 * Return: @text.
 */
const char *bpmu_share_pace(char text[BPMU_SHARE_PACE], const struct bpmu_sched_slot *slot)
{
	if (slot->frequency)
		snprintf(text, BPMU_SHARE_PACE, "%u a second or so", slot->frequency);
	else
		snprintf(text, BPMU_SHARE_PACE, "one every %u or so", slot->period);
	return text;
}

/**
 * bpmu_share_notes_print() - print notes on shares of interrupts: skid, losses, throttling
 * @shares: sums by bpmu_replay_shares()
 * @branches: the shares are of branches before the interrupts
 */
void bpmu_share_notes_print(FILE *out, const struct bpmu_shares *shares, bool branches)
{
	char lost[BPMU_PRINT_NUMBER];

	if (branches)
		fputs("  Note: branches: those that were taken, up to 32 before each interrupt, each of which has the same weight; cycles: the mean since the branch before.\n",
		      out);
	else
		print_skid(out, shares->slot->text);
	if (shares->lost)
		fprintf(out, "  Note: lost: %s interrupts%s were not read in time; their events are in no share.\n",
			bpmu_print_number(lost, shares->lost),
			shares->others ? ", of this and other events," : "");
	if (shares->slot->period && shares->longest > LONGER * shares->slot->period)
		fprintf(out, "  Note: throttled: some interrupts stand for up to %llu events, so that they do not take more than a quarter of the time.\n",
			shares->longest);
}
