// SPDX-License-Identifier: GPL-2.0
#include "evaluation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct bpmu_evaluation *evaluation_find(struct bpmu_ctx *ctx, const char *name)
{
	const struct bpmu_evaluation *evaluation = ctx->evaluation(name);

	if (!evaluation)
		bpmu_error_set(&ctx->err, -EINVAL,
			       "recording: its request '%s' is not known here; choose what to evaluate with -e, -M, --topdown, --cpistack or --phi",
			       name);
	return evaluation;
}

/**
 * bpmu_request_add() - add an option to a request to another subcommand to evaluate counts
 * @request: the request; the caller zeroes it before the first option is added
 * @given: the option, which is copied. Its strings are not copied: they must stay valid until the
 *	request has run
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_request_add(struct bpmu_request *request, const struct bpmu_given *given,
		     struct bpmu_error *err)
{
	struct bpmu_given *grown;

	grown = reallocarray(request->given, request->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "options");
	request->given = grown;
	grown[request->nr++] = *given;
	return 0;
}

/**
 * bpmu_request_add_all() - add all options of one request for an evaluation to another request
 * @more: the request whose options are added to @request
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_request_add_all(struct bpmu_request *request, const struct bpmu_request *more,
			 struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < more->nr && !code; i++)
		code = bpmu_request_add(request, &more->given[i], err);
	return code;
}

/**
 * bpmu_request_option() - add another subcommand's option to a request for its evaluation
 * @table: options of the other subcommand; one of them has the id @id
 * @id: id of the option
 * @value: value of the option, which must stay valid until the request has run; NULL if the option
 *	takes no value
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_request_option(struct bpmu_request *request, const struct bpmu_option *table, int id,
			const char *value, struct bpmu_error *err)
{
	struct bpmu_given given = { .value = value };

	while (table->id != id)
		table++;
	if (id < BPMU_OPTION_LONG)
		given.letter = id;
	else
		given.name = table->name;
	return bpmu_request_add(request, &given, err);
}

/**
 * bpmu_request_recorded() - find an option's value in a recording's request for an evaluation
 * @recorded: subcommand and options that evaluate the recording by default, as words, ended by
 *	NULL; or NULL
 * @option: the option as a word, such as "-l"
 *
 * Return: the value, a pointer into @recorded; NULL if @recorded does not have the option.
 */
const char *bpmu_request_recorded(char **recorded, const char *option)
{
	for (; recorded && recorded[0] && recorded[1]; recorded++)
		if (!strcmp(recorded[0], option))
			return recorded[1];
	return NULL;
}

/**
 * bpmu_request_words() - convert a request for an evaluation to words, to be kept in a recording
 * @request: the request: a subcommand with options. Its member recorded must be NULL; its operands
 *	are not converted
 *
 * Return: the words, ended by NULL, to be freed with bpmu_request_free_words(); NULL if memory runs
 * out.
 */
char **bpmu_request_words(const struct bpmu_request *request, struct bpmu_error *err)
{
	char **words = calloc(2 * request->nr + 2, sizeof(*words));
	char option[BPMU_OPTION_TEXT];
	unsigned int i, nr = 0;
	bool failed = !words;

	if (!failed)
		failed = !(words[nr++] = strdup(request->name));
	for (i = 0; i < request->nr && !failed; i++) {
		bpmu_given_text(&request->given[i], option);
		failed = !(words[nr++] = strdup(option));
		if (!failed && request->given[i].value)
			failed = !(words[nr++] = strdup(request->given[i].value));
	}
	if (!failed)
		return words;
	bpmu_request_free_words(words);
	bpmu_error_no_memory(err, "options");
	return NULL;
}

/**
 * bpmu_request_free_words() - free the words of a request for an evaluation
 * @words: the words, ended by NULL; or NULL
 */
void bpmu_request_free_words(char **words)
{
	char **word;

	for (word = words; word && *word; word++)
		free(*word);
	free(words);
}

/*
 * Parses the options in @words, of which the first is the name of a subcommand. Stores the values
 * of the options in @call, the struct of that subcommand. Returns 0 or a negative errno.
 */
static int evaluation_parse(const struct bpmu_evaluation *evaluation, void *call, char **words,
			    struct bpmu_error *err)
{
	struct bpmu_operands ignored;
	char **copy;
	int nr = 0;
	int code;

	while (words[nr])
		nr++;
	/* bpmu_options_parse() changes the order of the words. So it gets a copy of @words. */
	copy = calloc(nr + 1, sizeof(*copy));
	if (!copy)
		return bpmu_error_no_memory(err, "options");
	memcpy(copy, words, nr * sizeof(*copy));
	code = bpmu_options_parse(evaluation->options, call, nr, copy, &ignored, err);
	free(copy);
	return code;
}

static int evaluation_end(const struct bpmu_evaluation *evaluation, struct bpmu_ctx *ctx,
			  void *call, int code)
{
	int status;

	if (code < 0)
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	else
		status = code ? BPMU_EXIT_OK : evaluation->run(ctx, call);
	if (evaluation->free)
		evaluation->free(call);
	free(call);
	return status;
}

static void *evaluation_begin(const struct bpmu_evaluation *evaluation, struct bpmu_ctx *ctx)
{
	void *call = calloc(1, evaluation->size);

	if (call)
		evaluation->begin(call, &ctx->options);
	else
		bpmu_error_no_memory(&ctx->err, "options");
	return call;
}

/**
 * bpmu_request_run() - run the evaluation that is requested, and print its errors
 * @request: the request
 * @ctx: state of the tool's call. The called subcommand gets &bpmu_ctx.options first, and then the
 *	options of the request, which may replace them
 *
 * Return: exit status of the evaluation's subcommand.
 */
int bpmu_request_run(const struct bpmu_request *request, struct bpmu_ctx *ctx)
{
	const char *name = request->recorded ? request->recorded[0] : request->name;
	const struct bpmu_evaluation *evaluation = evaluation_find(ctx, name);
	void *call = evaluation ? evaluation_begin(evaluation, ctx) : NULL;
	int code = 0;

	if (!call)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	if (request->recorded)
		code = evaluation_parse(evaluation, call, request->recorded, &ctx->err);
	if (!code)
		code = bpmu_options_give(evaluation->options, call, request->given, request->nr,
					 &ctx->err);
	if (!code)
		code = evaluation->check(call, &request->operands, &ctx->err);
	return evaluation_end(evaluation, ctx, call, code);
}

void bpmu_request_free(struct bpmu_request *request)
{
	free(request->given);
	memset(request, 0, sizeof(*request));
}

/**
 * bpmu_evaluation_words() - run an evaluation: another subcommand, with its command line
 * @evaluation: the subcommand that evaluates counts
 * @ctx: state of the tool's call. The subcommand gets &bpmu_ctx.options first, and then the options
 *	in @argv, which may replace them
 * @argc: number of words
 * @argv: the words, from the subcommand's name on. They are reordered: words that are no options
 *	(operands) move to the front
 *
 * Return: exit status of the subcommand; its errors have been printed.
 */
int bpmu_evaluation_words(const struct bpmu_evaluation *evaluation, struct bpmu_ctx *ctx,
			  int argc, char **argv)
{
	void *call = evaluation_begin(evaluation, ctx);
	struct bpmu_operands operands;
	int code;

	if (!call)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	code = bpmu_options_parse(evaluation->options, call, argc, argv, &operands, &ctx->err);
	if (!code)
		code = evaluation->check(call, &operands, &ctx->err);
	return evaluation_end(evaluation, ctx, call, code);
}
