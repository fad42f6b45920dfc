// SPDX-License-Identifier: GPL-2.0
#include "vendor_json.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/plain.h"

#define SIZE_MOST (32 << 20)
#define PATH_LEN 128
#define BOM "\xef\xbb\xbf"

static int wrong_file(const char *file, const char *what,
		      struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL, "%s: %s", file, what);
}

/* Returns the contents of a file, to be freed; NULL on an error. Sets @size to the bytes read. */
static char *vendor_json_read_all(const char *file, size_t *size, struct bpmu_error *err)
{
	FILE *stream = fopen(file, "re");
	char *text = NULL;
	long end = -1;

	if (!stream) {
		bpmu_error_set(err, -errno, "%s: cannot be read: %s; name a file that can be",
			       file, strerror(errno));
		return NULL;
	}
	if (!fseek(stream, 0, SEEK_END))
		end = ftell(stream);
	rewind(stream);
	if (end >= 0 && end <= SIZE_MOST)
		text = malloc(end + 1);
	if (end < 0 || end > SIZE_MOST)
		wrong_file(file, "is no file of up to 32 MiB; name an event or metric file",
			   err);
	else if (!text)
		wrong_file(file, "no memory; free some", err);
	else
		*size = fread(text, 1, end, stream);
	fclose(stream);
	return text;
}

/**
 * bpmu_json_load() - read and parse a JSON file of a vendor
 * @file: name of the file, at most 32 MiB long
 *
 * Return: the JSON value, to be released with json_decref(); NULL on an error, for which @err is
 * set.
 */
json_t *bpmu_json_load(const char *file, struct bpmu_error *err)
{
	json_error_t where;
	size_t size = 0;
	size_t skip;
	json_t *json;
	bool twice;
	char *text;

	text = vendor_json_read_all(file, &size, err);
	if (!text)
		return NULL;
	skip = size >= strlen(BOM) && !memcmp(text, BOM, strlen(BOM)) ?
		       strlen(BOM) : 0;
	json = json_loadb(text + skip, size - skip, JSON_REJECT_DUPLICATES,
			  &where);
	free(text);
	twice = !json && json_error_code(&where) == json_error_duplicate_key;
	if (!json)
		bpmu_error_set(err, -EINVAL,
			       "%s:%d:%d: %s: %s; %s", file, where.line,
			       where.column,
			       twice ? "not clear" : "not JSON", where.text,
			       twice ? "leave one of the two out" :
				       "get the file again");
	return json;
}

static void append_path(const struct bpmu_json_at *at, char *path)
{
	size_t len;

	if (at->parent) {
		append_path(at->parent, path);
		strncat(path, ".", PATH_LEN - strlen(path) - 1);
	}
	len = strlen(path);
	snprintf(path + len, PATH_LEN - len, "%s[%zu]", at->array, at->index);
}

/**
 * bpmu_json_error() - set an error with the position of a wrong value in a vendor's JSON file
 * @at: JSON object that has the wrong value; its member err receives the error message
 * @key: key of the wrong value in this object; NULL if the object itself is wrong
 * @what: what is wrong, a semicolon, and what the user can do
 *
 * Return: -EINVAL.
 */
int bpmu_json_error(const struct bpmu_json_at *at, const char *key,
		    const char *what)
{
	char path[PATH_LEN] = "";

	append_path(at, path);
	return bpmu_error_set(at->err, -EINVAL, "%s: %s%s%s: %s", at->file,
			      path, key ? "." : "", key ? key : "", what);
}

/**
 * bpmu_json_array() - find an array in a JSON object of a vendor's file
 * @at: the JSON object
 * @key: key of the array in this object
 * @array: set to the array; to NULL if the key is missing or its value is null
 *
 * Return: 0, or -EINVAL if the value is neither an array nor null.
 */
int bpmu_json_array(const struct bpmu_json_at *at, const char *key,
		    const json_t **array)
{
	*array = json_object_get(at->object, key);
	if (!*array || json_is_array(*array))
		return 0;
	if (!json_is_null(*array))
		return bpmu_json_error(at, key,
				       "not an array; write [ ... ]");
	*array = NULL;
	return 0;
}

/**
 * bpmu_json_element() - find the object at an index of a JSON array in a vendor's file
 * @at: its member @index is the index of the element; its member @object is set to the element
 * @array: the JSON array
 *
 * Return: 0, or -EINVAL if the element is not a JSON object.
 */
int bpmu_json_element(struct bpmu_json_at *at, const json_t *array)
{
	at->object = json_array_get(array, at->index);
	if (json_is_object(at->object))
		return 0;
	return bpmu_json_error(at, NULL, "not an object; write { ... }");
}

/**
 * bpmu_json_text() - find an optional text in a JSON object of a vendor's file
 * @at: the JSON object
 * @key: key of the text in this object
 * @text: set to the text, which is valid as long as the JSON object; to "" if the key is missing or
 *	its value is null
 *
 * Return: 0, or -EINVAL if the value is not a text or has control characters.
 */
int bpmu_json_text(const struct bpmu_json_at *at, const char *key,
		   const char **text)
{
	const json_t *value = json_object_get(at->object, key);

	*text = "";
	if (!value || json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return bpmu_json_error(at, key,
				       "not a text; put it in quotes");
	*text = json_string_value(value);
	if (bpmu_plain_is(*text, "\t\n\r"))
		return 0;
	return bpmu_json_error(at, key,
			       "has a control character; take it out");
}

/**
 * bpmu_json_name() - find a required text in a JSON object of a vendor's file
 * @at: the JSON object
 * @key: key of the text in this object
 * @text: set to the text, which is valid as long as the JSON object
 *
 * Return: 0, or -EINVAL if the text is missing, empty or not a text.
 */
int bpmu_json_name(const struct bpmu_json_at *at, const char *key,
		   const char **text)
{
	int ret = bpmu_json_text(at, key, text);

	if (!ret && !**text)
		ret = bpmu_json_error(at, key, "missing or empty; write it");
	return ret;
}

static int not_a_number(const struct bpmu_json_at *at, const char *key,
			u64 most)
{
	char what[96];

	snprintf(what, sizeof(what),
		 "not a number from 0 to %llu; write it as \"0x1f\" or \"31\"",
		 (unsigned long long)most);
	return bpmu_json_error(at, key, what);
}

/**
 * bpmu_json_number() - find an optional number in a JSON object of a vendor's file
 * @at: the JSON object
 * @key: key of the number in this object
 * @most: largest number that is allowed
 * @number: set to the number. It is 0 if the key is missing, or if the value is empty or "NA"; it
 *	is the first number of a list such as "0xB7, 0xBB"
 *
 * The value may be a JSON number, or a text such as "0x1f", as in most of the vendor's files.
 *
 * Return: 0, or -EINVAL if the value is not a number from 0 to @most.
 */
int bpmu_json_number(const struct bpmu_json_at *at, const char *key, u64 most,
		     u64 *number)
{
	const json_t *value = json_object_get(at->object, key);
	const char *text;
	char *end;

	*number = 0;
	if (json_is_integer(value)) {
		if (json_integer_value(value) < 0)
			return not_a_number(at, key, most);
		*number = json_integer_value(value);
		return *number <= most ? 0 : not_a_number(at, key, most);
	}
	if (value && !json_is_null(value) && !json_is_string(value))
		return not_a_number(at, key, most);
	text = json_is_string(value) ? json_string_value(value) : "";
	text += strspn(text, " ");
	if (!*text || !strcasecmp(text, "NA"))
		return 0;
	errno = 0;
	*number = strtoull(text, &end, 0);
	end += strspn(end, " ");
	if (!isdigit((unsigned char)*text) || errno || *number > most ||
	    (*end && *end != ','))
		return not_a_number(at, key, most);
	return 0;
}
