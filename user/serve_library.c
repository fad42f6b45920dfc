// SPDX-License-Identifier: GPL-2.0
#include "serve_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#ifdef BPMU_STATIC

/**
 * bpmu_httpd_load() - a static tool cannot load it
 * @httpd: not used
 * @err: set
 *
 * Context: process.
 * Return: -ENOSYS.
 */
int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err)
{
	(void)httpd;
	return bpmu_error_set(err, -ENOSYS,
			      "serve: this static tool has no HTTP; take the one that \"make user\" builds");
}

#else

#define LIBRARY "libmicrohttpd.so.12"

static bool find(struct bpmu_httpd *httpd)
{
#define FIND(name) \
	httpd->name = dlsym(httpd->handle, #name); \
	if (!httpd->name) \
		return false;
	BPMU_HTTPD(FIND)
#undef FIND
	return true;
}

/**
 * bpmu_httpd_load() - load it, for the life of the process
 * @httpd: filled in
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOSYS in a static tool, -ENOENT if there is none.
 */
int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err)
{
	httpd->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (httpd->handle && find(httpd))
		return 0;
	return bpmu_error_set(err, -ENOENT,
			      "serve: %s: cannot be loaded; apt-get install libmicrohttpd12",
			      LIBRARY);
}

#endif
