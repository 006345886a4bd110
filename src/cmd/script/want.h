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

/* Those that few ask for. Their texts are made by the thread that reads; a place's fields are all below them. */
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
/* Behind the address, and behind the frames. */
#define FIELDS_ACCESS     (FIELD_DATA_SRC | FIELD_INS_LAT | FIELD_RETIRE_LAT | FIELD_CGROUP)
#define FIELDS_BEHIND     (FIELD_IREGS | FIELD_UREGS | FIELDS_BRANCHES | FIELD_BPF_OUTPUT | FIELD_INSNLEN | FIELD_INSN)

/* Kinds of events that have fields of their own: those of enum perf_type, and all that the kernel numbers later. */
enum { SCRIPT_OTHER = PERF_BREAKPOINT + 1, SCRIPT_KINDS };

struct script_fields {
	uint64_t v[SCRIPT_KINDS];
	uint64_t asked[SCRIPT_KINDS];   /* named by the user: their absence is an error */
	bool named[SCRIPT_KINDS];       /* by "hw:" and its like: such an event must be there */
};

/* Records that are no samples, where they are wanted. */
struct script_show {
	bool tasks, mmaps, switches, namespaces, cgroups, bpf, text_pokes, rounds, lost;
};

extern const struct opt script_show_opts[];

/* The times of a line: since the first one, or since the one before. */
struct script_times {
	bool ns, relative, delta;
};

extern const struct opt script_times_opts[];

/* Between an event that begins and one that ends; the two themselves on request. */
struct script_span {
	const char *on, *off;
	bool ends_too;
};

extern const struct opt script_span_opts[];

/* perf's, of what is not read or not made here. */
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

/* The fields that are shown when nobody says anything. */
struct script_fields script_default_fields(void);

/* "comm,ip", "+addr,-period", "trace:time,trace". */
int script_parse_fields(struct script_fields *f, const char *text, struct err *e);

/* Leave out what an event's samples do not have; -EINVAL when it was asked for by name. */
int script_fields_of(const struct script_want *w, const struct perf_event *ev, uint64_t *fields, struct err *e);

/* What no event of the recording fits to, or cannot be told of it: -EINVAL. */
int script_fields_fit(const struct script_want *w, const struct perf_head *h, struct err *e);

/* Of `script`, for those who run it under another name. */
extern const struct opt script_opts[];
void script_defaults(void *want);

#endif
