/*
 * script_print.h - one sample as text or as a line of JSON. The thread that reads takes what the line needs, names and
 * places included; any thread writes it.
 */
#ifndef CMD_SCRIPT_PRINT_H
#define CMD_SCRIPT_PRINT_H

#include "cmd/script_place.h"
#include "report/lines.h"
#include "tracefs/events.h"

struct script {
	struct ctx *c;
	const struct script_want *want;
	struct session *session;
	struct filter filter;
	struct frames frames;
	struct script_places places;
	struct lines *lines;
	unsigned *fields;        /* of each event; 0: it is not shown */
	unsigned name_width;     /* of the longest event's name */
	struct tprint_names texts;   /* for texts of tracepoints in which no function is named */
	struct mem_out made;     /* the text of the record that is taken in */
	uint64_t shown;
};

/* A sample on its way to a line; its frames, innermost first, and bytes stand behind it. */
struct script_sample {
	const struct perf_event *ev;          /* NULL: a line that is made already */
	const char *comm;
	uint64_t time, period, addr, weight, phys_addr, data_page, code_page;
	uint32_t pid, tid, cpu;
	unsigned fields;
	const struct script_text *addr_place; /* NULL: it has none */
	const struct tevent *trace;           /* NULL: no format */
	const struct tprint *print;           /* NULL: the text is there already */
	uint32_t n_frames, n_raw, n_text;
	bool has_chain, narrow;               /* narrow: names of commands are not padded */
	const struct script_text *frames[];
};

struct script_taken {
	const struct perf_event *ev;
	const struct sample *smp;
	const char *comm;
	struct resolver_spaces spaces;
	const struct chain_frame *frames;
	size_t n_frames;
};

/*
 * Items of a sample, of a line between them, and of a COMM, FORK, EXIT, MMAP, MMAP2 or LOST record where it is wanted.
 * 0, -ENOMEM or the output's error.
 */
int script_take(struct script *s, const struct script_taken *t);
int script_take_text(struct script *s, struct sv text);
int script_take_record(struct script *s, const struct side *d, const struct sample *id);

/* Threads' own for script_write. */
enum { SCRIPT_NAMES = 64 };
struct script_own {
	struct {
		const char *comm;             /* NULL: free */
		bool narrow;
		uint8_t n;
		char text[38];
	} names[SCRIPT_NAMES];
};

/* For struct lines: arg is the struct script, item a struct script_sample. */
void script_write(const void *arg, void *own, void *item, struct out *o);

/* Command, thread, CPU and time, as they begin each line. */
void script_start(const struct script *s, struct script_own *own, const struct script_sample *x, struct out *o);

/* The text of a tracepoint. */
void script_trace(const struct tprint *p, const struct tprint_names *names, struct bytes raw, struct out *o);

/* perf does not pad commands where call chains follow. */
static inline bool script_narrow(const struct script *s, const struct perf_event *ev, unsigned fields)
{
	return fields & FIELD_IP && ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains;
}

/* The record itself, and its text where it was made already. */
static inline struct bytes script_raw(const struct script_sample *x)
{
	return (struct bytes){ (const uint8_t *)(x->frames + x->n_frames), x->n_raw };
}

static inline struct sv script_made(const struct script_sample *x)
{
	return (struct sv){ (const char *)(x->frames + x->n_frames) + x->n_raw, x->n_text };
}

#endif
