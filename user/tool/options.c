// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/barepmu.h>

#include "base/array.h"
#include "base/nearest.h"
#include "colour.h"
#include "fold.h"
#include "tree/metric_choice.h"

/* column in which --help begins the description of an option */
#define HELP_COLUMN 26

/**
 * bpmu_options_duration() - parse a time in the syntax of options
 * @text: "10" (ms), "10ms", "100us", "2s", "1m" or "1h"
 *
 * Return: nanoseconds, or 0 if @text is invalid.
 */
u64 bpmu_options_duration(const char *text)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "", 1e6 }, { "ms", 1e6 }, { "us", 1e3 }, { "s", 1e9 },
		{ "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
	};
	double value;
	char *end;
	size_t i;

	if (!isdigit((unsigned char)*text))
		return 0;
	value = strtod(text, &end);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		value *= units[i].ns;
		return value < 1e18 ? (u64)(value + 0.5) : 0;
	}
	return 0;
}

/**
 * bpmu_options_time() - parse the value of an option as a time
 * @to: output: the time in nanoseconds; on an error, set to a value that is not to be used
 * @name: name of the option, for errors
 * @text: value of the option
 * @least: minimum in nanoseconds
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_time(u64 *to, const char *name, const char *text, u64 least,
		      struct bpmu_error *err)
{
	*to = bpmu_options_duration(text);
	if (*to && *to >= least)
		return 0;
	if (!*to)
		return bpmu_error_set(err, -EINVAL,
			"%s '%s': not a time; write 10 (ms), 100us, 10ms, 2s or 1m",
			name, text);
	return bpmu_error_set(err, -EINVAL,
			      "%s '%s': too short; the least is %llu us",
			      name, text, least / 1000ULL);
}

static int take_timer(u32 *to, const char *text, struct bpmu_error *err)
{
	static const char *const names[] = {
		[BPMU_TIMER_AUTO] = "auto",
		[BPMU_TIMER_HARD] = "hard",
		[BPMU_TIMER_TICK] = "tick",
	};

	for (*to = 0; *to < ARRAY_SIZE(names); (*to)++)
		if (!strcmp(text, names[*to]))
			return 0;
	return bpmu_error_set(err, -EINVAL,
		"--timer '%s': not known; write auto, hard or tick", text);
}

/**
 * bpmu_options_number() - parse the value of an option as a whole number
 * @name: name of the option, for errors
 * @text: value of the option
 * @least: minimum
 * @most: maximum
 * @number: output: the number
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_number(const char *name, const char *text, unsigned int least,
			unsigned int most, unsigned int *number,
			struct bpmu_error *err)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value < least ||
	    value > most)
		return bpmu_error_set(err, -EINVAL,
			"%s '%s': not a number from %u to %u; write one", name,
			text, least, most);
	*number = value;
	return 0;
}

/**
 * bpmu_options_take() - set the value of a common option: one that several subcommands have
 * @options: zeroed before the first call; the member that belongs to the option is set
 * @option: id of the option
 * @value: value of the option
 *
 * Return: 0; -EINVAL for an invalid value; -ENOENT, without a message in @err, for an option that
 * is not common.
 */
int bpmu_options_take(struct bpmu_options *options, int option,
		      const char *value, struct bpmu_error *err)
{
	switch (option) {
	case 'a':
		options->cpus = NULL;
		return 0;
	case 'C':
		options->cpus = value;
		return 0;
	case 'I':
		return bpmu_options_time(&options->interval_ns, "-I", value,
				     BPMU_MIN_INTERVAL_NS, err);
	case 'x':
		options->format = BPMU_CSV;
		return bpmu_options_separator(&options->separator, value, err);
	case 'j':
		options->format = BPMU_JSON;
		return 0;
	case 'o':
		options->output = value;
		return 0;
	case 'D':
		return bpmu_options_time(&options->delay_ns, "--delay", value, 1,
					 err);
	case BPMU_OPTION_APPEND:
		options->append = true;
		return 0;
	case BPMU_OPTION_TIMER:
		return take_timer(&options->timer, value, err);
	case BPMU_OPTION_COLOR:
		return bpmu_colour_choose(value, err);
	case BPMU_OPTION_TAKE_OVER:
		options->take_over = true;
		return 0;
	case BPMU_OPTION_TIMEOUT:
		return bpmu_options_time(&options->timeout_ns, "--timeout", value,
				     1, err);
	case BPMU_OPTION_COUNT:
		return bpmu_options_number("--interval-count", value, 1,
					   UINT_MAX, &options->max_intervals,
					   err);
	default:
		return -ENOENT;
	}
}

/**
 * bpmu_options_rows() - set which CPUs a row of the result adds up, by an option such as --per-core
 * @by: output: which CPUs are added up, such as those of a core; set only if the option is one of
 *	BPMU_OPTION_ROWS_PER
 * @option: id of the option
 *
 * Return: true if the option is one of BPMU_OPTION_ROWS_PER.
 */
bool bpmu_options_rows(enum bpmu_rows_by *by, int option)
{
	static const struct {
		int option;
		enum bpmu_rows_by by;
	} rows[] = {
		{ 'A', BPMU_ROWS_CPU },
		{ BPMU_OPTION_PER_CORE, BPMU_ROWS_CORE },
		{ BPMU_OPTION_PER_CACHE, BPMU_ROWS_CACHE },
		{ BPMU_OPTION_PER_DIE, BPMU_ROWS_DIE },
		{ BPMU_OPTION_PER_SOCKET, BPMU_ROWS_PACKAGE },
		{ BPMU_OPTION_PER_NODE, BPMU_ROWS_NODE },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].option != option)
			continue;
		*by = rows[i].by;
		return true;
	}
	return false;
}

/**
 * bpmu_options_choose() - parse an option: one that chooses metrics or events, or a common one
 * @options: values of the common options (those that several subcommands have), for
 *	bpmu_options_take()
 * @choice: requested events and metrics, to which those of the option are added
 * @option: id of the option
 * @value: value of the option; it must stay valid, because @choice points into it
 *
 * Return: 0; -ENOENT, without a message in @err, for any other option; or another negative errno.
 */
int bpmu_options_choose(struct bpmu_options *options, struct bpmu_choice *choice,
			int option, const char *value, struct bpmu_error *err)
{
	switch (option) {
	case 'M':
	case 'g':
		return bpmu_choice_add_names(choice, value, err);
	case BPMU_OPTION_METHOD:
		return bpmu_choice_take_method(choice, value, err);
	case BPMU_OPTION_METRICS:
		return bpmu_choice_add_path(choice, value, err);
	case BPMU_OPTION_EVENTS:
		choice->events = value;
		return 0;
	case BPMU_OPTION_TPEBS:
		options->tpebs = true;
		choice->unmeasured = true;
		return 0;
	case BPMU_OPTION_PAPER:
		choice->paper = true;
		return 0;
	default:
		return bpmu_options_take(options, option, value, err);
	}
}

/**
 * bpmu_options_separator() - parse the option -x, the separator of CSV
 * @separator: output: the separator: a tab if @text is a backslash and the letter t, else @text
 * @text: argument of -x
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_separator(const char **separator, const char *text,
			   struct bpmu_error *err)
{
	*separator = strcmp(text, "\\t") ? text : "\t";
	if (*text)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-x: the separator is empty; write -x, for example");
}

/* options of perf stat, toplev and LIKWID that this tool does not have, and what to use instead */
static const struct foreign {
	char letter;
	const char *name;
	const char *advice;
} foreign[] = {
	{ 'p', "pid",
	  "counters belong to CPUs here, not to processes; pin the process (taskset -p) and name its CPUs with -C" },
	{ 't', "tid",
	  "counters belong to CPUs here, not to threads; pin the thread (taskset -p) and name its CPU with -C" },
	{ 'G', "cgroup",
	  "counters belong to CPUs here, not to cgroups; name the CPUs of the cgroup (cpuset.cpus.effective) with -C" },
	{ 0, "for-each-cgroup",
	  "counters belong to CPUs here, not to cgroups; name the CPUs of the cgroup (cpuset.cpus.effective) with -C" },
	{ 'd', "detailed",
	  "name what you want: 'barepmu stat -M NAMES', see 'barepmu list metrics', or 'barepmu topdown' and its -l" },
	{ 'v', "verbose",
	  "'barepmu info' shows the counters, 'topdown --groups' the event groups" },
	{ 'V', "version",
	  "use 'barepmu --version'" },
	{ 'n', "null",
	  "'barepmu info --overhead' measures the cost of counting" },
	{ 'i', "no-inherit",
	  "counting is system-wide, children included; a recording is read without an option: 'barepmu report FILE'" },
	{ 0, "input",
	  "a recording is read without an option: 'barepmu report FILE'" },
	{ 's', "sort",
	  "use 'barepmu report --by comm', pid, symbol or another that 'barepmu report --help' lists" },
	{ 0, "stdio",
	  "reports are text already; --html makes a page, 'barepmu top' a screen" },
	{ 'B', "big-num",
	  "text has thousands separated as the locale does; CSV and JSON never" },
	{ 'S', "sync",
	  "use --pre sync" },
	{ 'T', "transaction",
	  "name the events with -e, see 'barepmu list events tx'" },
	{ 'e', "event",
	  "events are chosen in stat, record, report, top --by, serve and decan" },
	{ 'M', NULL,
	  "metrics are chosen in stat, topdown, record, report, top, serve, eval and decan" },
	{ 'g', "group",
	  "metric groups are chosen in stat, topdown, record, report, top, serve, eval and decan" },
	{ 'l', "level",
	  "the Top-Down tree has levels, in stat, topdown, record, report, top, serve, eval and decan; so have CPI stacks in cpistack" },
	{ 0, "method",
	  "the method is that of the Top-Down tree, in stat, topdown, record, report, top, serve, eval and decan" },
	{ 'r', "repeat",
	  "a command is run several times by stat, topdown, cpistack, phi and decan; recordings of several runs are compared with 'barepmu report --html PAGE FILE...'" },
	{ 'f', "force",
	  "counters in use are taken with --take-over; recordings of other users are read like any file" },
	{ 0, "per-thread",
	  "threads of a core are CPUs: -A has a row for each" },
	{ 'A', "no-aggr",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown -A\' or \'barepmu stat -A\'; recordings get rows from \'barepmu report -A\'" },
	{ 0, "per-core",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown --per-core\' or \'barepmu stat --per-core\'; recordings get rows from \'barepmu report --per-core\'" },
	{ 0, "per-socket",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown --per-socket\' or \'barepmu stat --per-socket\'; recordings get rows from \'barepmu report --per-socket\'" },
	{ 0, "per-die",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown --per-die\' or \'barepmu stat --per-die\'; recordings get rows from \'barepmu report --per-die\'" },
	{ 0, "per-cache",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown --per-cache\' or \'barepmu stat --per-cache\'; recordings get rows from \'barepmu report --per-cache\'" },
	{ 0, "per-node",
	  "this command has one result for all of its CPUs; choose them with -C, or use \'barepmu topdown --per-node\' or \'barepmu stat --per-node\'; recordings get rows from \'barepmu report --per-node\'" },
	{ 0, "per-cluster",
	  "use --per-cache: those that share an L3" },
	{ 0, "interval-clear",
	  "use 'barepmu top'" },
	{ 0, "summary",
	  "record, and report once with -I and once without" },
	{ 0, "td-level",
	  "use 'barepmu topdown -l N'" },
	{ 0, "topdown",
	  "use 'barepmu topdown'" },
	{ 0, "no-merge",
	  "rows are chosen with -A, --per-core, --per-cache, --per-die, --per-socket or --per-node" },
	{ 0, "part",
	  "a machine is measured as the CPU model that it is; --part is an option of list, explain, eval and 'errata list'" },
	{ 0, "control",
	  "use --delay and --timeout, or record and choose with 'report --from --to'" },
	{ 0, "log-fd",
	  "use -o /dev/fd/N" },
	{ 0, "metric-no-group",
	  "events that do not fit are multiplexed; --no-multiplex refuses that" },
	{ 0, "pre",
	  "run it before barepmu in the shell" },
	{ 0, "post",
	  "run it after barepmu in the shell" },
	{ 0, "metric-only",
	  "only stat prints events beside metrics; use 'barepmu stat --metric-only'" },
};

static const char *options_advice(int letter, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(foreign); i++)
		if (name ? foreign[i].name && !strcmp(foreign[i].name, name) :
			   foreign[i].letter == letter)
			return foreign[i].advice;
	return NULL;
}

static const struct bpmu_option *find_long(const struct bpmu_option_table *table,
					   const char *name)
{
	const struct bpmu_option *o;

	for (o = table->option; o->id; o++)
		if (o->name && !strcmp(o->name, name))
			return o;
	return NULL;
}

static const struct bpmu_option *find_letter(const struct bpmu_option_table *table,
					     int letter)
{
	const struct bpmu_option *o;

	for (o = table->option; o->id; o++)
		if (o->id == letter)
			return o;
	return NULL;
}

/*
 * Compares the names of all options with an unknown name. @nearest has the unknown name, and keeps
 * the names that are most similar to it.
 */
static void options_offer(const struct bpmu_option_table *table,
			  struct bpmu_nearest *nearest)
{
	const struct bpmu_option *o;

	for (o = table->option; o->id; o++)
		if (o->name && o->help &&
		    !strncmp(o->name, nearest->typed, strlen(nearest->typed)) &&
		    nearest->nr < BPMU_NEAREST_NAMES)
			nearest->name[nearest->nr++] = o->name;
	for (o = table->option; o->id && !nearest->nr; o++)
		if (o->name && o->help)
			bpmu_nearest_offer(nearest, o->name);
}

static int unknown_long(const struct bpmu_option_table *table, const char *name,
			struct bpmu_error *err)
{
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST] = "";
	const struct bpmu_option *o;
	const char *said = options_advice(0, name);
	size_t len = 0;
	unsigned int i;

	if (said)
		return bpmu_error_set(err, -EINVAL, "option '--%s': %s does not have it; %s",
				      name, table->command, said);
	options_offer(table, &nearest);
	/* One letter after two dashes, such as "--j", is probably meant as "-j". */
	o = name[0] && !name[1] ? find_letter(table, name[0]) : NULL;
	if (o)
		return bpmu_error_set(err, -EINVAL,
			"option '--%s': not known; did you mean -%s? See 'barepmu %s --help'",
			name, name, table->command);
	for (i = 0; i < nearest.nr && len < sizeof(list); i++)
		len += snprintf(list + len, sizeof(list) - len, "%s--%s",
				i ? ", " : "", nearest.name[i]);
	return bpmu_error_set(err, -EINVAL,
		"option '--%s': not known; %s%s%s 'barepmu %s --help'", name,
		nearest.nr ? "did you mean " : "", list,
		nearest.nr ? "? See" : "see", table->command);
}

static int unknown_letter(const struct bpmu_option_table *table, int letter,
			  struct bpmu_error *err)
{
	int other = islower(letter) ? toupper(letter) : tolower(letter);
	const char *said = options_advice(letter, NULL);
	const struct bpmu_option *o;

	if (said)
		return bpmu_error_set(err, -EINVAL, "option '-%c': %s does not have it; %s",
				      letter, table->command, said);
	o = find_letter(table, other);
	if (!o)
		return bpmu_error_set(err, -EINVAL,
			"option '-%c': not known; see 'barepmu %s --help'",
			letter, table->command);
	return bpmu_error_set(err, -EINVAL,
		"option '-%c': not known; did you mean -%c%s%s? See 'barepmu %s --help'",
		letter, other, o->name ? ", --" : "", o->name ?: "", table->command);
}

/**
 * struct parser - state of parsing the options of a subcommand's command line
 * @table: options of the subcommand
 * @call: the subcommand's struct, in which @table->set stores the values
 * @next: words that are still to be parsed, ended by NULL
 * @chosen: of each group of options that exclude each other, the option that the user gave, or
 *	NULL; [&enum bpmu_option_choice]
 * @err: set on failure
 */
struct parser {
	const struct bpmu_option_table *table;
	void *call;
	char **next;
	const struct bpmu_option *chosen[BPMU_CHOICE_ROWS + 1];
	struct bpmu_error *err;
};

static void option_text(const struct bpmu_option *o, char text[BPMU_OPTION_TEXT])
{
	const struct bpmu_given given = {
		.letter = o->id < BPMU_OPTION_LONG ? o->id : 0, .name = o->name,
	};

	bpmu_given_text(&given, text);
}

static int options_set(struct parser *p, const struct bpmu_option *o, const char *value)
{
	const struct bpmu_option **chosen = &p->chosen[o->choice];
	char here[BPMU_OPTION_TEXT], before[BPMU_OPTION_TEXT];

	if (o->id == 'h') {
		bpmu_options_help(p->table, stdout);
		return BPMU_OPTIONS_HELPED;
	}
	if (o->choice && *chosen && (*chosen)->id != o->id) {
		option_text(*chosen, before);
		option_text(o, here);
		return bpmu_error_set(p->err, -EINVAL,
			"%s and %s: contradict each other; leave one out",
			before, here);
	}
	*chosen = o;
	if (o->choice == BPMU_CHOICE_FORMAT)
		bpmu_fold_stop();
	return p->table->set(p->call, o->id, value, p->err);
}

static int lacks_value(const struct parser *p, const struct bpmu_option *o,
		       const char *word)
{
	return bpmu_error_set(p->err, -EINVAL,
		"option '%s': its value is missing; write %s %s, see 'barepmu %s --help'",
		word, word, o->argument, p->table->command);
}

static int parse_long(struct parser *p, char *word)
{
	char *equals = strchr(word, '=');
	const struct bpmu_option *o;
	char *value = NULL;
	char *name;
	int code;

	name = strndup(word + 2, equals ? (size_t)(equals - word - 2) :
					  strlen(word + 2));
	if (!name)
		return bpmu_error_no_memory(p->err, "options");
	o = find_long(p->table, name);
	code = o ? 0 : unknown_long(p->table, name, p->err);
	free(name);
	if (code)
		return code;
	if (equals && !o->argument)
		return bpmu_error_set(p->err, -EINVAL,
			"option '%s': takes no value; see 'barepmu %s --help'",
			word, p->table->command);
	if (o->argument) {
		value = equals ? equals + 1 : *p->next;
		if (!value)
			return lacks_value(p, o, word);
		p->next += !equals;
	}
	return options_set(p, o, value);
}

/*
 * Parses a word of option letters. Options without a value may be combined, as in -aj. If an option
 * takes a value, the rest of the word is the value; if the option is the last letter of the word,
 * the next word is the value. Returns 0, BPMU_OPTIONS_HELPED, or a negative errno.
 */
static int parse_letters(struct parser *p, const char *letter)
{
	const struct bpmu_option *o;
	char name[3] = "-";
	int code = 0;

	for (; *letter && !code; letter++) {
		o = find_letter(p->table, *letter);
		if (!o)
			return unknown_letter(p->table, *letter, p->err);
		if (!o->argument) {
			code = options_set(p, o, NULL);
			continue;
		}
		if (letter[1])
			return options_set(p, o, letter + 1);
		name[1] = *letter;
		if (!*p->next)
			return lacks_value(p, o, name);
		return options_set(p, o, *p->next++);
	}
	return code;
}

static void help_line(const struct bpmu_option *o, FILE *out)
{
	const char *line = o->help;
	char left[80];
	size_t len;
	int width;

	if (o->id < BPMU_OPTION_LONG)
		width = snprintf(left, sizeof(left), "  -%c%s%s%s%s", o->id,
				 o->name ? ", --" : "", o->name ?: "",
				 o->argument ? " " : "", o->argument ?: "");
	else
		width = snprintf(left, sizeof(left), "      --%s%s%s", o->name,
				 o->argument ? " " : "", o->argument ?: "");
	if (width >= HELP_COLUMN)
		fprintf(out, "%s\n%*s", left, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, left);
	for (;;) {
		len = strcspn(line, "\n");
		fprintf(out, "%.*s\n", (int)len, line);
		if (!line[len])
			return;
		line += len + 1;
		fprintf(out, "%*s", HELP_COLUMN, "");
	}
}

/**
 * bpmu_options_help() - print the help of a subcommand from the table of its options
 * @table: options of the subcommand
 */
void bpmu_options_help(const struct bpmu_option_table *table, FILE *out)
{
	const struct bpmu_option *o;

	fputs(table->about, out);
	for (o = table->option; o->id; o++)
		if (o->help)
			help_line(o, out);
	fprintf(out, "\nManual: barepmu-%s(1)\n", table->command);
}

/**
 * bpmu_options_parse() - parse the options of a subcommand's command line
 * @table: options of the subcommand; --help is handled here
 * @call: the subcommand's struct, in which @table->set stores the values of the options
 * @argc: number of words, from the subcommand's name on
 * @argv: the words. They are reordered: words that are no options (operands) move to the front
 * @operands: output: the words that are no options
 *
 * Names of options cannot be abbreviated, because a later version may have an option whose name is
 * the abbreviation.
 *
 * Return: 0; BPMU_OPTIONS_HELPED if --help was given, and help has been printed; or a negative
 * errno.
 */
int bpmu_options_parse(const struct bpmu_option_table *table, void *call,
		       int argc, char **argv, struct bpmu_operands *operands,
		       struct bpmu_error *err)
{
	struct parser p = {
		.table = table, .call = call, .next = argv + !!argc, .err = err,
	};
	char *word;
	int code = 0;

	operands->word = p.next;
	operands->nr = 0;
	while (*p.next && !code) {
		word = *p.next++;
		if (!strcmp(word, "--"))
			break;
		if ((word[0] != '-' || !word[1]) && table->command_follows) {
			p.next--;
			break;
		}
		if (word[0] == '-' && word[1] == '-')
			code = parse_long(&p, word);
		else if (word[0] == '-' && word[1])
			code = parse_letters(&p, word + 1);
		else
			operands->word[operands->nr++] = word;
	}
	while (*p.next && !code)
		operands->word[operands->nr++] = *p.next++;
	if (!code)
		operands->word[operands->nr] = NULL;
	return code;
}

/**
 * bpmu_given_text() - format the name of a given option as on a command line
 * @text: output: a text such as "-l" or "--method"
 */
void bpmu_given_text(const struct bpmu_given *given, char text[BPMU_OPTION_TEXT])
{
	if (given->letter)
		snprintf(text, BPMU_OPTION_TEXT, "-%c", given->letter);
	else
		snprintf(text, BPMU_OPTION_TEXT, "--%s", given->name);
}

/**
 * bpmu_options_give() - set options of a subcommand, for another subcommand that calls it
 * @table: options of the called subcommand; a given option that is not among them is an error
 * @call: the subcommand's struct, in which @table->set stores the values of the options
 * @given: the options, [@nr], in the order in which they are set
 * @nr: number of options
 *
 * Return: 0; BPMU_OPTIONS_HELPED if --help was given, and help has been printed; or a negative
 * errno.
 */
int bpmu_options_give(const struct bpmu_option_table *table, void *call,
		      const struct bpmu_given *given, unsigned int nr, struct bpmu_error *err)
{
	struct parser p = { .table = table, .call = call, .err = err };
	const struct bpmu_option *o;
	char text[BPMU_OPTION_TEXT];
	unsigned int i;
	int code = 0;

	for (i = 0; i < nr && !code; i++) {
		o = given[i].letter ? find_letter(table, given[i].letter) :
				      find_long(table, given[i].name);
		bpmu_given_text(&given[i], text);
		if (!o)
			return given[i].letter ? unknown_letter(table, given[i].letter, err) :
						 unknown_long(table, given[i].name, err);
		code = o->argument && !given[i].value ? lacks_value(&p, o, text) :
							options_set(&p, o, given[i].value);
	}
	return code;
}

/**
 * bpmu_options_end() - refuse operands after the options of a subcommand that takes no operands
 * @command: name of the subcommand, for the error
 * @operands: operands on the command line
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_end(const char *command, const struct bpmu_operands *operands,
		     struct bpmu_error *err)
{
	if (!operands->nr)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"%s: '%s': one word too many; see 'barepmu %s --help'",
		command, operands->word[0], command);
}

/**
 * bpmu_options_only() - parse the options of a subcommand that takes no operands
 * @table: options of the subcommand; --help is handled here
 * @call: the subcommand's struct, in which @table->set stores the values of the options
 * @argc: number of words, from the subcommand's name on
 * @argv: the words
 *
 * Return: 0; BPMU_OPTIONS_HELPED if --help was given, and help has been printed; or a negative
 * errno, such as -EINVAL if there is an operand.
 */
int bpmu_options_only(const struct bpmu_option_table *table, void *call,
		      int argc, char **argv, struct bpmu_error *err)
{
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(table, call, argc, argv, &operands, err);
	return code ? code : bpmu_options_end(table->command, &operands, err);
}

/**
 * bpmu_options_check() - check that the common options do not contradict each other
 * @options: values of the common options; &bpmu_options.argv is set to the command, if @operands
 *	has one
 * @operands: the command to run, with its arguments; may be empty
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_check(struct bpmu_options *options,
		       const struct bpmu_operands *operands,
		       struct bpmu_error *err)
{
	if (operands->nr)
		options->argv = operands->word;
	if (options->max_intervals && !options->interval_ns)
		return bpmu_error_set(err, -EINVAL,
			"--interval-count: there are no intervals; add -I MS");
	if (options->append && !options->output)
		return bpmu_error_set(err, -EINVAL,
			"--append: there is no file; add -o FILE");
	return 0;
}

static bool is_standard(const struct bpmu_options *options)
{
	return !strcmp(options->output, "-");
}

/*
 * The output file of the option -o. A regular file is emptied just before the first output is
 * written. @emptied is true once this is done, or if the file is no regular file.
 */
static struct replaced {
	int fd;
	bool emptied;
} replaced;

/* true if the output file of the option -o did not exist before this call of the tool */
static bool is_new;

static ssize_t replaced_write(void *cookie, const char *text, size_t size)
{
	struct replaced *file = cookie;
	size_t left = size;
	ssize_t done;

	if (!file->emptied && ftruncate(file->fd, 0))
		return 0;
	file->emptied = true;
	while (left) {
		done = write(file->fd, text + size - left, left);
		if (done < 0 && errno != EINTR)
			return 0;
		left -= done < 0 ? 0 : done;
	}
	return size;
}

static int replaced_close(void *cookie)
{
	const struct replaced *file = cookie;

	return close(file->fd);
}

/*
 * Opens the output file of the option -o; returns NULL with errno on an error. A regular file keeps
 * its old contents until the first output is written.
 */
static FILE *replaced_open(const char *name)
{
	const cookie_io_functions_t calls = {
		.write = replaced_write, .close = replaced_close,
	};
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	struct stat now;
	FILE *out;
	int code;

	if (fd < 0)
		return NULL;
	replaced.fd = fd;
	replaced.emptied = fstat(fd, &now) || !S_ISREG(now.st_mode);
	out = replaced.emptied ? fdopen(fd, "w") :
				 fopencookie(&replaced, "w", calls);
	code = errno;
	if (!out)
		close(fd);
	errno = code;
	return out;
}

/**
 * bpmu_options_open() - open the output: the file of the option -o, or a standard stream
 * @options: options that bpmu_options_check() has checked
 *
 * With -o the output is the named file, or standard output for "-". Without -o the output is
 * standard output. But if a command is measured, the output is standard error, as with perf stat:
 * the standard output is left to the command. A measurement that cannot begin changes no file: an
 * existing file keeps its contents until the first output is written, and after an error
 * bpmu_options_close() removes a new, empty file.
 *
 * Return: the stream, which the caller closes by bpmu_options_close() before the next call; or
 * NULL.
 */
FILE *bpmu_options_open(const struct bpmu_options *options,
			struct bpmu_error *err)
{
	FILE *out;

	if (!options->output)
		return options->argv && !options->replay ?
		       bpmu_fold_stderr() : stdout;
	if (is_standard(options))
		return stdout;
	is_new = access(options->output, F_OK) && errno == ENOENT;
	out = options->append ? fopen(options->output, "ae") :
				replaced_open(options->output);
	if (!out)
		bpmu_error_set(err, -errno, "%s: cannot be written: %s; name another file",
			       options->output, strerror(errno));
	return out;
}

/* Removes the output file @name if this call of the tool has created it, and it is empty. */
static void remove_new(const char *name)
{
	struct stat now;

	if (is_new && !stat(name, &now) && S_ISREG(now.st_mode) && !now.st_size)
		unlink(name);
}

/**
 * bpmu_options_close() - flush and close the output that bpmu_options_open() has opened
 * @options: options that bpmu_options_check() has checked
 * @out: stream that bpmu_options_open() returned
 * @code: 0 if there was no error so far; otherwise a negative errno, and @err has the error message
 * @err: filled in if the output could not be written and @code is 0
 *
 * Return: @code if @code is not 0; otherwise 0, or a negative errno if the output could not be
 * written.
 */
int bpmu_options_close(const struct bpmu_options *options, FILE *out, int code,
		       struct bpmu_error *err)
{
	bool file = options->output && !is_standard(options);
	const char *name = file ? options->output : "output";
	int failed = fflush(out) || ferror(out);

	if (file && !options->append && !code && !replaced.emptied)
		failed |= ftruncate(replaced.fd, 0);
	if (file)
		failed |= fclose(out);
	if (file && code)
		remove_new(name);
	if (code || !failed)
		return code;
	return bpmu_error_set(err, -EIO, "%s: not written; is there room?",
			      name);
}
