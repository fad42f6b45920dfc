/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a page in the exposition formats of Prometheus: OpenMetrics 1.0, or the older
 * text format 0.0.4.
 *
 *   bpmu_om_family(&om, &family);
 *   bpmu_om_count(&om, labels, number) or bpmu_om_value(), once per series
 *   bpmu_om_end(&om);
 */
#ifndef BPMU_OPENMETRICS_H
#define BPMU_OPENMETRICS_H

#include <stdbool.h>
#include <stdio.h>

#include "arch.h"

/**
 * enum bpmu_om_type - type of a metric family
 * @BPMU_OM_COUNTER: values never decrease until the process restarts
 * @BPMU_OM_GAUGE: values may decrease
 * @BPMU_OM_INFO: always 1; the information is in the labels
 */
enum bpmu_om_type {
	BPMU_OM_COUNTER,
	BPMU_OM_GAUGE,
	BPMU_OM_INFO
};

/**
 * struct bpmu_om_family - a metric family: the series with the same name
 * @name: name without the suffix "_total" or "_info", which is added; if @unit is set, the name
 *	must end in the unit, as in "_seconds"
 * @type: &enum bpmu_om_type
 * @unit: base unit, such as "seconds", or NULL
 * @help: one sentence
 */
struct bpmu_om_family {
	const char *name;
	enum bpmu_om_type type;
	const char *unit;
	const char *help;
};

/**
 * struct bpmu_om - page that is being written
 * @out: output
 * @open: true to write OpenMetrics 1.0, false to write Prometheus's text format 0.0.4
 * @family: current family
 * @series: number of lines with a value written so far
 */
struct bpmu_om {
	FILE *out;
	bool open;
	const struct bpmu_om_family *family;
	unsigned int series;
};

const char *bpmu_om_content_type(bool open);
bool bpmu_om_accepted(const char *accept);
void bpmu_om_label(FILE *out, const char *name, const char *value);
void bpmu_om_family(struct bpmu_om *om, const struct bpmu_om_family *family);
void bpmu_om_count(struct bpmu_om *om, const char *labels, u64 count);
void bpmu_om_value(struct bpmu_om *om, const char *labels, double value);
void bpmu_om_end(struct bpmu_om *om);

#endif /* BPMU_OPENMETRICS_H */
