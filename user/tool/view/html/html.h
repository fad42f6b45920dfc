/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording, or many beside each other, as one page for a browser, which needs
 * no network.
 */
#ifndef BPMU_HTML_H
#define BPMU_HTML_H

#include "replay/report_replay.h"
#include "tree/metric_choice.h"

/**
 * struct bpmu_html_call - what is drawn
 * @output: file that is written, "-" for the standard output
 * @replay: open
 * @cpus: list of CPUs, or NULL for all
 * @interval_ns: of what is drawn over time; 0 for one that suits
 * @choice: metrics besides Top-Down; without any those that were recorded
 */
struct bpmu_html_call {
	const char *output;
	struct bpmu_replay *replay;
	const char *cpus;
	u64 interval_ns;
	struct bpmu_choice *choice;
};

int bpmu_html_write(const struct bpmu_html_call *call, struct bpmu_error *err);
int bpmu_html_compare(const struct bpmu_html_call *call, char **names, int nr,
		      struct bpmu_error *err);

#endif /* BPMU_HTML_H */
