/* event.c - the event grammar: lists, groups, and what each kind of event is in perf_event_open's terms. */
#include "perf/event_impl.h"

#include "tracefs/grammar/dynevent.h"

enum { TEXT_MAX = 1 << 20, EVENTS_MAX = 1 << 14 };

const char *event_text(struct event_parser *p, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return arena_dup(&p->l->arena, buf, MIN((size_t)MAX(n, 0), sizeof(buf) - 1));
}

/* Append an event that is its own leader. It excludes guests, as perf's do; uncore PMUs refuse exclude bits. */
static struct event *event_add(struct event_parser *p, const struct pmu *pmu)
{
	struct event *ev = p->l->v.n < EVENTS_MAX ? vec_add(&p->l->v) : NULL;

	if (!ev)
		return NULL;
	ev->leader = (int)(p->l->v.n - 1);
	ev->alternative = p->alternative;
	ev->pmu = pmu;
	ev->unit = "";
	ev->scale = 1;
	ev->typed = arena_dup(&p->l->arena, p->typed.s, p->typed.n);
	if (!pmu || pmu->kind != PMU_UNCORE)
		ev->attr.flags = PERF_ATTR_EXCLUDE_GUEST;
	return ev->typed ? ev : NULL;
}

static int name_default(struct event_parser *p, struct event *ev, const char *name)
{
	if (!ev->name)
		ev->name = name;
	return ev->name ? 0 : err_nomem(p->e);
}

/* Apply terms and modifiers to an event whose type and config are set. */
static int finish(struct event_parser *p, struct event *ev, struct sv terms, struct sv mods)
{
	int r = event_terms_apply(p, ev, terms);

	return r ? r : event_mods_own(p, ev, mods);
}

/* "cycles:u" -> "armv8_cortex_a53/cycles/u" */
static const char *name_on_pmu(struct event_parser *p, const struct pmu *pmu, struct sv what, struct sv mods)
{
	return event_text(p, "%s/%.*s/%.*s", pmu->name, (int)MIN(what.n, 300u), what.s, (int)mods.n, mods.s);
}

static int generic_one(struct event_parser *p, uint32_t type, uint64_t config, const struct event_spec *s)
{
	struct event *ev = event_add(p, NULL);

	if (!ev)
		return err_nomem(p->e);
	ev->attr.type = type;
	ev->attr.config = config;
	if (type == PERF_SOFTWARE && config <= PERF_SW_TASK_CLOCK) {
		ev->unit = "msec";
		ev->scale = 1e-6;
	}

	int r = finish(p, ev, s->terms, s->mods);

	return r ? r : name_default(p, ev, ev->typed);
}

/* A generic hardware event on one core PMU of a machine that has several (big.LITTLE): one event for each. */
static int generic_on_core(struct event_parser *p, const struct pmu *pmu, uint32_t type, uint64_t config,
			   const struct event_spec *s)
{
	struct event *ev = pmu_need(p->env->pmus, pmu, PMU_BASE, p->e) ? NULL : event_add(p, pmu);
	int r = ev ? event_generic_set(p, ev, type, config) : -ENOMEM;

	if (!r)
		r = finish(p, ev, s->terms, s->mods);
	return r ? r : name_default(p, ev, name_on_pmu(p, pmu, s->head, s->mods));
}

static int generic_add(struct event_parser *p, uint32_t type, uint64_t config, const struct event_spec *s)
{
	size_t n_core = type == PERF_SOFTWARE ? 0 : pmus_n_core(p->env->pmus), before = p->l->v.n;
	int r = 0;

	if (n_core < 2)
		return generic_one(p, type, config, s);
	for (size_t i = 0; i < n_core; i++) {
		size_t n = p->l->v.n;

		r = generic_on_core(p, &p->env->pmus->list.v[i], type, config, s);
		if (r && r != -ENOENT)
			return r;
		if (r)
			p->l->v.n = n;   /* this core PMU cannot count it; others may */
	}
	return p->l->v.n > before ? 0 : r;
}

/* pmu/terms/ on this PMU */
static int pmu_one(struct event_parser *p, const struct pmu *pmu, const struct event_spec *s)
{
	int r = pmu_need(p->env->pmus, pmu, PMU_BASE, p->e);
	struct event *ev = r ? NULL : event_add(p, pmu);

	if (!ev)
		return r ? r : err_nomem(p->e);
	ev->attr.type = pmu->type;
	r = finish(p, ev, s->terms, s->mods);
	return r ? r : name_default(p, ev, name_on_pmu(p, pmu, s->terms, s->mods));
}

/* Does the typed name match this PMU? It is a glob or a prefix of the name; "uncore_" may be left out. */
static bool pmu_means(const struct pmu *pmu, struct sv typed)
{
	char pattern[128];
	struct sv name = sv_from(pmu->name);

	if (typed.n > sizeof(pattern) - 2)
		return false;
	str_copy(pattern, sizeof(pattern), typed);
	if (!str_is_glob(typed))
		memcpy(pattern + typed.n, "*", 2);
	if (str_glob(pattern, name))
		return true;
	if (!sv_starts(name, "uncore_"))
		return false;
	return str_glob(pattern, (struct sv){ name.s + 7, name.n - 7 });
}

/* Add the event for each PMU that the name matches and that knows all terms; -ENODEV: the name matches none. */
static int pmu_each(struct event_parser *p, const struct event_spec *s)
{
	const struct pmu *exact = pmu_find(p->env->pmus, s->head), *refused = NULL;
	size_t before = p->l->v.n;

	if (exact)
		return pmu_one(p, exact, s);
	p->near = NEAR_SKIP;
	for (size_t i = 0; i < p->env->pmus->list.n; i++) {
		const struct pmu *pmu = &p->env->pmus->list.v[i];
		size_t n = p->l->v.n;

		if (!pmu_means(pmu, s->head))
			continue;
		if (pmu_one(p, pmu, s)) {
			p->l->v.n = n;
			refused = refused ? refused : pmu;
		}
	}
	p->near = NEAR_SEARCH;
	if (p->l->v.n > before)
		return 0;
	return refused ? pmu_one(p, refused, s) : -ENODEV;
}

/* A bare name of events/ or of a core's table: added for each core PMU that has it, else for each other PMU. */
static int alias_add(struct event_parser *p, const struct event_spec *s)
{
	size_t n_core = pmus_n_core(p->env->pmus), before = p->l->v.n;

	for (size_t i = 0; i < p->env->pmus->list.n; i++) {
		const struct pmu *pmu = &p->env->pmus->list.v[i];
		size_t n = p->l->v.n;

		if (i == n_core && n > before)
			break;

		struct event *ev = pmu_need(p->env->pmus, pmu, PMU_BASE, NULL) ? NULL : event_add(p, pmu);

		if (!ev)
			continue;
		ev->attr.type = pmu->type;

		int r = event_alias_apply(p, ev, s->head);

		if (r == -ENOENT) {
			p->l->v.n = n;
			continue;
		}
		if (!r)
			r = finish(p, ev, s->terms, s->mods);
		if (!r)
			r = name_default(p, ev, name_on_pmu(p, pmu, s->head, s->mods));
		if (r)
			return r;
	}
	if (p->l->v.n == before)
		return -ENOENT;

	struct event *only = &p->l->v.v[before];

	if (p->l->v.n == before + 1 && n_core < 2 && !(only->set & EVENT_SET_NAME))
		only->name = only->typed;
	return 0;
}

struct found {
	struct event_parser *p;
	const struct event_spec *spec;
	struct sv mods;
	int error;
};

static int tracepoint_found(void *to, const char *system, const char *name, uint64_t id)
{
	struct found *f = to;
	struct event_parser *p = f->p;
	struct event *ev;

	p->alternative++;
	ev = event_add(p, NULL);
	if (!ev)
		return f->error = err_nomem(p->e);
	ev->attr.type = PERF_TRACEPOINT;
	ev->attr.config = id;
	ev->attr.sample_period = 1;
	ev->tp_system = arena_dup(&p->l->arena, system, strlen(system));
	ev->tp_name = arena_dup(&p->l->arena, name, strlen(name));
	if (!ev->tp_system || !ev->tp_name)
		return f->error = err_nomem(p->e);
	f->error = finish(p, ev, f->spec->terms, f->mods);
	if (!f->error)
		f->error = name_default(p, ev, event_text(p, "%s:%s", system, name));
	return f->error;
}

static int tracepoint_add(struct event_parser *p, const struct event_spec *s)
{
	struct found f = { .p = p, .spec = s, .mods = s->third.s ? s->third : s->mods };
	const char *system = event_text(p, "%.*s", (int)MIN(s->head.n, 500u), s->head.s);
	const char *name = event_text(p, "%.*s", (int)MIN(s->second.n, 500u), s->second.s);
	struct sv whole = { s->head.s, (size_t)(s->second.s + s->second.n - s->head.s) };
	struct err why = { 0 };
	int r;

	if (!system || !name)
		return err_nomem(p->e);
	if (!s->second.n)
		return event_fail(p, EINVAL, s->second.s, "the tracepoint's name is missing: %s:NAME", system);
	if (!p->env->tracepoints)
		return event_fail(p, ENOENT, s->head.s, "tracepoints cannot be looked up here");
	r = p->env->tracepoints(p->env->arg, system, name, tracepoint_found, &f, &why);
	if (f.error)
		return f.error;
	if (r > 0)
		return 0;
	/* "cylces:u" has the form of a tracepoint, but is a mistyped event with a modifier. */
	if (!s->third.s && event_mods_valid(s->second))
		return event_unknown(p, s->head);
	if (r < 0 && why.code) {
		event_fail(p, -r, s->head.s, "%s", why.text);
		return why.hint[0] ? err_hint(p->e, "%s", why.hint) : r;
	}
	if (str_is_glob(s->head) || str_is_glob(s->second))
		return event_fail(p, ENOENT, s->head.s, "no tracepoint matches '%s:%s'", system, name);
	return event_unknown(p, whole);
}

/* mem:ADDR[/LEN][:rwx][:mods] */
static int mem_add(struct event_parser *p, const struct event_spec *s)
{
	struct sv access = s->third, mods = s->mods;
	uint64_t addr, len = 4;
	uint32_t type = 0;
	struct event *ev;
	int r;

	if (!str_u64(s->second, 0, &addr))
		return event_fail(p, EINVAL, s->second.s, "mem: needs an address: mem:ADDR[/LEN][:rwx]");
	for (size_t i = 0; i < access.n; i++) {
		const char *at = strchr("rwx", access.s[i]);

		if (!at && !i && !mods.s && event_mods_valid(access)) {   /* mem:ADDR:u */
			mods = access;
			access.n = 0;
			break;
		}
		if (!at || type & 1u << (at - "rwx"))
			return event_fail(p, EINVAL, access.s + i, "a breakpoint's access is of r, w and x");
		type |= 1u << (at - "rwx");
	}
	if (type == 4)
		len = 8;   /* for execute breakpoints the kernel wants sizeof(long) */
	if (s->terms.s && (!str_u64(s->terms, 0, &len) || !len || len > 8))
		return event_fail(p, EINVAL, s->terms.s, "a breakpoint watches 1 to 8 bytes");
	ev = event_add(p, NULL);
	if (!ev)
		return err_nomem(p->e);
	ev->attr.type = PERF_BREAKPOINT;
	ev->attr.sample_period = 1;
	ev->attr.bp_type = type ? type : 3;
	ev->attr.config1 = addr;
	ev->attr.config2 = len;
	r = event_mods_own(p, ev, mods);
	return r ? r : name_default(p, ev, ev->typed);
}

/* duration_time, user_time, system_time: ns, which stat measures itself. */
static int tool_add(struct event_parser *p, enum event_tool tool, const struct event_spec *s)
{
	int r = generic_one(p, PERF_SOFTWARE, PERF_SW_DUMMY, s);

	if (r)
		return r;
	p->l->v.v[p->l->v.n - 1].tool = tool;
	p->l->v.v[p->l->v.n - 1].unit = "ns";
	return 0;
}

/* head, head:mods or head/terms/mods, with a head that is no exact PMU name. -ENOENT, no error set: unknown. */
static int named_add(struct event_parser *p, const struct event_spec *s)
{
	struct event_spec plain = *s;
	enum event_tool tool = s->second.s || s->terms.s ? EVENT_COUNTED : event_tool_find(s->head);
	uint32_t type;
	uint64_t config;

	if (tool)
		return tool_add(p, tool, &plain);

	if (s->third.s)
		return -ENOENT;
	if (s->second.s)
		plain.mods = s->second;
	if (event_name_find(s->head, &type, &config)) {
		if (s->second.s && s->terms.s)
			return event_fail(p, EINVAL, s->terms.s, "terms come before modifiers: %.*s/.../%.*s",
					  (int)MIN(s->head.n, 60u), s->head.s, (int)MIN(s->second.n, 20u), s->second.s);
		return generic_add(p, type, config, &plain);
	}
	/* With more than modifiers after its ':' it is a tracepoint: do not read every PMU's events/ first. */
	if (s->second.s && (s->terms.s || !event_mods_valid(s->second)))
		return -ENOENT;
	return str_is_glob(s->head) ? -ENOENT : alias_add(p, &plain);
}

/* --- probes --- */

static int probe_found(void *to, const struct event_probe *x)
{
	struct event_parser *p = to;
	const struct event *last = p->l->v.n ? &p->l->v.v[p->l->v.n - 1] : NULL;
	struct event *ev;

	/* One probe may have several addresses, each an event to the kernel; to the user they are one event. */
	if (!last || !last->is_probe || strcmp(last->name, x->shown))
		p->alternative++;
	ev = event_add(p, NULL);
	if (!ev)
		return err_nomem(p->e);
	ev->is_probe = true;
	ev->set |= x->is_alone ? EVENT_SET_NO_INHERIT : 0;
	ev->attr.type = x->attr->type;
	ev->attr.config = x->attr->config;
	ev->attr.config1 = x->attr->config1;
	ev->attr.config2 = x->attr->config2;
	ev->attr.sample_period = 1;
	ev->name = arena_dup(&p->l->arena, x->shown, strlen(x->shown));
	if (x->name) {
		ev->tp_system = arena_dup(&p->l->arena, x->system, strlen(x->system));
		ev->tp_name = arena_dup(&p->l->arena, x->name, strlen(x->name));
	}
	if (!ev->name || (x->name && (!ev->tp_system || !ev->tp_name)))
		return err_nomem(p->e);
	return event_mods_own(p, ev, x->mods);
}

static bool is_probe(const char *text)
{
	static const char *const kinds[] = { "kprobe:", "kretprobe:", "uprobe:", "uretprobe:", "usdt:" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return true;
	return dynevent_is_line(text);
}

static int probe_add(struct event_parser *p)
{
	const char *text = p->text + p->pos, *end = text;
	struct event_probe_found f = { probe_found, p };
	int r;

	*p->e = (struct err){ 0 };
	p->typed = (struct sv){ text, strlen(text) };
	r = p->env->probe(p->env->arg, text, &f, &end, p->e);
	p->pos = (size_t)(end - p->text);
	return r;
}

static int event_one(struct event_parser *p)
{
	struct event_spec s;
	int r;

	event_skip_space(p);
	if (p->env->probe && is_probe(p->text + p->pos))
		return probe_add(p);
	r = event_scan(p, &s);
	if (r)
		return r;
	/* A core PMU that could not count the event before this one may have left its error. */
	*p->e = (struct err){ 0 };
	p->alternative++;
	if (s.second.s && sv_eq(s.head, "mem"))
		return mem_add(p, &s);
	if (s.terms.s && !s.second.s && pmu_find(p->env->pmus, s.head))
		return pmu_each(p, &s);
	r = named_add(p, &s);
	if (r != -ENOENT || p->e->code)
		return r;
	if (s.second.s)
		return tracepoint_add(p, &s);
	if (!s.terms.s)
		return event_unknown(p, s.head);
	r = pmu_each(p, &s);
	return r == -ENODEV ? event_unknown_pmu(p, s.head) : r;
}

static char peek(struct event_parser *p)
{
	event_skip_space(p);
	return p->pos < p->n ? p->text[p->pos] : '\0';
}

/* After the '{' */
static int group(struct event_parser *p)
{
	size_t first = p->l->v.n, open = p->pos++, from;
	int r;

	do {
		event_skip_space(p);
		r = event_one(p);
	} while (!r && peek(p) == ',' && ++p->pos);
	if (r)
		return r;
	if (peek(p) != '}')
		return event_fail(p, EINVAL, p->text + open, "this '{' is not closed");
	p->pos++;
	if (p->pos < p->n && p->text[p->pos] == ':')
		p->pos++;
	from = p->pos;
	while (p->pos < p->n && !strchr(", \t\n{}", p->text[p->pos]))
		p->pos++;
	return event_group_close(p, first, (struct sv){ p->text + from, p->pos - from }, p->text + open);
}

static int list(struct event_parser *p)
{
	int r;

	do {
		p->typed = (struct sv){ p->text + p->pos, 0 };
		r = peek(p) == '{' ? group(p) : event_one(p);
	} while (!r && peek(p) == ',' && ++p->pos);
	if (!r && p->pos < p->n)
		r = event_fail(p, EINVAL, p->text + p->pos, "',' is expected here");
	return r;
}

int event_parse(struct event_list *l, const char *text, const struct event_env *env, struct err *e)
{
	struct err own;
	struct event_parser p = { .l = l, .env = env, .e = e ? e : &own, .text = text, .n = strlen(text) };
	size_t before = l->v.n;
	int r;

	*p.e = (struct err){ 0 };
	if (p.n > TEXT_MAX)
		return err_set(p.e, E2BIG, "the event list is longer than %d bytes", TEXT_MAX);
	p.alternative = before ? l->v.v[before - 1].alternative : 0;
	for (size_t i = 0; i < before; i++)
		p.alternative = MAX(p.alternative, l->v.v[i].alternative);
	r = list(&p);
	if (r)
		l->v.n = before;
	else
		*p.e = (struct err){ 0 };
	return r;
}

void event_list_deinit(struct event_list *l)
{
	vec_free(&l->v);
	arena_deinit(&l->arena);
}

int event_filter(struct event_list *l, size_t from, const char *filter, struct err *e)
{
	enum { KERNEL_MAX = 4000 };
	size_t applied = 0;

	if (filter && strlen(filter) > KERNEL_MAX)
		return err_set(e, EINVAL, "--filter is longer than the kernel takes (%d bytes)", KERNEL_MAX);
	for (size_t i = from; i < l->v.n; i++) {
		if (!l->v.v[i].tp_system)
			continue;
		l->v.v[i].filter = filter;
		applied++;
	}
	if (filter && !applied)
		return err_set(e, EINVAL, "--filter: '%s' is no tracepoint, and only those can be filtered",
			       l->v.v[from].name);
	return 0;
}

void event_exclude(struct event_list *l, uint64_t sides)
{
	for (size_t i = 0; sides && i < l->v.n; i++) {
		l->v.v[i].attr.flags |= sides;
		l->v.v[i].set |= EVENT_SET_USER_KERNEL;
	}
}
