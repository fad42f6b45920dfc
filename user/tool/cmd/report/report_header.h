/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_REPORT_HEADER_H
#define BPMU_REPORT_HEADER_H

#include <stdio.h>

#include "recording/recording_read.h"

void bpmu_report_header(FILE *out, const struct bpmu_recording_file *file);

#endif /* BPMU_REPORT_HEADER_H */
