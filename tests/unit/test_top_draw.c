// SPDX-License-Identifier: GPL-2.0
/* Tests of the screen of "barepmu top": it is legible at any size. Its values are made up. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/top/top.h"
#include "unit.h"

#define LINES_MAX 256
/*
 * CPUS_MAX is the number of CPUs of the largest machine. CPUS is the number of CPUs in most tests.
 */
#define CPUS_MAX 256
#define CPUS 20

static struct bpmu_tree all;
static struct bpmu_top_state state;
static struct bpmu_top_screen screen;
static struct bpmu_tree_value values[LINES_MAX];
static struct bpmu_tree_value cpu_values[CPUS_MAX][LINES_MAX];
static bool measured[LINES_MAX];
static struct bpmu_top_row row[CPUS_MAX];
static unsigned int order[CPUS_MAX];
static struct bpmu_top_view view;
static char text[65536];
static char labels[CPUS_MAX][24];

static int node(const char *name)
{
	int i = bpmu_metrics_find(&all.metrics, name);

	assert_true(i >= 0);
	return i;
}

static void set(struct bpmu_tree_value *to, const char *name, double share,
		bool flagged)
{
	to[node(name)] = (struct bpmu_tree_value){
		.known = true, .value = share, .flagged = flagged, .alone = flagged,
	};
}

TEST_FIXTURE(begin)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;
	unsigned int i;

	memset(values, 0, sizeof(values));
	memset(cpu_values, 0, sizeof(cpu_values));
	if (bpmu_tree_init(&all, "topdown", &pmu, 0, 4, &err) ||
	    bpmu_top_state_init(&state, &all, 2, &err))
		return -1;
	state.interval_ns = 1000000000;
	set(values, "Frontend_Bound", 0.1, false);
	set(values, "Retiring", 0.3, false);
	set(values, "Bad_Speculation", 0, false);
	set(values, "Backend_Bound", 0.6, true);
	set(values, "Memory_Bound", 0.5, true);
	values[node("Memory_Bound")].uncertainty = 0.034;
	for (i = 0; i < all.metrics.nr; i++)
		measured[i] = state.drill.wanted[i];
	measured[node("Core_Bound")] = false;
	for (i = 0; i < CPUS_MAX; i++) {
		snprintf(labels[i], sizeof(labels[i]), "%u", i);
		set(cpu_values[i], "Frontend_Bound", i / 100.0, i == 3);
		row[i] = (struct bpmu_top_row){
			.label = labels[i], .stage = BPMU_TOP_JUDGED, .mhz = 1000,
			.worst = -1, .values = cpu_values[i],
		};
	}
	row[3].loss = 30;
	row[3].worst = node("Frontend_Bound");
	row[7].loss = 600;
	view = (struct bpmu_top_view){
		.title = "a processor", .cpus = "0-19", .tree = &all,
		.values = values, .measured = measured, .row = row,
		.order = order, .nr_rows = CPUS, .seconds = 12,
	};
	return 0;
}

TEST_FIXTURE(end)
{
	bpmu_top_screen_free(&screen);
	bpmu_top_state_free(&state);
	bpmu_tree_free(&all);
	return 0;
}

/* Writes the characters of the screen to text[], and ends each line with a line break. */
static void as_text(void)
{
	const struct bpmu_top_cell *cell = screen.cell;
	size_t at = 0;
	int line, column;

	for (line = 0; line < screen.lines; line++) {
		for (column = 0; column < screen.columns; column++, cell++) {
			assert_true(cell->ch >= ' ');
			if (!screen.wide)
				assert_true(cell->ch < 0x7f);
			assert_true(at + MB_CUR_MAX < sizeof(text));
			at += wctomb(text + at, cell->ch);
		}
		text[at++] = '\n';
	}
	text[at] = 0;
}

static void draw(int lines, int columns)
{
	struct bpmu_error err;

	assert_int_equal(bpmu_top_screen_resize(&screen, lines, columns, &err),
			 0);
	bpmu_top_draw(&screen, &view, &state);
	as_text();
}

/*
 * Returns the first line of the screen that contains @what. If @what begins with a line break,
 * returns the first line that begins with the text after this line break. Returns NULL if there is
 * no such line.
 */
static const char *line_with(const char *what)
{
	static char line[1024];
	const char *found = strstr(text, what);
	const char *start;

	if (!found)
		return NULL;
	start = found + (*what == '\n');
	while (start > text && start[-1] != '\n')
		start--;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(start, "\n"), start);
	return line;
}

static void has(const char *line, const char *what)
{
	const char *found = line_with(line);

	if (!found || !strstr(found, what))
		fail_msg("no '%s' in a line with '%s':\n%s", what, line, text);
}

static void has_not(const char *what)
{
	if (strstr(text, what))
		fail_msg("'%s' in:\n%s", what, text);
}

TEST_BETWEEN(draws_nodes_with_values_and_flags, begin, end)
{
	draw(24, 80);
	has("12.0 s", "every 1 s");
	has("Flagged: ", "Backend_Bound > Memory_Bound.");
	has("\n> ", "- Frontend_Bound");
	has("10.0 % of slots", "Frontend_Bound");
	has("- Backend_Bound", "60.0 % of slots  <==");
	has("+ Memory_Bound", "50.0 % of clocks  +- 3.4  <==");
	has("Core_Bound", "...");
	has("Machine_Clears", "no value");
	has("q quit", "? help");
	has_not("L1_Bound");
}

TEST_BETWEEN(draws_no_verdict_at_the_start, begin, end)
{
	view.seconds = 0;
	view.nr_rows = 0;
	draw(24, 80);
	has("Measuring", "...");
	has_not("Nothing is flagged");
}

/*
 * CPUs with the greatest loss come first. CPUs with equal loss are in the order of their numbers.
 */
TEST_BETWEEN(sorts_rows_by_loss, begin, end)
{
	draw(40, 80);
	has("loss", "lossv");
	assert_int_equal(order[0], 7);
	assert_int_equal(order[1], 3);
	assert_int_equal(order[2], 0);
	assert_int_equal(order[19], 19);
	has("\n7 ", "1000      600       7.0");
	has("\n3 ", "3.0!");
	has("\n3 ", "Frontend_Bound");
}

TEST_BETWEEN(sorts_rows_by_a_node, begin, end)
{
	cpu_values[5][node("Frontend_Bound")].known = false;
	state.column = node("Frontend_Bound");
	draw(24, 80);
	has("loss", "Boundv");
	assert_int_equal(order[0], 19);
	assert_int_equal(order[18], 0);
	assert_int_equal(order[19], 5);
	state.reverse = true;
	draw(24, 80);
	has("loss", "Bound^");
	assert_int_equal(order[0], 0);
	assert_int_equal(order[19], 5);
}

TEST_BETWEEN(draws_rows_without_a_clock_last, begin, end)
{
	row[7].mhz = NAN;
	row[7].loss = NAN;
	state.reverse = true;
	draw(60, 80);
	assert_int_equal(order[19], 7);
	has("\n7 ", "no value no value");
}

TEST_BETWEEN(limits_scrolling_to_existing_rows, begin, end)
{
	state.first_row = 1000;
	draw(24, 80);
	assert_true(state.first_row > 0 && state.first_row < CPUS);
	has("\n19 ", "1000");
	state.column = node("Frontend_Bound");
	state.reverse = true;
	state.first_row = 0;
	draw(24, 80);
	assert_null(line_with("\n19 "));
}

/*
 * On a narrow screen flags are not cut off. Headings of the columns that are shown are not cut off,
 * either.
 */
TEST_BETWEEN(truncates_no_flag_on_a_narrow_screen, begin, end)
{
	draw(24, 60);
	has("+ Memory_Bound", "50.0 % of clocks  +- 3.4  <==");
	has("loss", " Bound Speculation Retiring");
	has("\n3 ", "3.0!");
	state.cursor = node("Memory_Bound");
	draw(12, 40);
	has("+ Memory_B", "50.0 % of clocks  <==");
	has("- Backend_B", "60.0 % of slots  <==");
	draw(12, 27);
	has_not("<==");
}

/*
 * On a screen with few lines three things remain visible: the cursor, the node under the cursor,
 * and the verdict.
 */
TEST_BETWEEN(keeps_the_cursor_on_a_low_screen, begin, end)
{
	state.cursor = node("Memory_Bound");
	draw(10, 60);
	has("Flagged: ", "Memory_Bound");
	has("\n>", "Memory_Bound");
	has("loss", "MHz");
	has("\n7 ", "1000");
}

TEST_BETWEEN(draws_at_any_size, begin, end)
{
	int lines, columns;

	for (lines = 1; lines < 30; lines++)
		for (columns = 1; columns < 100; columns += 3) {
			state.help = false;
			draw(lines, columns);
			state.help = true;
			draw(lines, columns);
		}
}

TEST_BETWEEN(draws_the_keys, begin, end)
{
	state.help = true;
	draw(24, 80);
	has("right ", "measure the node's children");
	has("F1", "these keys");
	has_not("Flagged");
}

TEST_BETWEEN(draws_notes_and_losses, begin, end)
{
	state.frozen = true;
	state.follow = true;
	view.lost = 3;
	strcpy(view.note, "unload it");
	draw(24, 100);
	has("12.0 s", "frozen, following flags, 3 samples lost");
	has("unload it", "unload it");
}

static void draw_both(int lines, bool below)
{
	struct bpmu_top_view other = view;
	struct bpmu_top_view *views[] = { &view, &other };
	struct bpmu_top_state *states[] = { &state, &state };
	struct bpmu_error err;

	other.title = "Small";
	other.cpus = "8-9";
	view.away = below;
	other.away = !below;
	assert_int_equal(bpmu_top_screen_resize(&screen, lines, 80, &err), 0);
	bpmu_top_draw_both(&screen, views, states);
	view.away = false;
	as_text();
}

/*
 * Two core types are drawn one below the other, each in a view of its own. The cursor is in one of
 * the two views, and keys change this view. On a screen with few lines only this view is shown.
 */
TEST_BETWEEN(draws_both_core_types, begin, end)
{
	const char *cursor, *below;

	draw_both(30, false);
	below = strstr(text, "CPU 8-9, Small");
	cursor = strstr(text, "\n>");
	assert_non_null(below);
	assert_non_null(line_with(view.title));
	assert_true(cursor && cursor < below);
	assert_null(strstr(below, "\n>"));
	has("Tab  keys for these CPUs", "Tab");
	draw_both(30, true);
	below = strstr(text, "CPU 8-9, Small");
	cursor = strstr(text, "\n>");
	assert_true(below && cursor > below);
	draw_both(12, false);
	has_not("Small");
	draw_both(12, true);
	has("Small", "8-9");
	has_not(view.title);
}

TEST_BETWEEN(draws_bars_on_a_wide_screen, begin, end)
{
	screen.wide = true;
	draw(24, 100);
	has("▾ Backend_Bound", "████████████ ");
	has("▸ Memory_Bound", "50.0");
	/* On a wide screen, too, names and bars of nodes are next to their values. */
	draw(24, 200);
	has("▾ Backend_Bound", "<==           ████████████ ");
	has("loss", "Frontend_Bound");
	screen.wide = false;
	draw(24, 100);
	has("- Backend_Bound", "############ ");
}

/*
 * Control characters in a name from a user's file are replaced, so that they cannot control the
 * terminal.
 */
TEST_BETWEEN(replaces_control_characters, begin, end)
{
	draw(3, 40);
	bpmu_top_put(&screen, 0, 0, BPMU_TOP_PLAIN, "a\033[2J\tb\xff\xc3\xa4");
	as_text();
	has("a?[2J?b??", "b??");
	screen.wide = true;
	bpmu_top_put(&screen, 0, 0, BPMU_TOP_PLAIN, "\xff\xc3\xa4\033");
	as_text();
	has("?ä?", "?ä?");
}

TEST_BETWEEN(prints_plain_lines, begin, end)
{
	const char blank_at_end[] = { ' ', '\n', 0 };
	struct bpmu_error err;
	char *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	assert_non_null(out);
	assert_int_equal(bpmu_top_plain(out, &view, &state, &err), 0);
	fclose(out);
	snprintf(text, sizeof(text), "%s", lines);
	free(lines);
	has("12.0 s", "every 1 s; CPU 0-19, a processor");
	has("Memory_Bound  ", "<==");
	has("\n7 ", "600");
	has("more rows", "and 12 more rows");
	has_not("q quit");
	has_not(blank_at_end);
	has_not("\n>");
}

/* Appends the screen to @out, below the title @what, without blanks at the ends of lines. */
static void add_screen(FILE *out, const char *what)
{
	char *line, *rest = text, *last;

	fprintf(out, "[%s]\n", what);
	while ((line = strsep(&rest, "\n"))) {
		for (last = line + strlen(line); last > line && last[-1] == ' '; last--)
			;
		if (rest || *line)
			fprintf(out, "%.*s\n", (int)(last - line), line);
	}
}

TEST_BETWEEN(the_screen_is_as_in_the_text, begin, end)
{
	struct bpmu_error err;
	char *all_screens = NULL;
	size_t size;
	FILE *out = open_memstream(&all_screens, &size);

	assert_non_null(out);
	draw(24, 80);
	add_screen(out, "24 lines of 80 columns");
	draw(24, 110);
	add_screen(out, "with bars");
	draw(10, 40);
	add_screen(out, "small");
	draw_both(30, false);
	add_screen(out, "two core types");
	state.frozen = true;
	state.follow = true;
	view.lost = 3;
	strcpy(view.note, "unload it");
	draw(24, 100);
	add_screen(out, "frozen, with losses and a note");
	state.help = true;
	draw(30, 80);
	add_screen(out, "keys");
	state.help = false;
	state.frozen = false;
	state.follow = false;
	fputs("[not on a terminal]\n", out);
	assert_int_equal(bpmu_top_plain(out, &view, &state, &err), 0);
	fclose(out);
	unit_text("top", all_screens);
}

static bool is_heading(const char *word)
{
	static const char *const others[] = {
		"CPU", "core", "die", "socket", "MHz", "loss", "flagged"
	};
	const char *name, *found;
	size_t i, n = strlen(word);

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(word, others[i]))
			return true;
	for (i = 0; i < all.metrics.nr; i++) {
		name = all.metrics.metric[i].name;
		found = strstr(name, word);
		if (found && (found == name || found[-1] == '_') &&
		    (!found[n] || found[n - 1] == '_'))
			return true;
	}
	return false;
}

/*
 * Checks that no word in the headings of the table of CPUs is cut off. The last heading is "loss".
 */
static void headings_are_whole(void)
{
	char *end = strstr(text, "loss"), *begin, *word, *rest;
	char both[1024];
	size_t n;

	assert_non_null(end);
	end += strcspn(end, "\n");
	for (begin = end; begin > text && begin[-1] != '\n'; begin--)
		;
	/*
	 * The line above the headings may be a second line of headings, an empty line, or the line
	 * of a node.
	 */
	rest = begin - 1;
	while (rest > text && rest[-1] != '\n')
		rest--;
	if (rest < begin && !strncmp(rest, "      ", 6) && rest[6] == ' ')
		begin = rest;
	snprintf(both, sizeof(both), "%.*s", (int)(end - begin), begin);
	for (word = strtok_r(both, "\n ", &rest); word;
	     word = strtok_r(NULL, "\n ", &rest)) {
		n = strlen(word);
		if (n && strchr("v^", word[n - 1]))
			word[n - 1] = 0;
		if (!is_heading(word))
			fail_msg("%d columns: heading '%s':\n%s",
				 screen.columns, word, text);
	}
}

/*
 * Checks that the line of a node has the node's name and @number. After the number the line may
 * have only texts of @parts, none of them cut off. NULL ends @parts.
 */
static void node_is_whole(const char *name, const char *number,
			  const char *const *parts)
{
	const char *line = line_with(name), *at, *part;
	char word[128];
	int i, n;

	assert_non_null(line);
	at = strstr(line, number);
	if (!at)
		fail_msg("%d columns: no '%s':\n%s", screen.columns, number,
			 line);
	for (at += strlen(number); *at; at += n) {
		at += strspn(at, " ");
		part = strstr(at, "  ");
		n = part ? (int)(part - at) : (int)strlen(at);
		/*
		 * After @number and the texts of @parts the line has only blanks, or the bar of the
		 * node.
		 */
		if (!n || *at == '#')
			break;
		if (!part && at[n - 1] == ' ')
			snprintf(word, sizeof(word), "%.*s", n - 1, at);
		else
			snprintf(word, sizeof(word), "%.*s", n, at);
		for (i = 0; parts[i] && strcmp(word, parts[i]); i++)
			;
		if (!parts[i])
			fail_msg("%d columns: '%s' in:\n%s", screen.columns,
				 word, line);
	}
}

/* At any width of the screen a word is either whole or absent. */
TEST_BETWEEN(draws_complete_words_or_none, begin, end)
{
	static const char *const parts[] = {
		"% of clocks", "+- 3.4", "<==", "(mixed-groups, erratum)", NULL
	};
	struct bpmu_tree_value *memory = &values[node("Memory_Bound")];
	char label[16];
	unsigned int i;
	int columns, by;

	memory->flags = BPMU_VALUE_MIXED | BPMU_VALUE_ERRATUM;
	view.nr_rows = CPUS_MAX;
	for (i = 0; i < CPUS_MAX; i++)
		snprintf(labels[i], sizeof(labels[i]), "S%u-D0-C%u", i / 128,
			 i % 128);
	state.by = BPMU_ROWS_CORE;
	for (by = BPMU_TOP_BY_NUMBER; by < 3; by++)
		for (columns = 40; columns <= 200; columns++) {
			state.column = by < 0 ? by : node(by == 0 ?
				       "Frontend_Bound" : by == 1 ?
				       "Backend_Bound" : "Memory_Bound");
			state.cursor = node(by & 1 ? "Memory_Bound" :
						     "Frontend_Bound");
			state.first_row = 130;
			draw(24, columns);
			node_is_whole("+ Memory_B", "50.0", parts);
			has("+ Memory_B", "<==");
			headings_are_whole();
			snprintf(label, sizeof(label), "\n%s ",
				 labels[order[state.first_row]]);
			has(label, " 1000 ");
		}
	draw(24, 200);
	has("+ Memory_B", "+- 3.4  <==  (mixed-groups, erratum)  ####");
}

/* PgUp and PgDn move the table by as many CPUs as the screen shows. They reach all CPUs. */
TEST_BETWEEN(pages_reach_all_rows, begin, end)
{
	bool seen[CPUS_MAX] = { };
	unsigned int i, pages;
	char wanted[16];

	view.nr_rows = CPUS_MAX;
	state.column = BPMU_TOP_BY_NUMBER;
	for (pages = 0; pages < 40; pages++) {
		draw(30, 80);
		for (i = 0; i < CPUS_MAX; i++) {
			snprintf(wanted, sizeof(wanted), "\n%u ", i);
			seen[i] |= !!line_with(wanted);
		}
		if (!pages) {
			has("CPUv", "loss");
			has("q quit", "PgUp PgDn rows 1-");
			has("q quit", " of 256");
			assert_true(seen[0] && seen[1] && !seen[255]);
		}
		bpmu_top_press(&state, BPMU_TOP_PAGE_DOWN);
	}
	for (i = 0; i < CPUS_MAX; i++)
		assert_true(seen[i]);
	draw(30, 80);
	has("q quit", "-256 of 256");
	assert_true(state.page > 5);
	bpmu_top_press(&state, BPMU_TOP_REVERSE);
	state.first_row = 0;
	draw(30, 80);
	has("\n255 ", "1000");
	has("CPU^", "loss");
	row[77].mhz = 3000;
	state.column = BPMU_TOP_BY_MHZ;
	state.reverse = false;
	draw(30, 80);
	has("loss", "MHzv");
	assert_int_equal(order[0], 77);
}

TEST_FIXTURE(setup)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return 0;
}

TEST_BETWEEN(hints_leave_room_for_the_visible_rows, begin, end)
{
	static const char *const hints[] = { "one", "two" };
	struct bpmu_error err;

	assert_int_equal(bpmu_top_screen_resize(&screen, 1, 14, &err), 0);
	bpmu_top_draw_hints(&screen, hints, 2, "seen");
	as_text();
	assert_string_equal(text, "one  two  seen\n");
	assert_int_equal(bpmu_top_screen_resize(&screen, 1, 13, &err), 0);
	bpmu_top_draw_hints(&screen, hints, 2, "seen");
	as_text();
	assert_string_equal(text, "one      seen\n");
}

TEST_GROUP(setup, NULL);
