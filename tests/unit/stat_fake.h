/*
 * stat_fake.h - a struct sys that plays perf_event_open: it refuses what it is told to refuse, records the rest and
 * invents values.
 */
#ifndef TESTS_STAT_FAKE_H
#define TESTS_STAT_FAKE_H

#include "sys/sys.h"

enum { FAKE_FD = 100, FAKE_MAX = 512 };

struct fake_event {
	struct perf_attr attr;
	int pid, cpu, group;
	unsigned long flags;
	bool open;
	unsigned enabled_calls;
	uint64_t value, enabled, running;    /* what read() gives */
};

struct fake {
	struct sys sys;
	uint64_t bad_flags, bad_read, bad_sample;   /* EINVAL */
	uint32_t max_size;                          /* E2BIG above; 0: takes all */
	uint64_t missing_config;                    /* hardware event that the PMU lacks: ENOENT */
	bool has_missing, no_kernel, locked;        /* EACCES for kernel side, for everything */
	unsigned group_limit;                       /* hardware members of a group, EINVAL above; 0: any */
	int fds_left;                               /* EMFILE below 1 */
	int offline_cpu, dead_tid;                  /* ENODEV, ESRCH; -1: none */
	unsigned tries, raises;
	struct fake_event ev[FAKE_MAX];
	unsigned n;
};

void fake_init(struct fake *f);

#endif
