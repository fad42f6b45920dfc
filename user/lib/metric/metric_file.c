// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/utf8.h"
#include "metric.h"

#define SIZE_LIMIT (1 << 20)

static int failed(const char *path, int code, const char *what,
		  struct bpmu_error *err)
{
	return bpmu_error_set(err, code, "%s: cannot be read: %s; is it the right file?",
			      path, what);
}

/* one byte more than the limit tells that there is more */
static int read_all(const char *path, char *text, size_t *len,
		    struct bpmu_error *err)
{
	FILE *in = fopen(path, "re");
	int ret = 0;

	if (!in)
		return failed(path, -errno, strerror(errno), err);
	*len = fread(text, 1, SIZE_LIMIT + 1, in);
	if (ferror(in))
		ret = failed(path, -errno, strerror(errno), err);
	fclose(in);
	return ret;
}

static int check_text(const char *path, const char *text, size_t len,
		      struct bpmu_error *err)
{
	const char *all = text;
	const char *end = text + len;
	unsigned int line;
	size_t length;

	if (len > SIZE_LIMIT)
		return bpmu_error_set(err, -EFBIG,
				      "%s: larger than %d bytes; a metric file is a small text",
				      path, SIZE_LIMIT);
	for (line = 1; text < end; line++, text += length + 1) {
		length = strchrnul(text, '\n') - text;
		if (text + length < end && !text[length])
			return bpmu_error_set(err, -EINVAL,
					      "%s:%u: a NUL byte; a metric file is UTF-8 text",
					      path, line);
		if (!bpmu_utf8_is(text, length))
			return bpmu_error_set(err, -EINVAL,
					      "%s:%u: not UTF-8; a metric file is UTF-8 text",
					      path, line);
	}
	if (!bpmu_plain_is(all, "\t\n\f\r"))
		return bpmu_error_set(err, -EINVAL,
				      "%s: has a control character; take it out",
				      path);
	return 0;
}

/**
 * bpmu_metrics_file() - read a user's metric file
 * @metrics: zeroed, or with lines of files before: the lines are added
 * @path: the file, up to 1 MiB
 * @part: descriptor
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -EFBIG, -ENOMEM, the errors of reading a file and those of
 * bpmu_metrics_add(); @metrics is to be freed in any case.
 */
int bpmu_metrics_file(struct bpmu_metrics *metrics, const char *path,
		      const struct bpmu_part *part, struct bpmu_error *err)
{
	char *text = malloc(SIZE_LIMIT + 2);
	size_t len = 0;
	int ret;

	if (!text)
		return bpmu_error_set(err, -ENOMEM, "%s: no memory; free some",
				      path);
	ret = read_all(path, text, &len, err);
	text[len] = '\0';
	if (!ret)
		ret = check_text(path, text, len, err);
	if (!ret)
		ret = bpmu_metrics_add(metrics, path, text, part, err);
	free(text);
	return ret;
}
