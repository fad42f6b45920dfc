/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libmicrohttpd, loaded when it is needed: it brings ten more libraries, whose
 * loading would cost every other command more than all it does. A static tool has
 * it inside.
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

/* its functions, as far as they are used */
struct bpmu_httpd {
	BPMU_HTTPD_FUNCTIONS(BPMU_HTTPD_POINTER)
};

int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err);

#endif /* BPMU_SERVE_LIBRARY_H */
