/* probe.h - what `sonde probe` is asked to do, and its actions but for defining, one file each. */
#ifndef CMD_PROBE_PROBE_H
#define CMD_PROBE_PROBE_H

#include "cmd/cmd.h"
#include "probing/define.h"
#include "tracing/tfs.h"

enum probe_action {
	PROBE_ADD = 1,
	PROBE_DEL = 2,
	PROBE_LIST = 4,
	PROBE_LINES = 8,
	PROBE_VARS = 16,
	PROBE_FUNCS = 32,
	PROBE_DEFINITION = 64,
};

struct probe_want {
	unsigned action;                /* enum probe_action; several bits: a contradiction */
	struct opt_list add, del;
	const char *point, *filter;     /* of -L, -V; of -F, -l, -V */
	const char *exec, *debug, *vmlinux, *module, *source, *at, *symfs;
	uint64_t max_probes, target_ns;
	bool force, dry_run, quiet, externs, range, no_inlines, no_demangle, cost, unsafe;
	unsigned verbose;
	struct subject_want subject;
};

/* PROBE_ADD, PROBE_DEFINITION of definitions in the kernel's own words. */
int probe_verbatim(struct ctx *c, struct probe_want *w, struct err *e);
int probe_del(struct ctx *c, struct probe_want *w, struct err *e);
int probe_list(struct ctx *c, struct probe_want *w, struct err *e);
int probe_funcs(struct ctx *c, struct probe_want *w, struct err *e);
int probe_vars(struct ctx *c, struct probe_want *w, struct err *e);
int probe_lines(struct ctx *c, struct probe_want *w, struct err *e);

/* Options of debug information and of files elsewhere, and whether --symfs goes with the rest. */
extern const struct opt probe_more_opts[];
int probe_more_check(const struct probe_want *w, struct err *e);

/* The wanted subject. */
int probe_subject(struct ctx *c, struct probe_want *w, struct subject *s, struct err *e);

/* A place without arguments, of -L and -V. */
int probe_place(struct point *p, struct arena *a, const char *text, struct err *e);

/* Is a part of the debug information missing? Advice in e when it failed, else a note. */
void probe_tell_missing(struct ctx *c, const struct probe_want *w, const struct subject *s, int failed, struct err *e);

/*
 * Does the name pass the filter? event: the part of GROUP:EVENT that globs without a colon mean; empty: it is none.
 * What cannot be read of a filter passes: probe_filter_check it first; -EINVAL with a mark below the bad place.
 */
bool probe_filter(const char *filter, struct sv name, struct sv event);
int probe_filter_check(const char *filter, struct err *e);

/* A line for the user that -q leaves out. */
void probe_note(struct ctx *c, const struct probe_want *w, const char *text);

#endif
