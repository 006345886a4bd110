/* profile_values.c - find the fields of keys, and make the values of samples. */
#include "report/profile_values.h"

#include "analyse/hist.h"
#include "source/dat_events.h"
#include "perf/attr.h"
#include "perf/data_src.h"

int values_init(struct values *v, struct session *s, struct err *e)
{
	*v = (struct values){
		.session = s, .n_events = s->head->events.n, .max = VALUES_MAX, .max_bytes = VALUES_BYTES_MAX,
		.quantum = VALUES_QUANTUM,
	};
	mem_out_init(&v->text);
	v->events = calloc(v->n_events + 1, sizeof(*v->events));
	if (!v->events)
		return err_nomem(e);
	for (size_t i = 0; i < v->n_events; i++) {
		const struct perf_attr *a = &s->head->events.v[i].attr;
		struct values_event *ev = &v->events[i];

		ev->event = a->type == PERF_TRACEPOINT ? tevents_by_id(s->trace, a->config) : NULL;
	}
	return 0;
}

void values_deinit(struct values *v)
{
	for (size_t i = 0; v->events && i < v->n_events; i++)
		vec_free(&v->events[i].fields);
	free(v->events);
	free(v->seen);
	names_deinit(&v->known);
	arena_deinit(&v->arena);
	mem_out_deinit(&v->text);
}

/* --- keys ------------------------------------------------------------------------------------- */

enum match { MATCH_EXACT, MATCH_GLOB, MATCH_PART, MATCH_ANY };

struct key {
	char text[160];
	const char *field;   /* NULL: the whole text */
	const char *event;   /* "": all */
	enum match match;
	unsigned how;
};

static bool match_name(const struct key *k, const char *name)
{
	switch (k->match) {
	case MATCH_EXACT:
		return !strcmp(k->event, name);
	case MATCH_GLOB:
		return str_glob(k->event, sv_from(name));
	case MATCH_PART:
		return strstr(name, k->event);
	default:
		return true;
	}
}

static bool match_event(const struct key *k, const struct tevent *ev)
{
	char full[256];

	if (!ev)
		return k->match == MATCH_ANY && !k->field;
	snprintf(full, sizeof(full), "%s:%s", ev->fmt.system, ev->fmt.name);
	return match_name(k, ev->fmt.name) || match_name(k, full);
}

static bool match_field(const struct key *k, const struct tfmt *f, uint32_t i)
{
	const char *name = f->fields[i].name;

	return !strcmp(k->field, name) || (i >= f->n_common && str_glob(k->field, sv_from(name)));
}

static int parse(struct key *k, struct sv text, struct err *e)
{
	static const struct sv raw = SV("/raw");
	size_t n;
	char *dot;

	*k = (struct key){ .field = k->text, .event = "", .match = MATCH_ANY };
	n = str_copy(k->text, sizeof(k->text), text);
	if (n >= sizeof(k->text))
		return err_set(e, EINVAL, "a key of %zu letters is none", n);
	if (n > raw.n && !strcmp(k->text + n - raw.n, raw.s)) {
		k->text[n - raw.n] = '\0';
		k->how = VALUE_RAW;
	}
	dot = strrchr(k->text, '.');
	if (!strcmp(k->text, "trace") && !k->how)
		k->field = NULL;
	else if (!strcmp(k->text, "trace_fields"))
		k->field = "*";
	else if (dot) {
		*dot = '\0';
		k->event = k->text;
		k->field = dot + 1;
	}
	return 0;
}

/* Choose how the event's name is to be understood: the first kind of match that fits any event. */
static int choose_match(const struct values *v, struct key *k, struct err *e)
{
	const struct tevent *first = NULL;
	struct nearest near;
	char text[160];

	for (k->match = MATCH_EXACT; k->match < MATCH_ANY; k->match++) {
		for (size_t i = 0; i < v->n_events; i++) {
			const struct tevent *ev = v->events[i].event;

			if (!match_event(k, ev) || ev == first)
				continue;
			if (first && k->match == MATCH_PART) {
				err_set(e, EINVAL, "'%s' is part of both %s:%s and %s:%s", k->event,
					first->fmt.system, first->fmt.name, ev->fmt.system, ev->fmt.name);
				return err_hint(e, "a pattern takes all: '*%s*.%s'", k->event, k->field);
			}
			first = ev;
		}
		if (first)
			return 0;
	}
	nearest_init(&near, sv_from(k->event));
	for (size_t i = 0; i < v->n_events; i++)
		if (v->events[i].event)
			nearest_feed(&near, v->events[i].event->fmt.name);
	return err_set(e, EINVAL, "the recording has no tracepoint '%s'%s", k->event,
		       nearest_text(&near, text, sizeof(text)));
}

static const char *name_of(struct values *v, const struct tfield *f, unsigned how)
{
	size_t n;
	char *name;

	if (!f || how == VALUE_PRETTY)
		return f ? f->name : "trace";
	n = strlen(f->name);
	name = arena_alloc(&v->arena, n + sizeof("/raw"));
	if (name) {
		memcpy(name, f->name, n);
		memcpy(name + n, "/raw", sizeof("/raw"));
	}
	return name;
}

/* 1: added, 0: the event has it already. */
static int add_field(struct values *v, struct values_event *ev, const struct tfield *f, const struct key *k,
		     struct err *e)
{
	struct value_field *new;

	for (size_t i = 0; i < ev->fields.n; i++)
		if (!ev->fields.v[i].made && ev->fields.v[i].field == f && ev->fields.v[i].how == k->how)
			return 0;
	if (ev->fields.n == VALUES_FIELDS_MAX)
		return err_set(e, EINVAL, "more than %d fields of one event", VALUES_FIELDS_MAX);
	if (ev->event && !ev->print)
		ev->print = tevents_print(v->session->trace, ev->event);
	new = vec_add(&ev->fields);
	if (!new || (ev->event && !ev->print))
		return err_nomem(e);
	v->n_asked += ev->fields.n == 1;
	ev->of |= VALUES_VARIES;
	*new = (struct value_field){ .field = f, .name = name_of(v, f, k->how), .key = v->n_keys, .how = k->how };
	if (f && !k->how)
		new->part = tprint_part_of(ev->print, f->name);
	new->number = f && !f->is_string &&
		      (!new->part.at || new->part.conv == 'd' || new->part.conv == 'i' || new->part.conv == 'u');
	return new->name ? 1 : err_nomem(e);
}

static int add_event(struct values *v, struct values_event *ev, const struct key *k, struct err *e)
{
	int found = 0, r;

	if (!match_event(k, ev->event))
		return 0;
	if (!k->field) {
		r = add_field(v, ev, NULL, k, e);
		return r < 0 ? r : 1;
	}
	for (uint32_t i = 0; i < ev->event->fmt.n_fields; i++) {
		if (!match_field(k, &ev->event->fmt, i))
			continue;
		r = add_field(v, ev, &ev->event->fmt.fields[i], k, e);
		if (r < 0)
			return r;
		found++;
	}
	return found;
}

static int no_field(const struct values *v, const struct key *k, struct err *e)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, sv_from(k->field));
	for (size_t i = 0; i < v->n_events; i++)
		for (uint32_t f = 0; match_event(k, v->events[i].event) && f < v->events[i].event->fmt.n_fields; f++)
			nearest_feed(&near, v->events[i].event->fmt.fields[f].name);
	return err_set(e, EINVAL, "%s has no field '%s'%s", k->event, k->field,
		       nearest_text(&near, text, sizeof(text)));
}

static bool is_kernels(uint64_t addr)
{
	return addr >> 63;
}

static void put_source(const struct value_made *m, struct session *s UNUSED, const struct sample *smp, struct out *o)
{
	data_src_part_text(smp->data_src, m->part, o);
}

static const struct sym_loc *data_place(const struct session *s, const struct sample *smp)
{
	uint8_t mode = is_kernels(smp->addr) ? PERF_MISC_KERNEL : PERF_MISC_USER;

	return resolver_find(s->resolver, smp->pid, mode, smp->addr);
}

/* The symbol of the data, or its address. */
static void put_data_symbol(const struct value_made *m UNUSED, struct session *s, const struct sample *smp,
			    struct out *o)
{
	const struct sym_loc *l = data_place(s, smp);

	out_printf(o, "[%c] ", is_kernels(smp->addr) ? 'k' : '.');
	if (l && l->sym && l->addr >= l->start)
		out_printf(o, "%s+0x%llx", l->sym, (unsigned long long)(l->addr - l->start));
	else
		out_printf(o, "0x%016llx", (unsigned long long)smp->addr);
}

static void put_data_file(const struct value_made *m UNUSED, struct session *s, const struct sample *smp,
			  struct out *o)
{
	const struct sym_loc *l = data_place(s, smp);

	out_str(o, l && l->dso_short ? l->dso_short : "[unknown]");
}

static void put_physical(const struct value_made *m UNUSED, struct session *s UNUSED, const struct sample *smp,
			 struct out *o)
{
	out_printf(o, "[%c] 0x%016llx", is_kernels(smp->addr) ? 'k' : '.', (unsigned long long)smp->phys_addr);
}

static void put_page_size(const struct value_made *m UNUSED, struct session *s UNUSED, const struct sample *smp,
			  struct out *o)
{
	data_page_text(smp->data_page, o);
}

#define SOURCE_KEY(key, head, width, part) \
	{ key, head, width, HIST_STRING, NULL, put_source, part, VALUES_SOURCE }

static const struct value_made made[] = {
	{ "time", "Time", 12, HIST_STRING, NULL, NULL, 0, VALUES_VARIES },
	{ "local_weight", "Local Weight", 12, HIST_NUMBER, sample_weight, NULL, 0, VALUES_WEIGHT },
	SOURCE_KEY("mem", "Memory access", 13, DATA_SRC_LEVEL),
	SOURCE_KEY("snoop", "Snoop", 12, DATA_SRC_SNOOP),
	SOURCE_KEY("tlb", "TLB access", 22, DATA_SRC_TLB),
	SOURCE_KEY("locked", "Locked", 6, DATA_SRC_LOCKED),
	SOURCE_KEY("blocked", "Blocked", 7, DATA_SRC_BLOCKED),
	{ "symbol_daddr", "Data Symbol", 22, HIST_STRING, NULL, put_data_symbol, 0, VALUES_DATA },
	{ "dso_daddr", "Data Object", 12, HIST_STRING, NULL, put_data_file, 0, VALUES_DATA },
	{ "phys_daddr", "Data Physical Address", 22, HIST_STRING, NULL, put_physical, 0, VALUES_VARIES },
	{ "data_page_size", "Data Page Size", 14, HIST_STRING, NULL, put_page_size, 0, VALUES_VARIES },
};

static const struct value_made *made_of(struct sv key)
{
	for (size_t i = 0; i < ARRAY_SIZE(made); i++)
		if (sv_eq(key, made[i].key))
			return &made[i];
	return NULL;
}

static int add_made(struct values *v, const struct value_made *m, struct err *e)
{
	for (size_t i = 0; i < v->n_events; i++) {
		struct value_field *new;

		/* Traced events (AUX areas) have no samples of their own, but would take their share of VALUES_MAX. */
		if (v->session->head->events.v[i].traced)
			continue;
		new = vec_add(&v->events[i].fields);
		if (!new)
			return err_nomem(e);
		v->n_asked += v->events[i].fields.n == 1;
		v->events[i].of |= m->of;
		*new = (struct value_field){ .made = m, .name = m->key, .key = v->n_keys };
	}
	v->n_keys++;
	return 1;
}

int values_add(struct values *v, struct sv key, struct err *e)
{
	const struct value_made *m = made_of(key);
	struct key k;
	int found = 0, r = m ? 0 : parse(&k, key, e);

	if (m)
		return add_made(v, m, e);
	if (!r && *k.event)
		r = choose_match(v, &k, e);
	for (size_t i = 0; i < v->n_events && r >= 0; i++) {
		r = add_event(v, &v->events[i], &k, e);
		found += MAX(r, 0);
	}
	if (r < 0)
		return r;
	if (!found && *k.event)
		return no_field(v, &k, e);
	v->n_keys++;
	return found;
}

bool values_texts(const struct values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n_events; i++) {
		const struct tevent *ev = v->events[i].event;

		if (attr_is_dummy(&v->session->head->events.v[i].attr))
			continue;
		if (!ev || dat_is_function(ev))
			return false;
		n++;
	}
	return n > 0;
}

void values_list(const struct values *v, struct out *o)
{
	for (size_t i = 0; i < v->n_events; i++) {
		const struct tevent *ev = v->events[i].event;

		if (!ev)
			continue;
		out_printf(o, "; of %s: trace trace_fields", ev->fmt.name);
		for (uint32_t f = ev->fmt.n_common; f < ev->fmt.n_fields; f++)
			out_printf(o, " %s", ev->fmt.fields[f].name);
	}
}

void values_feed(const struct values *v, struct nearest *near)
{
	for (size_t i = 0; i < v->n_events; i++)
		for (uint32_t f = 0; v->events[i].event && f < v->events[i].event->fmt.n_fields; f++)
			nearest_feed(near, v->events[i].event->fmt.fields[f].name);
}

/* --- values ----------------------------------------------------------------------------------- */

static bool is_decimal(const char *s, size_t n)
{
	size_t minus = n && *s == '-';

	if (n == minus || n > 20 || (s[minus] == '0' && n > 1))
		return false;
	for (size_t i = minus; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return true;
}

static void put_text(struct values *v, const struct values_event *ev, const struct value_field *f, struct bytes raw)
{
	struct tprint_names names = session_names(v->session);
	struct out *o = &v->text.out;

	if (!ev->event)
		out_str(o, "N/A");
	else if (!f->field)
		tprint_record(ev->print, &names, raw.p, raw.n, o);
	else if (f->part.at)
		tprint_part_record(ev->print, f->part, &names, raw.p, raw.n, o);
	else
		tprint_field(f->field, raw.p, raw.n, o);
	out_flush(o);
}

/* Append one value: its kind, text and NUL. */
static void put_made(struct values *v, const struct value_made *m, size_t event, const struct sample *smp)
{
	struct out *o = &v->text.out;
	uint64_t time = smp->time / v->quantum * v->quantum;

	out_char(o, m->kind);
	if (m->text)
		m->text(m, v->session, smp, o);
	else if (m->number)
		out_u64(o, m->number(&v->session->head->events.v[event].layout, smp));
	else
		out_printf(o, "%llu.%06llu", (unsigned long long)(time / 1000000000),
			   (unsigned long long)(time % 1000000000 / 1000));
	out_char(o, '\0');
	out_flush(o);
}

static void put_value(struct values *v, const struct values_event *ev, const struct value_field *f, struct bytes raw)
{
	struct mem_out *m = &v->text;
	size_t start;

	out_char(&m->out, f->field ? HIST_STRING : HIST_TRACE);
	start = (size_t)m->out.total;
	put_text(v, ev, f, raw);
	if (m->out.error)
		return;
	/* NUL terminates a value, so those in its text become blanks. */
	for (size_t i = start; i < m->n; i++)
		if (!m->v[i])
			m->v[i] = ' ';
	if (f->number && is_decimal(m->v + start, m->n - start))
		m->v[start - 1] = HIST_NUMBER;
	out_char(&m->out, '\0');
}

static void restart(struct values *v)
{
	v->text.out.total = v->text.n = 0;
}

static void put_others(struct values *v, size_t n)
{
	v->others++;
	restart(v);
	while (n--) {
		out_char(&v->text.out, HIST_OTHER);
		out_bytes(&v->text.out, "[other]", sizeof("[other]"));
	}
	out_flush(&v->text.out);
}

/* Add a word to the key, and to its hash. */
static inline void add_part(struct values_seen *key, unsigned i, uint64_t v, uint64_t *hash)
{
	key->of[i] = v;
	*hash = (*hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	*hash ^= *hash >> 32;
}

/* Make the key for the cache from the data that the values depend on; false: they differ in each sample. */
static inline bool is_made_of(struct values *v, const struct values_event *ev, const struct sample *smp,
			      struct values_seen *key, uint64_t *hash)
{
	bool kernel = is_kernels(smp->addr);

	if (ev->of & VALUES_VARIES)
		return false;
	if (ev->of & VALUES_SOURCE)
		add_part(key, 0, smp->data_src, hash);
	if (ev->of & VALUES_WEIGHT)
		add_part(key, 1, smp->weight, hash);
	if (!(ev->of & VALUES_DATA))
		return true;
	add_part(key, 2, smp->addr, hash);
	add_part(key, 3, resolver_generation(v->session->resolver, smp->pid, kernel), hash);
	return key->of[3];
}

/* The set of two cache entries for a hash; NULL: no memory for a cache. */
static inline struct values_seen *seen_at(struct values *v, uint64_t hash)
{
	if (!v->seen)
		v->seen = calloc(VALUES_SEEN, sizeof(*v->seen));
	return v->seen ? &v->seen[hash % VALUES_SEEN & ~(uint64_t)1] : NULL;
}

static inline bool is_seen(const struct values_seen *s, const struct values_seen *key)
{
	return s->value && s->event == key->event && s->of[0] == key->of[0] && s->of[1] == key->of[1] &&
	       s->of[2] == key->of[2] && s->of[3] == key->of[3];
}

static const char *make_value(struct values *v, size_t event, const struct sample *smp)
{
	struct values_event *ev = &v->events[event];
	uint32_t id;

	restart(v);
	for (size_t i = 0; i < ev->fields.n; i++) {
		if (ev->fields.v[i].made)
			put_made(v, ev->fields.v[i].made, event, smp);
		else
			put_value(v, ev, &ev->fields.v[i], smp->raw);
	}
	out_flush(&v->text.out);
	if (v->text.out.error)
		return NULL;
	id = names_find(&v->known, v->text.v, v->text.n);
	if (id != NAMES_NONE)
		return names_str(&v->known, id);
	if (ev->n >= v->max / v->n_asked || ev->bytes + v->text.n > v->max_bytes / v->n_asked)
		put_others(v, ev->fields.n);
	ev->n++;
	ev->bytes += v->text.n;
	id = names_add(&v->known, v->text.v, v->text.n);
	return id == NAMES_NONE ? NULL : names_str(&v->known, id);
}

const char *values_of(struct values *v, size_t event, const struct sample *smp)
{
	const struct values_event *ev = &v->events[event];
	struct values_seen key = { .event = event }, *seen;
	uint64_t others = v->others, hash = event;
	const char *value;

	if (!ev->fields.n)
		return "";
	seen = is_made_of(v, ev, smp, &key, &hash) ? seen_at(v, hash) : NULL;
	if (seen && is_seen(&seen[0], &key))
		return seen[0].value;
	if (seen && is_seen(&seen[1], &key))
		return seen[1].value;
	value = make_value(v, event, smp);
	/* "[other]" is not cached, since each such sample must be counted. */
	if (seen && value && others == v->others) {
		key.value = value;
		seen[1] = seen[0];
		seen[0] = key;
	}
	return value;
}
