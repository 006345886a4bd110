/*
 * event_terms.c - what stands between the slashes: "l1d_cache_refill,period=1000,name=misses".
 * A single word is looked up, in this order, in the PMU's events/, in the built-in table of its core, among the
 * portable names, as rHEX, and as a field of the PMU's format/; word=value is a sonde term or a field of format/.
 */
#include "perf/callgraph.h"
#include "perf/event_impl.h"

enum term_kind {
	TERM_CONFIG, TERM_CONFIG1, TERM_CONFIG2, TERM_CONFIG3, TERM_NAME, TERM_PERIOD, TERM_FREQ, TERM_CALL_GRAPH,
	TERM_MAX_STACK, TERM_STACK_SIZE, TERM_INHERIT, TERM_NO_INHERIT, TERM_PERCORE, TERM_OVERWRITE,
	TERM_NO_OVERWRITE, TERM_N,
};

static const char *const term_names[TERM_N] = {
	"config", "config1", "config2", "config3", "name", "period", "freq", "call-graph", "max-stack", "stack-size",
	"inherit", "no-inherit", "percore", "overwrite", "no-overwrite",
};

struct term {
	struct sv key, value;   /* value.s NULL: a word without "=value" */
};

/* The text of an alias is a list of terms, too, but aliases do not nest. */
enum term_level { TERMS_TYPED, TERMS_OF_ALIAS };

static int terms_apply(struct event_parser *p, struct event *ev, struct sv terms, enum term_level level);

static int term_number(struct event_parser *p, const struct term *t, uint64_t max, uint64_t *v)
{
	bool hex = t->value.n > 2 && t->value.s[0] == '0' && (t->value.s[1] | 0x20) == 'x';

	if (!t->value.s)
		return event_fail(p, EINVAL, t->key.s, "'%.*s' needs a value: %.*s=NUMBER", (int)MIN(t->key.n, 40u),
				  t->key.s, (int)MIN(t->key.n, 40u), t->key.s);
	if (!str_u64(t->value, hex ? 16 : 10, v))
		return event_fail(p, EINVAL, t->value.s, "not a number: '%.*s'", (int)MIN(t->value.n, 40u), t->value.s);
	if (*v > max)
		return event_fail(p, ERANGE, t->value.s, "%.*s is at most %llu", (int)MIN(t->key.n, 40u), t->key.s,
				  (unsigned long long)max);
	return 0;
}

static int set_call_graph(struct event_parser *p, struct event *ev, const struct term *t)
{
	const unsigned all = EVENT_SET_NO_CALLCHAIN | EVENT_SET_CALLCHAIN | EVENT_SET_STACK | EVENT_SET_LR;
	bool has_lr = callgraph_can() && p->env->arch && p->env->arch->frame;
	struct sv v = t->value;

	if (v.s && sv_eq(v, "fp"))
		ev->set = (ev->set & ~all) | EVENT_SET_CALLCHAIN;
	else if (v.s && sv_eq(v, "no"))
		ev->set = (ev->set & ~all) | EVENT_SET_NO_CALLCHAIN;
	else if (callgraph_can() && v.s && sv_eq(v, "dwarf"))
		ev->set = (ev->set & ~all) | EVENT_SET_CALLCHAIN | EVENT_SET_STACK;
	else if (has_lr && v.s && sv_eq(v, "lr"))
		ev->set = (ev->set & ~all) | EVENT_SET_CALLCHAIN | EVENT_SET_LR;
	else
		return event_fail(p, EINVAL, v.s ? v.s : t->key.s,
				  has_lr ? "call-graph= takes fp, dwarf, lr or no"
					 : callgraph_can() ? "call-graph= takes fp, dwarf or no"
							   : "call-graph= takes fp or no");
	return 0;
}

static int set_stack_size(struct event_parser *p, struct event *ev, const struct term *t)
{
	uint64_t v;
	int r = term_number(p, t, UINT16_MAX, &v);

	if (r)
		return r;
	ev->attr.sample_stack_user = callgraph_stack(v);
	return callgraph_can() && !ev->attr.sample_stack_user
		       ? event_fail(p, EINVAL, t->value.s, "a stack's copy has 8 to 65528 bytes") : 0;
}

static int set_name(struct event_parser *p, struct event *ev, const struct term *t)
{
	struct sv v = t->value;

	if (v.n >= 2 && (v.s[0] == '\'' || v.s[0] == '"') && v.s[v.n - 1] == v.s[0]) {
		v.s++;
		v.n -= 2;
	}
	if (!v.n)
		return event_fail(p, EINVAL, t->key.s, "name= needs a name");
	ev->name = arena_dup(&p->l->arena, v.s, v.n);
	ev->set |= EVENT_SET_NAME;
	return ev->name ? 0 : err_nomem(p->e);
}

static int set_rate(struct event_parser *p, struct event *ev, const struct term *t, enum term_kind kind)
{
	uint64_t v;
	int r = term_number(p, t, INT64_MAX, &v);

	if (r)
		return r;
	if (!v)
		return event_fail(p, EINVAL, t->value.s, "%s=0 does not sample", term_names[kind]);
	ev->attr.sample_period = v;
	ev->attr.flags &= ~PERF_ATTR_FREQ;
	ev->set &= ~(unsigned)(EVENT_SET_PERIOD | EVENT_SET_FREQ);
	ev->set |= kind == TERM_FREQ ? EVENT_SET_FREQ : EVENT_SET_PERIOD;
	if (kind == TERM_FREQ)
		ev->attr.flags |= PERF_ATTR_FREQ;
	return 0;
}

static int set_config(struct event_parser *p, struct event *ev, const struct term *t, enum term_kind kind)
{
	uint64_t *const words[] = { &ev->attr.config, &ev->attr.config1, &ev->attr.config2, &ev->attr.config3 };

	if (!ev->pmu)
		return event_fail(p, EINVAL, t->key.s, "%s needs a PMU: PMU/%s=.../", term_names[kind],
				  term_names[kind]);
	return term_number(p, t, UINT64_MAX, words[kind - TERM_CONFIG]);
}

/* A term that needs no value; "=0" means the opposite. */
static int set_switch(struct event_parser *p, struct event *ev, const struct term *t, unsigned on, unsigned off)
{
	uint64_t v = 1;
	int r = t->value.s ? term_number(p, t, 1, &v) : 0;

	if (!r)
		ev->set = v ? (ev->set & ~off) | on : (ev->set & ~on) | off;
	return r;
}

static int set_sonde_term(struct event_parser *p, struct event *ev, const struct term *t, enum term_kind kind)
{
	uint64_t v;
	int r;

	switch (kind) {
	case TERM_NAME:
		return set_name(p, ev, t);
	case TERM_PERIOD:
	case TERM_FREQ:
		return set_rate(p, ev, t, kind);
	case TERM_CALL_GRAPH:
		return set_call_graph(p, ev, t);
	case TERM_MAX_STACK:
		r = term_number(p, t, UINT16_MAX, &v);
		ev->attr.sample_max_stack = r ? 0 : (uint16_t)v;
		ev->set |= EVENT_SET_MAX_STACK;
		return r;
	case TERM_STACK_SIZE:   /* has an effect with --call-graph dwarf only */
		return set_stack_size(p, ev, t);
	case TERM_INHERIT:
		return set_switch(p, ev, t, EVENT_SET_INHERIT, EVENT_SET_NO_INHERIT);
	case TERM_NO_INHERIT:
		return set_switch(p, ev, t, EVENT_SET_NO_INHERIT, EVENT_SET_INHERIT);
	case TERM_PERCORE:
		return set_switch(p, ev, t, EVENT_SET_PERCORE, 0);
	case TERM_OVERWRITE:
		return set_switch(p, ev, t, EVENT_OVERWRITE_IGNORED, 0);
	case TERM_NO_OVERWRITE:
		return set_switch(p, ev, t, 0, EVENT_OVERWRITE_IGNORED);
	default:
		return set_config(p, ev, t, kind);
	}
}

/* A field of the PMU's format/. */
static int set_field(struct event_parser *p, struct event *ev, const struct term *t)
{
	const struct pmu_term *f = ev->pmu ? pmu_term_find(p->env->pmus, ev->pmu, t->key) : NULL;
	uint64_t v = 1, config[4] = { ev->attr.config, ev->attr.config1, ev->attr.config2, ev->attr.config3 };
	struct err why = { 0 };
	int r;

	if (!f)
		return event_unknown_term(p, ev->pmu, t->key);
	r = t->value.s ? term_number(p, t, UINT64_MAX, &v) : 0;
	if (r)
		return r;
	r = pmu_term_set(f, v, config, &why);
	if (r)
		return event_fail(p, -r, t->value.s ? t->value.s : t->key.s, "%s", why.text);
	ev->attr.config = config[0];
	ev->attr.config1 = config[1];
	ev->attr.config2 = config[2];
	ev->attr.config3 = config[3];
	return 0;
}

/* The raw event that the PMUv3 driver counts for a portable name, for kernels without extended hardware types. */
static int generic_raw(struct event_parser *p, const struct pmu *pmu, uint32_t type, uint64_t config)
{
	const struct arch *arch = p->env->arch;
	char buf[64];
	const char *name = event_config_name(type, config, buf, sizeof(buf));

	for (size_t i = 0; name && arch && i < arch->n_generics; i++) {
		const struct arch_generic *g = &arch->generics[i];

		if (strcmp(g->alias, name))
			continue;
		if (g->raw != ARCH_NO_EVENT)
			return g->raw;
		/* Only some cores implement the alternative event. */
		const char *raw_name = g->alt != ARCH_NO_EVENT ? arch_event_name(pmu->core, g->alt) : NULL;
		char lower[64];
		size_t n = 0;

		for (; raw_name && raw_name[n] && n < sizeof(lower); n++)
			lower[n] = raw_name[n] >= 'A' && raw_name[n] <= 'Z' ? (char)(raw_name[n] | 0x20) : raw_name[n];
		return n && pmu_alias_find(p->env->pmus, pmu, (struct sv){ lower, n }) ? g->alt : -ENOENT;
	}
	return -ENOENT;
}

/* Set ev, an event of a core PMU, to count a portable event. */
int event_generic_set(struct event_parser *p, struct event *ev, uint32_t type, uint64_t config)
{
	int raw;

	ev->attr.type = type;
	ev->attr.config = config;
	if (type == PERF_RAW) {
		ev->attr.type = ev->pmu->type;
		return 0;
	}
	if (p->env->extended_hw_type && p->env->extended_hw_type(p->env->arg, ev->pmu)) {
		ev->attr.config |= (uint64_t)ev->pmu->type << 32;
		return 0;
	}
	raw = generic_raw(p, ev->pmu, type, config);
	if (raw < 0 && pmus_n_core(p->env->pmus) == 1)
		return 0;
	if (raw < 0)
		return event_fail(p, ENOENT, p->typed.s, "%s has no event for this name", ev->pmu->name);
	ev->attr.type = ev->pmu->type;
	ev->attr.config = (uint64_t)raw;
	return 0;
}

static int set_from_alias(struct event_parser *p, struct event *ev, const struct pmu_alias *a)
{
	ev->scale = a->scale;
	ev->unit = arena_dup(&p->l->arena, a->unit, strlen(a->unit));
	return ev->unit ? terms_apply(p, ev, sv_from(a->terms), TERMS_OF_ALIAS) : err_nomem(p->e);
}

/* Apply a name of events/ or of the core's built-in table. -ENOENT, without an error set: it is in neither. */
int event_alias_apply(struct event_parser *p, struct event *ev, struct sv name)
{
	const struct pmu_alias *a = pmu_alias_find(p->env->pmus, ev->pmu, name);
	int number = -ENOENT;

	if (a)
		return set_from_alias(p, ev, a);
	if (ev->pmu->kind == PMU_CORE && p->env->arch && p->env->arch->has_events)
		number = arch_event_find(ev->pmu->core, name.s, name.n);
	if (number < 0)
		return -ENOENT;
	ev->attr.config = (uint64_t)number;
	return 0;
}

static int set_word(struct event_parser *p, struct event *ev, const struct term *t, enum term_level level)
{
	uint32_t type;
	uint64_t config;
	int r = ev->pmu && level == TERMS_TYPED ? event_alias_apply(p, ev, t->key) : -ENOENT;

	/* Any other error has its text already: it came from inside the alias. */
	if (r != -ENOENT)
		return r;
	if (!ev->pmu || !event_name_find(t->key, &type, &config))
		return set_field(p, ev, t);
	if (type == PERF_RAW) {
		ev->attr.config = config;
		return 0;
	}
	if (type == PERF_SOFTWARE && ev->pmu->type == PERF_SOFTWARE) {
		ev->attr.config = config;
		return 0;
	}
	if (type != PERF_SOFTWARE && ev->pmu->kind == PMU_CORE)
		return event_generic_set(p, ev, type, config);
	return set_field(p, ev, t);
}

/* Cut the next term off *rest: up to a ',' that is not quoted. */
static bool cut_term(struct sv *rest, struct term *t)
{
	char quote = '\0';
	size_t i = 0;

	if (!rest->s || !rest->n)
		return false;
	for (; i < rest->n && (quote || rest->s[i] != ','); i++) {
		if (quote)
			quote = rest->s[i] == quote ? '\0' : quote;
		else if (rest->s[i] == '\'' || rest->s[i] == '"')
			quote = rest->s[i];
	}
	*t = (struct term){ .key = sv_trim((struct sv){ rest->s, i }) };
	rest->s += MIN(i + 1, rest->n);
	rest->n -= MIN(i + 1, rest->n);

	const char *eq = t->key.n ? memchr(t->key.s, '=', t->key.n) : NULL;

	if (eq) {
		t->value = sv_trim((struct sv){ eq + 1, (size_t)(t->key.s + t->key.n - eq - 1) });
		t->key = sv_trim((struct sv){ t->key.s, (size_t)(eq - t->key.s) });
	}
	return true;
}

static int terms_apply(struct event_parser *p, struct event *ev, struct sv terms, enum term_level level)
{
	struct term t;
	int r = 0;

	while (!r && cut_term(&terms, &t)) {
		int kind = 0;

		while (kind < TERM_N && !sv_eq(t.key, term_names[kind]))
			kind++;
		if (!t.key.n)
			r = event_fail(p, EINVAL, t.key.s, "a term is missing here");
		else if (kind < TERM_N)
			r = set_sonde_term(p, ev, &t, (enum term_kind)kind);
		else if (t.value.s)
			r = set_field(p, ev, &t);
		else
			r = set_word(p, ev, &t, level);
	}
	return r;
}

int event_terms_apply(struct event_parser *p, struct event *ev, struct sv terms)
{
	return terms_apply(p, ev, terms, TERMS_TYPED);
}
