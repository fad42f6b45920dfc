// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore totals of a client in the truth file, to which the virtual PMU writes exact counts for
 * tests:
 *
 *   "uncore": [
 *   {"index": "all", "clock": 900, "requests": 12, "writes": 2,
 *    "occupancy": 2400, "cycles_with": [500, 100, ...], "lookups": [20, 0]},
 *   {"index": 0, ...}
 *   ],
 *
 * Each object has a line of its own. "all" has the totals since power on; each other object has the
 * totals of a window. A window is the time in which the global enable bit and the enable bit of at
 * least one counter are set. Element n of "cycles_with", n from 0 to VCORE_TRACKER_ENTRIES, is the
 * number of cycles with n entries of the tracker in use. Element n of "lookups" is the number of
 * lookups of CBo n.
 */
#include "package.h"

#include "client.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "memory/tracker.h"

static struct window {
	struct vcore_traffic from;
	struct vcore_traffic to;
	uint64_t end;
	bool open;
} windows[VPMU_MAX_WINDOWS];
static unsigned int nr_windows;

/*
 * Returns how many instructions all vCPUs have executed, those included that were executed while
 * the cores were not simulated.
 */
static uint64_t instructions_of_all(void)
{
	uint64_t sum = 0;
	unsigned int i, priv;

	for (i = 0; i < vpmu_nr_cpus(); i++)
		for (priv = 0; priv < VPMU_PRIVS; priv++)
			sum += vpmu_cpu(i)->score->exact[VPMU_INSTRUCTIONS]
				[priv];
	return sum;
}

static bool uncore_window_paused(void)
{
	return nr_windows &&
	       instructions_of_all() - windows[nr_windows - 1].end < VPMU_PAUSE;
}

/**
 * vpmu_package_window() - begin or end a window, in which a client's memory traffic is summed
 * @seen: memory traffic of the package since power on
 * @begin: true to begin the window, false to end it
 */
void vpmu_package_window(const struct vcore_traffic *seen, bool begin)
{
	if (begin && uncore_window_paused()) {
		windows[nr_windows - 1].open = true;
	} else if (begin && nr_windows < VPMU_MAX_WINDOWS) {
		windows[nr_windows].from = *seen;
		windows[nr_windows++].open = true;
	} else if (!begin && nr_windows && windows[nr_windows - 1].open) {
		windows[nr_windows - 1].to = *seen;
		windows[nr_windows - 1].end = instructions_of_all();
		windows[nr_windows - 1].open = false;
	}
}

static void subtract(struct vcore_traffic *to, const struct vcore_traffic *from)
{
	const uint64_t *less = (const uint64_t *)from;
	uint64_t *value = (uint64_t *)to;
	unsigned int i;

	for (i = 0; i < sizeof(*to) / sizeof(*value); i++)
		value[i] -= less[i];
}

static uint64_t box_lookups(const struct vcore_traffic *seen, unsigned int box)
{
	unsigned int i, request;
	uint64_t sum = 0;

	for (i = 0; i < VCORE_SLICES; i++)
		for (request = 0; request < VCORE_REQUESTS; request++)
			if (vpmu_client_slice_in(i, box))
				sum += seen->slice[i].lookups[request][false] +
				       seen->slice[i].lookups[request][true];
	return sum;
}

static void write_traffic(FILE *out, const struct vcore_traffic *seen)
{
	uint64_t occupancy = 0;
	unsigned int i;

	for (i = 0; i <= VCORE_TRACKER_ENTRIES; i++)
		occupancy += i * seen->cycles_with[i];
	fprintf(out, "\"clock\": %llu, \"requests\": %llu, \"writes\": %llu, ",
		(unsigned long long)vcore_traffic_clock(seen),
		(unsigned long long)seen->requests,
		(unsigned long long)seen->writes);
	fprintf(out, "\"occupancy\": %llu, \"cycles_with\": [",
		(unsigned long long)occupancy);
	for (i = 0; i <= VCORE_TRACKER_ENTRIES; i++)
		fprintf(out, "%s%llu", i ? ", " : "",
			(unsigned long long)seen->cycles_with[i]);
	fputs("], \"lookups\": [", out);
	for (i = 0; i < vpmu_client_boxes(); i++)
		fprintf(out, "%s%llu", i ? ", " : "",
			(unsigned long long)box_lookups(seen, i));
	fputs("]}", out);
}

/**
 * vpmu_package_write() - write the uncore totals of a client's package, in all and by window
 * @out: the truth file
 */
void vpmu_package_write(FILE *out)
{
	struct vcore_traffic now, grown;
	unsigned int i;

	if (!vpmu_options.part->uncore)
		return;
	vpmu_client_traffic(&now);
	fputs("\"uncore\": [\n{\"index\": \"all\", ", out);
	write_traffic(out, &now);
	for (i = 0; i < nr_windows; i++) {
		grown = windows[i].open ? now : windows[i].to;
		subtract(&grown, &windows[i].from);
		fprintf(out, ",\n{\"index\": %u, ", i);
		write_traffic(out, &grown);
	}
	fputs("\n],\n", out);
}
