// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the results of "barepmu decan" as an HTML page: a bar for the time of each variant, as in
 * the DECAN paper, and a bar for each group of loads. The page has no scripts and loads nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decan.h"
#include "view/html/html_page.h"

/*
 * The axis of the page's bars is at most this multiple of the longest bar. The end of a 95 %
 * interval that would be beyond the axis is drawn at its end.
 */
#define ROOM 1.5

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
}

static double decan_page_largest(const struct bpmu_decan *decan)
{
	const struct bpmu_variant *variant;
	double most = 0, high = 0;
	unsigned int i;

	for (i = 0; i < decan->variants.nr; i++) {
		variant = &decan->variants.variant[i];
		if (!variant->ok)
			continue;
		most = fmax(most, variant->cycles.value);
		high = fmax(high, variant->cycles.high);
	}
	return most > 0 ? fmin(high, ROOM * most) : 1;
}

/*
 * Returns the length of a bar for @cycles, in percent of the axis, from 0 to 100. The axis has a
 * length of @most cycles.
 */
static double decan_page_part(double cycles, double most)
{
	return cycles < 0 ? 0 : cycles > most ? 100 : 100 * cycles / most;
}

static void put_bar(const struct bpmu_decan *decan,
		    const struct bpmu_variant *variant, double most, FILE *out)
{
	double low = decan_page_part(variant->cycles.low, most);
	double high = decan_page_part(variant->cycles.high, most);

	fprintf(out, "<span class=\"bar%s\" title=\"95 %% interval %.0f to %.0f %s\"><i style=\"width:%.2f%%\"></i><b style=\"left:%.2f%%;width:%.2f%%\"></b></span>",
		variant == decan->variants.variant ? " original" :
		variant->resolved && variant->saved > 0 ? " saves" : "",
		variant->cycles.low, variant->cycles.high, decan->unit,
		decan_page_part(variant->cycles.value, most), low, high - low);
}

/*
 * Returns a variant's name without the names of function and loop: the page's heading has these
 * names.
 */
static const char *variant_suffix(const struct bpmu_decan *decan,
				  const struct bpmu_variant *variant)
{
	char start[BPMU_VARIANT_NAME];
	size_t len;

	snprintf(start, sizeof(start), "%s_loop%u_", decan->name, decan->id);
	len = strlen(start);
	return strncmp(variant->name, start, len) ? variant->name :
	       variant->name + len;
}

static void put_row(const struct bpmu_decan *decan,
		    const struct bpmu_variant *variant, double most, FILE *out)
{
	const struct bpmu_variant *original = decan->variants.variant;

	fputs("<tr><td title=\"", out);
	put_text(out, variant->name);
	fputs("\">", out);
	put_text(out, variant_suffix(decan, variant));
	if (!variant->ok) {
		fputs("</td><td colspan=\"5\" class=\"mark\">", out);
		put_text(out, variant->status);
		if (variant->skipped) {
			fputs(": ", out);
			put_text(out, variant->skipped);
		}
		fputs("</td></tr>\n", out);
		return;
	}
	fputs("</td><td class=\"wide\">", out);
	put_bar(decan, variant, most, out);
	fprintf(out, "</td><td>%.0f</td><td>%.2f</td>", variant->cycles.value,
		variant->cycles.value / variant->iterations);
	if (variant == original)
		fputs("<td></td><td></td></tr>\n", out);
	else
		fprintf(out, "<td>%.1f %%%s</td><td>%.2f</td></tr>\n",
			100 * variant->saved / original->cycles.value,
			variant->resolved ? "" : " <span class=\"soft\">not resolved</span>",
			original->cycles.value / variant->cycles.value);
}

static bool is_summary(const struct bpmu_variant *variant)
{
	return !variant->candidate;
}

static void put_chart(const struct bpmu_decan *decan, const char *title,
		      bool summary, FILE *out)
{
	const struct bpmu_variant **order = bpmu_decan_sorted(&decan->variants);
	double most = decan_page_largest(decan);
	unsigned int i;

	fprintf(out, "<h2>%s</h2>\n<div class=\"chart\"><table><tr><th>variant</th><th></th><th>%s</th><th>per iteration</th><th>saved</th><th>speedup</th></tr>\n",
		title, decan->unit);
	for (i = 0; i < decan->variants.nr && order; i++)
		if (!summary || is_summary(order[i]))
			put_row(decan, order[i], most, out);
	fputs("</table></div>\n", out);
	free(order);
}

static void put_css(const char *name, FILE *out)
{
	const struct bpmu_html_file *file;

	for (file = bpmu_html_files; file->name; file++)
		if (!strcmp(file->name, name))
			fputs(file->text, out);
}

static void put_paragraph(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputs("<p>", out);
	put_text(out, text);
	fputs("</p>\n", out);
}

static void decan_page_put_head(const struct bpmu_decan *decan, FILE *out)
{
	char verdict[512], agreement[128];

	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>decan: ",
	      out);
	put_text(out, decan->name);
	fputs("</title><style>\n", out);
	put_css("page.css", out);
	put_css("decan.css", out);
	fputs("</style></head><body><main>\n<h1>", out);
	put_text(out, decan->name);
	fprintf(out, ", loop %u</h1>\n<p class=\"soft\">0x%llx in ", decan->id,
		(unsigned long long)bpmu_loop_header(&decan->code,
						     decan->target));
	put_text(out, decan->elf.path);
	fprintf(out, "; %llu iterations, %u rounds on CPU %u; %s",
		(unsigned long long)decan->variants.variant->iterations,
		decan->rounds, decan->cpu, decan->counting ?
		"core cycles of user code" : "TSC ticks: ");
	if (!decan->counting)
		put_text(out, decan->why_ticks.text);
	if (!isnan(decan->coverage))
		fprintf(out, "; %.1f %% of the program's samples",
			100 * decan->coverage);
	fputs("</p>\n<p><strong>Verdict: ", out);
	put_text(out, bpmu_decan_verdict(decan, verdict));
	fputs("</strong></p>\n", out);
	put_paragraph(out, bpmu_decan_agreement(decan, agreement));
	put_paragraph(out, bpmu_decan_sharing(decan, verdict));
	fputs("<p class=\"soft key\"><span class=\"bar original\"><i></i></span> original <span class=\"bar saves\"><i></i></span> saves <span class=\"bar\"><i></i></span> saves nothing, or not resolved; the line is the 95 % interval</p>\n",
	      out);
}

/**
 * bpmu_decan_page() - write the HTML page of DECAN's results, for --html
 * @decan: state of "barepmu decan" after bpmu_decan_measure(); &bpmu_decan.html names the file
 */
int bpmu_decan_page(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	const struct bpmu_options options = { .output = decan->html };
	FILE *out = bpmu_options_open(&options, err);

	if (!out)
		return -EIO;
	decan_page_put_head(decan, out);
	put_chart(decan, "Groups, all loads, all stores", true, out);
	put_chart(decan, "All variants, by time saved", false, out);
	fputs("</main></body></html>\n", out);
	return bpmu_options_close(&options, out, 0, err);
}
