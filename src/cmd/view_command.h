/*
 * view_command.h - commands that are a subject's views (prof/view.h) and what records for them: "sched record",
 * "sched latency", "kmem stat".
 */
#ifndef CMD_VIEW_COMMAND_H
#define CMD_VIEW_COMMAND_H

#include "cmd/prof/command.h"
#include "cmd/record/want.h"
#include "prof/view.h"

/* The n events in front of what -e names. */
void view_events(struct record_want *w, const char *const *events, size_t n);

/* Of all CPUs, unless somebody is named. */
void view_all(struct record_want *w);

/* sonde record of each event with large rings: -m 1024 -c 1. want begins with a struct record_want. */
int view_record(struct ctx *c, void *want, int argc, char **argv);

/* "latency", or three letters of it and more, as perf has it. NULL: there is none. */
const struct cmd *view_verb(const struct cmd *const *verbs, const char *word);

/* No such verb (NULL: none at all): what there is. The exit code. */
int view_no_verb(struct ctx *c, const char *word);

/* Words that stood in front of a verb, in the form in which they may stand behind it. */
struct view_front {
	const char *v[16];
	size_t n;
};

/* name NULL: the verb has no such option; value NULL: nobody gave it. */
void view_say(struct view_front *f, const char *name, const char *value);
void view_say_flag(struct view_front *f, const char *name, bool is);

/* "kmem -i FILE stat": what stands in front of the verb is said behind it, n words. argv[0] is the verb. */
int view_start(struct ctx *c, const struct cmd *verb, const char *const *front, size_t n, int argc, char **argv);

#endif
