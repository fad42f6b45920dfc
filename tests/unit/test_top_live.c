// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu top" while an interval is measured: it reacts at once to a signal and to a key.
 * It also shows CPUs of which no topology is known, and sums over all CPUs. The tests have no
 * terminal.
 */
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd/top/top.h"
#include "cmd/top/top_sum.h"
#include "cmd/top/top_term.h"
#include "unit.h"

#define CPUS 2
/*
 * This CPU number is larger than that of any machine, so the kernel knows no topology of the CPU.
 */
#define NOWHERE 0x7ffffff0

static struct bpmu_top top;
static struct bpmu_top_section *const section = &top.section[0];
static enum bpmu_top_key next_key;
static unsigned int resized;
static unsigned int stepped;
static unsigned int judged;

bool bpmu_top_term_usable(void)
{
	return true;
}

int bpmu_top_term_open(struct bpmu_error *err)
{
	(void)err;
	return 0;
}

void bpmu_top_term_close(void)
{
}

void bpmu_top_term_resize(void)
{
	resized++;
}

void bpmu_top_term_size(int *lines, int *columns)
{
	*lines = 24;
	*columns = 80;
}

bool bpmu_top_term_wide(void)
{
	return false;
}

void bpmu_top_term_show(const struct bpmu_top_screen *screen)
{
	(void)screen;
}

/* Fakes the keyboard: the key in next_key is pressed once. */
enum bpmu_top_key bpmu_top_term_key(void)
{
	enum bpmu_top_key key = next_key;

	next_key = BPMU_TOP_NOTHING;
	return key;
}

void __wrap_bpmu_top_draw(struct bpmu_top_screen *screen,
			  struct bpmu_top_view *view,
			  struct bpmu_top_state *state)
{
	(void)screen;
	(void)view;
	(void)state;
}

void bpmu_step_add(struct bpmu_step *step, unsigned int nr_cpus,
		   const struct bpmu_interval *interval,
		   struct bpmu_tree_value *values)
{
	(void)step;
	(void)interval;
	(void)values;
	stepped = nr_cpus;
}

void bpmu_top_sum_judge(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r)
{
	(void)sum;
	(void)row;
	(void)r;
	judged++;
}

void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r,
			 int column)
{
	(void)sum;
	(void)column;
	(void)row;
	(void)r;
}

void bpmu_top_sum_end(struct bpmu_top_sum *sum)
{
	(void)sum;
}

int bpmu_top_sum_begin(struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		       struct bpmu_error *err)
{
	(void)sum;
	(void)row;
	(void)err;
	return 0;
}

TEST_FIXTURE(begin)
{
	static u32 cpu[CPUS] = { NOWHERE, NOWHERE + 1 };
	struct epoll_event event = { .events = EPOLLIN };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;
	sigset_t mask;

	memset(&top, 0, sizeof(top));
	next_key = BPMU_TOP_NOTHING;
	resized = 0;
	judged = 0;
	top.analysis.type[0] = &top.analysis.core[0];
	top.analysis.nr = 1;
	section->type = top.analysis.type[0];
	section->type->target.cpus.cpu = cpu;
	section->type->target.cpus.nr = CPUS;
	sigemptyset(&mask);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGWINCH);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	top.console.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	top.console.wake = epoll_create1(EPOLL_CLOEXEC);
	event.data.fd = top.console.signals;
	return epoll_ctl(top.console.wake, EPOLL_CTL_ADD, top.console.signals, &event) ||
	       bpmu_tree_init(&section->type->tree, "topdown", &pmu, 0, 1, &err) ||
	       bpmu_top_state_init(&section->state, &section->type->tree, 1, &err);
}

TEST_FIXTURE(end)
{
	close(top.console.wake);
	close(top.console.signals);
	bpmu_top_rows_free(section);
	bpmu_top_state_free(&section->state);
	bpmu_tree_free(&section->type->tree);
	return 0;
}

TEST_BETWEEN(a_resized_window_does_not_end_the_view, begin, end)
{
	kill(getpid(), SIGWINCH);
	bpmu_top_live_input(&top);
	assert_int_equal(resized, 1);
	assert_false(section->state.quit);
	assert_false(top.over);
}

TEST_BETWEEN(other_signals_end_the_view, begin, end)
{
	kill(getpid(), SIGHUP);
	bpmu_top_live_input(&top);
	assert_int_equal(resized, 0);
	assert_true(section->state.quit);
	assert_true(top.over);
}

static void press(enum bpmu_top_key key)
{
	next_key = key;
	bpmu_top_live_input(&top);
	assert_int_equal(top.code, 0);
}

/*
 * While the screen is frozen, CPUs cannot be grouped in another way, because their counts are not
 * summed again.
 */
TEST_BETWEEN(a_frozen_view_does_not_regroup_rows, begin, end)
{
	press(BPMU_TOP_FREEZE);
	assert_true(section->state.frozen);
	assert_string_equal(section->view.note, "");
	press(BPMU_TOP_ROWS);
	assert_string_equal(section->view.note,
			    "frozen: rows cannot be regrouped; press space first");
	assert_int_equal(section->state.by, BPMU_ROWS_CPU);
	press(BPMU_TOP_DOWN);
	assert_string_equal(section->view.note, "");
}

TEST_BETWEEN(keys_without_an_effect_say_why, begin, end)
{
	press(BPMU_TOP_SECTION);
	assert_string_equal(section->view.note, "Tab: there is only one core type");
	press(BPMU_TOP_ROWS);
	assert_true(strncmp(section->view.note, "frozen", 6));
	press(BPMU_TOP_FOLLOW);
	assert_string_equal(section->view.note, "");
	section->state.chosen = true;
	press(BPMU_TOP_FOLLOW);
	assert_string_equal(section->view.note, "-M: all requested metrics are open already");
}

TEST_BETWEEN(unknown_topology_leaves_rows_of_cpus, begin, end)
{
	struct bpmu_error err;

	section->state.by = BPMU_ROWS_CORE;
	assert_int_equal(bpmu_top_rows_of(section, &err), 0);
	assert_int_equal(section->state.by, BPMU_ROWS_CPU);
	assert_int_equal(section->type->rows.nr, CPUS);
	assert_string_not_equal(section->view.note, "");
}

TEST_BETWEEN(time_and_losses_are_those_of_all_cpus, begin, end)
{
	u64 enabled[CPUS] = { 100, 300 };
	u64 lost[CPUS] = { 1, 2 };
	const struct bpmu_interval interval = {
		.whole = true, .enabled = enabled, .lost = lost,
	};
	/* A tree without metrics has no line that could be shown. */
	const struct bpmu_tree none = { };
	struct bpmu_error err;

	section->view.tree = &none;
	assert_int_equal(bpmu_top_interval(&top, &interval, &err), 0);
	assert_int_equal(stepped, CPUS);
	assert_int_equal(section->view.lost, 3);
}

/*
 * Two things overwrite the counts of the interval on the screen: a new interval, even if it is not
 * shown, and the next run. All values of the interval on the screen must be computed before its
 * counts are overwritten.
 */
TEST_BETWEEN(rows_are_judged_before_their_counts_are_lost, begin, end)
{
	u64 enabled[CPUS] = { }, lost[CPUS] = { };
	struct bpmu_interval interval = {
		.whole = true, .enabled = enabled, .lost = lost,
	};
	const struct bpmu_tree none = { };
	struct bpmu_error err;

	section->view.tree = &none;
	assert_int_equal(bpmu_top_rows_of(section, &err), 0);
	press(BPMU_TOP_LONGER);
	assert_int_equal(judged, 0);
	top.again = false;
	assert_int_equal(bpmu_top_interval(&top, &interval, &err), 0);
	assert_int_equal(judged, 0);
	assert_int_equal(section->view.nr_rows, CPUS);
	interval.whole = false;
	assert_int_equal(bpmu_top_interval(&top, &interval, &err), 0);
	assert_int_equal(judged, CPUS);
	press(BPMU_TOP_LONGER);
	assert_true(top.again);
	assert_int_equal(judged, 2 * CPUS);
}
