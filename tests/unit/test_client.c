// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the netlink client: the module gets exactly the requests that its protocol defines,
 * attribute by attribute, and the tool reads each attribute of the answers. The test makes the
 * kernel's messages, in which all attributes have different values, so that none can be confused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/genetlink.h>

#include "base/array.h"
#include "client/client.h"
#include "client/client_own.h"
#include "no_memory.h"
#include "unit.h"

#define FAMILY 77
#define GROUP 0x1234
#define REQUESTS_MAX 8
#define NONE 0xffff

/*
 * The requests that the tool has sent so far. If answers[i] is not NULL, the function answers[i]
 * fills in the answer to request number i.
 */
static struct request {
	u16 type, flags;
	u8 command, version;
	/* An array of u64, so that the text is aligned as a netlink message must be. */
	u64 text[BPMU_NL_BUFFER / sizeof(u64)];
} request[REQUESTS_MAX];
static unsigned int nr_requests;
static void (*answers[REQUESTS_MAX])(struct nlmsghdr *nlh);
static int error[REQUESTS_MAX];
static const char *sentence[REQUESTS_MAX];
static unsigned int interrupts, strays, again;
static int fds[2];
/* Error numbers of the socket's functions. One that succeeds leaves an old number in errno. */
static int open_errno, bind_errno, join_errno, send_errno, receive_errno;
static u32 joined;
static unsigned int nr_open;

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	assert_int_equal(bus, NETLINK_GENERIC);
	assert_int_equal(flags, SOCK_CLOEXEC);
	errno = open_errno ?: EXDEV;
	nr_open += !open_errno;
	return open_errno ? NULL : (struct mnl_socket *)fds;
}

int mnl_socket_close(struct mnl_socket *socket)
{
	(void)socket;
	nr_open--;
	return 0;
}

int mnl_socket_bind(struct mnl_socket *socket, unsigned int groups, pid_t pid)
{
	(void)socket;
	assert_int_equal(groups, 0);
	assert_int_equal(pid, MNL_SOCKET_AUTOPID);
	errno = bind_errno ?: EXDEV;
	return bind_errno ? -1 : 0;
}

int mnl_socket_get_fd(const struct mnl_socket *socket)
{
	(void)socket;
	return fds[0];
}

int mnl_socket_setsockopt(const struct mnl_socket *socket, int type, void *value, socklen_t size)
{
	(void)socket;
	assert_int_equal(size, sizeof(u32));
	if (type != NETLINK_ADD_MEMBERSHIP) {
		assert_int_equal(*(u32 *)value, 1);
		return 0;
	}
	joined = *(u32 *)value;
	errno = join_errno ?: EXDEV;
	return join_errno ? -1 : 0;
}

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *message, size_t size)
{
	const struct nlmsghdr *nlh = message;
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	struct request *to = &request[nr_requests++];

	(void)socket;
	assert_in_range(nr_requests, 1, REQUESTS_MAX);
	assert_int_equal(nlh->nlmsg_len, size);
	*to = (struct request){
		.type = nlh->nlmsg_type, .flags = nlh->nlmsg_flags, .command = genl->cmd,
		.version = genl->version,
	};
	memcpy(to->text, message, size);
	errno = send_errno ?: EXDEV;
	return send_errno ? -1 : (ssize_t)size;
}

/*
 * Adds a message that answers an older request, with sequence number @seq - 1: the tool must skip
 * it.
 */
static size_t put_stray(char *buffer, u32 seq)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_seq = seq - 1;
	((struct nlmsgerr *)mnl_nlmsg_put_extra_header(nlh, sizeof(struct nlmsgerr)))->error =
		-ENOTTY;
	return nlh->nlmsg_len;
}

/*
 * Adds the last message of an answer to the request @asked. If the request asked for a dump, the
 * message ends the dump. Otherwise the message is an error with the code @code and the error text
 * @text; code 0 is an acknowledgment.
 */
static size_t put_end(char *buffer, const struct nlmsghdr *asked, int code, const char *text)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	struct nlmsgerr *e;

	nlh->nlmsg_seq = asked->nlmsg_seq;
	if (asked->nlmsg_flags & NLM_F_DUMP) {
		nlh->nlmsg_type = NLMSG_DONE;
		*(int *)mnl_nlmsg_put_extra_header(nlh, sizeof(int)) = code;
	} else {
		nlh->nlmsg_type = NLMSG_ERROR;
		nlh->nlmsg_flags = NLM_F_CAPPED;
		e = mnl_nlmsg_put_extra_header(nlh, sizeof(*e));
		e->error = code;
		e->msg = *asked;
	}
	if (text) {
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	}
	if (again) {
		again--;
		nlh->nlmsg_flags |= NLM_F_DUMP_INTR;
	}
	return nlh->nlmsg_len;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer, size_t size)
{
	unsigned int i = nr_requests - 1;
	const struct nlmsghdr *asked = (const struct nlmsghdr *)request[i].text;
	bool whole = asked->nlmsg_flags & (NLM_F_ACK | NLM_F_DUMP);
	size_t len = 0;

	(void)socket;
	assert_int_equal(size, BPMU_NL_BUFFER);
	errno = receive_errno ?: EXDEV;
	if (interrupts) {
		interrupts--;
		errno = EINTR;
		return -1;
	}
	if (receive_errno)
		return -1;
	if (strays--)
		len = put_stray(buffer, asked->nlmsg_seq);
	strays = 0;
	if (!error[i] && answers[i]) {
		struct nlmsghdr *nlh = mnl_nlmsg_put_header((char *)buffer + len);

		nlh->nlmsg_type = asked->nlmsg_type;
		nlh->nlmsg_seq = asked->nlmsg_seq;
		mnl_nlmsg_put_extra_header(nlh, sizeof(struct genlmsghdr));
		answers[i](nlh);
		len += nlh->nlmsg_len;
	}
	if (error[i] || whole)
		len += put_end((char *)buffer + len, asked, error[i], sentence[i]);
	return len;
}

/* Returns the @nth attribute of a type in a request, at any depth of nesting; NULL if absent. */
static const struct nlattr *find(const struct nlattr *in, u16 type, unsigned int nth)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, in)
		if (mnl_attr_get_type(attr) == type && !nth--)
			return attr;
	return NULL;
}

static const struct nlattr *asked(unsigned int i, u16 type, unsigned int nth)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)request[i].text;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type && !nth--)
			return attr;
	return NULL;
}

static unsigned int count_attrs(unsigned int i)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)request[i].text;
	const struct nlattr *attr;
	unsigned int nr = 0;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		nr++;
	return nr;
}

static void assert_request(unsigned int i, u8 command, u16 flags)
{
	assert_int_equal(request[i].type, FAMILY);
	assert_int_equal(request[i].version, 1);
	assert_int_equal(request[i].command, command);
	assert_int_equal(request[i].flags, NLM_F_REQUEST | flags);
}

static void family(struct nlmsghdr *nlh)
{
	struct nlattr *groups, *group;

	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, FAMILY);
	/* Values of another type, or of an attribute that the tool does not know, are no numbers. */
	mnl_attr_put_u32(nlh, CTRL_ATTR_FAMILY_ID, FAMILY + 1);
	mnl_attr_put_u16(nlh, 99, FAMILY + 2);
	groups = mnl_attr_nest_start(nlh, CTRL_ATTR_MCAST_GROUPS);
	group = mnl_attr_nest_start(nlh, 1);
	mnl_attr_put_strz(nlh, CTRL_ATTR_MCAST_GRP_NAME, "session");
	mnl_attr_put_u32(nlh, CTRL_ATTR_MCAST_GRP_ID, GROUP);
	mnl_attr_put_u16(nlh, CTRL_ATTR_MCAST_GRP_ID, GROUP + 1);
	mnl_attr_put_u32(nlh, 99, GROUP + 2);
	mnl_attr_nest_end(nlh, group);
	mnl_attr_nest_end(nlh, groups);
}

/*
 * Connects a client to the faked module, resets the number of requests to 0, and returns the
 * client.
 */
static struct bpmu_client *opened(void)
{
	struct bpmu_client *client = NULL;
	struct bpmu_error err;

	memset(error, 0, sizeof(error));
	memset(sentence, 0, sizeof(sentence));
	memset(answers, 0, sizeof(answers));
	open_errno = 0;
	bind_errno = 0;
	join_errno = 0;
	send_errno = 0;
	receive_errno = 0;
	interrupts = 0;
	strays = 0;
	again = 0;
	nr_requests = 0;
	answers[0] = family;
	assert_int_equal(bpmu_client_open(&client, &err), 0);
	nr_requests = 0;
	answers[0] = NULL;
	return client;
}

TEST(the_family_is_looked_up)
{
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	assert_int_equal(request[0].type, GENL_ID_CTRL);
	assert_int_equal(request[0].command, CTRL_CMD_GETFAMILY);
	assert_int_equal(request[0].flags, NLM_F_REQUEST);
	assert_string_equal(mnl_attr_get_str(asked(0, CTRL_ATTR_FAMILY_NAME, 0)), "barepmu");
	assert_int_equal(nr_open, 1);
	assert_int_equal(bpmu_client_record_size(client), 0);
	/*
	 * The second socket receives the notifications of the module. To open it the tool sends no
	 * request, because it already knows the numbers of the module's family and multicast group.
	 */
	assert_int_equal(bpmu_client_listen(client, &err), 0);
	assert_int_equal(nr_requests, 0);
	assert_int_equal(joined, GROUP);
	assert_int_equal(bpmu_client_listen_fd(client), fds[0]);
	assert_int_equal(nr_open, 2);
	bpmu_client_close(client);
	assert_int_equal(nr_open, 0);
	bpmu_client_close(NULL);
}

/* The message names the cause if a socket cannot be opened, or if the module is not loaded. */
TEST(what_cannot_be_opened_is_named)
{
	static const struct {
		int *which;
		int value;
		const char *text;
	} all[] = {
		{ &open_errno, EPROTONOSUPPORT, "netlink: socket: Protocol not supported" },
		{ &bind_errno, EADDRINUSE, "netlink: bind: Address already in use" },
		{ &send_errno, ENOBUFS, "netlink: sending: No buffer space available" },
		{ &receive_errno, ENOBUFS, "netlink: receiving: No buffer space available" },
	};
	struct bpmu_client *client = NULL;
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		bpmu_client_close(opened());
		*all[i].which = all[i].value;
		assert_int_equal(bpmu_client_open(&client, &err), -all[i].value);
		assert_string_equal(err.text, all[i].text);
		assert_null(client);
		assert_int_equal(nr_open, 0);
	}
	bpmu_client_close(opened());
	error[0] = -ENOENT;
	assert_int_equal(bpmu_client_open(&client, &err), -ENOENT);
	assert_string_equal(err.text,
			    "module: not loaded; load it with \"modprobe barepmu\" or insmod, as root");
	bpmu_client_close(opened());
	error[0] = -ENOMEM;
	assert_int_equal(bpmu_client_open(&client, &err), -ENOMEM);
	assert_string_equal(err.text, "module: Cannot allocate memory");
	assert_int_equal(nr_open, 0);
	client = opened();
	join_errno = EACCES;
	assert_int_equal(bpmu_client_listen(client, &err), -EACCES);
	assert_string_equal(err.text, "netlink: joining the group \"session\": Permission denied");
	bpmu_client_close(client);
	assert_int_equal(nr_open, 0);
}

/*
 * Initialises an element of the array of attributes below. The attribute is a u32. It is copied to
 * a member of struct bpmu_info that may have another width.
 */
#define U32(type, member) { type, offsetof(struct bpmu_info, member), 4, \
			    sizeof(((struct bpmu_info *)0)->member), NULL }
#define U64(type, member) { type, offsetof(struct bpmu_info, member), 8, 8, NULL }
#define TEXT(type, member, text) { type, offsetof(struct bpmu_info, member), 0, 0, text }

static const struct {
	u16 type;
	size_t at, size, kept;
	const char *text;
} infos[] = {
	TEXT(BPMU_A_INFO_MODULE_VERSION, module_version, "1.2"),
	TEXT(BPMU_A_INFO_PART, part, "icx"),
	TEXT(BPMU_A_INFO_PART_TITLE, title, "A title"),
	TEXT(BPMU_A_INFO_OWNER_COMM, owner_comm, "owner"),
	U32(BPMU_A_INFO_FAMILY, family), U32(BPMU_A_INFO_MODEL, model),
	U32(BPMU_A_INFO_STEPPING, stepping), U32(BPMU_A_INFO_STATE, state),
	U32(BPMU_A_INFO_OWNER_PID, owner_pid), U32(BPMU_A_INFO_PREFETCH, prefetch),
	U32(BPMU_A_INFO_TSC_KHZ, tsc_khz), U32(BPMU_A_INFO_CPUS_ONLINE, cpus_online),
	U32(BPMU_A_INFO_PMU_VERSION, pmu.version),
	U32(BPMU_A_INFO_GP_COUNTERS, pmu.gp_counters), U32(BPMU_A_INFO_GP_WIDTH, pmu.gp_width),
	U32(BPMU_A_INFO_FIXED_COUNTERS, pmu.fixed_counters),
	U32(BPMU_A_INFO_FIXED_WIDTH, pmu.fixed_width), U32(BPMU_A_INFO_METRICS, pmu.metrics),
	U32(BPMU_A_INFO_ABSENT, pmu.absent),
	U32(BPMU_A_INFO_GLOBAL, pmu.global), U32(BPMU_A_INFO_TJMAX, pmu.tjmax),
	U64(BPMU_A_INFO_FREE, pmu.free),
	U64(BPMU_A_INFO_UNITS, pmu.units), U64(BPMU_A_INFO_SELECT_MASK, pmu.legal),
	U64(BPMU_A_INFO_STATUS, status), U64(BPMU_A_INFO_FOREIGN, foreign),
	U64(BPMU_A_INFO_PRECISE, pmu.pebs), U32(BPMU_A_INFO_OBSTACLES, obstacles),
	U32(BPMU_A_INFO_BATCH, batch), U32(BPMU_A_INFO_PEBS, pmu.pebs_format),
};

static unsigned int wrong = NONE;
static u16 wrong_of_box;
static u32 large;

/*
 * Adds the description of a unit's boxes to a message. @part: type of the attribute that gets a
 * wrong length; 0 for none.
 */
static void put_box(struct nlmsghdr *nlh, u32 unit, u16 part)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, BPMU_A_INFO_BOX);
	u16 type;

	for (type = BPMU_A_BOX_UNIT; type <= BPMU_A_BOX_MAX; type++)
		if (type == part)
			mnl_attr_put_u16(nlh, type, 1);
		else
			mnl_attr_put_u32(nlh, type, type == BPMU_A_BOX_UNIT ? unit :
					 type == BPMU_A_BOX_NR ? 100 + unit : 200 - unit);
	/* An attribute that only a newer module has: it must be ignored. */
	mnl_attr_put_u32(nlh, 4000, 1);
	mnl_attr_nest_end(nlh, nest);
}

static void info(struct nlmsghdr *nlh)
{
	static const u64 selects[] = { 0x11, 0x22, 0x33 };
	unsigned int i;

	/*
	 * All units from number 3 on. The last one, BPMU_UNITS, stands for a unit that only a newer
	 * module has.
	 */
	for (i = 3; i <= BPMU_UNITS; i++)
		put_box(nlh, i, 0);
	if (wrong_of_box)
		put_box(nlh, 1, wrong_of_box);

	for (i = 0; i < ARRAY_SIZE(infos); i++) {
		if (i == wrong)
			mnl_attr_put_u16(nlh, infos[i].type, 1);
		else if (infos[i].text)
			mnl_attr_put_strz(nlh, infos[i].type, infos[i].text);
		else if (infos[i].size == 4)
			mnl_attr_put_u32(nlh, infos[i].type, i + 1 + large);
		else
			mnl_attr_put_u64(nlh, infos[i].type, i + 1 + (1ULL << 40));
	}
	mnl_attr_put(nlh, BPMU_A_INFO_SELECTS, sizeof(selects), selects);
	mnl_attr_put(nlh, BPMU_A_INFO_BUSY, 0, NULL);
	/* An attribute that only a newer module has: it must be ignored. */
	mnl_attr_put_u32(nlh, 4000, 1);
}

TEST(each_fact_of_the_module_has_its_field)
{
	struct bpmu_client *client = opened();
	struct bpmu_error err;
	struct bpmu_info got;
	unsigned int i;

	answers[0] = info;
	assert_int_equal(bpmu_client_info_of(client, 6, &got, &err), 0);
	assert_request(0, BPMU_CMD_GET_INFO, 0);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_INFO_CPU, 0)), 6);
	for (i = 0; i < ARRAY_SIZE(infos); i++) {
		const char *at = (const char *)&got + infos[i].at;

		if (infos[i].text)
			assert_string_equal(at, infos[i].text);
		else if (infos[i].size == 8)
			assert_int_equal(*(u64 *)at, i + 1 + (1ULL << 40));
		else
			assert_int_equal(infos[i].kept == 1 ? *(u8 *)at : *(u32 *)at, i + 1);
	}
	for (i = 0; i < BPMU_UNITS; i++) {
		assert_int_equal(got.pmu.nr[i], i < 3 ? 0 : 100 + i);
		assert_int_equal(got.pmu.counters[i], i < 3 ? 0 : 200 - i);
	}
	assert_ptr_equal(got.pmu.part, bpmu_part_by_name("icx"));
	assert_true(got.busy);
	assert_int_equal(got.nr_selects, 3);
	assert_int_equal(got.select[0], 0x11);
	assert_int_equal(got.select[2], 0x33);
	answers[1] = info;
	assert_int_equal(bpmu_client_info(client, &got, &err), 0);
	assert_request(1, BPMU_CMD_GET_INFO, 0);
	assert_null(asked(1, BPMU_A_INFO_CPU, 0));
	bpmu_client_close(client);
}

/*
 * The tool must refuse an answer as malformed if an attribute has a wrong length. It must also
 * refuse an answer if a number or a text does not fit in the member of struct bpmu_info that stores
 * it.
 */
TEST(what_is_no_fact_is_malformed)
{
	struct bpmu_client *client = opened();
	struct bpmu_error err;
	struct bpmu_info got;
	unsigned int i;

	answers[0] = info;
	for (i = 0; i < ARRAY_SIZE(infos); i++) {
		nr_requests = 0;
		wrong = i;
		if (infos[i].text)
			continue;
		assert_int_equal(bpmu_client_info(client, &got, &err), -EPROTO);
		assert_string_equal(err.text,
				    "netlink: malformed reply; do module and tool belong together?");
	}
	wrong = NONE;
	for (i = BPMU_A_BOX_UNIT; i <= BPMU_A_BOX_MAX; i++) {
		nr_requests = 0;
		wrong_of_box = i;
		assert_int_equal(bpmu_client_info(client, &got, &err), -EPROTO);
	}
	wrong_of_box = 0;
	large = 256;
	nr_requests = 0;
	assert_int_equal(bpmu_client_info(client, &got, &err), -EPROTO);
	large = 255 - ARRAY_SIZE(infos);
	nr_requests = 0;
	assert_int_equal(bpmu_client_info(client, &got, &err), 0);
	large = 0;
	bpmu_client_close(client);
}

static void unknown(struct nlmsghdr *nlh)
{
	mnl_attr_put_strz(nlh, BPMU_A_INFO_PART, "future");
	mnl_attr_put_strz(nlh, BPMU_A_INFO_PART_TITLE, "bad\x1b[2Jtitle");
}

TEST(an_unknown_part_is_named)
{
	struct bpmu_client *client = opened();
	struct bpmu_error err;
	struct bpmu_info got;

	answers[0] = unknown;
	assert_int_equal(bpmu_client_pmu_of(client, 3, &got, &err), -EPROTO);
	assert_string_equal(err.text, "part 'future': the module knows it, this tool does not; install matching versions");
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_INFO_CPU, 0)), 3);
	assert_string_equal(got.title, "bad?[2Jtitle");
	answers[1] = info;
	assert_int_equal(bpmu_client_pmu_of(client, 3, &got, &err), 0);
	error[2] = -ENODEV;
	sentence[2] = "CPU 3 is not online";
	assert_int_equal(bpmu_client_pmu_of(client, 3, &got, &err), -ENODEV);
	assert_string_equal(err.text, "module: CPU 3 is not online");
	bpmu_client_close(client);
}

static void lists(struct nlmsghdr *nlh)
{
	static const u32 cpus[] = { 0, 2, 4 }, more[] = { 9 }, isolated[] = { 7, 8 };
	unsigned int i;

	mnl_attr_put(nlh, BPMU_A_CPUS, sizeof(cpus), cpus);
	mnl_attr_put(nlh, BPMU_A_INFO_ISOLATED, sizeof(isolated), isolated);
	mnl_attr_put(nlh, BPMU_A_CPUS, sizeof(more), more);
	for (i = 0; i < 2; i++) {
		struct nlattr *failure = mnl_attr_nest_start(nlh, BPMU_A_FAILURE);

		mnl_attr_put_u32(nlh, BPMU_A_FAILURE_CPU, 10 + i);
		mnl_attr_put_u32(nlh, BPMU_A_FAILURE_WHAT, 20 + i);
		mnl_attr_put_u32(nlh, BPMU_A_FAILURE_ERROR, 30 + i);
		mnl_attr_nest_end(nlh, failure);
	}
}

/* If a list changes while the tool reads it, the tool reads it again from the beginning. */
TEST(lists_are_read_whole_and_once)
{
	struct bpmu_client *client = opened();
	struct bpmu_failures failures;
	struct bpmu_cpulist cpus;
	struct bpmu_error err;

	answers[0] = lists;
	answers[1] = lists;
	again = 1;
	assert_int_equal(bpmu_client_alike(client, 5, &cpus, &err), 0);
	assert_int_equal(nr_requests, 2);
	assert_request(1, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	assert_int_equal(mnl_attr_get_u32(asked(1, BPMU_A_INFO_CPU, 0)), 5);
	assert_int_equal(cpus.nr, 4);
	assert_int_equal(cpus.cpu[2], 4);
	assert_int_equal(cpus.cpu[3], 9);
	bpmu_cpulist_free(&cpus);
	nr_requests = 0;
	again = 1;
	assert_int_equal(bpmu_client_isolated(client, &cpus, &err), 0);
	assert_request(1, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	assert_null(asked(1, BPMU_A_INFO_CPU, 0));
	assert_int_equal(cpus.nr, 2);
	assert_int_equal(cpus.cpu[1], 8);
	bpmu_cpulist_free(&cpus);
	nr_requests = 0;
	again = 1;
	assert_int_equal(bpmu_client_failures(client, &failures, &err), 0);
	assert_request(1, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	assert_int_equal(failures.nr, 2);
	assert_int_equal(failures.failure[1].cpu, 11);
	assert_int_equal(failures.failure[1].what, 21);
	assert_int_equal(failures.failure[1].error, 31);
	free(failures.failure);
	nr_requests = 0;
	error[0] = -EIO;
	assert_int_equal(bpmu_client_isolated(client, &cpus, &err), -EIO);
	bpmu_client_close(client);
}

/* Reads both kinds of lists, one after the other; stops at the first error. */
static int read_lists(void *data, struct bpmu_error *err)
{
	struct bpmu_client *client = data;
	struct bpmu_failures failures;
	struct bpmu_cpulist cpus;
	int code;

	nr_requests = 0;
	answers[0] = lists;
	answers[1] = lists;
	no_memory_begin();
	code = bpmu_client_alike(client, 5, &cpus, err);
	if (!code) {
		assert_int_equal(cpus.nr, 4);
		code = bpmu_client_failures(client, &failures, err);
		if (!code)
			assert_int_equal(failures.nr, 2);
		free(failures.failure);
	}
	no_memory_end();
	bpmu_cpulist_free(&cpus);
	return code;
}

TEST(a_list_without_memory_for_it_is_not_malformed)
{
	struct bpmu_client *client = opened();

	assert_int_equal(no_memory_each(read_lists, client), 2);
	bpmu_client_close(client);
}

/* An attribute of a list that cannot be one of the module: its type and its length in bytes. */
static u16 bad_type, bad_len;

static void bad_list(struct nlmsghdr *nlh)
{
	static const u32 zeros[4];
	struct nlattr *failure;

	if (bad_type == BPMU_A_CPUS) {
		mnl_attr_put(nlh, BPMU_A_CPUS, bad_len, zeros);
		return;
	}
	failure = mnl_attr_nest_start(nlh, BPMU_A_FAILURE);
	mnl_attr_put(nlh, bad_type, bad_len, zeros);
	mnl_attr_nest_end(nlh, failure);
}

TEST(a_list_of_wrong_attributes_is_malformed)
{
	static const struct {
		u16 type, len;
		int code;
	} all[] = {
		{ BPMU_A_CPUS, 0, -EPROTO },
		{ BPMU_A_CPUS, 4, 0 },
		{ BPMU_A_CPUS, 7, -EPROTO },
		{ BPMU_A_FAILURE_CPU, 4, 0 },
		{ BPMU_A_FAILURE_CPU, 8, -EPROTO },
		{ BPMU_A_FAILURE_WHAT, 4, 0 },
		{ BPMU_A_FAILURE_WHAT, 8, -EPROTO },
		{ BPMU_A_FAILURE_ERROR, 4, 0 },
		{ BPMU_A_FAILURE_ERROR, 8, -EPROTO },
		/* A newer module can tell more of a failure. */
		{ 99, 8, 0 },
	};
	struct bpmu_client *client = opened();
	struct bpmu_failures failures;
	struct bpmu_cpulist cpus;
	struct bpmu_error err;
	unsigned int i;
	int code;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		bad_type = all[i].type;
		bad_len = all[i].len;
		nr_requests = 0;
		answers[0] = bad_list;
		if (bad_type == BPMU_A_CPUS) {
			code = bpmu_client_alike(client, 0, &cpus, &err);
			bpmu_cpulist_free(&cpus);
		} else {
			code = bpmu_client_failures(client, &failures, &err);
			free(failures.failure);
		}
		assert_int_equal(code, all[i].code);
		if (code)
			assert_string_equal(err.text,
					    "netlink: malformed reply; do module and tool belong together?");
	}
	bpmu_client_close(client);
}

static const u32 some_cpus[] = { 1, 3 };
static u64 foreign;

static void foreign_of_cpu_3(struct nlmsghdr *nlh)
{
	if (mnl_attr_get_u32(asked(nr_requests - 1, BPMU_A_INFO_CPU, 0)) == 3)
		mnl_attr_put_u64(nlh, BPMU_A_INFO_FOREIGN, foreign);
}

static void idle(struct nlmsghdr *nlh)
{
	mnl_attr_put_u32(nlh, BPMU_A_INFO_STATE, BPMU_STATE_IDLE);
}

static void busy(struct nlmsghdr *nlh)
{
	idle(nlh);
	mnl_attr_put(nlh, BPMU_A_INFO_BUSY, 0, NULL);
}

static void owned(struct nlmsghdr *nlh)
{
	mnl_attr_put_u32(nlh, BPMU_A_INFO_STATE, BPMU_STATE_RUNNING);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_OWNER_PID, 4711);
	mnl_attr_put_strz(nlh, BPMU_A_INFO_OWNER_COMM, "likwid");
}

TEST(foreign_counters_are_those_of_all_cpus)
{
	const struct bpmu_cpulist cpus = { (u32 *)some_cpus, ARRAY_SIZE(some_cpus) };
	struct bpmu_client *client = opened();
	struct bpmu_cpulist found;
	struct bpmu_error err;
	u64 counters;

	foreign = 0x300000001;
	answers[0] = foreign_of_cpu_3;
	answers[1] = foreign_of_cpu_3;
	assert_int_equal(bpmu_client_foreign(client, &cpus, &found, &counters, &err), 0);
	assert_int_equal(counters, foreign);
	assert_int_equal(found.nr, 1);
	assert_int_equal(found.cpu[0], 3);
	bpmu_cpulist_free(&found);
	nr_requests = 0;
	error[1] = -ENODEV;
	assert_int_equal(bpmu_client_foreign(client, &cpus, &found, &counters, &err), -ENODEV);
	bpmu_cpulist_free(&found);
	bpmu_client_close(client);
}

static void obstacles_of_cpu_3(struct nlmsghdr *nlh)
{
	if (mnl_attr_get_u32(asked(nr_requests - 1, BPMU_A_INFO_CPU, 0)) == 3)
		mnl_attr_put_u32(nlh, BPMU_A_INFO_OBSTACLES, BPMU_OBSTACLE_TRACE);
}

TEST(obstacles_are_those_of_the_named_kind)
{
	const struct bpmu_cpulist cpus = { (u32 *)some_cpus, ARRAY_SIZE(some_cpus) };
	struct bpmu_client *client = opened();
	struct bpmu_cpulist found;
	struct bpmu_error err;

	answers[0] = obstacles_of_cpu_3;
	answers[1] = obstacles_of_cpu_3;
	assert_int_equal(bpmu_client_obstacles(client, &cpus, BPMU_OBSTACLE_TRACE, &found, &err),
			 0);
	assert_int_equal(found.nr, 1);
	assert_int_equal(found.cpu[0], 3);
	bpmu_cpulist_free(&found);
	nr_requests = 0;
	assert_int_equal(bpmu_client_obstacles(client, &cpus, BPMU_OBSTACLE_LVTPC, &found, &err),
			 0);
	assert_int_equal(found.nr, 0);
	bpmu_cpulist_free(&found);
	nr_requests = 0;
	error[1] = -ENODEV;
	assert_int_equal(bpmu_client_obstacles(client, &cpus, BPMU_OBSTACLE_TRACE, &found, &err),
			 -ENODEV);
	bpmu_cpulist_free(&found);
	bpmu_client_close(client);
}

/*
 * A group of core events, a group of uncore events, and a group of free-running registers. Two of
 * the core events share a counter.
 */
static struct bpmu_group groups[] = {
	{ .sched = { .nr = 3, .values = 2, .bank = BPMU_BANK_CORE, .slot = {
		{ .counter = 2, .sibling = 3, .select = 0x1301c2, .value = 0 },
		{ .counter = 2, .sibling = 3, .select = 0x1301c2, .value = 0 },
		{ .counter = 33, .sibling = 33, .select = 0x30000, .filter = 0x77, .value = 1 },
	} } },
	{ .sched = { .nr = 1, .values = 1, .bank = BPMU_BANK_CHA, .slot = {
		{ .counter = 360, .sibling = 360, .select = 0x334, .value = 0 },
	} } },
	{ .sched = { .nr = 1, .values = 1, .bank = BPMU_BANK_FREE_THREAD, .slot = {
		{ .counter = 256, .sibling = 256, .value = 0 },
	} } },
};

static const struct bpmu_groups both[] = { { .nr = 3, .group = groups },
					   { .nr = 2, .group = groups } };

static u32 record_size;

static void configured(struct nlmsghdr *nlh)
{
	mnl_attr_put_u32(nlh, BPMU_A_INFO_STATE, 9);
	mnl_attr_put_u32(nlh, BPMU_A_RECORD_SIZE, record_size);
}

static void assert_event(const struct nlattr *group, unsigned int nth,
			 const struct bpmu_sched_slot *slot)
{
	const struct nlattr *event = find(group, BPMU_A_GROUP_EVENT, nth);
	const struct nlattr *attr;

	assert_non_null(event);
	assert_int_equal(mnl_attr_get_u32(find(event, BPMU_A_EVENT_COUNTER, 0)), slot->counter);
	assert_int_equal(mnl_attr_get_u64(find(event, BPMU_A_EVENT_SELECT, 0)), slot->select);
	attr = find(event, BPMU_A_EVENT_FILTER, 0);
	assert_int_equal(attr ? mnl_attr_get_u64(attr) : 0, slot->filter);
	assert_int_equal(!attr, !slot->filter);
	attr = find(event, BPMU_A_EVENT_SIBLING, 0);
	assert_int_equal(attr ? mnl_attr_get_u32(attr) : slot->counter, slot->sibling);
	assert_int_equal(!attr, slot->sibling == slot->counter);
}

/*
 * Checks the groups of both core types in request @i: the second core type has no uncore groups,
 * and a counter that events share is sent only once.
 */
static void assert_groups(unsigned int i)
{
	const struct nlattr *core = asked(i, BPMU_A_GROUP, 0);
	const struct nlattr *other = asked(i, BPMU_A_OTHER_GROUP, 0);

	assert_event(core, 0, &groups[0].sched.slot[0]);
	assert_event(core, 1, &groups[0].sched.slot[2]);
	assert_null(find(core, BPMU_A_GROUP_EVENT, 2));
	assert_null(asked(i, BPMU_A_GROUP, 1));
	assert_event(other, 1, &groups[0].sched.slot[2]);
	assert_null(asked(i, BPMU_A_OTHER_GROUP, 1));
	assert_event(asked(i, BPMU_A_UNCORE_GROUP, 0), 0, &groups[1].sched.slot[0]);
	assert_null(asked(i, BPMU_A_UNCORE_GROUP, 1));
	assert_event(asked(i, BPMU_A_FREE_GROUP, 0), 0, &groups[2].sched.slot[0]);
	assert_null(asked(i, BPMU_A_FREE_GROUP, 1));
}

TEST(a_configuration_is_sent_whole)
{
	static const u32 prefetch = 5;
	struct bpmu_config config = {
		.cpus = some_cpus, .nr_cpus = 2, .groups = { &both[0], &both[1] },
		.interval_ns = 1ULL << 33, .timer = 2, .buffer_samples = 99,
		.prefetch = &prefetch, .top = 17, .check = 6, .who = true, .take_over = true,
	};
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	record_size = sizeof(struct bpmu_sample) + 2 * sizeof(u64) + sizeof(struct bpmu_who);
	answers[0] = configured;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	assert_int_equal(bpmu_client_record_size(client), record_size);
	assert_request(0, BPMU_CMD_CONFIGURE, 0);
	assert_int_equal(mnl_attr_get_payload_len(asked(0, BPMU_A_CPUS, 0)), 8);
	assert_memory_equal(mnl_attr_get_payload(asked(0, BPMU_A_CPUS, 0)), some_cpus, 8);
	assert_groups(0);
	assert_true(mnl_attr_get_u64(asked(0, BPMU_A_INTERVAL_NS, 0)) == 1ULL << 33);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_TIMER, 0)), 2);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_BUFFER_SAMPLES, 0)), 99);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_PREFETCH, 0)), 5);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_TOP, 0)), 17);
	assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_CHECK, 0)), 6);
	assert_non_null(asked(0, BPMU_A_WHO, 0));
	assert_non_null(asked(0, BPMU_A_TAKE_OVER, 0));
	/*
	 * A request has attributes only for what the user asked for. Here, for example, it has no
	 * groups of another core type.
	 */
	config = (struct bpmu_config){ .cpus = some_cpus, .nr_cpus = 2, .groups = { &both[0] } };
	answers[1] = configured;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	assert_int_equal(count_attrs(1), 5);
	assert_null(asked(1, BPMU_A_OTHER_GROUP, 0));
	assert_int_equal(mnl_attr_get_u32(asked(1, BPMU_A_TIMER, 0)), 0);
	bpmu_client_close(client);
}

/*
 * Each wish adds one attribute to the request, and only that: the others are CPUs, groups, and the
 * timer.
 */
TEST(a_wish_is_one_attribute)
{
	static const u32 no_prefetcher;
	const struct {
		struct bpmu_config wish;
		u16 type, len;
		u64 value;
	} all[] = {
		{ { .interval_ns = 1 }, BPMU_A_INTERVAL_NS, 8, 1 },
		{ { .buffer_samples = 1 }, BPMU_A_BUFFER_SAMPLES, 4, 1 },
		{ { .prefetch = &no_prefetcher }, BPMU_A_PREFETCH, 4, 0 },
		{ { .top = 1 }, BPMU_A_TOP, 4, 1 },
		{ { .check = BPMU_CHECK_PERIOD }, BPMU_A_CHECK, 4, BPMU_CHECK_PERIOD },
		{ { .who = true }, BPMU_A_WHO, 0, 0 },
		{ { .take_over = true }, BPMU_A_TAKE_OVER, 0, 0 },
		{ { .chain = 1 }, BPMU_A_CHAIN, 4, 1 },
		{ { .branches = true }, BPMU_A_BRANCHES, 4, BPMU_BRANCH_KIND_ANY },
		{ { .calls = true }, BPMU_A_BRANCHES, 4, BPMU_BRANCH_KIND_CALLS },
		{ { .counts = true }, BPMU_A_COUNTS, 0, 0 },
		{ { .batch = 1 }, BPMU_A_BATCH, 4, 1 },
	};
	const struct bpmu_groups core = { .nr = 1, .group = groups };
	struct bpmu_client *client = opened();
	struct bpmu_config config;
	const struct nlattr *attr;
	struct bpmu_error err;
	unsigned int i;

	record_size = sizeof(struct bpmu_sample) + 2 * sizeof(u64) + sizeof(struct bpmu_who);
	answers[0] = configured;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		u64 value = 0;

		config = all[i].wish;
		config.cpus = some_cpus;
		config.nr_cpus = 2;
		config.groups[0] = &core;
		nr_requests = 0;
		assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
		assert_int_equal(count_attrs(0), 4);
		assert_non_null(asked(0, BPMU_A_CPUS, 0));
		assert_non_null(asked(0, BPMU_A_GROUP, 0));
		assert_int_equal(mnl_attr_get_u32(asked(0, BPMU_A_TIMER, 0)), 0);
		attr = asked(0, all[i].type, 0);
		assert_non_null(attr);
		assert_int_equal(mnl_attr_get_payload_len(attr), all[i].len);
		memcpy(&value, mnl_attr_get_payload(attr), all[i].len);
		assert_true(value == all[i].value);
	}
	bpmu_client_close(client);
}

/* An event has a counter and a selector, and one attribute more for each other thing that it needs. */
TEST(an_event_has_the_attributes_that_it_needs)
{
	static const struct {
		struct bpmu_sched_slot slot;
		u16 type, len;
		u64 value;
	} all[] = {
		{ { .filter = 1ULL << 40 }, BPMU_A_EVENT_FILTER, 8, 1ULL << 40 },
		{ { .sibling = 5 }, BPMU_A_EVENT_SIBLING, 4, 5 },
		{ { .period = 100 }, BPMU_A_EVENT_PERIOD, 4, 100 },
		{ { .frequency = 101 }, BPMU_A_EVENT_FREQUENCY, 4, 101 },
		{ { .precise = true }, BPMU_A_EVENT_PRECISE, 0, 0 },
		{ { .data = true }, BPMU_A_EVENT_DATA, 0, 0 },
	};
	struct bpmu_pmu pmu = { };
	struct bpmu_group group = { .sched = { .nr = 1, .values = 1 } };
	const struct bpmu_groups core = { .nr = 1, .group = &group, .pmu = &pmu };
	struct bpmu_config config = { .cpus = some_cpus, .nr_cpus = 2, .groups = { &core } };
	struct bpmu_client *client = opened();
	const struct nlattr *event, *attr;
	struct bpmu_error err;
	unsigned int i;

	record_size = sizeof(struct bpmu_sample) + sizeof(u64);
	answers[0] = configured;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		unsigned int nr = 0;
		u64 value = 0;

		group.sched.slot[0] = all[i].slot;
		nr_requests = 0;
		assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
		event = find(asked(0, BPMU_A_GROUP, 0), BPMU_A_GROUP_EVENT, 0);
		mnl_attr_for_each_nested(attr, event)
			nr++;
		assert_int_equal(nr, 3);
		assert_int_equal(mnl_attr_get_u32(find(event, BPMU_A_EVENT_COUNTER, 0)), 0);
		assert_true(!mnl_attr_get_u64(find(event, BPMU_A_EVENT_SELECT, 0)));
		attr = find(event, all[i].type, 0);
		assert_non_null(attr);
		assert_int_equal(mnl_attr_get_payload_len(attr), all[i].len);
		memcpy(&value, mnl_attr_get_payload(attr), all[i].len);
		assert_true(value == all[i].value);
	}
	bpmu_client_close(client);
}

TEST(records_have_a_size_that_can_be)
{
	const u32 fits = sizeof(struct bpmu_sample) + 2 * sizeof(u64);
	const u32 most = sizeof(struct bpmu_sample) + BPMU_MAX_COUNTERS * sizeof(u64) +
			 sizeof(struct bpmu_who);
	struct bpmu_config config = { .cpus = some_cpus, .nr_cpus = 1, .groups = { &both[0] } };
	struct bpmu_client *client = opened();
	struct bpmu_error err;
	unsigned int i;
	char text[128];

	answers[0] = configured;
	record_size = fits;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	nr_requests = 0;
	record_size = fits - 1;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EPROTO);
	snprintf(text, sizeof(text), "netlink: records of %u bytes, %u expected; do module and tool belong together?",
		 fits - 1, fits);
	assert_string_equal(err.text, text);
	nr_requests = 0;
	record_size = fits;
	config.who = true;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EPROTO);
	nr_requests = 0;
	record_size = most;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	/* The largest group can be any group of any core type. */
	for (i = 0; i < 4; i++) {
		struct bpmu_group last[2][2] = { };
		const struct bpmu_groups each[] = { { .nr = 2, .group = last[0] },
						    { .nr = 2, .group = last[1] } };
		struct bpmu_config hybrid = {
			.cpus = some_cpus, .nr_cpus = 1, .groups = { &each[0], &each[1] },
		};

		last[i / 2][i % 2].sched.values = 3;
		nr_requests = 0;
		record_size = fits + sizeof(u64);
		assert_int_equal(bpmu_client_configure(client, &hybrid, &err), 0);
		nr_requests = 0;
		record_size--;
		assert_int_equal(bpmu_client_configure(client, &hybrid, &err), -EPROTO);
	}
	nr_requests = 0;
	record_size = most + 1;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EPROTO);
	snprintf(text, sizeof(text), "netlink: records of %u bytes are too large; do module and tool belong together?",
		 most + 1);
	assert_string_equal(err.text, text);
	bpmu_client_close(client);
}

static bool guest_runs;

int __wrap_bpmu_guests_refuse(struct bpmu_error *err);

int __wrap_bpmu_guests_refuse(struct bpmu_error *err)
{
	return guest_runs ? bpmu_error_set(err, -EBUSY, "a guest runs") : 0;
}

/* The CPU could write precise records into a guest's memory, but no other records. */
TEST(precise_events_of_a_debug_store_are_refused_beside_guests)
{
	struct bpmu_pmu pmu = { .pebs = 1, .pebs_format = 5 };
	struct bpmu_group group = { .sched = { .nr = 1, .values = 1 } };
	const struct bpmu_groups precise = { .nr = 1, .group = &group, .pmu = &pmu };
	struct bpmu_config config = { .cpus = some_cpus, .nr_cpus = 2, .groups = { &precise } };
	struct bpmu_client *client = opened();
	struct bpmu_info info = { .batch = 64 };
	struct bpmu_error err;
	unsigned int i;

	answers[0] = configured;
	record_size = sizeof(struct bpmu_sample) + sizeof(u64);
	guest_runs = true;
	group.sched.slot[0].precise = true;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "a guest runs");
	guest_runs = false;
	nr_requests = 0;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	guest_runs = true;
	nr_requests = 0;
	group.sched.slot[0].precise = false;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	nr_requests = 0;
	group.sched.slot[0].precise = true;
	pmu.pebs_format = 16;
	assert_int_equal(bpmu_client_configure(client, &config, &err), 0);
	/* One precise event of a group of a core type is enough. */
	pmu.pebs_format = 5;
	for (i = 0; i < 8; i++) {
		struct bpmu_group all[2][2] = {
			{ { .sched.nr = 2 }, { .sched.nr = 2 } },
			{ { .sched.nr = 2 }, { .sched.nr = 2 } },
		};
		const struct bpmu_groups each[] = { { .nr = 2, .group = all[0], .pmu = &pmu },
						    { .nr = 2, .group = all[1], .pmu = &pmu } };

		config.groups[0] = &each[0];
		config.groups[1] = &each[1];
		all[i / 4][i / 2 % 2].sched.slot[i % 2].precise = true;
		nr_requests = 0;
		assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
		assert_int_equal(nr_requests, 0);
	}
	pmu.pebs_format = 16;
	bpmu_client_close(client);
	/* The records of a debug store have no counts of other events before format 6. */
	info.pmu = pmu;
	assert_true(bpmu_info_has_counts(&info));
	info.pmu.pebs_format = 5 + 1;
	assert_false(bpmu_info_has_counts(&info));
	info.pmu.pebs_format = 6 + 1;
	assert_true(bpmu_info_has_counts(&info));
	info.pmu = pmu;
	info.batch = 1;
	assert_false(bpmu_info_has_counts(&info));
}

TEST(a_refusal_says_who_and_what_helps)
{
	struct bpmu_config config = { .cpus = some_cpus, .nr_cpus = 2, .groups = { &both[0] } };
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	error[0] = -EPERM;
	sentence[0] = "CAP_SYS_ADMIN is needed";
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EPERM);
	assert_string_equal(err.text, "module: CAP_SYS_ADMIN is needed; run as root");
	/*
	 * Another process's session holds the counters. The tool asks the module twice for the
	 * owner of that session. Counters can also be in use by an unknown agent (a program or
	 * firmware of which the module knows nothing). The tool does not ask the module about such
	 * agents while a session holds the counters.
	 */
	nr_requests = 0;
	error[0] = -EBUSY;
	sentence[0] = "another session has the counters";
	answers[1] = owned;
	answers[2] = owned;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "module: another session has the counters; it is likwid, process 4711: wait for it, or stop it");
	/*
	 * No session holds the counters. But an agent that the module does not know has enabled
	 * counters on the second of the two CPUs.
	 */
	nr_requests = 0;
	foreign = 2;
	answers[1] = idle;
	answers[4] = idle;
	answers[2] = foreign_of_cpu_3;
	answers[3] = foreign_of_cpu_3;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "CPU 3: an unknown agent has enabled counters, see 'barepmu check'; stop what writes MSRs, or take them over with --take-over");
	nr_requests = 0;
	config.take_over = true;
	answers[1] = idle;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "module: another session has the counters");
	assert_int_equal(nr_requests, 2);
	/*
	 * The module's sentence stays as it is if perf has the counters, if no agent can be found,
	 * or if the module tells nothing more.
	 */
	config.take_over = false;
	nr_requests = 0;
	answers[1] = busy;
	answers[2] = busy;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "module: another session has the counters");
	assert_int_equal(nr_requests, 3);
	nr_requests = 0;
	foreign = 0;
	answers[1] = idle;
	answers[2] = foreign_of_cpu_3;
	answers[3] = foreign_of_cpu_3;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "module: another session has the counters");
	assert_int_equal(nr_requests, 5);
	nr_requests = 0;
	error[1] = -EIO;
	error[2] = -EIO;
	assert_int_equal(bpmu_client_configure(client, &config, &err), -EBUSY);
	assert_string_equal(err.text, "module: another session has the counters");
	assert_int_equal(nr_requests, 3);
	error[1] = 0;
	error[2] = 0;
	/* Any command can be refused because another process owns the session. */
	nr_requests = 0;
	answers[1] = owned;
	assert_int_equal(bpmu_client_start(client, &err), -EBUSY);
	assert_non_null(strstr(err.text, "; it is likwid, process 4711"));
	nr_requests = 0;
	error[0] = -EPERM;
	assert_int_equal(bpmu_client_swap(client, config.groups, &err), -EPERM);
	assert_non_null(strstr(err.text, "; run as root"));
	bpmu_client_close(client);
}

TEST(commands_are_acknowledged)
{
	const struct bpmu_groups *const groups_of[BPMU_CORE_TYPES] = { &both[0], &both[1] };
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	/*
	 * Requests succeed as before if an answer to an older request arrives first, or if a signal
	 * interrupts the call.
	 */
	strays = 1;
	interrupts = 2;
	assert_int_equal(bpmu_client_start(client, &err), 0);
	assert_request(0, BPMU_CMD_START, NLM_F_ACK);
	assert_int_equal(bpmu_client_stop(client, &err), 0);
	assert_request(1, BPMU_CMD_STOP, NLM_F_ACK);
	assert_int_equal(bpmu_client_release(client, &err), 0);
	assert_request(2, BPMU_CMD_RELEASE, NLM_F_ACK);
	assert_int_equal(bpmu_client_swap(client, groups_of, &err), 0);
	assert_request(3, BPMU_CMD_SWAP, NLM_F_ACK);
	assert_groups(3);
	bpmu_client_close(client);
}

static unsigned int lacks, sorts;

static void put_counter(struct nlmsghdr *nlh, u16 type, u32 counter, u64 select)
{
	struct nlattr *group = mnl_attr_nest_start(nlh, type);
	struct nlattr *event = mnl_attr_nest_start(nlh, BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(nlh, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u32(nlh, BPMU_A_EVENT_SIBLING, counter + 1);
	mnl_attr_put_u64(nlh, BPMU_A_EVENT_SELECT, select);
	mnl_attr_put_u64(nlh, BPMU_A_EVENT_FILTER, select + 1);
	mnl_attr_nest_end(nlh, event);
	event = mnl_attr_nest_start(nlh, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(nlh, BPMU_A_EVENT_COUNTER, counter + 2);
	mnl_attr_nest_end(nlh, event);
	mnl_attr_nest_end(nlh, group);
}

/*
 * Each element has a counter, the bank to which the counter belongs, and the netlink attribute for
 * groups of events of that bank. A bank is a set of counters that are multiplexed together. Most
 * banks have two elements, one for the first counter and one for a later counter.
 */
static const struct {
	u16 type;
	u32 counter;
	enum bpmu_bank_id bank;
} banks[] = {
	{ BPMU_A_GROUP, 0, BPMU_BANK_CORE },
	{ BPMU_A_GROUP, 33, BPMU_BANK_CORE },
	{ BPMU_A_UNCORE_GROUP, 64, BPMU_BANK_UNCORE },
	{ BPMU_A_UNCORE_GROUP, 255, BPMU_BANK_UNCORE },
	{ BPMU_A_UNCORE_GROUP, 320, BPMU_BANK_L3 }, { BPMU_A_UNCORE_GROUP, 325, BPMU_BANK_L3 },
	{ BPMU_A_UNCORE_GROUP, 336, BPMU_BANK_DF }, { BPMU_A_UNCORE_GROUP, 351, BPMU_BANK_DF },
	{ BPMU_A_UNCORE_GROUP, 352, BPMU_BANK_UMC }, { BPMU_A_UNCORE_GROUP, 359, BPMU_BANK_UMC },
	{ BPMU_A_UNCORE_GROUP, 360, BPMU_BANK_CHA }, { BPMU_A_UNCORE_GROUP, 363, BPMU_BANK_CHA },
	{ BPMU_A_UNCORE_GROUP, 364, BPMU_BANK_PCU }, { BPMU_A_UNCORE_GROUP, 367, BPMU_BANK_PCU },
	{ BPMU_A_UNCORE_GROUP, 368, BPMU_BANK_UBOX }, { BPMU_A_UNCORE_GROUP, 370, BPMU_BANK_UBOX },
	{ BPMU_A_UNCORE_GROUP, 384, BPMU_BANK_IMC }, { BPMU_A_UNCORE_GROUP, 388, BPMU_BANK_IMC },
	{ BPMU_A_UNCORE_GROUP, 392, BPMU_BANK_HA }, { BPMU_A_UNCORE_GROUP, 395, BPMU_BANK_HA },
	{ BPMU_A_UNCORE_GROUP, 400, BPMU_BANK_LINK }, { BPMU_A_UNCORE_GROUP, 403, BPMU_BANK_LINK },
	{ BPMU_A_UNCORE_GROUP, 408, BPMU_BANK_IIO }, { BPMU_A_UNCORE_GROUP, 411, BPMU_BANK_IIO },
	{ BPMU_A_UNCORE_GROUP, 416, BPMU_BANK_IRP }, { BPMU_A_UNCORE_GROUP, 417, BPMU_BANK_IRP },
	{ BPMU_A_UNCORE_GROUP, 424, BPMU_BANK_EDC_ECLK },
	{ BPMU_A_UNCORE_GROUP, 428, BPMU_BANK_EDC_ECLK },
	{ BPMU_A_UNCORE_GROUP, 432, BPMU_BANK_EDC_UCLK },
	{ BPMU_A_UNCORE_GROUP, 436, BPMU_BANK_EDC_UCLK },
	{ BPMU_A_UNCORE_GROUP, 440, BPMU_BANK_IMC_UCLK },
	{ BPMU_A_UNCORE_GROUP, 444, BPMU_BANK_IMC_UCLK },
	{ BPMU_A_UNCORE_GROUP, 448, BPMU_BANK_M2PCIE },
	{ BPMU_A_UNCORE_GROUP, 451, BPMU_BANK_M2PCIE },
	{ BPMU_A_FREE_GROUP, 256, BPMU_BANK_FREE_THREAD },
};

static void plan(struct nlmsghdr *nlh)
{
	unsigned int i;

	if (lacks != BPMU_A_CPUS)
		mnl_attr_put(nlh, BPMU_A_CPUS, sizeof(some_cpus), some_cpus);
	for (i = 0; lacks != BPMU_A_GROUP && i < sorts; i++)
		put_counter(nlh, banks[i].type, banks[i].counter, 1000 + i);
	mnl_attr_put_u64(nlh, BPMU_A_INTERVAL_NS, 1ULL << 34);
	mnl_attr_put_u32(nlh, BPMU_A_TIMER, 51);
	mnl_attr_put_u32(nlh, BPMU_A_RECORD_SIZE, record_size);
	mnl_attr_put_u32(nlh, BPMU_A_RUN, 52);
	mnl_attr_put_u32(nlh, BPMU_A_PLAN, 53);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_STATE, 54);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_OWNER_PID, 55);
	mnl_attr_put_strz(nlh, BPMU_A_INFO_OWNER_COMM, "some%sone");
	if (lacks == BPMU_A_OTHER_GROUP)
		put_counter(nlh, BPMU_A_OTHER_GROUP, 0, 1);
}

TEST(a_plan_is_taken_over)
{
	struct bpmu_client *client = opened();
	struct bpmu_client_plan got;
	struct bpmu_error err;
	unsigned int i;

	answers[0] = plan;
	lacks = 0;
	sorts = ARRAY_SIZE(banks);
	record_size = sizeof(struct bpmu_sample) + 2 * sizeof(u64);
	assert_int_equal(bpmu_client_plan(client, &got, &err), 0);
	assert_request(0, BPMU_CMD_GET_PLAN, 0);
	assert_int_equal(bpmu_client_record_size(client), record_size);
	assert_int_equal(got.cpus.nr, 2);
	assert_int_equal(got.cpus.cpu[1], 3);
	assert_true(got.interval_ns == 1ULL << 34);
	assert_int_equal(got.timer, 51);
	assert_int_equal(got.run, 52);
	assert_int_equal(got.number, 53);
	assert_int_equal(got.state, 54);
	assert_int_equal(got.owner_pid, 55);
	assert_string_equal(got.owner_comm, "some%sone");
	assert_false(got.hybrid);
	assert_int_equal(got.nr_groups, ARRAY_SIZE(banks));
	for (i = 0; i < got.nr_groups; i++) {
		const struct bpmu_sched *sched = &got.group[i];

		assert_int_equal(sched->bank, banks[i].bank);
		assert_int_equal(sched->nr, 2);
		assert_int_equal(sched->values, 2);
		assert_int_equal(sched->slot[0].counter, banks[i].counter);
		assert_int_equal(sched->slot[0].sibling, banks[i].counter + 1);
		assert_int_equal(sched->slot[0].select, 1000 + i);
		assert_int_equal(sched->slot[0].filter, 1001 + i);
		assert_int_equal(sched->slot[1].counter, banks[i].counter + 2);
		assert_int_equal(sched->slot[0].value, 0);
		assert_int_equal(sched->slot[1].value, 1);
	}
	bpmu_client_plan_free(&got);
	assert_null(got.group);
	bpmu_client_close(client);
}

TEST(half_a_plan_is_none)
{
	static const u16 all[] = { BPMU_A_CPUS, BPMU_A_GROUP, BPMU_A_RECORD_SIZE };
	struct bpmu_client *client = opened();
	struct bpmu_client_plan got;
	struct bpmu_error err;
	unsigned int i;

	answers[0] = plan;
	sorts = 1;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		nr_requests = 0;
		lacks = all[i];
		record_size = sizeof(struct bpmu_sample) + 2 * sizeof(u64) -
			      (lacks == BPMU_A_RECORD_SIZE);
		assert_int_equal(bpmu_client_plan(client, &got, &err), -EPROTO);
		assert_string_equal(err.text, "netlink: a plan without CPUs, events or records; do module and tool belong together?");
		bpmu_client_plan_free(&got);
	}
	nr_requests = 0;
	lacks = BPMU_A_OTHER_GROUP;
	record_size = sizeof(struct bpmu_sample) + 2 * sizeof(u64);
	assert_int_equal(bpmu_client_plan(client, &got, &err), 0);
	assert_true(got.hybrid);
	assert_int_equal(got.nr_groups, 1);
	bpmu_client_plan_free(&got);
	nr_requests = 0;
	record_size = 4096;
	assert_int_equal(bpmu_client_plan(client, &got, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records of 4096 bytes are too large"));
	bpmu_client_plan_free(&got);
	nr_requests = 0;
	error[0] = -ENODATA;
	sentence[0] = "no session";
	assert_int_equal(bpmu_client_plan(client, &got, &err), -ENODATA);
	assert_string_equal(err.text, "module: no session");
	bpmu_client_plan_free(&got);
	bpmu_client_close(client);
}

/* Three samples. The second one claims more values than its record has room for. */
#define VALUES 2
#define RECORD (sizeof(struct bpmu_sample) + VALUES * sizeof(u64))

static u32 cut;
static u64 sums[2];
static unsigned int nr_taken;
static size_t nr_bytes;

static void samples(struct nlmsghdr *nlh)
{
	char records[3][RECORD];
	u64 values[VALUES];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct bpmu_sample sample = {
			.seq = i, .nr = i == 1 ? BPMU_MAX_COUNTERS + 1 : VALUES,
		};

		values[0] = 10 + i;
		values[1] = 100 + i;
		memcpy(records[i], &sample, sizeof(sample));
		memcpy(records[i] + sizeof(sample), values, sizeof(values));
	}
	mnl_attr_put(nlh, BPMU_A_LOSS, 0, NULL);
	mnl_attr_put(nlh, BPMU_A_SAMPLES, sizeof(records) - cut, records);
}

static void take(void *data, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	assert_ptr_equal(data, &nr_taken);
	for (; nr; nr--, samples++) {
		assert_int_equal(samples->head->seq, nr_taken++);
		sums[0] += samples->values[0];
		sums[1] += samples->values[1];
		assert_int_equal(samples->values[2], 0);
	}
}

static void take_records(void *data, const void *records, size_t bytes)
{
	assert_ptr_equal(data, &nr_taken);
	assert_non_null(records);
	nr_bytes += bytes;
}

TEST(samples_are_read_split_into_values_or_whole)
{
	const struct bpmu_reader one = { .samples = take, .data = &nr_taken };
	const struct bpmu_reader all = { .records = take_records, .data = &nr_taken };
	static const struct bpmu_position from[4001] = { { .seq = 7 }, { .seq = 8 } };
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	client->record_size = RECORD;
	answers[0] = samples;
	answers[1] = samples;
	answers[2] = samples;
	answers[3] = samples;
	assert_int_equal(bpmu_client_read(client, &one, &err), 0);
	assert_request(0, BPMU_CMD_READ, NLM_F_DUMP);
	assert_null(asked(0, BPMU_A_FROM, 0));
	assert_int_equal(nr_taken, 3);
	assert_int_equal(sums[0], 33);
	assert_int_equal(sums[1], 303);
	assert_int_equal(bpmu_client_copy(client, from, 2, &all, &err), 0);
	assert_request(1, BPMU_CMD_READ, NLM_F_DUMP);
	assert_int_equal(mnl_attr_get_payload_len(asked(1, BPMU_A_FROM, 0)), 2 * sizeof(*from));
	assert_memory_equal(mnl_attr_get_payload(asked(1, BPMU_A_FROM, 0)), from,
			    2 * sizeof(*from));
	assert_int_equal(nr_bytes, 3 * RECORD);
	/*
	 * A message that ends in the middle of a sample's record is refused, and so is a record
	 * size of 0.
	 */
	cut = 8;
	assert_int_equal(bpmu_client_read(client, &one, &err), -EPROTO);
	cut = 0;
	client->record_size = 0;
	assert_int_equal(bpmu_client_read(client, &one, &err), -EPROTO);
	assert_int_equal(nr_taken, 3);
	/* One request can ask for the samples of 4000 CPUs, but not of 4001. */
	client->record_size = RECORD;
	nr_requests = 0;
	assert_int_equal(bpmu_client_copy(client, from, 4000, &all, &err), 0);
	assert_int_equal(bpmu_client_copy(client, from, 4001, &all, &err), -E2BIG);
	assert_string_equal(err.text, "session: has 4001 CPUs; at most 4000 can be read beside its owner");
	assert_int_equal(nr_requests, 1);
	bpmu_client_close(client);
}

static void many_samples(struct nlmsghdr *nlh)
{
	char records[70][RECORD] = { };
	u64 seq;

	for (seq = 0; seq < 70; seq++)
		memcpy(records[seq], &(struct bpmu_sample){ .seq = seq, .nr = 1 },
		       sizeof(struct bpmu_sample));
	for (seq = 0; seq < 70; seq++)
		memcpy(records[seq] + sizeof(struct bpmu_sample), &seq, sizeof(seq));
	mnl_attr_put(nlh, BPMU_A_SAMPLES, sizeof(records), records);
}

static unsigned int nr_calls;

static void take_many(void *data, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	(void)data;
	nr_calls++;
	for (; nr; nr--, samples++) {
		assert_int_equal(samples->head->seq, nr_taken);
		assert_int_equal(samples->values[0], nr_taken++);
	}
}

TEST(a_reader_gets_many_samples_of_a_message_in_few_calls)
{
	const struct bpmu_reader reader = { .samples = take_many };
	struct bpmu_client *client = opened();
	struct bpmu_error err;

	client->record_size = RECORD;
	answers[0] = many_samples;
	nr_taken = 0;
	assert_int_equal(bpmu_client_read(client, &reader, &err), 0);
	assert_int_equal(nr_taken, 70);
	assert_int_equal(nr_calls, 3);
	bpmu_client_close(client);
}

/* Notifications that wait in the socket are read and thrown away. A closed socket is an error. */
TEST(news_are_drained)
{
	struct bpmu_client *client = opened();
	struct bpmu_error err;
	char byte;

	assert_int_equal(bpmu_client_listen(client, &err), 0);
	assert_int_equal(send(fds[1], "ab", 2, 0), 2);
	assert_int_equal(send(fds[1], "c", 1, 0), 1);
	assert_int_equal(bpmu_client_listen_drain(client, &err), 0);
	assert_int_equal(recv(fds[0], &byte, 1, MSG_DONTWAIT), -1);
	close(fds[0]);
	assert_int_equal(bpmu_client_listen_drain(client, &err), -EBADF);
	assert_string_equal(err.text, "netlink: receiving: Bad file descriptor");
	bpmu_client_close(client);
}

TEST_FIXTURE(setup)
{
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
		return 1;
	return 0;
}

TEST_FIXTURE(teardown)
{
	return close(fds[1]);
}

TEST_GROUP(setup, teardown);
