// SPDX-License-Identifier: GPL-2.0
#include "html_page.h"

#include <errno.h>
#include <string.h>

#define PAGE "page.html"
#define LIBRARY "uPlot.iife.min.js"

static const char *html_page_find(const char *name, size_t len)
{
	const struct bpmu_html_file *file;

	for (file = bpmu_html_files; file->name; file++)
		if (!strncmp(file->name, name, len) && !file->name[len])
			return file->text;
	return NULL;
}

/**
 * bpmu_html_page_check() - check that the plotting library for HTML pages is built in
 * @err: filled in if not
 *
 * Return: 0 or -ENOTSUP.
 */
int bpmu_html_page_check(struct bpmu_error *err)
{
	if (html_page_find(LIBRARY, strlen(LIBRARY)))
		return 0;
	return bpmu_error_set(err, -ENOTSUP,
		"--html: this barepmu was built without its plotting library; fetch it with 'make -C user html' in the source, which needs npm, and build it again");
}

/*
 * Writes JSON with "<" escaped. The JSON is in a <script> element of the page, which a text of the
 * recording, such as "</script>", could otherwise end.
 */
static int put_json(const char *text, size_t size, void *data)
{
	FILE *out = data;
	const char *end = text + size;

	for (; text < end; text++)
		if (*text == '<')
			fputs("\\u003c", out);
		else
			putc_unlocked(*text, out);
	return 0;
}

static void put_title(FILE *out, const char *title)
{
	for (; *title; title++)
		if (*title == '<' || *title == '&')
			fprintf(out, "&#%d;", *title);
		else
			fputc(*title, out);
}

/**
 * bpmu_html_page() - fill in the template of an HTML page: script, style, title and data
 * @title: title of the page
 * @data: data for the script of the page
 *
 * Each "@NAME@" in the template is replaced by the title, by the data, or by the file with this
 * name that is built into the tool.
 */
void bpmu_html_page(FILE *out, const char *title, const json_t *data)
{
	const char *text = html_page_find(PAGE, strlen(PAGE));
	const char *at, *end;
	size_t len;

	while ((at = strchr(text, '@')) && (end = strchr(at + 1, '@'))) {
		len = end - at - 1;
		fwrite(text, 1, at - text, out);
		if (!strncmp(at + 1, "title", len))
			put_title(out, title);
		else if (!strncmp(at + 1, "data", len))
			json_dump_callback(data, put_json, out, JSON_COMPACT |
					   JSON_REAL_PRECISION(BPMU_HTML_DIGITS));
		else
			fputs(html_page_find(at + 1, len), out);
		text = end + 1;
	}
	fputs(text, out);
}
