// SPDX-License-Identifier: GPL-2.0
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * fuzz_hold() - what has to be true whatever the input is
 * @truth: is it
 * @what: said if not
 */
void fuzz_hold(bool truth, const char *what)
{
	if (truth)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

/**
 * fuzz_refused() - what is refused is refused with words
 * @ret: 0 or a negative errno
 * @err: set with it
 */
void fuzz_refused(int ret, const struct bpmu_error *err)
{
	fuzz_hold(ret <= 0, "a failure is negative");
	fuzz_hold(!ret || *err->text, "an error says what is wrong");
}

/**
 * fuzz_text() - the input as a text
 * @data: of it
 * @size: bytes
 *
 * Return: the text, for free(); it ends at the first NUL.
 */
char *fuzz_text(const unsigned char *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_hold(text, "there is memory");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/**
 * fuzz_file() - the input as a file
 * @data: of it
 * @size: bytes
 *
 * Return: its name, good until the next call.
 */
const char *fuzz_file(const unsigned char *data, size_t size)
{
	static char name[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	}
	fuzz_hold(fd >= 0 && !ftruncate(fd, 0) &&
		  pwrite(fd, data, size, 0) == (ssize_t)size,
		  "a file can be written");
	return name;
}
