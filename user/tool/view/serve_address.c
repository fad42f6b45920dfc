// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>

#include "serve_http.h"

#define PORT_MAX 65535

static bool take_port(const char *text, in_port_t *port)
{
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || value > PORT_MAX)
		return false;
	*port = htons(value);
	return true;
}

/* "[::1]" */
static bool take_v6(char *host, struct sockaddr_in6 *socket)
{
	size_t len = strlen(host);

	if (len < 2 || host[0] != '[' || host[len - 1] != ']')
		return false;
	host[len - 1] = '\0';
	socket->sin6_family = AF_INET6;
	return inet_pton(AF_INET6, host + 1, &socket->sin6_addr) == 1;
}

static bool take_host(char *host, in_port_t port,
		      struct sockaddr_storage *socket)
{
	struct sockaddr_in6 *v6 = (void *)socket;
	struct sockaddr_in *v4 = (void *)socket;

	if (take_v6(host, v6)) {
		v6->sin6_port = port;
		return true;
	}
	v4->sin_family = AF_INET;
	v4->sin_port = port;
	return inet_pton(AF_INET, host, &v4->sin_addr) == 1;
}

/**
 * bpmu_http_address() - understand ADDR:PORT
 * @address: filled in
 * @text: "127.0.0.1:9742" or "[::1]:9742"; names are not looked up, as that
 *	would choose one of several addresses by chance
 * @err: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_http_address(struct bpmu_http_address *address, const char *text,
		      struct bpmu_error *err)
{
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN + 2];
	in_port_t port;

	memset(address, 0, sizeof(*address));
	if (colon && (size_t)(colon - text) < sizeof(host) &&
	    take_port(colon + 1, &port)) {
		memcpy(host, text, colon - text);
		host[colon - text] = '\0';
		if (take_host(host, port, &address->socket))
			return 0;
	}
	return bpmu_error_set(err, -EINVAL,
			      "--listen '%s': not an address and a port; write 127.0.0.1:9742 or [::1]:9742",
			      text);
}

/**
 * bpmu_http_address_text() - an address for people
 * @address: as understood
 * @text: set to the address without its port
 */
void bpmu_http_address_text(const struct bpmu_http_address *address,
			    char text[BPMU_HTTP_ADDRESS_TEXT])
{
	const struct sockaddr_in6 *v6 = (const void *)&address->socket;
	const struct sockaddr_in *v4 = (const void *)&address->socket;

	text[0] = '[';
	if (address->socket.ss_family == AF_INET6) {
		inet_ntop(AF_INET6, &v6->sin6_addr, text + 1,
			  BPMU_HTTP_ADDRESS_TEXT - 2);
		strcat(text, "]");
	} else {
		inet_ntop(AF_INET, &v4->sin_addr, text, BPMU_HTTP_ADDRESS_TEXT);
	}
}

/**
 * bpmu_http_address_port() - its port
 * @address: understood
 *
 * Return: the port, 0 for any that is free.
 */
unsigned int bpmu_http_address_port(const struct bpmu_http_address *address)
{
	const struct sockaddr_in6 *v6 = (const void *)&address->socket;
	const struct sockaddr_in *v4 = (const void *)&address->socket;

	return ntohs(address->socket.ss_family == AF_INET6 ? v6->sin6_port :
							     v4->sin_port);
}
