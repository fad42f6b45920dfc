// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "metric/metric_expr.h"
#include "vendor.h"
#include "vendor_json.h"

#define LEVEL_MOST 64
#define WHERE_LEN 160

/**
 * struct formula - a formula from a metric file of the vendor, and the meaning of the names in it
 * @where: file and position of the formula, for error messages
 * @text: the formula
 * @names: JSON object that maps an alias in the formula to the name of an event or metric
 * @constants: JSON object that maps an alias in the formula to an expression, or NULL
 */
struct formula {
	const char *where;
	const char *text;
	const json_t *names;
	const json_t *constants;
};

/*
 * Names of constants in the vendor's metric files, and the tool's expressions for these constants.
 * The names occur in the array "Constants" of a metric, and in formulas.
 */
static const struct {
	const char *name;
	const char *text;
} constants[] = {
	{ "HYPERTHREADING_ON", "SMT" },
	{ "smt_on", "SMT" },
	{ "THREADS_PER_CORE", "THREADS" },
	{ "CORES_PER_SOCKET", "CORES" },
	{ "SOCKET_COUNT", "SOCKETS" },
	{ "CHAS_PER_SOCKET", "CHAS" },
	{ "SYSTEM_TSC_FREQ", "TSC_HZ" },
	{ "TSC", "TSC" },
	{ "DURATIONTIMEINMILLISECONDS", "SECONDS * 1000" },
	{ "DURATIONTIMEINSECONDS", "SECONDS" },
	{ "dependentloadsweight", "20" },
	{ "system.sockets[0].cpus.count", "THREADS * CORES" },
	{ "system.socket_count", "SOCKETS" },
	{ "system.sockets[0].cpus.count * system.socket_count",
	  "THREADS * CORES * SOCKETS" },
	/* "Not applicable" has no value: a division by zero gives none. */
	{ "NA", "0 / 0" },
};

static bool vendor_constant_is_number(const char *name)
{
	char *end;

	strtod(name, &end);
	return isdigit((unsigned char)*name) && !*end;
}

/*
 * Returns the tool's expression for a constant in the vendor's metric files; NULL if the constant
 * is unknown. SYSTEM_TSC_FREQ is the number of TSC ticks in the interval if @ticks is true, else
 * the rate of the TSC in Hz.
 */
static const char *vendor_constant_text(const char *name, bool ticks)
{
	size_t i;

	if (ticks && !strcasecmp(name, "SYSTEM_TSC_FREQ"))
		return "TSC_HZ * SECONDS";
	for (i = 0; i < ARRAY_SIZE(constants); i++)
		if (!strcasecmp(name, constants[i].name))
			return constants[i].text;
	return vendor_constant_is_number(name) ? name : NULL;
}

/*
 * Copies the comparison operator at @text to *@to, without blanks: "> =" becomes ">=", and "=="
 * becomes "=". Advances *@to; returns the text after the operator.
 */
static const char *rewrite_comparison(const char *text, char **to)
{
	const char *next = text + 1 + strspn(text + 1, " \t\r\n");

	*(*to)++ = *text;
	if (*next != '=')
		return text + 1;
	if (*text != '=')
		*(*to)++ = '=';
	return next + 1;
}

/*
 * Returns a formula of the vendor in the tool's syntax, to be freed; NULL if there is no memory.
 * "&" and "&&" become "and", "|" and "||" become "or", "==" becomes "=". Removed are blanks within
 * comparison operators, line ends, the "#" of "#NA", and the index "[0]" after an event, as in
 * "b / a[0]". The longest replacement for a character is " and ", five characters.
 */
static char *rewrite(const char *text)
{
	char *copy = malloc(strlen(text) * 5 + 1);
	char *to = copy;

	while (copy && *text) {
		if (strchr("<>=", *text)) {
			text = rewrite_comparison(text, &to);
			continue;
		}
		if (!strncmp(text, "[0]", 3)) {
			text += 3;
			continue;
		}
		if (strchr("&|", *text)) {
			to = stpcpy(to, *text == '&' ? " and " : " or ");
			text += text[1] == *text;
		} else {
			*to++ = strchr("\n#", *text) ? ' ' : *text;
		}
		text++;
	}
	if (copy)
		*to = '\0';
	return copy;
}

static struct bpmu_expr *formula_parse_words(const char *where, const char *words,
					     struct bpmu_error *err)
{
	struct bpmu_text text = {
		.file = where,
		.start = words,
		.at = words,
		.err = err,
	};
	struct bpmu_expr *expr = bpmu_expr_parse(&text);

	if (!expr)
		return NULL;
	bpmu_text_skip_blanks(&text);
	if (!*text.at)
		return expr;
	bpmu_expr_free(expr);
	bpmu_text_error(&text, text.at,
			"the formula does not end here; is an operator missing?");
	return NULL;
}

/*
 * Replaces the name @expr by the expression of the constant with this name. Fails if there is no
 * constant with this name.
 */
static int formula_expand(const struct formula *formula, struct bpmu_expr *expr,
			  struct bpmu_error *err)
{
	const char *text = json_string_value(json_object_get(formula->constants,
							     expr->name));
	struct bpmu_expr *value;

	if (!text)
		text = vendor_constant_text(expr->name, false);
	if (!text)
		return bpmu_error_set(err, -EINVAL,
				      "%s: '%.40s' is in neither Events nor Constants; add it there",
				      formula->where, expr->name);
	value = formula_parse_words(formula->where, text, err);
	if (!value)
		return -EINVAL;
	free(expr->name);
	*expr = *value;
	free(value);
	return 0;
}

static int formula_resolve(const struct formula *formula, struct bpmu_expr *expr,
			   struct bpmu_error *err)
{
	const char *name;
	char *copy;
	int ret = 0;
	int i;

	for (i = 0; !ret && i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		ret = formula_resolve(formula, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME)
		return ret;
	name = json_string_value(json_object_get(formula->names, expr->name));
	if (!name)
		return formula_expand(formula, expr, err);
	copy = strdup(name);
	if (!copy)
		return bpmu_error_no_memory(err, formula->where);
	free(expr->name);
	expr->name = copy;
	return 0;
}

/*
 * Parses a formula, and replaces the aliases in it by events, metrics and constants. Returns the
 * expression, to be freed with bpmu_expr_free(); NULL on an error.
 */
static struct bpmu_expr *formula_parse(const struct formula *formula,
				       struct bpmu_error *err)
{
	struct bpmu_expr *expr;
	char *words;

	words = rewrite(formula->text);
	if (!words) {
		bpmu_error_no_memory(err, formula->where);
		return NULL;
	}
	expr = formula_parse_words(formula->where, words, err);
	free(words);
	if (expr && formula_resolve(formula, expr, err)) {
		bpmu_expr_free(expr);
		expr = NULL;
	}
	return expr;
}

/**
 * struct ratio - an uncore event and the clock event of its unit in a term such as 64 * A / CLOCK
 * @v: contents of the loaded files
 * @clock: CLOCK: the first divisor of the term that is a clock event of an uncore unit; NULL if
 *	there is none
 * @unit: uncore unit of @clock, &enum bpmu_unit
 * @count: A: the first factor of the term that is another event of @unit; NULL if there is none
 */
struct ratio {
	const struct bpmu_vendor_set *v;
	struct bpmu_expr *clock;
	u8 unit;
	struct bpmu_expr *count;
};

/*
 * Returns the event that @expr names if this is an event of an uncore unit. Returns NULL if @expr
 * is anything else, or if divide_per_package() has already added the modifier ":per=" to the name.
 */
static const struct bpmu_event *uncore_row(const struct bpmu_vendor_set *v,
					   const struct bpmu_expr *expr)
{
	const struct bpmu_event *row;
	char base[BPMU_VENDOR_TEXT];

	if (expr->op != BPMU_EXPR_NAME || strstr(expr->name, ":per="))
		return NULL;
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(expr->name, ":"), expr->name);
	row = bpmu_vendor_row(v, base);
	return row && row->unit != BPMU_UNIT_CORE ? row : NULL;
}

static bool is_clock(const struct bpmu_event *row)
{
	return strstr(row->name, "_CLOCKTICKS");
}

/*
 * Searches @expr, a term such as 64 * A / CLOCK or a part of such a term. If @clock is true, looks
 * among the divisors for the clock event of an uncore unit, and sets @ratio->clock. Otherwise looks
 * among the factors for another event of this unit, and sets @ratio->count. @over is true if @expr
 * is a factor of the whole term, false if @expr is a divisor.
 */
static void ratio_search(struct ratio *ratio, struct bpmu_expr *expr, bool over, bool clock)
{
	bool quotient = expr->op == BPMU_EXPR_DIV;
	const struct bpmu_event *row;

	if (quotient || expr->op == BPMU_EXPR_MUL) {
		ratio_search(ratio, expr->arg[0], over, clock);
		ratio_search(ratio, expr->arg[1], over ^ quotient, clock);
		return;
	}
	row = uncore_row(ratio->v, expr);
	if (!row || over == clock || is_clock(row) != clock)
		return;
	if (clock && !ratio->clock) {
		ratio->clock = expr;
		ratio->unit = row->unit;
	} else if (!clock && !ratio->count && row->unit == ratio->unit) {
		ratio->count = expr;
	}
}

/*
 * Replaces A / CLOCK in @expr, where A is an uncore event and CLOCK the clock event of A's unit, by
 * A:per=CLOCK / SOCKETS. This is the mean over all packages of the package's A divided by the same
 * package's CLOCK. A latency is A / CLOCK divided by the requests of all packages, too, so that a
 * package with more requests has more weight.
 */
static int divide_per_package(const struct bpmu_vendor_set *v, struct bpmu_expr *expr,
			      struct bpmu_error *err)
{
	struct ratio ratio = { .v = v };
	char *sockets;
	char *name;
	int ret = 0;
	int i;

	ratio_search(&ratio, expr, true, true);
	if (ratio.clock)
		ratio_search(&ratio, expr, true, false);
	if (ratio.count) {
		sockets = strdup("SOCKETS");
		if (!sockets || asprintf(&name, "%s:per=%s", ratio.count->name,
					 ratio.clock->name) < 0) {
			free(sockets);
			return bpmu_error_no_memory(err, "metrics");
		}
		free(ratio.count->name);
		ratio.count->name = name;
		free(ratio.clock->name);
		ratio.clock->name = sockets;
	}
	for (i = 0; !ret && i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		ret = divide_per_package(v, expr->arg[i], err);
	return ret;
}

/**
 * struct reader - state of reading a metric from a metric file of the vendor
 * @v: receives the metric
 * @at: JSON object of the metric
 * @names: JSON object that maps an alias in the metric's formula to the name of an event
 * @constants: JSON object that maps an alias in the metric's formula to the expression of a
 *	constant
 * @why: reason why the metric cannot be measured; "" if it can be measured
 * @broken: true if @why is an error in the metric's formula
 * @ticks: true if SYSTEM_TSC_FREQ is the number of TSC ticks in the interval, false if it is the
 *	rate of the TSC
 * @threshold: reason why the metric's threshold is not used; "" if it is used
 */
struct reader {
	struct bpmu_vendor_set *v;
	struct bpmu_json_at at;
	json_t *names;
	json_t *constants;
	char why[BPMU_VENDOR_WHY * 2];
	bool broken;
	bool ticks;
	char threshold[BPMU_VENDOR_WHY * 2];
};

/*
 * Sets @r->why, the reason why the metric cannot be measured, unless an earlier reason was found.
 * The reason is the sentence "@what @why": @what is the name of an event or a constant, or "".
 */
static void vendor_metric_refuse(struct reader *r, const char *what, const char *why)
{
	if (!*r->why)
		snprintf(r->why, sizeof(r->why), "%.*s%s%s", BPMU_VENDOR_NAME,
			 what, *what ? " " : "", why);
}

static int set_alias(struct reader *r, const struct bpmu_json_at *at,
		     json_t *aliases, const char *alias, const char *text)
{
	if (json_object_get(aliases, alias) ||
	    (aliases == r->constants && json_object_get(r->names, alias)))
		return bpmu_json_error(at, "Alias",
				       "is already used for something else; choose another name");
	if (json_object_set_new(aliases, alias, json_string(text)))
		return bpmu_error_no_memory(r->at.err, "metrics");
	return 0;
}

/*
 * Sets @text to the mean retire latency of an event, a number that the vendor has measured, because
 * counters cannot count latencies; only PEBS records have them. @name is the name of the event and
 * the modifier ":retire_latency". Returns false if @name lacks this modifier, if the vendor's files
 * have no latency of the event, or if counts come from another tool.
 */
static bool read_latency(const struct reader *r, const char *name, char *text)
{
	const char *mark = strcasestr(name, ":retire_latency");
	const json_t *mean;
	char base[BPMU_VENDOR_NAME];

	if (!mark || r->v->given)
		return false;
	snprintf(base, sizeof(base), "%.*s", (int)(mark - name), name);
	mean = json_object_get(r->v->latency, base);
	if (mean)
		snprintf(text, BPMU_VENDOR_TEXT, "%.9g",
			 json_number_value(mean));
	return mean;
}

static int vendor_metric_add_event(struct reader *r, const struct bpmu_json_at *at,
				   const char *alias, const char *name)
{
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];

	if (read_latency(r, name, text) || bpmu_vendor_expression(r->v, name, text))
		return set_alias(r, at, r->constants, alias, text);
	if (bpmu_vendor_name(r->v, name, text, why))
		vendor_metric_refuse(r, name, why);
	return set_alias(r, at, r->names, alias, text);
}

static int add_constant(struct reader *r, const struct bpmu_json_at *at,
			const char *alias, const char *name)
{
	const char *text = vendor_constant_text(name, r->ticks);

	if (!text)
		vendor_metric_refuse(r, name, "is a constant that this tool does not know");
	return text ? set_alias(r, at, r->constants, alias, text) :
		      set_alias(r, at, r->names, alias, name);
}

static int read_aliases(struct reader *r, const char *key,
			int (*add)(struct reader *r,
				   const struct bpmu_json_at *at,
				   const char *alias, const char *name))
{
	struct bpmu_json_at at = {
		.file = r->at.file,
		.parent = &r->at,
		.array = key,
		.err = r->at.err,
	};
	const json_t *array;
	const char *alias;
	const char *name;
	int ret;

	ret = bpmu_json_array(&r->at, key, &array);
	for (; !ret && at.index < json_array_size(array); at.index++) {
		ret = bpmu_json_element(&at, array);
		if (!ret)
			ret = bpmu_json_name(&at, "Name", &name);
		if (!ret)
			ret = bpmu_json_name(&at, "Alias", &alias);
		if (!ret)
			ret = add(r, &at, alias, name);
	}
	return ret;
}

static struct bpmu_expr *vendor_metric_parse(struct reader *r, const char *key,
					     const json_t *names, const char *text,
					     struct bpmu_error *err)
{
	char where[WHERE_LEN];
	const struct formula formula = {
		.where = where,
		.text = text,
		.names = names,
		.constants = r->constants,
	};

	snprintf(where, sizeof(where), "%.80s: Metrics[%zu].%s", r->at.file,
		 r->at.index, key);
	return formula_parse(&formula, err);
}

/*
 * Stores that the metric cannot be measured, because its formula has an error. The error replaces
 * any earlier reason in @r->why.
 */
static void refuse_formula(struct reader *r, const struct bpmu_error *err)
{
	r->broken = true;
	*r->why = '\0';
	vendor_metric_refuse(r, "", err->text);
}

/*
 * Finds out what SYSTEM_TSC_FREQ means in a metric: in Top-Down metrics the number of TSC ticks in
 * the interval, in other metrics the rate of the TSC. A metric is a Top-Down metric here if it has
 * a "BaseFormula" that does not name SYSTEM_TSC_FREQ; the BaseFormula then has "tsc" instead.
 */
static int read_ticks(struct reader *r)
{
	const char *base;
	int ret = bpmu_json_text(&r->at, "BaseFormula", &base);

	r->ticks = !ret && *base && !strcasestr(base, "SYSTEM_TSC_FREQ");
	return ret;
}

/*
 * Reads the formula of a metric. If the formula cannot be parsed, stores that the metric cannot be
 * measured, and returns 0, so that the other metrics of the file are read.
 */
static int read_formula(struct reader *r, struct bpmu_metric *m)
{
	struct bpmu_error err;
	const char *text;
	int ret;

	ret = read_ticks(r);
	if (!ret)
		ret = read_aliases(r, "Events", vendor_metric_add_event);
	if (!ret)
		ret = read_aliases(r, "Constants", add_constant);
	if (!ret)
		ret = bpmu_json_name(&r->at, "Formula", &text);
	if (ret)
		return ret;
	m->expr = vendor_metric_parse(r, "Formula", r->names, text, &err);
	/*
	 * If another tool has counted (given), a count is a sum over all packages. The count of a
	 * single package is unknown, and cannot be divided by the package's clock.
	 */
	if (m->expr)
		return r->v->given ? 0 : divide_per_package(r->v, m->expr, r->at.err);
	refuse_formula(r, &err);
	m->expr = vendor_metric_parse(r, "Formula", r->names, "NA", r->at.err);
	return m->expr ? 0 : -ENOMEM;
}

/*
 * Reads the array ThresholdMetrics, which gives the metric that each alias in the threshold's
 * formula stands for. Adds the aliases to @names. @legacy maps the older names of metrics to their
 * newer names; it is the result of legacy_names().
 */
static int read_threshold_metrics(struct reader *r,
				  const struct bpmu_json_at *threshold,
				  const json_t *legacy, json_t *names)
{
	struct bpmu_json_at at = {
		.file = r->at.file,
		.parent = threshold,
		.array = "ThresholdMetrics",
		.err = r->at.err,
	};
	const json_t *array;
	const char *alias;
	const char *value;
	const json_t *name;
	int ret;

	ret = bpmu_json_array(threshold, at.array, &array);
	for (; !ret && at.index < json_array_size(array); at.index++) {
		ret = bpmu_json_element(&at, array);
		if (!ret)
			ret = bpmu_json_name(&at, "Alias", &alias);
		if (!ret)
			ret = bpmu_json_name(&at, "Value", &value);
		if (ret)
			return ret;
		name = json_object_get(json_object_get(legacy, value), "name");
		if (name)
			value = json_string_value(name);
		ret = set_alias(r, &at, names, alias, value);
	}
	return ret;
}

/*
 * Sets the parent of @m, a node of the Top-Down tree, if the file does not name the parent. The
 * parent is then the metric one level above @m that occurs in the threshold of @m. The values of
 * the JSON object @names are the names of the metrics in this threshold.
 */
static void find_parent(const struct reader *r, struct bpmu_metric *m, json_t *names)
{
	const struct bpmu_metric *metric = r->v->metrics.metric;
	const json_t *number;
	const char *alias;
	json_t *name;
	json_int_t i;

	json_object_foreach(names, alias, name) {
		number = json_object_get(r->v->metric_names,
					 json_string_value(name));
		i = json_integer_value(number);
		if (number && m->parent < 0 && metric[i].level + 1 == m->level)
			m->parent = i;
	}
}

/*
 * Returns the longest older name of a metric with which @text begins; NULL if @text begins with
 * none. The keys of the JSON object @legacy are the older names.
 */
static const char *legacy_name_at(const char *text, const json_t *legacy)
{
	const char *found = NULL;
	const char *name;
	const json_t *metric;

	json_object_foreach((json_t *)legacy, name, metric)
		if (!strncmp(text, name, strlen(name)) &&
		    (!found || strlen(name) > strlen(found)))
			found = name;
	return found;
}

/*
 * Rewrites @text, the formula of a threshold that has no array ThresholdMetrics. The formula uses
 * older names of metrics, which may contain blanks, "/" and "(". It compares with shares from 0 to
 * 1, although the values of the metrics are in per cent. Returns the formula with the newer names,
 * to be freed, and adds the newer names to @names.
 */
static char *rewrite_legacy(const char *text, const json_t *legacy, json_t *names)
{
	const json_t *metric;
	const char *older;
	char *copy = NULL;
	const char *name;
	size_t size;
	FILE *out;

	out = open_memstream(&copy, &size);
	while (out && *text) {
		older = legacy_name_at(text, legacy);
		if (!older) {
			fputc(*text++, out);
			continue;
		}
		metric = json_object_get(legacy, older);
		name = json_string_value(json_object_get(metric, "name"));
		fprintf(out, json_is_true(json_object_get(metric, "percent")) ?
			"(%s / 100)" : "%s", name);
		json_object_set_new(names, name, json_string(name));
		text += strlen(older);
	}
	if (out)
		fclose(out);
	return copy;
}

static int vendor_metric_read_threshold(struct reader *r, struct bpmu_metric *m,
					const json_t *legacy)
{
	struct bpmu_json_at at = r->at;
	struct bpmu_error err;
	const char *text;
	char *rewritten;
	json_t *names;
	int ret;

	at.object = json_object_get(r->at.object, "Threshold");
	if (!at.object || json_is_null(at.object))
		return 0;
	if (!json_is_object(at.object))
		return bpmu_json_error(&r->at, "Threshold",
				       "not an object; write { ... }");
	ret = bpmu_json_text(&at, "Formula", &text);
	if (ret || !*text)
		return ret;
	names = json_object();
	ret = read_threshold_metrics(r, &at, legacy, names);
	rewritten = ret || json_object_size(names) ? NULL : rewrite_legacy(text, legacy, names);
	if (!ret) {
		find_parent(r, m, names);
		m->flag = vendor_metric_parse(r, "Threshold.Formula", names, rewritten ?: text,
					      &err);
		if (!m->flag)
			snprintf(r->threshold, sizeof(r->threshold), "%s",
				 err.text);
	}
	free(rewritten);
	json_decref(names);
	return ret;
}

static int copy_text(struct reader *r, const char *key, char **copy)
{
	const char *text;
	int ret;

	ret = bpmu_json_text(&r->at, key, &text);
	if (ret || !*text)
		return ret;
	*copy = strdup(text);
	return *copy ? 0 : bpmu_error_no_memory(r->at.err, "metrics");
}

static int read_name(struct reader *r, struct bpmu_metric *m)
{
	const char *name;
	int ret;

	ret = bpmu_json_name(&r->at, "MetricName", &name);
	if (ret)
		return ret;
	if (json_object_get(r->v->metric_names, name))
		return bpmu_json_error(&r->at, "MetricName",
				       "a metric with this name is loaded already; name only one file of this CPU model");
	bpmu_metric_rename(m, strdup(name));
	m->first = !strcmp(name, "tma_bad_speculation") ||
		   !strcmp(name, "Bad_Speculation");
	return m->name ? 0 : bpmu_error_no_memory(r->at.err, "metrics");
}

static int read_parent(struct reader *r, struct bpmu_metric *m)
{
	const json_t *number;
	const char *parent;
	u64 level;
	int ret;

	m->parent = -1;
	m->stands = true;
	ret = bpmu_json_number(&r->at, "Level", LEVEL_MOST, &level);
	if (!ret)
		ret = bpmu_json_text(&r->at, "ParentCategory", &parent);
	if (ret)
		return ret;
	m->level = level ? level : 1;
	number = json_object_get(r->v->metric_names, parent);
	if (number)
		m->parent = json_integer_value(number);
	return 0;
}

static int read_metric(struct reader *r, struct bpmu_metric *m,
		       const json_t *legacy)
{
	int ret;

	ret = read_name(r, m);
	if (!ret)
		ret = read_parent(r, m);
	if (!ret)
		ret = read_formula(r, m);
	if (!ret)
		ret = vendor_metric_read_threshold(r, m, legacy);
	if (!ret)
		ret = bpmu_json_text(&r->at, "UnitOfMeasure", &m->unit);
	if (!ret)
		ret = copy_text(r, "BriefDescription", &m->text);
	return ret;
}

/*
 * Reads a metric, and appends it to @r->v->metrics. Appends further facts about the metric, such as
 * why it cannot be measured, to @r->v->note. vendor_metric_make_room() has allocated the memory.
 */
static int vendor_metric_append(struct reader *r, const json_t *legacy)
{
	struct bpmu_metrics *metrics = &r->v->metrics;
	struct bpmu_vendor_note *note = &r->v->note[metrics->nr];
	struct bpmu_metric *m = &metrics->metric[metrics->nr];
	int ret;

	memset(m, 0, sizeof(*m));
	memset(note, 0, sizeof(*note));
	r->names = json_object();
	r->constants = json_object();
	metrics->nr++;
	ret = read_metric(r, m, legacy);
	json_decref(r->names);
	json_decref(r->constants);
	if (!ret)
		ret = bpmu_json_text(&r->at, "MetricGroup", &note->group);
	if (ret)
		return ret;
	note->computable = !r->broken;
	note->given = note->computable;
	note->why = *r->why ? strdup(r->why) : NULL;
	note->threshold = *r->threshold ? strdup(r->threshold) : NULL;
	if ((*r->why && !note->why) || (*r->threshold && !note->threshold) ||
	    json_object_set_new(r->v->metric_names, m->name,
				json_integer(metrics->nr - 1)))
		return bpmu_error_no_memory(r->at.err, "metrics");
	return 0;
}

static int vendor_metric_make_room(struct bpmu_vendor_set *v, size_t more,
				   struct bpmu_error *err)
{
	size_t nr = v->metrics.nr + more;
	struct bpmu_metric *metric;
	struct bpmu_vendor_note *note;

	metric = reallocarray(v->metrics.metric, nr + 1, sizeof(*metric));
	if (metric) {
		v->metrics.metric = metric;
		v->metrics.room = nr + 1;
	}
	note = reallocarray(v->note, nr + 1, sizeof(*note));
	if (note)
		v->note = note;
	return metric && note ? 0 : bpmu_error_no_memory(err, "metrics");
}

/*
 * Returns a JSON object that maps the older name of each metric, which thresholds use, to an object
 * with the newer name and whether the metric is in per cent. Values of a wrong type are ignored
 * here; their error is reported when the metric is read.
 */
static json_t *legacy_names(const json_t *metrics)
{
	json_t *legacy = json_object();
	const json_t *metric;
	const char *unit;
	const char *name;
	const char *key;
	size_t i;

	json_array_foreach(metrics, i, metric) {
		key = json_string_value(json_object_get(metric, "LegacyName"));
		name = json_string_value(json_object_get(metric, "MetricName"));
		unit = json_string_value(json_object_get(metric, "UnitOfMeasure"));
		if (key && *key && name)
			json_object_set_new(legacy, key,
					    json_pack("{sssb}", "name", name, "percent",
						      unit && !strcmp(unit, "percent")));
	}
	return legacy;
}

/**
 * bpmu_vendor_add_metrics() - read the metrics of a vendor's file and append them
 * @v: receives the metrics; must already have the events that the metrics use
 * @file: name of the file, for error messages
 * @metrics: array "Metrics" of the file; NULL for none
 *
 * A metric that cannot be measured is appended, too; the same index of @v->note says why.
 *
 * Return: 0, -EINVAL if a value is malformed or a metric has the name of another one, or -ENOMEM.
 */
int bpmu_vendor_add_metrics(struct bpmu_vendor_set *v, const char *file,
			    const json_t *metrics, struct bpmu_error *err)
{
	json_t *legacy;
	size_t i;
	int ret;

	ret = vendor_metric_make_room(v, json_array_size(metrics), err);
	if (ret)
		return ret;
	legacy = legacy_names(metrics);
	for (i = 0; !ret && i < json_array_size(metrics); i++) {
		struct reader r = {
			.v = v,
			.at = {
				.file = file,
				.array = "Metrics",
				.index = i,
				.err = err,
			},
		};

		ret = bpmu_json_element(&r.at, metrics);
		if (!ret)
			ret = vendor_metric_append(&r, legacy);
	}
	json_decref(legacy);
	return ret;
}
