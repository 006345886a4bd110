/*
 * export_log.h - keeps each lane's samples, for formats that need them in one piece: chain, time and weight take about
 * six bytes. Each lane is a list of memory blocks; all lanes together are limited in memory.
 */
#ifndef SHOW_EXPORT_LOG_H
#define SHOW_EXPORT_LOG_H

#include "base/arena.h"
#include "base/vec.h"
#include "show/export.h"

struct export_block;

struct export_lane_log {
	struct export_block *first, *last;
	uint64_t time, weight;         /* of the last sample */
};

/* Zeroed, except for its limit, it is empty. */
struct export_log {
	uint64_t limit;                /* bytes */
	struct arena arena;
	VEC(struct export_lane_log) lanes;
};

/* 0, -ENOMEM, or -ENOSPC: beyond the limit. */
int export_log_add(struct export_log *l, const struct export_sample *s);
void export_log_deinit(struct export_log *l);

/* To read a lane: begin, then next until it returns false. */
struct export_reader {
	const struct export_block *block;
	size_t at;
	uint64_t time, weight;
	uint32_t stack;
};
struct export_reader export_log_begin(const struct export_log *l, uint32_t lane);
bool export_log_next(struct export_reader *r);

#endif
