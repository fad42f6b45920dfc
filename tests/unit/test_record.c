// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the arguments of "record": it passes the right ones to the subcommand that decides what
 * is counted, and stores the command line in the file.
 */
#include <string.h>

#include "base/array.h"
#include "evaluation.h"
#include "recording_session.h"
#include "unit.h"

/**
 * struct called - what "record" passed to the faked function that records, at its last call
 * @times: number of calls so far
 * @words: options that "record" had set, and the command to run, separated by blanks
 * @asked: command line that the file stores
 * @output: name of the file
 * @who: each sample records the task that it interrupted
 * @switch_bytes: size at which a new file begins
 * @switch_ns: time after which a new file begins
 * @max_files: number of files that are kept
 */
static struct called {
	unsigned int times;
	char words[256];
	char asked[256];
	char output[32];
	bool who;
	u64 switch_bytes;
	u64 switch_ns;
	unsigned int max_files;
} called;

static char error[512];

static const struct bpmu_option options[] = {
	{ 'e', "event", "EVENTS", "" },
	{ 'l', "level", "N", "" },
	{ 'C', "cpu", "LIST", "" },
	{ 'I', "interval", "TIME", "" },
	{ BPMU_OPTION_EXTRA, "extra", NULL, "" },
	{ BPMU_OPTION_TIMEOUT, "timeout", "TIME", "" },
	{ }
};

static void join(char *text, size_t size, char **words)
{
	size_t len = 0;

	for (; *words; words++)
		len += snprintf(text + len, size - len, "%s%s",
				len ? " " : "", *words);
}

/*
 * Appends the name and the value of an option to @words of the last call. @value is NULL if the
 * option has no value.
 */
static void add(const char *name, const char *value)
{
	size_t len = strlen(called.words);

	snprintf(called.words + len, sizeof(called.words) - len, " %s%s%s", name,
		 value ? " " : "", value ?: "");
}

static int set(void *call, int id, const char *value, struct bpmu_error *err)
{
	const struct bpmu_option *o = options;
	char text[BPMU_OPTION_TEXT];

	(void)call;
	(void)err;
	while (o->id != id)
		o++;
	bpmu_given_text(&(const struct bpmu_given){
		.letter = id < BPMU_OPTION_LONG ? id : 0, .name = o->name }, text);
	add(text, value);
	return 0;
}

static void begin(void *call, const struct bpmu_options *initial)
{
	const struct bpmu_recorder *recorder = initial->recorder;

	(void)call;
	called.times++;
	if (!recorder)
		return;
	join(called.asked, sizeof(called.asked), recorder->asked);
	strcpy(called.output, recorder->name);
	called.who = recorder->who;
	called.switch_bytes = recorder->switch_bytes;
	called.switch_ns = recorder->switch_ns;
	called.max_files = recorder->max_files;
}

static int check(void *call, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	int i;

	(void)call;
	(void)err;
	if (operands->nr)
		add("--", NULL);
	for (i = 0; i < operands->nr; i++)
		add(operands->word[i], NULL);
	return 0;
}

#define RUN(of) \
	static int run_##of(struct bpmu_ctx *ctx, void *call) \
	{ \
		char words[sizeof(called.words)]; \
		(void)ctx; \
		(void)call; \
		strcpy(words, called.words); \
		snprintf(called.words, sizeof(called.words), "%.15s%.200s", #of, words); \
		return 7; \
	} \
	const struct bpmu_evaluation bpmu_evaluation_##of = { \
		.options = &(const struct bpmu_option_table){ \
			.command = #of, .option = options, .set = set, \
		}, \
		.size = sizeof(void *), .begin = begin, .check = check, .run = run_##of, \
	}

/*
 * These fakes replace the subcommands that evaluate counts, and keep the options and words that
 * they were given.
 */
RUN(stat);
RUN(topdown);
RUN(cpistack);
RUN(phi);

int bpmu_fail(const struct bpmu_ctx *ctx, int status)
{
	strcpy(error, ctx->err.text);
	return status;
}

static const struct bpmu_evaluation *find(const char *name)
{
	static const struct {
		const char *name;
		const struct bpmu_evaluation *evaluation;
	} all[] = {
		{ "stat", &bpmu_evaluation_stat }, { "topdown", &bpmu_evaluation_topdown },
		{ "cpistack", &bpmu_evaluation_cpistack }, { "phi", &bpmu_evaluation_phi },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(name, all[i].name))
			return all[i].evaluation;
	return NULL;
}

static int record(const char *text)
{
	struct bpmu_ctx ctx = { .evaluation = find };
	char copy[256];
	char *argv[32] = { NULL };
	int argc = 0;
	char *word;

	memset(&called, 0, sizeof(called));
	*error = '\0';
	strcpy(copy, text);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return bpmu_cmd_record(&ctx, argc, argv);
}

static void is(const char *text, const char *words, const char *asked)
{
	assert_int_equal(record(text), 7);
	assert_int_equal(called.times, 1);
	assert_string_equal(called.words, words);
	assert_string_equal(called.asked, asked);
	assert_string_equal(called.output, "f");
}

TEST(options_choose_the_subcommand)
{
	is("record -o f", "stat -I 10ms", "stat");
	is("record -o f -e cycles -- ls -l",
	   "stat -e cycles -I 10ms -- ls -l", "stat -e cycles");
	is("record -o f --topdown 3 --extra -C 1",
	   "topdown -l 3 --extra -I 10ms -C 1", "topdown -l 3 --extra");
	is("record -o f --phi -I 5", "phi -I 10ms -I 5", "phi");
	is("record -o f --cpistack -C 0-3 --timeout 2s ls",
	   "cpistack -I 10ms -C 0-3 --timeout 2s -- ls", "cpistack");
}

static void refused(const char *text, const char *why)
{
	assert_int_equal(record(text), BPMU_EXIT_USAGE);
	assert_int_equal(called.times, 0);
	if (!strstr(error, why))
		fail_msg("%s", error);
}

TEST(who_is_passed_on)
{
	is("record --cpistack --who -o f", "cpistack -I 10ms", "cpistack");
	assert_true(called.who);
}

TEST(sizes_and_times_of_files_are_parsed)
{
	is("record --switch-output 100M -o f", "stat -I 10ms", "stat");
	assert_int_equal(called.switch_bytes, 100 << 20);
	assert_int_equal(called.switch_ns, 0);
	is("record --switch-output=2h --switch-max-files 24 -o f",
	   "stat -I 10ms", "stat");
	assert_int_equal(called.switch_bytes, 0);
	assert_int_equal(called.switch_ns, 7200 * 1000000000ULL);
	assert_int_equal(called.max_files, 24);
	refused("record --switch-output 100 -o f", "--switch-output '100':");
	refused("record --switch-output 1Mb -o f", "--switch-output '1Mb':");
	refused("record --switch-output 1K -o f", "from 4K");
	refused("record --switch-output signal -o f", "write 100M, 2G");
	refused("record --switch-max-files 3 -o f", "add it");
	refused("record --switch-output 1h --switch-max-files 0 -o f",
		"--switch-max-files '0'");
}

TEST(refuses_contradicting_options)
{
	refused("record --cpistack --phi -o f", "do not go together");
	refused("record --cpistack --topdown 1 -o f", "do not go together");
	refused("record --cpistack -e cycles -o f", "record one of them");
	refused("record -M Retiring --cpistack -o f", "-M: not with --cpistack");
	refused("record --phi --no-multiplex -o f",
		"--no-multiplex: not with --phi");
	refused("record --cpistack", "add -o FILE");
	refused("record --cpistacks -o f", "--cpistacks");
}

/*
 * If an option is given twice, the last value counts. The options that are stored in the recording
 * come before the options of "report", so those of "report" count.
 */
TEST(evaluates_a_recording_as_it_was_requested)
{
	static char *recorded[] = { "topdown", "-l", "2", "--extra", NULL };
	struct bpmu_request request = { .recorded = recorded };
	struct bpmu_ctx ctx = { .evaluation = find };

	memset(&called, 0, sizeof(called));
	assert_int_equal(bpmu_request_option(&request, options, 'l', "3", &ctx.err), 0);
	assert_int_equal(bpmu_request_run(&request, &ctx), 7);
	assert_string_equal(called.words, "topdown -l 2 --extra -l 3");
	assert_string_equal(recorded[1], "-l");
	bpmu_request_free(&request);
}

/*
 * Another version of barepmu made the recording, by a subcommand that this version does not know.
 */
TEST(refuses_an_unknown_subcommand_of_a_recording)
{
	static char *recorded[] = { "tomorrow", "-l", "2", NULL };
	const struct bpmu_request request = { .recorded = recorded };
	struct bpmu_ctx ctx = { .evaluation = find };

	memset(&called, 0, sizeof(called));
	assert_int_equal(bpmu_request_run(&request, &ctx), BPMU_EXIT_FAILED);
	assert_int_equal(called.times, 0);
	assert_non_null(strstr(error, "'tomorrow'"));
}
