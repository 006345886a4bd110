/* want.h - what `sonde script` was asked for, and the fields of a line. */
#ifndef CMD_SCRIPT_WANT_H
#define CMD_SCRIPT_WANT_H

#include "abi/perf_event.h"
#include "cmd/cmd.h"
#include "report/budget.h"
#include "report/profile_filter.h"

enum script_field {
	FIELD_COMM = 1,
	FIELD_PID = 2,
	FIELD_TID = 4,
	FIELD_CPU = 8,
	FIELD_TIME = 16,
	FIELD_PERIOD = 32,
	FIELD_EVENT = 64,
	FIELD_TRACE = 128,
	FIELD_ADDR = 256,
	FIELD_IP = 512,
	FIELD_SYM = 1024,
	FIELD_SYMOFF = 2048,
	FIELD_DSO = 4096,
	FIELD_WEIGHT = 8192,
	FIELD_PHYS_ADDR = 16384,
	FIELD_DSOFF = 32768,
	FIELD_DATA_PAGE = 65536,
	FIELD_CODE_PAGE = 131072,
	FIELD_SRCLINE = 262144,
};

/* Rarely used fields. The thread that reads makes their texts; they are not part of a place's text (below bit 32). */
#define FIELD_RARE(n)     (UINT64_C(1) << (32 + (n)))
#define FIELD_MISC        FIELD_RARE(0)
#define FIELD_TOD         FIELD_RARE(1)
#define FIELD_DATA_SRC    FIELD_RARE(2)
#define FIELD_INS_LAT     FIELD_RARE(3)
#define FIELD_RETIRE_LAT  FIELD_RARE(4)
#define FIELD_CGROUP      FIELD_RARE(5)
#define FIELD_IREGS       FIELD_RARE(6)
#define FIELD_UREGS       FIELD_RARE(7)
#define FIELD_BRSTACK     FIELD_RARE(8)
#define FIELD_BRSTACKSYM  FIELD_RARE(9)
#define FIELD_BRSTACKOFF  FIELD_RARE(10)
#define FIELD_BPF_OUTPUT  FIELD_RARE(11)
#define FIELD_INSNLEN     FIELD_RARE(12)
#define FIELD_INSN        FIELD_RARE(13)
#define FIELDS_BRANCHES   (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF)
/* The rare fields that are printed after the address, and those after the frames. */
#define FIELDS_ACCESS     (FIELD_DATA_SRC | FIELD_INS_LAT | FIELD_RETIRE_LAT | FIELD_CGROUP)
#define FIELDS_BEHIND     (FIELD_IREGS | FIELD_UREGS | FIELDS_BRANCHES | FIELD_BPF_OUTPUT | FIELD_INSNLEN | FIELD_INSN)

/* Each type of event has its own set of fields: those of enum perf_type, and one for all dynamic PMUs. */
enum { SCRIPT_OTHER = PERF_BREAKPOINT + 1, SCRIPT_KINDS };

struct script_fields {
	uint64_t v[SCRIPT_KINDS];
	uint64_t asked[SCRIPT_KINDS];   /* fields that the user has named: an error if samples lack them */
	bool named[SCRIPT_KINDS];       /* types that the user has named ("hw:"): an error if there is no such event */
};

/* --show-*-events: which side records are shown. */
struct script_show {
	bool tasks, mmaps, switches, namespaces, cgroups, bpf, text_pokes, rounds, lost;
};

extern const struct opt script_show_opts[];

/* Time stamps: in ns, relative to the first line, or as the difference to the line before. */
struct script_times {
	bool ns, relative, delta;
};

extern const struct opt script_times_opts[];

/* Show only samples from an event `on` to an event `off`; ends_too: these two events as well. */
struct script_span {
	const char *on, *off;
	bool ends_too;
};

extern const struct opt script_span_opts[];

/* Options of perf that sonde refuses. */
extern const struct opt script_refused_opts[];

struct script_want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	struct script_fields fields;
	struct script_show show;
	struct script_times times;
	struct script_span span;
	struct opt_list events, stops;
	uint64_t max_stack;
	bool json, header, header_only, full_header, hide_chains, dump, unsorted, per_event, latency, full_paths;
	bool ignored;
	unsigned verbose;
};

/* The default fields. */
struct script_fields script_default_fields(void);

/* Parse an argument of -F: "comm,ip", "+addr,-period", "trace:time,trace". 0 or -EINVAL. */
int script_parse_fields(struct script_fields *f, const char *text, struct err *e);

/* The event's fields, without those that its samples lack; -EINVAL if the user has named one of these. */
int script_fields_of(const struct script_want *w, const struct perf_event *ev, uint64_t *fields, struct err *e);

/* -EINVAL if the user has named a type or a field that no event of the recording has. */
int script_fields_fit(const struct script_want *w, const struct perf_head *h, struct err *e);

/* For commands that run `script` under another name. */
extern const struct opt script_opts[];
void script_defaults(void *want);

#endif
