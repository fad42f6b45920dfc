/* SPDX-License-Identifier: GPL-2.0 */
/*
 * To whom the kernel shows its addresses.
 */
#ifndef KPTR_H
#define KPTR_H

int kptr_restrict(char level);

#endif /* KPTR_H */
