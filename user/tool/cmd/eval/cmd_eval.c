// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "command.h"
#include "count/cpi.h"
#include "eval.h"
#include "event/part.h"
#include "metric/metric_expr.h"
#include "options.h"
#include "phi_options.h"

#define OUT_BUFFER (1 << 16)
/*
 * maximum level of a tree of metrics that the option -l accepts; trees from metric files may have
 * many levels
 */
#define MAX_LEVEL 99

static const char about[] =
	"Usage: barepmu eval [OPTION]... [FILE]\n\n"
	"Computes metrics from counts in FILE or on standard input, without counters: a\n"
	"table (a line of event names, then rows of counts), or the output of \"stat -x\",\n"
	"\"stat -j\", \"perf stat -x\" or \"perf stat -j\".\n\n";

enum own_option {
	OPTION_PART = BPMU_OPTION_OWN,
	OPTION_SMT,
	OPTION_CPI,
	OPTION_NORMALISE,
	OPTION_SET,
	OPTION_ELEMENT,
	OPTION_USED,
	OPTION_PAGES,
	OPTION_FREQ
};

static const struct bpmu_option table[] = {
	{ OPTION_PART, "part", "NAME",
	  "CPU model of the counts; default: this machine's" },
	{ OPTION_SMT, "smt", NULL, "hyper-threading was on" },
	BPMU_OPTION_ROW_NAMES(":\nonly these, on all levels"),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_METHOD,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_EXTRA,
	BPMU_OPTION_ROW_LEVEL(";\ndefault 1, all with -M and files of Intel"),
	{ OPTION_CPI, "cpi", NULL, "the same as --normalise INST" },
	{ OPTION_NORMALISE, "normalise", "INST|WORK=N",
	  "print a stack of cycles per instruction, or per unit\n"
	  "of the N that a row has done" },
	BPMU_OPTION_ROW_PAPER,
	{ OPTION_ELEMENT, "element", "sp|dp",
	  "as in \"barepmu phi\", for counts of Knights Corner" },
	{ OPTION_USED, "threads-used", "N", "the same" },
	{ OPTION_PAGES, "pages", "4k|2m", "the same" },
	{ OPTION_FREQ, "freq", "GHZ", "the same" },
	{ OPTION_SET, "set", "NAME=NUMBER",
	  "set a count that the input lacks, a constant or a\n"
	  "definition" },
	BPMU_OPTION_ROWS_FORMAT,
	{ 'v', "verbose", NULL, "also name the events that a value lacks" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct call - options and state of "barepmu eval"
 * @options: common options; only the options of the output are used
 * @eval: state of the evaluation
 * @part: name of the CPU model, or NULL
 * @phi: settings of Xeon Phi's metrics
 * @extra: also evaluate the nodes that the option --extra adds to the tree
 * @level: deepest level of the tree to evaluate; 0 without the option -l
 * @set: values of the options --set, NAME=NUMBER, [@nr_set]
 * @nr_set: number of options --set
 * @file: file with counts, or NULL
 */
struct call {
	struct bpmu_options options;
	struct bpmu_eval eval;
	const char *part;
	struct bpmu_phi_settings phi;
	bool extra;
	unsigned int level;
	char **set;
	unsigned int nr_set;
	const char *file;
};

static int take_set(struct call *call, const char *text,
		    struct bpmu_error *err)
{
	char **grown;

	grown = reallocarray(call->set, call->nr_set + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "eval");
	call->set = grown;
	grown[call->nr_set] = strdup(text);
	if (!grown[call->nr_set])
		return bpmu_error_no_memory(err, "eval");
	call->nr_set++;
	return 0;
}

static int eval_take_option(void *data, int option, const char *value,
			    struct bpmu_error *err)
{
	struct call *call = data;

	switch (option) {
	case OPTION_PART:
		call->part = value;
		return 0;
	case OPTION_SMT:
		call->eval.smt = 1;
		return 0;
	case OPTION_CPI:
		call->eval.cpi = true;
		return 0;
	case OPTION_NORMALISE:
		call->eval.cpi = true;
		return bpmu_cpi_take(value, &call->eval.work, err);
	case OPTION_SET:
		return take_set(call, value, err);
	case OPTION_ELEMENT:
		return bpmu_phi_take_element(&call->phi, value, err);
	case OPTION_USED:
		return bpmu_phi_take_used(&call->phi, value, err);
	case OPTION_PAGES:
		return bpmu_phi_take_pages(&call->phi, value, err);
	case OPTION_FREQ:
		return bpmu_phi_take_freq(&call->phi, value, err);
	case BPMU_OPTION_EXTRA:
		call->extra = true;
		return 0;
	case 'v':
		call->eval.verbose = true;
		return 0;
	case 'l':
		return bpmu_options_number("-l", value, 1, MAX_LEVEL,
					   &call->level, err);
	default:
		return bpmu_options_choose(&call->options, &call->eval.choice,
					   option, value, err);
	}
}

static int eval_take_words(struct call *call, int argc, char **argv,
			   struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "eval", .about = about, .option = table,
		.set = eval_take_option,
	};
	struct bpmu_operands operands;
	int ret;

	ret = bpmu_options_parse(&options, call, argc, argv, &operands, err);
	if (ret)
		return ret;
	if (operands.nr > 1)
		return bpmu_error_set(err, -EINVAL,
				      "eval: more than one file; give one, or join them with cat");
	call->file = operands.word[0];
	call->eval.format = call->options.format;
	call->eval.separator = call->options.separator;
	return 0;
}

static bool is_definition(const struct bpmu_eval *eval, const char *name)
{
	int i = bpmu_metrics_find(eval->choice.lines, name);

	return i >= 0 && !eval->choice.lines->metric[i].level;
}

/*
 * Executes --set NAME=NUMBER if NAME is defined in a metric file: the number replaces NAME's
 * formula. The events of this formula are then not needed. Returns 0 or a negative errno.
 */
static int replace_definition(struct bpmu_eval *eval, const char *text)
{
	const char *equals = strrchr(text, '=');
	char *name = strndup(text, equals ? equals - text : 0);
	struct bpmu_expr *expr;
	double number;
	int i;

	if (!name)
		return bpmu_error_no_memory(eval->err, "eval");
	if (is_definition(eval, name) &&
	    bpmu_decimal_parse(equals + 1, equals + strlen(equals), &number)) {
		i = bpmu_metrics_find(eval->choice.lines, name);
		expr = eval->choice.lines->metric[i].expr;
		bpmu_expr_set(expr, number);
	}
	free(name);
	return 0;
}

static int apply_set(struct bpmu_eval *eval, char *text)
{
	char *equals = strrchr(text, '=');
	double number;
	int constant;
	int column;

	if (!equals || !bpmu_decimal_parse(equals + 1, equals + strlen(equals),
					   &number))
		return bpmu_error_set(eval->err, -EINVAL,
				      "--set '%s': no number behind a '='; write NAME=NUMBER",
				      text);
	*equals = '\0';
	constant = bpmu_metric_constant(text);
	if (constant >= 0) {
		bpmu_tree_set(&eval->tree, constant, number);
		return 0;
	}
	if (is_definition(eval, text))
		return 0;
	column = bpmu_eval_column(eval, text);
	if (column < 0)
		return column;
	eval->column[column].otherwise = number;
	if (eval->column[column].known)
		return 0;
	return bpmu_error_set(eval->err, -ENOENT,
			      "--set '%s': neither a constant, a definition nor an event of %s; see 'barepmu list'",
			      text, eval->pmu.part->name);
}

/*
 * Refuses --cpi together with -M or with Intel's metrics, because a CPI stack needs all nodes of a
 * Top-Down tree. Returns 0 or -EINVAL.
 */
static int check_cpi(const struct bpmu_eval *eval)
{
	if (!eval->cpi || (!eval->choice.names &&
			   eval->choice.lines == &eval->choice.own))
		return 0;
	return bpmu_error_set(eval->err, -EINVAL,
			      "--cpi: is made of a whole tree; leave out -M and Intel's metrics");
}

static bool eval_is_phi(const struct bpmu_eval *eval)
{
	return eval->choice.method && !strcmp(eval->choice.method, "phi");
}

static void set_constant(struct bpmu_metrics *lines, const char *name,
			 double number)
{
	int i = bpmu_metrics_find(lines, name);

	if (number)
		bpmu_expr_set(lines->metric[i].expr, number);
}

/*
 * Metrics may need constants that the input lacks. Sets them to the values of options such as
 * --freq. Returns 0; or -EINVAL if such an option is given for a CPU model that does not have it.
 */
static int eval_set_constants(struct call *call)
{
	struct bpmu_metrics *lines = call->eval.choice.lines;
	const struct bpmu_phi_settings *phi = &call->phi;

	if (eval_is_phi(&call->eval)) {
		set_constant(lines, "ELEMENTS", phi->elements);
		set_constant(lines, "GHZ", phi->ghz);
		set_constant(lines, "WALK_CLOCKS", phi->huge ? 8 : 0);
		return 0;
	}
	if (phi->elements || phi->used || phi->huge || phi->ghz)
		return bpmu_error_set(call->eval.err, -EINVAL,
				      "--element, --threads-used, --pages, --freq: of Knights Corner's counts only; add --part knc");
	return 0;
}

static int eval_make_tree(struct call *call)
{
	struct bpmu_eval *eval = &call->eval;
	struct bpmu_errata_cpu errata = { .smt = eval->smt };
	struct bpmu_tree_wish wish = {
		.errata = &errata, .pmu = &eval->pmu, .smt = eval->smt,
		.level = call->level, .extra = call->extra, .cpi = eval->cpi,
		.work = eval->work,
		.apart = true,
	};
	unsigned int i;
	int ret;

	if (call->part)
		bpmu_part_platform(call->part, &eval->choice.vendor.cpu,
				   &eval->choice.vendor.stepping);
	else
		bpmu_vendor_this_cpu(&eval->choice.vendor);
	eval->choice.apart = true;
	ret = bpmu_choice_load(&eval->choice, &eval->pmu, eval->err);
	if (!ret)
		ret = check_cpi(eval);
	if (!ret)
		ret = eval_set_constants(call);
	if (ret)
		return ret;
	errata.part = eval->pmu.part;
	for (i = 0; i < call->nr_set && !ret; i++)
		ret = replace_definition(eval, call->set[i]);
	if (ret)
		return ret;
	if (!wish.level)
		wish.level = eval->choice.names ||
			     eval->choice.lines != &eval->choice.own ?
				     BPMU_TREE_ALL : 1;
	bpmu_choice_wish(&eval->choice, &wish);
	ret = bpmu_tree_make(&eval->tree, &wish, eval->err);
	if (!ret && eval_is_phi(eval)) {
		bpmu_tree_set(&eval->tree, BPMU_CONSTANT_THREADS,
			      call->phi.used ? call->phi.used :
					       eval->pmu.part->threads);
		bpmu_tree_set(&eval->tree, BPMU_CONSTANT_CORES, 1);
	}
	return ret;
}

static int eval_prepare(struct call *call)
{
	struct bpmu_eval *eval = &call->eval;
	unsigned int i;
	int ret;

	ret = call->part ? bpmu_part_named(&eval->pmu, call->part, eval->err) :
			   bpmu_part_here(&eval->pmu, eval->err);
	if (!ret)
		ret = eval_make_tree(call);
	if (ret)
		return ret;
	eval->values = calloc(eval->tree.metrics.nr, sizeof(*eval->values));
	eval->counts = calloc(eval->tree.events[0].nr + 1,
			      sizeof(*eval->counts));
	eval->source = calloc(eval->tree.events[0].nr + 1,
			      sizeof(*eval->source));
	eval->shifted = calloc(eval->tree.metrics.nr, sizeof(*eval->shifted));
	eval->by_clock = calloc(eval->tree.metrics.nr, sizeof(*eval->by_clock));
	eval->needs = calloc((size_t)eval->tree.metrics.nr *
			     eval->tree.events[0].nr + 1, sizeof(*eval->needs));
	if (!eval->values || !eval->counts || !eval->source || !eval->shifted ||
	    !eval->by_clock || !eval->needs)
		return bpmu_error_no_memory(eval->err, "eval");
	bpmu_eval_needs(eval);
	for (i = 0; i < call->nr_set && !ret; i++)
		ret = apply_set(eval, call->set[i]);
	return ret;
}

static int eval_read_file(struct call *call, const char *name)
{
	struct bpmu_eval_input in = { .csv.file = stdin, .name = "stdin" };
	struct bpmu_eval *eval = &call->eval;
	int ret;

	if (name && strcmp(name, "-")) {
		in.name = name;
		in.csv.file = fopen(name, "re");
	}
	if (!in.csv.file)
		return bpmu_error_set(eval->err, -errno,
				      "%s: cannot be read: %s; give a file of counts",
				      name, strerror(errno));
	ret = bpmu_eval_read(eval, &in);
	if (ferror(in.csv.file))
		ret = bpmu_error_set(eval->err, -EIO,
				     "%s: reading failed; is it a file?",
				     in.name);
	if (in.csv.too_long)
		ret = bpmu_error_set(eval->err, -EFBIG,
				     "%s:%lu: the line is longer than %u MiB; is it a file of counts?",
				     in.name, in.csv.nr + 1, BPMU_CSV_LINE_MAX >> 20);
	if (!ret)
		bpmu_eval_refused(eval);
	if (in.csv.file != stdin)
		fclose(in.csv.file);
	free(in.csv.line);
	if ((fflush(eval->out) || ferror(eval->out)) && !ret)
		ret = bpmu_error_set(eval->err, -EIO,
				     "output: not written; is there room?");
	if (!ret)
		bpmu_eval_unused(eval, in.name);
	return ret;
}

static void eval_release(struct call *call)
{
	struct bpmu_eval *eval = &call->eval;

	while (eval->nr_columns) {
		eval->nr_columns--;
		free(eval->column[eval->nr_columns].name);
		bpmu_event_free(&eval->column[eval->nr_columns].spec);
	}
	free(eval->column);
	free(eval->source);
	free(eval->values);
	free(eval->shifted);
	free(eval->by_clock);
	free(eval->needs);
	free(eval->counts);
	bpmu_tree_free(&eval->tree);
	bpmu_choice_free(&eval->choice);
	while (call->nr_set)
		free(call->set[--call->nr_set]);
	free(call->set);
}

/**
 * bpmu_cmd_eval() - run "barepmu eval", which computes metrics from counts in a file
 */
int bpmu_cmd_eval(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static char buffer[OUT_BUFFER];
	struct call call = {
		.eval = { .err = &ctx->err, .out = stdout, .separator = "," },
	};
	int ret;

	ret = eval_take_words(&call, argc, argv, &ctx->err);
	if (ret) {
		eval_release(&call);
		return ret < 0 ? bpmu_fail(ctx, BPMU_EXIT_USAGE) :
				 BPMU_EXIT_OK;
	}
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	ret = eval_prepare(&call);
	if (!ret)
		ret = eval_read_file(&call, call.file);
	eval_release(&call);
	return ret ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}
