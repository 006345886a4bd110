/*
 * lines.h - the cache lines that sampled loads and stores accessed, and for each of them which task and code did: fed
 * with the items of a session. Memory shared by several processes, of a file or of the kernel, is one line.
 */
#ifndef C2C_LINES_H
#define C2C_LINES_H

#include "c2c/counts.h"
#include "base/slots.h"
#include "c2c/nodes.h"
#include "source/session.h"

/* What lines are sorted by: loads served by another core's cache, with the line modified there (HITM) or not. */
enum c2c_by { C2C_BY_TOTAL, C2C_BY_LOCAL, C2C_BY_REMOTE, C2C_BY_PEER };

/* What distinguishes the rows of a line, besides the offset. */
enum c2c_key { C2C_PID = 1, C2C_TID = 2, C2C_CODE = 4, C2C_DSO = 8 };

struct c2c_want {
	enum c2c_by by;
	unsigned keys;           /* enum c2c_key */
	unsigned line_bytes;     /* size of a line, a power of two */
	bool all;                /* include lines with few such loads */
	bool by_node;            /* rows have counts per node */
	uint64_t memory;         /* limit for lines and rows, in bytes */
};

/* The memory of a line, or of a row of one. */
struct c2c_memory {
	uint64_t physical;       /* last physical address */
	uint64_t nodes;          /* 1 << index */
};

struct c2c_line {
	struct c2c_counts counts;
	uint32_t changes;        /* how often the physical address differed from the previous one */
	struct c2c_memory memory;
	uint64_t addr;
	uint64_t place;          /* that makes samples one line: of a file where there is one */
	uint32_t dso;            /* of the place; 0: of none */
	uint32_t pid;            /* 0: of no one process */
	uint32_t shown;          /* index + 1; 0: it is not */
	bool kernel, mapped;
};

enum c2c_cycles { C2C_CYCLES_REMOTE, C2C_CYCLES_LOCAL, C2C_CYCLES_LOAD, C2C_CYCLES };

/* The part of a row that belongs to one node. */
struct c2c_share {
	uint32_t snoops, stores;
};

/* There are many, so it is kept small. */
struct c2c_row {
	struct c2c_row_counts counts;
	uint32_t changes;
	struct c2c_memory memory;
	uint64_t ip;
	union {
		const struct sym_loc *loc;       /* of its first sample; NULL: it is not of one place */
		uint64_t space;                  /* is_late, until it is shown: of the kernel, index in `kernels` */
	};
	const char *comm;
	uint64_t cycles[C2C_CYCLES];
	uint32_t n_cycles[C2C_CYCLES];
	uint32_t line;           /* number, in the order of their first samples */
	uint32_t pid, tid;
	uint8_t offset;          /* in the line */
	bool is_late;
	union {
		uint64_t one, *many;
	} cpus;                  /* bits: c2c_cpus */
	struct c2c_share *share; /* by node; NULL: not requested */
};

/* The lines that are shown, in output order. */
struct c2c_shown {
	const struct c2c_line *line;
	uint64_t snoops;
	size_t first, n_rows;    /* in shown_rows */
};

enum {
	C2C_WORDS = 256,         /* of which is remembered what they are */
	C2C_SPACES = 64,         /* of processes */
	C2C_SPOTS = 1024,        /* places of code, of which is remembered what they are; of data twice as many */
	C2C_KERNELS = 64,        /* states of the kernel's space that are kept */
};

/* As many samples had this word since it came here. */
struct c2c_known_word {
	uint64_t key;
	uint64_t samples;
	struct c2c_word word;
};

/* A process' space, while no record changes it and time is between these. */
struct c2c_space {
	uint64_t changes, since, until;
	uint32_t pid;
	uint32_t user, kernel;   /* generations; 0: nobody knows whether it was there before */
};

struct c2c_spot {
	uint64_t addr;
	uint32_t user, kernel;   /* of the space; 0: free */
	uint32_t pid, line;
	uint8_t cpumode;
	bool mapped;
};

struct c2c_lines {
	struct c2c_want want;
	struct session *session;
	struct c2c_nodes nodes;
	size_t cpu_words;        /* of a row's cpus */
	struct slots of_line, of_row;
	struct arena arena;
	VEC(struct c2c_line) lines;
	VEC(struct c2c_row) rows;
	VEC(struct resolver_space) kernels;
	VEC(struct c2c_shown) shown;        /* after c2c_lines_sort */
	VEC(uint32_t) shown_rows;           /* numbers of rows */
	struct c2c_counts total, shared;    /* of all; of the lines that have such loads */
	uint32_t n_shared;
	uint64_t left_out;       /* samples of lines or rows that did not fit into memory: included in total */
	struct c2c_known_word words[C2C_WORDS];
	struct c2c_space spaces[C2C_SPACES];
	struct c2c_spot data[2 * C2C_SPOTS], code[C2C_SPOTS];   /* by a hash, two places each */
};

static inline const uint64_t *c2c_cpus(const struct c2c_lines *c, const struct c2c_row *row)
{
	return c->cpu_words == 1 ? &row->cpus.one : row->cpus.many;
}

/* The session is borrowed. 0 or -ENOMEM. */
int c2c_lines_init(struct c2c_lines *c, struct session *s, const struct c2c_want *w);
void c2c_lines_deinit(struct c2c_lines *c);

/* 0 or -ENOMEM. */
int c2c_lines_take(struct c2c_lines *c, const struct session_item *item);

/* Call after the last sample: computes what is shown. 0 or -ENOMEM. */
int c2c_lines_sort(struct c2c_lines *c);

/* The counts that lines are sorted by. */
uint32_t c2c_by_set(enum c2c_by by);

#endif
