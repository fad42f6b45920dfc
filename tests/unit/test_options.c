// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of command-line options: which options and operands a command line has, what is said of one
 * that is wrong, what the options that several subcommands have set, and the files of -o.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/barepmu.h>

#include "base/array.h"
#include "colour.h"
#include "options.h"
#include "test.h"
#include "tree/metric_choice.h"
#include "unit.h"

enum { OPTION_ITEM = BPMU_OPTION_OWN, OPTION_FITS, OPTION_LONG, OPTION_THING, OPTION_PART };

static const struct bpmu_option rows[] = {
	{ 'a', "all", NULL, "everything" },
	{ 'n', "number", "N", "a number;\nor two lines" },
	{ 'k', NULL, NULL, "only a letter" },
	{ 'w', NULL, "W", "a letter with a value" },
	{ OPTION_ITEM, "item", NULL, "without a value" },
	{ OPTION_ITEM, "old-item", NULL, NULL },
	{ OPTION_FITS, "as-wide-as-fits", "V", "twenty-five columns" },
	{ OPTION_LONG, "wider-than-a-row", "V", "twenty-six columns" },
	{ OPTION_PART, "also", NULL, "begins as another one" },
	{ 'x', "field-separator", "S", "CSV", BPMU_CHOICE_FORMAT },
	{ 'j', "json", NULL, "JSON", BPMU_CHOICE_FORMAT },
	{ OPTION_THING, "per-thing", NULL, "a row for each thing", BPMU_CHOICE_ROWS },
	{ 'A', "no-aggr", NULL, "a row for each CPU", BPMU_CHOICE_ROWS },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static const char help[] =
	"About it.\n"
	"  -a, --all               everything\n"
	"  -n, --number N          a number;\n"
	"                          or two lines\n"
	"  -k                      only a letter\n"
	"  -w W                    a letter with a value\n"
	"      --item              without a value\n"
	"      --as-wide-as-fits V twenty-five columns\n"
	"      --wider-than-a-row V\n"
	"                          twenty-six columns\n"
	"      --also              begins as another one\n"
	"  -x, --field-separator S CSV\n"
	"  -j, --json              JSON\n"
	"      --per-thing         a row for each thing\n"
	"  -A, --no-aggr           a row for each CPU\n"
	"  -h, --help              print this help\n"
	"\n"
	"Manual: barepmu-fake(1)\n";

/* The options that were set, a word each. The value "bad" is refused. */
static char set[256];

static int note(void *call, int id, const char *value, struct bpmu_error *err)
{
	size_t length = strlen(set);
	char name[16];

	assert_ptr_equal(call, set);
	snprintf(name, sizeof(name), id < BPMU_OPTION_LONG ? "%c" : "%d",
		 id < BPMU_OPTION_LONG ? id : id - BPMU_OPTION_OWN);
	snprintf(set + length, sizeof(set) - length, "%s%s%s%s", length ? " " : "", name,
		 value ? "=" : "", value ?: "");
	return value && !strcmp(value, "bad") ? bpmu_error_set(err, -ERANGE, "refused") : 0;
}

static const struct bpmu_option_table table = {
	.command = "fake", .about = "About it.\n", .option = rows, .set = note,
};

static const struct bpmu_option_table of_command = {
	.command = "fake", .about = "About it.\n", .option = rows, .set = note,
	.command_follows = true,
};

/*
 * Parses the words of @line after the name of a subcommand. @options: those that must be set; @rest:
 * the operands, or the error if @code is negative
 */
static void parses(const struct bpmu_option_table *options_of, const char *line, int code,
		   const char *options, const char *rest)
{
	struct bpmu_error err = { .text = "" };
	char words[256], *argv[16] = { "fake" };
	struct bpmu_operands operands;
	char left[256] = "", *word;
	int argc = 1, i;

	snprintf(words, sizeof(words), "%s", line);
	for (word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	*set = '\0';
	if (bpmu_options_parse(options_of, set, argc, argv, &operands, &err) != code)
		fail_msg("%s: not %d: %s", line, code, err.text);
	assert_string_equal(set, options);
	if (code < 0) {
		assert_string_equal(err.text, rest);
		return;
	}
	if (code)
		return;
	for (i = 0; i < operands.nr; i++)
		snprintf(left + strlen(left), sizeof(left) - strlen(left), "%s%s", i ? " " : "",
			 operands.word[i]);
	assert_string_equal(left, rest);
	assert_null(operands.word[operands.nr]);
	assert_string_equal(argv[0], "fake");
}

TEST(options_and_operands_may_be_mixed)
{
	parses(&table, "", 0, "", "");
	parses(&table, "-a", 0, "a", "");
	parses(&table, "-ak -n5 x", 0, "a k n=5", "x");
	parses(&table, "-n 5 -a", 0, "n=5 a", "");
	parses(&table, "-akn 5 y", 0, "a k n=5", "y");
	parses(&table, "-n5a", 0, "n=5a", "");
	parses(&table, "-n -a", 0, "n=-a", "");
	parses(&table, "--number=5 --number 6 --number=", 0, "n=5 n=6 n=", "");
	parses(&table, "--number=a=b", 0, "n=a=b", "");
	parses(&table, "--item --old-item", 0, "0 0", "");
	parses(&table, "x -a y --all z", 0, "a a", "x y z");
	parses(&table, "x -- -a -- y", 0, "", "x -a -- y");
	parses(&table, "- -a", 0, "a", "-");
	parses(&table, "-x; --field-separator=, -x:", 0, "x=; x=, x=:", "");
	parses(&table, "-jA", 0, "j A", "");
	parses(&of_command, "-a true -a --number", 0, "a", "true -a --number");
	parses(&of_command, "-a - -n", 0, "a", "- -n");
	parses(&of_command, "-a -- -n 5", 0, "a", "-n 5");
	parses(&of_command, "-n true false -k", 0, "n=true", "false -k");
}

TEST(a_wrong_option_is_refused_with_what_may_be_meant)
{
	static const struct {
		const char *line, *set, *error;
	} all[] = {
		{ "-a -n", "a", "option '-n': its value is missing; write -n N, see 'barepmu fake --help'" },
		{ "-kw", "k", "option '-w': its value is missing; write -w W, see 'barepmu fake --help'" },
		{ "--number", "", "option '--number': its value is missing; write --number N, see 'barepmu fake --help'" },
		{ "--all=1", "", "option '--all=1': takes no value; see 'barepmu fake --help'" },
		{ "-q", "", "option '-q': not known; see 'barepmu fake --help'" },
		{ "-aN", "a", "option '-N': not known; did you mean -n, --number? See 'barepmu fake --help'" },
		{ "-K", "", "option '-K': not known; did you mean -k? See 'barepmu fake --help'" },
		{ "-H", "", "option '-H': not known; did you mean -h, --help? See 'barepmu fake --help'" },
		{ "--k", "", "option '--k': not known; did you mean -k? See 'barepmu fake --help'" },
		{ "--q", "", "option '--q': not known; see 'barepmu fake --help'" },
		{ "--numb3r 5", "", "option '--numb3r': not known; did you mean --number? See 'barepmu fake --help'" },
		{ "--fi", "", "option '--fi': not known; did you mean --field-separator? See 'barepmu fake --help'" },
		{ "--al", "", "option '--al': not known; did you mean --all, --also? See 'barepmu fake --help'" },
		{ "--old", "", "option '--old': not known; see 'barepmu fake --help'" },
		{ "--=5", "", "option '--': not known; did you mean --all, --number, --item, --as-wide-as-fits, --wider-than-a-row? See 'barepmu fake --help'" },
		{ "-p 1", "", "option '-p': fake does not have it; counters belong to CPUs here, not to processes; pin the process (taskset -p) and name its CPUs with -C" },
		{ "--pid=1", "", "option '--pid': fake does not have it; counters belong to CPUs here, not to processes; pin the process (taskset -p) and name its CPUs with -C" },
		{ "--metric-only", "", "option '--metric-only': fake does not have it; only stat prints events beside metrics; use 'barepmu stat --metric-only'" },
		{ "-M x", "", "option '-M': fake does not have it; metrics are chosen in stat, topdown, record, report, top, serve, eval and decan" },
		{ "-j -x,", "j", "-j and -x: contradict each other; leave one out" },
		{ "--field-separator=; --json", "x=;", "-x and -j: contradict each other; leave one out" },
		{ "--per-thing -j -A", "3 j", "--per-thing and -A: contradict each other; leave one out" },
		{ "-A --per-thing", "A", "-A and --per-thing: contradict each other; leave one out" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		parses(&table, all[i].line, -EINVAL, all[i].set, all[i].error);
	/* What an option refuses ends the line. */
	parses(&table, "-a -n bad -k x", -ERANGE, "a n=bad", "refused");
	parses(&table, "--number=bad -k", -ERANGE, "n=bad", "refused");
	parses(&table, "-w bad", -ERANGE, "w=bad", "refused");
}

TEST(help_ends_a_line_and_has_all_options)
{
	static const char *const lines[] = { "-a --help -n", "-ahn", "x -a -h", "-a -h -q" };
	unsigned int i;
	char *said;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		unit_capture_begin(stdout);
		parses(&table, lines[i], BPMU_OPTIONS_HELPED, "a", "");
		said = unit_capture_end();
		assert_string_equal(said, help);
		free(said);
	}
}

TEST(a_subcommand_without_operands_refuses_them)
{
	char *none[] = { "fake", "-a", NULL }, *one[] = { "fake", "-a", "x", "y", NULL };
	char *wrong[] = { "fake", "x", "-n", NULL };
	struct bpmu_error err;

	*set = '\0';
	assert_int_equal(bpmu_options_only(&table, set, 2, none, &err), 0);
	assert_string_equal(set, "a");
	assert_int_equal(bpmu_options_only(&table, set, 4, one, &err), -EINVAL);
	assert_string_equal(err.text, "fake: 'x': one word too many; see 'barepmu fake --help'");
	assert_int_equal(bpmu_options_only(&table, set, 3, wrong, &err), -EINVAL);
	assert_string_equal(err.text, "option '-n': its value is missing; write -n N, see 'barepmu fake --help'");
}

TEST(options_are_given_to_another_subcommand)
{
	const struct bpmu_given good[] = {
		{ 'a' }, { 'n', NULL, "5" }, { 0, "item" }, { 0, "wider-than-a-row", "v" }, { 'k' },
	};
	static const struct {
		struct bpmu_given given[3];
		const char *set, *error;
	} bad[] = {
		{ { { 'a' }, { 'n' }, { 'k' } }, "a",
		  "option '-n': its value is missing; write -n N, see 'barepmu fake --help'" },
		{ { { 0, "number" }, { 'k' } }, "",
		  "option '--number': its value is missing; write --number N, see 'barepmu fake --help'" },
		{ { { 'q' }, { 'k' } }, "", "option '-q': not known; see 'barepmu fake --help'" },
		{ { { 'a' }, { 0, "numb3r", "5" } }, "a",
		  "option '--numb3r': not known; did you mean --number? See 'barepmu fake --help'" },
		{ { { 'j' }, { 'x', NULL, "," } }, "j",
		  "-j and -x: contradict each other; leave one out" },
		{ { { 'n', NULL, "bad" }, { 'k' } }, "n=bad", "refused" },
	};
	char text[BPMU_OPTION_TEXT];
	struct bpmu_error err;
	unsigned int i;

	*set = '\0';
	assert_int_equal(bpmu_options_give(&table, set, good, ARRAY_SIZE(good), &err), 0);
	assert_string_equal(set, "a n=5 0 2=v k");
	assert_int_equal(bpmu_options_give(&table, set, NULL, 0, &err), 0);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		*set = '\0';
		assert_true(bpmu_options_give(&table, set, bad[i].given, 3, &err) < 0);
		assert_string_equal(set, bad[i].set);
		assert_string_equal(err.text, bad[i].error);
	}
	bpmu_given_text(&good[1], text);
	assert_string_equal(text, "-n");
	bpmu_given_text(&good[3], text);
	assert_string_equal(text, "--wider-than-a-row");
}

TEST(times_have_units)
{
	static const struct {
		const char *text;
		u64 ns;
	} all[] = {
		{ "10", 10000000 }, { "10ms", 10000000 }, { "100us", 100000 }, { "2s", 2000000000 },
		{ "1m", 60000000000 }, { "2min", 120000000000 }, { "1h", 3600000000000 },
		{ "1.5", 1500000 }, { "0.5us", 500 }, { "0.0005us", 1 }, { "0.0004us", 0 },
		{ "0.0016us", 2 }, { "0", 0 }, { "-1", 0 }, { "", 0 }, { "x", 0 }, { ".5", 0 },
		{ "1x", 0 }, { "1 s", 0 }, { "1ss", 0 }, { "999999999s", 999999999000000000 },
		{ "1000000000s", 0 }, { "1e30", 0 },
	};
	struct bpmu_error err;
	unsigned int i;
	u64 to;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_int_equal(bpmu_options_duration(all[i].text), all[i].ns);
		assert_int_equal(bpmu_options_time(&to, "--it", all[i].text, 1, &err),
				 all[i].ns ? 0 : -EINVAL);
		assert_int_equal(to, all[i].ns);
	}
	assert_string_equal(err.text, "--it '1e30': not a time; write 10 (ms), 100us, 10ms, 2s or 1m");
	assert_int_equal(bpmu_options_time(&to, "--it", "10us", 10000, &err), 0);
	assert_int_equal(bpmu_options_time(&to, "--it", "9.9us", 10000, &err), -EINVAL);
	assert_string_equal(err.text, "--it '9.9us': too short; the least is 10 us");
}

TEST(numbers_of_options_have_bounds)
{
	static const char *const wrong[] = {
		"4", "8", "", "x", "+5", "-5", " 5", "5 ", "5x", "0x5", "99999999999999999999",
		"18446744073709551621",
	};
	static const char *const right[] = { "5", "6", "7", "007" };
	struct bpmu_error err;
	char said[128];
	unsigned int i, number;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		number = 77;
		errno = ERANGE;
		assert_int_equal(bpmu_options_number("-n", wrong[i], 5, 7, &number, &err), -EINVAL);
		snprintf(said, sizeof(said), "-n '%s': not a number from 5 to 7; write one", wrong[i]);
		assert_string_equal(err.text, said);
		assert_int_equal(number, 77);
	}
	for (i = 0; i < ARRAY_SIZE(right); i++) {
		errno = ERANGE;
		assert_int_equal(bpmu_options_number("-n", right[i], 5, 7, &number, &err), 0);
		assert_int_equal(number, i < 3 ? 5 + i : 7);
	}
	assert_int_equal(bpmu_options_number("-n", "4294967295", 0, UINT_MAX, &number, &err), 0);
	assert_int_equal(number, UINT_MAX);
	assert_int_equal(bpmu_options_number("-n", "4294967296", 0, UINT_MAX, &number, &err), -EINVAL);
}

static int take(struct bpmu_options *options, int id, const char *value, const char *error)
{
	struct bpmu_error err = { .text = "" };
	int code = bpmu_options_take(options, id, value, &err);

	assert_string_equal(err.text, error);
	return code;
}

/* Each option sets its own member, and nothing else: @what is to be equal to @options but for that. */
#define SETS(id, value, member, to) do { \
	struct bpmu_options options = { }, wanted = { }; \
	\
	assert_int_equal(take(&options, id, value, ""), 0); \
	wanted.member = to; \
	assert_memory_equal(&options, &wanted, sizeof(wanted)); \
} while (0)

TEST(a_common_option_sets_its_member)
{
	static char list[] = "0-3";
	struct bpmu_options cpus = { .cpus = list }, csv = { };

	SETS('C', list, cpus, list);
	SETS('I', "2", interval_ns, 2000000);
	SETS('I', "100us", interval_ns, 100000);
	SETS('j', NULL, format, BPMU_JSON);
	SETS('o', list, output, list);
	SETS('D', "1s", delay_ns, 1000000000);
	SETS(BPMU_OPTION_APPEND, NULL, append, true);
	SETS(BPMU_OPTION_TIMER, "auto", timer, BPMU_TIMER_AUTO);
	SETS(BPMU_OPTION_TIMER, "hard", timer, BPMU_TIMER_HARD);
	SETS(BPMU_OPTION_TIMER, "tick", timer, BPMU_TIMER_TICK);
	SETS(BPMU_OPTION_TAKE_OVER, NULL, take_over, true);
	SETS(BPMU_OPTION_TIMEOUT, "3", timeout_ns, 3000000);
	SETS(BPMU_OPTION_COUNT, "1", max_intervals, 1);
	SETS(BPMU_OPTION_COUNT, "4294967295", max_intervals, UINT_MAX);
	assert_int_equal(take(&cpus, 'a', NULL, ""), 0);
	assert_null(cpus.cpus);
	assert_int_equal(take(&csv, 'x', ";", ""), 0);
	assert_int_equal(csv.format, BPMU_CSV);
	assert_string_equal(csv.separator, ";");
	assert_int_equal(take(&csv, 'x', "\\t", ""), 0);
	assert_string_equal(csv.separator, "\t");
	assert_int_equal(take(&csv, 'q', NULL, ""), -ENOENT);
	assert_int_equal(take(&csv, 'M', "IPC", ""), -ENOENT);
}

TEST(a_common_option_names_itself_in_its_error)
{
	static const struct {
		int id;
		const char *value, *error;
	} all[] = {
		{ 'I', "99us", "-I '99us': too short; the least is 100 us" },
		{ 'I', "x", "-I 'x': not a time; write 10 (ms), 100us, 10ms, 2s or 1m" },
		{ 'D', "0", "--delay '0': not a time; write 10 (ms), 100us, 10ms, 2s or 1m" },
		{ 'x', "", "-x: the separator is empty; write -x, for example" },
		{ BPMU_OPTION_TIMER, "soft", "--timer 'soft': not known; write auto, hard or tick" },
		{ BPMU_OPTION_COLOR, "red", "--color 'red': not known; write auto, always or never" },
		{ BPMU_OPTION_TIMEOUT, "1y", "--timeout '1y': not a time; write 10 (ms), 100us, 10ms, 2s or 1m" },
		{ BPMU_OPTION_COUNT, "0", "--interval-count '0': not a number from 1 to 4294967295; write one" },
	};
	struct bpmu_options options = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(take(&options, all[i].id, all[i].value, all[i].error), -EINVAL);
}

TEST(colour_is_a_matter_of_the_option_or_of_the_terminal)
{
	struct bpmu_options options = { };
	FILE *file = tmpfile(), *terminal;
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	assert_non_null(file);
	assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
	terminal = fopen(ptsname(master), "w");
	assert_non_null(terminal);
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	assert_int_equal(take(&options, BPMU_OPTION_COLOR, "always", ""), 0);
	assert_true(bpmu_colour(file));
	assert_int_equal(take(&options, BPMU_OPTION_COLOR, "never", ""), 0);
	assert_false(bpmu_colour(terminal));
	assert_int_equal(take(&options, BPMU_OPTION_COLOR, "auto", ""), 0);
	assert_false(bpmu_colour(file));
	assert_true(bpmu_colour(terminal));
	setenv("NO_COLOR", "", 1);
	assert_true(bpmu_colour(terminal));
	setenv("NO_COLOR", "1", 1);
	assert_false(bpmu_colour(terminal));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	assert_false(bpmu_colour(terminal));
	unsetenv("TERM");
	assert_true(bpmu_colour(terminal));
	fclose(terminal);
	fclose(file);
	close(master);
}

TEST(each_option_of_rows_has_its_own)
{
	static const struct {
		int id;
		enum bpmu_rows_by by;
	} all[] = {
		{ 'A', BPMU_ROWS_CPU }, { BPMU_OPTION_PER_CORE, BPMU_ROWS_CORE },
		{ BPMU_OPTION_PER_CACHE, BPMU_ROWS_CACHE }, { BPMU_OPTION_PER_DIE, BPMU_ROWS_DIE },
		{ BPMU_OPTION_PER_SOCKET, BPMU_ROWS_PACKAGE }, { BPMU_OPTION_PER_NODE, BPMU_ROWS_NODE },
	};
	enum bpmu_rows_by by;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		by = -1;
		assert_true(bpmu_options_rows(&by, all[i].id));
		assert_int_equal(by, all[i].by);
	}
	assert_false(bpmu_options_rows(&by, 'a'));
	assert_int_equal(by, BPMU_ROWS_NODE);
}

TEST(metrics_are_chosen_by_names_files_and_methods)
{
	struct bpmu_options options = { };
	struct bpmu_choice choice = { };
	struct bpmu_error err;

	assert_int_equal(bpmu_options_choose(&options, &choice, 'M', "IPC", &err), 0);
	assert_int_equal(bpmu_options_choose(&options, &choice, 'g', "L2", &err), 0);
	assert_string_equal(choice.names, "IPC,L2");
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_METHOD, "tma", &err), 0);
	assert_string_equal(choice.asked, "tma");
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_METRICS, "a.bpm", &err), 0);
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_METRICS, "b.bpm", &err), 0);
	assert_int_equal(choice.nr_paths, 2);
	assert_string_equal(choice.path[0], "a.bpm");
	assert_string_equal(choice.path[1], "b.bpm");
	assert_null(choice.events);
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_EVENTS, "e.json", &err), 0);
	assert_string_equal(choice.events, "e.json");
	assert_false(choice.unmeasured || options.tpebs);
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_TPEBS, NULL, &err), 0);
	assert_true(choice.unmeasured && options.tpebs);
	assert_false(choice.paper);
	assert_int_equal(bpmu_options_choose(&options, &choice, BPMU_OPTION_PAPER, NULL, &err), 0);
	assert_true(choice.paper);
	assert_int_equal(bpmu_options_choose(&options, &choice, 'o', "out", &err), 0);
	assert_string_equal(options.output, "out");
	assert_int_equal(bpmu_options_choose(&options, &choice, 'q', NULL, &err), -ENOENT);
	free(choice.names);
}

TEST(options_that_need_another_one_are_refused_alone)
{
	char *words[] = { "true", NULL };
	const struct bpmu_operands command = { words, 1 }, none = { words + 1, 0 };
	struct bpmu_options options = { }, counted = { .max_intervals = 3 };
	struct bpmu_options appended = { .append = true };
	struct bpmu_error err;

	assert_int_equal(bpmu_options_check(&options, &none, &err), 0);
	assert_null(options.argv);
	assert_int_equal(bpmu_options_check(&options, &command, &err), 0);
	assert_ptr_equal(options.argv, words);
	/* A command that is there already stays. */
	assert_int_equal(bpmu_options_check(&options, &none, &err), 0);
	assert_ptr_equal(options.argv, words);
	assert_int_equal(bpmu_options_check(&counted, &none, &err), -EINVAL);
	assert_string_equal(err.text, "--interval-count: there are no intervals; add -I MS");
	counted.interval_ns = 1;
	assert_int_equal(bpmu_options_check(&counted, &none, &err), 0);
	assert_int_equal(bpmu_options_check(&appended, &none, &err), -EINVAL);
	assert_string_equal(err.text, "--append: there is no file; add -o FILE");
	appended.output = "out";
	assert_int_equal(bpmu_options_check(&appended, &none, &err), 0);
}

TEST(results_go_where_the_command_does_not_write)
{
	static char *words[] = { "true", NULL };
	struct bpmu_options options = { };
	struct bpmu_error err;

	assert_ptr_equal(bpmu_options_open(&options, &err), stdout);
	options.argv = words;
	assert_ptr_equal(bpmu_options_open(&options, &err), stderr);
	options.replay = (struct bpmu_replay *)words;
	assert_ptr_equal(bpmu_options_open(&options, &err), stdout);
	options.replay = NULL;
	options.output = "-";
	assert_ptr_equal(bpmu_options_open(&options, &err), stdout);
	assert_int_equal(bpmu_options_close(&options, stdout, 0, &err), 0);
	assert_int_equal(bpmu_options_close(&options, stdout, -EIO, &err), -EIO);
	assert_true(printf("%s", "") == 0);
}

/* Contents of the file @path; "(none)" if there is no such file. */
static const char *contents(const char *path)
{
	static char text[64];
	FILE *file = fopen(path, "r");

	if (!file)
		return "(none)";
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

/*
 * Writes @text to the file of -o, in two pieces, and ends with @code. The file has the contents @before,
 * or is not there if that is NULL, and must have the contents @during before the end and @after then.
 */
static void writes(const char *before, bool append, const char *text, int code, const char *during,
		   const char *after)
{
	char path[] = "/tmp/barepmu-test-options-XXXXXX";
	const struct bpmu_options options = { .output = path, .append = append };
	struct bpmu_error err;
	FILE *out;

	unit_file(path, before ?: "");
	if (!before)
		unlink(path);
	out = bpmu_options_open(&options, &err);
	assert_non_null(out);
	if (*text) {
		fputc(*text, out);
		fflush(out);
		fputs(text + 1, out);
		fflush(out);
	}
	assert_string_equal(contents(path), during);
	assert_int_equal(bpmu_options_close(&options, out, code, &err), code);
	assert_string_equal(contents(path), after);
	unlink(path);
}

TEST(a_file_keeps_its_contents_until_there_is_output)
{
	writes(NULL, false, "new", 0, "new", "new");
	writes("before", false, "new", 0, "new", "new");
	writes("before", false, "", 0, "before", "");
	writes("before", false, "", -EIO, "before", "before");
	writes("before", false, "new", -EIO, "new", "new");
	writes(NULL, false, "", 0, "", "");
	writes(NULL, false, "", -EIO, "", "(none)");
	writes(NULL, false, "new", -EIO, "new", "new");
	writes("", false, "", -EIO, "", "");
	writes("before", true, "new", 0, "beforenew", "beforenew");
	writes("before", true, "", 0, "before", "before");
	writes(NULL, true, "new", 0, "new", "new");
	writes(NULL, true, "", -EIO, "", "(none)");
}

TEST(output_that_is_not_written_is_an_error)
{
	struct bpmu_options options = { .output = "/dev/full" };
	struct bpmu_error err;
	FILE *out;
	int i;

	for (i = 0; i < 2; i++) {
		options.append = i;
		out = bpmu_options_open(&options, &err);
		assert_non_null(out);
		fputs("text", out);
		assert_int_equal(bpmu_options_close(&options, out, 0, &err), -EIO);
		assert_string_equal(err.text, "/dev/full: not written; is there room?");
		out = bpmu_options_open(&options, &err);
		assert_non_null(out);
		fputs("text", out);
		/* The first error stays. */
		bpmu_error_set(&err, -EPERM, "first");
		assert_int_equal(bpmu_options_close(&options, out, -EPERM, &err), -EPERM);
		assert_string_equal(err.text, "first");
		options.output = "/nowhere/out";
		assert_null(bpmu_options_open(&options, &err));
		assert_string_equal(err.text,
				    "/nowhere/out: cannot be written: No such file or directory; name another file");
		options.output = "/dev/full";
	}
}
