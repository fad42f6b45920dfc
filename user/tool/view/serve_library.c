// SPDX-License-Identifier: GPL-2.0
#include "serve_library.h"

#include <errno.h>

#include "base/array.h"
#include "base/library.h"

#define LIBRARY "libmicrohttpd.so.12"

#ifndef BPMU_STATIC
#define ENTRY(name) { "MHD_" #name, offsetof(struct bpmu_httpd, name) },
#define REMEDY "apt-get install libmicrohttpd12"

static bool httpd_load(struct bpmu_httpd *httpd)
{
	static const struct bpmu_library_function functions[] = {
		BPMU_HTTPD_FUNCTIONS(ENTRY)
	};

	return bpmu_library_load(LIBRARY, functions, ARRAY_SIZE(functions),
				 httpd);
}
#elif defined(BPMU_NO_HTTPD)
#define REMEDY "this static tool was built without it; build it without HTTPD="

static bool httpd_load(struct bpmu_httpd *httpd)
{
	(void)httpd;
	return false;
}
#else
#define ENTRY(name) .name = MHD_##name,
#define REMEDY ""

static bool httpd_load(struct bpmu_httpd *httpd)
{
	*httpd = (struct bpmu_httpd){ BPMU_HTTPD_FUNCTIONS(ENTRY) };
	return true;
}

/**
 * bpmu_no_tls() - stand in for GnuTLS, a library of serve's HTTP library, in a static tool
 *
 * Debian's static libmicrohttpd needs GnuTLS, whose static library cannot be linked. The linker
 * resolves all symbols of GnuTLS to this function. libmicrohttpd calls only gnutls_global_init()
 * and gnutls_global_deinit(), as HTTPS is never enabled.
 *
 * Return: 0, GNUTLS_E_SUCCESS.
 */
int bpmu_no_tls(void)
{
	return 0;
}
#endif

/**
 * bpmu_httpd_load() - load libmicrohttpd, the HTTP library of "barepmu serve"; it then stays loaded
 * @httpd: set to the functions of libmicrohttpd
 *
 * Return: 0, or -ENOENT if the library is not installed or lacks a function.
 */
int bpmu_httpd_load(struct bpmu_httpd *httpd, struct bpmu_error *err)
{
	if (httpd_load(httpd))
		return 0;
	return bpmu_error_set(err, -ENOENT, "serve: %s: cannot be loaded; %s",
			      LIBRARY, REMEDY);
}
