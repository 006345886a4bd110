/* jitdump_build.h - a dump of code made at run time, for tests: see obj/jit/jitdump.h. */
#ifndef TESTS_JITDUMP_BUILD_H
#define TESTS_JITDUMP_BUILD_H

#include "obj/jit/jitdump.h"
#include "t.h"

struct built_dump {
	uint8_t v[4096];
	size_t n, record;      /* record: where the one that is being made begins */
	bool swap;
};

static inline void dump_bytes(struct built_dump *d, const void *p, size_t n)
{
	assert(n <= sizeof(d->v) - d->n);
	memcpy(d->v + d->n, p, n);
	d->n += n;
}

static inline void dump_u32(struct built_dump *d, uint32_t v)
{
	v = d->swap ? __builtin_bswap32(v) : v;
	dump_bytes(d, &v, sizeof(v));
}

static inline void dump_u64(struct built_dump *d, uint64_t v)
{
	v = d->swap ? __builtin_bswap64(v) : v;
	dump_bytes(d, &v, sizeof(v));
}

static inline void dump_head(struct built_dump *d, uint32_t machine, uint32_t pid, uint64_t flags)
{
	dump_u32(d, 0x4a695444);
	dump_u32(d, 1);
	dump_u32(d, 40);
	dump_u32(d, machine);
	dump_u32(d, 0);
	dump_u32(d, pid);
	dump_u64(d, 1);
	dump_u64(d, flags);
}

static inline void dump_begin(struct built_dump *d, uint32_t type, uint64_t time)
{
	d->record = d->n;
	dump_u32(d, type);
	dump_u32(d, 0);
	dump_u64(d, time);
}

/* Its length is known now. */
static inline void dump_end(struct built_dump *d)
{
	size_t n = d->n;

	d->n = d->record + 4;
	dump_u32(d, (uint32_t)(n - d->record));
	d->n = n;
}

static inline void dump_load(struct built_dump *d, uint64_t time, uint64_t addr, uint64_t size, const char *name)
{
	static const uint8_t code[256];

	dump_begin(d, JITDUMP_LOAD, time);
	dump_u32(d, 7);
	dump_u32(d, 8);
	dump_u64(d, addr);
	dump_u64(d, addr);
	dump_u64(d, size);
	dump_u64(d, 3);
	dump_bytes(d, name, strlen(name) + 1);
	dump_bytes(d, code, MIN(size, sizeof(code)));
	dump_end(d);
}

static inline void dump_move(struct built_dump *d, uint64_t time, uint64_t from, uint64_t to, uint64_t size)
{
	dump_begin(d, JITDUMP_MOVE, time);
	dump_u32(d, 7);
	dump_u32(d, 8);
	dump_u64(d, to);
	dump_u64(d, from);
	dump_u64(d, to);
	dump_u64(d, size);
	dump_u64(d, 3);
	dump_end(d);
}

static inline void dump_line(struct built_dump *d, uint64_t addr, uint32_t line, const char *file)
{
	dump_u64(d, addr);
	dump_u32(d, line);
	dump_u32(d, 0);
	dump_bytes(d, file, strlen(file) + 1);
}

/* Two lines: of what begins at addr, and of what is 8 bytes behind it. */
static inline void dump_lines(struct built_dump *d, uint64_t addr)
{
	dump_begin(d, JITDUMP_LINES, 1);
	dump_u64(d, addr);
	dump_u64(d, 2);
	dump_line(d, addr, 10, "/src/a.js");
	dump_line(d, addr + 8, 12, "\xff");
	dump_end(d);
}

#endif
