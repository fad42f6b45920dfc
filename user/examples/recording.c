// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a metric of a recording: one line "SECONDS,VALUE,HALF-WIDTH" for each interval of MS
 * milliseconds: cc recording.c $(pkg-config --cflags --libs barepmu)
 */
#include <barepmu.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct barepmu_interval interval;
	struct barepmu_error error;
	struct barepmu_value value;
	struct barepmu *b;
	int more;

	if (argc < 3) {
		fprintf(stderr, "Usage: recording FILE METRIC [MS]\n");
		return 2;
	}
	if (barepmu_open_recording(&b, argv[1], NULL, &error) ||
	    barepmu_add_metric(b, argv[2], &error) < 0 ||
	    barepmu_start(b, argc > 3 ? 1000000ull * atoi(argv[3]) : 0, &error))
		errx(1, "%s", error.text);
	while ((more = barepmu_read(b, &interval, &error)) > 0) {
		barepmu_metric(b, 0, &value);
		if (value.known)
			printf("%.6f,%.6g,%.6g\n", interval.seconds,
			       value.value, value.half_width);
	}
	if (more < 0)
		errx(1, "%s", error.text);
	barepmu_close(b);
	return 0;
}
