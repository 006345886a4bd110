/* rtext_impl.h - rtext.c makes the line, rtext_plugin.c the text behind the name, rtext_func.c that of functions. */
#ifndef TRACEFS_RTEXT_IMPL_H
#define TRACEFS_RTEXT_IMPL_H

#include "tracefs/rtext.h"

enum { RTEXT_CACHE = 1024, RTEXT_TASKS = 128 };

/* One record on its way to text. */
struct rtext_rec {
	struct rtext *t;
	const struct rtext_event *ev;
	const struct tstream_rec *rec;
	const struct rtext_leaf *leaf;
};

/* "comm-pid   [cpu]" as it was written last. */
struct rtext_task {
	uint32_t pid, cpu;
	uint8_t n;               /* bytes of text, 0: nothing here */
	char text[39];
};

/* Functions of one CPU that called each other, outermost first; what lies behind the last one found is old. */
struct rtext_calls {
	uint32_t n;
	const char *func[64];
};

struct rtext {
	struct tevents *events;
	const struct tprint_names *names;
	unsigned flags;
	uint64_t last_ts;
	const char *before;                     /* rtext_before() */
	VEC(struct rtext_event *) by_id;
	VEC(struct rtext_calls *) calls;        /* by CPU */
	struct arena arena;
	struct tprint_names cached;             /* names through the cache */
	uint64_t second;                        /* the one of the line before, in units of its digits */
	struct rtext_task tasks[RTEXT_TASKS];
	struct { uint64_t addr, offset; const char *name; bool used; } cache[RTEXT_CACHE];
};

/* What writes events of that kind; NULL: their print fmt does. */
rtext_plugin_fn *rtext_plugin(enum tkind kind);

/* Field i of the event's kind: false and 0 when there is none. */
bool rtext_field(const struct rtext_rec *r, unsigned i, uint64_t *v);

/* A common field; 0 when there is none. */
uint64_t rtext_common(const struct rtext_rec *r, enum tkind_common which);

/* Learn the name of a thread that had none. */
void rtext_learn(struct rtext *t, uint32_t pid, struct sv comm);

bool rtext_function(const struct rtext_rec *r, struct out *o);
bool rtext_repeats(const struct rtext_rec *r, struct out *o);
bool rtext_entry(const struct rtext_rec *r, struct out *o);
bool rtext_exit(const struct rtext_rec *r, struct out *o);
bool rtext_stack(const struct rtext_rec *r, struct out *o);
bool rtext_raw_data(const struct rtext_rec *r, struct out *o);

#endif
