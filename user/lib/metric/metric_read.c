// SPDX-License-Identifier: GPL-2.0
#include "metric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "metric_check.h"
#include "metric_constant.h"
#include "metric_expr.h"
#include "metric_line.h"

#define DEPTH_MAX 16
#define LINES_MAX 4096

/**
 * struct reader - a metric file being read
 * @text: where we are
 * @metrics: lines so far
 * @part: descriptor, or NULL for a file of the tool
 * @extends: the file adds to a method
 * @file: its number
 * @depth: how many nodes are open, the last one read is the deepest
 * @indent: for each depth the column of its nodes
 * @node: for each depth the node
 */
struct reader {
	struct bpmu_text text;
	struct bpmu_metrics *metrics;
	const struct bpmu_part *part;
	bool extends;
	unsigned int file;
	unsigned int depth;
	int indent[DEPTH_MAX + 1];
	int node[DEPTH_MAX + 1];
};

static int indentation(struct bpmu_text *text)
{
	int column = 0;

	for (; *text->at == ' ' || *text->at == '\t'; text->at++)
		column = *text->at == ' ' ? column + 1 : (column | 7) + 1;
	return column;
}

/* to the first character of a line that says something */
static int skip_to_line(struct bpmu_text *text)
{
	int indent = indentation(text);

	while (*text->at && strchr("#\r\n", *text->at)) {
		text->at += strcspn(text->at, "\n");
		text->at += *text->at == '\n';
		indent = indentation(text);
	}
	return indent;
}

/* behind the last node below this one */
static unsigned int subtree_end(const struct bpmu_metrics *metrics,
				unsigned int i)
{
	unsigned int level = metrics->metric[i].level;

	for (i++; i < metrics->nr && metrics->metric[i].level > level; i++)
		;
	return i;
}

static int insert(struct reader *r, unsigned int at, struct bpmu_metric *m)
{
	struct bpmu_metrics *metrics = r->metrics;
	struct bpmu_metric *grown;
	unsigned int i;

	grown = reallocarray(metrics->metric, metrics->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_text_error(&r->text, r->text.at,
				       "no memory; free some");
	metrics->metric = grown;
	for (i = 0; i < metrics->nr; i++)
		grown[i].parent += grown[i].parent >= (int)at;
	memmove(&grown[at + 1], &grown[at],
		(metrics->nr - at) * sizeof(*grown));
	grown[at] = *m;
	metrics->nr++;
	return 0;
}

/* a node hangs below the last node that is indented less */
static int hang(struct reader *r, const char *at, struct bpmu_metric *m,
		int indent)
{
	unsigned int depth = r->depth;

	while (depth && r->indent[depth] >= indent)
		depth--;
	if (!depth && indent)
		return bpmu_text_error(&r->text, at,
				       "no node above that this one is below; indent it less");
	if (depth < r->depth && r->indent[depth + 1] != indent)
		return bpmu_text_error(&r->text, at,
				       "no line above begins at this column; indent it as its siblings are");
	if (depth == DEPTH_MAX)
		return bpmu_text_error(&r->text, at,
				       "too deep a tree; indent less");
	m->parent = depth ? r->node[depth] : -1;
	m->level = depth ? r->metrics->metric[m->parent].level + 1 : 1;
	m->extra |= depth && r->metrics->metric[m->parent].extra;
	r->depth = depth + 1;
	r->indent[r->depth] = indent;
	r->node[r->depth] = depth ? subtree_end(r->metrics, m->parent) :
				    r->metrics->nr;
	return 0;
}

static void replace(char **old, char **new)
{
	if (!*new)
		return;
	free(*old);
	*old = *new;
	*new = NULL;
}

static void replace_expr(struct bpmu_expr **old, struct bpmu_expr **new)
{
	if (!*new)
		return;
	bpmu_expr_free(*old);
	*old = *new;
	*new = NULL;
}

static void change(struct bpmu_metric *old, struct bpmu_metric *m)
{
	if (m->expr) {
		old->file = m->file;
		old->offset = m->offset;
	}
	if (m->flag)
		old->flag_file = m->file;
	replace_expr(&old->expr, &m->expr);
	replace_expr(&old->flag, &m->flag);
	replace(&old->text, &m->text);
	replace(&old->next, &m->next);
	replace(&old->source, &m->source);
	replace(&old->erratum, &m->erratum);
	if (m->unit)
		old->unit = m->unit;
	if (m->scope)
		old->scope = m->scope;
	old->clock |= m->clock;
}

/* the method that the file extends has this line already */
static int meet(struct reader *r, const char *at, struct bpmu_metric *m,
		enum bpmu_line_kind kind, int indent, unsigned int i)
{
	struct bpmu_metric *old = &r->metrics->metric[i];

	if (kind == BPMU_LINE_MENTION && !old->level)
		return bpmu_text_error(&r->text, at,
				       "'%s' is no node but a definition; write NAME := EXPRESSION to change it",
				       m->name);
	if (kind == BPMU_LINE_MENTION && indent)
		return bpmu_text_error(&r->text, at,
				       "the node is in the tree already; begin its line at the left");
	if (kind == BPMU_LINE_MENTION) {
		r->depth = 1;
		r->indent[1] = 0;
		r->node[1] = i;
	} else if (!r->extends || old->file == r->file) {
		return bpmu_text_error(&r->text, at,
				       "'%s' is taken by a line above or of another file; use another name",
				       m->name);
	} else if (kind == BPMU_LINE_NODE || old->level) {
		return bpmu_text_error(&r->text, at,
				       "'%s' is a line of the method; change a definition by ':=', a node's flag by its name alone",
				       m->name);
	}
	change(old, m);
	return 0;
}

static int unknown_node(struct reader *r, const char *at, const char *name)
{
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST];
	unsigned int i;

	for (i = 0; i < r->metrics->nr; i++)
		if (r->metrics->metric[i].level)
			bpmu_nearest_offer(&nearest, r->metrics->metric[i].name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	return bpmu_text_error(&r->text, at, "no node '%s' to change; %s%s%s",
			       name, nearest.nr ? "did you mean " :
			       "write NAME = EXPRESSION to add one", list,
			       nearest.nr ? "?" : "");
}

/* takes over @m unless it fails; may leave parts of it */
static int place(struct reader *r, const char *at, struct bpmu_metric *m,
		 enum bpmu_line_kind kind, int indent)
{
	int i = bpmu_metrics_find(r->metrics, m->name);
	int ret = 0;

	m->file = r->file;
	m->flag_file = r->file;
	if (bpmu_metric_constant(m->name) >= 0)
		return bpmu_text_error(&r->text, at,
				       "'%s' is supplied by the tool; use another name",
				       m->name);
	if (i >= 0) {
		ret = meet(r, at, m, kind, indent, i);
		bpmu_line_free(m);
		memset(m, 0, sizeof(*m));
		return ret;
	}
	if (kind == BPMU_LINE_MENTION)
		return unknown_node(r, at, m->name);
	if (r->metrics->nr == LINES_MAX)
		return bpmu_text_error(&r->text, at,
				       "more than %d names; leave some out",
				       LINES_MAX);
	i = r->metrics->nr;
	if (kind == BPMU_LINE_NODE) {
		ret = hang(r, at, m, indent);
		i = r->node[r->depth];
	}
	if (!ret)
		ret = insert(r, i, m);
	if (!ret)
		memset(m, 0, sizeof(*m));
	return ret;
}

static int read_lines(struct reader *r)
{
	enum bpmu_line_kind kind = BPMU_LINE_NODE;
	struct bpmu_metric m;
	const char *at;
	int indent;
	int ret = 0;

	while (!ret) {
		memset(&m, 0, sizeof(m));
		indent = skip_to_line(&r->text);
		at = r->text.at;
		if (!*at)
			break;
		ret = bpmu_line_parse(&r->text, r->extends, &m, &kind);
		if (!ret)
			ret = place(r, at, &m, kind, indent);
		bpmu_line_free(&m);
	}
	return ret;
}

static bool is_loaded(const struct bpmu_metrics *metrics, const char *method)
{
	char name[64];
	unsigned int i;

	snprintf(name, sizeof(name), "%s.bpm", method);
	for (i = 0; i < metrics->nr_files; i++)
		if (!strcmp(metrics->file[i].name, name))
			return true;
	return false;
}

/* "extends METHOD" as the first line of a user's file */
static int read_extends(struct reader *r)
{
	const char *at;
	char *method;
	int ret = 0;

	skip_to_line(&r->text);
	if (strncmp(r->text.at, "extends", 7) ||
	    !strchr(" \t", r->text.at[7]))
		return 0;
	r->text.at += 7;
	bpmu_text_skip_blanks(&r->text);
	at = r->text.at;
	method = bpmu_text_name(&r->text);
	if (!method)
		return -EINVAL;
	bpmu_text_skip_blanks(&r->text);
	if (!strchr("#\n", *r->text.at))
		ret = bpmu_text_error(&r->text, r->text.at,
				      "more than a method; write extends METHOD");
	else if (!r->metrics->nr_files)
		ret = bpmu_metrics_builtin(r->metrics, method, r->part,
					   r->text.err);
	else if (!is_loaded(r->metrics, method))
		ret = bpmu_text_error(&r->text, at,
				      "the files before do not extend '%s'; give files of one method",
				      method);
	r->extends = true;
	free(method);
	return ret;
}

/* keeps a copy of the text, for errors that are found later */
static int add_source(struct reader *r)
{
	struct bpmu_metrics *metrics = r->metrics;
	struct bpmu_metric_source *grown;
	struct bpmu_metric_source source;

	grown = reallocarray(metrics->file, metrics->nr_files + 1,
			     sizeof(*grown));
	if (grown)
		metrics->file = grown;
	source.name = strdup(r->text.file);
	source.text = strdup(r->text.start);
	if (!grown || !source.name || !source.text) {
		free(source.name);
		free(source.text);
		return bpmu_error_set(r->text.err, -ENOMEM,
				      "%s: no memory; free some", r->text.file);
	}
	r->file = metrics->nr_files;
	grown[metrics->nr_files++] = source;
	return 0;
}

static int read_file(struct reader *r)
{
	int ret = 0;

	if (!strncmp(r->text.at, "\xef\xbb\xbf", 3)) {
		r->text.start += 3;
		r->text.at += 3;
	}
	if (r->part)
		ret = read_extends(r);
	if (!ret)
		ret = add_source(r);
	return ret ? ret : read_lines(r);
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

	r.text.file = file;
	r.text.start = text;
	r.text.at = text;
	r.text.err = err;
	return read_file(&r);
}

/**
 * bpmu_metrics_add() - read a user's metric file and check it
 * @metrics: zeroed, or with lines of files before: the lines are added
 * @file: the file's name, for errors
 * @text: the file; it may begin with "extends METHOD"
 * @part: descriptor
 * @err: set on failure, with line, column and the place marked
 *
 * Context: process.
 * Return: 0, the errors of bpmu_metrics_parse(), bpmu_metrics_builtin() and
 * bpmu_metrics_check(), -ENOENT for a name that is neither a line nor an event
 * of the part, -ERANGE for a filter's number; @metrics is to be freed in any
 * case.
 */
int bpmu_metrics_add(struct bpmu_metrics *metrics, const char *file,
		     const char *text, const struct bpmu_part *part,
		     struct bpmu_error *err)
{
	struct reader r = { .metrics = metrics, .part = part };
	int ret;

	r.text.file = file;
	r.text.start = text;
	r.text.at = text;
	r.text.err = err;
	ret = read_file(&r);
	if (!ret)
		ret = bpmu_metrics_check(metrics, err);
	return ret ? ret : bpmu_metrics_check_names(metrics, r.file, part, err);
}
