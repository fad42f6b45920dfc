// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of the HTTP server of "barepmu serve", which must survive any bytes as a request, as an
 * address to listen on, and as an Accept header.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "view/openmetrics.h"
#include "view/serve_http.h"

static struct bpmu_http *http;

static char *make(void *data, bool open, size_t *len)
{
	char *text;

	(void)data;
	*len = asprintf(&text, "%s 1\n", open ? "open" : "text");
	return text;
}

static void start(void)
{
	const struct bpmu_http_pages pages = { .make = make };
	struct bpmu_http_address address;
	struct bpmu_error err = { };

	fuzz_hold(!bpmu_http_address(&address, "127.0.0.1:0", &err) &&
		  !bpmu_http_start(&http, &address, &pages, &err),
		  "the server starts");
}

static int dial(void)
{
	const struct linger none = { .l_onoff = 1 };
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(bpmu_http_port(http)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	fuzz_hold(fd >= 0 && !connect(fd, (void *)&to, sizeof(to)),
		  "the server is there");
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	return fd;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_http_address address;
	struct bpmu_error err = { };
	char *text = fuzz_text(data, size);
	char answer[4096];
	ssize_t got;
	int fd;

	if (!http)
		start();
	bpmu_om_accepted(text);
	fuzz_refused(bpmu_http_address(&address, text, &err), &err);
	free(text);
	fd = dial();
	/*
	 * The server may refuse a request and close the connection before all of the request is
	 * sent.
	 */
	if (send(fd, data, size, MSG_NOSIGNAL) >= 0)
		shutdown(fd, SHUT_WR);
	/*
	 * The server answers an incomplete request only after a timeout, so the fuzzer does not
	 * wait for an answer.
	 */
	got = recv(fd, answer, sizeof(answer), MSG_DONTWAIT);
	fuzz_hold(got < 5 || !memcmp(answer, "HTTP/", 5), "answers are HTTP");
	close(fd);
	return 0;
}
