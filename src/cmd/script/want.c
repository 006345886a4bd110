/* want.c - parses the argument of -F. */
#include "cmd/script/want.h"

static const struct {
	const char *name;
	uint64_t field;
	uint64_t needs;    /* bits of sample_type */
	const char *told;  /* their name in perf's error message; NULL: the field needs none */
} names[] = {
	{ "comm", FIELD_COMM, PERF_SAMPLE_TID, "TID" },
	{ "pid", FIELD_PID, PERF_SAMPLE_TID, "TID" },
	{ "tid", FIELD_TID, PERF_SAMPLE_TID, "TID" },
	{ "time", FIELD_TIME, PERF_SAMPLE_TIME, "TIME" },
	{ "cpu", FIELD_CPU, PERF_SAMPLE_CPU, "CPU" },
	{ "event", FIELD_EVENT, 0, NULL },
	{ "trace", FIELD_TRACE, PERF_SAMPLE_RAW, "RAW" },
	{ "ip", FIELD_IP, PERF_SAMPLE_IP, "IP" },
	{ "sym", FIELD_SYM, PERF_SAMPLE_IP, "IP" },
	{ "symoff", FIELD_SYMOFF, PERF_SAMPLE_IP, "IP" },
	{ "dso", FIELD_DSO, PERF_SAMPLE_IP, "IP" },
	{ "dsoff", FIELD_DSOFF, PERF_SAMPLE_IP, "IP" },
	{ "srcline", FIELD_SRCLINE, PERF_SAMPLE_IP, "IP" },
	{ "addr", FIELD_ADDR, PERF_SAMPLE_ADDR, "ADDR" },
	{ "period", FIELD_PERIOD, 0, NULL },   /* a constant period is in the attr */
	{ "weight", FIELD_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT" },
	{ "phys_addr", FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ "data_page_size", FIELD_DATA_PAGE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ "code_page_size", FIELD_CODE_PAGE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ "misc", FIELD_MISC, 0, NULL },
	{ "tod", FIELD_TOD, PERF_SAMPLE_TIME, "TIME" },
	{ "data_src", FIELD_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ "ins_lat", FIELD_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "retire_lat", FIELD_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "cgroup", FIELD_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP" },
	{ "iregs", FIELD_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS" },
	{ "uregs", FIELD_UREGS, PERF_SAMPLE_REGS_USER, "UREGS" },
	{ "brstack", FIELD_BRSTACK, 0, NULL },   /* perf prints nothing for samples without branches */
	{ "brstacksym", FIELD_BRSTACKSYM, 0, NULL },
	{ "brstackoff", FIELD_BRSTACKOFF, 0, NULL },
	{ "bpf-output", FIELD_BPF_OUTPUT, PERF_SAMPLE_RAW, "RAW" },
	{ "insn", FIELD_INSN, PERF_SAMPLE_IP, "IP" },
	{ "insnlen", FIELD_INSNLEN, PERF_SAMPLE_IP, "IP" },
};

#define OF_TRACES "instruction traces are not read"
#define OF_GUESTS "samples of guests are not told apart by machine"
#define OF_DISASM "instructions are not disassembled"

static const struct {
	const char *name, *why, *instead;
} refused[] = {
	{ "callindent", OF_TRACES, "ip and sym show call chains" },
	{ "flags", OF_TRACES, "brstack shows branches and their kinds" },
	{ "ipc", OF_TRACES, "sonde stat counts instructions and cycles" },
	{ "synth", OF_TRACES, "see sonde convert for other formats" },
	{ "metric", "metrics are not computed of samples", "sonde stat shows them" },
	{ "machine_pid", OF_GUESTS, "record in the guest" },
	{ "vcpu", OF_GUESTS, "record in the guest" },
	{ "disasm", OF_DISASM, "insn shows their bytes" },
	{ "brstackinsn", OF_DISASM, "brstack shows where branches are" },
	{ "brstackinsnlen", OF_DISASM, "brstack shows where branches are" },
	{ "brstackdisasm", OF_DISASM, "brstack shows where branches are" },
	{ "brcntr", "counters of branches are not shown", "brstack shows cycles and predictions" },
	{ "srccode", "sources are not read", "srcline shows file and line" },
};

enum {
	FIELDS_HEAD = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT,
	FIELDS_PLACE = FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO,
	FIELDS_PLAIN = FIELDS_HEAD | FIELDS_PLACE | FIELD_PERIOD,
};

/* Raw events may be samples of memory accesses: as far as it was recorded, show what was accessed. */
#define FIELDS_RAW (FIELDS_PLAIN | FIELD_ADDR | FIELD_DATA_SRC | FIELD_WEIGHT | FIELD_PHYS_ADDR | FIELD_DATA_PAGE | \
		    FIELD_CODE_PAGE | FIELD_INS_LAT | FIELD_RETIRE_LAT)

static const struct {
	const char *prefix, *name;
	uint64_t fields, none;      /* the default ones; those that such events never have */
} kinds[SCRIPT_KINDS] = {
	[PERF_HARDWARE] = { "hw:", "hardware", FIELDS_PLAIN, FIELD_TRACE | FIELD_BPF_OUTPUT },
	[PERF_SOFTWARE] = { "sw:", "software", FIELDS_PLAIN | FIELD_BPF_OUTPUT, FIELD_TRACE },
	[PERF_TRACEPOINT] = { "trace:", "tracepoint", FIELDS_HEAD | FIELD_TRACE, FIELD_BPF_OUTPUT },
	[PERF_HW_CACHE] = { NULL, "cache", FIELDS_PLAIN, FIELD_TRACE | FIELD_BPF_OUTPUT },
	[PERF_RAW] = { "raw:", "raw", FIELDS_RAW, FIELD_TRACE | FIELD_BPF_OUTPUT },
	[PERF_BREAKPOINT] = { "break:", "breakpoint", FIELDS_PLAIN, FIELD_TRACE | FIELD_BPF_OUTPUT },
	[SCRIPT_OTHER] = { NULL, "other", FIELDS_PLAIN, FIELD_TRACE | FIELD_BPF_OUTPUT },
};

struct script_fields script_default_fields(void)
{
	struct script_fields f = { .v = { 0 } };

	for (unsigned k = 0; k < SCRIPT_KINDS; k++)
		f.v[k] = kinds[k].fields;
	return f;
}

static unsigned kind_of(const struct perf_event *ev)
{
	return MIN(ev->attr.type, (uint32_t)SCRIPT_OTHER);
}

/* Cut a prefix like "hw:" off the text; *mask gets the kinds that it selects, without a prefix all. */
static int kinds_of(struct sv *text, unsigned *mask, struct err *e)
{
	const char *colon = memchr(text->s, ':', text->n);

	*mask = (1u << SCRIPT_KINDS) - 1;
	if (!colon)
		return 0;
	for (unsigned k = 0; k < SCRIPT_KINDS; k++) {
		size_t n = kinds[k].prefix ? strlen(kinds[k].prefix) : 0;

		if (!n || !sv_starts(*text, kinds[k].prefix))
			continue;
		*text = (struct sv){ text->s + n, text->n - n };
		*mask = 1u << k;
		return 0;
	}
	err_set(e, EINVAL, "'%.*s' is no kind of events", (int)MIN((size_t)(colon - text->s), 60u), text->s);
	return err_hint(e, "kinds: hw sw trace raw break");
}

static int unknown_field(struct sv name, struct err *e)
{
	struct nearest near;
	struct mem_out all;
	char text[160];

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (sv_eq(name, refused[i].name)) {
			err_set(e, EINVAL, "no field '%s': %s", refused[i].name, refused[i].why);
			return err_hint(e, "%s", refused[i].instead);
		}
	nearest_init(&near, name);
	mem_out_init(&all);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		nearest_feed(&near, names[i].name);
		out_printf(&all.out, " %s", names[i].name);
	}
	err_set(e, EINVAL, "unknown field '%.*s'%s", (int)MIN(name.n, 60u), name.s,
		nearest_text(&near, text, sizeof(text)));
	err_hint(e, "fields:%s", mem_out_str(&all));
	mem_out_deinit(&all);
	return -EINVAL;
}

static int field_of(struct sv name, uint64_t *field, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!sv_eq(name, names[i].name))
			continue;
		*field = names[i].field;
		return 0;
	}
	return unknown_field(name, e);
}

/* Add a field ('-': remove it) for the kinds in mask, but not for kinds whose events never have it. */
static void change(struct script_fields *f, unsigned mask, uint64_t field, char how)
{
	for (unsigned k = 0; k < SCRIPT_KINDS; k++) {
		if (!(mask & 1u << k) || kinds[k].none & field)
			continue;
		if (how == '-') {
			f->v[k] &= ~field;
			f->asked[k] &= ~field;
			continue;
		}
		f->v[k] |= field;
		f->asked[k] |= field;
	}
}

static void clear(struct script_fields *f, unsigned mask)
{
	bool one = !(mask & (mask - 1));

	for (unsigned k = 0; k < SCRIPT_KINDS; k++) {
		if (!(mask & 1u << k))
			continue;
		f->v[k] = f->asked[k] = 0;
		f->named[k] = one;
	}
}

int script_parse_fields(struct script_fields *f, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), word;
	bool cleared = false;
	unsigned mask;
	int r = kinds_of(&rest, &mask, e);

	while (!r && sv_cut(&rest, ',', &word)) {
		char how = word.n ? word.s[0] : 0;
		uint64_t field = 0;

		if (how == '+' || how == '-') {
			word.s++;
			word.n--;
		} else if (!cleared) {
			clear(f, mask);
			cleared = true;
		}
		if (!word.n && !how)
			continue;
		r = field_of(sv_trim(word), &field, e);
		if (!r && !(mask & (mask - 1)) && kinds[__builtin_ctz(mask)].none & field && how != '-')
			r = err_set(e, EINVAL, "%s events never have '%.*s'", kinds[__builtin_ctz(mask)].name,
				    (int)word.n, word.s);
		if (!r)
			change(f, mask, field, how);
	}
	return r;
}

static const char *name_of(uint64_t field)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].field == field)
			return names[i].name;
	return "";
}

/* -EINVAL if a field that only qualifies another one was asked for without that; a default field is just left out. */
static int check_company(uint64_t fields, uint64_t asked, struct err *e)
{
	uint64_t place = fields & asked & (FIELD_SYM | FIELD_DSO | FIELD_DSOFF), with = FIELD_IP | FIELD_ADDR;

	if (!(fields & (with | FIELDS_BRANCHES)) && place)
		return err_set(e, EINVAL, "'%s' tells of an address, which is not shown: ask for 'ip', too",
			       name_of(place & -place));
	if (fields & asked & FIELD_SRCLINE && !(fields & FIELD_IP))
		return err_set(e, EINVAL, "'srcline' tells of an address, which is not shown: ask for 'ip', too");
	if (fields & asked & FIELD_SYMOFF && !(fields & FIELD_SYM))
		return err_set(e, EINVAL, "'symoff' is where in a function: ask for 'ip' and 'sym', too");
	return 0;
}

int script_fields_of(const struct script_want *w, const struct perf_event *ev, uint64_t *fields, struct err *e)
{
	const struct script_fields *f = &w->fields;
	unsigned kind = kind_of(ev);
	uint64_t has = ev->layout.sample_type;

	*fields = f->v[kind];
	/* If a tracepoint has a chain, show it by default: add the fields of its frames. */
	if (kind == PERF_TRACEPOINT && has & PERF_SAMPLE_CALLCHAIN && !w->hide_chains && !f->asked[kind])
		*fields |= FIELDS_PLACE;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(*fields & names[i].field) || !names[i].needs || has & names[i].needs)
			continue;
		/* bpf-output is a field of all software events, but few of them have such data: that is no error. */
		if (names[i].field != FIELD_BPF_OUTPUT && f->asked[kind] & names[i].field)
			return err_set(e, EINVAL,
				       "Samples for '%s' event do not have %s attribute set. Cannot print '%s' field.",
				       ev->label, names[i].told, names[i].name);
		*fields &= ~names[i].field;
	}
	if (kind == PERF_SOFTWARE && ev->attr.config != PERF_SW_BPF_OUTPUT)
		*fields &= ~FIELD_BPF_OUTPUT;
	return check_company(*fields, f->asked[kind], e);
}

int script_fields_fit(const struct script_want *w, const struct perf_head *h, struct err *e)
{
	unsigned there = 0;
	uint64_t all = 0;

	for (size_t i = 0; i < h->events.n; i++) {
		there |= 1u << kind_of(&h->events.v[i]);
		all |= w->fields.v[kind_of(&h->events.v[i])];
	}
	for (unsigned k = 0; k < SCRIPT_KINDS; k++)
		if (w->fields.named[k] && !(there & 1u << k))
			return err_set(e, EINVAL, "%s events do not exist: leave out -F %s", kinds[k].name,
				       kinds[k].prefix);
	if (!(all & FIELD_TOD) || h->feature[PERF_FEAT_CLOCK_DATA].p)
		return 0;
	err_set(e, EINVAL, "'tod' needs to know how the recording's clock stands to the time of day");
	return err_hint(e, "record with -k CLOCK, as in -k CLOCK_MONOTONIC");
}
