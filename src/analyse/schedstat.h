/*
 * schedstat.h - /proc/schedstat: what the scheduler counts of each CPU and each domain that it balances over, and how
 * much of it is between two copies.
 *
 *	version 17
 *	timestamp 4297299139                     jiffies
 *	cpu0 0 0 4093 1872 2103 1214 ...         9 numbers
 *	domain0 MC 03 12 11 ...                  the domain's name since 17, its CPUs, numbers
 *
 * A domain's are a group for each way in which a CPU balances, and 12 beside. Version 15 has 8 to a group, and the idle
 * CPU's first; 16 (Linux 6.10) the busy one's; 17 (6.15) 11, for imbalance is told of load, utilisation, tasks and
 * misfits each. Here all have the form of 17: of the older ones imbalance is what 17 calls that of load.
 */
#ifndef ANALYSE_SCHEDSTAT_H
#define ANALYSE_SCHEDSTAT_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { SCHEDSTAT_OLDEST = 15, SCHEDSTAT_NEWEST = 17 };
enum { SCHEDSTAT_CPU = 9, SCHEDSTAT_WAYS = 3, SCHEDSTAT_WAY = 11, SCHEDSTAT_REST = 12 };
enum { SCHEDSTAT_DOMAIN = SCHEDSTAT_WAYS * SCHEDSTAT_WAY + SCHEDSTAT_REST };

/* More rows are an error. */
enum { SCHEDSTAT_ROWS = 1 << 16, SCHEDSTAT_NAME = 16 };

struct schedstat_row {
	uint32_t cpu, domain;            /* domain: UINT32_MAX: it is the CPU's own */
	char name[SCHEDSTAT_NAME];       /* of a domain, "" where it is not told */
	uint64_t n[SCHEDSTAT_DOMAIN];
};

struct schedstat {
	uint64_t version, jiffies;
	VEC(struct schedstat_row) rows;
};

/* What a number is. of: number of the one that it is a part of, -1: of none. */
struct schedstat_field {
	const char *key, *text;
	int8_t of;
	bool is_time;                    /* 64 bits wide, ns */
};

/* Of a CPU's row, or a domain's; *n of them. */
const struct schedstat_field *schedstat_fields(bool of_domain, unsigned *n);

/* The next copy of a text that has some, one behind the other. 1; 0: there is no more, s is as it was; -errno. */
int schedstat_next(struct schedstat *s, struct sv *text, struct err *e);

/* What `to` has more than `from`, into `to`. -EINVAL: they are of different machines, or one that has changed. */
int schedstat_since(struct schedstat *to, const struct schedstat *from, struct err *e);

void schedstat_deinit(struct schedstat *s);

#endif
