/*
 * jitdump.h - jit-PID.dump: code that a program generated at run time, as the program recorded it (Linux
 * tools/perf/Documentation/jitdump-specification.txt, version 1). Numbers are in the byte order of the writer:
 *
 *   0  u32 0x4a695444 ("JiTD")      12  u32 ELF machine     24  u64 time of creation
 *   4  u32 version, 1               16  u32 0               32  u64 flags; 1: times are the CPU's own ticks
 *   8  u32 size of this header      20  u32 pid
 *
 * followed by records: u32 type, u32 total size, u64 time (usually ns of CLOCK_MONOTONIC), and
 *
 *   0 load      u32 pid, tid; u64 address twice, size of code, index; name, NUL; the code to the end of the record
 *   1 move      u32 pid, tid; u64 address, old address, new address, size of code, index
 *   2 lines     u64 address, count; for each u64 address, u32 line, u32 discriminator, file, NUL: of the next load
 *   3 close     the last record
 *   4 unwinding u64 size, of which .eh_frame_hdr, size mapped; .eh_frame, .eh_frame_hdr: of the next load
 */
#ifndef OBJ_JIT_JITDUMP_H
#define OBJ_JIT_JITDUMP_H

#include "base/cursor.h"
#include "base/err.h"

enum jitdump_type { JITDUMP_LOAD, JITDUMP_MOVE, JITDUMP_LINES, JITDUMP_CLOSE, JITDUMP_UNWINDING };

/* Borrows the bytes. */
struct jitdump {
	struct cursor c;         /* at the next record */
	uint32_t machine, pid;   /* pid: in the pid namespace of the process */
	bool in_ticks;           /* times are not ns */
};

struct jitdump_lines {
	struct cursor c;
	uint64_t n;              /* upper limit of their number */
};

struct jitdump_line {
	uint64_t addr;
	uint32_t line;
	const char *file;        /* "\xff": the same file as before; borrowed */
};

struct jitdump_rec {
	uint32_t type;           /* enum jitdump_type, or an unknown type */
	uint64_t time;
	uint32_t pid, tid;       /* of loads and moves, as the next two */
	uint64_t addr, size;     /* the new address; bytes */
	uint64_t old_addr;       /* of a move */
	uint64_t index;          /* unique to each load */
	const char *name;        /* of a load */
	const uint8_t *code;     /* of a load, size bytes */
	struct jitdump_lines lines;
	struct cursor unwinding; /* .eh_frame, then .eh_frame_hdr */
	uint64_t header_size;    /* bytes of .eh_frame_hdr in it */
	uint64_t mapped_size;    /* bytes of memory mapped for it behind the code, or 0 */
};

/* -EBADMSG: not a jitdump. */
int jitdump_init(struct jitdump *d, const uint8_t *bytes, size_t n, struct err *e);

/* 1; 0: no more records; -EBADMSG: truncated, or malformed from here on. */
int jitdump_next(struct jitdump *d, struct jitdump_rec *r, struct err *e);

/* False: no more lines. */
bool jitdump_line(struct jitdump_lines *l, struct jitdump_line *v);

/* Is path the name of a jitdump, ".../jit-123.dump", and of which process? */
bool jitdump_is_name(const char *path, uint32_t *pid);

#endif
