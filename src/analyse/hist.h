/*
 * hist.h - the rows of a profile: samples in a call tree, added up by what tells them apart (process, thread, CPU,
 * command, shared object, symbol). Rows are made from distinct chains, not from samples.
 *
 * In the tree, node 0's children are groups (key: index in groups), everything below them are frames (key: index in
 * frames), outermost first. It is settled: each subtree is one stretch of its nodes.
 */
#ifndef ANALYSE_HIST_H
#define ANALYSE_HIST_H

#include "analyse/calltree.h"
#include "analyse/fold.h"

enum hist_key {
	HIST_COMM = 1, HIST_PID = 2, HIST_TID = 4, HIST_CPU = 8,   /* of the group */
	HIST_DSO = 16, HIST_SYM = 32,                              /* of the frame */
	HIST_VALUES = 64,                                          /* of the group */
	HIST_LINE = 128, HIST_FILE = 256,                          /* of the frame: where it is in the source */
	HIST_SOCKET = 512, HIST_PARENT = 1024, HIST_PARALLELISM = 2048,   /* of the group */
	/* of the frame: struct hist_touch */
	HIST_TYPE = 4096, HIST_TYPEOFF = 8192, HIST_TYPECLN = 16384, HIST_SYMOFF = 32768,
	HIST_TOUCH_KEYS = HIST_TYPE | HIST_TYPEOFF | HIST_TYPECLN | HIST_SYMOFF,
	HIST_SPACE = 65536,                                        /* of the group, but rows are not told apart by it */
	HIST_GROUP_KEYS = 15 | HIST_VALUES | HIST_SOCKET | HIST_PARENT | HIST_PARALLELISM,
};

/* Whose code a sample is in. */
enum hist_space {
	HIST_KERNEL, HIST_USER, HIST_GUEST_KERNEL, HIST_GUEST_USER, HIST_SPACES,
	HIST_ELSEWHERE = HIST_SPACES,
};

/* What begins a value. */
enum hist_value { HIST_NUMBER = '#', HIST_STRING = '"', HIST_TRACE = '%', HIST_OTHER = '*' };

/* Texts are borrowed, and equal ones are equal pointers. */
struct hist_group {
	const char *comm;
	uint32_t event;
	uint32_t pid, tid, cpu;   /* 0 where nobody asked for it */
	int32_t socket;           /* that the CPU is in; -1: nobody tells */
	uint32_t parallelism;     /* how many tasks ran at the time; 0 where nobody asked for it */
	enum hist_space space;    /* HIST_KERNEL where nobody asked for it */
	const char *parent;       /* the caller that tells samples apart; NULL: none was asked for, or there is none */
	const char *values;       /* each an enum hist_value and a text with its NUL; one more NUL ends them */
};

/* The value of this number, with its kind in front; empty when there are fewer. */
const char *hist_value(const char *values, size_t i);

/* What an address touches; NULL where nobody asked for it. In the order of their keys. */
enum hist_touch_text { HIST_TOUCH_TYPE, HIST_TOUCH_TYPEOFF, HIST_TOUCH_TYPECLN, HIST_TOUCH_SYMOFF, HIST_TOUCH_TEXTS };

struct hist_touch {
	const char *text[HIST_TOUCH_TEXTS];
};

struct hist_frame {
	const char *dso;          /* full name */
	const char *dso_short;
	const char *sym;          /* NULL: unknown */
	const char *label; /* sym, or "dso+0xaddr", or "0xaddr" (kernel, unknown); NULL while nobody asked for it */
	const char *line, *file;  /* "main.c:12", "main.c"; NULL where nobody asked for it, or nothing is known */
	const struct hist_touch *touch;   /* NULL: nobody asked for any of it */
	uint64_t addr;            /* start of the symbol, or the address, in the dso's numbers */
	bool kernel, known;       /* known: the dso is */
	uint8_t inlined;          /* how deep within its caller's code, 0: not; samples in it are that one's own */
};

/* A text of what a frame touches; NULL: nobody asked for it. */
static inline const char *hist_touched(const struct hist_frame *f, enum hist_touch_text which)
{
	return f->touch ? f->touch->text[which] : NULL;
}

struct hist_input {
	const struct calltree *tree;
	const struct hist_group *groups;
	const struct hist_frame *frames;
	size_t n_groups, n_frames;
	const struct fold *folded;   /* what the tree had before; NULL: all is in it */
};

enum hist_mode { HIST_SELF, HIST_CHILDREN };

/* Rows of equal weight: by their texts only, or callers in front of what they call. */
enum hist_ties { HIST_BY_TEXT, HIST_BY_DEPTH };

struct hist_want {
	uint32_t event;
	unsigned keys;            /* enum hist_key */
	enum hist_mode mode;      /* HIST_CHILDREN: callers get rows too */
	enum hist_ties ties;
	bool by_latency;          /* the order of rows */
};

struct hist_row {
	uint64_t self, total;             /* total: samples with it anywhere in the chain; only in HIST_CHILDREN */
	uint64_t samples, total_samples;
	uint64_t in_space[HIST_SPACES];   /* of self; only with HIST_SPACE */
	double latency;                   /* self, each sample's divided by how many tasks ran */
	uint32_t group, frame;            /* of the first one; they stand for the row's keys */
	uint32_t depth;                   /* longest chain below it; only in HIST_CHILDREN */
	uint32_t upto;                    /* behind the last node that is in the total with all below it */
};

struct hist {
	struct hist_input in;
	struct hist_want want;
	VEC(struct hist_row) rows;
	uint32_t *row_of;                 /* node -> row; HIST_NO_ROW for groups and other events' nodes */
	uint64_t weight, samples;         /* of the event's samples */
	bool inlines;                     /* there are frames within others */
	uint32_t *end;                    /* node -> behind the last one of its subtree */
	uint64_t *weight_before;          /* node -> weight of the nodes in front of it; one more has the sum */
	uint32_t *samples_before;         /* only differences mean something */
	uint32_t *places, *places_start;  /* the nodes of each row; see hist_index */
};

#define HIST_NO_ROW UINT32_MAX

/* The input is borrowed until deinit. 0 or -ENOMEM. */
int hist_init(struct hist *h, const struct hist_input *in, const struct hist_want *w);
void hist_deinit(struct hist *h);

/* Row numbers, heaviest first; equal ones by their texts. Malloc'ed, NULL: no memory. */
uint32_t *hist_order(const struct hist *h);

/* The same of the `first` heaviest at least, *in_order of them; all others stand behind these, as they come. */
uint32_t *hist_order_first(const struct hist *h, size_t first, size_t *in_order);

/* Find the nodes of the rows of at least this weight. 0 or -ENOMEM. */
int hist_index(struct hist *h, uint64_t least);

/* Of a node and everything below it. */
static inline uint64_t hist_weight(const struct hist *h, uint32_t node)
{
	return h->weight_before[h->end[node]] - h->weight_before[node];
}

static inline uint32_t hist_samples(const struct hist *h, uint32_t node)
{
	return h->samples_before[h->end[node]] - h->samples_before[node];
}

/* The node whose row has the samples of a leaf for its own: that of the function out of line. */
static inline uint32_t hist_own(const struct hist *h, uint32_t leaf)
{
	const struct ct_node *v = h->in.tree->nodes.v;

	while (h->inlines && h->in.frames[v[leaf].key].inlined && v[v[leaf].parent].parent)
		leaf = v[leaf].parent;
	return leaf;
}

#endif
