// SPDX-License-Identifier: GPL-2.0
#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_LEN 128

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Returns the Levenshtein distance of two names, ignoring case; ~0 if it exceeds @limit. */
static unsigned int distance(const char *a, const char *b, unsigned int limit)
{
	unsigned int row[NAME_MAX_LEN + 1];
	size_t len = strlen(b);
	unsigned int diagonal;
	unsigned int above;
	unsigned int least;
	size_t i;
	size_t j;

	if (len > NAME_MAX_LEN)
		return ~0U;
	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		diagonal = row[0];
		row[0] = i + 1;
		least = row[0];
		for (j = 1; j <= len; j++) {
			above = row[j];
			diagonal += toupper((unsigned char)a[i]) !=
				    toupper((unsigned char)b[j - 1]);
			row[j] = min3(above + 1, row[j - 1] + 1, diagonal);
			diagonal = above;
			if (row[j] < least)
				least = row[j];
		}
		/*
		 * A row of the table of distances is never smaller, in its least element, than the
		 * row before it. The distance of the names is an element of the last row, so it
		 * exceeds the limit, too.
		 */
		if (least > limit)
			return ~0U;
	}
	return row[len];
}

static void nearest_insert(struct bpmu_nearest *n, const char *name,
			   unsigned int score)
{
	unsigned int i;

	if (n->nr == BPMU_NEAREST_NAMES && score >= n->score[n->nr - 1])
		return;
	if (n->nr < BPMU_NEAREST_NAMES)
		n->nr++;
	for (i = n->nr - 1; i && n->score[i - 1] > score; i--) {
		n->name[i] = n->name[i - 1];
		n->score[i] = n->score[i - 1];
	}
	n->name[i] = name;
	n->score[i] = score;
}

/**
 * bpmu_nearest_offer() - add a name to the list of names nearest to a mistyped name, if near enough
 * @nearest: list of the nearest names so far
 * @name: a known name; its text must outlive @nearest
 *
 * A name is near enough if its edit distance from the mistyped name is at most 1 plus a quarter of
 * the mistyped name's length. Such names come first in the list, those with the least distance
 * before others. Names that begin with the mistyped name follow, then names that contain it.
 */
void bpmu_nearest_offer(struct bpmu_nearest *nearest, const char *name)
{
	const char *typed = nearest->typed;
	size_t len = strlen(typed), other = strlen(name);
	unsigned int limit = len / 4 + 1;
	unsigned int score = ~0U;

	/*
	 * The distance of two names is at least the difference of their lengths. If already this
	 * difference exceeds the limit, the distance is not computed.
	 */
	if (len <= other + limit && other <= len + limit)
		score = distance(typed, name, limit);
	if (score <= limit)
		nearest_insert(nearest, name, score);
	else if (strlen(typed) > 2 && strcasestr(name, typed))
		nearest_insert(nearest, name, strcasestr(name, typed) == name ?
					limit + 1 : limit + 2);
}

/**
 * bpmu_nearest_list() - format the names that are nearest to a mistyped name
 * @nearest: nearest names
 * @list: set to a text such as "A, B", empty if no name is near; truncated if @size is too small
 * @size: size of @list in bytes; BPMU_NEAREST_LIST is enough
 */
void bpmu_nearest_list(const struct bpmu_nearest *nearest, char *list,
		       size_t size)
{
	size_t len = 0;
	unsigned int i;

	*list = '\0';
	for (i = 0; i < nearest->nr && len < size; i++)
		len += snprintf(list + len, size - len, "%s%s",
				i ? ", " : "", nearest->name[i]);
}
