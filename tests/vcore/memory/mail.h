/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A core's mailbox: what other cores did to lines that it has.
 */
#ifndef VCORE_MAIL_H
#define VCORE_MAIL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define VCORE_MAILS 1024

/* what happens to a line of a core */
enum vcore_mail_kind {
	VCORE_MAIL_NONE,
	VCORE_MAIL_SHARE,	/* another reads it */
	VCORE_MAIL_TAKE,	/* it is gone */
	VCORE_MAIL_LOST		/* mail was lost: everything is gone */
};

struct vcore_mail {
	uint64_t line;
	enum vcore_mail_kind kind;
};

/**
 * struct vcore_mailbox - of one core
 * @lock: of all but @waiting
 * @waiting: number of mails, read without the lock
 * @mail: a ring
 * @next: the oldest
 * @lost: there was no room
 */
struct vcore_mailbox {
	pthread_mutex_t lock;
	unsigned int waiting;
	struct vcore_mail mail[VCORE_MAILS];
	unsigned int next;
	bool lost;
};

void vcore_mail_init(struct vcore_mailbox *box);
void vcore_mail_free(struct vcore_mailbox *box);
void vcore_mail_send(struct vcore_mailbox *box, uint64_t line,
		     enum vcore_mail_kind kind);
bool vcore_mail_waits(const struct vcore_mailbox *box);
struct vcore_mail vcore_mail_read(struct vcore_mailbox *box);

#endif /* VCORE_MAIL_H */
