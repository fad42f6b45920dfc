/* SPDX-License-Identifier: GPL-2.0 */
/* Parsing of command-line options, and the options that several subcommands have. */
#ifndef BPMU_OPTIONS_H
#define BPMU_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "arch.h"
#include "base/error.h"
#include "base/print.h"
#include "event/rows.h"

struct bpmu_choice;
struct bpmu_recorder;
struct bpmu_replay;
struct bpmu_sums;

/*
 * Numbers that identify the options that several subcommands have (ids). An option with a letter,
 * such as -C, is not in this list: its id is the letter.
 */
enum bpmu_option_id {
	/* first id that is not a letter */
	BPMU_OPTION_LONG = 256,
	BPMU_OPTION_TIMEOUT = BPMU_OPTION_LONG,
	BPMU_OPTION_COUNT,
	BPMU_OPTION_APPEND,
	BPMU_OPTION_TIMER,
	BPMU_OPTION_TAKE_OVER,
	BPMU_OPTION_COLOR,
	BPMU_OPTION_METHOD,
	BPMU_OPTION_METRICS,
	BPMU_OPTION_EVENTS,
	BPMU_OPTION_TPEBS,
	BPMU_OPTION_EXTRA,
	BPMU_OPTION_PAPER,
	BPMU_OPTION_PER_CORE,
	BPMU_OPTION_PER_CACHE,
	BPMU_OPTION_PER_DIE,
	BPMU_OPTION_PER_SOCKET,
	BPMU_OPTION_PER_NODE,
	/* first id for the options that only one subcommand has */
	BPMU_OPTION_OWN
};

/*
 * Groups of options that exclude each other: the user can give only one option of a group. All
 * options that exclude no others have BPMU_CHOICE_ANY.
 */
enum bpmu_option_choice {
	BPMU_CHOICE_ANY,
	BPMU_CHOICE_FORMAT,
	BPMU_CHOICE_ROWS
};

/**
 * struct bpmu_option - an option of a subcommand
 * @id: letter of the option, or a number from BPMU_OPTION_LONG on
 * @name: long name, or NULL
 * @argument: name of the option's value in --help; NULL if the option takes no value
 * @help: description, whose lines are separated by newlines. NULL if @name is a second name of an
 *	option that is in the table with the same @id: --help does not list second names
 * @choice: group of options that exclude each other, to which the option belongs
 */
struct bpmu_option {
	int id;
	const char *name;
	const char *argument;
	const char *help;
	enum bpmu_option_choice choice;
};

/**
 * struct bpmu_option_table - all options of a subcommand
 * @command: name of the subcommand
 * @about: text that --help prints before the options
 * @option: the options, ended by an empty one
 * @command_follows: true if the first operand is the name of a command to run: the words after it
 *	are arguments of the command, not options of the subcommand
 * @set: called for each option that the user gives, to store its @value in the subcommand's struct
 *	@call; @value is NULL if the option takes none. Returns 0 or a negative errno
 */
struct bpmu_option_table {
	const char *command;
	const char *about;
	const struct bpmu_option *option;
	bool command_follows;
	int (*set)(void *call, int id, const char *value,
		   struct bpmu_error *err);
};

/**
 * struct bpmu_operands - the words of a command line that are no options
 * @word: the words, ended by NULL, [@nr + 1]
 * @nr: number of operands
 */
struct bpmu_operands {
	char **word;
	int nr;
};

/**
 * struct bpmu_given - an option that one subcommand sets when it calls another subcommand
 * @letter: letter of the option, or 0 if it has only a long name
 * @name: long name of the option, if @letter is 0
 * @value: value of the option, NULL if it has none
 */
struct bpmu_given {
	char letter;
	const char *name;
	const char *value;
};

/* size in bytes of a buffer for any option's name, with its dashes and NUL */
#define BPMU_OPTION_TEXT 64

/* result of bpmu_options_parse() if it has printed help: the subcommand must end with success */
#define BPMU_OPTIONS_HELPED 1

#define BPMU_OPTION_ROW_HELP { 'h', "help", NULL, "print this help" }

#define BPMU_OPTION_ROWS_CPUS \
	{ 'a', "all-cpus", NULL, "all online CPUs (the default)" }, \
	{ 'C', "cpu", "LIST", "only these CPUs: 0-3,8; or of a core type: adl-e" }

#define BPMU_OPTION_ROW_TIMER(help) \
	{ BPMU_OPTION_TIMER, "timer", "auto|hard|tick", help }

#define BPMU_OPTION_ROW_TAKE_OVER \
	{ BPMU_OPTION_TAKE_OVER, "take-over", NULL, \
	  "also use counters that an unknown agent has enabled;\n" \
	  "they are enabled again at the end" }

/* options that choose events and metrics, as elements of &bpmu_option_table.option */
#define BPMU_OPTION_ROW_GROUP \
	{ 'g', "group", "NAME", \
	  "metric group, such as BRANCH, ENERGY, L2; see\n" \
	  "\"barepmu list groups\"" }

/*
 * the option -e, which names the events to count, as an element of &bpmu_option_table.option; @more
 * is appended to the help of the option
 */
#define BPMU_OPTION_ROW_EVENT(more) \
	{ 'e', "event", "EVENTS", \
	  "events, separated by commas, see \"barepmu list\"" more }

#define BPMU_OPTION_ROW_NAMES(more) \
	{ 'M', NULL, "NAMES", \
	  "metrics, globs or groups, separated by commas, see\n" \
	  "\"barepmu list metrics\"" more }

#define BPMU_OPTION_ROW_LEVEL(more) \
	{ 'l', "level", "N", \
	  "the Top-Down tree down to level 1 to 4, of tma to 6" more }

/*
 * the option -r, which runs COMMAND several times and gives one result for all runs, as an element
 * of &bpmu_option_table.option; @what is a part of the help of the option
 */
#define BPMU_OPTION_ROW_REPEAT(what) \
	{ 'r', "repeat", "N|auto", \
	  "run COMMAND N times, or until the groups have enough\n" \
	  "slices for " what " of all runs" }

#define BPMU_OPTION_ROW_METHOD \
	{ BPMU_OPTION_METHOD, "method", "NAME", \
	  "tree of -l and -M: paper (default), or tma, Intel's" }

#define BPMU_OPTION_ROW_METRICS \
	{ BPMU_OPTION_METRICS, "metrics", "PATH", \
	  "load metrics from a file, see barepmu-metrics(5), or\n" \
	  "from Intel's files; may be repeated" }

#define BPMU_OPTION_ROW_EVENTS \
	{ BPMU_OPTION_EVENTS, "events", "PATH", \
	  "load events, or mean retire latencies, from Intel's JSON\n" \
	  "file or directory" }

#define BPMU_OPTION_ROW_TPEBS \
	{ BPMU_OPTION_TPEBS, "record-tpebs", NULL, \
	  "before, sample further runs of COMMAND for the mean\n" \
	  "retire latencies that formulas need" }

#define BPMU_OPTION_ROW_EXTRA \
	{ BPMU_OPTION_EXTRA, "extra", NULL, \
	  "also nodes that the paper names without a formula" }

#define BPMU_OPTION_ROW_PAPER \
	{ BPMU_OPTION_PAPER, "paper", NULL, \
	  "formulas as printed in the paper, counts substituted" }

/*
 * options that say which CPUs a row of the result adds up, as elements of &bpmu_option_table.option
 */
#define BPMU_OPTION_ROWS_PER \
	{ 'A', "no-aggr", NULL, "one row per CPU", BPMU_CHOICE_ROWS }, \
	{ BPMU_OPTION_PER_CORE, "per-core", NULL, \
	  "one row per core, with its threads added up", BPMU_CHOICE_ROWS }, \
	{ BPMU_OPTION_PER_CACHE, "per-cache", NULL, \
	  "one row per L3; on AMD per core complex", \
	  BPMU_CHOICE_ROWS }, \
	{ BPMU_OPTION_PER_DIE, "per-die", NULL, "one row per die", \
	  BPMU_CHOICE_ROWS }, \
	{ BPMU_OPTION_PER_SOCKET, "per-socket", NULL, \
	  "one row per package", BPMU_CHOICE_ROWS }, \
	{ BPMU_OPTION_PER_NODE, "per-node", NULL, \
	  "one row per NUMA node", BPMU_CHOICE_ROWS }

#define BPMU_OPTION_ROWS_TIMEOUT \
	{ BPMU_OPTION_TIMEOUT, "timeout", "TIME", \
	  "stop after this time: 500 (ms), 10ms, 2s, 1m" }, \
	{ BPMU_OPTION_TIMEOUT, "duration", "TIME", NULL }

#define BPMU_OPTION_ROWS_COUNT \
	{ BPMU_OPTION_COUNT, "interval-count", "N", "stop after N intervals" }, \
	{ BPMU_OPTION_COUNT, "count", "N", NULL }

#define BPMU_OPTION_ROWS_FORMAT \
	{ 'x', "field-separator", "S", \
	  "CSV with separator S; '\\t' is a tab", BPMU_CHOICE_FORMAT }, \
	{ 'j', "json", NULL, "JSON lines", BPMU_CHOICE_FORMAT }, \
	{ 'j', "json-output", NULL, NULL, BPMU_CHOICE_FORMAT }

#define BPMU_OPTION_ROWS_OUTPUT \
	{ BPMU_OPTION_COLOR, "color", "auto|always|never", \
	  "colour flagged values; auto: on a terminal, unless\n" \
	  "NO_COLOR is set" }, \
	{ 'o', "output", "FILE", "write results to FILE" }, \
	{ BPMU_OPTION_APPEND, "append", NULL, "append to FILE" }

/* options of all subcommands that measure and print, as elements of &bpmu_option_table.option */
#define BPMU_OPTION_ROWS_MEASURING \
	BPMU_OPTION_ROWS_CPUS, \
	{ 'I', "interval", "TIME", \
	  "print every TIME: 100 (ms), 100us, 10ms, 2s, 1m" }, \
	{ 'I', "interval-print", "TIME", NULL }, \
	BPMU_OPTION_ROW_TIMER( \
		"source of the samples: hard, a timer interrupt of its\n" \
		"own, on idle CPUs too; tick, the scheduler tick of\n" \
		"busy CPUs; auto is hard with -I"), \
	BPMU_OPTION_ROW_TAKE_OVER, \
	BPMU_OPTION_ROWS_COUNT, \
	BPMU_OPTION_ROWS_TIMEOUT, \
	{ 'D', "delay", "TIME", \
	  "start counting this long after the command's start" }, \
	BPMU_OPTION_ROWS_FORMAT, \
	BPMU_OPTION_ROWS_OUTPUT, \
	BPMU_OPTION_ROW_HELP

/**
 * struct bpmu_options - values of the common options
 * @recorder: file to which samples are written, instead of printing results; or NULL
 * @replay: recording from which samples are read, instead of measuring; or NULL
 * @sums: means over runs or intervals to which values are added, instead of printing the values; or
 *	NULL
 * @only: name of a node of the metric tree: only the value and formula of this node and the verdict
 *	are printed; or NULL
 * @cpus: list of CPUs, or NULL for all
 * @interval_ns: time in ns between two printed results, 0 for one result at the end
 * @timer: source of the samples, &enum bpmu_timer
 * @take_over: true to use counters, too, that an unknown program or the firmware has enabled
 * @max_intervals: number of intervals, 0 for no limit
 * @timeout_ns: length of the run in ns, 0 for no limit
 * @format: format of the output
 * @separator: separator of CSV
 * @output: name of the output file, or NULL
 * @append: true to append to the file @output instead of replacing it
 * @tpebs: true to measure, before the run, the mean retire latencies that formulas need
 * @delay_ns: time in ns from the start of the command to the start of counting
 * @argv: the command to run and measure, with its arguments, ended by NULL; or NULL
 */
struct bpmu_options {
	struct bpmu_recorder *recorder;
	struct bpmu_replay *replay;
	struct bpmu_sums *sums;
	const char *only;
	const char *cpus;
	u64 interval_ns;
	u32 timer;
	bool take_over;
	unsigned int max_intervals;
	u64 timeout_ns;
	enum bpmu_format format;
	const char *separator;
	const char *output;
	bool append;
	bool tpebs;
	u64 delay_ns;
	char **argv;
};

u64 bpmu_options_duration(const char *text);
int bpmu_options_time(u64 *to, const char *name, const char *text, u64 least,
		      struct bpmu_error *err);
int bpmu_options_number(const char *name, const char *text, unsigned int least,
			unsigned int most, unsigned int *number,
			struct bpmu_error *err);
int bpmu_options_separator(const char **separator, const char *text,
			   struct bpmu_error *err);
int bpmu_options_take(struct bpmu_options *options, int id, const char *value,
		      struct bpmu_error *err);
bool bpmu_options_rows(enum bpmu_rows_by *by, int option);
int bpmu_options_choose(struct bpmu_options *options, struct bpmu_choice *choice,
			int id, const char *value, struct bpmu_error *err);
void bpmu_options_help(const struct bpmu_option_table *table, FILE *out);
int bpmu_options_parse(const struct bpmu_option_table *table, void *call,
		       int argc, char **argv, struct bpmu_operands *operands,
		       struct bpmu_error *err);
void bpmu_given_text(const struct bpmu_given *given, char text[BPMU_OPTION_TEXT]);
int bpmu_options_give(const struct bpmu_option_table *table, void *call,
		      const struct bpmu_given *given, unsigned int nr, struct bpmu_error *err);
int bpmu_options_only(const struct bpmu_option_table *table, void *call,
		      int argc, char **argv, struct bpmu_error *err);
int bpmu_options_end(const char *command, const struct bpmu_operands *operands,
		     struct bpmu_error *err);
int bpmu_options_check(struct bpmu_options *options,
		       const struct bpmu_operands *operands,
		       struct bpmu_error *err);
FILE *bpmu_options_open(const struct bpmu_options *options,
			struct bpmu_error *err);
int bpmu_options_close(const struct bpmu_options *options, FILE *out, int code,
		       struct bpmu_error *err);

#endif /* BPMU_OPTIONS_H */
