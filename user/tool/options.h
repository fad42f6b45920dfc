/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options that the measuring commands share.
 */
#ifndef BPMU_OPTIONS_H
#define BPMU_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "arch.h"
#include "base/error.h"
#include "base/print.h"

struct bpmu_recorder;
struct bpmu_replay;
struct bpmu_sums;

/* what the letters of BPMU_OPTIONS are read into */
#define BPMU_OPTIONS "aC:I:x:jo:h"

enum bpmu_option {
	BPMU_OPTION_TIMEOUT = 256,
	BPMU_OPTION_COUNT,
	BPMU_OPTION_APPEND,
	BPMU_OPTION_TIMER,
	BPMU_OPTION_TAKE_OVER,
	/* where a command's own options begin */
	BPMU_OPTION_OWN
};

#define BPMU_LONG_OPTIONS \
	{ "all-cpus", no_argument, NULL, 'a' }, \
	{ "cpu", required_argument, NULL, 'C' }, \
	{ "interval-print", required_argument, NULL, 'I' }, \
	{ "interval", required_argument, NULL, 'I' }, \
	{ "field-separator", required_argument, NULL, 'x' }, \
	{ "json-output", no_argument, NULL, 'j' }, \
	{ "json", no_argument, NULL, 'j' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "append", no_argument, NULL, BPMU_OPTION_APPEND }, \
	{ "timeout", required_argument, NULL, BPMU_OPTION_TIMEOUT }, \
	{ "interval-count", required_argument, NULL, BPMU_OPTION_COUNT }, \
	{ "timer", required_argument, NULL, BPMU_OPTION_TIMER }, \
	{ "take-over", no_argument, NULL, BPMU_OPTION_TAKE_OVER }, \
	{ "help", no_argument, NULL, 'h' }

#define BPMU_TAKE_OVER_HELP \
	"      --take-over         measure with counters too that somebody unknown has\n" \
	"                          enabled; they are so again at the end\n"

#define BPMU_OPTIONS_HELP \
	"  -a, --all-cpus          all online CPUs (the default)\n" \
	"  -C, --cpu LIST          only these CPUs: 0-3,8; or of a kind: adl-e\n" \
	"  -I, --interval MS       print every MS milliseconds; 100us, 10ms, 2s\n" \
	"      --timer auto|hard|tick  what takes the samples: an interrupt of its\n" \
	"                          own, or the tick that a busy CPU has anyway; auto\n" \
	"                          takes the tick from two ticks' length on\n" \
	BPMU_TAKE_OVER_HELP \
	"      --interval-count N  stop after N intervals\n" \
	"      --timeout MS        stop after MS milliseconds; 10ms, 2s\n" \
	"  -x, --field-separator S CSV with S between the fields\n" \
	"  -j, --json              JSON lines\n" \
	"  -o, --output FILE       write there\n" \
	"      --append            do not overwrite it\n" \
	"  -h, --help              this text\n"

/**
 * struct bpmu_options - what they said
 * @recorder: samples go to a file and nothing is printed; or NULL
 * @replay: samples come from a file; or NULL
 * @sums: values are summed up and not printed; or NULL
 * @cpus: list of CPUs, or NULL for all
 * @interval_ns: 0 for none
 * @timer: &enum bpmu_timer
 * @take_over: take counters that are enabled already
 * @max_intervals: 0 for no limit
 * @timeout_ns: 0 for no limit
 * @format: of the output
 * @separator: of the CSV format
 * @output: file, or NULL
 * @append: to that file
 * @help: was asked for
 * @argv: the command, or NULL
 */
struct bpmu_options {
	struct bpmu_recorder *recorder;
	struct bpmu_replay *replay;
	struct bpmu_sums *sums;
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
	bool help;
	char **argv;
};

u64 bpmu_options_duration(const char *text);
int bpmu_options_number(const char *name, const char *text, unsigned int least,
			unsigned int most, unsigned int *number,
			struct bpmu_error *err);
int bpmu_options_take(struct bpmu_options *options, int option,
		      const char *value, struct bpmu_error *err);
int bpmu_options_wrong(const char *command, char **argv,
		       struct bpmu_error *err);
int bpmu_options_end(const char *command, int argc, char **argv,
		     struct bpmu_error *err);
int bpmu_options_separator(const char *separator, struct bpmu_error *err);
int bpmu_options_check(struct bpmu_options *options, int argc, char **argv,
		       struct bpmu_error *err);
FILE *bpmu_options_open(const struct bpmu_options *options,
			struct bpmu_error *err);
int bpmu_options_close(const struct bpmu_options *options, FILE *out,
		       struct bpmu_error *err);

#endif /* BPMU_OPTIONS_H */
