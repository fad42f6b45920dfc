/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests for errata found, for people and for programs.
 */
#ifndef BPMU_ERRATA_REPORT_H
#define BPMU_ERRATA_REPORT_H

#include "trial/errata_check.h"

/**
 * struct bpmu_errata_report - how to print it
 * @cpu: which errata are published for it
 * @title: of the part
 * @format: of the output
 * @separator: of the CSV format
 * @verbose: in text, also tests that found nothing
 */
struct bpmu_errata_report {
	struct bpmu_errata_cpu cpu;
	const char *title;
	enum bpmu_format format;
	const char *separator;
	bool verbose;
};

unsigned int bpmu_errata_report(FILE *out,
				const struct bpmu_errata_report *report,
				const struct bpmu_errata_check *check);

#endif /* BPMU_ERRATA_REPORT_H */
