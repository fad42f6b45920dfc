/* SPDX-License-Identifier: GPL-2.0 */
/* The sysctl kernel.kptr_restrict, which says to which users the kernel shows its addresses. */
#ifndef KPTR_H
#define KPTR_H

int kptr_restrict(char level);

#endif /* KPTR_H */
