/*
 * schedstat.h - /proc/schedstat: the scheduler's counters for each CPU and each scheduling domain, and the differences
 * between two copies.
 *
 *	version 17
 *	timestamp 4297299139                     jiffies
 *	cpu0 0 0 4093 1872 2103 1214 ...         9 numbers
 *	domain0 MC 03 12 11 ...                  the domain's name since 17, its CPUs, numbers
 *
 * A domain has a group of numbers for each way of balancing (idle, busy, newly idle), and 12 more. Version 15 has 8 in
 * a group, the group of the idle CPU first; 16 (Linux 6.10) has the busy one's first; 17 (6.15) has 11, since imbalance
 * is split into load, utilisation, tasks and misfits. Here all have the form of 17: the imbalance of older versions is
 * stored as that of load.
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
	uint32_t cpu, domain;            /* domain UINT32_MAX: the row of the CPU itself */
	char name[SCHEDSTAT_NAME];       /* of a domain; "": unknown */
	uint64_t n[SCHEDSTAT_DOMAIN];
};

struct schedstat {
	uint64_t version, jiffies;
	VEC(struct schedstat_row) rows;
};

/* Description of a number. of: index of the number that it is a part of, -1: none. */
struct schedstat_field {
	const char *key, *text;
	int8_t of;
	bool is_time;                    /* 64 bits wide, ns */
};

/* The fields of a CPU's row or of a domain's; *n of them. */
const struct schedstat_field *schedstat_fields(bool of_domain, unsigned *n);

/* Parse the next copy in a text of several copies. 1; 0: no more, s is unchanged; -errno. */
int schedstat_next(struct schedstat *s, struct sv *text, struct err *e);

/* Subtract `from` from `to`. -EINVAL: they are of different machines, or CPUs or domains have changed. */
int schedstat_since(struct schedstat *to, const struct schedstat *from, struct err *e);

void schedstat_deinit(struct schedstat *s);

#endif
