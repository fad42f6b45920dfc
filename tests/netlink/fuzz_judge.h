/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The judge of the fuzzer decides which answers of the module are right. It knows only the tables
 * of fuzz_table.c. If a message may be accepted, it may also be refused: any answer is right.
 */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include <stdbool.h>

#include "fuzz_make.h"
#include "fuzz_plan.h"

/**
 * struct fuzz_session - state of the session that is expected after the answers so far
 * @owner: number of the socket that owns the session, or -1 if there is no session
 * @state: enum bpmu_state
 * @plan: configuration of the session
 * @readers: true if all sockets are in the reader group, with or without a session
 * @machine: the machine on which the module runs
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
const char *fuzz_illegal_now(const struct fuzz_session *session, int socket,
			     const struct fuzz_message *message);
bool fuzz_accepted(struct fuzz_session *session, int socket,
		   const struct fuzz_message *message);
void fuzz_refused(struct fuzz_session *session, int socket,
		  const struct fuzz_message *message, int code, bool sentence);
bool fuzz_may_be_silent(const struct fuzz_message *message, int code);

#endif /* FUZZ_JUDGE_H */
