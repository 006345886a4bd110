/*
 * lines.h - the cache lines that samples of loads and stores touched, and for each line its rows: which code of which
 * task accessed which offset. Fed with the items of a session. Memory that several processes share, of a mapped file
 * or of the kernel, is one line for all of them.
 */
#ifndef C2C_LINES_H
#define C2C_LINES_H

#include "c2c/counts.h"
#include "base/slots.h"
#include "c2c/nodes.h"
#include "source/session.h"

/* Which loads make a line contended: those answered by a modified line in another cache (HITM), or by any (peer). */
enum c2c_by { C2C_BY_TOTAL, C2C_BY_LOCAL, C2C_BY_REMOTE, C2C_BY_PEER };

/* What tells the rows of a line apart, besides the offset in the line. */
enum c2c_key { C2C_PID = 1, C2C_TID = 2, C2C_CODE = 4, C2C_DSO = 8 };

struct c2c_want {
	enum c2c_by by;
	unsigned keys;           /* enum c2c_key */
	unsigned line_bytes;     /* size of a line, a power of two */
	bool all;                /* show lines with few HITM (or peer) loads, too */
	bool by_node;            /* rows have counts per node */
	uint64_t memory;         /* limit for lines and rows, bytes */
};

/* The physical memory of a line, or of a row. */
struct c2c_memory {
	uint64_t physical;       /* the address in the last sample */
	uint64_t nodes;          /* 1 << index of each NUMA node seen */
};

struct c2c_line {
	struct c2c_counts counts;
	uint32_t changes;        /* how often a sample's physical address differed from the one before */
	struct c2c_memory memory;
	uint64_t addr;           /* virtual, of the first sample */
	uint64_t place;          /* key of the line: address in the mapped file, or the virtual one */
	uint32_t dso;            /* file of `place`; 0: none */
	uint32_t pid;            /* owner of private memory; 0: shared or the kernel's */
	uint32_t shown;          /* index in c2c_lines.shown + 1; 0: not shown */
	bool kernel, mapped;
};

enum c2c_cycles { C2C_CYCLES_REMOTE, C2C_CYCLES_LOCAL, C2C_CYCLES_LOAD, C2C_CYCLES };

/* Accesses of a row by the CPUs of one node. */
struct c2c_share {
	uint32_t snoops, stores; /* snoops: the loads that c2c_want.by names */
};

/* There are many rows, so this struct is kept small. */
struct c2c_row {
	struct c2c_row_counts counts;
	uint32_t changes;
	struct c2c_memory memory;
	uint64_t ip;
	union {
		const struct sym_loc *loc;       /* of its first sample; NULL: rows are not told apart by code */
		uint64_t space;                  /* if is_late: index in `kernels`, in which to look up ip */
	};
	const char *comm;
	uint64_t cycles[C2C_CYCLES];     /* sums of the samples' weights */
	uint32_t n_cycles[C2C_CYCLES];   /* number of these samples */
	uint32_t line;           /* index in c2c_lines.lines */
	uint32_t pid, tid;
	uint8_t offset;          /* in the line */
	bool is_late;            /* kernel code whose symbol is looked up only if the row is shown */
	union {
		uint64_t one, *many;
	} cpus;                  /* bitmap of the CPUs it ran on, see c2c_cpus() */
	struct c2c_share *share; /* by node; NULL: unless c2c_want.by_node */
};

/* A line that is shown. */
struct c2c_shown {
	const struct c2c_line *line;
	uint64_t snoops;         /* its loads of c2c_want.by */
	size_t first, n_rows;    /* its rows in shown_rows */
};

enum {
	C2C_WORDS = 256,         /* cached decodings of data_src */
	C2C_SPACES = 64,         /* cached address spaces */
	C2C_SPOTS = 1024,        /* cached code addresses; twice as many data addresses */
	C2C_KERNELS = 64,        /* states of the kernel's address space that are kept */
};

/* Cache entry: a decoded data_src. Its samples are added to the totals by c2c_settle_word(). */
struct c2c_known_word {
	uint64_t key;
	uint64_t samples;        /* not in the totals yet */
	struct c2c_word word;
};

/* Cache entry: a process' address space. Valid while resolver_changes() is the same and since <= time < until. */
struct c2c_space {
	uint64_t changes, since, until;
	uint32_t pid;
	uint32_t user, kernel;   /* generations (sym/resolver.h); 0: unknown, not cacheable */
};

/* Cache entry: what was found out about a code or data address in an address space. */
struct c2c_spot {
	uint64_t addr;
	uint32_t user, kernel;   /* generations of the address space; 0: the entry is free */
	uint32_t pid, line;
	uint8_t cpumode;
	bool mapped;
};

struct c2c_lines {
	struct c2c_want want;
	struct session *session;
	struct c2c_nodes nodes;
	size_t cpu_words;        /* length of a row's bitmap of CPUs, in u64 */
	struct slots of_line, of_row;
	struct arena arena;
	VEC(struct c2c_line) lines;
	VEC(struct c2c_row) rows;
	VEC(struct resolver_space) kernels;
	VEC(struct c2c_shown) shown;        /* after c2c_lines_sort */
	VEC(uint32_t) shown_rows;           /* indices of rows, line by line */
	struct c2c_counts total, shared;    /* of all samples; of the lines with a HITM or peer load */
	uint32_t n_shared;       /* number of these lines */
	uint64_t left_out;       /* samples without a line or row, because want.memory is used up; they are in total */
	struct c2c_known_word words[C2C_WORDS];
	struct c2c_space spaces[C2C_SPACES];
	struct c2c_spot data[2 * C2C_SPOTS], code[C2C_SPOTS];   /* two-way set-associative, by a hash */
};

static inline const uint64_t *c2c_cpus(const struct c2c_lines *c, const struct c2c_row *row)
{
	return c->cpu_words == 1 ? &row->cpus.one : row->cpus.many;
}

/* The session is borrowed. 0 or -ENOMEM. */
int c2c_lines_init(struct c2c_lines *c, struct session *s, const struct c2c_want *w);
void c2c_lines_deinit(struct c2c_lines *c);

/* Add a sample; other items are ignored. 0 or -ENOMEM. */
int c2c_lines_take(struct c2c_lines *c, const struct session_item *item);

/* After the last item: fill `shown` and `shown_rows`. 0 or -ENOMEM. */
int c2c_lines_sort(struct c2c_lines *c);

/* The set of counts by which lines are sorted and chosen. */
uint32_t c2c_by_set(enum c2c_by by);

#endif
