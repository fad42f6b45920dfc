// SPDX-License-Identifier: GPL-2.0
#include "imports_load.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "command.h"

static void import_load(const struct bpmu_import *import)
{
	if (bpmu_library_load(import->library, import->functions, import->nr, import->pointers) &&
	    !mprotect(import->pointers, import->nr * sizeof(*import->pointers), PROT_READ))
		return;
	fprintf(stderr, "barepmu: %s: cannot be loaded; apt-get install %s\n", import->library,
		import->package);
	exit(BPMU_EXIT_FAILED);
}

/**
 * bpmu_imports_load() - load the imports of a library: set the pointers to its functions
 * @import: the library
 *
 * Called by imports.S when a function is called whose pointer is NULL. Does nothing if another
 * thread has loaded the library meanwhile. Ends the process if the library cannot be loaded or has
 * not all functions.
 */
void bpmu_imports_load(const struct bpmu_import *import)
{
	static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&loading);
	if (!import->pointers[import->nr - 1])
		import_load(import);
	pthread_mutex_unlock(&loading);
}
