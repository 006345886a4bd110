/*
 * view_command.h - commands whose verbs are the views of one subject (prof/view.h), and "record", which records for
 * them: "sched record", "sched latency", "kmem stat".
 */
#ifndef CMD_VIEW_COMMAND_H
#define CMD_VIEW_COMMAND_H

#include "cmd/prof/command.h"
#include "cmd/record/want.h"
#include "prof/view.h"

/* Put the n events in front of those that -e has named. */
void view_events(struct record_want *w, const char *const *events, size_t n);

/* Record all CPUs (-a), unless CPUs, processes, threads or a user were given. */
void view_all(struct record_want *w);

/* Run `sonde record` with -m 1024 -c 1 as defaults: every event, large rings. want begins with a struct record_want. */
int view_record(struct ctx *c, void *want, int argc, char **argv);

/* Find a verb by its name or, as perf does, by its first three letters or more. NULL: no such verb. */
const struct cmd *view_verb(const struct cmd *const *verbs, const char *word);

/* Report an unknown verb, with similar ones; word NULL: no verb was given, print the help. Returns the exit code. */
int view_no_verb(struct ctx *c, const char *word);

/* Options that were given in front of the verb, respelled as words to go behind it. */
struct view_front {
	const char *v[16];
	size_t n;
};

/* Add an option and its value. name NULL: the verb has no such option; value NULL: the option was not given. */
void view_say(struct view_front *f, const char *name, const char *value);
void view_say_flag(struct view_front *f, const char *name, bool is);

/* "kmem -i FILE stat": run the verb with the n words of `front` inserted behind it. argv[0] is the verb. */
int view_start(struct ctx *c, const struct cmd *verb, const char *const *front, size_t n, int argc, char **argv);

#endif
