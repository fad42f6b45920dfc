// SPDX-License-Identifier: GPL-2.0
#include "vendor_formula.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vendor_constant.h"

/* Skips a comparison operator, also "= =" and "> =". */
static const char *rewrite_comparison(const char *text, char **to)
{
	const char *next = text + 1 + strspn(text + 1, " \t\r\n");

	*(*to)++ = *text;
	if (*next != '=')
		return text + 1;
	if (*text != '=')
		*(*to)++ = '=';
	return next + 1;
}

/*
 * The vendor's syntax is the tool's, except for "&" and "|", comparison operators
 * with a blank, "==", line ends, "#" before NA, and "[0]" after events counted in
 * one unit. The longest operator becomes five bytes.
 */
static char *rewrite(const char *text)
{
	char *copy = malloc(strlen(text) * 5 + 1);
	char *to = copy;

	while (copy && *text) {
		if (strchr("<>=", *text)) {
			text = rewrite_comparison(text, &to);
			continue;
		}
		if (!strncmp(text, "[0]", 3)) {
			text += 3;
			continue;
		}
		if (*text == '&')
			to = stpcpy(to, " and ");
		else if (*text == '|')
			to = stpcpy(to, " or ");
		else
			*to++ = strchr("\n#", *text) ? ' ' : *text;
		text++;
	}
	if (copy)
		*to = '\0';
	return copy;
}

static int vendor_formula_no_memory(const struct bpmu_vendor_formula *formula,
				    struct bpmu_error *err)
{
	return bpmu_error_no_memory(err, formula->where);
}

static struct bpmu_expr *vendor_formula_parse(const char *where, const char *words,
					      struct bpmu_error *err)
{
	struct bpmu_text text = {
		.file = where,
		.start = words,
		.at = words,
		.err = err,
	};
	struct bpmu_expr *expr = bpmu_expr_parse(&text);

	if (!expr)
		return NULL;
	bpmu_text_skip_blanks(&text);
	if (!*text.at)
		return expr;
	bpmu_expr_free(expr);
	bpmu_text_error(&text, text.at,
			"the formula does not end here; is an operator missing?");
	return NULL;
}

/* Replaces a name by an expression. */
static int vendor_formula_expand(const struct bpmu_vendor_formula *formula,
				 struct bpmu_expr *expr, struct bpmu_error *err)
{
	const char *text = json_string_value(json_object_get(formula->constants,
							     expr->name));
	struct bpmu_expr *value;

	if (!text)
		text = bpmu_vendor_constant_text(expr->name, false);
	if (!text)
		return bpmu_error_set(err, -EINVAL,
				      "%s: '%.40s' is in neither Events nor Constants; add it there",
				      formula->where, expr->name);
	value = vendor_formula_parse(formula->where, text, err);
	if (!value)
		return -EINVAL;
	free(expr->name);
	*expr = *value;
	free(value);
	return 0;
}

static int vendor_formula_resolve(const struct bpmu_vendor_formula *formula,
				  struct bpmu_expr *expr, struct bpmu_error *err)
{
	const char *name;
	char *copy;
	int ret = 0;
	int i;

	for (i = 0; !ret && i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		ret = vendor_formula_resolve(formula, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME)
		return ret;
	name = json_string_value(json_object_get(formula->names, expr->name));
	if (!name)
		return vendor_formula_expand(formula, expr, err);
	copy = strdup(name);
	if (!copy)
		return vendor_formula_no_memory(formula, err);
	free(expr->name);
	expr->name = copy;
	return 0;
}

/**
 * bpmu_vendor_formula_parse() - a formula of the files as an expression of ours
 * @formula: the formula
 * @err: set on failure
 *
 * Return: the expression, to be freed with bpmu_expr_free(), or NULL.
 */
struct bpmu_expr *
bpmu_vendor_formula_parse(const struct bpmu_vendor_formula *formula,
			  struct bpmu_error *err)
{
	struct bpmu_expr *expr;
	char *words;

	words = rewrite(formula->text);
	if (!words) {
		vendor_formula_no_memory(formula, err);
		return NULL;
	}
	expr = vendor_formula_parse(formula->where, words, err);
	free(words);
	if (expr && vendor_formula_resolve(formula, expr, err)) {
		bpmu_expr_free(expr);
		expr = NULL;
	}
	return expr;
}
