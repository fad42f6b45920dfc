// SPDX-License-Identifier: GPL-2.0
#include "openmetrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_TYPE "application/openmetrics-text"

static const char *const suffixes[] = {
	[BPMU_OM_COUNTER] = "_total",
	[BPMU_OM_GAUGE] = "",
	[BPMU_OM_INFO] = "_info",
};

static const char *const open_types[] = {
	[BPMU_OM_COUNTER] = "counter",
	[BPMU_OM_GAUGE] = "gauge",
	[BPMU_OM_INFO] = "info",
};

/* names of &enum bpmu_om_type in Prometheus's text format 0.0.4, which lacks the type "info" */
static const char *const types[] = {
	[BPMU_OM_COUNTER] = "counter",
	[BPMU_OM_GAUGE] = "gauge",
	[BPMU_OM_INFO] = "gauge",
};

/**
 * bpmu_om_content_type() - Content-Type header of a page of OpenMetrics
 * @open: true for OpenMetrics, false for Prometheus's older text format 0.0.4
 *
 * Return: the media type with version and character set.
 */
const char *bpmu_om_content_type(bool open)
{
	return open ? OPEN_TYPE "; version=1.0.0; charset=utf-8" :
		      "text/plain; version=0.0.4; charset=utf-8";
}

/* Returns the quality value of a media range (RFC 9110, 12.4.2), 0 to 1; 0 means refused. */
static double quality(const char *range, size_t len)
{
	const char *q = memmem(range, len, "q=", 2);

	return q ? strtod(q + 2, NULL) : 1;
}

/**
 * bpmu_om_accepted() - check if an HTTP client accepts OpenMetrics, and prefers it to plain text
 * @accept: the client's Accept header, or NULL
 *
 * A client that does not mention OpenMetrics gets Prometheus's text format 0.0.4, which all clients
 * accept.
 *
 * Return: true for OpenMetrics.
 */
bool bpmu_om_accepted(const char *accept)
{
	double open = 0, text = 0;
	size_t len;

	while (accept && *accept) {
		accept += strspn(accept, " \t,");
		len = strcspn(accept, ",");
		if (!strncasecmp(accept, OPEN_TYPE, strlen(OPEN_TYPE)))
			open = fmax(open, quality(accept, len));
		else if (!strncasecmp(accept, "text/plain", 10))
			text = fmax(text, quality(accept, len));
		accept += len;
	}
	return open > 0 && open >= text;
}

/*
 * Writes a text with escapes. If @quotes is true, double quotes are escaped, too: label values and
 * the HELP lines of OpenMetrics need this.
 */
static void openmetrics_escape(FILE *out, const char *text, bool quotes)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\')
			fputs("\\\\", out);
		else if (*text == '"' && quotes)
			fputs("\\\"", out);
		else
			fputc(*text, out);
	}
}

/**
 * bpmu_om_label() - write a label of OpenMetrics, NAME="VALUE"
 * @out: output; the caller writes the commas between labels
 * @name: name of the label
 * @value: any UTF-8 text
 */
void bpmu_om_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	openmetrics_escape(out, value, true);
	fputc('"', out);
}

/**
 * bpmu_om_family() - begin a metric family of OpenMetrics: write the TYPE, UNIT and HELP lines
 * @om: the page that is being written
 * @family: the family; must stay valid until the next call
 */
void bpmu_om_family(struct bpmu_om *om, const struct bpmu_om_family *family)
{
	const char *suffix = om->open ? "" : suffixes[family->type];
	const char *const *names = om->open ? open_types : types;

	om->family = family;
	fprintf(om->out, "# TYPE %s%s %s\n", family->name, suffix,
		names[family->type]);
	if (om->open && family->unit)
		fprintf(om->out, "# UNIT %s %s\n", family->name, family->unit);
	fprintf(om->out, "# HELP %s%s ", family->name, suffix);
	openmetrics_escape(om->out, family->help, om->open);
	fputc('\n', om->out);
}

static void openmetrics_begin(struct bpmu_om *om, const char *labels)
{
	fputs(om->family->name, om->out);
	fputs(suffixes[om->family->type], om->out);
	if (*labels) {
		fputc('{', om->out);
		fputs(labels, om->out);
		fputc('}', om->out);
	}
	fputc(' ', om->out);
	om->series++;
}

/**
 * bpmu_om_count() - write a sample of OpenMetrics with an integer value
 * @om: the page that is being written; a family was begun by bpmu_om_family()
 * @labels: labels from bpmu_om_label(), separated by commas, or ""
 * @count: the value
 */
void bpmu_om_count(struct bpmu_om *om, const char *labels, u64 count)
{
	openmetrics_begin(om, labels);
	fprintf(om->out, "%llu\n", count);
}

/**
 * bpmu_om_value() - write a sample of OpenMetrics with a floating-point value
 * @om: the page that is being written; a family was begun by bpmu_om_family()
 * @labels: as for bpmu_om_count()
 * @value: the value; infinity is allowed, NAN is not
 */
void bpmu_om_value(struct bpmu_om *om, const char *labels, double value)
{
	openmetrics_begin(om, labels);
	if (isinf(value))
		fputs(value > 0 ? "+Inf\n" : "-Inf\n", om->out);
	else
		fprintf(om->out, "%.12g\n", value);
}

/**
 * bpmu_om_end() - end a page of OpenMetrics: write the required EOF line
 * @om: the page that is being written
 */
void bpmu_om_end(struct bpmu_om *om)
{
	if (om->open)
		fputs("# EOF\n", om->out);
}
