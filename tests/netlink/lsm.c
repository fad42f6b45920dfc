// SPDX-License-Identifier: GPL-2.0
#include "lsm.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/bpf.h>
#include <linux/btf.h>

#define TYPES "/sys/kernel/btf/vmlinux"

/*
 * File descriptors of the BPF program and of its attachment to the LSM hook; -1 if there is none.
 */
static int program = -1;
static int attached = -1;

/*
 * Returns the kernel's type information (BTF), which the caller frees, or NULL if the kernel has
 * none.
 */
static char *read_types(void)
{
	int fd = open(TYPES, O_RDONLY);
	char *types = NULL;
	struct stat about;
	ssize_t got = 1;
	off_t at = 0;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &about))
		types = malloc(about.st_size);
	while (types && got > 0 && at < about.st_size) {
		got = read(fd, types + at, about.st_size - at);
		at += got;
	}
	close(fd);
	if (got > 0)
		return types;
	free(types);
	return NULL;
}

/*
 * Returns the number of bytes that follow the struct btf_type of a type in BTF and belong to it, or
 * -1 if the kind of the type is unknown.
 */
static long extra_bytes(const struct btf_type *type)
{
	unsigned int nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/*
 * Returns the number that BTF gives to the type of function @name, or 0 if there is no such
 * function.
 */
static uint32_t find_function(const char *types, const char *name)
{
	const struct btf_header *head = (const void *)types;
	const char *at = types + head->hdr_len + head->type_off;
	const char *names = types + head->hdr_len + head->str_off;
	const char *end = at + head->type_len;
	uint32_t id;
	long extra;

	for (id = 1; at < end; id++) {
		const struct btf_type *type = (const void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(names + type->name_off, name))
			return id;
		extra = extra_bytes(type);
		if (extra < 0)
			return 0;
		at += sizeof(*type) + extra;
	}
	return 0;
}

static int load(uint32_t function, int code)
{
	const struct bpf_insn returns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = code },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_LSM, .expected_attach_type = BPF_LSM_MAC,
		.insns = (uintptr_t)returns, .insn_cnt = 2,
		.license = (uintptr_t)"GPL", .attach_btf_id = function,
	};

	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int attach(void)
{
	union bpf_attr attr = { .raw_tracepoint.prog_fd = program };

	return syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
}

/**
 * lsm_refuse() - let a hook of the security modules (LSM) refuse each request
 * @hook: name of the hook, such as locked_down
 * @code: negative errno that the hook returns
 *
 * Return: false if the kernel has no such hook, or accepts no BPF program for it.
 */
bool lsm_refuse(const char *hook, int code)
{
	char *types = read_types();
	uint32_t function = 0;
	char name[64];

	snprintf(name, sizeof(name), "bpf_lsm_%s", hook);
	if (types)
		function = find_function(types, name);
	free(types);
	program = function ? load(function, code) : -1;
	attached = program < 0 ? -1 : attach();
	if (attached >= 0)
		return true;
	lsm_allow();
	return false;
}

/**
 * lsm_allow() - remove the program that lsm_refuse() put on a hook of the security modules (LSM)
 */
void lsm_allow(void)
{
	if (attached >= 0)
		close(attached);
	if (program >= 0)
		close(program);
	attached = -1;
	program = -1;
}
