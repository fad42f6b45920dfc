/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's log and its formats, for a unit test: all that was logged since said() was last
 * called is in one text.
 */
#ifndef UNIT_LOG_H
#define UNIT_LOG_H

#include <stdio.h>

#include "kernel/module.h"
#include "test.h"

static char logged[8192];
/* number of calls of unit_alloc() and unit_format() after which there is no memory, if positive */
static int memory_left;

static bool out_of_memory(void)
{
	return memory_left > 0 && !--memory_left;
}

void *unit_alloc(size_t nr, size_t size)
{
	return out_of_memory() ? NULL : calloc(nr, size);
}

/* Formats one conversion, the text from @at up to its last character, @end. */
static int convert(char *to, size_t room, const char *at, const char *end, va_list *args)
{
	char conversion[16];

	snprintf(conversion, sizeof(conversion), "%.*s", (int)(end - at + 1), at);
	if (*end == 's')
		return snprintf(to, room, conversion, va_arg(*args, const char *));
	if (*end == 'p')
		return snprintf(to, room, "%#llx", *va_arg(*args, u64 *));
	if (strstr(conversion, "ll"))
		return snprintf(to, room, conversion, va_arg(*args, u64));
	return snprintf(to, room, conversion, va_arg(*args, unsigned int));
}

/* Formats a text as the kernel does: "%pa" is a physical address, to which a pointer is given. */
static void format_text(char *to, size_t room, const char *format, va_list *args)
{
	size_t used = 0;
	const char *end;

	for (; *format; format++) {
		assert_true(used + 1 < room);
		if (*format != '%') {
			to[used++] = *format;
			continue;
		}
		end = format + strcspn(format, "spduxc");
		used += convert(to + used, room - used, format, end, args);
		format = *end == 'p' ? end + 1 : end;
	}
	to[used] = '\0';
}

char *unit_format(const char *format, va_list args)
{
	char text[1024];
	va_list copy;

	if (out_of_memory())
		return NULL;
	va_copy(copy, args);
	format_text(text, sizeof(text), format, &copy);
	va_end(copy);
	return strdup(text);
}

void unit_log(const char *format, ...)
{
	size_t used = strlen(logged);
	va_list args;

	va_start(args, format);
	format_text(logged + used, sizeof(logged) - used, format, &args);
	va_end(args);
}

/* Compares what was logged since the last call with a text. */
static inline void said(const char *expected)
{
	char text[sizeof(logged)];

	strcpy(text, logged);
	logged[0] = '\0';
	assert_string_equal(text, expected);
}

#endif /* UNIT_LOG_H */
