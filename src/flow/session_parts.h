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

/* One file's records: the recording's, or those of another file of its directory. */
struct session_source {
	struct bytes bytes;       /* up to the last record */
	uint64_t off;             /* of the next one */
	uint64_t newest;          /* time of those that were read */
	uint64_t forgotten;       /* its pages up to here were given back */
	uint64_t touched;         /* bytes read below that since */
	struct unpacker *unpacker;   /* of what is compressed; NULL: nothing was */
	bool borrowed;            /* the session's own bytes */
	bool ended;
};

/* session_read.c: a perf.data's records in order of time. */
int session_sources_open(struct session *s, struct err *e);
void session_sources_close(struct session *s);
int session_read(struct session *s, const struct session_ops *ops, struct err *e);

/* session.c: one record, when it is its turn. */
int session_give(struct session *s, const struct session_ops *ops, const struct perf_record *r);
struct cursor session_body(const struct session *s, const struct perf_record *r);

extern const struct session_kind session_perf, session_dat;

#endif
