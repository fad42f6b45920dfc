// SPDX-License-Identifier: GPL-2.0
/*
 * Locks the kernel down while a session of the module runs. From then on, the module must refuse to
 * start a session and to give out samples, but must still stop and release the session. The
 * argument is the name of the kernel's file "lockdown" in securityfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/barepmu.h>

#include "../netlink/genl.h"

static struct genl genl;

static int lock_down(const char *path)
{
	static const char mode[] = "confidentiality";
	int fd = open(path, O_WRONLY);
	int err = fd < 0 || write(fd, mode, strlen(mode)) < 0;

	if (fd >= 0)
		close(fd);
	return err;
}

static int failed(const char *what, int code)
{
	fprintf(stderr, "latelock: %s: %d: %s\n", what, code, genl.sentence);
	return 1;
}

static int refused(const char *what, int code)
{
	if (code == -EPERM && strstr(genl.sentence, "the kernel is locked down"))
		return 0;
	return failed(what, code);
}

static int swap(void)
{
	genl_put_group(genl_new(&genl, BPMU_CMD_SWAP, 0), 0, GENL_SELECT);
	return genl_send(&genl);
}

int main(int argc, char **argv)
{
	int code;

	if (argc != 2 || genl_open(&genl))
		return failed("no session is possible", 0);
	genl_plan(&genl);
	code = genl_send(&genl);
	if (code || genl_command(&genl, BPMU_CMD_START) || swap() ||
	    genl_command(&genl, BPMU_CMD_READ))
		return failed("before", code);
	if (lock_down(argv[1]))
		return failed("locking down", -errno);
	if (refused("SWAP", swap()) ||
	    refused("READ", genl_command(&genl, BPMU_CMD_READ)))
		return 1;
	code = genl_command(&genl, BPMU_CMD_STOP);
	if (code)
		return failed("STOP", code);
	if (refused("START", genl_command(&genl, BPMU_CMD_START)))
		return 1;
	code = genl_command(&genl, BPMU_CMD_RELEASE);
	return code ? failed("RELEASE", code) : 0;
}
