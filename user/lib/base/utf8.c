// SPDX-License-Identifier: GPL-2.0
#include "utf8.h"

/**
 * bpmu_utf8_is() - is it UTF-8, as JSON is
 * @text: bytes
 * @len: their number
 *
 * Return: whether it is; false without memory.
 */
bool bpmu_utf8_is(const char *text, size_t len)
{
	json_t *string;
	size_t i;

	/* ASCII, as most is, is so without a copy */
	for (i = 0; i < len && !(text[i] & 0x80); i++)
		;
	if (i == len)
		return true;
	string = json_stringn(text, len);
	json_decref(string);
	return string;
}

/**
 * bpmu_utf8_text() - a text of which nobody says that it is UTF-8
 * @text: of a command, which a user wrote; of a process, which the kernel may
 *	have cut inside a character; of a file
 *
 * Return: it, or "?" if JSON cannot say it; NULL without memory.
 */
json_t *bpmu_utf8_text(const char *text)
{
	return json_string(text) ?: json_string("?");
}
