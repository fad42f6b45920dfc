/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the results of the tests for errata. */
#ifndef BPMU_ERRATA_REPORT_H
#define BPMU_ERRATA_REPORT_H

#include "trial/errata_check.h"

/**
 * struct bpmu_errata_report - how the results of tests for errata are reported
 * @cpu: the CPU that was tested; published errata of this CPU are printed
 * @title: name of the CPU model
 * @format: format of the output
 * @separator: separator of CSV
 * @verbose: in text, also print tests that have found nothing
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
