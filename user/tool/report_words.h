/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments for a call of another subcommand.
 */
#ifndef BPMU_REPORT_WORDS_H
#define BPMU_REPORT_WORDS_H

#include "command.h"

/**
 * struct bpmu_words - arguments of a call
 * @word: the arguments, beginning with the subcommand's name, ended by NULL
 * @nr: number of arguments
 */
struct bpmu_words {
	char **word;
	int nr;
};

int bpmu_words_add(struct bpmu_words *words, const char *word,
		   struct bpmu_error *err);
int bpmu_words_option(struct bpmu_words *words,
		      const struct bpmu_option *table, int id,
		      const char *value, struct bpmu_error *err);
const char *bpmu_words_value(char **words, const char *option);
int bpmu_words_levels(struct bpmu_words *words, const char *level,
		      struct bpmu_error *err);
int bpmu_words_call(const struct bpmu_words *words, struct bpmu_ctx *ctx);
void bpmu_words_free(struct bpmu_words *words);

#endif /* BPMU_REPORT_WORDS_H */
