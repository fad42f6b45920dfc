// SPDX-License-Identifier: GPL-2.0
#include "plain.h"

#include <string.h>

/* First code point of sequences of two, three and four bytes. */
static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };

/*
 * Returns the length of the character at @text, 0 if it is not UTF-8: a single
 * byte from 0x80 to 0x9f is a C1 control for an eight-bit terminal.
 */
static unsigned int length_of(const unsigned char *at, unsigned int *code)
{
	unsigned int bytes, i;

	*code = *at;
	if (*at < 0x80)
		return 1;
	if (*at < 0xc2 || *at > 0xf4)
		return 0;
	bytes = *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
	*code = *at & (0x7f >> bytes);
	for (i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	if (*code < least[bytes] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return bytes;
}

/* C0, DEL and C1 controls; 0x2028 and 0x2029 end lines. */
static bool is_control(unsigned int code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
	       code == 0x2028 || code == 0x2029;
}

/* Returns the first of the bytes that is not plain, or NULL. */
static unsigned char *plain_find(unsigned char *at, const char *but,
				 unsigned int *bytes)
{
	unsigned int code;

	for (; *at; at += *bytes) {
		*bytes = length_of(at, &code);
		if (!*bytes || (is_control(code) &&
				!(*bytes == 1 && strchr(but, *at)))) {
			*bytes += !*bytes;
			return at;
		}
	}
	return NULL;
}

/**
 * bpmu_plain_is() - check if a text is UTF-8 without control characters
 * @text: any
 * @but: control characters of ASCII that are allowed
 *
 * Return: true if so.
 */
bool bpmu_plain_is(const char *text, const char *but)
{
	unsigned int bytes;

	return !plain_find((unsigned char *)text, but, &bytes);
}

/**
 * bpmu_plain() - make an untrusted text safe for a terminal
 * @text: changed in place: bytes that are not plain become "?"
 * @but: control characters of ASCII that are kept
 *
 * Return: @text.
 */
char *bpmu_plain(char *text, const char *but)
{
	unsigned char *at = (unsigned char *)text;
	unsigned int bytes;

	while ((at = plain_find(at, but, &bytes)))
		while (bytes--)
			*at++ = '?';
	return text;
}

/**
 * bpmu_utf8_is() - check if a text is valid UTF-8, as JSON requires
 * @text: bytes
 * @len: their number
 *
 * Return: whether it is; false without memory.
 */
bool bpmu_utf8_is(const char *text, size_t len)
{
	json_t *string;
	size_t i;

	/* ASCII text, the usual case, needs no copy. */
	for (i = 0; i < len && !(text[i] & 0x80); i++)
		;
	if (i == len)
		return true;
	string = json_stringn(text, len);
	json_decref(string);
	return string;
}

/**
 * bpmu_utf8_text() - make an untrusted text valid in JSON
 * @text: of a command, which a user wrote; of a process, which the kernel may
 *	have cut inside a character; of a file
 *
 * Return: @text, or "?" if it is not UTF-8; NULL without memory.
 */
json_t *bpmu_utf8_text(const char *text)
{
	return json_string(text) ?: json_string("?");
}
