// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the option --alert: a condition that is malformed or can never hold is refused at once.
 * The command of an alert runs once when the condition becomes true, not in each interval in which
 * the condition stays true.
 */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alert.h"
#include "base/array.h"
#include "unit.h"

TEST(parses_name_operator_bound_and_duration)
{
	static const struct {
		const char *text;
		const char *name;
		enum bpmu_expr_op op;
		double bound;
		u64 for_ns;
	} cases[] = {
		{ "Backend_Bound > 0.6 for 5s", "Backend_Bound", BPMU_EXPR_GT,
		  0.6, 5000000000 },
		{ "Retiring<20%", "Retiring", BPMU_EXPR_LT, 0.2, 0 },
		{ " A >= -1.5 ", "A", BPMU_EXPR_GE, -1.5, 0 },
		{ "A<=1e-3 for 100us", "A", BPMU_EXPR_LE, 0.001, 100000 },
		{ "A > 60 % for 10", "A", BPMU_EXPR_GT, 0.6, 10000000 },
	};
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_alerts alerts = { .nr = 0 };
		struct bpmu_alert *alert;

		if (bpmu_alerts_add(&alerts, cases[i].text, &err))
			fail_msg("%s", err.text);
		alert = &alerts.alert[0];
		assert_string_equal(alert->name, cases[i].name);
		assert_int_equal(alert->op, cases[i].op);
		assert_true(fabs(alert->bound - cases[i].bound) < 0.000001);
		assert_int_equal(alert->for_ns, cases[i].for_ns);
		bpmu_alerts_free(&alerts);
	}
}

TEST(refuses_incomplete_alerts)
{
	static const char *const cases[][2] = {
		{ "> 1", "no name" },
		{ "A", "no comparison after the name" },
		{ "A = 1", "no comparison after the name" },
		{ "A > x", "no number after the comparison" },
		{ "A > inf", "no number after the comparison" },
		{ "A > 1 for", "no time after the number" },
		{ "A > 1 for 5weeks", "no time after the number" },
		{ "A > 1 since 5s", "no time after the number" },
		{ "A > 1 for 5s now", "more than that is not understood" },
	};
	struct bpmu_error err;
	char begin[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_alerts alerts = { .nr = 0 };

		assert_int_equal(bpmu_alerts_add(&alerts, cases[i][0], &err),
				 -EINVAL);
		snprintf(begin, sizeof(begin), "--alert '%s': %s; write NAME",
			 cases[i][0], cases[i][1]);
		if (strncmp(err.text, begin, strlen(begin)))
			fail_msg("%s", err.text);
		bpmu_alerts_free(&alerts);
	}
}

static void begin(struct bpmu_alerts *alerts, const char *text)
{
	struct bpmu_error err;

	memset(alerts, 0, sizeof(*alerts));
	if (bpmu_alerts_add(alerts, text, &err))
		fail_msg("%s", err.text);
}

TEST(refuses_unknown_and_unmeasured_metrics)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_alerts alerts;
	struct bpmu_error err;

	assert_int_equal(bpmu_metrics_parse(&metrics, "test",
					    "Backend = A\n\tMemory = B\nA := 1\nB := 1\n",
					    &err), 0);
	begin(&alerts, "Backend > 1");
	assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err), 0);
	bpmu_alerts_free(&alerts);
	begin(&alerts, "Memory > 1");
	assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err), -EINVAL);
	assert_string_equal(err.text,
			    "--alert 'Memory > 1': is not measured; add -l 2");
	bpmu_alerts_free(&alerts);
	begin(&alerts, "backnd > 1");
	assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 2, &err), -ENOENT);
	assert_non_null(strstr(err.text, "did you mean Backend?"));
	bpmu_alerts_free(&alerts);
	begin(&alerts, "A > 1");
	assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 2, &err), -ENOENT);
	bpmu_alerts_free(&alerts);
	bpmu_metrics_free(&metrics);
}

TEST(refuses_conditions_that_can_never_hold)
{
	static const struct {
		const char *text;
		int slots;
		int ratio;
		int degrees;
	} cases[] = {
		{ "Backend > 40", -EINVAL, 0, 0 },
		{ "Backend > 1", -EINVAL, 0, 0 },
		{ "Backend >= 1", 0, 0, 0 },
		{ "Backend >= 101%", -EINVAL, 0, 0 },
		{ "Backend < 0", -EINVAL, -EINVAL, 0 },
		{ "Backend <= 0", 0, 0, 0 },
		{ "Backend <= -1", -EINVAL, -EINVAL, 0 },
		{ "Backend < 0.1", 0, 0, 0 },
		{ "Backend > -1", 0, 0, 0 },
		{ "Backend > 99%", 0, 0, 0 },
	};
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_alerts alerts;
	struct bpmu_error err;
	size_t i;

	assert_int_equal(bpmu_metrics_parse(&metrics, "test",
					    "Backend = A\nA := 1\n", &err), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		begin(&alerts, cases[i].text);
		metrics.metric[0].unit = "slots";
		assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err),
				 cases[i].slots);
		if (cases[i].slots)
			assert_non_null(strstr(err.text, "never holds: Backend is a share of slots, from 0 to 1; write 40%"));
		metrics.metric[0].unit = "instructions/clock";
		assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err),
				 cases[i].ratio);
		if (cases[i].ratio)
			assert_non_null(strstr(err.text, "never holds: Backend is in instructions/clock, 0 or more; write"));
		metrics.metric[0].unit = "degrees C";
		assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err),
				 cases[i].degrees);
		metrics.metric[0].unit = NULL;
		assert_int_equal(bpmu_alerts_know(&alerts, &metrics, 1, &err), 0);
		bpmu_alerts_free(&alerts);
	}
	bpmu_metrics_free(&metrics);
}

TEST(refuses_alerts_without_intervals_and_commands_without_alerts)
{
	struct bpmu_alerts alerts;
	struct bpmu_error err;

	begin(&alerts, "A > 1");
	assert_int_equal(bpmu_alerts_check(&alerts, 0, &err), -EINVAL);
	assert_int_equal(bpmu_alerts_check(&alerts, 1000, &err), 0);
	bpmu_alerts_free(&alerts);
	alerts.command = "true";
	assert_int_equal(bpmu_alerts_check(&alerts, 1000, &err), -EINVAL);
}

/*
 * Returns the value of metric "A", which is the number that @ctx points to. NAN stands for a metric
 * without a value in this interval. The conditions in this file name no other metric.
 */
static struct bpmu_value lookup(void *ctx, const char *name)
{
	const double *number = ctx;
	struct bpmu_value value = { .known = !isnan(*number) };

	assert_string_equal(name, "A");
	value.number = value.known ? *number : 0;
	return value;
}

/*
 * Evaluates the condition @text in @nr intervals. @values are the values of metric "A" in these
 * intervals. Returns the number, from 1, of the interval in which the alert is first raised; 0 if
 * it is never raised.
 */
static int raised_in(const char *text, const double *values, int nr)
{
	struct bpmu_alerts alerts;
	double value;
	int found = 0;
	int i;

	begin(&alerts, text);
	for (i = 0; i < nr && !found; i++) {
		value = values[i];
		bpmu_alerts_see(&alerts, lookup, &value, i + 1.001, 1);
		if (alerts.stop)
			found = i + 1;
	}
	bpmu_alerts_free(&alerts);
	return found;
}

TEST(raises_after_the_duration_without_a_break)
{
	const double steady[] = { 0, 2, 2, 2, 2 };
	const double broken[] = { 2, 2, 0, 2, 2 };
	const double unknown[] = { 2, 2, NAN, 2, 2, 2 };

	assert_int_equal(raised_in("A > 1", steady, 5), 2);
	assert_int_equal(raised_in("A > 2", steady, 5), 0);
	assert_int_equal(raised_in("A >= 2", steady, 5), 2);
	assert_int_equal(raised_in("A < 1", steady, 5), 1);
	assert_int_equal(raised_in("A > 1 for 3s", steady, 5), 4);
	assert_int_equal(raised_in("A > 1 for 3s", broken, 5), 0);
	assert_int_equal(raised_in("A > 1 for 3s", unknown, 5), 0);
	assert_int_equal(raised_in("A > 1 for 3s", unknown, 6), 6);
	assert_int_equal(raised_in("A < 5 for 3s", unknown, 5), 0);
}

/*
 * Makes the pipe @ends, and stores in @command a shell command that writes @text to the pipe.
 *
 * The tool does not wait for an alert's command, which inherits the pipe. A reader of the pipe sees
 * its end only when the last command has ended, however long that takes.
 */
static void begin_output(int ends[2], char *command, size_t size, const char *text)
{
	assert_int_equal(pipe(ends), 0);
	snprintf(command, size, "echo \"%s\" >/proc/self/fd/%d", text, ends[1]);
}

/* Reads the pipe up to the end of the first line, which must be @expected. */
static void assert_first_line(const int ends[2], const char *expected)
{
	char line[128] = "";
	size_t nr = 0;

	do {
		assert_true(nr < sizeof(line) - 1);
		assert_int_equal(read(ends[0], line + nr, 1), 1);
	} while (line[nr++] != '\n');
	assert_string_equal(line, expected);
}

/*
 * Reads the rest of what alerts' commands have written to the pipe, which must be @expected. The
 * pipe ends when the last command has ended.
 */
static void assert_last_lines(const int ends[2], const char *expected)
{
	char text[256] = "";
	size_t nr = 0;
	ssize_t more;

	close(ends[1]);
	while ((more = read(ends[0], text + nr, sizeof(text) - 1 - nr)) > 0)
		nr += more;
	assert_int_equal(more, 0);
	close(ends[0]);
	assert_string_equal(text, expected);
}

/* Number of calls of fork() that succeed before one fails; negative if none fails. */
static int forks = -1;

pid_t fork(void)
{
	if (forks-- != 0)
		return _Fork();
	errno = EAGAIN;
	return -1;
}

/*
 * The condition becomes true twice, in the first and in the fourth interval, so the command runs
 * twice.
 */
TEST(runs_the_command_once_per_alert)
{
	const double values[] = { 2, 2, 0, 3, 3 };
	struct bpmu_alerts alerts;
	char command[128];
	double value;
	int ends[2];
	int i;

	begin_output(ends, command, sizeof(command), "$BAREPMU_ALERT: $BAREPMU_VALUE");
	begin(&alerts, "A > 1");
	alerts.command = command;
	for (i = 0; i < 5; i++) {
		value = values[i];
		bpmu_alerts_see(&alerts, lookup, &value, i + 1, 1);
		if (!i)
			assert_first_line(ends, "A > 1: 2.000000\n");
	}
	assert_false(alerts.stop);
	assert_last_lines(ends, "A > 1: 3.000000\n");
	bpmu_alerts_free(&alerts);
}

/* A command is started by two forks. The test lets each of the two fail once. */
TEST(runs_the_command_after_a_failed_fork)
{
	struct bpmu_alerts alerts;
	char command[128];
	double value = 2;
	int ends[2];
	int made;

	for (made = 0; made < 2; made++) {
		begin_output(ends, command, sizeof(command), "$BAREPMU_VALUE");
		begin(&alerts, "A > 1");
		alerts.command = command;
		forks = made;
		bpmu_alerts_see(&alerts, lookup, &value, 1, 1);
		forks = -1;
		bpmu_alerts_see(&alerts, lookup, &value, 2, 1);
		bpmu_alerts_see(&alerts, lookup, &value, 3, 1);
		assert_last_lines(ends, "2.000000\n");
		bpmu_alerts_free(&alerts);
	}
}
