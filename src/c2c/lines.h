/*
 * lines.h - cache lines that samples of loads and stores touched, and in each who did it where: fed with the items of a
 * session. What is one place for several processes, of a file or of the kernel's, is one line.
 */
#ifndef C2C_LINES_H
#define C2C_LINES_H

#include "c2c/counts.h"
#include "c2c/nodes.h"
#include "source/session.h"

/* By what lines are found: loads that another core's cache answered, where the line was changed or not. */
enum c2c_by { C2C_BY_TOTAL, C2C_BY_LOCAL, C2C_BY_REMOTE, C2C_BY_PEER };

/* What tells rows of a line apart, besides the offset. */
enum c2c_key { C2C_PID = 1, C2C_TID = 2, C2C_CODE = 4, C2C_DSO = 8 };

struct c2c_want {
	enum c2c_by by;
	unsigned keys;           /* enum c2c_key */
	unsigned line_bytes;     /* of a line, a power of two */
	bool all;                /* lines with few such loads, too */
	bool by_node;            /* rows know what each node has of them */
	uint64_t memory;         /* bytes that lines and rows may take */
};

/* A line, or a row of one. */
struct c2c_entry {
	struct c2c_counts counts;
	uint64_t addr;           /* of the line; in the line */
	uint64_t nodes;          /* of its memory: 1 << index */
	uint64_t physical, changes;   /* the last physical address, and how often it was another one than before */
};

struct c2c_line {
	struct c2c_entry at;
	uint32_t pid;            /* 0: of no one process */
	bool kernel, mapped;
};

enum c2c_cycles { C2C_CYCLES_REMOTE, C2C_CYCLES_LOCAL, C2C_CYCLES_LOAD, C2C_CYCLES };

/* What a node has of a row. */
struct c2c_share {
	uint32_t snoops, stores;
};

struct c2c_row {
	struct c2c_entry at;
	uint32_t line;           /* number, in the order of their first samples */
	uint32_t pid, tid;
	uint64_t ip;
	const struct sym_loc *loc;       /* of its first sample; NULL: it is not of one place */
	const char *comm, *dso;
	uint64_t cycles[C2C_CYCLES], n_cycles[C2C_CYCLES];
	uint64_t *cpus;          /* bits */
	struct c2c_share *share; /* by node; NULL: nobody asks */
};

/* What is left for people, in order. */
struct c2c_shown {
	const struct c2c_line *line;
	uint64_t snoops;
	size_t first, n_rows;    /* in shown_rows */
};

struct c2c_shown_row {
	const struct c2c_row *row;
	uint64_t snoops, hitm;
	uint32_t line;           /* in shown */
};

enum { C2C_WORDS = 64 };         /* of which is remembered what they are */

struct c2c_lines {
	struct c2c_want want;
	struct session *session;
	struct c2c_nodes nodes;
	size_t cpu_words;        /* of a row's cpus */
	struct names line_keys, row_keys;   /* -> numbers */
	struct arena arena;
	VEC(struct c2c_line) lines;
	VEC(struct c2c_row) rows;
	VEC(struct c2c_shown) shown;        /* after c2c_lines_sort */
	VEC(struct c2c_shown_row) shown_rows;
	struct c2c_counts total, shared;    /* of all; of the lines that have such loads */
	uint32_t n_shared;
	uint64_t left_out;       /* samples of lines or rows for which there was no room: total has them */
	struct {
		uint64_t key;
		struct c2c_word word;
	} words[C2C_WORDS];
};

/* The session is borrowed. 0 or -ENOMEM. */
int c2c_lines_init(struct c2c_lines *c, struct session *s, const struct c2c_want *w);
void c2c_lines_deinit(struct c2c_lines *c);

/* 0 or -ENOMEM. */
int c2c_lines_take(struct c2c_lines *c, const struct session_item *item);

/* When all were taken: what is shown. 0 or -ENOMEM. */
int c2c_lines_sort(struct c2c_lines *c);

/* The counts that lines are found by. */
uint32_t c2c_by_set(enum c2c_by by);

#endif
