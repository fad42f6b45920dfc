// SPDX-License-Identifier: GPL-2.0
#include "vendor.h"

#include <cpuid.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/csv.h"
#include "event/event_core.h"
#include "event/event_name.h"
#include "event/this_cpu.h"
#include "events.h"
#include "intel.h"
#include "vendor_json.h"

#define MAPFILE "mapfile.csv"
#define DEPTH_MOST 4
#define COLUMNS 6

enum column {
	COLUMN_CPU,
	COLUMN_VERSION,
	COLUMN_FILE,
	COLUMN_TYPE,
	COLUMN_CORE,
	COLUMN_NATIVE
};

/**
 * struct search - state of searching the lines of mapfile.csv that are for a CPU
 * @v: only its CPU model and stepping are used
 * @id: family, models and core type of the CPU
 * @native: native model number of the CPU's cores (CPUID leaf 0x1A), 0 until it is known
 */
struct search {
	const struct bpmu_vendor_set *v;
	struct bpmu_cpu_id id;
	unsigned long native;
};

static int vendor_failed(const char *path, struct bpmu_error *err)
{
	return bpmu_error_set(err, -errno,
			      "%s: cannot be read: %s; name a file or a directory that can be",
			      path, strerror(errno));
}

/*
 * Appends the file name @name. Returns -ENOMEM if @name is NULL, or if out of memory. The caller
 * must not free @name, even after an error.
 */
static int vendor_add(struct bpmu_vendor_files *files, char *name)
{
	char **grown = NULL;

	if (name)
		grown = reallocarray(files->name, files->nr + 1,
				     sizeof(*grown));
	if (!grown) {
		free(name);
		return -ENOMEM;
	}
	files->name = grown;
	grown[files->nr++] = name;
	return 0;
}

static bool is_json(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && !strcasecmp(name + len - 5, ".json");
}

static char *vendor_join(const char *directory, const char *name)
{
	char *path;

	name += strspn(name, "/");
	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/*
 * Checks if a pattern of mapfile.csv matches the family of the CPU and @model. A pattern has the
 * vendor, the family, the model in hexadecimal, and sometimes steppings: "GenuineIntel-6-55" or
 * "GenuineIntel-6-55-[01234]".
 */
static bool vendor_is_model(const struct search *s, u8 model, const char *pattern)
{
	static const char *const forms[] = {
		"GenuineIntel-%u-%02X", "GenuineIntel-%u-%X",
		"GenuineIntel-%u-%02X-%X", "GenuineIntel-%u-%X-%X",
	};
	char name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		snprintf(name, sizeof(name), forms[i], s->id.family, model,
			 s->v->stepping);
		if (!fnmatch(pattern, name, FNM_CASEFOLD))
			return true;
	}
	return false;
}

/*
 * Checks if a line of mapfile.csv is for the core type @s->id.core. @core and @native are columns
 * of the line: core type, and native model number of the cores. @s->native is the native model
 * number of the CPU's cores of this type. It is 0 if this program runs on a core of another type,
 * because CPUID tells only the number of the core that executes it. The number in the first line
 * of the searched core type is then assumed, because most CPUs have this number.
 */
static bool is_core(struct search *s, const char *core, const char *native)
{
	unsigned long number = strtoul(native, NULL, 0);

	if (!*core)
		return true;
	if (strtoul(core, NULL, 0) != s->id.core)
		return false;
	if (!s->native)
		s->native = number;
	return !number || number == s->native;
}

static bool is_cpu(struct search *s, const char *const *column)
{
	unsigned int model = s->id.model;

	do {
		if (vendor_is_model(s, model, column[COLUMN_CPU]))
			return is_core(s, column[COLUMN_CORE],
				       column[COLUMN_NATIVE]);
	} while (++model <= s->id.last);
	return false;
}

static bool is_file_type(const char *type)
{
	static const char *const types[] = {
		"core", "hybridcore", "uncore", "uncore experimental",
		"metrics", "retire latency"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcasecmp(type, types[i]))
			return true;
	return false;
}

static bool known(const struct bpmu_vendor_files *files, const char *path)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		if (!strcmp(files->name[i], path))
			return true;
	return false;
}

/*
 * Adds the file that a line of mapfile.csv names, if the line is for the CPU @s->id. The columns of
 * a line are: CPU, version, file, type, core type, native model number.
 */
static int vendor_add_line(struct bpmu_vendor_files *files, struct search *s,
			   const char *directory, char *line)
{
	const char *column[COLUMNS] = { "", "", "", "", "", "" };
	struct bpmu_csv_field field[COLUMNS];
	unsigned int i, nr;
	char *path;

	nr = bpmu_csv_split(line, ',', NULL, field, COLUMNS);
	for (i = 0; i < nr; i++)
		column[i] = field[i].text;
	if (!is_file_type(column[COLUMN_TYPE]) || !is_json(column[COLUMN_FILE]) ||
	    !is_cpu(s, column))
		return 0;
	path = vendor_join(directory, column[COLUMN_FILE]);
	if (path && known(files, path)) {
		free(path);
		return 0;
	}
	return vendor_add(files, path);
}

/*
 * Adds the files that mapfile.csv lists for the CPU @s->id. Returns -EFBIG if a line is too long.
 */
static int vendor_read_lines(struct bpmu_vendor_files *files, struct search *s,
			     const char *directory, FILE *stream)
{
	struct bpmu_csv csv = { .file = stream };
	int ret = 0;

	rewind(stream);
	while (!ret && bpmu_csv_next(&csv))
		ret = vendor_add_line(files, s, directory, csv.line);
	if (csv.too_long)
		ret = -EFBIG;
	free(csv.line);
	return ret;
}

static bool vendor_share(const struct bpmu_vendor_files *a,
			 const struct bpmu_vendor_files *b)
{
	size_t i;

	for (i = 0; i < b->nr; i++)
		if (known(a, b->name[i]))
			return true;
	return false;
}

/*
 * Adds @more to @files. @files has the files for some CPUs of a microarchitecture, @more those for
 * another CPU of the same microarchitecture. Nothing is added if @files and @more have no file in
 * common: the other CPU is then of another platform, with another uncore.
 */
static int join_files(struct bpmu_vendor_files *files,
		      const struct bpmu_vendor_files *more)
{
	size_t i;
	int ret = 0;

	if (files->nr && !vendor_share(files, more))
		return 0;
	for (i = 0; i < more->nr && !ret; i++)
		if (!known(files, more->name[i]))
			ret = vendor_add(files, strdup(more->name[i]));
	return ret;
}

static int read_model(struct bpmu_vendor_files *files,
		      const struct bpmu_vendor_set *v,
		      const struct bpmu_cpu_id *id, const char *directory,
		      FILE *stream)
{
	struct bpmu_vendor_files more = { .nr = 0 };
	struct search s = { .v = v, .id = *id };
	int ret;

	/* The CPU that executes this code may be of another core type than the requested one. */
	if (bpmu_event_core_of(v->part))
		s.id.core = bpmu_event_core_of(v->part);
	if (id == &v->cpu && s.id.core == v->cpu.core)
		s.native = v->native;
	ret = vendor_read_lines(&more, &s, directory, stream);
	if (!ret)
		ret = join_files(files, &more);
	bpmu_vendor_files_free(&more);
	return ret;
}

/*
 * Adds the files for the CPU @v->cpu. If @v->cpu is not set, adds the files for all CPUs with the
 * descriptor @v->part.
 */
static int read_mapfile(struct bpmu_vendor_files *files,
			const struct bpmu_vendor_set *v, const char *directory,
			FILE *stream, struct bpmu_error *err)
{
	const struct bpmu_cpu_id *id;
	int ret = 0;

	if (v->cpu.vendor == BPMU_VENDOR_INTEL)
		ret = read_model(files, v, &v->cpu, directory, stream);
	for (id = v->part->ids; !v->cpu.vendor && !ret && id->vendor; id++)
		if (id->vendor == BPMU_VENDOR_INTEL)
			ret = read_model(files, v, id, directory, stream);
	if (ret == -EFBIG)
		return bpmu_error_set(err, ret,
				      "%s/" MAPFILE ": a line is longer than %u MiB; fetch the file again",
				      directory, BPMU_CSV_LINE_MAX >> 20);
	if (ret)
		return bpmu_error_set(err, ret, "%s: no memory; free some",
				      directory);
	if (files->nr)
		return 0;
	return bpmu_error_set(err, -ENOENT,
			      "%s/" MAPFILE ": has no file for %s; name the file itself",
			      directory, v->part->title);
}

/* Core types by the name of the core in the name of an event file, newer cores first. */
static const struct {
	const char *name;
	enum bpmu_core core_type;
} cores[] = {
	{ "_coyotecove_core.", BPMU_CORE_PERFORMANCE },
	{ "_cougarcove_core.", BPMU_CORE_PERFORMANCE },
	{ "_lioncove_core.", BPMU_CORE_PERFORMANCE },
	{ "_redwoodcove_core.", BPMU_CORE_PERFORMANCE },
	{ "_goldencove_core.", BPMU_CORE_PERFORMANCE },
	{ "_arcticwolf_core.", BPMU_CORE_EFFICIENT },
	{ "_darkmont_core.", BPMU_CORE_EFFICIENT },
	{ "_skymont_core.", BPMU_CORE_EFFICIENT },
	{ "_crestmont_core.", BPMU_CORE_EFFICIENT },
	{ "_gracemont_core.", BPMU_CORE_EFFICIENT },
};

static bool has_core(const struct bpmu_vendor_files *files, size_t core)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		if (strcasestr(files->name[i], cores[core].name))
			return true;
	return false;
}

static void drop(struct bpmu_vendor_files *files, size_t core)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		if (strcasestr(files->name[i], cores[core].name))
			free(files->name[i]);
		else
			files->name[nr++] = files->name[i];
	}
	files->nr = nr;
}

/*
 * Removes the files for the core types that are not measured. The folder of a hybrid CPU has files
 * for all its core types. Without mapfile.csv only the core's name in a file name tells for which
 * core type the file is. A file without a core's name is kept.
 */
static void keep_one_core(struct bpmu_vendor_files *files,
			  const struct bpmu_vendor_set *v)
{
	enum bpmu_core core_type = bpmu_event_core_of(v->part);
	bool found = false;
	size_t i;

	if (core_type == BPMU_CORE_ANY)
		core_type = v->cpu.core ? v->cpu.core : BPMU_CORE_PERFORMANCE;
	for (i = 0; i < ARRAY_SIZE(cores); i++)
		found |= cores[i].core_type == core_type && has_core(files, i);
	for (i = 0; found && i < ARRAY_SIZE(cores); i++) {
		if (!has_core(files, i))
			continue;
		if (cores[i].core_type == core_type)
			core_type = BPMU_CORE_ANY;
		else
			drop(files, i);
	}
}

static int vendor_search(struct bpmu_vendor_files *files, const char *directory,
			 int depth, struct bpmu_error *err);

static int add_entry(struct bpmu_vendor_files *files, const char *directory,
		     const char *name, int depth, struct bpmu_error *err)
{
	char *path = vendor_join(directory, name);
	struct stat info;
	int ret = 0;

	if (!path)
		return bpmu_error_no_memory(err, directory);
	if (stat(path, &info)) {
		ret = vendor_failed(path, err);
	} else if (S_ISDIR(info.st_mode)) {
		ret = depth < DEPTH_MOST ? vendor_search(files, path, depth + 1, err) :
					   0;
	} else if (is_json(name)) {
		if (!vendor_add(files, path))
			return 0;
		return bpmu_error_no_memory(err, directory);
	}
	free(path);
	return ret;
}

static int vendor_search(struct bpmu_vendor_files *files, const char *directory,
			 int depth, struct bpmu_error *err)
{
	struct dirent **entry = NULL;
	int nr = scandir(directory, &entry, NULL, alphasort);
	int ret = 0;
	int i;

	if (nr < 0)
		return vendor_failed(directory, err);
	for (i = 0; i < nr; i++) {
		if (!ret && entry[i]->d_name[0] != '.')
			ret = add_entry(files, directory, entry[i]->d_name,
					depth, err);
		free(entry[i]);
	}
	free(entry);
	return ret;
}

static int find_in(struct bpmu_vendor_files *files,
		   const struct bpmu_vendor_set *v, const char *directory,
		   struct bpmu_error *err)
{
	char *path = vendor_join(directory, MAPFILE);
	FILE *stream = path ? fopen(path, "re") : NULL;
	int ret;

	free(path);
	files->searched = true;
	if (stream) {
		ret = read_mapfile(files, v, directory, stream, err);
		fclose(stream);
		return ret;
	}
	ret = vendor_search(files, directory, 0, err);
	keep_one_core(files, v);
	if (ret || files->nr)
		return ret;
	return bpmu_error_set(err, -ENOENT,
			      "%s: no *.json there; name a directory with event and metric files",
			      directory);
}

/**
 * bpmu_vendor_files_find() - find the vendor's files for a CPU
 * @files: filled in; free it with bpmu_vendor_files_free(), on an error too
 * @v: @v->cpu is the CPU for which files are searched; if it is not set, files are searched for all
 *	CPUs with the descriptor @v->part
 * @path: a file, or a directory with or without mapfile.csv
 *
 * Return: 0, -ENOENT if no file is for the CPU, -EFBIG if a line of mapfile.csv is too long,
 * another errno of reading, or -ENOMEM.
 */
int bpmu_vendor_files_find(struct bpmu_vendor_files *files,
			   const struct bpmu_vendor_set *v, const char *path,
			   struct bpmu_error *err)
{
	struct stat info;

	memset(files, 0, sizeof(*files));
	if (stat(path, &info))
		return vendor_failed(path, err);
	if (S_ISDIR(info.st_mode))
		return find_in(files, v, path, err);
	if (vendor_add(files, strdup(path)))
		return bpmu_error_no_memory(err, path);
	return 0;
}

/**
 * bpmu_vendor_files_free() - free the list of the vendor's files for a CPU
 * @files: the names, which are freed
 */
void bpmu_vendor_files_free(struct bpmu_vendor_files *files)
{
	while (files->nr)
		free(files->name[--files->nr]);
	free(files->name);
	files->name = NULL;
}

static int refuse_event(const void *ctx, const char *name, struct bpmu_error *err)
{
	const struct bpmu_vendor_event *event = bpmu_vendor_refused(ctx, name);
	char why[BPMU_VENDOR_WHY];

	if (!event)
		return 0;
	bpmu_vendor_why(event, why, sizeof(why));
	return bpmu_error_set(err, -ENOTSUP,
			      "event '%s': %s; use another event", name, why);
}

static int vendor_start(struct bpmu_vendor_set *v, const struct bpmu_part *part,
			struct bpmu_error *err)
{
	if (v->files)
		return 0;
	v->own = *part;
	v->own.loaded = &v->loaded;
	v->loaded = (struct bpmu_events_loaded){
		.part = bpmu_part_described(part), .refuse = refuse_event, .ctx = v,
	};
	v->part = &v->own;
	v->files = json_array();
	v->event_names = json_object();
	v->metric_names = json_object();
	v->latency = json_object();
	if (!v->latency || !v->files || !v->event_names || !v->metric_names)
		return bpmu_error_no_memory(err, "event files");
	return 0;
}

static int vendor_add_events(struct bpmu_vendor_set *v, const char *file,
			     const json_t *events, struct bpmu_error *err)
{
	struct bpmu_json_at at = {
		.file = file,
		.array = "Events",
		.err = err,
	};
	int ret = 0;

	for (; !ret && at.index < json_array_size(events); at.index++) {
		ret = bpmu_json_element(&at, events);
		if (!ret)
			ret = bpmu_vendor_add_event(v, &at);
	}
	return ret;
}

/* Returns the JSON array that @root has under @key; NULL if @root has no array under @key. */
static const json_t *array_of(const json_t *root, const char *key)
{
	const json_t *array = json_object_get(root, key);

	return json_is_array(array) ? array : NULL;
}

/*
 * Checks if a file has the array "Events", but describes no events: *_matrix.json describes the
 * bits of the off-core response registers, and *_fp_arith_inst.json describes which instructions
 * the floating-point events count.
 */
static bool is_about_bits(const json_t *root)
{
	const json_t *first = json_array_get(array_of(root, "Events"), 0);

	return json_object_get(first, "MATRIX_VALUE") ||
	       json_object_get(first, "BitIndex");
}

static int vendor_check_content(const char *file, const json_t *root,
				struct bpmu_error *err)
{
	if (is_about_bits(root))
		return bpmu_error_set(err, -EINVAL,
				      "%s: describes bits of other registers, no events; name an event or metric file",
				      file);
	if (array_of(root, "Events") || array_of(root, "Metrics") ||
	    json_is_object(json_object_get(root, "Data")))
		return 0;
	return bpmu_error_set(err, -EINVAL,
			      "%s: has neither \"Events\": [...] nor \"Metrics\": [...]; name an event or metric file",
			      file);
}

/*
 * Adds the mean retire latencies of events that a file has. The vendor has measured these values.
 */
static int add_latencies(struct bpmu_vendor_set *v, const char *file,
			 const json_t *root, struct bpmu_error *err)
{
	json_t *data = json_object_get(root, "Data");
	const char *name;
	json_t *event;

	json_object_foreach(data, name, event) {
		if (!json_is_number(json_object_get(event, "MEAN")))
			return bpmu_error_set(err, -EINVAL,
					      "%s: Data.%.60s.MEAN: not a number; write the mean latency in cycles",
					      file, name);
		if (json_object_set(v->latency, name,
				    json_object_get(event, "MEAN")))
			return bpmu_error_no_memory(err, file);
	}
	return 0;
}

/*
 * Checks if an earlier file has a metric of the same name as one in @metrics. Then @file is for a
 * variant of the CPU, such as one with high-bandwidth memory, and its metrics are left out. A
 * message tells this to the user.
 */
static bool is_variant(const struct bpmu_vendor_set *v, const char *file,
		       const json_t *metrics)
{
	const char *name;
	json_t *metric;
	size_t i;

	json_array_foreach(metrics, i, metric) {
		name = json_string_value(json_object_get(metric, "MetricName"));
		if (!name || !json_object_get(v->metric_names, name))
			continue;
		fprintf(stderr,
			"barepmu: %s: left out, metric '%s' is in a file before it too; name it to have its metrics\n",
			file, name);
		return true;
	}
	return false;
}

/*
 * Reads the events and retire latencies of a file. The file's metrics are read later, because they
 * can use events of other files. @searched is true if the user has named a directory and not this
 * file: a file without events and metrics is then no error.
 */
static int load_events(struct bpmu_vendor_set *v, const char *file, bool searched,
		       struct bpmu_error *err)
{
	json_t *root = bpmu_json_load(file, err);
	int ret;

	if (!root)
		return -EINVAL;
	ret = searched ? 0 : vendor_check_content(file, root, err);
	if (json_array_append_new(v->files, root))
		return bpmu_error_no_memory(err, file);
	if (!ret && !is_about_bits(root))
		ret = vendor_add_events(v, file, array_of(root, "Events"), err);
	if (!ret)
		ret = add_latencies(v, file, root, err);
	return ret;
}

static int vendor_load_files(struct bpmu_vendor_set *v,
			     const struct bpmu_vendor_files *files,
			     struct bpmu_error *err)
{
	size_t first = json_array_size(v->files);
	const json_t *metrics;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < files->nr; i++)
		ret = load_events(v, files->name[i], files->searched, err);
	if (!ret)
		ret = bpmu_vendor_index(v, err);
	for (i = 0; !ret && i < files->nr; i++) {
		metrics = array_of(json_array_get(v->files, first + i),
				   "Metrics");
		if (files->searched && is_variant(v, files->name[i], metrics))
			continue;
		ret = bpmu_vendor_add_metrics(v, files->name[i], metrics, err);
	}
	return ret;
}

/**
 * bpmu_vendor_load() - load the vendor's files: all that they have of events and metrics
 * @v: before the first call zeroed, except for the CPU, its stepping and its native model number.
 *	Later calls keep the events and metrics of earlier calls. Free @v with bpmu_vendor_free(),
 *	also after an error, and do not move it in memory
 * @path: a file, or a directory. If the directory has a mapfile.csv, only the files that
 *	mapfile.csv lists for the CPU are loaded, else all *.json files for the CPU's core type
 * @part: CPU model of the files, the same in each call
 *
 * Afterwards use @v->part instead of @part: a copy of @part that also has the loaded events. If an
 * event of a file cannot be counted, the event parser tells the reason. Load an event file
 * before the metric files that use its events; within a directory the order does not matter.
 *
 * Return: 0, -EINVAL if a file is malformed, -EEXIST if files contradict each other, -ENOENT if no
 * file is for the CPU, another negative errno of reading, or -ENOMEM.
 */
int bpmu_vendor_load(struct bpmu_vendor_set *v, const char *path,
		     const struct bpmu_part *part, struct bpmu_error *err)
{
	struct bpmu_vendor_files files = { .nr = 0 };
	int ret;

	ret = vendor_start(v, part, err);
	if (!ret)
		ret = bpmu_vendor_files_find(&files, v, path, err);
	if (!ret)
		ret = vendor_load_files(v, &files, err);
	bpmu_vendor_files_free(&files);
	return ret;
}

static void vendor_free_note(struct bpmu_vendor_note *note)
{
	free(note->why);
	free(note->threshold);
}

/**
 * bpmu_vendor_free() - undo bpmu_vendor_load()
 * @v: events and metrics of the loaded files; zeroed
 *
 * The CPU model's descriptor @v->part and the events in it must not be used afterwards.
 */
void bpmu_vendor_free(struct bpmu_vendor_set *v)
{
	unsigned int i;

	for (i = 0; i < v->metrics.nr; i++)
		vendor_free_note(&v->note[i]);
	free(v->note);
	bpmu_metrics_free(&v->metrics);
	free(v->event);
	free(v->row);
	json_decref(v->event_names);
	json_decref(v->metric_names);
	json_decref(v->latency);
	json_decref(v->files);
	memset(v, 0, sizeof(*v));
}

/* native model number of the core: bits 23:0 of EAX in CPUID leaf 0x1A (SDM) */
#define NATIVE_MODEL 0xffffff

/**
 * bpmu_vendor_this_cpu() - let bpmu_vendor_load() choose the vendor's files for this machine's CPU
 * @v: zeroed; its members cpu, stepping and native are set for the CPU that executes this call
 *
 * Does nothing if the CPU is not Intel's, because only Intel publishes such files.
 */
void bpmu_vendor_this_cpu(struct bpmu_vendor_set *v)
{
	unsigned int eax, ebx, ecx, edx;
	struct bpmu_this_cpu cpu;
	struct bpmu_error err;

	/*
	 * The error of an unknown CPU model is ignored, because family, model and stepping are set
	 * even then.
	 */
	bpmu_this_cpu(&cpu, &err);
	if (cpu.id.vendor != BPMU_VENDOR_INTEL)
		return;
	v->cpu.vendor = cpu.id.vendor;
	v->cpu.family = cpu.id.family;
	v->cpu.model = cpu.id.model;
	v->stepping = cpu.stepping;
	if (!__get_cpuid_count(BPMU_CPUID_HYBRID, 0, &eax, &ebx, &ecx, &edx))
		return;
	v->cpu.core = eax >> 24;
	v->native = v->cpu.core ? eax & NATIVE_MODEL : 0;
}
