/*
 * print.h - a sample as lines of text, or as a line of JSON. The reading thread collects what the lines need, such as
 * names and places; then any thread can format them.
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
	uint64_t *fields;        /* for each event its enum script_field; 0: the event is not shown */
	unsigned name_width;     /* of the longest event's name */
	size_t data_src_width;   /* of the longest text so far, to which the next ones are padded, as in perf */
	uint64_t first_time, last_time;   /* of the lines with a time so far; 0: none */
	struct map cgroups;      /* id -> name, which the resolver owns */
	struct dump dump;
	struct script_files files;
	bool off;                /* outside the span of --switch-on and --switch-off */
	struct tprint_names texts;   /* names for tracepoints whose text names no function: any thread may use it */
	struct mem_out made;     /* texts that were made for the present sample */
	uint64_t shown;
};

/* A sample that waits for its lines. Its frames follow, innermost first, then the bytes of script_raw and others. */
struct script_sample {
	const struct perf_event *ev;          /* NULL: no sample, script_made() is the whole line */
	const char *comm;
	uint64_t time, period, addr, weight, phys_addr, data_page, code_page;
	uint64_t tod;                         /* ns since 1970 */
	uint64_t fields;
	uint32_t pid, tid, cpu;
	uint32_t type;                        /* enum perf_rec_type of the record */
	uint16_t misc;
	const struct script_text *addr_place; /* NULL: print no name for addr */
	const struct tevent *trace;           /* NULL: no tracepoint, or its format is unknown */
	const struct tprint *print;           /* NULL: script_made() has the text already */
	uint32_t n_frames, n_raw, n_text, n_access, n_behind;
	bool has_chain, narrow;               /* narrow: the command's name is not padded */
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

/* Queue the lines of a sample, a finished text, or the line of a side record. 0, -ENOMEM or the output's error. */
int script_take(struct script *s, const struct script_taken *t);
int script_take_text(struct script *s, struct sv text);
int script_take_record(struct script *s, const struct session_item *it);

/* The time to print: absolute, or since the first line (--reltime) or the one before (--deltatime). */
uint64_t script_time(struct script *s, uint64_t time);

/*
 * Append the texts of rarely used fields to s->made: n_access bytes to print after the address, then n_behind bytes
 * after the frames; in JSON all are members after the frames. 0 or -ENOMEM.
 */
int script_rare(struct script *s, const struct script_taken *t, size_t *n_access, size_t *n_behind);

/* The wall-clock time of a sample's time, ns since 1970; 0: the recording lacks CLOCK_DATA. */
uint64_t script_tod(const struct perf_head *h, uint64_t time);

/* Note the name of a cgroup from a CGROUP record. */
int script_follow_cgroup(struct script *s, const struct perf_record *r);

/* The memory that each thread has for script_write: formatted names of commands. */
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

/* Print the beginning of a line: command, thread, CPU and time. */
void script_start(const struct script *s, struct script_own *own, const struct script_sample *x, struct out *o);

/* Print the text of a tracepoint's record. */
void script_trace(const struct tprint *p, const struct tprint_names *names, struct bytes raw, struct out *o);

/* As in perf, commands' names are not padded if call chains follow. */
static inline bool script_narrow(const struct script *s, const struct perf_event *ev, uint64_t fields)
{
	return fields & FIELD_IP && ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains;
}

/* What follows the frames: the raw record, its text if it was made already, and the two texts of script_rare. */
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
