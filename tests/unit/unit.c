// SPDX-License-Identifier: GPL-2.0
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TESTS_MAX 2048

/**
 * unit_pmu() - make the PMU of a CPU model for a unit test
 * @part: name of the CPU model
 * @gp: number of general counters; ignored if no CPUID leaf of the CPU model states it
 *
 * Return: the PMU. If CPUID states the number of fixed counters, the PMU has three fixed counters
 * of 48 bits. If the CPU model has PERF_METRICS, the PMU has a fourth fixed counter, which counts
 * slots. An AMD PMU has one memory controller with four counters.
 */
struct bpmu_pmu unit_pmu(const char *part, unsigned int gp)
{
	const struct bpmu_part *found = bpmu_part_by_name(part);
	const struct bpmu_cpuid cpuid = {
		.eax = 3 | gp << 8 | 48 << 16,
		.ebx = 4 << 16,
		.ecx = 1,
		.edx = (found->metrics ? 4 : 3) | 48 << 5,
	};
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, found, &cpuid, found->ids->core);
	return pmu;
}

/**
 * unit_most_counters() - for unit tests: largest number of general counters of a CPU model
 * @part: descriptor of the CPU model
 * @smt: hyper-threading is on
 *
 * Return: the number that CPUID states on real machines.
 */
unsigned int unit_most_counters(const struct bpmu_part *part, int smt)
{
	if (!strcmp(part->name, "arl") || !strcmp(part->name, "lnl") ||
	    !strcmp(part->name, "ptl"))
		return 10;
	if (part->gp_counters)
		return part->gp_counters;
	if (!strcmp(part->name, "arch"))
		return BPMU_FIXED_BASE;
	if (!strcmp(part->name, "adl-e"))
		return 6;
	if (!strcmp(part->name, "topdown"))
		return 8;
	return smt && part->threads > 1 && !part->metrics ? 4 : 8;
}

/**
 * unit_target() - make a target of two CPUs of one core type for a unit test
 * @target: on return: the target, with a list of CPUs that the caller frees
 * @part: name of the CPU model; a name of more than three letters, such as "adl-e", means
 *	efficient cores
 * @first: number of the first CPU
 */
void unit_target(struct bpmu_target *target, const char *part, u32 first)
{
	struct bpmu_info *info = &target->info;

	info->pmu = unit_pmu(part, part[3] ? 6 : 8);
	info->tsc_khz = 1000000;
	strcpy(info->part, part);
	strcpy(info->title, part[3] ? "Small" : "Big");
	target->cpus.nr = 2;
	target->cpus.cpu = calloc(2, sizeof(u32));
	assert_non_null(target->cpus.cpu);
	target->cpus.cpu[0] = first;
	target->cpus.cpu[1] = first + 1;
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
}

/**
 * unit_core_type() - unit tests: add a core type with two CPUs to the analysis under test
 * @analysis: analysis with one core type or none
 * @part: name of the core type's CPU model, with the meaning that it has in unit_target()
 * @first: number of the first CPU
 */
void unit_core_type(struct bpmu_analysis *analysis, const char *part, u32 first)
{
	struct bpmu_core_type *type = &analysis->core[analysis->nr];

	unit_target(&type->target, part, first);
	analysis->type[analysis->nr++] = type;
	analysis->described = analysis->nr;
}

/**
 * unit_file() - write a temporary file for a unit test; fails the test if that is not possible
 * @path: name that ends in XXXXXX, which are replaced; the caller unlinks the file
 * @text: contents
 */
void unit_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/**
 * unit_says() - check in a unit test that a printed text contains some texts, in any order
 * @text: the printed text, which is freed
 * @parts: texts that it must contain, ended by NULL
 */
void unit_says(char *text, const char *const *parts)
{
	for (; *parts; parts++)
		if (!strstr(text, *parts))
			fail_msg("'%s' is not in: %s", *parts, text);
	free(text);
}

static FILE *captured;
static int captured_fd, captured_copy;

/**
 * unit_capture_begin() - redirect a standard stream, to compare what a unit test prints
 * @stream: stdout or stderr; one at a time
 */
void unit_capture_begin(FILE *stream)
{
	char path[] = "/tmp/barepmu-captured-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	fflush(stream);
	captured = stream;
	captured_fd = fd;
	captured_copy = dup(fileno(stream));
	assert_int_equal(dup2(fd, fileno(stream)), fileno(stream));
}

/**
 * unit_capture_end() - end the redirection of a stream by unit_capture_begin()
 *
 * Return: the text printed to the stream since unit_capture_begin(); the caller frees it.
 */
char *unit_capture_end(void)
{
	off_t size;
	char *text;

	fflush(captured);
	dup2(captured_copy, fileno(captured));
	close(captured_copy);
	size = lseek(captured_fd, 0, SEEK_END);
	text = calloc(1, size + 1);
	assert_non_null(text);
	assert_int_equal(pread(captured_fd, text, size, 0), size);
	close(captured_fd);
	return text;
}

/*
 * Writes @text, with an escape sequence in place of each control character. Text that overwrites a
 * line of the terminal is written on a new line.
 */
static void put_visible(FILE *out, const char *text)
{
	char last = '\n';

	for (; *text; last = *text++)
		if (*text == '\r' && last != '\n')
			fputs("\n\\r", out);
		else if (*text == '\r')
			fputs("\\r", out);
		else if ((unsigned char)*text < ' ' && *text != '\n')
			fprintf(out, "\\%03o", *text);
		else
			fputc(*text, out);
	if (last != '\n')
		fputc('\n', out);
}

/*
 * @path is a file with the expected text @wanted, and @now is the printed text. Fails the test, and
 * shows the first line in which the two texts differ.
 */
static void fail_at(const char *path, const char *wanted, const char *now)
{
	unsigned int line = 1;
	size_t of, at = 0;

	for (of = 0; wanted[of] && wanted[of] == now[of]; of++)
		if (wanted[of] == '\n') {
			line++;
			at = of + 1;
		}
	fail_msg("%s:%u: is not what is printed:\n-%.*s\n+%.*s", path, line,
		 (int)strcspn(wanted + at, "\n"), wanted + at,
		 (int)strcspn(now + at, "\n"), now + at);
}

/**
 * unit_text() - compare a text that a unit test printed with tests/unit/text/NAME.text
 * @name: NAME
 * @text: the printed text, which is freed
 *
 * If BPMU_WRITE_TEXTS is in the environment, the text is written to the file instead.
 */
void unit_text(const char *name, char *text)
{
	char *wanted = NULL, *now = NULL, *path;
	size_t size = 0;
	FILE *out = open_memstream(&now, &size), *file;

	assert_non_null(out);
	fprintf(out, "# SPDX-%s: GPL-2.0\n", "License-Identifier");
	put_visible(out, text);
	fclose(out);
	free(text);
	assert_true(asprintf(&path, TOP "/tests/unit/text/%s.text", name) > 0);
	file = fopen(path, getenv("BPMU_WRITE_TEXTS") ? "w+" : "r");
	if (!file)
		fail_msg("%s: cannot be opened", path);
	if (getenv("BPMU_WRITE_TEXTS"))
		fputs(now, file);
	rewind(file);
	size = 0;
	assert_true(getdelim(&wanted, &size, '\0', file) > 0);
	fclose(file);
	if (strcmp(wanted, now))
		fail_at(path, wanted, now);
	free(wanted);
	free(now);
	free(path);
}

/**
 * unit_run_parts() - run checks of a unit test once for every CPU model
 * @group: name of the group of tests
 * @checks: the checks, [@nr]
 * @nr: number of checks
 *
 * Return: number of failed tests; each check of each CPU model is one test.
 */
int unit_run_parts(const char *group, const struct unit_check *checks,
		   size_t nr)
{
	struct CMUnitTest tests[TESTS_MAX] = { { .name = NULL } };
	const struct bpmu_part *part;
	char names[TESTS_MAX][64];
	size_t n = 0;
	size_t c;
	int i;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		for (c = 0; c < nr; c++, n++) {
			if (n == TESTS_MAX) {
				fprintf(stderr, "%s: more than %d tests: raise TESTS_MAX\n",
					group, TESTS_MAX);
				return 1;
			}
			snprintf(names[n], sizeof(names[n]), "%s: %s",
				 part->name, checks[c].name);
			tests[n].name = names[n];
			tests[n].test_func = checks[c].run;
			tests[n].initial_state = (void *)part;
		}
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests(group, tests, n, NULL, NULL);
}

/**
 * unit_count_of() - find the count of an event that unit tests have made up
 * @counts: made-up counts, [@nr]
 * @nr: number of counts
 * @event: text of the event; the test fails if it has no count
 *
 * Return: the count.
 */
double unit_count_of(const struct unit_count *counts, size_t nr,
		     const char *event)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(counts[i].event, event))
			return counts[i].count;
	fail_msg("%s is not in the table", event);
	return 0;
}

/**
 * unit_tree() - make a tree for a unit test from the text of a metric file
 * @tree: on return: the tree, which the caller frees before the next call
 * @text: contents of the file
 * @pmu: PMU on which the tree is to be measured
 * @level: deepest level
 * @err: set on failure
 *
 * Return: 0, or the error of bpmu_metrics_file() or bpmu_tree_make().
 */
int unit_tree(struct bpmu_tree *tree, const char *text,
	      const struct bpmu_pmu *pmu, unsigned int level,
	      struct bpmu_error *err)
{
	char name[] = "/tmp/barepmu-metrics-XXXXXX";
	static struct bpmu_metrics lines;
	const struct bpmu_tree_wish wish = {
		.lines = &lines, .pmu = pmu, .level = level,
	};
	FILE *file = fdopen(mkstemp(name), "w");
	int ret;

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	bpmu_metrics_free(&lines);
	ret = bpmu_metrics_file(&lines, name, pmu->part, err);
	if (!ret)
		ret = bpmu_tree_make(tree, &wish, err);
	unlink(name);
	return ret;
}

#define TOTALS_MAX 64

static double unit_count_in(const struct bpmu_tree *tree, const double *const *counts,
			    const char *text)
{
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			if (!strcmp(tree->events[g].spec[i].text, text))
				return counts[g][i];
	fail_msg("%s: in no group", text);
	return 0;
}

/**
 * unit_event_said() - for unit tests: check the whole sentence of the error for an event
 * @text: text of the refused event
 * @says: what follows "event 'TEXT': ", or the whole sentence if that does not begin with it
 * @error: the error
 *
 * Return: true if the error is that sentence.
 */
bool unit_event_said(const char *text, const char *says, const char *error)
{
	size_t length = strlen(text);

	if (!strncmp(error, "event '", 7) && !strncmp(error + 7, text, length) &&
	    !strncmp(error + 7 + length, "': ", 3))
		error += 7 + length + 3;
	return !strcmp(error, says);
}

/* Appends to the text in @excerpt a caret below column @column. The text has no tab. */
static void add_caret(char *excerpt, unsigned int column)
{
	excerpt += strlen(excerpt);
	sprintf(excerpt, "\n%*s\n", (int)column, "^");
}

/**
 * unit_file_said() - for unit tests: check the error for a line of a file, and its excerpt
 * @text: contents of the file; the line has neither a tab nor control characters
 * @says: the sentence, with the position in the file if it is about one
 * @err: the error
 *
 * Return: true if the error is that sentence, with the line and a caret below the column.
 */
bool unit_file_said(const char *text, const char *says, const struct bpmu_error *err)
{
	char excerpt[sizeof(err->excerpt)] = "";
	unsigned int line, column;

	if (sscanf(says, "%*[^:]:%u:%u:", &line, &column) == 2) {
		while (--line)
			text = strchr(text, '\n') + 1;
		strncat(excerpt, text, strcspn(text, "\n"));
		add_caret(excerpt, column);
	}
	return !strcmp(err->text, says) && !strcmp(err->excerpt, excerpt);
}

/**
 * unit_value() - for unit tests: compute a formula that belongs to no tree
 * @lines: metrics that the formula may name, or NULL if @lookup has the values of all names
 * @expr: the formula
 * @lookup: returns the value of a name that is no metric of @lines
 * @ctx: argument of @lookup
 *
 * Return: the value. The test fails if the formula cannot be compiled.
 */
struct bpmu_value unit_value(const struct bpmu_metrics *lines, const struct bpmu_expr *expr,
			     bpmu_lookup_fn *lookup, void *ctx)
{
	struct bpmu_formula formula;
	struct bpmu_value value;
	struct bpmu_error err;

	if (bpmu_formula_make(&formula, lines, expr, &err))
		fail_msg("%s", err.text);
	value = bpmu_formula_eval(&formula, lookup, ctx);
	bpmu_formula_free(&formula);
	return value;
}

/**
 * unit_totals() - for unit tests: fill in the totals of the events that all groups of a bank count
 * @tree: the tree
 * @counts: the counts of each group. On return @counts also has the totals of each bank, at
 *	BPMU_TREE_TOTAL(). In these tests the total of an event is its count in the first group that
 *	has the event. The next call overwrites the totals.
 */
void unit_totals(const struct bpmu_tree *tree, const double *counts[BPMU_TREE_GROUPS])
{
	static double total[BPMU_BANKS][TOTALS_MAX];
	const struct bpmu_event_list *events;
	unsigned int bank, i;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		events = &tree->events[BPMU_TREE_TOTAL(bank)];
		assert_true(events->nr <= TOTALS_MAX);
		for (i = 0; i < events->nr; i++)
			total[bank][i] = unit_count_in(tree, counts,
						       events->spec[i].text);
		counts[BPMU_TREE_TOTAL(bank)] = total[bank];
	}
}
