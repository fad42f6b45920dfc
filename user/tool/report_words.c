// SPDX-License-Identifier: GPL-2.0
#include "report_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tree/level.h"

/**
 * bpmu_words_add() - add a word to the command line of another subcommand
 * @words: zeroed before the first call
 * @word: word to copy
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_words_add(struct bpmu_words *words, const char *word,
		   struct bpmu_error *err)
{
	char **grown = reallocarray(words->word, words->nr + 2, sizeof(*grown));
	char *copy = strdup(word);

	if (grown)
		words->word = grown;
	if (!grown || !copy) {
		free(copy);
		return bpmu_error_no_memory(err, "options");
	}
	grown[words->nr++] = copy;
	grown[words->nr] = NULL;
	return 0;
}

/**
 * bpmu_words_option() - add the words of an option to the command line of another subcommand
 * @words: arguments of the call
 * @table: table with the option
 * @id: id of the option
 * @value: value of the option, or NULL
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_words_option(struct bpmu_words *words, const struct bpmu_option *table,
		      int id, const char *value, struct bpmu_error *err)
{
	char letter[] = { '-', id, 0 };
	char name[64];
	int code;

	while (table->id != id)
		table++;
	snprintf(name, sizeof(name), "--%s", table->name);
	code = bpmu_words_add(words, id < 256 ? letter : name, err);
	if (!code && value)
		code = bpmu_words_add(words, value, err);
	return code;
}

/**
 * bpmu_words_value() - find the value of an option in the words of a recorded request
 * @words: the request, ended by NULL
 * @option: the option as it was recorded, such as "-l"
 *
 * Return: the value, or NULL if the option is not there.
 */
const char *bpmu_words_value(char **words, const char *option)
{
	for (; words[0] && words[1]; words++)
		if (!strcmp(words[0], option))
			return words[1];
	return NULL;
}

/**
 * bpmu_words_levels() - add the metric groups of a tree's levels to the command line of "topdown"
 * @words: arguments of "topdown"
 * @level: deepest level of the Top-Down paper's tree, one digit
 */
int bpmu_words_levels(struct bpmu_words *words, const char *level,
		      struct bpmu_error *err)
{
	char names[BPMU_LEVEL_GROUPS];
	unsigned int nr;
	int code = bpmu_level_take(&nr, "--topdown", level, err);

	if (!code)
		code = bpmu_level_groups(names, NULL, nr, err);
	if (!code)
		code = bpmu_words_add(words, "-M", err);
	return code ? code : bpmu_words_add(words, names, err);
}

/**
 * bpmu_words_call() - call another subcommand with its words
 * @words: arguments of the call
 * @ctx: state, with the initial options of the subcommand
 *
 * Return: exit status of the subcommand.
 */
int bpmu_words_call(const struct bpmu_words *words, struct bpmu_ctx *ctx)
{
	/* A recording may be manipulated: its request may name only these subcommands. */
	static const char *const commands[] = {
		"stat", "topdown", "cpistack", "phi"
	};
	/* a copy of the words, because the command reorders them */
	char **argv = calloc(words->nr + 1, sizeof(*argv));
	int status = BPMU_EXIT_FAILED;
	unsigned int i;

	if (!argv) {
		bpmu_error_no_memory(&ctx->err, "options");
		return bpmu_fail(ctx, status);
	}
	memcpy(argv, words->word, words->nr * sizeof(*argv));
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(words->word[0], commands[i]))
			break;
	if (i < ARRAY_SIZE(commands))
		status = ctx->run(ctx, words->nr, argv);
	free(argv);
	if (i < ARRAY_SIZE(commands))
		return status;
	bpmu_error_set(&ctx->err, -EINVAL,
		       "recording: its request '%s' is not known here; choose what to evaluate with -e, -M, --topdown, --cpistack or --phi",
		       words->word[0]);
	return bpmu_fail(ctx, BPMU_EXIT_FAILED);
}

void bpmu_words_free(struct bpmu_words *words)
{
	while (words->nr)
		free(words->word[--words->nr]);
	free(words->word);
	memset(words, 0, sizeof(*words));
}
