/*
 * profile_values.h - sort keys whose values are fields of tracepoints or data of the sample, as perf has them:
 *
 *   FIELD            of every event that has it
 *   EVENT.FIELD      EVENT: a name with or without system, a glob, or a part of one name only
 *   EVENT.*          all fields of the event; FIELD may be any glob
 *   trace_fields     all fields of all events
 *   trace            the whole text of the tracepoint
 *   time             of every event: its time, rounded down to the time quantum
 *   local_weight     of every event: the weight of the sample
 *   mem snoop tlb locked blocked   where the data of an access came from
 *   symbol_daddr dso_daddr phys_daddr data_page_size   which data it was
 *
 * A field is shown as in the tracepoint's text; "/raw" behind a key shows the number itself. Distinct values are kept
 * once, up to a limit: samples with further ones are "[other]".
 */
#ifndef REPORT_PROFILE_VALUES_H
#define REPORT_PROFILE_VALUES_H

#include "base/map.h"
#include "source/session.h"

#define VALUES_QUANTUM UINT64_C(100000000)   /* ns, perf's own */

enum {
	VALUES_FIELDS_MAX = 64,          /* of one event */
	/* Distinct values, all fields of a sample counting as one value; each event may have an equal share of them. */
	VALUES_MAX = 1 << 16,
	VALUES_BYTES_MAX = 8 << 20,
};

/* The data of a sample that a value depends on; VARIES: data that differs in nearly every sample. */
enum values_of_what { VALUES_SOURCE = 1, VALUES_WEIGHT = 2, VALUES_DATA = 4, VALUES_VARIES = 8 };

/* A key that is computed from the sample, not from a field of a tracepoint. */
struct value_made {
	const char *key, *head;          /* head: perf's title of the column */
	unsigned width;                  /* least width of the column */
	char kind;                       /* enum hist_value */
	uint64_t (*number)(const struct sample_layout *l, const struct sample *s);
	void (*text)(const struct value_made *m, struct session *s, const struct sample *smp, struct out *o);
	unsigned part;                   /* enum data_src_part, for keys of data_src */
	unsigned of;                     /* enum values_of_what */
};

struct value_field {
	const struct tfield *field;      /* NULL: computed, or the whole text */
	const struct value_made *made;
	const char *name;                /* including "/raw" if given */
	struct tprint_part part;         /* how the text shows it; at 0: show the raw value */
	unsigned key;                    /* number of the key that it belongs to, from 0 */
	enum { VALUE_PRETTY, VALUE_RAW } how;
	bool number;                     /* values are decimal numbers, unless one has further text */
};

struct values_event {
	struct tevent *event;            /* NULL: no tracepoint, or its format is missing */
	const struct tprint *print;
	VEC(struct value_field) fields;
	size_t n, bytes;                 /* distinct values that this event was the first to have */
	unsigned of;                     /* mask of enum values_of_what, for all its fields */
};

/* A cache of values: many memory accesses have the same data_src, weight and data. */
enum { VALUES_SEEN = 4096 };

struct values_seen {
	uint64_t of[4];                  /* the data that the value depends on */
	size_t event;
	const char *value;               /* NULL: free */
};

struct values {
	struct session *session;
	struct values_event *events;     /* indexed like the session's events */
	size_t n_events, n_asked;        /* n_asked: events that have any of the keys */
	unsigned n_keys;
	struct names known;              /* distinct values */
	struct arena arena;              /* for names */
	size_t max, max_bytes;
	uint64_t others;                 /* samples that are "[other]" */
	uint64_t quantum;                /* ns: times are rounded down to multiples of it */
	struct mem_out text;
	struct values_seen *seen;        /* the cache; NULL: not used yet */
};

/* The session is borrowed until deinit. 0 or -ENOMEM. */
int values_init(struct values *v, struct session *s, struct err *e);
void values_deinit(struct values *v);

/*
 * Add a key. Returns the number of fields that it matches; 0: no event has a field of this name; -EINVAL: the named
 * event does not exist, is ambiguous, or has no such field.
 */
int values_add(struct values *v, struct sv key, struct err *e);

/* Are all events tracepoints or probes, so that perf's default sort key is their text, and not the symbol? */
bool values_texts(const struct values *v);

/* Feed the names of all fields, to suggest similar names. */
void values_feed(const struct values *v, struct nearest *near);

/* Print "; of sched_switch: trace trace_fields prev_comm ...", for each event with fields. */
void values_list(const struct values *v, struct out *o);

/* The values of a sample's keys, see struct hist_group. Equal ones are equal pointers. NULL: no memory. */
const char *values_of(struct values *v, size_t event, const struct sample *smp);

/* Is it the whole text of the tracepoint? */
static inline bool value_is_text(const struct value_field *f)
{
	return !f->field && !f->made;
}

#endif
