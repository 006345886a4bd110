/* inject_parts.h - what the sources of inject share; for src/record/inject*.c only. */
#ifndef RECORD_INJECT_PARTS_H
#define RECORD_INJECT_PARTS_H

#include "record/inject.h"
#include "record/rewrite.h"

/* A mapping of made code that is to be told when its time has come. */
struct inject_map {
	uint64_t time, addr, len;
	uint32_t pid, tid;
	uint32_t file;               /* index of its name */
};

struct inject {
	struct rewrite w;
	const struct inject_want *want;
	struct inject_stats *stats;
	struct names known_names;    /* of files */
	VEC(struct build_id) known_ids;   /* theirs; size 0: none */
	struct names files;          /* of made code */
	VEC(struct inject_map) maps; /* those from `next` on are by time */
	size_t next;
	struct map makers;           /* pid: its code is in files now */
};

/* The mapping's record: 1: it is not passed on, for files stand for what it tells; 0: it is; -errno. */
int inject_jit_map(struct inject *j, const struct side *d, struct err *e);

/* Mappings of made code whose time has come. */
void inject_jit_until(struct inject *j, uint64_t time);

void inject_jit_deinit(struct inject *j);

#endif
