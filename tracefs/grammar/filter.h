/*
 * filter.h - filters of `trace-cmd report -F`: EVENTS ':' EXPRESSION, compiled once for each event they are for.
 *
 *   EVENTS      regular expressions, whole names, joined by ',': SYSTEM/EVENT, or a name of either
 *   EXPRESSION  comparisons joined by && and ||, from left to right without precedence (as trace-cmd: use parentheses),
 *               ! before one comparison or parenthesis; none at all is true
 *   comparison  a term, or two with == != < > <= >= between them; =~ !~ a regular expression, ~ a shell pattern, in
 * quotes term        FIELD NUMBER "text" 'c' ( ), joined by | ^ & << >> + - * / % with C's precedence
 *
 * FIELD is a field of the event, or COMM, CPU, TIMESTAMP (ns). A comparison with a field that the event lacks is false.
 * Numbers of signed fields compare with their sign (trace-cmd: without).
 */
#ifndef TRACEFS_GRAMMAR_FILTER_H
#define TRACEFS_GRAMMAR_FILTER_H

#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

enum tfilter_result { TFILTER_OTHER, TFILTER_MISS, TFILTER_MATCH };   /* OTHER: the filter is not for this event */

struct tfilter_node;

struct tfilter {
	VEC(const struct tfilter_node *) by_id;   /* NULL: not for that event */
};

/* What a filter may look up beyond the record. Both callbacks may be NULL. */
struct tfilter_env {
	void *arg;
	const char *(*comm)(void *arg, uint32_t pid);
	const char *(*symbol)(void *arg, uint64_t addr);   /* name of a function, or NULL */
};

/*
 * Compile the filter for all events that it names. -EINVAL with the text and a mark under the place, -ENOENT no such
 * event, -ENOMEM. The arena must outlive the filter. A zeroed struct is an empty filter; a second expression for an
 * event replaces the first.
 */
int tfilter_add(struct tfilter *f, const struct tevents *t, struct arena *a, const char *text, struct err *e);

/*
 * Add a filter for all events: pass those that concern one of `n` tasks, that is, common_pid, pid or next_pid is among
 * `pids`. However many there are, a record costs no more than one search per field. The pids are copied.
 */
int tfilter_add_tasks(struct tfilter *f, const struct tevents *t, struct arena *a, const uint64_t *pids, size_t n,
		      struct err *e);
void tfilter_deinit(struct tfilter *f);

/* id: of the event of the record. env may be NULL. */
enum tfilter_result tfilter_test(const struct tfilter *f, const struct tfilter_env *env, uint32_t id,
				 const struct tstream_rec *r);

/* Write "TRUE", "FALSE" or the expression as it was understood for an event's id; nothing when it has no filter. */
void tfilter_print(const struct tfilter *f, uint32_t id, struct out *o);

#endif
