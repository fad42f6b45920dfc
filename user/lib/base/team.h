/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread pool for independent work items.
 */
#ifndef BPMU_TEAM_H
#define BPMU_TEAM_H

struct bpmu_team;

struct bpmu_team *bpmu_team_new(unsigned int threads);
unsigned int bpmu_team_threads(const struct bpmu_team *team);
void bpmu_team_run(struct bpmu_team *team, void (*work)(void *data, unsigned int i),
		   void *data, unsigned int nr);
void bpmu_team_free(struct bpmu_team *team);

unsigned int bpmu_team_cpus(void);

#endif /* BPMU_TEAM_H */
