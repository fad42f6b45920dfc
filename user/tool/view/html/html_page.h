/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page around the data: files of user/html/ and a plotting library, built
 * into the tool.
 */
#ifndef BPMU_HTML_PAGE_H
#define BPMU_HTML_PAGE_H

#include <stdio.h>

#include <jansson.h>

#include "base/error.h"

/**
 * struct bpmu_html_file - a file built into the tool
 * @name: "page.css"
 * @text: its text
 */
struct bpmu_html_file {
	const char *name;
	const char *text;
};

/* made by user/html/embed, ended by a row without name */
extern const struct bpmu_html_file bpmu_html_files[];

int bpmu_html_page_check(struct bpmu_error *err);
void bpmu_html_page(FILE *out, const char *title, const json_t *data);

#endif /* BPMU_HTML_PAGE_H */
