/*
 * hist.h - the rows of a profile: samples of a call tree, summed up by sort keys (process, thread, CPU, command, shared
 * object, symbol ...). Rows are made from distinct chains, not from samples.
 *
 * In the tree, node 0's children are groups (key: index in groups), all nodes below them are frames (key: index in
 * frames), outermost first. It is settled: each subtree is contiguous.
 */
#ifndef ANALYSE_HIST_H
#define ANALYSE_HIST_H

#include "analyse/calltree.h"
#include "analyse/fold.h"

enum hist_key {
	HIST_COMM = 1, HIST_PID = 2, HIST_TID = 4, HIST_CPU = 8,   /* of the group */
	HIST_DSO = 16, HIST_SYM = 32,                              /* of the frame */
	HIST_VALUES = 64,                                          /* of the group */
	HIST_LINE = 128, HIST_FILE = 256,                          /* of the frame: its place in the source */
	HIST_SOCKET = 512, HIST_PARENT = 1024, HIST_PARALLELISM = 2048,   /* of the group */
	/* of the frame: struct hist_touch */
	HIST_TYPE = 4096, HIST_TYPEOFF = 8192, HIST_TYPECLN = 16384, HIST_SYMOFF = 32768,
	HIST_TOUCH_KEYS = HIST_TYPE | HIST_TYPEOFF | HIST_TYPECLN | HIST_SYMOFF,
	HIST_SPACE = 65536,                                        /* of the group, but no key of rows */
	HIST_GROUP_KEYS = 15 | HIST_VALUES | HIST_SOCKET | HIST_PARENT | HIST_PARALLELISM,
};

/* The kind of code that a sample is in. */
enum hist_space {
	HIST_KERNEL, HIST_USER, HIST_GUEST_KERNEL, HIST_GUEST_USER, HIST_SPACES,
	HIST_ELSEWHERE = HIST_SPACES,
};

/* The first character of a value: its kind. */
enum hist_value { HIST_NUMBER = '#', HIST_STRING = '"', HIST_TRACE = '%', HIST_OTHER = '*' };

/* Texts are borrowed, and equal ones are equal pointers. */
struct hist_group {
	const char *comm;
	uint32_t event;
	uint32_t pid, tid, cpu;   /* 0 if not a key */
	int32_t socket;           /* socket of the CPU; -1: unknown */
	uint32_t parallelism;     /* how many tasks ran at the same time; 0 if not a key */
	enum hist_space space;    /* HIST_KERNEL if not a key */
	const char *parent;       /* value of the key "parent"; NULL: not a key, or no caller matches */
	const char *values;       /* each an enum hist_value and a text with its NUL; a NUL more ends the list */
};

/* The i-th value, with its kind in front; "" if there are fewer. */
const char *hist_value(const char *values, size_t i);

/* The data that an instruction accesses; a text is NULL if not a key. In the order of the keys. */
enum hist_touch_text { HIST_TOUCH_TYPE, HIST_TOUCH_TYPEOFF, HIST_TOUCH_TYPECLN, HIST_TOUCH_SYMOFF, HIST_TOUCH_TEXTS };

struct hist_touch {
	const char *text[HIST_TOUCH_TEXTS];
};

struct hist_frame {
	const char *dso;          /* full name */
	const char *dso_short;
	const char *sym;          /* NULL: unknown */
	const char *label; /* sym, or "dso+0xaddr", or "0xaddr" (kernel, unknown); NULL: not made yet */
	const char *line, *file;  /* "main.c:12", "main.c"; NULL: not a key, or unknown */
	const struct hist_touch *touch;   /* NULL: not a key */
	uint64_t addr;            /* start of the symbol, or the address, as in the dso's file */
	bool kernel, known;       /* known: the dso is known */
	uint8_t inlined;          /* depth of inlining, 0: not inlined; its samples count as self of its caller */
};

/* A text of the data that a frame accesses; NULL: not a key. */
static inline const char *hist_touched(const struct hist_frame *f, enum hist_touch_text which)
{
	return f->touch ? f->touch->text[which] : NULL;
}

struct hist_input {
	const struct calltree *tree;
	const struct hist_group *groups;
	const struct hist_frame *frames;
	size_t n_groups, n_frames;
	const struct fold *folded;   /* notes of folded branches; NULL: nothing was folded */
};

enum hist_mode { HIST_SELF, HIST_CHILDREN };

/* Order of rows with equal weight: by their texts only, or callers before callees. */
enum hist_ties { HIST_BY_TEXT, HIST_BY_DEPTH };

struct hist_want {
	uint32_t event;
	unsigned keys;            /* enum hist_key */
	enum hist_mode mode;      /* HIST_CHILDREN: callers get rows too */
	enum hist_ties ties;
	bool by_latency;          /* sort rows by latency */
};

struct hist_row {
	uint64_t self, total;             /* total: of samples with it anywhere in the chain; only in HIST_CHILDREN */
	uint64_t samples, total_samples;
	uint64_t in_space[HIST_SPACES];   /* self by kind of code; only with HIST_SPACE */
	double latency;                   /* sum of weight / number of running tasks, of the samples in self */
	uint32_t group, frame;            /* of its first node, which has the values of the row's keys */
	uint32_t depth;                   /* length of the longest chain below it; only in HIST_CHILDREN */
	uint32_t upto;                    /* end of the last subtree that is in the total */
};

struct hist {
	struct hist_input in;
	struct hist_want want;
	VEC(struct hist_row) rows;
	uint32_t *row_of;                 /* node -> row; HIST_NO_ROW for groups and other events' nodes */
	uint64_t weight, samples;         /* sums of the event's samples */
	bool inlines;                     /* there are inlined frames */
	uint32_t *end;                    /* node -> end of its subtree (exclusive) */
	uint64_t *weight_before;          /* node -> sum of the weights of the nodes before it; the last is the total */
	uint32_t *samples_before;         /* the same for samples, modulo 2^32 */
	uint32_t *places, *places_start;  /* the nodes of each row, see hist_index() */
};

#define HIST_NO_ROW UINT32_MAX

/* The input is borrowed until deinit. 0 or -ENOMEM. */
int hist_init(struct hist *h, const struct hist_input *in, const struct hist_want *w);
void hist_deinit(struct hist *h);

/* Row numbers, heaviest first; rows of equal weight by their texts. Malloc'ed, NULL: no memory. */
uint32_t *hist_order(const struct hist *h);

/* The same, but at least the `first` heaviest are sorted, *in_order of them; the others follow unsorted. */
uint32_t *hist_order_first(const struct hist *h, size_t first, size_t *in_order);

/* Make the lists of nodes (places) of all rows of at least this weight. 0 or -ENOMEM. */
int hist_index(struct hist *h, uint64_t least);

/* Weight and samples of a node's subtree. */
static inline uint64_t hist_weight(const struct hist *h, uint32_t node)
{
	return h->weight_before[h->end[node]] - h->weight_before[node];
}

static inline uint32_t hist_samples(const struct hist *h, uint32_t node)
{
	return h->samples_before[h->end[node]] - h->samples_before[node];
}

/* The node whose row gets the samples of a leaf as self: the function that contains the leaf's inlined frames. */
static inline uint32_t hist_own(const struct hist *h, uint32_t leaf)
{
	const struct ct_node *v = h->in.tree->nodes.v;

	while (h->inlines && h->in.frames[v[leaf].key].inlined && v[v[leaf].parent].parent)
		leaf = v[leaf].parent;
	return leaf;
}

#endif
