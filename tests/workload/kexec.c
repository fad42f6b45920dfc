// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: kexec KERNEL INITRAMFS ARGUMENTS
 *
 * Boots another kernel without firmware, after a complete shutdown of the running kernel, as "kexec
 * -s -l" and "reboot -f -k" do.
 */
#include <fcntl.h>
#include <linux/reboot.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	int kernel, initramfs;

	if (argc != 4) {
		fprintf(stderr, "usage: kexec KERNEL INITRAMFS ARGUMENTS\n");
		return 2;
	}
	kernel = open(argv[1], O_RDONLY);
	if (kernel < 0)
		return fail(argv[1]);
	initramfs = open(argv[2], O_RDONLY);
	if (initramfs < 0)
		return fail(argv[2]);
	if (syscall(SYS_kexec_file_load, kernel, initramfs,
		    strlen(argv[3]) + 1, argv[3], 0UL))
		return fail("kexec_file_load");
	reboot(LINUX_REBOOT_CMD_KEXEC);
	return fail("reboot");
}
