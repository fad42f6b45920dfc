/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu list" lists, one file a topic: each counts and prints the
 * names that match.
 */
#ifndef BPMU_LIST_H
#define BPMU_LIST_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/print.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"

/* the method whose nodes are the metrics */
#define BPMU_LIST_METHOD "topdown"

/**
 * struct bpmu_list - a call of the command
 * @cpu: of which CPU, or of which part
 * @pmu: its counters
 * @choice: files of events and metrics
 * @glob: which names; a word without wildcards matches where it is a part
 * @format: of the output
 * @separator: of the CSV format
 * @verbose: all that is known, not one line each
 * @names: names alone, one a line
 * @quiet: count only
 * @found: names that matched so far
 * @headed: the names of the columns are printed
 */
struct bpmu_list {
	struct bpmu_errata_cpu cpu;
	struct bpmu_pmu pmu;
	struct bpmu_choice choice;
	const char *glob;
	enum bpmu_format format;
	const char *separator;
	bool verbose;
	bool names;
	bool quiet;
	unsigned int found;
	bool headed;
};

bool bpmu_list_wants(struct bpmu_list *list, const char *name);
void bpmu_list_row(struct bpmu_list *list, const char *type,
		   const struct bpmu_field *fields, unsigned int nr);
void bpmu_list_detail(const char *name, const char *text);

int bpmu_list_part(struct bpmu_list *list, const char *part,
		   struct bpmu_error *err);
int bpmu_list_events(struct bpmu_list *list, struct bpmu_error *err);
char *bpmu_list_paper(const struct bpmu_list *list,
		      const struct bpmu_metrics *tma, unsigned int i);
int bpmu_list_metrics(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_groups(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_errata(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_parts(struct bpmu_list *list, struct bpmu_error *err);

#endif /* BPMU_LIST_H */
