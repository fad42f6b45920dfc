/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that all topics of "barepmu list" use: events, metrics, errata, ... Each topic has a
 * file of its own, which prints and counts what matches the user's pattern.
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

/* name of the tool's own Top-Down tree, which "list schedule" and "list parts" describe */
#define BPMU_LIST_METHOD "topdown"

/**
 * struct bpmu_list - options and state of "barepmu list"
 * @cpu: CPU model, CPUID stepping, microcode revision and more, which decide what errata a CPU has
 * @pmu: PMU of the CPU model
 * @choice: files of events and metrics
 * @glob: pattern of names; a pattern without wildcards matches any part of a name, or the beginning
 *	of a word in a description
 * @format: format of the output
 * @separator: separator of CSV
 * @verbose: print all details
 * @names: print only names
 * @quiet: print nothing, only count matches
 * @found: number of matches so far
 * @headed: the line with the names of the CSV columns has been printed
 * @head: heading to print before the next match, or NULL
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
	const char *head;
};

/**
 * struct bpmu_list_groups - which of the tool's metric groups a CPU model has
 * @have: names of the groups that the CPU model has, separated by blanks; freed by the caller
 * @lack: a line of text for every group that the CPU model does not have, with the reason; freed by
 *	the caller
 */
struct bpmu_list_groups {
	char *have;
	char *lack;
};

bool bpmu_list_wants(struct bpmu_list *list, const char *name, const char *text);
void bpmu_list_row(struct bpmu_list *list, const char *type, const struct bpmu_columns *text,
		   const struct bpmu_field *fields, unsigned int nr);
void bpmu_list_detail(const char *name, const char *text);

int bpmu_list_part(struct bpmu_list *list, const char *part,
		   struct bpmu_error *err);
void bpmu_list_event_details(const struct bpmu_list *list, const struct bpmu_event *row);
int bpmu_list_events(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_metrics(struct bpmu_list *list, struct bpmu_error *err);
char *bpmu_list_paper(const struct bpmu_list *list, const struct bpmu_metrics *tma,
		      unsigned int i);
int bpmu_list_schedule(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_groups(struct bpmu_list *list, struct bpmu_error *err);
int bpmu_list_groups_of(const struct bpmu_part *part, struct bpmu_list_groups *groups,
			struct bpmu_error *err);
int bpmu_list_parts(struct bpmu_list *list, struct bpmu_error *err);
void bpmu_list_errata_unread(const struct bpmu_list *list);
int bpmu_list_errata(struct bpmu_list *list, struct bpmu_error *err);

#endif /* BPMU_LIST_H */
