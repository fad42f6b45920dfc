// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "top.h"
#include "top_term.h"

/**
 * bpmu_top_live_begin() - begin the live view, and draw it for the first time
 * @top: state of "barepmu top", with its trees and the state of each core type
 *
 * Return: 0 or a negative errno; the caller calls bpmu_top_console_end() in any case.
 */
int bpmu_top_live_begin(struct bpmu_top *top, struct bpmu_error *err)
{
	int code = bpmu_top_console_begin(&top->console, err);

	if (!code)
		bpmu_top_live_show(top);
	return code;
}

/**
 * bpmu_top_live_show() - draw the live view again
 * @top: state of "barepmu top"
 */
void bpmu_top_live_show(struct bpmu_top *top)
{
	struct bpmu_top_state *states[BPMU_CORE_TYPES];
	struct bpmu_top_view *views[BPMU_CORE_TYPES];
	unsigned int k;

	for (k = 0; k < top->analysis.nr; k++) {
		views[k] = &top->section[k].view;
		states[k] = &top->section[k].state;
		views[k]->away = k != top->below;
	}
	if (top->analysis.nr > 1)
		bpmu_top_draw_both(&top->console.screen, views, states);
	else
		bpmu_top_draw(&top->console.screen, views[0], states[0]);
	bpmu_top_term_show(&top->console.screen);
	top->changed = false;
}

/* Returns a message that says why a key has no effect now, or "" if it has one. */
static const char *key_refusal(const struct bpmu_top_state *state,
			       enum bpmu_top_key key)
{
	if (key == BPMU_TOP_ROWS && state->frozen)
		return "frozen: rows cannot be regrouped; press space first";
	if (key == BPMU_TOP_SECTION)
		return "Tab: there is only one core type";
	if (key == BPMU_TOP_FOLLOW && state->chosen)
		return "-M: all requested metrics are open already";
	return "";
}

/*
 * A key has changed @state, the state of one core type. Copies to the other core types those
 * members that all share, such as the wish to quit.
 */
static void copy_shared_state(struct bpmu_top *top, const struct bpmu_top_state *state)
{
	struct bpmu_top_state *one;
	unsigned int k;

	for (k = 0; k < top->analysis.nr; k++) {
		one = &top->section[k].state;
		one->frozen = state->frozen;
		one->help = state->help;
		one->quit = state->quit;
		one->interval_ns = state->interval_ns;
	}
}

/*
 * Lets another run follow this one. The rows stay on the screen until the first interval of the
 * other run ends.
 */
static void measure_again(struct bpmu_top *top)
{
	unsigned int k;

	for (k = 0; k < top->analysis.nr; k++)
		bpmu_top_rows_judge(&top->section[k]);
	top->again = true;
}

static int handle_key(struct bpmu_top *top, enum bpmu_top_key key,
		      struct bpmu_error *err)
{
	struct bpmu_top_section *here = &top->section[top->below];
	enum bpmu_rows_by by = here->state.by;
	u64 interval_ns = here->state.interval_ns;

	if (key == BPMU_TOP_REDRAW)
		return bpmu_top_console_fit(&top->console, err);
	if (key == BPMU_TOP_SECTION && top->analysis.nr > 1 && !here->state.help) {
		top->below = (top->below + 1) % top->analysis.nr;
		return 0;
	}
	snprintf(here->view.note, sizeof(here->view.note), "%s",
		 here->state.help ? "" : key_refusal(&here->state, key));
	bpmu_top_press(&here->state, key);
	copy_shared_state(top, &here->state);
	if (here->state.interval_ns != interval_ns)
		measure_again(top);
	return here->state.by != by ? bpmu_top_rows_of(here, err) : 0;
}

/**
 * bpmu_top_live_input() - handle input of the live view: keys, and a terminal resized or closed
 * @top: state of "barepmu top", after bpmu_top_live_begin()
 */
void bpmu_top_live_input(struct bpmu_top *top)
{
	enum bpmu_top_key key;

	if (bpmu_top_console_closed(&top->console))
		top->section->state.quit = true;
	while (!top->code && !top->section->state.quit &&
	       (key = bpmu_top_term_key()) != BPMU_TOP_NOTHING)
		top->code = handle_key(top, key, &top->err);
	if (top->code || top->section->state.quit || top->again)
		top->over = true;
	if (!top->code)
		bpmu_top_live_show(top);
}
