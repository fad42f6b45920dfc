/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the metrics of Xeon Phi, whose formulas are in phi.bpm, from counts.
 */
#ifndef BPMU_PHI_H
#define BPMU_PHI_H

#include "metric/metric_formula.h"
#include "phi_sum.h"

/**
 * struct bpmu_phi_settings - constants of the metrics' formulas, as the user gives them
 * @ghz: frequency in GHz, to convert clocks to time
 * @elements: number of elements of a full vector register, 0 if not known
 * @used: number of threads of each core that the program uses, 0 if not known
 * @huge: true if the program's pages have 2 MB, not 4 KB
 * @paper: true to use the thresholds as printed by Jeffers and Reinders, the source of the metrics,
 *	false to use corrected ones
 */
struct bpmu_phi_settings {
	double ghz;
	unsigned int elements;
	unsigned int used;
	bool huge;
	bool paper;
};

/**
 * struct bpmu_phi_limit - lower or upper limit of the possible values of a metric
 * @known: true if the metric has such a limit
 * @number: value of the limit
 * @why: why a value beyond the limit is impossible, and its probable cause; or NULL
 */
struct bpmu_phi_limit {
	bool known;
	double number;
	const char *why;
};

/**
 * struct bpmu_phi_value - value of a metric for a thread, a core or the card
 * @known: true if there is a value; false if an event is missing or a divisor is 0
 * @why: if not @known, the event that was not counted, or another name in the formula that has no
 *	value; NULL if a divisor is 0
 * @estimate: value as computed, never clamped, with its variance and degrees of freedom
 * @judged: true if the metric has a threshold, and all names in the threshold's condition are known
 * @flagged: true if the value is beyond its threshold
 * @undecided: true if the value's 95 % confidence interval includes the threshold
 * @least: lower limit of possible values
 * @most: upper limit of possible values
 * @below: true if the value is below the lower limit
 * @above: true if the value is above the upper limit
 * @unsure: true if the value is beyond one of the limits, but by less than its uncertainty
 */
struct bpmu_phi_value {
	bool known;
	const char *why;
	struct bpmu_estimate estimate;
	bool judged;
	bool flagged;
	bool undecided;
	struct bpmu_phi_limit least;
	struct bpmu_phi_limit most;
	bool below;
	bool above;
	bool unsure;
};

/**
 * struct bpmu_phi_comparison - a comparison in the condition of a metric's threshold
 * @value: the comparison, such as "a > b"; or a formula without comparison, such as "a", that is an
 *	operand of "and" or "or" in the condition
 * @margin: left side minus right side of the comparison; empty without comparison
 */
struct bpmu_phi_comparison {
	struct bpmu_formula value;
	struct bpmu_formula margin;
};

/**
 * struct bpmu_phi_formulas - compiled formulas of a metric of Xeon Phi, or of a definition
 * @value: formula of the value
 * @flag: condition of the threshold; empty if the metric has no threshold
 * @comparison: [@nr], comparisons in this condition, from left to right
 * @nr: number of comparisons
 */
struct bpmu_phi_formulas {
	struct bpmu_formula value;
	struct bpmu_formula flag;
	struct bpmu_phi_comparison *comparison;
	unsigned int nr;
};

/**
 * struct bpmu_phi_method - the method "phi": metrics of Xeon Phi
 * @metrics: metrics, and definitions that their formulas use
 * @formulas: compiled formulas of a metric or definition, [nr @metrics]
 */
struct bpmu_phi_method {
	struct bpmu_metrics metrics;
	struct bpmu_phi_formulas *formulas;
};

int bpmu_phi_method_init(struct bpmu_phi_method *method, const struct bpmu_part *part,
			 struct bpmu_error *err);
void bpmu_phi_method_free(struct bpmu_phi_method *method);
bool bpmu_phi_shown(const struct bpmu_phi_method *method, unsigned int i,
		    enum bpmu_phi_scope scope);
void bpmu_phi_eval(const struct bpmu_phi_method *method,
		   const struct bpmu_phi_settings *settings,
		   const struct bpmu_phi_sums *sums, unsigned int i,
		   struct bpmu_phi_value *value);

#endif /* BPMU_PHI_H */
