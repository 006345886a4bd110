/* script_want.h - what `sonde script` was asked for, and the fields of a line. */
#ifndef CMD_SCRIPT_WANT_H
#define CMD_SCRIPT_WANT_H

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

/* Kinds of events that have fields of their own. */
enum script_kind { SCRIPT_TRACEPOINT, SCRIPT_OTHER, SCRIPT_KINDS };

struct script_fields {
	unsigned v[SCRIPT_KINDS];
	unsigned asked[SCRIPT_KINDS];   /* named by the user: their absence is an error */
};

struct script_want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	struct script_fields fields;
	struct opt_list events;
	uint64_t max_stack;
	bool ns, json, header, header_only, hide_chains, show_tasks, show_mmaps, show_lost, ignored;
	unsigned verbose;
	const char *ignored_text;
};

/* The fields that are shown when nobody says anything. */
struct script_fields script_default_fields(void);

/* "comm,ip", "+addr,-period", "trace:time,trace". */
int script_parse_fields(struct script_fields *f, const char *text, struct err *e);

/* Leave out what an event's samples do not have; -EINVAL when it was asked for by name. */
int script_fields_of(const struct script_want *w, const struct perf_event *ev, unsigned *fields, struct err *e);

#endif
