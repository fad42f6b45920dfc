/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libmicrohttpd, loaded by dlopen() only for "barepmu serve", because it depends on ten more
 * libraries, and loading these takes longer than most commands run. A tool that is linked
 * statically contains libmicrohttpd.
 */
#ifndef BPMU_SERVE_LIBRARY_H
#define BPMU_SERVE_LIBRARY_H

#include <microhttpd.h>

#include "base/error.h"

#define BPMU_HTTPD_FUNCTIONS(X) \
	X(start_daemon) \
	X(stop_daemon) \
	X(get_daemon_info) \
	X(get_connection_info) \
	X(lookup_connection_value) \
	X(create_response_from_buffer) \
	X(add_response_header) \
	X(queue_response) \
	X(destroy_response)

#define BPMU_HTTPD_POINTER(name) __typeof__(MHD_##name) *(name);

/* pointers to the functions of libmicrohttpd that the tool uses */
struct bpmu_httpd {
	BPMU_HTTPD_FUNCTIONS(BPMU_HTTPD_POINTER)
};

int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err);

#endif /* BPMU_SERVE_LIBRARY_H */
