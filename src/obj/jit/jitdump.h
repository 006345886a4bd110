/*
 * jitdump.h - jit-PID.dump: the code that a program made while it ran, as its maker wrote it down (Linux
 * tools/perf/Documentation/jitdump-specification.txt, version 1). Numbers are in the byte order of the writer:
 *
 *   0  u32 0x4a695444 ("JiTD")      12  u32 ELF machine     24  u64 when it was begun
 *   4  u32 version, 1               16  u32 0               32  u64 flags; 1: times are the processor's own ticks
 *   8  u32 bytes of this header     20  u32 process
 *
 * and then records: u32 type, u32 bytes in all, u64 when (ns of CLOCK_MONOTONIC, as a rule), and
 *
 *   0 load      u32 process, thread; u64 address twice, bytes of code, number; name, NUL; the code, which ends it
 *   1 move      u32 process, thread; u64 address, old address, new address, bytes of code, number
 *   2 lines     u64 address, how many; each u64 address, u32 line, u32 discriminator, file, NUL: of the load behind it
 *   3 close     the last one
 *   4 unwinding u64 bytes, of these .eh_frame_hdr, bytes mapped; .eh_frame, .eh_frame_hdr: of the load behind it
 */
#ifndef OBJ_JIT_JITDUMP_H
#define OBJ_JIT_JITDUMP_H

#include "base/cursor.h"
#include "base/err.h"

enum jitdump_type { JITDUMP_LOAD, JITDUMP_MOVE, JITDUMP_LINES, JITDUMP_CLOSE, JITDUMP_UNWINDING };

/* Bytes stay borrowed. */
struct jitdump {
	struct cursor c;         /* at the next record */
	uint32_t machine, pid;   /* pid: as the process sees it itself */
	bool in_ticks;           /* times are no ns */
};

struct jitdump_lines {
	struct cursor c;
	uint64_t n;              /* at most so many */
};

struct jitdump_line {
	uint64_t addr;
	uint32_t line;
	const char *file;        /* "\xff": the one before again; borrowed */
};

struct jitdump_rec {
	uint32_t type;           /* enum jitdump_type; others come, too */
	uint64_t time;
	uint32_t pid, tid;       /* of loads and moves, as the next */
	uint64_t addr, size;     /* where it is from now on; bytes */
	uint64_t old_addr;       /* of a move */
	uint64_t index;          /* the same as of no other load */
	const char *name;        /* of a load */
	const uint8_t *code;     /* of a load, size bytes */
	struct jitdump_lines lines;
	struct cursor unwinding; /* .eh_frame, then .eh_frame_hdr */
	uint64_t header_size;    /* of these: .eh_frame_hdr */
	uint64_t mapped_size;    /* bytes of memory that they have behind the code, or 0 */
};

/* -EBADMSG: it is none. */
int jitdump_init(struct jitdump *d, const uint8_t *bytes, size_t n, struct err *e);

/* 1; 0: that was the last; -EBADMSG: it breaks off, or makes no sense from here on. */
int jitdump_next(struct jitdump *d, struct jitdump_rec *r, struct err *e);

/* false: there are no more. */
bool jitdump_line(struct jitdump_lines *l, struct jitdump_line *v);

/* ".../jit-123.dump": the name of one, and of which process; false: it is not. */
bool jitdump_is_name(const char *path, uint32_t *pid);

#endif
