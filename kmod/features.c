// SPDX-License-Identifier: GPL-2.0
/*
 * The headers with interfaces that not all kernels have. It is only preprocessed: Kbuild
 * looks for the names in the output and writes features.h, for compat.h.
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
