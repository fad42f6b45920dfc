// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "client_own.h"

/**
 * bpmu_client_take_u32() - a number of a reply
 * @attr: attribute
 * @to: set to it
 *
 * Context: any.
 * Return: MNL_CB_OK, or MNL_CB_ERROR if it is something else.
 */
int bpmu_client_take_u32(const struct nlattr *attr, u32 *to)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U32) < 0)
		return MNL_CB_ERROR;
	*to = mnl_attr_get_u32(attr);
	return MNL_CB_OK;
}

/**
 * bpmu_client_take_u64() - a long number of a reply
 * @attr: attribute
 * @to: set to it
 *
 * Context: any.
 * Return: MNL_CB_OK, or MNL_CB_ERROR if it is something else.
 */
int bpmu_client_take_u64(const struct nlattr *attr, u64 *to)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U64) < 0)
		return MNL_CB_ERROR;
	*to = mnl_attr_get_u64(attr);
	return MNL_CB_OK;
}

/**
 * bpmu_client_take_text() - a text of a reply
 * @attr: attribute
 * @to: set to it
 * @size: of @to
 *
 * Context: any.
 * Return: MNL_CB_OK, or MNL_CB_ERROR if it is something else.
 */
int bpmu_client_take_text(const struct nlattr *attr, char *to, size_t size)
{
	if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) < 0)
		return MNL_CB_ERROR;
	snprintf(to, size, "%s", mnl_attr_get_str(attr));
	bpmu_plain(to, "");
	return MNL_CB_OK;
}

/**
 * bpmu_client_take_cpus() - a list of CPUs in a reply
 * @attr: attribute
 * @to: empty; set to it, to be freed with bpmu_cpulist_free()
 *
 * Context: process.
 * Return: MNL_CB_OK, or MNL_CB_ERROR if it is something else, or without memory.
 */
int bpmu_client_take_cpus(const struct nlattr *attr, struct bpmu_cpulist *to)
{
	u32 len = mnl_attr_get_payload_len(attr);

	if (!len || len % sizeof(u32) || to->cpu)
		return MNL_CB_ERROR;
	to->cpu = malloc(len);
	if (!to->cpu)
		return MNL_CB_ERROR;
	memcpy(to->cpu, mnl_attr_get_payload(attr), len);
	to->nr = len / sizeof(u32);
	return MNL_CB_OK;
}
