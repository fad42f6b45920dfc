// SPDX-License-Identifier: GPL-2.0
/* A metric of a recording: cc recording.c $(pkg-config --cflags --libs barepmu) */
#include <barepmu.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const struct barepmu_error *err)
{
	fprintf(stderr, "recording: %s\n", err->text);
	return 1;
}

int main(int argc, char **argv)
{
	struct barepmu_interval interval;
	struct barepmu_error err;
	struct barepmu_value value;
	struct barepmu *b;
	int more;

	if (argc < 3) {
		fprintf(stderr, "Usage: recording FILE METRIC [MS]\n");
		return 2;
	}
	if (barepmu_open_recording(&b, argv[1], NULL, &err) ||
	    barepmu_add_metric(b, argv[2], &err) < 0 ||
	    barepmu_start(b, argc > 3 ? 1000000ull * atoi(argv[3]) : 0, &err))
		return failed(&err);
	while ((more = barepmu_read(b, &interval, &err)) > 0) {
		barepmu_metric(b, 0, &value);
		if (value.known)
			printf("%.6f,%.6g,%.6g\n", interval.seconds,
			       value.value, value.half_width);
	}
	barepmu_close(b);
	return more ? failed(&err) : 0;
}
