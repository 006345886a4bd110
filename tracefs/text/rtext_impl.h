/* rtext_impl.h - rtext.c makes the line, rtext_plugin.c the text behind the name. */
#ifndef TRACEFS_TEXT_RTEXT_IMPL_H
#define TRACEFS_TEXT_RTEXT_IMPL_H

#include "tracefs/text/rtext.h"

enum { RTEXT_COMMS = 256 };

/* One record on its way to text. */
struct rtext_rec {
	const struct rtext *t;
	struct rtext_pen *pen;
	const struct rtext_event *ev;
	const struct tstream_rec *rec;
	const struct rtext_leaf *leaf;
	const struct rtext_past *past;
};

/* What trace-cmd makes of some kinds of events. */
struct rtext_plugin {
	/* Writes the text; false: the print fmt's is wanted (behind what was written). */
	bool (*write)(const struct rtext_rec *r, struct out *o);
	/* What is to be known of the records before, and learned for those behind, in their order; may be NULL. */
	void (*follow)(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past);
	bool asks_names;
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
	VEC(struct rtext_event *) by_id;
	VEC(struct rtext_calls *) calls;        /* by CPU */
	struct arena arena;
	struct { uint32_t pid; const char *comm; } comms[RTEXT_COMMS];   /* by pid; comm NULL: free */
	struct rtext_pen pen;                   /* of who asks rtext itself */
};

/* What writes events of that kind; NULL: their print fmt does. */
const struct rtext_plugin *rtext_plugin(enum tkind kind);

/* Names for its texts: through the pen's memory, valid as long as r. */
struct tprint_names rtext_names(const struct rtext_rec *r);

/* A function, NULL unknown; *n its length. */
const char *rtext_name(const struct rtext_rec *r, uint64_t addr, uint64_t *offset, size_t *n);

void rtext_put_time(const struct rtext *t, struct rtext_pen *pen, uint64_t ts, struct out *o);

/* A common field; 0 when there is none. */
uint64_t rtext_common(const struct rtext_rec *r, enum tkind_common which);

/* Learn the name of a thread that had none. */
void rtext_learn(struct rtext *t, uint32_t pid, struct sv comm);

#endif
