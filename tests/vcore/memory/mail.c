// SPDX-License-Identifier: GPL-2.0
#include "mail.h"

#include <string.h>

/**
 * vcore_mail_init() - an empty mailbox
 * @box: filled in
 */
void vcore_mail_init(struct vcore_mailbox *box)
{
	memset(box, 0, sizeof(*box));
	pthread_mutex_init(&box->lock, NULL);
}

/**
 * vcore_mail_free() - a mailbox goes
 * @box: initialised
 */
void vcore_mail_free(struct vcore_mailbox *box)
{
	pthread_mutex_destroy(&box->lock);
}

static void set_waiting(struct vcore_mailbox *box, unsigned int waiting)
{
	__atomic_store_n(&box->waiting, waiting, __ATOMIC_RELAXED);
}

/**
 * vcore_mail_send() - tell a core
 * @box: its mailbox
 * @line: which
 * @kind: what happened to it
 *
 * A core that does not look, as it halts, has no use for details: when the box
 * is full it only hears that it missed some.
 */
void vcore_mail_send(struct vcore_mailbox *box, uint64_t line,
		     enum vcore_mail_kind kind)
{
	struct vcore_mail *mail;

	pthread_mutex_lock(&box->lock);
	if (box->waiting == VCORE_MAILS) {
		box->lost = true;
	} else {
		mail = &box->mail[(box->next + box->waiting) % VCORE_MAILS];
		mail->line = line;
		mail->kind = kind;
		set_waiting(box, box->waiting + 1);
	}
	pthread_mutex_unlock(&box->lock);
}

/**
 * vcore_mail_waits() - is there any
 * @box: the core's mailbox
 *
 * Context: any; what is sent at the same time may be seen the next time.
 */
bool vcore_mail_waits(const struct vcore_mailbox *box)
{
	return __atomic_load_n(&box->waiting, __ATOMIC_RELAXED);
}

/**
 * vcore_mail_read() - take the oldest
 * @box: the core's mailbox
 */
struct vcore_mail vcore_mail_read(struct vcore_mailbox *box)
{
	struct vcore_mail mail = { .kind = VCORE_MAIL_NONE };

	pthread_mutex_lock(&box->lock);
	if (box->lost) {
		mail.kind = VCORE_MAIL_LOST;
		box->lost = false;
		set_waiting(box, 0);
	} else if (box->waiting) {
		mail = box->mail[box->next];
		box->next = (box->next + 1) % VCORE_MAILS;
		set_waiting(box, box->waiting - 1);
	}
	pthread_mutex_unlock(&box->lock);
	return mail;
}
