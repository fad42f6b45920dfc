// SPDX-License-Identifier: GPL-2.0
/* Tests of the netlink socket to the module, as far as they need no module. */
#include "client/nl.h"
#include "unit.h"

static struct bpmu_nl nl;

TEST(a_socket_knows_what_another_one_has_resolved)
{
	static const struct bpmu_nl known = { .family = 0x1d, .group = 7 };
	struct bpmu_error err;

	assert_int_equal(bpmu_nl_open(&nl, &known, &err), 0);
	assert_int_equal(nl.family, 0x1d);
	assert_int_equal(nl.group, 7);
	bpmu_nl_close(&nl);
}

TEST(a_closed_socket_may_be_closed_again)
{
	static const struct bpmu_nl known = { .family = 0x1d };
	struct bpmu_error err;

	assert_int_equal(bpmu_nl_open(&nl, &known, &err), 0);
	bpmu_nl_close(&nl);
	assert_null(nl.socket);
	bpmu_nl_close(&nl);
}
