// SPDX-License-Identifier: GPL-2.0
#include "compat.h"

#define CREATE_TRACE_POINTS
#include "trace.h"
