// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of HTML pages: a page is safe even with a hostile title and hostile data, and a build
 * without the plotting library says how to get it. The test replaces the files from which the page
 * is made.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "view/html/html_page.h"

/*
 * The files of which a tool without a plotting library makes its page: the page itself and a
 * script. In these files a name between two @ signs is replaced by other text.
 */
const struct bpmu_html_file bpmu_html_files[] = {
	{ "page.html", "<title>@title@</title>@page.js@[@data@]\n" },
	{ "page.js", "a@b" },
	{ NULL, NULL }
};

TEST(a_missing_library_is_named_with_its_remedy)
{
	struct bpmu_error err;

	assert_int_equal(bpmu_html_page_check(&err), -ENOTSUP);
	assert_non_null(strstr(err.text, "make -C user html"));
}

TEST(the_page_escapes_title_and_data)
{
	json_t *data = json_pack("{s:s}", "a", "</script><!--");
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	bpmu_html_page(out, "<b>&", data);
	fclose(out);
	assert_string_equal(text,
		"<title>&#60;b>&#38;</title>a@b[{\"a\":\"\\u003c/script>\\u003c!--\"}]\n");
	free(text);
	json_decref(data);
}
