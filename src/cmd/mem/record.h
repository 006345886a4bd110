/*
 * record.h - `record` with the events that sample loads and stores on this machine, for mem record and c2c record. The
 * events are perf's (tools/perf/arch/{x86,arm64}/util/mem-events.c, Linux 6.12).
 */
#ifndef CMD_MEM_RECORD_H
#define CMD_MEM_RECORD_H

#include "cmd/cmd.h"
#include "cmd/record/want.h"
#include "machine/pmus.h"

enum mem_what { MEM_LOADS = 1, MEM_STORES = 2 };

struct mem_record_want {
	struct record_want record;   /* first, for record's options are in it */
	uint64_t latency;            /* only loads that take at least so many cycles */
	unsigned what;               /* enum mem_what; 0: both */
	bool physical;
};

void mem_record_defaults(void *want);

enum { MEM_EVENTS_MAX = 16, MEM_EVENT_TEXT = 160 };

struct mem_event {
	const char *tag;             /* perf's name for it, "spe-ldst" */
	unsigned what;               /* enum mem_what */
	char text[MEM_EVENT_TEXT];   /* as record's -e takes it */
};

struct mem_events {
	struct mem_event v[MEM_EVENTS_MAX];
	size_t n;
};

/* Find the memory events of this machine. */
void mem_events_find(struct mem_events *m, struct pmus *p, uint64_t latency);

/* Does event i sample `what`: loads, stores or both? If any event samples exactly that, others do not count. */
bool mem_event_is_for(const struct mem_events *m, size_t i, unsigned what);

/*
 * The set of events, one bit each, whose tags contain a word of the comma-separated list, as in perf: "ldlat-loads",
 * "spe". 0: a word is in no tag.
 */
uint64_t mem_events_named(const struct mem_events *m, const char *text);

/* Returns the exit code. */
int mem_record(struct ctx *c, struct mem_record_want *w, int argc, char **argv);

#endif
