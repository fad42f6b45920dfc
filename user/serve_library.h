/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libmicrohttpd, loaded when it is needed: it brings ten more libraries, whose
 * loading would cost every other command more than all it does.
 */
#ifndef BPMU_SERVE_LIBRARY_H
#define BPMU_SERVE_LIBRARY_H

#include <microhttpd.h>

#include "error.h"

/* what is used of it */
#define BPMU_HTTPD(USE) \
	USE(MHD_start_daemon) \
	USE(MHD_stop_daemon) \
	USE(MHD_get_daemon_info) \
	USE(MHD_get_connection_info) \
	USE(MHD_lookup_connection_value) \
	USE(MHD_create_response_from_buffer) \
	USE(MHD_add_response_header) \
	USE(MHD_queue_response) \
	USE(MHD_destroy_response)

/**
 * struct bpmu_httpd - the library
 * @handle: of dlopen()
 *
 * The other members are its functions.
 */
struct bpmu_httpd {
	void *handle;
#define BPMU_HTTPD_MEMBER(name) __typeof__(name) *name;
	BPMU_HTTPD(BPMU_HTTPD_MEMBER)
#undef BPMU_HTTPD_MEMBER
};

int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err);

#endif /* BPMU_SERVE_LIBRARY_H */
