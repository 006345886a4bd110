/* rtext_impl.h - rtext.c makes the line, rtext_plugin.c the text behind the name. */
#ifndef TRACEFS_TEXT_RTEXT_IMPL_H
#define TRACEFS_TEXT_RTEXT_IMPL_H

#include "tracefs/text/rtext.h"

enum { RTEXT_COMMS = 256 };

/* One record being printed. */
struct rtext_rec {
	const struct rtext *t;
	struct rtext_pen *pen;
	const struct rtext_event *ev;
	const struct tstream_rec *rec;
	const struct rtext_leaf *leaf;
	const struct rtext_past *past;
};

/* How trace-cmd's plugin prints a kind of events. */
struct rtext_plugin {
	/* Writes the text; false: the text of the print fmt follows what was written. */
	bool (*write)(const struct rtext_rec *r, struct out *o);
	/* Take state from earlier records and update it for later ones, called in their order; may be NULL. */
	void (*follow)(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past);
	bool asks_names;
};

/* Functions of one CPU, each the caller of the next, outermost first; those behind the last match are stale. */
struct rtext_calls {
	uint32_t n;
	const char *func[64];
};

struct rtext {
	struct tevents *events;
	const struct tprint_names *names;
	unsigned flags;
	uint64_t last_ts;
	VEC(struct rtext_event *) by_id;
	VEC(struct rtext_calls *) calls;        /* by CPU */
	struct arena arena;
	struct { uint32_t pid; const char *comm; } comms[RTEXT_COMMS];   /* by pid; comm NULL: free */
	struct rtext_pen pen;                   /* for callers without a pen of their own */
};

/* The plugin for that kind; NULL: its print fmt is used. */
const struct rtext_plugin *rtext_plugin(enum tkind kind);

/* Names for print fmts, cached in the pen; valid as long as r. */
struct tprint_names rtext_names(const struct rtext_rec *r);

/* Name of the function at an address, *n its length; NULL: unknown. */
const char *rtext_name(const struct rtext_rec *r, uint64_t addr, uint64_t *offset, size_t *n);

void rtext_put_time(const struct rtext *t, struct rtext_pen *pen, uint64_t ts, struct out *o);

/* Value of a common field; 0 when the event has none. */
uint64_t rtext_common(const struct rtext_rec *r, enum tkind_common which);

/* Remember the name of a thread whose name was not known. */
void rtext_learn(struct rtext *t, uint32_t pid, struct sv comm);

#endif
