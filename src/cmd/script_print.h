/* script_print.h - one sample as text or as a line of JSON. */
#ifndef CMD_SCRIPT_PRINT_H
#define CMD_SCRIPT_PRINT_H

#include "cmd/script_want.h"
#include "source/frames.h"
#include "tracefs/events.h"

struct script {
	struct ctx *c;
	const struct script_want *want;
	struct session *session;
	struct filter filter;
	struct frames frames;
	unsigned *fields;        /* of each event; 0: it is not shown */
	unsigned name_width;     /* of the longest event's name */
	uint64_t shown;
};

/* A sample with its chain, innermost frame first. */
struct script_sample {
	const struct perf_event *ev;
	const struct sample *smp;
	const char *comm;
	struct resolver_spaces spaces;
	unsigned fields;
	const struct chain_frame *frames;
	size_t n_frames;
	bool has_chain, narrow;   /* narrow: names of commands are not padded */
};

/* Command, thread, CPU and time, as they begin each line. */
void script_start(const struct script *s, const struct script_sample *x, struct out *o);

/* perf does not pad commands where call chains follow. */
static inline bool script_narrow(const struct script *s, const struct perf_event *ev, unsigned fields)
{
	return fields & FIELD_IP && ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains;
}

int script_text(struct script *s, const struct script_sample *x, struct out *o);   /* 0 or -ENOMEM */
int script_json(struct script *s, const struct script_sample *x, struct out *o);

/* A COMM, FORK, EXIT, MMAP, MMAP2 or LOST record. */
void script_record(struct script *s, const struct side *d, const struct sample *id, struct out *o);

#endif
