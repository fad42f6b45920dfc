// SPDX-License-Identifier: GPL-2.0
/* The page around the data, from files of the test. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "view/html/html_page.h"

/* They contain no plotting library. */
const struct bpmu_html_file bpmu_html_files[] = {
	{ "page.html", "<title>@title@</title>@page.js@[@data@]\n" },
	{ "page.js", "a@b" },
	{ NULL, NULL }
};

static void a_missing_library_is_named_with_its_remedy(void **state)
{
	struct bpmu_error err;

	(void)state;
	assert_int_equal(bpmu_html_page_check(&err), -ENOTSUP);
	assert_non_null(strstr(err.text, "make -C user html"));
}

static void the_page_escapes_title_and_data(void **state)
{
	json_t *data = json_pack("{s:s}", "a", "</script><!--");
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	bpmu_html_page(out, "<b>&", data);
	fclose(out);
	assert_string_equal(text,
		"<title>&#60;b>&#38;</title>a@b[{\"a\":\"\\u003c/script>\\u003c!--\"}]\n");
	free(text);
	json_decref(data);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_library_is_named_with_its_remedy),
		cmocka_unit_test(the_page_escapes_title_and_data),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
