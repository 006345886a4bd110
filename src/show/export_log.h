/*
 * export_log.h - each lane's samples one after another, for formats that have them in one piece: a chain, a time and a
 * weight take about six bytes. What a lane has is in blocks of memory, newest at its end; of all lanes together no more
 * than a limit is kept.
 */
#ifndef SHOW_EXPORT_LOG_H
#define SHOW_EXPORT_LOG_H

#include "base/arena.h"
#include "base/vec.h"
#include "show/export.h"

struct export_block;

struct export_lane_log {
	struct export_block *first, *last;
	uint64_t time, weight;         /* of the last one */
};

/* A zeroed one, with its limit, is empty. */
struct export_log {
	uint64_t limit;                /* bytes */
	struct arena arena;
	VEC(struct export_lane_log) lanes;
};

/* 0, -ENOMEM, or -ENOSPC: beyond the limit. */
int export_log_add(struct export_log *l, const struct export_sample *s);
void export_log_deinit(struct export_log *l);

/* Read a lane: begin, then next until it is false. */
struct export_reader {
	const struct export_block *block;
	size_t at;
	uint64_t time, weight;
	uint32_t stack;
};
struct export_reader export_log_begin(const struct export_log *l, uint32_t lane);
bool export_log_next(struct export_reader *r);

#endif
