/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel must answer, said by the tables alone. Nothing is claimed
 * about a message that may or may not be refused.
 */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include <stdbool.h>

#include "fuzz_make.h"
#include "fuzz_plan.h"

/**
 * struct fuzz_session - the session as the answers so far imply it
 * @owner: number of the socket, -1 if there is no session
 * @state: enum bpmu_state
 * @plan: of a session
 * @readers: all sockets may read; no matter of the session
 * @machine: on which
 */
struct fuzz_session {
	int owner;
	int state;
	struct fuzz_plan plan;
	bool readers;
	struct fuzz_machine machine;
};

const char *fuzz_illegal(const struct fuzz_session *session,
			 const struct fuzz_message *message);
const char *fuzz_out_of_turn(const struct fuzz_session *session, int socket,
			     const struct fuzz_message *message);
bool fuzz_accepted(struct fuzz_session *session, int socket,
		   const struct fuzz_message *message);
void fuzz_refused(struct fuzz_session *session, int socket,
		  const struct fuzz_message *message, int code, bool sentence);
bool fuzz_may_be_silent(const struct fuzz_message *message, int code);

#endif /* FUZZ_JUDGE_H */
