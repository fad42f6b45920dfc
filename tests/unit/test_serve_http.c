// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the HTTP server of "barepmu serve", on a port of the loopback interface: a client is
 * answered at once, whatever other clients do.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "unit.h"
#include "view/serve_http.h"

#define ANSWER_MAX 4096

static struct bpmu_http *http;
static unsigned int made;

static char *make(void *data, bool open, size_t *len)
{
	char *text;

	assert_ptr_equal(data, &http);
	made++;
	*len = asprintf(&text, "%s %u\n", open ? "open" : "text", made);
	return text;
}

static char *make_index(void *data, size_t *len)
{
	char *text;

	assert_ptr_equal(data, &http);
	made++;
	*len = asprintf(&text, "index %u\n", made);
	return text;
}

TEST_FIXTURE(begin)
{
	const struct bpmu_http_pages pages = { .make = make, .index = make_index, .data = &http };
	struct bpmu_http_address address;
	struct bpmu_error err;

	made = 0;
	return bpmu_http_address(&address, "127.0.0.1:0", &err) ||
	       bpmu_http_start(&http, &address, &pages, &err);
}

TEST_FIXTURE(end)
{
	bpmu_http_stop(http);
	return 0;
}

static int dial(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(bpmu_http_port(http)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (void *)&to, sizeof(to)), 0);
	return fd;
}

static void say(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* Reads the answer until the server closes the connection. */
static void listen_to(int fd, char *answer)
{
	ssize_t got;
	size_t len = 0;

	do {
		got = read(fd, answer + len, ANSWER_MAX - 1 - len);
		len += got > 0 ? got : 0;
	} while (got > 0);
	answer[len] = '\0';
	close(fd);
}

static void ask(const char *request, char *answer)
{
	int fd = dial();

	say(fd, request);
	listen_to(fd, answer);
}

static bool has(const char *answer, const char *text)
{
	return strstr(answer, text);
}

static const char *body(const char *answer)
{
	const char *gap = strstr(answer, "\r\n\r\n");

	return gap ? gap + 4 : "";
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"
#define ACCEPT(type) "GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: " type "\r\n\r\n"

TEST_BETWEEN(the_page_is_served, begin, end)
{
	char answer[ANSWER_MAX];

	ask(GET("/metrics"), answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	assert_true(has(answer, "Content-Type: text/plain; version=0.0.4"));
	assert_true(has(answer, "Connection: close"));
	assert_string_equal(body(answer), "text 1\n");
	ask(ACCEPT("application/openmetrics-text; version=1.0.0"), answer);
	assert_true(has(answer, "Content-Type: application/openmetrics-text; version=1.0.0"));
	assert_string_equal(body(answer), "open 2\n");
}

TEST_BETWEEN(the_page_is_made_once_per_interval, begin, end)
{
	char answer[ANSWER_MAX];
	unsigned int i;

	for (i = 0; i < 20; i++)
		ask(GET("/metrics"), answer);
	assert_int_equal(made, 1);
	bpmu_http_renew(http);
	ask(GET("/metrics?x=1"), answer);
	assert_string_equal(body(answer), "text 2\n");
}

TEST_BETWEEN(head_has_no_body, begin, end)
{
	char answer[ANSWER_MAX];

	ask("HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n", answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	assert_true(has(answer, "Content-Length: 7"));
	assert_string_equal(body(answer), "");
}

TEST_BETWEEN(the_body_of_a_request_is_ignored, begin, end)
{
	char answer[ANSWER_MAX];
	int fd = dial();

	say(fd, "GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
	say(fd, "cd");
	listen_to(fd, answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	assert_string_equal(body(answer), "text 1\n");
	assert_int_equal(made, 1);
}

TEST_BETWEEN(each_request_makes_the_index, begin, end)
{
	char answer[ANSWER_MAX];

	ask(GET("/"), answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	assert_true(has(answer, "Content-Type: text/html; charset=utf-8"));
	assert_string_equal(body(answer), "index 1\n");
	ask(GET("/"), answer);
	assert_string_equal(body(answer), "index 2\n");
}

TEST_BETWEEN(other_paths_are_not_found, begin, end)
{
	char answer[ANSWER_MAX];

	ask(GET("/metrics/"), answer);
	assert_true(has(answer, "HTTP/1.1 404"));
	ask(GET("/../etc/passwd"), answer);
	assert_true(has(answer, "HTTP/1.1 404"));
	assert_int_equal(made, 0);
}

TEST_BETWEEN(other_methods_are_refused, begin, end)
{
	static const char *const methods[] = {
		"POST", "PUT", "DELETE", "OPTIONS", "PATCH"
	};
	char answer[ANSWER_MAX];
	char request[256];
	size_t i;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		snprintf(request, sizeof(request),
			 "%s /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
			 methods[i]);
		ask(request, answer);
		assert_true(has(answer, "HTTP/1.1 405"));
		assert_true(has(answer, "Allow: GET, HEAD"));
	}
	assert_int_equal(made, 0);
}

TEST_BETWEEN(invalid_requests_are_refused, begin, end)
{
	char request[20000];
	char answer[ANSWER_MAX];

	ask("\x16\x03\x01\x02\r\n\r\n", answer);
	assert_false(has(answer, "HTTP/1.1 200"));
	memset(request, 'a', sizeof(request));
	memcpy(request, "GET /", 5);
	request[sizeof(request) - 1] = '\0';
	ask(request, answer);
	assert_false(has(answer, "HTTP/1.1 200"));
	ask(GET("/metrics"), answer);
	assert_true(has(answer, "HTTP/1.1 200"));
}

/* Many clients have sent half a request each; a client with a whole request is answered at once. */
TEST_BETWEEN(slow_clients_do_not_block_others, begin, end)
{
	int slow[BPMU_HTTP_CLIENTS - 1];
	char answer[ANSWER_MAX];
	size_t i;

	for (i = 0; i < BPMU_HTTP_CLIENTS - 1; i++) {
		slow[i] = dial();
		say(slow[i], "GET /metrics HTTP/1.1\r\n");
	}
	ask(GET("/metrics"), answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	for (i = 0; i < BPMU_HTTP_CLIENTS - 1; i++)
		close(slow[i]);
}

/*
 * More clients are connected than the server allows: the server closes the connection of the client
 * that has waited longest, and serves the last client.
 */
TEST_BETWEEN(idle_clients_are_dropped, begin, end)
{
	int idle[BPMU_HTTP_CLIENTS];
	struct pollfd one = { .events = POLLIN };
	char answer[ANSWER_MAX];
	size_t i;

	for (i = 0; i < BPMU_HTTP_CLIENTS; i++)
		idle[i] = dial();
	ask(GET("/metrics"), answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	for (i = 0; i < BPMU_HTTP_CLIENTS; i++) {
		one.fd = idle[i];
		assert_int_equal(poll(&one, 1, 60000), 1);
		close(idle[i]);
	}
}

/*
 * Clients that send a byte each second, and never end their request, hold all connections that the
 * server allows. Another client must be answered all the same.
 */
TEST_BETWEEN(trickling_clients_do_not_block_others, begin, end)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nA: ";
	int slow[BPMU_HTTP_CLIENTS];
	struct pollfd one = { .events = POLLIN };
	char answer[ANSWER_MAX];
	unsigned int seconds;
	size_t i;

	for (i = 0; i < BPMU_HTTP_CLIENTS; i++) {
		slow[i] = dial();
		say(slow[i], request);
	}
	one.fd = dial();
	say(one.fd, GET("/metrics"));
	for (seconds = 0; seconds < 60 && !poll(&one, 1, 1000); seconds++)
		for (i = 0; i < BPMU_HTTP_CLIENTS; i++)
			send(slow[i], "a", 1, MSG_NOSIGNAL);
	assert_int_equal(poll(&one, 1, 0), 1);
	listen_to(one.fd, answer);
	assert_true(has(answer, "HTTP/1.1 200"));
	for (i = 0; i < BPMU_HTTP_CLIENTS; i++)
		close(slow[i]);
}

/*
 * A client that sends a byte from time to time is dropped when its request has taken BPMU_HTTP_AGE
 * seconds.
 */
TEST_BETWEEN(trickling_clients_are_dropped, begin, end)
{
	u64 begin = bpmu_clock_ns(CLOCK_MONOTONIC);
	struct pollfd one = { .events = POLLIN };
	unsigned int i;
	int ended = 0;

	one.fd = dial();
	say(one.fd, "GET /metrics HTTP/1.1\r\nA: ");
	for (i = 0; i < 60 && !ended; i++) {
		say(one.fd, "a");
		ended = poll(&one, 1, 1000);
		bpmu_http_renew(http);
	}
	assert_int_equal(ended, 1);
	/* On a slow host the client may be dropped later, but never earlier. */
	assert_true(bpmu_clock_ns(CLOCK_MONOTONIC) - begin >= BPMU_HTTP_AGE * BPMU_NS_PER_S);
	close(one.fd);
}

TEST_BETWEEN(a_taken_port_is_refused, begin, end)
{
	const struct bpmu_http_pages pages = { .make = make, .data = &http };
	struct bpmu_http_address address;
	struct bpmu_http *second;
	struct bpmu_error err;
	char text[32];

	snprintf(text, sizeof(text), "127.0.0.1:%u", bpmu_http_port(http));
	assert_int_equal(bpmu_http_address(&address, text, &err), 0);
	assert_true(bpmu_http_start(&second, &address, &pages, &err) < 0);
	assert_non_null(strstr(err.text, "cannot listen on 127.0.0.1:"));
	assert_non_null(strstr(err.text, "choose another --listen"));
}

#define LONGEST "[0000:0000:0000:0000:0000:ffff:255.255.255.255"

TEST(addresses_are_parsed)
{
	static const char *const wrong[] = {
		"", ":", "9742", "localhost:9742", "127.0.0.1", "127.0.0.1:",
		"127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "::1:9742",
		"[::1]", "[::1:9742", "1.2.3:9742", "[]:1",
		"[aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa]:1",
	};
	char text[BPMU_HTTP_ADDRESS_TEXT];
	struct bpmu_http_address address;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_true(bpmu_http_address(&address, wrong[i], &err) < 0);
	assert_int_equal(bpmu_http_address(&address, "[fe80::1]:80", &err), 0);
	bpmu_http_address_text(&address, text);
	assert_string_equal(text, "[fe80::1]");
	assert_int_equal(bpmu_http_address(&address, "0.0.0.0:80", &err), 0);
	bpmu_http_address_text(&address, text);
	assert_string_equal(text, "0.0.0.0");
	assert_int_equal(bpmu_http_address_port(&address), 80);
	/* the longest address, and the greatest port; one more character, or one more */
	assert_int_equal(bpmu_http_address(&address, LONGEST "]:65535", &err), 0);
	bpmu_http_address_text(&address, text);
	assert_string_equal(text, "[::ffff:255.255.255.255]");
	assert_int_equal(bpmu_http_address_port(&address), 65535);
	assert_int_equal(bpmu_http_address(&address, LONGEST "5]:65535", &err), -EINVAL);
	assert_string_equal(err.text, "--listen '" LONGEST "5]:65535': not an address and a port; "
			    "write 127.0.0.1:9742 or [::1]:9742");
}
