/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fuzzer's judge: which answers of the kernel are right, derived from the tables of
 * fuzz_table.c alone. If a message need not be refused, any answer is right.
 */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include <stdbool.h>

#include "fuzz_make.h"
#include "fuzz_plan.h"

/**
 * struct fuzz_session - expected state of the session, by the answers so far
 * @owner: number of the socket that owns the session, -1 if there is no session
 * @state: enum bpmu_state
 * @plan: configuration of the session
 * @readers: all sockets are in the reader group, also without a session
 * @machine: machine under test
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
