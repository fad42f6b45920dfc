// SPDX-License-Identifier: GPL-2.0
#include "share_notes.h"

#include <string.h>

#include "base/print.h"
#include "event/event.h"
#include "event/event_ibs.h"

/*
 * A note is printed if an interrupt came after more events than the requested period times this
 * factor. Smaller differences are normal: the module varies periods by a sixteenth.
 */
#define LONGER 1.25

static void print_skid(FILE *out, const struct bpmu_shares *shares)
{
	char caused[BPMU_PRINT_NUMBER], all[BPMU_PRINT_NUMBER];
	const char *event = shares->slot->text;

	if (bpmu_event_is_fetch(event))
		fprintf(out, "  Note: skid: 0 instructions: an interrupt by %s names the instruction at which the sampled fetch began, as the CPU has written it down (IBS).%s\n",
			event, strcasestr(event, "rand_en=1") ? "" :
			" Periods are multiples of 16: of a loop of 2, 4, 8 or 16 fetches all samples may be at one of them; rand_en=1 changes that.");
	else if (bpmu_event_is_ibs(event))
		fprintf(out, "  Note: skid: 0 instructions: an interrupt by %s names the instruction that dispatched when the period ended, as the CPU has written it down (IBS): where it waits, not always what it waits for.\n",
			event);
	else if (bpmu_event_is_precise(event) && shares->caused)
		fprintf(out, "  Note: skid: 0 instructions: %s of %s interrupts by %s name the instruction that caused the first event after the period: the one before the address that the CPU has written down (PEBS of format 1), by the branches that it has recorded%s.\n",
			bpmu_print_number(caused, shares->caused),
			bpmu_print_number(all, shares->interrupts), event,
			shares->caused < shares->interrupts ?
			"; the others name that address (skid: 1 instruction)" : "");
	else if (bpmu_event_is_precise(event) && shares->next)
		fprintf(out, "  Note: skid: 1 instruction: an interrupt by %s names the instruction after the one that caused the first event after the period, as the CPU has written it down (PEBS of format 1).\n",
			event);
	else if (bpmu_event_is_precise(event))
		fprintf(out, "  Note: skid: 0 instructions: an interrupt by %s names the instruction that caused the first event after the period, as the CPU has written it down (PEBS).\n",
			event);
	else
		fprintf(out, "  Note: skid: an interrupt by %s names the instruction that was to come next when it was taken, some behind the one that overflowed the counter: trust functions and loops, not single instructions.\n",
			event);
}

/**
 * bpmu_share_pace() - format, for notes on shares, how often an event was requested to interrupt
 * @text: filled in
 * @slot: slot of the event, with the requested frequency or period
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
 * bpmu_share_events_print() - print a note on shares: how many events interrupts stand for
 * @shares: totals over all interrupts by the event
 *
 * Each interrupt stands for the events since the interrupt before. Prints how many times the event
 * interrupted, and how many events its counters counted. There is no end of line.
 */
void bpmu_share_events_print(FILE *out, const struct bpmu_shares *shares)
{
	char interrupts[BPMU_PRINT_NUMBER], events[BPMU_PRINT_NUMBER], counted[BPMU_PRINT_NUMBER];
	char pace[BPMU_SHARE_PACE];

	fprintf(out, "%s: %s interrupts, %s, for %s of %s counted",
		shares->slot->text, bpmu_print_number(interrupts, shares->interrupts),
		bpmu_share_pace(pace, shares->slot), bpmu_print_number(events, shares->all.sum),
		bpmu_print_number(counted, shares->counted));
	if (shares->counted)
		fprintf(out, " (%.1f %%)", 100 * shares->all.sum / shares->counted);
}

/**
 * bpmu_share_losses_print() - print notes on shares: interrupts that were lost or throttled
 * @shares: totals over all interrupts by the event
 */
void bpmu_share_losses_print(FILE *out, const struct bpmu_shares *shares)
{
	char lost[BPMU_PRINT_NUMBER];

	if (shares->lost)
		fprintf(out, "  Note: lost: %s interrupts%s were not read in time; their events are in no share.\n",
			bpmu_print_number(lost, shares->lost),
			shares->others ? ", of this and other events," : "");
	if (shares->slot->period && shares->longest > LONGER * shares->slot->period)
		fprintf(out, "  Note: throttled: some interrupts stand for up to %llu events, so that they do not take more than a quarter of the time.\n",
			shares->longest);
}

/**
 * bpmu_share_notes_print() - print notes on shares: why those of an event's interrupts are inexact
 * @shares: totals over all interrupts by the event, from bpmu_replay_shares()
 * @branches: true if the shares are not those of interrupted instructions, but of the branches
 *	taken before each interrupt
 *
 * The reasons are skid, lost interrupts and throttling; for branches, the weights are explained.
 */
void bpmu_share_notes_print(FILE *out, const struct bpmu_shares *shares, bool branches)
{
	if (branches)
		fputs("  Note: branches: those that were taken, up to 32 before each interrupt, each of which has the same weight; cycles: the mean since the branch before.\n",
		      out);
	else
		print_skid(out, shares);
	if (shares->retired)
		fprintf(out, "  Note: retire latency: %.1f cycles in the mean, %u to %u, from the retirement of the instruction before to that of the one named.\n",
			(double)shares->latency / shares->retired, shares->least, shares->most);
	bpmu_share_losses_print(out, shares);
}
