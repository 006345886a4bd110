/*
 * print.h - one sample as text or as a line of JSON. The thread that reads takes what the line needs, names and
 * places included; any thread writes it.
 */
#ifndef CMD_SCRIPT_PRINT_H
#define CMD_SCRIPT_PRINT_H

#include "cmd/dump.h"
#include "cmd/script/files.h"
#include "cmd/script/place.h"
#include "report/lines.h"
#include "tracefs/format/events.h"

struct script {
	struct ctx *c;
	const struct script_want *want;
	struct session *session;
	struct filter filter;
	struct frames frames;
	struct script_places places;
	struct lines *lines;
	uint64_t *fields;        /* of each event; 0: it is not shown */
	unsigned name_width;     /* of the longest event's name */
	size_t data_src_width;   /* of the longest text so far: those after it are padded to it, as perf does */
	uint64_t first_time, last_time;   /* of lines with a time; 0: there was none */
	struct map cgroups;      /* id -> their name, the resolver's */
	struct dump dump;
	struct script_files files;
	bool off;                /* not within the span that was asked for */
	struct tprint_names texts;   /* for texts of tracepoints in which no function is named */
	struct mem_out made;     /* the text of the record that is taken in */
	uint64_t shown;
};

/* A sample on its way to a line; its frames, innermost first, and bytes stand behind it. */
struct script_sample {
	const struct perf_event *ev;          /* NULL: a line that is made already */
	const char *comm;
	uint64_t time, period, addr, weight, phys_addr, data_page, code_page;
	uint64_t tod;                         /* ns since 1970 */
	uint64_t fields;
	uint32_t pid, tid, cpu;
	uint32_t type;                        /* enum perf_rec_type of the record */
	uint16_t misc;
	const struct script_text *addr_place; /* NULL: it has none */
	const struct tevent *trace;           /* NULL: no format */
	const struct tprint *print;           /* NULL: the text is there already */
	uint32_t n_frames, n_raw, n_text, n_access, n_behind;
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

/* Items of a sample, of a line between them, and of a record that is none. 0, -ENOMEM or the output's error. */
int script_take(struct script *s, const struct script_taken *t);
int script_take_text(struct script *s, struct sv text);
int script_take_record(struct script *s, const struct session_item *it);

/* The time of a line: as it is, or since another one's. */
uint64_t script_time(struct script *s, uint64_t time);

/*
 * Texts of fields that few ask for, at the end of s->made: those that stand behind the address, and those behind the
 * frames; in JSON all of them are members behind the frames. 0 or -ENOMEM.
 */
int script_rare(struct script *s, const struct script_taken *t, size_t *n_access, size_t *n_behind);

/* The time of day of a sample's, ns since 1970; 0: the recording does not tell. */
uint64_t script_tod(const struct perf_head *h, uint64_t time);

/* A CGROUP record: how a group is called. */
int script_follow_cgroup(struct script *s, const struct perf_record *r);

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
static inline bool script_narrow(const struct script *s, const struct perf_event *ev, uint64_t fields)
{
	return fields & FIELD_IP && ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains;
}

/* The record itself, and its text where it was made already; then those of script_rare. */
static inline struct bytes script_raw(const struct script_sample *x)
{
	return (struct bytes){ (const uint8_t *)(x->frames + x->n_frames), x->n_raw };
}

static inline struct sv script_made(const struct script_sample *x)
{
	return (struct sv){ (const char *)(x->frames + x->n_frames) + x->n_raw, x->n_text };
}

static inline struct sv script_access(const struct script_sample *x)
{
	return (struct sv){ script_made(x).s + x->n_text, x->n_access };
}

static inline struct sv script_behind(const struct script_sample *x)
{
	return (struct sv){ script_access(x).s + x->n_access, x->n_behind };
}

#endif
