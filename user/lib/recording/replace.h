/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are replaced as a whole: a new file is written under a temporary name, and gets the
 * name of the old file when it is complete, so that no file of that name is ever incomplete.
 */
#ifndef BPMU_REPLACE_H
#define BPMU_REPLACE_H

/**
 * struct bpmu_replace - a file that is being replaced
 * @target: path of the file, without symbolic links; NULL once it is replaced, or if it is a pipe
 *	or a device, which are written directly
 * @temporary: name of the temporary file, or NULL with @target
 */
struct bpmu_replace {
	char *target;
	char *temporary;
};

int bpmu_replace_open(struct bpmu_replace *file, const char *name);
int bpmu_replace_end(struct bpmu_replace *file);
void bpmu_replace_drop(struct bpmu_replace *file);

#endif /* BPMU_REPLACE_H */
