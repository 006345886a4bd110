/* ktext_impl.h - what the parts of ktext share. */
#ifndef TRACEFS_TEXT_KTEXT_IMPL_H
#define TRACEFS_TEXT_KTEXT_IMPL_H

#include "tracefs/text/ktext.h"

/* One record being printed. */
struct ktext_line {
	struct ktext *k;
	struct tevent *ev;              /* NULL: unknown id */
	const uint8_t *raw;
	size_t n;
	uint64_t ts;
	uint32_t cpu, flags, preempt, lazy;
	int32_t pid;
	struct out *o;
};

enum { KTEXT_GRAPH_DEPTH = 50 };   /* levels whose functions the kernel remembers */

struct ktext_cpu {
	bool started;              /* the first record of this CPU was seen */
	bool has_pid;
	int32_t last_pid, depth, depth_irq;
	uint64_t func[KTEXT_GRAPH_DEPTH];
};

struct ktext {
	struct ktext_want want;
	uint32_t version;          /* major << 8 | minor */
	bool graph;                /* function_graph is the tracer */
	uint64_t index;            /* number of records so far */
	VEC(uint8_t) copy;         /* of a record: looking ahead may invalidate its bytes */
	struct ktext_cpu *cpus;    /* want.cpus of them */
};

#define KTEXT_KERNEL(major, minor) ((uint32_t)(major) << 8 | (minor))

static inline bool ktext_has(const struct ktext *k, uint32_t options)
{
	return k->want.options & options;
}

/* Value of field i of the event's kind; 0 when the event has none. */
uint64_t ktext_field(const struct ktext_line *l, unsigned i);

/* ktext.c: decode everything of a record but its output `o`; false: unknown event. */
bool ktext_read(struct ktext *k, const struct tstream_rec *rec, struct ktext_line *l);
/* Columns: "comm", "..2.", seconds.microseconds or a counter, the mark of a long duration. */
const char *ktext_comm(const struct ktext *k, int32_t pid);
void ktext_flags(const struct ktext_line *l);
void ktext_time(const struct ktext_line *l, uint64_t ts);
char ktext_mark(uint64_t ns);

/* ktext_body.c: the name of a function by the kernel's options, or as %ps prints it. */
void ktext_ip(const struct ktext_line *l, uint64_t ip, uint32_t options);
void ktext_func(const struct ktext_line *l, uint64_t ip);
/* The text behind the prefix; false: it still needs a line feed. KTEXT_MESSAGE: without the event's name (msg_only). */
enum ktext_name { KTEXT_NAMED, KTEXT_MESSAGE };
bool ktext_text(const struct ktext_line *l, enum ktext_name name);

/* ktext_graph.c: print a record of the graph; false: it is none, print it as any other. */
bool ktext_graph(struct ktext_line *l);

#endif
