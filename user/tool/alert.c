// SPDX-License-Identifier: GPL-2.0
#include "alert.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/nearest.h"
#include "metric/metric_unit.h"
#include "options.h"

/*
 * An alert "NAME > NUMBER for TIME" needs intervals that together last TIME. Intervals vary a
 * little in length, and may together last less than TIME. Up to this fraction of one interval may
 * be missing.
 */
#define TOLERANCE 0.1

static const char form[] =
	"write NAME > NUMBER, or NAME > NUMBER for TIME, such as 'Backend_Bound > 60% for 5s'";

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static int alert_wrong(const char *text, const char *what, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL, "--alert '%s': %s; %s", text, what,
			      form);
}

static const char *take_op(struct bpmu_alert *alert, const char *at)
{
	static const struct {
		const char *text;
		enum bpmu_expr_op op;
	} ops[] = {
		{ ">=", BPMU_EXPR_GE }, { "<=", BPMU_EXPR_LE },
		{ ">", BPMU_EXPR_GT }, { "<", BPMU_EXPR_LT },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (strncmp(at, ops[i].text, strlen(ops[i].text)))
			continue;
		alert->op = ops[i].op;
		return skip_blanks(at + strlen(ops[i].text));
	}
	return NULL;
}

static const char *take_bound(struct bpmu_alert *alert, const char *at)
{
	char *end;

	alert->bound = strtod(at, &end);
	if (end == at || !isfinite(alert->bound))
		return NULL;
	at = skip_blanks(end);
	if (*at != '%')
		return at;
	alert->bound /= 100;
	return skip_blanks(at + 1);
}

static const char *alert_take_time(struct bpmu_alert *alert, const char *at)
{
	char word[32];
	size_t len;

	if (strncmp(at, "for", 3) || !isblank((unsigned char)at[3]))
		return NULL;
	at = skip_blanks(at + 3);
	len = strcspn(at, " \t");
	if (len >= sizeof(word))
		return NULL;
	memcpy(word, at, len);
	word[len] = 0;
	alert->for_ns = bpmu_options_duration(word);
	return alert->for_ns ? skip_blanks(at + len) : NULL;
}

static int alert_parse(struct bpmu_alert *alert, const char *text,
		       struct bpmu_error *err)
{
	const char *at = skip_blanks(text);
	size_t len = strcspn(at, " \t<>=");

	alert->text = strdup(text);
	alert->name = strndup(at, len);
	if (!alert->text || !alert->name)
		return bpmu_error_no_memory(err, "--alert");
	if (!len)
		return alert_wrong(text, "no name", err);
	at = take_op(alert, skip_blanks(at + len));
	if (!at)
		return alert_wrong(text, "no comparison after the name", err);
	at = take_bound(alert, at);
	if (!at)
		return alert_wrong(text, "no number after the comparison", err);
	if (*at)
		at = alert_take_time(alert, at);
	if (!at)
		return alert_wrong(text, "no time after the number", err);
	return *at ? alert_wrong(text, "more than that is not understood", err) : 0;
}

/**
 * bpmu_alerts_add() - parse an alert, as given to --alert, and add it to the alerts of a run
 * @alerts: zeroed before the first call; the caller frees it with bpmu_alerts_free(), on an error
 *	too
 * @text: the alert, such as "Backend_Bound > 60% for 5s"
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_alerts_add(struct bpmu_alerts *alerts, const char *text,
		    struct bpmu_error *err)
{
	struct bpmu_alert *grown;

	grown = reallocarray(alerts->alert, alerts->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "--alert");
	alerts->alert = grown;
	memset(&grown[alerts->nr], 0, sizeof(*grown));
	return alert_parse(&grown[alerts->nr++], text, err);
}

/**
 * bpmu_alerts_check() - check that the options of a run allow its alerts
 * @alerts: all alerts of the run
 * @interval_ns: length of an interval in ns, 0 for none
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_alerts_check(const struct bpmu_alerts *alerts, u64 interval_ns,
		      struct bpmu_error *err)
{
	if (alerts->nr && !interval_ns)
		return bpmu_error_set(err, -EINVAL,
			"--alert: there are no intervals; add -I MS");
	if (alerts->command && !alerts->nr)
		return bpmu_error_set(err, -EINVAL,
			"--alert-exec: there is no alert; add --alert 'NAME > NUMBER'");
	return 0;
}

static void alert_offer(const struct bpmu_metrics *metrics, const char *name,
			char *list, size_t size)
{
	struct bpmu_nearest nearest = { .typed = name };
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].level)
			bpmu_nearest_offer(&nearest, metrics->metric[i].name);
	bpmu_nearest_list(&nearest, list, size);
}

static bool below_all(const struct bpmu_alert *alert, double least)
{
	return (alert->op == BPMU_EXPR_LT && alert->bound <= least) ||
	       (alert->op == BPMU_EXPR_LE && alert->bound < least);
}

static bool above_all(const struct bpmu_alert *alert, double most)
{
	return (alert->op == BPMU_EXPR_GT && alert->bound >= most) ||
	       (alert->op == BPMU_EXPR_GE && alert->bound > most);
}

/*
 * Refuses an alert whose condition can never hold. For example, a metric that is a fraction never
 * exceeds 1, and "Retiring > 40" probably means 40 %. Returns 0 or -EINVAL.
 */
static int alert_possible(const struct bpmu_alert *alert, const char *unit,
			  struct bpmu_error *err)
{
	bool share = bpmu_unit_is_share(unit);

	if (share && (above_all(alert, 1) || below_all(alert, 0)))
		return bpmu_error_set(err, -EINVAL,
			"--alert '%s': never holds: %s is a share of %s, from 0 to 1; write 40%% or 0.4 for two fifths",
			alert->text, alert->name, unit);
	if (!share && !bpmu_unit_is_signed(unit) && below_all(alert, 0))
		return bpmu_error_set(err, -EINVAL,
			"--alert '%s': never holds: %s is in %s, 0 or more; write a number above 0",
			alert->text, alert->name, unit);
	return 0;
}

static int check_metric(const struct bpmu_alert *alert,
			const struct bpmu_metrics *metrics, unsigned int level,
			struct bpmu_error *err)
{
	int i = bpmu_metrics_find(metrics, alert->name);
	char near[BPMU_NEAREST_LIST];

	if (i >= 0 && metrics->metric[i].level > level)
		return bpmu_error_set(err, -EINVAL,
				      "--alert '%s': is not measured; add -l %u",
				      alert->text, metrics->metric[i].level);
	if (i >= 0 && metrics->metric[i].level)
		return alert_possible(alert, metrics->metric[i].unit, err);
	alert_offer(metrics, alert->name, near, sizeof(near));
	return bpmu_error_set(err, -ENOENT,
			      "--alert '%s': metric '%s' is not known; %s%s%ssee 'barepmu list metrics'",
			      alert->text, alert->name,
			      *near ? "did you mean " : "", near,
			      *near ? "? Else " : "");
}

/**
 * bpmu_alerts_know() - check that the metrics of all alerts are measured
 * @alerts: all alerts of the run
 * @metrics: metrics of the tree
 * @level: deepest level of the tree that is measured
 *
 * Return: 0, -ENOENT for an unknown metric, or -EINVAL for a metric of a deeper level.
 */
int bpmu_alerts_know(const struct bpmu_alerts *alerts,
		     const struct bpmu_metrics *metrics, unsigned int level,
		     struct bpmu_error *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < alerts->nr && !ret; i++)
		ret = check_metric(&alerts->alert[i], metrics, level, err);
	return ret;
}

static bool alert_is_true(const struct bpmu_alert *alert, struct bpmu_value value)
{
	if (!value.known)
		return false;
	switch (alert->op) {
	case BPMU_EXPR_GT:
		return value.number > alert->bound;
	case BPMU_EXPR_GE:
		return value.number >= alert->bound;
	case BPMU_EXPR_LT:
		return value.number < alert->bound;
	default:
		return value.number <= alert->bound;
	}
}

/*
 * Runs in a new child of the tool: forks a process, which executes the shell command with no signal
 * blocked. Then exits with status 0, or with the errno of fork().
 */
static _Noreturn void execute(const char *command)
{
	sigset_t none;
	pid_t pid;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	pid = fork();
	if (pid)
		_exit(pid < 0 ? errno : 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/*
 * Starts the shell command of an alert and does not wait for its end. A child of the tool forks a
 * grandchild, which executes the command. The child exits at once, so that init reaps the
 * grandchild. The child's exit status is 0, or the errno of fork(). Returns true if the command was
 * started.
 */
static bool run_command(const struct bpmu_alerts *alerts,
			const struct bpmu_alert *alert, double value)
{
	char number[BPMU_DECIMAL_TEXT];
	int status = 0;
	pid_t pid;

	bpmu_decimal_print(number, value);
	setenv("BAREPMU_ALERT", alert->text, 1);
	setenv("BAREPMU_VALUE", number, 1);
	pid = fork();
	if (!pid)
		execute(alerts->command);
	if (pid > 0 && waitpid(pid, &status, 0) == pid)
		errno = WEXITSTATUS(status);
	if (pid > 0 && !status)
		return true;
	fprintf(stderr,
		"barepmu: --alert-exec: cannot start: %s; the next interval tries again\n",
		strerror(errno));
	return false;
}

static void announce(struct bpmu_alerts *alerts, struct bpmu_alert *alert,
		     double value, double seconds)
{
	char number[BPMU_DECIMAL_TEXT];

	alert->raised = !alerts->command || run_command(alerts, alert, value);
	if (alerts->command)
		return;
	bpmu_decimal_print(number, value);
	fprintf(stderr, "barepmu: alert '%s': %s after %.3f s; the run ends\n",
		alert->text, number, seconds);
	alerts->stop = true;
}

/**
 * bpmu_alerts_see() - evaluate all alerts for an interval that has ended
 * @alerts: all alerts of the run
 * @lookup: returns the value of a metric in this interval, which may be unknown
 * @ctx: argument of @lookup
 * @seconds: end of the interval, in seconds since the run began
 * @duration: length of the interval in seconds
 *
 * An alert that is raised runs &bpmu_alerts.command. If that is NULL, the alert is printed, and
 * &bpmu_alerts.stop is set.
 */
void bpmu_alerts_see(struct bpmu_alerts *alerts, bpmu_lookup_fn *lookup,
		     void *ctx, double seconds, double duration)
{
	struct bpmu_alert *alert;
	struct bpmu_value value;
	unsigned int i;

	for (i = 0; i < alerts->nr && !alerts->stop; i++) {
		alert = &alerts->alert[i];
		value = lookup(ctx, alert->name);
		if (!alert_is_true(alert, value)) {
			alert->holds = false;
			alert->raised = false;
			continue;
		}
		if (!alert->holds)
			alert->since = seconds - duration;
		alert->holds = true;
		if (!alert->raised && seconds - alert->since >=
		    alert->for_ns / 1e9 - TOLERANCE * duration)
			announce(alerts, alert, value.number, seconds);
	}
}

void bpmu_alerts_free(struct bpmu_alerts *alerts)
{
	while (alerts->nr) {
		alerts->nr--;
		free(alerts->alert[alerts->nr].text);
		free(alerts->alert[alerts->nr].name);
	}
	free(alerts->alert);
	alerts->alert = NULL;
}
