// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: fuzz [-s SEED] [-n MESSAGES]
 *
 * Fuzzer of the netlink protocol. It sends valid and almost valid messages from several sockets,
 * and checks each answer of the module. Without -s, it first runs the seeds that have found bugs
 * before, which are in the file "seeds" beside the program, and then one new seed.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>

#include <linux/barepmu.h>
#include <linux/genetlink.h>
#include <kselftest.h>

#include "fuzz_judge.h"
#include "genl.h"

#define SOCKETS 4
#define KEPT 64
#define MESSAGES 50000
#define SHOWN 5
#define UNANSWERED 1

enum finding {
	ACCEPTED_ILLEGAL,
	NO_SENTENCE,
	WRONG_STATE,
	NR_FINDINGS,
};

static const char *const findings[NR_FINDINGS] = {
	[ACCEPTED_ILLEGAL] = "nothing illegal was accepted",
	[NO_SENTENCE] = "every refusal had its sentence",
	[WRONG_STATE] = "the session was what the answers said, and no more",
};

/**
 * struct fuzz - state of the run of one seed
 * @random: generator of random numbers
 * @seed: seed with which @random began
 * @sent: number of messages sent so far, which is also the sequence number of the latest message
 * @answers: number of messages that were accepted ([0]), refused ([1]), and not answered ([2])
 * @commands: [command][dump], number of accepted messages; dump is 1 if the message asks for a dump
 * @groups: [swap][enum fuzz_groups], number of accepted messages with groups of this kind; swap is
 *	0 for configurations, 1 for swaps
 * @found: [enum finding], number of failures of each check
 * @sockets: sockets that send messages
 * @dumping: [socket], true if the socket has a dump that was not read to its end
 * @session: expected state of the module's session
 * @message: the latest message
 * @kept: messages that were accepted before; fuzz_flip() flips bits of them to make new messages
 * @rows: set of events of the fuzzer's table of uncore events: bit n is 1 if a swap (new groups for
 *	the running session) may have event n, because the session counts in the same type of unit
 */
struct fuzz {
	struct fuzz_random random;
	uint64_t seed;
	unsigned long sent;
	unsigned long answers[3];
	unsigned long commands[BPMU_CMD_MAX + 1][2];
	unsigned long groups[2][FUZZ_NR_GROUPS];
	unsigned long found[NR_FINDINGS];
	struct genl sockets[SOCKETS];
	bool dumping[SOCKETS];
	struct fuzz_session session;
	struct fuzz_message message;
	struct fuzz_message kept[KEPT];
	uint64_t rows;
};

static void report(struct fuzz *fuzz, enum finding finding, const char *detail)
{
	const unsigned char *bytes = (void *)fuzz->message.bytes;
	size_t i;

	if (fuzz->found[finding]++ >= SHOWN)
		return;
	ksft_print_msg("seed %llu, message %lu: not so: %s: %s",
		       (unsigned long long)fuzz->seed, fuzz->sent,
		       findings[finding], detail);
	for (i = 0; i < fuzz->message.length && i < 256; i++)
		printf("%s%02x", i % 16 ? " " : "\n#   ", bytes[i]);
	printf("\n");
}

static void check_state(struct fuzz *fuzz, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == BPMU_A_INFO_STATE &&
		    mnl_attr_get_u32(attr) != (uint32_t)fuzz->session.state)
			report(fuzz, WRONG_STATE, "GET_INFO reports another state");
}

static int blamed(const struct nlattr *attr, void *data)
{
	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
		*(bool *)data = true;
	return MNL_CB_OK;
}

/*
 * Takes one message of an answer. Returns the errno of an acknowledgment or of the end of a dump,
 * and @code for any other message. *@sentence becomes true if the message has an extack sentence.
 */
static int take(struct fuzz *fuzz, const struct nlmsghdr *answer, int code,
		bool *sentence)
{
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(answer);
	size_t skip = sizeof(int);

	if (answer->nlmsg_type == fuzz->sockets[0].family) {
		check_state(fuzz, answer);
		return code;
	}
	if (answer->nlmsg_type == NLMSG_ERROR) {
		skip = sizeof(*ack);
		if (!(answer->nlmsg_flags & NLM_F_CAPPED))
			skip += mnl_nlmsg_get_payload_len(&ack->msg);
	} else if (answer->nlmsg_type != NLMSG_DONE) {
		return code;
	}
	if (answer->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_parse(answer, skip, blamed, sentence);
	return *(const int *)mnl_nlmsg_get_payload(answer);
}

/*
 * Reads answers up to the acknowledgment of the latest message. Answers to earlier messages are
 * ignored. The kernel queues all answers before send() returns, so there is nothing to wait for;
 * each recv() continues a dump.
 *
 * Returns the errno of the acknowledgment. Returns UNANSWERED if there is no acknowledgment in the
 * queue. *@sentence becomes true if the answer has an extack sentence.
 */
static int drain(struct fuzz *fuzz, int number, bool *sentence)
{
	struct genl *genl = &fuzz->sockets[number];
	const struct nlmsghdr *answer;
	int code = UNANSWERED;
	int left;

	while (code == UNANSWERED) {
		left = recv(mnl_socket_get_fd(genl->socket), genl->buffer,
			    sizeof(genl->buffer), MSG_DONTWAIT);
		if (left < 0 && errno == ENOBUFS)
			continue;
		if (left < 0) {
			fuzz->dumping[number] = false;
			break;
		}
		answer = (const struct nlmsghdr *)genl->buffer;
		for (; mnl_nlmsg_ok(answer, left);
		     answer = mnl_nlmsg_next(answer, &left)) {
			if (answer->nlmsg_type == NLMSG_DONE)
				fuzz->dumping[number] = false;
			if (answer->nlmsg_seq == (uint32_t)fuzz->sent)
				code = take(fuzz, answer, code, sentence);
		}
	}
	return code;
}

static bool is_dump(uint16_t flags)
{
	return (flags & NLM_F_DUMP) == NLM_F_DUMP;
}

static void note_accepted(struct fuzz *fuzz)
{
	const struct genlmsghdr *head =
		mnl_nlmsg_get_payload(&fuzz->message.head);
	int i;

	fuzz->commands[head->cmd][is_dump(fuzz->message.head.nlmsg_flags)]++;
	if (head->cmd != BPMU_CMD_CONFIGURE && head->cmd != BPMU_CMD_SWAP)
		return;
	fuzz->rows = fuzz_rows_like(&fuzz->message);
	for (i = 0; i < FUZZ_NR_GROUPS; i++)
		if (fuzz->session.plan.nr[i])
			fuzz->groups[head->cmd == BPMU_CMD_SWAP][i]++;
}

static void judge(struct fuzz *fuzz, int number, int code, bool sentence)
{
	const struct fuzz_message *message = &fuzz->message;
	const char *why = fuzz_illegal(&fuzz->session, message);

	if (!why)
		why = fuzz_illegal_now(&fuzz->session, number, message);
	fuzz->answers[code < 0 ? 1 : code ? 2 : 0]++;
	if (!code && why)
		report(fuzz, ACCEPTED_ILLEGAL, why);
	if (!code) {
		if (fuzz_accepted(&fuzz->session, number, message))
			note_accepted(fuzz);
	}
	if (code < 0)
		fuzz_refused(&fuzz->session, number, message, code, sentence);
	if (code < 0 && !sentence && !fuzz_may_be_silent(message, code))
		report(fuzz, NO_SENTENCE, strerror(-code));
	if (!code && !why)
		fuzz->kept[fuzz_below(&fuzz->random, KEPT)] = *message;
}

static void transmit(struct fuzz *fuzz, int number)
{
	struct fuzz_message *message = &fuzz->message;
	bool dumping = fuzz->dumping[number];
	bool sentence = false;
	int code;

	message->head.nlmsg_seq = ++fuzz->sent;
	if (mnl_socket_sendto(fuzz->sockets[number].socket, message->bytes,
			      message->length) < 0)
		ksft_exit_fail_msg("sending: %s\n", strerror(errno));
	/* One in eight dumps is not read now, but while later messages are sent. */
	if (message->head.nlmsg_flags & NLM_F_DUMP &&
	    !fuzz_below(&fuzz->random, 8)) {
		fuzz->dumping[number] = true;
		return;
	}
	code = drain(fuzz, number, &sentence);
	/*
	 * While a dump of a socket is in progress, the kernel itself refuses a second dump of this
	 * socket. Such a refusal has no extack sentence.
	 */
	judge(fuzz, number, code, sentence || (dumping && code == -EBUSY));
}

/*
 * Draws a command at random, by weight. If @legal is true, three of four draws take only a command
 * that the state of the session allows. Otherwise few configurations and hardly any swap would be
 * accepted.
 */
static const struct fuzz_command *choose(struct fuzz *fuzz, bool legal)
{
	unsigned int states = legal && fuzz_below(&fuzz->random, 4) ?
			      1U << fuzz->session.state : ~0U;
	const struct fuzz_command *command = fuzz_commands;
	uint32_t total = 0, ticket;
	size_t i;

	for (i = 0; i < fuzz_nr_commands; i++)
		if (fuzz_commands[i].states & states)
			total += fuzz_commands[i].weight;
	ticket = fuzz_below(&fuzz->random, total);
	for (;; command++) {
		if (!(command->states & states))
			continue;
		if (ticket < command->weight)
			return command;
		ticket -= command->weight;
	}
}

static void make(struct fuzz *fuzz, bool legal)
{
	struct fuzz_random *random = &fuzz->random;
	const struct fuzz_message *kept = &fuzz->kept[fuzz_below(random, KEPT)];
	const struct fuzz_command *command;
	struct fuzz_machine machine = fuzz->session.machine;
	uint64_t groups = 0;

	if (!legal && kept->length && !fuzz_below(random, 4)) {
		fuzz->message = *kept;
		fuzz_flip(random, &fuzz->message);
		return;
	}
	command = choose(fuzz, legal);
	if (command->number == BPMU_CMD_SWAP) {
		groups = fuzz_plan_groups(&fuzz->session.plan);
		machine.rows &= fuzz->rows;
	}
	fuzz_make(random, command, fuzz->sockets[0].family, &machine, groups,
		  &fuzz->message);
	if (!legal)
		fuzz_mutate(random, &fuzz->message);
}

static void ask_info(struct fuzz *fuzz, int number)
{
	fuzz_make(&fuzz->random, fuzz_command(BPMU_CMD_GET_INFO),
		  fuzz->sockets[0].family, &fuzz->session.machine, 0,
		  &fuzz->message);
	transmit(fuzz, number);
}

/* Closes a socket, which ends the session if the socket owns it, and opens a new socket. */
static void reopen(struct fuzz *fuzz, int number)
{
	genl_close(&fuzz->sockets[number]);
	fuzz->dumping[number] = false;
	if (fuzz->session.owner == number) {
		fuzz->session.owner = -1;
		fuzz->session.state = BPMU_STATE_IDLE;
	}
	if (genl_open(&fuzz->sockets[number]))
		ksft_exit_fail_msg("the family is gone\n");
	ask_info(fuzz, number);
}

static void let_read(struct fuzz *fuzz, bool readers)
{
	if (genl_let_read(readers ? getegid() : GENL_NO_GROUP))
		ksft_exit_fail_msg("reader_gid cannot be set\n");
	fuzz->session.readers = readers;
}

static void step(struct fuzz *fuzz)
{
	struct fuzz_random *random = &fuzz->random;
	int number = fuzz_below(random, SOCKETS);

	if (fuzz->session.owner >= 0 && fuzz_below(random, 10) < 7)
		number = fuzz->session.owner;
	if (!fuzz_below(random, 150)) {
		reopen(fuzz, number);
		return;
	}
	if (!fuzz_below(random, 150))
		let_read(fuzz, !fuzz->session.readers);
	make(fuzz, fuzz_below(random, 10) < 3);
	transmit(fuzz, number);
}

static bool every_command(const struct fuzz *fuzz)
{
	bool every = true;
	size_t i;

	for (i = 0; i < fuzz_nr_commands; i++) {
		const struct fuzz_command *command = &fuzz_commands[i];
		unsigned long nr = fuzz->commands[command->number][is_dump(command->flags)];

		ksft_print_msg("seed %llu: %s accepted %lu times\n",
			       (unsigned long long)fuzz->seed, command->name, nr);
		every = every && nr;
	}
	return every;
}

static bool every_group(const struct fuzz *fuzz)
{
	int last = fuzz->session.machine.other ? FUZZ_OTHER : FUZZ_FIRST;
	bool every = true;
	int i;

	for (i = FUZZ_FIRST; i <= last; i++) {
		ksft_print_msg("seed %llu: groups of cores %d in %lu plans, %lu swaps\n",
			       (unsigned long long)fuzz->seed, i,
			       fuzz->groups[false][i], fuzz->groups[true][i]);
		every = every && fuzz->groups[false][i] && fuzz->groups[true][i];
	}
	ksft_print_msg("seed %llu: groups of the package in %lu plans, %lu swaps\n",
		       (unsigned long long)fuzz->seed, fuzz->groups[false][FUZZ_UNCORE],
		       fuzz->groups[true][FUZZ_UNCORE]);
	return every;
}

static void find_machine(struct fuzz *fuzz)
{
	struct fuzz_machine *machine = &fuzz->session.machine;
	struct genl_cpus cpus = { 0 };
	unsigned int i;

	machine->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (machine->cpus > GENL_CPUS)
		ksft_exit_skip("for fewer CPUs\n");
	if (genl_core_type(&fuzz->sockets[0], 0, &cpus))
		ksft_exit_fail_msg("CPU 0 is unknown\n");
	for (i = 0; i < cpus.nr; i++)
		machine->first |= 1ULL << cpus.cpu[i];
	for (i = 0; i < machine->cpus; i++)
		machine->other |= 1ULL << i & ~machine->first;
}

/*
 * Finds out which uncore events of the fuzzer's table (uncore_rows in fuzz_table.c) this machine
 * can count, by trying to configure a session with each of them.
 */
static void find_rows(struct fuzz *fuzz)
{
	unsigned long before;
	size_t row;

	for (row = 0; row < 64; row++) {
		fuzz_make_row(fuzz->sockets[0].family, row, &fuzz->message);
		if (!fuzz->message.length)
			break;
		before = fuzz->commands[BPMU_CMD_CONFIGURE][false];
		transmit(fuzz, 0);
		if (fuzz->commands[BPMU_CMD_CONFIGURE][false] > before)
			fuzz->session.machine.rows |= 1ULL << row;
	}
	reopen(fuzz, 0);
	ksft_print_msg("seed %llu: events of the package %#llx\n",
		       (unsigned long long)fuzz->seed,
		       (unsigned long long)fuzz->session.machine.rows);
	memset(fuzz->commands, 0, sizeof(fuzz->commands));
	memset(fuzz->groups, 0, sizeof(fuzz->groups));
}

static void set_up(struct fuzz *fuzz, uint64_t seed)
{
	unsigned int i;

	memset(fuzz, 0, sizeof(*fuzz));
	fuzz->seed = seed;
	fuzz->random.state = seed;
	fuzz->session.owner = -1;
	for (i = 0; i < SOCKETS; i++)
		if (genl_open(&fuzz->sockets[i]))
			ksft_exit_fail_msg("the family is gone\n");
	find_machine(fuzz);
	let_read(fuzz, false);
	find_rows(fuzz);
}

static void run(uint64_t seed, unsigned long messages)
{
	static struct fuzz fuzz;
	struct timespec begin, end;
	unsigned int i;

	set_up(&fuzz, seed);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (fuzz.sent < messages)
		step(&fuzz);
	for (i = 0; i < SOCKETS; i++)
		reopen(&fuzz, i);
	let_read(&fuzz, false);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ksft_print_msg("seed %llu: %lu messages, %lu accepted, %lu refused, %lu without an answer, %ld s\n",
		       (unsigned long long)seed, fuzz.sent, fuzz.answers[0],
		       fuzz.answers[1], fuzz.answers[2],
		       (long)(end.tv_sec - begin.tv_sec));
	ksft_test_result(every_command(&fuzz),
			 "seed %llu: every command was accepted at some time\n",
			 (unsigned long long)seed);
	ksft_test_result(every_group(&fuzz),
			 "seed %llu: groups of each core type and scope were accepted, in plans and in swaps\n",
			 (unsigned long long)seed);
	for (i = 0; i < NR_FINDINGS; i++)
		ksft_test_result(!fuzz.found[i], "seed %llu: %s\n",
				 (unsigned long long)seed, findings[i]);
	for (i = 0; i < SOCKETS; i++)
		genl_close(&fuzz.sockets[i]);
}

/*
 * Reads the file "seeds" in the directory of @program. Each line has a seed, a number of messages,
 * and the behaviour of the module that the messages test. If @really is true, sends the messages of
 * each line. Returns the number of lines.
 */
static unsigned int run_kept(const char *program, bool really)
{
	unsigned long long seed;
	unsigned long messages;
	unsigned int nr = 0;
	char name[PATH_MAX];
	char line[256];
	FILE *file;

	snprintf(name, sizeof(name), "%s", program);
	snprintf(line, sizeof(line), "%s/seeds", dirname(name));
	file = fopen(line, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llu %lu", &seed, &messages) != 2)
			continue;
		nr++;
		if (really)
			run(seed, messages);
	}
	fclose(file);
	return nr;
}

int main(int argc, char **argv)
{
	unsigned long messages = MESSAGES;
	unsigned long long seed = 1;
	const char *unable;
	bool kept = true;
	int option;

	while ((option = getopt(argc, argv, "s:n:")) != -1) {
		if (option == 's') {
			seed = strtoull(optarg, NULL, 0);
			kept = false;
		} else if (option == 'n') {
			messages = strtoul(optarg, NULL, 0);
		} else {
			fprintf(stderr, "fuzz: [-s SEED] [-n MESSAGES]\n");
			return KSFT_FAIL;
		}
	}
	ksft_print_header();
	unable = genl_load();
	if (unable)
		ksft_exit_skip("%s\n", unable);
	ksft_set_plan((1 + (kept ? run_kept(argv[0], false) : 0)) *
		      (2 + NR_FINDINGS));
	if (kept)
		run_kept(argv[0], true);
	run(seed, messages);
	ksft_finished();
}
