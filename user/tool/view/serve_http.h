/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The HTTP server of "barepmu serve". It serves the same pages to all clients. The server does not
 * depend on the contents of the pages.
 */
#ifndef BPMU_SERVE_HTTP_H
#define BPMU_SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/error.h"

/* maximum number of connections */
#define BPMU_HTTP_CLIENTS 64
/*
 * a connection is closed after IDLE seconds without a received byte, and after AGE seconds in all
 */
#define BPMU_HTTP_IDLE 5
#define BPMU_HTTP_AGE 10

#define BPMU_HTTP_ADDRESS_TEXT 64

/**
 * struct bpmu_http_address - address on which the server listens
 * @socket: IPv4 or IPv6 address and port
 */
struct bpmu_http_address {
	struct sockaddr_storage socket;
};

/**
 * struct bpmu_http_pages - callbacks that make the pages
 * @make: returns the page of /metrics, allocated by malloc(), and sets @len to its length in bytes;
 *	NULL if memory runs out. The page is in OpenMetrics if @open, else in the text format.
 *	Called in the server's thread.
 * @index: returns the page of / in HTML, allocated and called as @make
 * @data: first argument of @make and @index
 */
struct bpmu_http_pages {
	char *(*make)(void *data, bool open, size_t *len);
	char *(*index)(void *data, size_t *len);
	void *data;
};

struct bpmu_http;

int bpmu_http_address(struct bpmu_http_address *address, const char *text,
		      struct bpmu_error *err);
void bpmu_http_address_text(const struct bpmu_http_address *address,
			    char text[BPMU_HTTP_ADDRESS_TEXT]);
unsigned int
bpmu_http_address_port(const struct bpmu_http_address *address);
int bpmu_http_start(struct bpmu_http **http,
		    const struct bpmu_http_address *address,
		    const struct bpmu_http_pages *pages,
		    struct bpmu_error *err);
unsigned int bpmu_http_port(const struct bpmu_http *http);
void bpmu_http_renew(struct bpmu_http *http);
void bpmu_http_stop(struct bpmu_http *http);

#endif /* BPMU_SERVE_HTTP_H */
