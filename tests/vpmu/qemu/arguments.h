/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_ARGUMENTS_H
#define VPMU_ARGUMENTS_H

int vpmu_argument(const char *text);

#endif /* VPMU_ARGUMENTS_H */
