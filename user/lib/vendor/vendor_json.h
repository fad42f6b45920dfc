/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_JSON_H
#define BPMU_VENDOR_JSON_H

#include <jansson.h>

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_json_at - position in a JSON file: an object that is an element of an array
 * @file: name of the file, for errors
 * @parent: position of the object that has the array; NULL for the file's outermost object
 * @array: key of the array
 * @index: index of the element
 * @object: the object
 * @err: set when a value in the file is wrong
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
