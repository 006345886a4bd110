/* session_parts.h - the kinds of recordings. */
#ifndef SOURCE_SESSION_PARTS_H
#define SOURCE_SESSION_PARTS_H

#include "source/session.h"
#include "tracefs/dat.h"

struct session_kind {
	/*
	 * Read what the file tells about itself, from s->bytes into s->file and s->trace. close is called after it,
	 * even after it has failed.
	 */
	int (*open)(struct session *s, struct err *e);
	int (*ready)(struct session *s, struct err *e);   /* the resolver is there now; may be NULL */
	void (*close)(struct session *s);
	int (*next)(struct session *s, struct session_item *item, struct err *e);   /* as session_next */
	/* The kernel's symbols: text as of /proc/kallsyms, malloc'ed, or -errno. */
	int (*kallsyms)(const struct session *s, char **text, size_t *n);
	enum session_symbols { SESSION_SYMBOLS_HOST, SESSION_SYMBOLS_FILE } symbols;
	/* May be NULL. */
	void (*footer)(const struct session *s, void (*say)(void *arg, const char *line), void *arg);
};

/* session_read.c: a perf.data's records in order of time. */
int session_reading_open(struct session *s, struct err *e);
void session_reading_close(struct session *s);
int session_read(struct session *s, struct perf_record *r);   /* 1, 0: no more, -ENOMEM; valid until the next */
uint64_t session_late(const struct session *s);   /* records that came too late for their place in time */

extern const struct session_kind session_perf, session_dat;

#endif
