/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libmicrohttpd, loaded when it is needed: it brings ten more libraries, whose
 * loading would cost every other command more than all it does.
 */
#ifndef BPMU_SERVE_LIBRARY_H
#define BPMU_SERVE_LIBRARY_H

#include <microhttpd.h>

#include "base/error.h"

/* its functions, as far as they are used */
struct bpmu_httpd {
	__typeof__(MHD_start_daemon) *start_daemon;
	__typeof__(MHD_stop_daemon) *stop_daemon;
	__typeof__(MHD_get_daemon_info) *get_daemon_info;
	__typeof__(MHD_get_connection_info) *get_connection_info;
	__typeof__(MHD_lookup_connection_value) *lookup_connection_value;
	__typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
	__typeof__(MHD_add_response_header) *add_response_header;
	__typeof__(MHD_queue_response) *queue_response;
	__typeof__(MHD_destroy_response) *destroy_response;
};

int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err);

#endif /* BPMU_SERVE_LIBRARY_H */
