// SPDX-License-Identifier: GPL-2.0
#include "nl.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/barepmu.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

/* size of the socket's buffer in bytes: room for a few seconds' samples of a large machine */
#define RECEIVE_BUFFER (8 << 20)

static int system_error(struct bpmu_error *err, const char *what)
{
	int code = -errno;

	return bpmu_error_set(err, code, "netlink: %s: %s", what,
			      strerror(-code));
}

/**
 * bpmu_nl_request() - start a netlink request
 * @nl: socket from bpmu_nl_open()
 * @command: command of the family
 * @flags: NLM_F_DUMP, NLM_F_ACK, or 0 if the reply is a single message with data
 *
 * Return: the message, in @nl's buffer; the caller may add attributes.
 */
struct nlmsghdr *bpmu_nl_request(struct bpmu_nl *nl, u8 command, u16 flags)
{
	struct genlmsghdr *genl;
	struct nlmsghdr *nlh;

	nlh = mnl_nlmsg_put_header(nl->buffer);
	nlh->nlmsg_type = nl->family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++nl->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = command;
	genl->version = BPMU_FAMILY_VERSION;
	return nlh;
}

static int find_sentence(const struct nlattr *attr, void *data)
{
	const char **sentence = data;

	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
	    mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) == 0)
		*sentence = mnl_attr_get_str(attr);
	return MNL_CB_OK;
}

/*
 * Returns the sentence with which the kernel explains an error, or NULL if there is none. The
 * sentence is an attribute of the netlink message @nlh (NLMSGERR_ATTR_MSG). At the end of a dump
 * the attributes follow the error number. In any other error message they follow a copy of the
 * request; if the flag NLM_F_CAPPED is set, only the header of the request is copied.
 */
static const char *kernel_sentence(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	const char *sentence = NULL;
	unsigned int offset;

	if (nlh->nlmsg_type == NLMSG_DONE)
		offset = sizeof(int);
	else if (nlh->nlmsg_flags & NLM_F_CAPPED)
		offset = sizeof(*e);
	else
		offset = sizeof(*e) + mnl_nlmsg_get_payload_len(&e->msg);
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS &&
	    offset < mnl_nlmsg_get_payload_len(nlh))
		mnl_attr_parse(nlh, offset, find_sentence, &sentence);
	return sentence;
}

static int malformed(struct bpmu_error *err)
{
	return bpmu_error_set(err, -EPROTO,
			      "netlink: malformed reply; do module and tool belong together?");
}

/**
 * bpmu_nl_call() - send a netlink request and receive its reply
 * @nl: socket from bpmu_nl_open()
 * @request: from bpmu_nl_request()
 * @reply: called for each message with data, may be NULL; -ENOMEM means that there was no memory for
 *	what the message says, another negative result that the message is malformed
 * @data: argument of @reply
 * @err: filled in on an error, with the sentence by which the kernel explains it, if there is one
 *
 * Return: 0, -EINTR if the data changed during a dump (NLM_F_DUMP_INTR), or another
 * negative errno.
 */
int bpmu_nl_call(struct bpmu_nl *nl, struct nlmsghdr *request, mnl_cb_t reply,
		 void *data, struct bpmu_error *err)
{
	const bool single = !(request->nlmsg_flags & (NLM_F_ACK | NLM_F_DUMP));
	bool done = false, interrupted = false;
	const struct nlmsghdr *nlh;
	const char *sentence;
	ssize_t received;
	int taken, code = 0;
	size_t least;
	int len;

	if (mnl_socket_sendto(nl->socket, request, request->nlmsg_len) < 0)
		return system_error(err, "sending");
	while (!done) {
		received = mnl_socket_recvfrom(nl->socket, nl->buffer,
					       sizeof(nl->buffer));
		if (received < 0 && errno == EINTR)
			continue;
		if (received < 0)
			return system_error(err, "receiving");
		nlh = (const struct nlmsghdr *)nl->buffer;
		for (len = received; mnl_nlmsg_ok(nlh, len);
		     nlh = mnl_nlmsg_next(nlh, &len)) {
			if (nlh->nlmsg_seq != nl->seq)
				continue;
			interrupted |= !!(nlh->nlmsg_flags & NLM_F_DUMP_INTR);
			if (nlh->nlmsg_type == NLMSG_NOOP)
				continue;
			least = nlh->nlmsg_type == NLMSG_ERROR ? sizeof(struct nlmsgerr) :
				nlh->nlmsg_type == NLMSG_DONE ? sizeof(int) :
								sizeof(struct genlmsghdr);
			if (mnl_nlmsg_get_payload_len(nlh) < least)
				return malformed(err);
			if (nlh->nlmsg_type != NLMSG_ERROR &&
			    nlh->nlmsg_type != NLMSG_DONE) {
				taken = reply ? reply(nlh, data) : MNL_CB_OK;
				if (taken == -ENOMEM)
					return bpmu_error_no_memory(err, "netlink");
				if (taken < 0)
					return malformed(err);
				done = single;
				continue;
			}
			/*
			 * The payload of NLMSG_ERROR and of NLMSG_DONE starts with 0 or an error
			 * number.
			 */
			code = *(const int *)mnl_nlmsg_get_payload(nlh);
			done = true;
			if (!code)
				continue;
			sentence = kernel_sentence(nlh);
			bpmu_error_set(err, code, "module: %s",
				       sentence ? sentence : strerror(-code));
		}
	}
	if (!code && interrupted)
		return bpmu_error_set(err, -EINTR,
			"netlink: what was read has changed meanwhile; read it again");
	return code;
}

static int nl_group_attr(const struct nlattr *attr, void *data)
{
	const struct nlattr **found = data;

	if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID &&
	    mnl_attr_validate(attr, MNL_TYPE_U32) == 0)
		*found = attr;
	return MNL_CB_OK;
}

/* Sets the number of the multicast group. The family has only one, so names are not compared. */
static void nl_find_group(struct bpmu_nl *nl, const struct nlattr *groups)
{
	const struct nlattr *group, *id = NULL;

	mnl_attr_for_each_nested(group, groups)
		mnl_attr_parse_nested(group, nl_group_attr, &id);
	if (id)
		nl->group = mnl_attr_get_u32(id);
}

static int family_reply(const struct nlmsghdr *nlh, void *data)
{
	struct bpmu_nl *nl = data;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
		    mnl_attr_validate(attr, MNL_TYPE_U16) == 0)
			nl->family = mnl_attr_get_u16(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			nl_find_group(nl, attr);
	}
	return MNL_CB_OK;
}

static int nl_resolve(struct bpmu_nl *nl, struct bpmu_error *err)
{
	struct nlmsghdr *nlh;
	int code;

	nl->family = GENL_ID_CTRL;
	nlh = bpmu_nl_request(nl, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, BPMU_FAMILY_NAME);
	code = bpmu_nl_call(nl, nlh, family_reply, nl, err);
	if (code == -ENOENT)
		return bpmu_error_set(err, code,
			"module: not loaded; load it with \"modprobe barepmu\" or insmod, as root");
	return code;
}

static int nl_bind(struct bpmu_nl *nl, const struct bpmu_nl *known,
		   struct bpmu_error *err)
{
	int size = RECEIVE_BUFFER;
	int one = 1;

	if (mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0)
		return system_error(err, "bind");
	mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl->socket, NETLINK_GET_STRICT_CHK, &one,
			      sizeof(one));
	/*
	 * Without CAP_NET_ADMIN the size of the buffer cannot be set. The error is ignored: the
	 * buffer then has the default size.
	 */
	setsockopt(mnl_socket_get_fd(nl->socket), SOL_SOCKET, SO_RCVBUFFORCE,
		   &size, sizeof(size));
	if (!known)
		return nl_resolve(nl, err);
	nl->family = known->family;
	nl->group = known->group;
	return 0;
}

/**
 * bpmu_nl_open() - open a netlink socket to the module
 * @nl: filled in
 * @known: open socket whose family and group numbers are copied, or NULL to resolve them
 *
 * The memory of @nl->buffer is not cleared, since that would cost a page fault for each page.
 *
 * Return: 0, -ENOENT if the module is not loaded, or another negative errno.
 */
int bpmu_nl_open(struct bpmu_nl *nl, const struct bpmu_nl *known,
		 struct bpmu_error *err)
{
	int code;

	memset(nl, 0, offsetof(struct bpmu_nl, buffer));
	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket)
		return system_error(err, "socket");
	code = nl_bind(nl, known, err);
	if (code)
		bpmu_nl_close(nl);
	return code;
}

/**
 * bpmu_nl_close() - close a netlink socket, which ends the session that it owns
 * @nl: open, or closed already
 */
void bpmu_nl_close(struct bpmu_nl *nl)
{
	if (nl->socket)
		mnl_socket_close(nl->socket);
	nl->socket = NULL;
}

/**
 * bpmu_nl_join() - join the module's netlink multicast group
 * @nl: open, and not used for requests
 */
int bpmu_nl_join(struct bpmu_nl *nl, struct bpmu_error *err)
{
	u32 group = nl->group;

	if (mnl_socket_setsockopt(nl->socket, NETLINK_ADD_MEMBERSHIP, &group,
				  sizeof(group)) < 0)
		return system_error(err, "joining the group \"session\"");
	return 0;
}

/**
 * bpmu_nl_drain() - discard all received netlink messages
 * @nl: socket that has joined the multicast group
 *
 * It is no error if messages were lost (ENOBUFS): a notification has no content, it only wakes up
 * the reader.
 */
int bpmu_nl_drain(struct bpmu_nl *nl, struct bpmu_error *err)
{
	int fd = mnl_socket_get_fd(nl->socket);
	ssize_t len;

	do {
		len = recv(fd, nl->buffer, sizeof(nl->buffer), MSG_DONTWAIT);
	} while (len >= 0 || errno == EINTR || errno == ENOBUFS);
	if (errno == EAGAIN)
		return 0;
	return system_error(err, "receiving");
}
