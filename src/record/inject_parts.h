/* inject_parts.h - shared by src/record/inject*.c only. */
#ifndef RECORD_INJECT_PARTS_H
#define RECORD_INJECT_PARTS_H

#include "record/inject.h"
#include "record/rewrite.h"

/* A mapping of JIT code, to be written at its time. */
struct inject_map {
	uint64_t time, addr, len;
	uint32_t pid, tid;
	uint32_t file;               /* index of its name in `files` */
};

struct inject {
	struct rewrite w;
	const struct inject_want *want;
	struct inject_stats *stats;
	struct names known_names;    /* names of files */
	VEC(struct build_id) known_ids;   /* their build-ids; size 0: none */
	struct names files;          /* names of files with JIT code */
	VEC(struct inject_map) maps; /* those from `next` on are sorted by time */
	size_t next;
	struct map makers;           /* pids whose JIT code was written to ELF files */
};

/* Take an MMAP or MMAP2 record. 1: drop it, as the ELF files replace this JIT memory or dump; 0: keep it; -errno. */
int inject_jit_map(struct inject *j, const struct side *d, struct err *e);

/* Write the mappings of JIT code up to this time. */
void inject_jit_until(struct inject *j, uint64_t time);

void inject_jit_deinit(struct inject *j);

#endif
