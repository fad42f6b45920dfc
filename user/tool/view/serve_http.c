// SPDX-License-Identifier: GPL-2.0
/*
 * One thread answers all requests. The page /metrics is made at the first request after
 * bpmu_http_renew(), and used for all requests until bpmu_http_renew() is called again. So the time
 * and memory for making pages do not depend on the number of requests and on the speed of clients.
 */
#include "serve_http.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "openmetrics.h"
#include "serve_library.h"

/* maximum size of a request with its headers */
#define REQUEST_BYTES 8192

static char not_found[] = "not found; see / and /metrics\n";
static char not_allowed[] = "only GET and HEAD\n";
static char no_memory[] = "out of memory\n";

/**
 * struct client - a connected client
 * @fd: socket; -1 if this element of the array is not used
 * @since: time at which it connected, seconds of CLOCK_MONOTONIC
 * @number: sequence number of the connection
 */
struct client {
	int fd;
	time_t since;
	unsigned long long number;
};

/**
 * struct bpmu_http - the server
 * @httpd: functions of libmicrohttpd
 * @pages: callbacks that make the pages
 * @daemon: libmicrohttpd's server with its thread
 * @lock: protects the members below
 * @page: cached pages of /metrics: [0] in Prometheus's text format, [1] in OpenMetrics; NULL if the
 *	page is not cached
 * @client: connected clients
 * @connected: number of connections accepted so far
 */
struct bpmu_http {
	struct bpmu_httpd httpd;
	struct bpmu_http_pages pages;
	struct MHD_Daemon *daemon;
	mtx_t lock;
	struct MHD_Response *page[2];
	struct client client[BPMU_HTTP_CLIENTS];
	unsigned long long connected;
};

static time_t serve_http_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* Makes a response that closes the connection, so that another client can soon connect. */
static struct MHD_Response *response(struct bpmu_http *http, char *text,
				     size_t len, const char *type,
				     enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *made;

	made = http->httpd.create_response_from_buffer(len, text, mode);
	if (!made)
		return NULL;
	http->httpd.add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE,
					    type);
	http->httpd.add_response_header(made, MHD_HTTP_HEADER_CONNECTION,
					    "close");
	return made;
}

static enum MHD_Result serve_http_answer(struct bpmu_http *http,
					 struct MHD_Connection *connection,
					 unsigned int status, char *text)
{
	struct MHD_Response *made;
	enum MHD_Result result;

	made = response(http, text, strlen(text), "text/plain; charset=utf-8",
			MHD_RESPMEM_PERSISTENT);
	if (!made)
		return MHD_NO;
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		http->httpd.add_response_header(made, MHD_HTTP_HEADER_ALLOW,
						    "GET, HEAD");
	result = http->httpd.queue_response(connection, status, made);
	http->httpd.destroy_response(made);
	return result;
}

static struct MHD_Response *page(struct bpmu_http *http, bool open)
{
	size_t len;
	char *text;

	if (http->page[open])
		return http->page[open];
	text = http->pages.make(http->pages.data, open, &len);
	if (!text)
		return NULL;
	http->page[open] = response(http, text, len, bpmu_om_content_type(open),
				    MHD_RESPMEM_MUST_FREE);
	if (!http->page[open])
		free(text);
	else
		http->httpd.add_response_header(http->page[open],
						    MHD_HTTP_HEADER_VARY,
						    "Accept");
	return http->page[open];
}

static enum MHD_Result metrics(struct bpmu_http *http,
			       struct MHD_Connection *connection)
{
	enum MHD_Result result = MHD_NO;
	struct MHD_Response *made;
	const char *accept;

	accept = http->httpd.lookup_connection_value(connection,
		MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	mtx_lock(&http->lock);
	made = page(http, bpmu_om_accepted(accept));
	if (made)
		result = http->httpd.queue_response(connection, MHD_HTTP_OK,
							made);
	mtx_unlock(&http->lock);
	return made ? result : serve_http_answer(http, connection,
						 MHD_HTTP_INTERNAL_SERVER_ERROR,
						 no_memory);
}

/* Answers "/". This page is not cached, because it says how old the latest interval is. */
static enum MHD_Result serve_http_index(struct bpmu_http *http, struct MHD_Connection *connection)
{
	struct MHD_Response *made = NULL;
	enum MHD_Result result;
	size_t len;
	char *text;

	text = http->pages.index(http->pages.data, &len);
	if (text)
		made = response(http, text, len, "text/html; charset=utf-8",
				MHD_RESPMEM_MUST_FREE);
	if (!made) {
		free(text);
		return serve_http_answer(http, connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
					 no_memory);
	}
	result = http->httpd.queue_response(connection, MHD_HTTP_OK, made);
	http->httpd.destroy_response(made);
	return result;
}

/*
 * Handles a request. libmicrohttpd calls this function after the headers, for each chunk of a body,
 * and at the end of the request. The function ignores the body, and queues the response at the end
 * of the request.
 */
static enum MHD_Result on_request(void *data, struct MHD_Connection *connection,
				  const char *url, const char *method,
				  const char *version, const char *upload,
				  size_t *upload_size, void **seen)
{
	struct bpmu_http *http = data;

	(void)version;
	(void)upload;
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return serve_http_answer(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
					 not_allowed);
	if (!*seen || *upload_size) {
		*seen = http;
		*upload_size = 0;
		return MHD_YES;
	}
	if (!strcmp(url, "/metrics"))
		return metrics(http, connection);
	if (!strcmp(url, "/"))
		return serve_http_index(http, connection);
	return serve_http_answer(http, connection, MHD_HTTP_NOT_FOUND, not_found);
}

static struct client *client_of(struct bpmu_http *http, int fd)
{
	unsigned int i;

	for (i = 0; i < BPMU_HTTP_CLIENTS; i++)
		if (http->client[i].fd == fd)
			return &http->client[i];
	return NULL;
}

/*
 * Closes connections that have lasted too long. Some clients send a byte now and then, so that a
 * limit on idle time alone would not close their connections.
 */
static void close_old(struct bpmu_http *http)
{
	struct client *client;
	unsigned int i;

	for (i = 0; i < BPMU_HTTP_CLIENTS; i++) {
		client = &http->client[i];
		if (client->fd >= 0 && serve_http_now() - client->since > BPMU_HTTP_AGE)
			shutdown(client->fd, SHUT_RDWR);
	}
}

/*
 * If the maximum number of clients is connected, closes the oldest connection, so that the next
 * client is accepted.
 */
static void close_oldest(struct bpmu_http *http)
{
	struct client *oldest = http->client;
	unsigned int i;

	if (client_of(http, -1))
		return;
	for (i = 1; i < BPMU_HTTP_CLIENTS; i++)
		if (http->client[i].number < oldest->number)
			oldest = &http->client[i];
	shutdown(oldest->fd, SHUT_RDWR);
}

static void on_connection(void *data, struct MHD_Connection *connection,
			  void **context,
			  enum MHD_ConnectionNotificationCode what)
{
	const union MHD_ConnectionInfo *info;
	struct bpmu_http *http = data;
	struct client *client;

	(void)context;
	info = http->httpd.get_connection_info(connection,
		MHD_CONNECTION_INFO_CONNECTION_FD);
	mtx_lock(&http->lock);
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		client = client_of(http, -1);
		if (client)
			*client = (struct client){
				info->connect_fd, serve_http_now(), http->connected++,
			};
		close_old(http);
		close_oldest(http);
	} else {
		client = client_of(http, info->connect_fd);
		if (client)
			client->fd = -1;
	}
	mtx_unlock(&http->lock);
}

static void discard_pages(struct bpmu_http *http)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (http->page[i])
			http->httpd.destroy_response(http->page[i]);
		http->page[i] = NULL;
	}
}

/*
 * Starts the server's thread with all signals blocked, so that signals go to the thread that
 * measures, which handles them.
 */
static void start_thread(struct bpmu_http *http,
			 const struct bpmu_http_address *address)
{
	unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD;
	sigset_t all, old;

	if (address->socket.ss_family == AF_INET6)
		flags |= MHD_USE_IPv6;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	http->daemon = http->httpd.start_daemon(flags, 0, NULL, NULL,
		on_request, http,
		MHD_OPTION_SOCK_ADDR, &address->socket,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)BPMU_HTTP_CLIENTS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)BPMU_HTTP_IDLE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
		MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/**
 * bpmu_http_start() - start the HTTP server of "barepmu serve"
 * @http: set to the server, which bpmu_http_stop() frees
 * @address: address to listen on
 * @pages: callbacks that make the pages; called by the server's thread
 */
int bpmu_http_start(struct bpmu_http **http,
		    const struct bpmu_http_address *address,
		    const struct bpmu_http_pages *pages, struct bpmu_error *err)
{
	struct bpmu_http *made = calloc(1, sizeof(*made));
	char text[BPMU_HTTP_ADDRESS_TEXT];
	unsigned int i;
	int code;

	if (!made)
		return bpmu_error_no_memory(err, "serve");
	made->pages = *pages;
	mtx_init(&made->lock, mtx_plain);
	for (i = 0; i < BPMU_HTTP_CLIENTS; i++)
		made->client[i].fd = -1;
	code = bpmu_httpd_load(&made->httpd, err);
	if (!code) {
		start_thread(made, address);
		code = made->daemon ? 0 : -errno;
		bpmu_http_address_text(address, text);
		if (code)
			bpmu_error_set(err, code,
				       "serve: cannot listen on %s: %s; choose another --listen",
				       text, strerror(-code));
	}
	if (code)
		free(made);
	else
		*http = made;
	return code;
}

/**
 * bpmu_http_port() - port on which the HTTP server listens
 * @http: server from bpmu_http_start()
 *
 * Return: the port; if the address has port 0, this is the port that the kernel chose.
 */
unsigned int bpmu_http_port(const struct bpmu_http *http)
{
	const union MHD_DaemonInfo *info;

	info = http->httpd.get_daemon_info(http->daemon,
					       MHD_DAEMON_INFO_BIND_PORT);
	return info ? info->port : 0;
}

/**
 * bpmu_http_renew() - drop the HTTP server's cached pages, and close connections that are too old
 * @http: server from bpmu_http_start()
 */
void bpmu_http_renew(struct bpmu_http *http)
{
	mtx_lock(&http->lock);
	discard_pages(http);
	close_old(http);
	mtx_unlock(&http->lock);
}

/**
 * bpmu_http_stop() - stop the HTTP server, and close all connections
 * @http: server from bpmu_http_start(), or NULL
 */
void bpmu_http_stop(struct bpmu_http *http)
{
	if (!http)
		return;
	http->httpd.stop_daemon(http->daemon);
	discard_pages(http);
	mtx_destroy(&http->lock);
	free(http);
}

#define PORT_MAX 65535

static bool parse_port(const char *text, in_port_t *port)
{
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || value > PORT_MAX)
		return false;
	*port = htons(value);
	return true;
}

/* Parses an IPv6 address in brackets. */
static bool parse_v6(char *host, struct sockaddr_in6 *socket)
{
	size_t len = strlen(host);

	if (len < 2 || host[0] != '[' || host[len - 1] != ']')
		return false;
	host[len - 1] = '\0';
	socket->sin6_family = AF_INET6;
	return inet_pton(AF_INET6, host + 1, &socket->sin6_addr) == 1;
}

static bool parse_host(char *host, in_port_t port,
		       struct sockaddr_storage *socket)
{
	struct sockaddr_in6 *v6 = (void *)socket;
	struct sockaddr_in *v4 = (void *)socket;

	if (parse_v6(host, v6)) {
		v6->sin6_port = port;
		return true;
	}
	v4->sin_family = AF_INET;
	v4->sin_port = port;
	return inet_pton(AF_INET, host, &v4->sin_addr) == 1;
}

/**
 * bpmu_http_address() - parse the address and port of an HTTP server
 * @address: filled in
 * @text: address and port, such as "127.0.0.1:9742" or "[::1]:9742"; host names are refused, as
 *	they may resolve to several addresses
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
	    parse_port(colon + 1, &port)) {
		memcpy(host, text, colon - text);
		host[colon - text] = '\0';
		if (parse_host(host, port, &address->socket))
			return 0;
	}
	return bpmu_error_set(err, -EINVAL,
			      "--listen '%s': not an address and a port; write 127.0.0.1:9742 or [::1]:9742",
			      text);
}

/**
 * bpmu_http_address_text() - format the address of the HTTP server without its port
 * @text: set to the address, IPv6 in brackets
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
 * bpmu_http_address_port() - port of an address for the HTTP server
 *
 * Return: the port; 0 lets the kernel choose a free one.
 */
unsigned int bpmu_http_address_port(const struct bpmu_http_address *address)
{
	const struct sockaddr_in6 *v6 = (const void *)&address->socket;
	const struct sockaddr_in *v4 = (const void *)&address->socket;

	return ntohs(address->socket.ss_family == AF_INET6 ? v6->sin6_port :
							     v4->sin_port);
}
