/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_JSON_H
#define BPMU_VENDOR_JSON_H

#include <jansson.h>

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_json_at - a JSON object that is an element of an array, and its position in the file
 * @file: name of the file, for error messages
 * @parent: JSON object that contains the array; NULL for the outermost object of the file
 * @array: key of the array in @parent
 * @index: index of @object in the array
 * @object: the JSON object
 * @err: receives the error message if a value in @object is wrong
 */
struct bpmu_json_at {
	const char *file;
	const struct bpmu_json_at *parent;
	const char *array;
	size_t index;
	const json_t *object;
	struct bpmu_error *err;
};

json_t *bpmu_json_load(const char *file, struct bpmu_error *err);
int bpmu_json_error(const struct bpmu_json_at *at, const char *key,
		    const char *what);
int bpmu_json_array(const struct bpmu_json_at *at, const char *key,
		    const json_t **array);
int bpmu_json_element(struct bpmu_json_at *at, const json_t *array);
int bpmu_json_text(const struct bpmu_json_at *at, const char *key,
		   const char **text);
int bpmu_json_name(const struct bpmu_json_at *at, const char *key,
		   const char **text);
int bpmu_json_number(const struct bpmu_json_at *at, const char *key, u64 most,
		     u64 *number);

#endif /* BPMU_VENDOR_JSON_H */
