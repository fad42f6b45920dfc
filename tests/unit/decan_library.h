/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DECAN_LIBRARY_H
#define DECAN_LIBRARY_H

double library_sum(const double *v, long n);

#endif /* DECAN_LIBRARY_H */
