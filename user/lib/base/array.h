/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ARRAY_H
#define BPMU_ARRAY_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif /* BPMU_ARRAY_H */
