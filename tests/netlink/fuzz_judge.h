/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which answers of the module to the fuzzer's messages are right. For some messages, only a
 * refusal is right. All other messages may be accepted or refused, because the tables of
 * fuzz_table.c do not have every reason for which the module refuses a message.
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
 * @readers: true if users of all sockets may read the samples of a session that they do not own
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
