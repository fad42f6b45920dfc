// SPDX-License-Identifier: GPL-2.0
#include "metric_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric_unit.h"

static int wrong(struct bpmu_text *text, const char *what)
{
	return bpmu_text_error(text, text->at, "%s", what);
}

/* a "|" on this line, or at the beginning of the next one */
static bool next_attribute(struct bpmu_text *text)
{
	const char *p;

	bpmu_text_skip_blanks(text);
	if (*text->at == '#' || *text->at == '\n') {
		p = text->at + strcspn(text->at, "\n");
		p += strspn(p, " \t\r\n");
		if (*p == '|')
			text->at = p;
	}
	if (*text->at != '|')
		return false;
	text->at++;
	bpmu_text_skip_blanks(text);
	return true;
}

static bool take_word(struct bpmu_text *text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(text->at, word, len) || !strchr(" \t\r\n|", text->at[len]))
		return false;
	text->at += len;
	bpmu_text_skip_blanks(text);
	return true;
}

static int take_string(struct bpmu_text *text, char **string)
{
	const char *start = text->at + 1;
	size_t len;

	if (*string)
		return wrong(text, "said before on this line; leave one out");
	if (*text->at != '"')
		return wrong(text, "no '\"' here; put the sentence in quotes");
	len = strcspn(start, "\"\n");
	if (start[len] != '"')
		return wrong(text, "the closing '\"' is missing; add it");
	*string = strndup(start, len);
	if (!*string)
		return wrong(text, "no memory; free some");
	text->at = start + len + 1;
	return 0;
}

/* up to the next "|", "#" or the end of the line: units can have blanks */
static int take_unit(struct bpmu_text *text, const char **unit)
{
	size_t len = strcspn(text->at, "|#\n");
	char list[BPMU_UNIT_LIST];

	while (len && strchr(" \t\r", text->at[len - 1]))
		len--;
	if (*unit)
		return wrong(text, "said before on this line; leave one out");
	*unit = bpmu_unit_find(text->at, len);
	if (*unit) {
		text->at += len;
		return 0;
	}
	bpmu_unit_list(list, sizeof(list));
	return bpmu_text_error(text, text->at, "no such unit; use one of %s",
			       list);
}

static int take_flag(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (m->flag)
		return wrong(text, "said before on this line; join both by 'or'");
	text->nodes = 0;
	m->flag = bpmu_expr_parse_condition(text, m->name);
	return m->flag ? 0 : -EINVAL;
}

static int take_scope(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (take_word(text, "thread"))
		m->scope = BPMU_SCOPE_THREAD;
	else if (take_word(text, "core"))
		m->scope = BPMU_SCOPE_CORE;
	else if (take_word(text, "card"))
		m->scope = BPMU_SCOPE_CARD;
	else
		return wrong(text, "no such scope; use thread, core or card");
	return 0;
}

static int take_erratum(struct bpmu_text *text, struct bpmu_metric *m)
{
	char *name = bpmu_text_name(text);
	char *all = NULL;

	if (!name)
		return -EINVAL;
	if (asprintf(&all, "%s%s%s", m->erratum ? m->erratum : "",
		     m->erratum ? " " : "", name) < 0)
		all = NULL;
	free(name);
	if (!all)
		return wrong(text, "no memory; free some");
	free(m->erratum);
	m->erratum = all;
	return 0;
}

static int take_attribute(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (take_word(text, "unit"))
		return take_unit(text, &m->unit);
	if (take_word(text, "flag"))
		return take_flag(text, m);
	if (take_word(text, "text"))
		return take_string(text, &m->text);
	if (take_word(text, "next"))
		return take_string(text, &m->next);
	if (take_word(text, "source"))
		return take_string(text, &m->source);
	if (take_word(text, "scope"))
		return take_scope(text, m);
	if (take_word(text, "erratum"))
		return take_erratum(text, m);
	if (take_word(text, "clock")) {
		m->clock = true;
		return 0;
	}
	if (take_word(text, "first")) {
		m->first = true;
		return 0;
	}
	if (take_word(text, "extra")) {
		m->extra = true;
		return 0;
	}
	return wrong(text, "unknown word; use unit, flag, text, next, source, scope, erratum, clock, first or extra");
}

static int take_sign(struct bpmu_text *text, bool mentions,
		     enum bpmu_line_kind *kind)
{
	bpmu_text_skip_blanks(text);
	if (!strncmp(text->at, ":=", 2)) {
		*kind = BPMU_LINE_DEFINITION;
		text->at += 2;
		return 0;
	}
	if (*text->at == '=') {
		*kind = BPMU_LINE_NODE;
		text->at++;
		return 0;
	}
	*kind = BPMU_LINE_MENTION;
	if (mentions && strchr("|#\n", *text->at))
		return 0;
	return wrong(text, "no '=' here; write NAME = EXPRESSION");
}

static int take_expr(struct bpmu_text *text, struct bpmu_metric *m)
{
	text->nodes = 0;
	m->expr = bpmu_expr_parse(text);
	return m->expr ? 0 : -EINVAL;
}

/**
 * bpmu_line_parse() - read a line that is not empty
 * @text: at its name; goes on behind the line
 * @mentions: whether a name may stand without an expression
 * @m: zeroed; to be freed in any case
 * @kind: what the line is
 *
 * Context: process.
 * Return: 0, or -EINVAL with @text->err set.
 */
int bpmu_line_parse(struct bpmu_text *text, bool mentions,
		    struct bpmu_metric *m, enum bpmu_line_kind *kind)
{
	const char *start = text->at;
	int ret;

	m->parent = -1;
	m->offset = start - text->start;
	m->name = bpmu_text_name(text);
	if (!m->name)
		return -EINVAL;
	ret = take_sign(text, mentions, kind);
	if (!ret && *kind != BPMU_LINE_MENTION)
		ret = take_expr(text, m);
	while (!ret && next_attribute(text))
		ret = take_attribute(text, m);
	if (ret)
		return ret;
	if (!strchr("#\n", *text->at))
		return wrong(text, "the line does not end here; is an operator or a '|' missing?");
	if (m->flag && *kind == BPMU_LINE_DEFINITION)
		return bpmu_text_error(text, start,
				       "a definition has no flag; write '=' to make it a node");
	text->at += strcspn(text->at, "\n");
	text->at += *text->at == '\n';
	return 0;
}

/**
 * bpmu_line_free() - free what a line consists of
 * @m: the line
 *
 * Context: any.
 */
void bpmu_line_free(struct bpmu_metric *m)
{
	free(m->name);
	bpmu_expr_free(m->expr);
	bpmu_expr_free(m->flag);
	free(m->text);
	free(m->next);
	free(m->source);
	free(m->erratum);
}
