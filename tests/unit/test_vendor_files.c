// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the choice of files in a folder with the layout of Intel's perfmon repository: the files
 * for this CPU are loaded.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/csv.h"
#include "metric/metric_expr.h"
#include "unit.h"
#include "vendor/vendor.h"

static char folder[] = "/tmp/barepmu-files-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[256];
	char *slash;
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (slash = strchr(path + strlen(folder) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
}

#define EVENTS(name) "{\"Events\": [{\"EventName\": \"" name "\", " \
	"\"EventCode\": \"0x01\", \"UMask\": \"0x01\", \"Counter\": \"0\"}]}"
#define METRICS "{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"1\"}]}"

static const char map[] =
	"\357\273\277GenuineIntel-6-8F,V1,/SPR/a.json,core,,,\n"
	"Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n"
	"GenuineIntel-6-CF,V1,/EMR/b.json,core,,,\n"
	"GenuineIntel-6-55-[01234],V1,/SKX/a.json,core,,,\n"
	"GenuineIntel-6-55-[56789ABCDEF],V1,/CLX/b.json,core,,,\n"
	"GenuineIntel-6-AD,V1,/GNR/a.json,core,,,\n"
	"GenuineIntel-6-AD,V1,/GNR/r.json,retire latency,,,\n"
	"GenuineIntel-6-AD,V1,/GNR/f.json,fp_arith_inst,,,\n"
	"GenuineIntel-6-AE,V1,/GNR/a.json,core,,,\n"
	"GenuineIntel-6-AE,V1,/GNR/m.json,metrics,,,\n"
	"GenuineIntel-6-97,V1,/ADL/p.json,hybridcore,0x40,0x000001,Core\n"
	"GenuineIntel-6-97,V1,/ADL/e.json,hybridcore,0x20,0x000001,Atom\n"
	"GenuineIntel-6-C5,V1,/ARL/skt.json,hybridcore,0x20,0x000003,Atom\n"
	"GenuineIntel-6-C5,V1,/ARL/cmt.json,hybridcore,0x20,0x000002,LowPower_Atom\n"
	"GenuineIntel-6-C5,V1,/ARL/lnc.json,hybridcore,0x40,0x000003,Core\n"
	"GenuineIntel-6-C5,V1,/ARL/u.json,uncore,,,\n"
	"GenuineIntel-18-1,V1,/NVL/p.json,hybridcore,0x40,0x000005,Core\n";

static const struct {
	const char *part;
	struct bpmu_cpu_id cpu;
	u8 stepping;
	u32 native;
	const char *files;
} cases[] = {
	/*
	 * Several CPU models have one name in barepmu, and one platform in Intel's files. Each of
	 * these models gets the files of that platform.
	 */
	{ "spr", .files = "/SPR/a.json" },
	{ "skx", .files = "/SKX/a.json" },
	{ "gnr", .files = "/GNR/a.json /GNR/r.json /GNR/m.json" },
	{ "adl", .files = "/ADL/p.json" },
	{ "adl-e", .files = "/ADL/e.json" },
	/* A model with a platform of its own gets only the files of its own platform. */
	{ "spr", { BPMU_VENDOR_INTEL, 6, 0xcf }, .files = "/EMR/b.json" },
	{ "skx", { BPMU_VENDOR_INTEL, 6, 0x55 }, 7, .files = "/CLX/b.json" },
	{ "arch", { BPMU_VENDOR_INTEL, 6, 0xc5, .core = 0x20 }, 0, 3,
	  "/ARL/skt.json /ARL/u.json" },
	{ "arch", { BPMU_VENDOR_INTEL, 6, 0xc5, .core = 0x20 }, 0, 2,
	  "/ARL/cmt.json /ARL/u.json" },
	{ "arch", { BPMU_VENDOR_INTEL, 6, 0xc5, .core = 0x20 }, 0, 0,
	  "/ARL/skt.json /ARL/u.json" },
	{ "arch", { BPMU_VENDOR_INTEL, 6, 0xc5, .core = 0x40 }, 0, 3,
	  "/ARL/lnc.json /ARL/u.json" },
	{ "arch", { BPMU_VENDOR_INTEL, 18, 1, .core = 0x40 }, 0, 5,
	  "/NVL/p.json" },
};

static void check(const struct bpmu_vendor_set *v, const char *path,
		  const char *wanted)
{
	struct bpmu_vendor_files files;
	struct bpmu_error err;
	char found[512] = "";
	size_t i;

	if (bpmu_vendor_files_find(&files, v, path, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < files.nr; i++) {
		assert_true(!strncmp(files.name[i], path, strlen(path)));
		strcat(strcat(found, i ? " " : ""),
		       files.name[i] + strlen(path));
	}
	assert_string_equal(found, wanted);
	bpmu_vendor_files_free(&files);
}

TEST(mapfile_chooses_the_files)
{
	struct bpmu_vendor_set v;
	size_t i;

	write_file("mapfile.csv", map);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		v = (struct bpmu_vendor_set){
			.part = bpmu_part_by_name(cases[i].part),
			.cpu = cases[i].cpu,
			.stepping = cases[i].stepping,
			.native = cases[i].native,
		};
		check(&v, folder, cases[i].files);
	}
}

TEST(a_line_without_an_end_is_refused)
{
	const struct bpmu_vendor_set v = { .part = bpmu_part_by_name("spr") };
	struct bpmu_vendor_files files;
	struct bpmu_error err;
	char *text = calloc(1, BPMU_CSV_LINE_MAX + 2), says[256];

	assert_non_null(text);
	memset(text, 'a', BPMU_CSV_LINE_MAX + 1);
	write_file("mapfile.csv", text);
	free(text);
	assert_int_equal(bpmu_vendor_files_find(&files, &v, folder, &err), -EFBIG);
	snprintf(says, sizeof(says),
		 "%s/mapfile.csv: a line is longer than 1 MiB; fetch the file again", folder);
	assert_string_equal(err.text, says);
	bpmu_vendor_files_free(&files);
	write_file("mapfile.csv", map);
}

/*
 * If the folder has no mapfile.csv, the names of the files alone say for which core type they are.
 */
TEST(names_choose_the_core_type)
{
	struct bpmu_vendor_set v = { .part = bpmu_part_by_name("adl") };
	char path[256];

	snprintf(path, sizeof(path), "%s/hybrid", folder);
	write_file("hybrid/x_crestmont_core.json", EVENTS("A"));
	write_file("hybrid/x_lioncove_core.json", EVENTS("B"));
	write_file("hybrid/x_skymont_core.json", EVENTS("C"));
	write_file("hybrid/x_uncore.json", EVENTS("D"));
	check(&v, path, "/x_lioncove_core.json /x_uncore.json");
	v.part = bpmu_part_by_name("adl-e");
	check(&v, path, "/x_skymont_core.json /x_uncore.json");
	v.part = bpmu_part_by_name("arch");
	check(&v, path, "/x_lioncove_core.json /x_uncore.json");
	v.part = bpmu_part_by_name("skl");
	check(&v, path, "/x_lioncove_core.json /x_uncore.json");
}

/* Both cores of a hybrid CPU have names; the other core type's file is left out. */
TEST(each_core_has_its_type)
{
	static const struct {
		const char *core;
		bool big;
	} cores[] = {
		{ "coyotecove", true }, { "cougarcove", true }, { "lioncove", true },
		{ "redwoodcove", true }, { "goldencove", true }, { "arcticwolf", false },
		{ "darkmont", false }, { "skymont", false }, { "crestmont", false },
		{ "gracemont", false },
	};
	struct bpmu_vendor_set v = { .part = NULL };
	char path[256], name[64], wanted[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cores); i++) {
		snprintf(name, sizeof(name), "core%zu/x_%s_core.json", i, cores[i].core);
		write_file(name, EVENTS("A"));
		snprintf(name, sizeof(name), "core%zu/y_%s_core.json", i,
			 cores[i].big ? "skymont" : "lioncove");
		write_file(name, EVENTS("B"));
		snprintf(path, sizeof(path), "%s/core%zu", folder, i);
		snprintf(wanted, sizeof(wanted), "/x_%s_core.json", cores[i].core);
		v.part = bpmu_part_by_name(cores[i].big ? "adl" : "adl-e");
		check(&v, path, wanted);
	}
	/* A file alone is kept, whichever core it is for. */
	write_file("alone/x_Skymont_core.json", EVENTS("A"));
	snprintf(path, sizeof(path), "%s/alone", folder);
	v.part = bpmu_part_by_name("adl");
	check(&v, path, "/x_Skymont_core.json");
}

TEST(files_of_events_and_metrics_are_chosen_by_their_type)
{
	const struct bpmu_vendor_set v = { .part = bpmu_part_by_name("skl") };
	char path[256];

	write_file("types/mapfile.csv",
		   "GenuineIntel-6-4E,V1,/a.json,core,,,\n"
		   "GenuineIntel-6-4E,V1,b.json,HybridCore,,,\n"
		   "GenuineIntel-6-4E,V1,//c.JSON,uncore,,,\n"
		   "GenuineIntel-6-4E,V1,/d.json,uncore experimental,,,\n"
		   "GenuineIntel-6-4E,V1,/e.json,metrics,,,\n"
		   "GenuineIntel-6-4E,V1,/f.json,retire latency\n"
		   "GenuineIntel-6-4E,V1,/a.json,core,,,\n"
		   "GenuineIntel-6-4E,V1,/g.json,core matrix,,,\n"
		   "GenuineIntel-6-4E,V1,/h.tsv,core,,,\n"
		   "GenuineIntel-6-4E,V1,.json,core,,,\n"
		   "GenuineIntel-6-5E,V1,/other.json,core,,,\n"
		   "AuthenticAMD-6-4E,V1,/i.json,core,,,\n"
		   "GenuineIntel-6-4E,V1\n");
	snprintf(path, sizeof(path), "%s/types", folder);
	check(&v, path, "/a.json /b.json /c.JSON /d.json /e.json /f.json");
}

static void refused(const struct bpmu_vendor_set *v, const char *name, int code, const char *says)
{
	struct bpmu_vendor_files files;
	char path[256], text[512];
	struct bpmu_error err;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(text, sizeof(text), "%s%s", path, says);
	assert_int_equal(bpmu_vendor_files_find(&files, v, path, &err), code);
	assert_string_equal(err.text, text);
	bpmu_vendor_files_free(&files);
	assert_int_equal(files.nr, 0);
	assert_null(files.name);
}

TEST(folders_without_files_of_the_cpu_are_refused)
{
	struct bpmu_vendor_set v = { .part = bpmu_part_by_name("ivb") };
	struct bpmu_vendor_files files;
	struct bpmu_error err;
	char path[256];

	write_file("mapped/mapfile.csv", map);
	refused(&v, "mapped", -ENOENT,
		"/mapfile.csv: has no file for Intel Ivy Bridge; name the file itself");
	write_file("empty/.hidden.json", EVENTS("A"));
	write_file("empty/a.jsonx", EVENTS("A"));
	write_file("empty/.json/a.json", EVENTS("A"));
	refused(&v, "empty", -ENOENT,
		": no *.json there; name a directory with event and metric files");
	refused(&v, "nothing", -ENOENT,
		": cannot be read: No such file or directory; name a file or a directory that can be");
	/* A file that is named is taken, whatever its name is. */
	snprintf(path, sizeof(path), "%s/empty/a.jsonx", folder);
	assert_int_equal(bpmu_vendor_files_find(&files, &v, path, &err), 0);
	assert_int_equal(files.nr, 1);
	assert_string_equal(files.name[0], path);
	assert_false(files.searched);
	bpmu_vendor_files_free(&files);
}

/* A folder that a link leads back to would otherwise be searched for ever. */
TEST(folders_are_searched_to_the_fourth_below)
{
	struct bpmu_vendor_set v = { .part = bpmu_part_by_name("skl") };
	char path[256];

	snprintf(path, sizeof(path), "%s/deep", folder);
	write_file("deep/1/2/3/4/a_core.json", EVENTS("A"));
	write_file("deep/1/2/3/4/5/b_core.json", EVENTS("B"));
	check(&v, path, "/1/2/3/4/a_core.json");
}

static struct bpmu_value no_name(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return (struct bpmu_value){ .known = false };
}

/*
 * A file of the folder is not loaded if it has neither events nor metrics, or if its metrics are
 * for another variant of this CPU model.
 */
TEST(other_files_are_not_loaded)
{
	struct bpmu_vendor_set v = { .part = NULL };
	struct bpmu_value value;
	struct bpmu_error err;
	char path[256];

	snprintf(path, sizeof(path), "%s/others", folder);
	write_file("others/a_matrix.json",
		   "{\"Events\": [{\"MATRIX_VALUE\": \"0x1\"}]}");
	write_file("others/b_fp_arith_inst.json",
		   "{\"Events\": [{\"BitName\": \"A\", \"BitIndex\": \"0\"}]}");
	write_file("others/c_core.json", EVENTS("A.B"));
	write_file("others/d_metrics.json",
		   "{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"2 * a\", \"Events\": [{\"Name\": \"A.B:retire_latency\", \"Alias\": \"a\"}]}]}");
	write_file("others/e_hbm_metrics.json", METRICS);
	write_file("others/f_retire_latency.json",
		   "{\"Data\": {\"A.B\": {\"MIN\": 1, \"MAX\": 9, \"MEAN\": 4.5}}}");
	write_file("others/perf/g_metrics_perf.json", "[{\"MetricName\": \"m\"}]");
	if (bpmu_vendor_load(&v, path, bpmu_part_by_name("gnr"), &err))
		fail_msg("%s", err.text);
	assert_non_null(bpmu_vendor_row(&v, "A.B"));
	assert_int_equal(v.metrics.nr, 1);
	assert_null(v.note[0].why);
	value = unit_value(NULL, v.metrics.metric[0].expr, no_name, NULL);
	assert_true(value.known && value.number == 9);
	bpmu_vendor_free(&v);
}

TEST_FIXTURE(set_up)
{
	return mkdtemp(folder) ? 0 : -1;
}

TEST_FIXTURE(tear_down)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

TEST_GROUP(set_up, tear_down);
