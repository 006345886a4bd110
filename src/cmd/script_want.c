/* script_want.c - the text of -F. */
#include "cmd/script_want.h"

static const struct {
	const char *name;
	unsigned field;
	uint64_t needs;    /* sample_type */
} names[] = {
	{ "comm", FIELD_COMM, PERF_SAMPLE_TID },
	{ "pid", FIELD_PID, PERF_SAMPLE_TID },
	{ "tid", FIELD_TID, PERF_SAMPLE_TID },
	{ "time", FIELD_TIME, PERF_SAMPLE_TIME },
	{ "cpu", FIELD_CPU, PERF_SAMPLE_CPU },
	{ "event", FIELD_EVENT, 0 },
	{ "trace", FIELD_TRACE, PERF_SAMPLE_RAW },
	{ "ip", FIELD_IP, PERF_SAMPLE_IP },
	{ "sym", FIELD_SYM, PERF_SAMPLE_IP },
	{ "symoff", FIELD_SYMOFF, PERF_SAMPLE_IP },
	{ "dso", FIELD_DSO, PERF_SAMPLE_IP },
	{ "dsoff", FIELD_DSOFF, PERF_SAMPLE_IP },
	{ "srcline", FIELD_SRCLINE, PERF_SAMPLE_IP },
	{ "addr", FIELD_ADDR, PERF_SAMPLE_ADDR },
	{ "period", FIELD_PERIOD, 0 },   /* constant ones are in the attr */
	{ "weight", FIELD_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT },
	{ "phys_addr", FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR },
	{ "data_page_size", FIELD_DATA_PAGE, PERF_SAMPLE_DATA_PAGE_SIZE },
	{ "code_page_size", FIELD_CODE_PAGE, PERF_SAMPLE_CODE_PAGE_SIZE },
};

enum {
	FIELDS_HEAD = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT,
	FIELDS_PLACE = FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO,
};

struct script_fields script_default_fields(void)
{
	return (struct script_fields){ .v = {
		[SCRIPT_TRACEPOINT] = FIELDS_HEAD | FIELD_TRACE,
		[SCRIPT_OTHER] = FIELDS_HEAD | FIELDS_PLACE | FIELD_PERIOD,
	} };
}

/* "hw:" and so on; the kinds that it stands for as a mask. */
static unsigned kinds_of(struct sv *text)
{
	static const char *const others[] = { "hw:", "sw:", "raw:", "break:", "bpf-output:", "synth:" };

	if (sv_starts(*text, "trace:")) {
		*text = (struct sv){ text->s + 6, text->n - 6 };
		return 1u << SCRIPT_TRACEPOINT;
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		size_t n = strlen(others[i]);

		if (!sv_starts(*text, others[i]))
			continue;
		*text = (struct sv){ text->s + n, text->n - n };
		return 1u << SCRIPT_OTHER;
	}
	return 1u << SCRIPT_TRACEPOINT | 1u << SCRIPT_OTHER;
}

static int field_of(struct sv name, unsigned *field, struct err *e)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		nearest_feed(&near, names[i].name);
		if (!sv_eq(name, names[i].name))
			continue;
		*field = names[i].field;
		return 0;
	}
	err_set(e, EINVAL, "unknown field '%.*s'%s", (int)MIN(name.n, 60u), name.s,
		nearest_text(&near, text, sizeof(text)));
	return err_hint(e, "fields: comm pid tid time cpu event trace ip sym symoff dso dsoff addr period weight "
			   "phys_addr data_page_size code_page_size");
}

static void change(struct script_fields *f, unsigned kinds, unsigned field, char how)
{
	for (unsigned k = 0; k < SCRIPT_KINDS; k++) {
		if (!(kinds & 1u << k))
			continue;
		if (how == '-') {
			f->v[k] &= ~field;
			continue;
		}
		f->v[k] |= field;
		/* What tracepoints have and others have not is asked for where it can be had. */
		if (field != FIELD_TRACE)
			f->asked[k] |= field;
	}
}

int script_parse_fields(struct script_fields *f, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), word;
	unsigned kinds = kinds_of(&rest);
	bool cleared = false;

	while (sv_cut(&rest, ',', &word)) {
		char how = word.n ? word.s[0] : 0;
		unsigned field = 0;
		int r;

		if (how == '+' || how == '-') {
			word.s++;
			word.n--;
		} else if (!cleared) {
			for (unsigned k = 0; k < SCRIPT_KINDS; k++)
				if (kinds & 1u << k)
					f->v[k] = f->asked[k] = 0;
			cleared = true;
		}
		if (!word.n && !how)
			continue;
		r = field_of(sv_trim(word), &field, e);
		if (r)
			return r;
		change(f, kinds, field, how);
	}
	return 0;
}

/* Fields that say more of another one show nothing by themselves. What nobody asked for goes with it. */
static int check_company(unsigned fields, unsigned asked, struct err *e)
{
	unsigned place = fields & asked & (FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | FIELD_SRCLINE);

	if (place & ~(unsigned)FIELD_SYMOFF && !(fields & FIELD_IP))
		return err_set(e, EINVAL, "'%s' tells of an address, which is not shown: ask for 'ip', too",
			       place & FIELD_SYM       ? "sym"
			       : place & FIELD_DSO     ? "dso"
			       : place & FIELD_SRCLINE ? "srcline"
						       : "dsoff");
	if (place & FIELD_SYMOFF && !(fields & FIELD_SYM))
		return err_set(e, EINVAL, "'symoff' is where in a function: ask for 'ip' and 'sym', too");
	return 0;
}

int script_fields_of(const struct script_want *w, const struct perf_event *ev, unsigned *fields, struct err *e)
{
	const struct script_fields *f = &w->fields;
	enum script_kind kind = ev->attr.type == PERF_TRACEPOINT ? SCRIPT_TRACEPOINT : SCRIPT_OTHER;
	uint64_t has = ev->layout.sample_type;

	*fields = f->v[kind];
	/* A chain brings the fields of its frames along. */
	if (kind == SCRIPT_TRACEPOINT && has & PERF_SAMPLE_CALLCHAIN && !w->hide_chains && !f->asked[kind])
		*fields |= FIELDS_PLACE;
	if (ev->attr.type == PERF_RAW && has & PERF_SAMPLE_ADDR && !f->asked[kind])
		*fields |= FIELD_ADDR;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(*fields & names[i].field) || !names[i].needs || has & names[i].needs)
			continue;
		if (f->asked[kind] & names[i].field)
			return err_set(e, EINVAL, "samples of %s have no '%s': it was not recorded", ev->label,
				       names[i].name);
		*fields &= ~names[i].field;
	}
	if (kind != SCRIPT_TRACEPOINT)
		*fields &= ~(unsigned)FIELD_TRACE;
	return check_company(*fields, f->asked[kind], e);
}
