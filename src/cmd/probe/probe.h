/*
 * probe.h - the options of `sonde probe`, and its actions, one file each; defining probes in perf's syntax is in
 * cmd_probe.c.
 */
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
	unsigned action;                /* enum probe_action; several bits contradict each other */
	struct opt_list add, del;
	const char *point, *filter;     /* the place of -L, -V; the filter of -F, -l, -V */
	const char *exec, *debug, *vmlinux, *module, *source, *at, *symfs;
	uint64_t max_probes, target_ns;
	bool force, dry_run, quiet, externs, range, no_inlines, no_demangle, cost, unsafe;
	unsigned verbose;
	struct subject_want subject;
};

/* PROBE_ADD and PROBE_DEFINITION, of definitions in the kernel's syntax. */
int probe_verbatim(struct ctx *c, struct probe_want *w, struct err *e);
int probe_del(struct ctx *c, struct probe_want *w, struct err *e);
int probe_list(struct ctx *c, struct probe_want *w, struct err *e);
int probe_funcs(struct ctx *c, struct probe_want *w, struct err *e);
int probe_vars(struct ctx *c, struct probe_want *w, struct err *e);
int probe_lines(struct ctx *c, struct probe_want *w, struct err *e);

/* Options for debug information and for files of another machine; -EINVAL: they do not go with the other options. */
extern const struct opt probe_more_opts[];
int probe_more_check(const struct probe_want *w, struct err *e);

/* Open the program, module or kernel that the options name; end with subject_close(). */
int probe_subject(struct ctx *c, struct probe_want *w, struct subject *s, struct err *e);

/* Parse the place of -L or -V, which has no arguments. */
int probe_place(struct point *p, struct arena *a, const char *text, struct err *e);

/* If a part of the debug information is missing, print a note; or, if the action has failed, add advice to e. */
void probe_tell_missing(struct ctx *c, const struct probe_want *w, const struct subject *s, int failed, struct err *e);

/*
 * Does the name pass the filter? event: the EVENT of a GROUP:EVENT, which globs without a colon are matched against;
 * empty: the name is none. Parts of a filter that cannot be parsed pass; so call probe_filter_check() first, which
 * returns -EINVAL with the bad place marked in e.
 */
bool probe_filter(const char *filter, struct sv name, struct sv event);
int probe_filter_check(const char *filter, struct err *e);

/* Print a note, unless -q is given. */
void probe_note(struct ctx *c, const struct probe_want *w, const char *text);

#endif
