/*
 * profile_values.h - values of tracepoints' fields that tell samples apart, by keys as perf has them:
 *
 *   FIELD            of every event that has it
 *   EVENT.FIELD      EVENT: its name with or without its system, a pattern, or a part that only one name has
 *   EVENT.*          all fields of the event's own; any pattern will do
 *   trace_fields     those of all events
 *   trace            the whole text
 *   time             of every event: when it was, in steps of the time quantum
 *   local_weight     of every event: the weight of the sample
 *   mem snoop tlb locked blocked   where the data of an access came from
 *   symbol_daddr dso_daddr phys_daddr data_page_size   which data it was
 *
 * A field is shown as the text shows it; "/raw" behind a key asks for the number itself. Distinct values are kept once,
 * up to a limit: samples with further ones are "[other]".
 */
#ifndef REPORT_PROFILE_VALUES_H
#define REPORT_PROFILE_VALUES_H

#include "base/map.h"
#include "source/session.h"

#define VALUES_QUANTUM UINT64_C(100000000)   /* ns, perf's own */

enum {
	VALUES_FIELDS_MAX = 64,          /* of one event */
	/* Distinct ones, of all fields of a sample together; each event may have an equal share of them. */
	VALUES_MAX = 1 << 16,
	VALUES_BYTES_MAX = 8 << 20,
};

/* Of what of a sample a text is made; VARIES: of what is another in each. */
enum values_of_what { VALUES_SOURCE = 1, VALUES_WEIGHT = 2, VALUES_DATA = 4, VALUES_VARIES = 8 };

/* What any sample has. */
struct value_made {
	const char *key, *head;          /* head: of its column, as perf has it */
	unsigned width;                  /* of that, at least */
	char kind;                       /* enum hist_value */
	uint64_t (*number)(const struct sample_layout *l, const struct sample *s);
	void (*text)(const struct value_made *m, struct session *s, const struct sample *smp, struct out *o);
	unsigned part;                   /* enum data_src_part, where the text is one */
	unsigned of;                     /* enum values_of_what */
};

struct value_field {
	const struct tfield *field;      /* NULL: what is made, or the whole text */
	const struct value_made *made;
	const char *name;                /* with "/raw" where that was asked for */
	struct tprint_part part;         /* at 0: the raw value */
	unsigned key;                    /* that asked for it, from 0 */
	enum { VALUE_PRETTY, VALUE_RAW } how;
	bool number;                     /* a decimal one, unless a value has more to it */
};

struct values_event {
	struct tevent *event;            /* NULL: no tracepoint, or its format is missing */
	const struct tprint *print;
	VEC(struct value_field) fields;
	size_t n, bytes;                 /* distinct values that it was the first to have */
	unsigned of;                     /* enum values_of_what, of all fields together */
};

/* Of accesses many have the same words: what the last ones were. */
enum { VALUES_SEEN = 4096 };

struct values_seen {
	uint64_t of[4];                  /* what the value was made of */
	size_t event;
	const char *value;               /* NULL: nothing yet */
};

struct values {
	struct session *session;
	struct values_event *events;     /* by the session's index */
	size_t n_events, n_asked;        /* n_asked: events with fields */
	unsigned n_keys;
	struct names known;
	struct arena arena;              /* of names */
	size_t max, max_bytes;
	uint64_t others;                 /* samples that are "[other]" */
	uint64_t quantum;                /* ns: times are multiples of it */
	struct mem_out text;
	struct values_seen *seen;        /* NULL: no event has such fields alone */
};

/* The session is borrowed until deinit. 0 or -ENOMEM. */
int values_init(struct values *v, struct session *s, struct err *e);
void values_deinit(struct values *v);

/*
 * Have one more key. The number of fields that it stands for; 0: no event has a field of this name; -EINVAL: the event
 * it names is none, or not one alone, or has no such field.
 */
int values_add(struct values *v, struct sv key, struct err *e);

/* Their texts tell all events apart better than where they happened: tracepoints and probes, of which perf says so. */
bool values_texts(const struct values *v);

/* Every field, for near names. */
void values_feed(const struct values *v, struct nearest *near);

/* "; of sched_switch: trace trace_fields prev_comm ...", for each event that has some. */
void values_list(const struct values *v, struct out *o);

/* The event's fields' values for a sample, as in struct hist_group. Equal ones are equal pointers. NULL: no memory. */
const char *values_of(struct values *v, size_t event, const struct sample *smp);

/* Is it the whole text? */
static inline bool value_is_text(const struct value_field *f)
{
	return !f->field && !f->made;
}

#endif
