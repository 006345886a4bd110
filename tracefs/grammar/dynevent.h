/*
 * dynevent.h - events that are made at run time: lines of kprobe_events, uprobe_events, dynamic_events,
 * synthetic_events.
 *
 *   p[:[GROUP/]EVENT] [MODULE:]SYMBOL[+OFFSET][%return] | ADDRESS  ARGS    r[MAXACTIVE] for returns
 *   p|r[:..] PATH:OFFSET[%return][(REFCOUNT)]  ARGS                        a uprobe: / and : in it
 *   f[MAXACTIVE][:..] SYMBOL[%return]  ARGS     t[:..] TRACEPOINT  ARGS    Linux 6.5
 *   e[:..] GROUP.EVENT  ARGS [if FILTER]                                   Linux 5.15
 *   s:[synthetic/]EVENT TYPE NAME; ...          or in synthetic_events     EVENT TYPE NAME; ...
 *   -:[GROUP/]EVENT                             or in synthetic_events     !EVENT
 *
 * Parsed into pieces that are borrowed from the line; the line is formatted again from the same pieces.
 */
#ifndef TRACEFS_GRAMMAR_DYNEVENT_H
#define TRACEFS_GRAMMAR_DYNEVENT_H

#include "base/err.h"
#include "base/fmt.h"
#include "tracefs/format/format.h"

enum dynevent_kind {
	DYNEVENT_KPROBE, DYNEVENT_UPROBE, DYNEVENT_FPROBE, DYNEVENT_TPROBE, DYNEVENT_EPROBE, DYNEVENT_SYNTHETIC,
	DYNEVENT_DELETE,
};

struct dynevent {
	enum dynevent_kind kind;
	bool is_return;          /* probes at a function's return */
	unsigned max_active;     /* 0: the kernel's choice */
	struct sv group, event;  /* empty: the kernel chooses */
	struct sv target;        /* SYMBOL, ADDRESS, PATH, TRACEPOINT, or the GROUP.EVENT of an eprobe */
	struct sv module;        /* of a kprobe, empty: none */
	uint64_t offset;         /* from SYMBOL, or in the file; bytes */
	uint64_t refcount;       /* file offset of a USDT semaphore, 0: none */
	struct sv args;          /* as written, without space around them; fields of a synthetic event */
	struct sv filter;        /* of an eprobe */
};

/* NAME=FETCH:TYPE of a probe (name, type may be empty), or TYPE NAME of a synthetic event's field. */
struct dynevent_arg {
	struct sv name, fetch, type;
};

enum { DYNEVENT_NAME_MAX = 63, DYNEVENT_ARGS_MAX = 128 };   /* kernel's limits: bytes, arguments */

/* -EINVAL with a mark under the offending place. text must be NUL-terminated; a line feed may follow the definition. */
int dynevent_parse(struct dynevent *d, const char *text, struct err *e);

/*
 * Is the text such a line, rather than another way to name an event or a place? It needs a letter, then ":", "4:" or "4
 * ", names without a '=' behind them, and a place: "r16:g/e vfs_read", "p: vfs_read" are lines; "p vfs_read",
 * "p:g=vfs_read", "f:12 x", "sched:x" are not.
 */
bool dynevent_is_line(const char *text);

/*
 * Of an eprobe, parsed from text into d, on an event with the format fmt: do the fields exist that it fetches and
 * filters by? -EINVAL with a mark under the place and the nearest names.
 */
int dynevent_check_fields(const struct dynevent *d, const char *text, const struct tfmt *fmt, struct err *e);

/* What of the definition a kernel with this tracefs README does not support, in words; NULL: nothing. */
const char *dynevent_missing(const struct dynevent *d, const char *readme);

/* Where group or event is empty, fill in the name that the kernel would choose; it is stored in buf. */
struct dynevent_names {
	char group[DYNEVENT_NAME_MAX + 1], event[DYNEVENT_NAME_MAX + 1];
};
void dynevent_name(struct dynevent *d, struct dynevent_names *buf);

/* Take the next argument off *args (a copy of d->args). */
bool dynevent_next(enum dynevent_kind kind, struct sv *args, struct dynevent_arg *a);

/*
 * The file that accepts the definition on every kernel since Linux 4.19: "kprobe_events", "uprobe_events",
 * "synthetic_events" or "dynamic_events".
 */
const char *dynevent_file(const struct dynevent *d);

/*
 * The line that creates the event, and the one that removes it (needs group and event), as dynevent_file's file accepts
 * them.
 */
void dynevent_put(const struct dynevent *d, struct out *o);
void dynevent_put_removal(const struct dynevent *d, struct out *o);

/* The line that removes only this place of an event with several places (Linux 5.4). */
void dynevent_put_place_removal(const struct dynevent *d, struct out *o);

#endif
