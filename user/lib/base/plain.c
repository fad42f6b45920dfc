// SPDX-License-Identifier: GPL-2.0
#include "plain.h"

#include <string.h>

/* Lowest code point that needs a UTF-8 sequence of n bytes, [n] */
static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };

/*
 * Sets @code to the code point of the UTF-8 character at @at and returns the length of the
 * character in bytes; returns 0 if the bytes are not valid UTF-8. Invalid bytes must not reach a
 * terminal: an eight-bit terminal takes single bytes from 0x80 to 0x9f as control characters.
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

/* Checks if a code point is a control character (C0, DEL, C1) or a line or paragraph separator. */
static bool is_control(unsigned int code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
	       code == 0x2028 || code == 0x2029;
}

/*
 * Finds the first byte of @at that is invalid UTF-8, or the first control character that is not in
 * @but. Returns the address of this byte or character and sets @bytes to its length in bytes;
 * returns NULL if @at has no such byte or character.
 */
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
 * bpmu_plain_is() - check if a text is plain: UTF-8 without control characters
 * @text: any text
 * @but: allowed ASCII control characters
 *
 * Return: true if the text is plain.
 */
bool bpmu_plain_is(const char *text, const char *but)
{
	unsigned int bytes;

	return !plain_find((unsigned char *)text, but, &bytes);
}

/**
 * bpmu_plain() - make an untrusted text plain: safe for a terminal
 * @text: modified in place: "?" replaces each invalid byte, and each byte of a control character
 * @but: allowed ASCII control characters
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
 * bpmu_utf8_is() - check if a text that need not be plain is valid UTF-8, as JSON requires
 * @text: text; it need not end with a zero byte
 * @len: length of the text in bytes
 *
 * Return: true if the text is valid UTF-8; false also if out of memory.
 */
bool bpmu_utf8_is(const char *text, size_t len)
{
	json_t *string;
	size_t i;

	/*
	 * A text of ASCII characters only, the usual case, is valid UTF-8. Any other text is given
	 * to json_stringn(), which returns NULL if the text is not valid UTF-8.
	 */
	for (i = 0; i < len && !(text[i] & 0x80); i++)
		;
	if (i == len)
		return true;
	string = json_stringn(text, len);
	json_decref(string);
	return string;
}

/**
 * bpmu_utf8_text() - make a JSON string of a text that need not be plain, if it is valid UTF-8
 * @text: name of a command, a file or a process; the kernel may have truncated the name of a
 *	process within a character
 *
 * Return: the string, "?" if @text is not UTF-8; NULL if out of memory.
 */
json_t *bpmu_utf8_text(const char *text)
{
	return json_string(text) ?: json_string("?");
}
