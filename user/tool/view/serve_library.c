// SPDX-License-Identifier: GPL-2.0
#include "serve_library.h"

#include <errno.h>

#include "base/array.h"
#include "base/library.h"

#define LIBRARY "libmicrohttpd.so.12"

static const struct bpmu_library_function functions[] = {
	{ "MHD_start_daemon",
	  offsetof(struct bpmu_httpd, start_daemon) },
	{ "MHD_stop_daemon",
	  offsetof(struct bpmu_httpd, stop_daemon) },
	{ "MHD_get_daemon_info",
	  offsetof(struct bpmu_httpd, get_daemon_info) },
	{ "MHD_get_connection_info",
	  offsetof(struct bpmu_httpd, get_connection_info) },
	{ "MHD_lookup_connection_value",
	  offsetof(struct bpmu_httpd, lookup_connection_value) },
	{ "MHD_create_response_from_buffer",
	  offsetof(struct bpmu_httpd, create_response_from_buffer) },
	{ "MHD_add_response_header",
	  offsetof(struct bpmu_httpd, add_response_header) },
	{ "MHD_queue_response",
	  offsetof(struct bpmu_httpd, queue_response) },
	{ "MHD_destroy_response",
	  offsetof(struct bpmu_httpd, destroy_response) },
};

/**
 * bpmu_httpd_load() - load it, for the life of the process
 * @httpd: filled in
 * @err: set on failure
 *
 * Return: 0, or -ENOENT if there is none.
 */
int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err)
{
	if (bpmu_library_load(LIBRARY, functions, ARRAY_SIZE(functions), httpd))
		return 0;
	return bpmu_error_set(err, -ENOENT,
			      "serve: %s: cannot be loaded; apt-get install libmicrohttpd12, and take the tool that \"make user\" builds: a static one loads no library",
			      LIBRARY);
}
