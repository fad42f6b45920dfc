// SPDX-License-Identifier: GPL-2.0
#include "metric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"

#define DEPTH_MAX 16

/**
 * struct reader - a metric file being read
 * @text: where we are
 * @metrics: lines so far
 * @depth: depth of the node that was read last, 0 before the first one
 * @indent: for each depth the column of its nodes
 * @node: for each depth the node
 */
struct reader {
	struct bpmu_text text;
	struct bpmu_metrics *metrics;
	unsigned int depth;
	int indent[DEPTH_MAX + 1];
	int node[DEPTH_MAX + 1];
};

static int wrong(struct reader *r, const char *what)
{
	return bpmu_text_error(&r->text, r->text.at, what);
}

static void skip_line(struct bpmu_text *text)
{
	text->at += strcspn(text->at, "\n");
	text->at += *text->at == '\n';
}

static int indentation(struct bpmu_text *text)
{
	int column = 0;

	for (; *text->at == ' ' || *text->at == '\t'; text->at++)
		column = *text->at == ' ' ? column + 1 : (column | 7) + 1;
	return column;
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

static int take_string(struct reader *r, char **string)
{
	const char *start = r->text.at + 1;
	size_t len;

	if (*r->text.at != '"')
		return wrong(r, "no '\"' here; put the sentence in quotes");
	len = strcspn(start, "\"\n");
	if (start[len] != '"')
		return wrong(r, "the closing '\"' is missing; add it");
	free(*string);
	*string = strndup(start, len);
	if (!*string)
		return wrong(r, "no memory; free some");
	r->text.at = start + len + 1;
	return 0;
}

static int take_unit(struct reader *r, char **unit)
{
	free(*unit);
	*unit = bpmu_text_name(&r->text);
	return *unit ? 0 : wrong(r, "no unit here; write slots or clocks");
}

static int take_flag(struct reader *r, struct bpmu_metric *m)
{
	bpmu_expr_free(m->flag);
	m->flag = bpmu_expr_parse_condition(&r->text, m->name);
	return m->flag ? 0 : -EINVAL;
}

static int take_attribute(struct reader *r, struct bpmu_metric *m)
{
	if (take_word(&r->text, "unit"))
		return take_unit(r, &m->unit);
	if (take_word(&r->text, "flag"))
		return take_flag(r, m);
	if (take_word(&r->text, "text"))
		return take_string(r, &m->text);
	if (take_word(&r->text, "next"))
		return take_string(r, &m->next);
	if (take_word(&r->text, "clock")) {
		m->clock = true;
		return 0;
	}
	return wrong(r, "unknown word; use unit, flag, text, next or clock");
}

/* a node hangs below the last node that is indented less */
static int hang(struct reader *r, struct bpmu_metric *m, int indent)
{
	while (r->depth && r->indent[r->depth] >= indent)
		r->depth--;
	if (r->depth == DEPTH_MAX)
		return wrong(r, "too deep a tree; indent less");
	m->parent = r->depth ? r->node[r->depth] : -1;
	m->level = ++r->depth;
	r->indent[r->depth] = indent;
	r->node[r->depth] = r->metrics->nr;
	return 0;
}

static int read_definition(struct reader *r, struct bpmu_metric *m, int indent)
{
	m->name = bpmu_text_name(&r->text);
	if (!m->name)
		return wrong(r, "no name here; write NAME = EXPRESSION");
	if (bpmu_metrics_find(r->metrics, m->name) >= 0)
		return wrong(r, "this name is taken; use another one");
	bpmu_text_skip_blanks(&r->text);
	m->parent = -1;
	if (!strncmp(r->text.at, ":=", 2)) {
		r->text.at += 2;
	} else if (*r->text.at == '=') {
		r->text.at++;
		if (hang(r, m, indent))
			return -EINVAL;
	} else {
		return wrong(r, "no '=' here; write NAME = EXPRESSION");
	}
	m->expr = bpmu_expr_parse(&r->text);
	return m->expr ? 0 : -EINVAL;
}

static int read_line(struct reader *r, struct bpmu_metric *m)
{
	int indent = indentation(&r->text);
	int ret;

	if (strchr("#\r\n", *r->text.at)) {
		skip_line(&r->text);
		return 0;
	}
	ret = read_definition(r, m, indent);
	while (!ret && next_attribute(&r->text))
		ret = take_attribute(r, m);
	if (ret)
		return ret;
	if (!strchr("#\n", *r->text.at))
		return wrong(r, "the line does not end here; is an operator or a '|' missing?");
	skip_line(&r->text);
	return 1;
}

static void free_metric(struct bpmu_metric *m)
{
	free(m->name);
	bpmu_expr_free(m->expr);
	bpmu_expr_free(m->flag);
	free(m->unit);
	free(m->text);
	free(m->next);
}

static int append(struct bpmu_metrics *metrics, struct bpmu_metric *m)
{
	struct bpmu_metric *grown;

	grown = reallocarray(metrics->metric, metrics->nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	metrics->metric = grown;
	grown[metrics->nr++] = *m;
	return 0;
}

/**
 * bpmu_metrics_parse() - read a metric file
 * @metrics: zeroed, or with lines of another file: the lines are appended
 * @file: the file's name, for errors
 * @text: the file
 * @err: set on failure, with line, column and the place marked
 *
 * Context: process.
 * Return: 0, -EINVAL or -ENOMEM; @metrics is to be freed in any case.
 */
int bpmu_metrics_parse(struct bpmu_metrics *metrics, const char *file,
		       const char *text, struct bpmu_error *err)
{
	struct reader r = { .metrics = metrics };
	struct bpmu_metric m;
	int ret = 0;

	r.text.file = file;
	r.text.start = text;
	r.text.at = text;
	r.text.err = err;
	while (ret >= 0 && *r.text.at) {
		memset(&m, 0, sizeof(m));
		ret = read_line(&r, &m);
		if (ret == 1 && append(metrics, &m))
			ret = wrong(&r, "no memory; free some");
		if (ret != 1)
			free_metric(&m);
	}
	return ret < 0 ? ret : 0;
}

/**
 * bpmu_metrics_find() - the number of a line
 * @metrics: the lines
 * @name: its name
 *
 * Context: any.
 * Return: the number, or -1 if no line has that name.
 */
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name)
{
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (!strcmp(metrics->metric[i].name, name))
			return i;
	return -1;
}

/**
 * bpmu_metrics_free() - free all lines
 * @metrics: the lines, none afterwards
 *
 * Context: any.
 */
void bpmu_metrics_free(struct bpmu_metrics *metrics)
{
	while (metrics->nr)
		free_metric(&metrics->metric[--metrics->nr]);
	free(metrics->metric);
	metrics->metric = NULL;
}
