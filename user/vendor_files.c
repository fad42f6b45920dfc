// SPDX-License-Identifier: GPL-2.0
#include "vendor_files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "event_core.h"

#define MAPFILE "mapfile.csv"
#define DEPTH_MOST 4
#define COLUMNS 5

enum column {
	COLUMN_CPU,
	COLUMN_VERSION,
	COLUMN_FILE,
	COLUMN_TYPE,
	COLUMN_CORE
};

static int failed(const char *path, struct bpmu_error *err)
{
	return bpmu_error_set(err, -errno,
			      "%s: cannot be read: %s; name a file or a directory that can be",
			      path, strerror(errno));
}

/* takes over @name */
static int add(struct bpmu_vendor_files *files, char *name)
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

static char *join(const char *directory, const char *name)
{
	char *path;

	name += strspn(name, "/");
	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* "GenuineIntel-6-55", or with the stepping as in "GenuineIntel-6-55-[01234]" */
static bool is_model(const struct bpmu_vendor_set *v, u8 family, u8 model,
		     const char *pattern)
{
	char name[32];

	snprintf(name, sizeof(name), "GenuineIntel-%u-%02X", family, model);
	if (!fnmatch(pattern, name, FNM_CASEFOLD))
		return true;
	snprintf(name, sizeof(name), "GenuineIntel-%u-%02X-%X", family, model,
		 v->stepping);
	return !fnmatch(pattern, name, FNM_CASEFOLD);
}

static bool is_id(const struct bpmu_vendor_set *v, const struct bpmu_cpu_id *id,
		  const char *pattern, const char *core)
{
	unsigned int model = id->model;

	if (id->vendor != BPMU_VENDOR_INTEL ||
	    (*core && strtoul(core, NULL, 0) != id->core))
		return false;
	do {
		if (is_model(v, id->family, model, pattern))
			return true;
	} while (++model <= id->last);
	return false;
}

static bool is_cpu(const struct bpmu_vendor_set *v, const char *pattern,
		   const char *core)
{
	struct bpmu_cpu_id here = v->cpu;
	const struct bpmu_cpu_id *id;

	/* a hybrid part's other kind is measured from here too */
	if (bpmu_event_core_of(v->part))
		here.core = bpmu_event_core_of(v->part);
	if (here.vendor)
		return is_id(v, &here, pattern, core);
	for (id = v->part->ids; id->vendor; id++)
		if (is_id(v, id, pattern, core))
			return true;
	return false;
}

static bool is_kind(const char *type)
{
	static const char *const kinds[] = {
		"core", "hybridcore", "uncore", "uncore experimental",
		"metrics"
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcasecmp(type, kinds[i]))
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

/* a line of mapfile.csv: CPU,version,file,type,core type,... */
static int add_line(struct bpmu_vendor_files *files,
		    const struct bpmu_vendor_set *v, const char *directory,
		    char *line)
{
	const char *column[COLUMNS] = { "", "", "", "", "" };
	char *path;
	int i;

	line[strcspn(line, "\r\n")] = '\0';
	for (i = 0; line && i < COLUMNS; i++)
		column[i] = strsep(&line, ",");
	if (!is_kind(column[COLUMN_TYPE]) || !is_json(column[COLUMN_FILE]) ||
	    !is_cpu(v, column[COLUMN_CPU], column[COLUMN_CORE]))
		return 0;
	path = join(directory, column[COLUMN_FILE]);
	if (path && known(files, path)) {
		free(path);
		return 0;
	}
	return add(files, path);
}

static int read_mapfile(struct bpmu_vendor_files *files,
			const struct bpmu_vendor_set *v, const char *directory,
			FILE *stream, struct bpmu_error *err)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, stream) >= 0)
		ret = add_line(files, v, directory, line);
	free(line);
	if (ret)
		return bpmu_error_set(err, ret, "%s: no memory; free some",
				      directory);
	if (files->nr)
		return 0;
	return bpmu_error_set(err, -ENOENT,
			      "%s/" MAPFILE ": has no file for %s; name the file itself",
			      directory, v->part->title);
}

static int search(struct bpmu_vendor_files *files, const char *directory,
		  int depth, struct bpmu_error *err);

static int add_entry(struct bpmu_vendor_files *files, const char *directory,
		     const char *name, int depth, struct bpmu_error *err)
{
	char *path = join(directory, name);
	struct stat info;
	int ret = 0;

	if (!path)
		return bpmu_error_set(err, -ENOMEM, "%s: no memory; free some",
				      directory);
	if (stat(path, &info)) {
		ret = failed(path, err);
	} else if (S_ISDIR(info.st_mode)) {
		ret = depth < DEPTH_MOST ? search(files, path, depth + 1, err) :
					   0;
	} else if (is_json(name)) {
		if (!add(files, path))
			return 0;
		return bpmu_error_set(err, -ENOMEM, "%s: no memory; free some",
				      directory);
	}
	free(path);
	return ret;
}

static int search(struct bpmu_vendor_files *files, const char *directory,
		  int depth, struct bpmu_error *err)
{
	struct dirent **entry = NULL;
	int nr = scandir(directory, &entry, NULL, alphasort);
	int ret = 0;
	int i;

	if (nr < 0)
		return failed(directory, err);
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
	char *path = join(directory, MAPFILE);
	FILE *stream = path ? fopen(path, "re") : NULL;
	int ret;

	free(path);
	files->searched = true;
	if (stream) {
		ret = read_mapfile(files, v, directory, stream, err);
		fclose(stream);
		return ret;
	}
	ret = search(files, directory, 0, err);
	if (ret || files->nr)
		return ret;
	return bpmu_error_set(err, -ENOENT,
			      "%s: no *.json there; name a directory with event and metric files",
			      directory);
}

/**
 * bpmu_vendor_files_find() - which files are meant
 * @files: zeroed, filled in; to be freed in any case
 * @v: for which CPU
 * @path: a file, or a directory with or without mapfile.csv
 * @err: set on failure
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int bpmu_vendor_files_find(struct bpmu_vendor_files *files,
			   const struct bpmu_vendor_set *v, const char *path,
			   struct bpmu_error *err)
{
	struct stat info;

	memset(files, 0, sizeof(*files));
	if (stat(path, &info))
		return failed(path, err);
	if (S_ISDIR(info.st_mode))
		return find_in(files, v, path, err);
	if (add(files, strdup(path)))
		return bpmu_error_set(err, -ENOMEM, "%s: no memory; free some",
				      path);
	return 0;
}

/**
 * bpmu_vendor_files_free() - undo bpmu_vendor_files_find()
 * @files: the names
 *
 * Context: any.
 */
void bpmu_vendor_files_free(struct bpmu_vendor_files *files)
{
	while (files->nr)
		free(files->name[--files->nr]);
	free(files->name);
	files->name = NULL;
}
