/* session_parts.h - the kinds of recordings. */
#ifndef FLOW_SESSION_PARTS_H
#define FLOW_SESSION_PARTS_H

#include "flow/session.h"
#include "tracefs/dat.h"

struct session_kind {
	/*
	 * Read what the file tells about itself, from s->bytes into s->file and s->trace. close is called after it,
	 * even after it has failed.
	 */
	int (*open)(struct session *s, struct err *e);
	int (*ready)(struct session *s, struct err *e);   /* the resolver is there now; may be NULL */
	void (*close)(struct session *s);
	int (*run)(struct session *s, const struct session_ops *ops, struct err *e);
	/* The kernel's symbols: text as of /proc/kallsyms, malloc'ed, or -errno. */
	int (*kallsyms)(const struct session *s, char **text, size_t *n);
	enum session_symbols { SESSION_SYMBOLS_HOST, SESSION_SYMBOLS_FILE } symbols;
	/* May be NULL. */
	void (*footer)(const struct session *s, void (*say)(void *arg, const char *line), void *arg);
};

extern const struct session_kind session_perf, session_dat;

#endif
