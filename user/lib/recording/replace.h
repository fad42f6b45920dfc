/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are replaced as a whole: a new file is written under a temporary name and, when it is
 * complete, renamed to the name of the old file. A file of that name is thus never incomplete.
 */
#ifndef BPMU_REPLACE_H
#define BPMU_REPLACE_H

/**
 * struct bpmu_replace - a file that is being replaced
 * @target: path of the file, without symbolic links; NULL after it was replaced, and for a pipe or
 *	a device, which are written directly
 * @temporary: path of the temporary file; NULL if @target is NULL
 */
struct bpmu_replace {
	char *target;
	char *temporary;
};

int bpmu_replace_open(struct bpmu_replace *file, const char *name);
int bpmu_replace_end(struct bpmu_replace *file);
void bpmu_replace_drop(struct bpmu_replace *file);

#endif /* BPMU_REPLACE_H */
