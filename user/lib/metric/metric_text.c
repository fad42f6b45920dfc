// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/plain.h"
#include "event/event_core.h"
#include "metric_expr.h"

/*
 * An excerpt of a line shows at most SHOWN_MAX bytes, of which at most BEFORE_MAX are before the
 * error.
 */
#define SHOWN_MAX 120
#define BEFORE_MAX 80

#define NAME_LENGTH_MAX 128

static bool is_continued(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * Writes an excerpt of a line that has an error at @at: the text around @at, without control
 * characters, and a second line with a caret below the position @at.
 */
static void metric_text_show(char *excerpt, const char *line, const char *at)
{
	const char *end = line + strcspn(line, "\n");
	const char *from = at - line > BEFORE_MAX ? at - BEFORE_MAX : line;
	const char *p;

	if (end > at && end[-1] == '\r')
		end--;
	while (from < at && is_continued(*from))
		from++;
	if (end - from > SHOWN_MAX)
		end = from + SHOWN_MAX;
	while (end > at && is_continued(*end))
		end--;
	memcpy(excerpt, from, end - from);
	excerpt[end - from] = '\0';
	bpmu_plain(excerpt, "\t");
	excerpt += end - from;
	*excerpt++ = '\n';
	for (p = from; p < at; p++)
		if (!is_continued(*p))
			*excerpt++ = *p == '\t' ? '\t' : ' ';
	strcpy(excerpt, "^\n");
}

/**
 * bpmu_text_error() - set a syntax error in the text of a metric file
 * @at: position of the error
 * @fmt: format of printf() for "<problem>; <what to do>"
 *
 * Return: -EINVAL.
 */
int bpmu_text_error(struct bpmu_text *text, const char *at, const char *fmt,
		    ...)
{
	const char *line = text->start;
	char what[sizeof(text->err->text)];
	unsigned int column = 1;
	unsigned int number = 1;
	const char *p;
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	for (p = text->start; p < at; p++) {
		column += !is_continued(*p);
		if (*p != '\n')
			continue;
		line = p + 1;
		column = 1;
		number++;
	}
	bpmu_error_set(text->err, -EINVAL, "%s:%u:%u: %s", text->file, number,
		       column, what);
	metric_text_show(text->err->excerpt, line, at);
	return -EINVAL;
}

/**
 * bpmu_text_skip_blanks() - skip blanks in the text of a metric file
 */
void bpmu_text_skip_blanks(struct bpmu_text *text)
{
	while (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')
		text->at++;
}

static const char *skip_brackets(const char *p)
{
	p++;
	while (isalnum((unsigned char)*p) || (*p && strchr("<>= \t", *p)))
		p++;
	return *p == ']' ? p + 1 : NULL;
}

/*
 * Returns the end of the event at @p in perf's form, such as "cpu/event=0x9c,umask=1/u"; NULL if @p
 * is not such an event. "cpu / x" with blanks is a division.
 */
static const char *perf_end(const char *p)
{
	size_t skip = bpmu_event_core_end(p);
	const char *end;
	const char *key;

	if (!skip)
		return NULL;
	for (end = p + skip; isalnum((unsigned char)*end) ||
	     (*end && strchr("_.=,", *end)); end++)
		;
	key = memchr(p, '=', end - p);
	if (!key || *end != '/')
		return NULL;
	for (end++; isalpha((unsigned char)*end); end++)
		;
	return end;
}

/*
 * Returns the end of the name at @p, such as "A.B", "A[>=MIW]", "A.B:c1:e" or "A.B:[>= 4]:u"; NULL
 * if @p is not a name.
 */
static const char *plain_end(const char *p)
{
	if (!isalpha((unsigned char)*p) && *p != '_')
		return NULL;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == '.')
		p++;
	if (*p == '[')
		return skip_brackets(p);
	while (p && *p == ':' &&
	       (p[1] == '[' || isalnum((unsigned char)p[1]))) {
		p++;
		if (*p == '[') {
			p = skip_brackets(p);
			continue;
		}
		while (isalnum((unsigned char)*p) || *p == '=' || *p == '_')
			p++;
	}
	return p;
}

/* Checks if a name is a keyword of expressions. A metric or an event cannot have such a name. */
static bool is_keyword(const char *name, size_t len)
{
	static const char *const words[] = {
		"and", "either", "else", "if", "max", "min", "or",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (len == strlen(words[i]) && !strncmp(name, words[i], len))
			return true;
	return false;
}

/**
 * bpmu_text_name() - parse the text of a metric file: a name or an event
 * @text: in: at the name; on return: behind it
 *
 * Return: the name without blanks, which the caller frees; NULL, with @text->err set, if @text is
 * not at a name.
 */
char *bpmu_text_name(struct bpmu_text *text)
{
	const char *end = perf_end(text->at);
	const char *p;
	char *name;
	char *to;

	if (!end)
		end = plain_end(text->at);
	if (!end || is_keyword(text->at, end - text->at)) {
		bpmu_text_error(text, text->at,
				"no name here; write one that begins with a letter and is no word of the language");
		return NULL;
	}
	if (end - text->at > NAME_LENGTH_MAX) {
		bpmu_text_error(text, text->at,
				"a name of more than %d characters; shorten it",
				NAME_LENGTH_MAX);
		return NULL;
	}
	name = malloc(end - text->at + 1);
	if (!name) {
		bpmu_text_error(text, text->at, "no memory; free some");
		return NULL;
	}
	for (to = name, p = text->at; p < end; p++)
		if (*p != ' ' && *p != '\t')
			*to++ = *p;
	*to = '\0';
	text->at = end;
	return name;
}
