/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The setting kptr_restrict: to which users the kernel shows its addresses.
 */
#ifndef KPTR_H
#define KPTR_H

int kptr_restrict(char level);

#endif /* KPTR_H */
