// SPDX-License-Identifier: GPL-2.0
/*
 * Includes the headers that declare interfaces which not all kernels have. This file is
 * preprocessed but not compiled: Kbuild looks for the names of the interfaces in the preprocessor's
 * output. For each name found it writes a macro to features.h, which compat.h includes.
 */
#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/timer.h>
#include <linux/topology.h>
#include <net/genetlink.h>

#include <asm/msr.h>
#if __has_include("asm/cpuid/api.h")
#define cpuid_api_h
#endif
