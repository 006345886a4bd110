/*
 * ktext.h - records as the kernel's own `trace` and `trace_pipe` print them: prefix, event, and what the function_graph
 * tracer makes of its calls.
 *
 * One ktext for each buffer: it keeps the state that the graph needs for each CPU. Text follows the kernel that made
 * the records (want.release): columns of flags and a few words changed between 4.19 and 6.18. Sources: Linux
 * kernel/trace/trace.c, trace_output.c, trace_functions_graph.c, trace_syscalls.c, trace_kprobe.c. Unlike there, %p is
 * never hashed; sym-userobj, fields, raw, hex and bin have no effect; arguments of functions (func-args) are not
 * shown.
 */
#ifndef TRACEFS_TEXT_KTEXT_H
#define TRACEFS_TEXT_KTEXT_H

#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

/* Options of the kernel that change the text, as bits. */
enum ktext_option {
#define OPT(constant, name, on) KTEXT_BIT_##constant,
#include "tracefs/text/ktext_options.def"
#undef OPT
};
#define KTEXT(constant) (UINT32_C(1) << KTEXT_BIT_##constant)

/* The options of a new buffer. */
#define KTEXT_DEFAULT ktext_options((struct sv){ 0 })

/* The defaults with the words of trace_options applied ("sym-offset", "nocontext-info"); unknown words are skipped. */
uint32_t ktext_options(struct sv words);

struct ktext_want {
	struct tevents *events;             /* print fmts are compiled in it, on first use */
	const struct tprint_names *names;   /* NULL: addresses are printed */
	uint32_t options;
	const char *tracer;                 /* current_tracer: "function_graph" gives the graph; NULL: nop */
	const char *release;                /* uname -r of the kernel; NULL or "": the newest layout */
	bool counter;                       /* trace clock without unit: counter, x86-tsc */
	bool overrun;                       /* older records were overwritten: "CPU n buffer started" */
	uint32_t cpus;                      /* possible CPUs: 1 + the highest number */
	uint64_t irq_start, irq_end;        /* __irqentry_text_start and _end, for the graph's arrows; 0: none */
	uint64_t time_start;                /* zero of latency-format's times */
	/*
	 * Each callback may be NULL. `peek` and `skip` are tstream_peek and tstream_skip of the stream that the records
	 * come from: without them no call is folded into `func();`. `next_time`: time of the following record
	 * (latency-format).
	 */
	void *arg;
	bool (*peek)(void *arg, struct tstream_rec *next);
	void (*skip)(void *arg);
	bool (*next_time)(void *arg, uint64_t *ts);
	uint32_t (*tgid)(void *arg, uint32_t pid);   /* 0 unknown */
};

struct ktext;

/* want is copied, what it points to must outlive the ktext. NULL: no memory. */
struct ktext *ktext_new(const struct ktext_want *w);
void ktext_free(struct ktext *k);

/* Print the lines of a record; the graph prints none for some. Afterwards rec->raw may be invalid (see peek). */
void ktext_record(struct ktext *k, const struct tstream_rec *rec, struct out *o);

/* What the header of `trace` shows. */
struct ktext_head {
	uint64_t entries, written;          /* records in the buffer; ever written */
	unsigned online;                    /* CPUs */
	/* latency-format only: */
	uint64_t latency_us;
	unsigned cpu;                       /* CPU of the latency; the task follows */
	const char *preemption;             /* "desktop", "preempt" */
	const char *comm;
	int pid;
	unsigned uid;
	long nice, policy, rt_priority;
};
void ktext_header(const struct ktext *k, const struct ktext_head *h, struct out *o);

#endif
