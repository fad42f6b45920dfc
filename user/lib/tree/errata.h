/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The errata of a machine, and those that affect an event or a metric.
 */
#ifndef BPMU_ERRATA_H
#define BPMU_ERRATA_H

#include <stdbool.h>
#include <stdio.h>

#include "arch.h"
#include "base/print.h"
#include "event/event.h"
#include "metric/metric.h"

#define BPMU_ERRATA_MAX 16
/* Size in bytes of the text of bpmu_errata_words() */
#define BPMU_ERRATA_WORDS (BPMU_ERRATA_MAX * 16)
/* File with the microcode revision of CPU 0, which is taken to be that of all CPUs */
#define BPMU_ERRATA_MICROCODE "/sys/devices/system/cpu/cpu0/microcode/version"

struct bpmu_erratum;
struct bpmu_info;

/**
 * enum bpmu_errata_match - answer to the question if a CPU has an erratum
 * @BPMU_ERRATA_NO: the CPU does not have the erratum
 * @BPMU_ERRATA_PERHAPS: only some microcode revisions have the erratum, and the CPU's revision is
 *	unknown
 * @BPMU_ERRATA_YES: the CPU has the erratum
 */
enum bpmu_errata_match {
	BPMU_ERRATA_NO,
	BPMU_ERRATA_PERHAPS,
	BPMU_ERRATA_YES
};

/**
 * struct bpmu_errata_cpu - properties of a CPU that determine its errata
 * @part: descriptor of the CPU model
 * @family: CPUID display family; 0 stands for all CPUs that @part describes
 * @model: CPUID display model; not used if @family is 0
 * @stepping: CPUID stepping; not used if @family is 0
 * @microcode: revision of the microcode, 0 if unknown
 * @smt: 1 if threads share cores, 0 if not; -1 if that is unknown, to include the errata of both
 *	cases
 */
struct bpmu_errata_cpu {
	const struct bpmu_part *part;
	u32 family;
	u32 model;
	u32 stepping;
	u32 microcode;
	int smt;
};

/**
 * struct bpmu_errata - errata that affect an event or a metric
 * @name: names of the errata, without duplicates, [@nr]
 * @nr: number of errata
 */
struct bpmu_errata {
	const char *name[BPMU_ERRATA_MAX];
	unsigned int nr;
};

u32 bpmu_errata_microcode(const char *version);
void bpmu_errata_cpu_init(struct bpmu_errata_cpu *cpu,
			  const struct bpmu_info *info, int smt);
enum bpmu_errata_match bpmu_errata_match(const struct bpmu_errata_cpu *cpu,
					 const struct bpmu_erratum *erratum);
const char *bpmu_errata_unread(const char *part);
bool bpmu_errata_touches(const struct bpmu_erratum *erratum,
			 const struct bpmu_event *row);
void bpmu_errata_of_row(const struct bpmu_errata_cpu *cpu,
			const struct bpmu_event *row,
			struct bpmu_errata *errata);
void bpmu_errata_of_event(const struct bpmu_errata_cpu *cpu,
			  const struct bpmu_event_spec *spec,
			  struct bpmu_errata *errata);
struct bpmu_errata *bpmu_errata_of_metrics(const struct bpmu_errata_cpu *cpu,
					   const struct bpmu_metrics *metrics);
void bpmu_errata_words(const struct bpmu_errata *errata,
		       char text[BPMU_ERRATA_WORDS]);
void bpmu_errata_note(FILE *out, const char *what,
		      const struct bpmu_errata *errata);

#endif /* BPMU_ERRATA_H */
