// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <linux/barepmu.h>

/**
 * bpmu_options_duration() - a time as people write it
 * @text: "10", "10ms", "100us" or "2s"
 *
 * Return: nanoseconds, or 0 if it is none of them.
 */
u64 bpmu_options_duration(const char *text)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "", 1e6 }, { "ms", 1e6 }, { "us", 1e3 }, { "s", 1e9 },
	};
	double value;
	char *end;
	size_t i;

	if (!isdigit((unsigned char)*text))
		return 0;
	value = strtod(text, &end);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		value *= units[i].ns;
		return value < 1e18 ? (u64)(value + 0.5) : 0;
	}
	return 0;
}

static int take_duration(u64 *to, const char *name, const char *text,
			 u64 least, struct bpmu_error *err)
{
	*to = bpmu_options_duration(text);
	if (*to && *to >= least)
		return 0;
	if (!*to)
		return bpmu_error_set(err, -EINVAL,
			"%s '%s': not a time; write 10, 10ms, 100us or 2s",
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

	for (*to = 0; *to < sizeof(names) / sizeof(names[0]); (*to)++)
		if (!strcmp(text, names[*to]))
			return 0;
	return bpmu_error_set(err, -EINVAL,
		"--timer '%s': not known; write auto, hard or tick", text);
}

/**
 * bpmu_options_number() - a whole number
 * @name: of the option
 * @text: its value
 * @least: that it may be
 * @most: that it may be
 * @number: set
 * @err: filled on an error
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
 * bpmu_options_take() - one option
 * @options: zeroed before the first
 * @option: as from getopt_long()
 * @value: its argument
 * @err: filled on an error
 *
 * Return: 0, -EINVAL for a wrong argument, or -ENOENT if it is none of these.
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
		return take_duration(&options->interval_ns, "-I", value,
				     BPMU_MIN_INTERVAL_NS, err);
	case 'x':
		options->format = BPMU_CSV;
		options->separator = value;
		return 0;
	case 'j':
		options->format = BPMU_JSON;
		return 0;
	case 'o':
		options->output = value;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	case BPMU_OPTION_APPEND:
		options->append = true;
		return 0;
	case BPMU_OPTION_TIMER:
		return take_timer(&options->timer, value, err);
	case BPMU_OPTION_TAKE_OVER:
		options->take_over = true;
		return 0;
	case BPMU_OPTION_TIMEOUT:
		return take_duration(&options->timeout_ns, "--timeout", value,
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
 * bpmu_options_wrong() - say what getopt_long() did not take
 * @command: name of the subcommand
 * @argv: the words
 * @err: filled
 *
 * Return: -EINVAL.
 */
int bpmu_options_wrong(const char *command, char **argv,
		       struct bpmu_error *err)
{
	const char *word = argv[optind - 1];
	const char *what = "its value is missing";

	if (strncmp(word, "--", 2))
		return bpmu_error_set(err, -EINVAL,
			"option '-%c': not known, or its value is missing; see 'barepmu %s --help'",
			optopt, command);
	if (!optopt)
		what = "not known, or short for more than one";
	else if (strchr(word, '='))
		what = "takes no value";
	return bpmu_error_set(err, -EINVAL,
		"option '%s': %s; see 'barepmu %s --help'", word, what, command);
}

/**
 * bpmu_options_end() - no words but options
 * @command: name of the subcommand
 * @argc: number of words
 * @argv: the words; what follows the options begins at optind
 * @err: filled on an error
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_end(const char *command, int argc, char **argv,
		     struct bpmu_error *err)
{
	if (optind >= argc)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"%s: '%s': one word too many; see 'barepmu %s --help'",
		command, argv[optind], command);
}

/**
 * bpmu_options_separator() - can a text stand between fields
 * @separator: of -x
 * @err: filled on an error
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_separator(const char *separator, struct bpmu_error *err)
{
	if (*separator)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-x: the separator is empty; write -x, for example");
}

/**
 * bpmu_options_check() - do they go together; what is the command
 * @options: all taken
 * @argc: number of words
 * @argv: the words; the command begins at optind
 * @err: filled on an error
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_options_check(struct bpmu_options *options, int argc, char **argv,
		       struct bpmu_error *err)
{
	if (optind < argc)
		options->argv = argv + optind;
	if (options->max_intervals && !options->interval_ns)
		return bpmu_error_set(err, -EINVAL,
			"--interval-count: there are no intervals; add -I MS");
	if (options->append && !options->output)
		return bpmu_error_set(err, -EINVAL,
			"--append: there is no file; add -o FILE");
	return options->format == BPMU_CSV ?
		bpmu_options_separator(options->separator, err) : 0;
}

static bool is_standard(const struct bpmu_options *options)
{
	return !strcmp(options->output, "-");
}

/**
 * bpmu_options_open() - where the output goes
 * @options: checked
 * @err: filled on an error
 *
 * A file if one was asked for, standard output for "-", else, as perf does, standard error while a
 * command is run, so that its output stays its own, and standard output
 * without one.
 *
 * Return: the stream, or NULL.
 */
FILE *bpmu_options_open(const struct bpmu_options *options,
			struct bpmu_error *err)
{
	FILE *out;

	if (!options->output)
		return options->argv && !options->replay ? stderr : stdout;
	if (is_standard(options))
		return stdout;
	out = fopen(options->output, options->append ? "ae" : "we");
	if (!out)
		bpmu_error_set(err, -errno, "%s: cannot be written: %s",
			       options->output, strerror(errno));
	return out;
}

/**
 * bpmu_options_close() - the output is complete
 * @options: checked
 * @out: from bpmu_options_open()
 * @err: filled on an error
 *
 * Return: 0, or a negative errno if it could not be written.
 */
int bpmu_options_close(const struct bpmu_options *options, FILE *out,
		       struct bpmu_error *err)
{
	bool file = options->output && !is_standard(options);
	const char *name = file ? options->output : "output";
	int failed = fflush(out) || ferror(out);

	if (file)
		failed |= fclose(out);
	if (!failed)
		return 0;
	return bpmu_error_set(err, -EIO, "%s: not written; is there room?",
			      name);
}
