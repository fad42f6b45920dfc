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
 * bpmu_request_add() - add an option to a request for an evaluation
 * @request: zeroed before the first call
 * @given: the option, which is copied. Its strings are not copied: the caller keeps them until the
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
 * bpmu_request_add_all() - add the options of another request to a request for an evaluation
 * @more: the other request, of which only the options are used
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
 * bpmu_request_option() - add an option to a request for an evaluation, by its id in a table
 * @table: options of a subcommand; must have one with @id
 * @id: id of the option
 * @value: value of the option, kept by the caller until the request has run; NULL if it has none
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
 * bpmu_request_recorded() - find an option's value in the request that a recording has
 * @recorded: words of the request, ended by NULL; or NULL
 * @option: the option as a word, such as "-l"
 *
 * Return: the value, a pointer into @recorded; NULL if the request does not have the option.
 */
const char *bpmu_request_recorded(char **recorded, const char *option)
{
	for (; recorded && recorded[0] && recorded[1]; recorded++)
		if (!strcmp(recorded[0], option))
			return recorded[1];
	return NULL;
}

/**
 * bpmu_request_words() - convert a request for an evaluation to words, as a recording keeps it
 * @request: must have no recorded words; its operands are not converted
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
 * @words: ended by NULL, or NULL
 */
void bpmu_request_free_words(char **words)
{
	char **word;

	for (word = words; word && *word; word++)
		free(*word);
	free(words);
}

/*
 * Parses the words of a request, and stores the values of their options in @call. The first word is
 * the subcommand's name. Returns 0 or a negative errno.
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
	/* bpmu_options_parse() reorders the words, so that it is given a copy. */
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
 * @ctx: state of the tool's call. Its &bpmu_ctx.options are set first, and then the options of the
 *	request
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
 * bpmu_evaluation_words() - run an evaluation with the words of the command line as its options
 * @evaluation: the subcommand that evaluates counts
 * @ctx: state of the tool's call. Its &bpmu_ctx.options are set first, and then the options in
 *	@argv
 * @argc: number of words
 * @argv: the words, from the subcommand's name on; operands move to the front
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
