/* evpair.c - see evpair.h. */
#include "analyse/evpair.h"

static bool matches(const char *pattern, const struct tfmt *f)
{
	const char *colon = strchr(pattern, ':');
	char system[64];

	if (!colon)
		return str_glob(pattern, sv_from(f->name));
	if (str_copy(system, sizeof(system), (struct sv){ pattern, (size_t)(colon - pattern) }) >= sizeof(system))
		return false;
	return str_glob(system, sv_from(f->system)) && str_glob(colon + 1, sv_from(f->name));
}

static int key_of(const struct tfmt *f, const char *key, const struct tfield **field, struct err *e)
{
	struct nearest near;
	char text[160];

	*field = tfmt_field(f, key);
	if (*field)
		return 0;
	nearest_init(&near, sv_from(key));
	for (uint32_t i = 0; i < f->n_fields; i++)
		nearest_feed(&near, f->fields[i].name);
	return err_set(e, ENOENT, "%s:%s has no field '%s'%s", f->system, f->name, key,
		       nearest_text(&near, text, sizeof(text)));
}

static int add_event(struct evpair *p, const struct tevent *event, struct err *e)
{
	const struct tfmt *f = &event->fmt;
	bool from = matches(p->want.from, f), to = matches(p->want.to, f);
	struct evpair_event *ev;
	int r = 0;

	if (!from && !to)
		return 0;
	ev = vec_add(&p->events);
	if (!ev)
		return err_nomem(e);
	ev->event = event;
	if (from)
		r = key_of(f, p->want.from_key, &ev->from, e);
	return !r && to ? key_of(f, p->want.to_key, &ev->to, e) : r;
}

/* With one span for each key, a start replaces the one before it. */
static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why)
{
	struct evpair *p = arg;

	if (why == SPANS_DEEP)
		p->stats.replaced++;
	else
		p->stats.discarded++;
}

int evpair_init(struct evpair *p, const struct evpair_want *w, struct err *e)
{
	int r = 0, from = 0, to = 0;

	*p = (struct evpair){ .want = *w };
	spans_init(&p->open, sizeof(struct span),
		   &(struct spans_limits){ .deep = 1, .owners = EVPAIR_KEYS, .dropped = dropped, .arg = p });
	for (size_t i = 0; !r && i < w->events->list.n; i++)
		r = add_event(p, w->events->list.v[i], e);
	for (size_t i = 0; i < p->events.n; i++) {
		from += p->events.v[i].from != NULL;
		to += p->events.v[i].to != NULL;
	}
	if (!r && (!from || !to))
		r = err_set(e, ENOENT, "there is no event '%s'", from ? w->to : w->from);
	return r;
}

void evpair_deinit(struct evpair *p)
{
	vec_free(&p->events);
	spans_deinit(&p->open);
}

static bool read_key(const struct tfield *f, const struct tstream_rec *rec, uint64_t *key)
{
	struct traw b;

	if (!f->is_string && (f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER))
		return tfmt_u64(f, rec->raw, rec->n, key);
	if (f->is_string) {
		struct sv s = tfmt_str(f, rec->raw, rec->n);

		b = (struct traw){ (const uint8_t *)s.s, s.n };
	} else {
		b = tfmt_bytes(f, rec->raw, rec->n);
	}
	*key = hash_bytes(b.p, b.n);
	return b.n > 0;
}

static int start(struct evpair *p, uint64_t key, const struct tstream_rec *rec)
{
	p->stats.starts++;
	return spans_open(&p->open, &(struct span){ .owner = key, .ts = rec->ts, .cpu = rec->cpu }) ? 0 : -ENOMEM;
}

static int end(struct evpair *p, uint64_t key, const struct tstream_rec *rec)
{
	struct span *sp = spans_newest(&p->open, key);

	if (!sp) {
		p->stats.unstarted++;
		return 0;
	}
	spans_close(&p->open, sp);
	if (!spans_whole(&p->open, sp, rec->cpu) || rec->ts < sp->ts) {
		p->stats.discarded++;
		return 0;
	}
	p->stats.pairs++;
	return p->want.pair(p->want.arg, sp->ts, rec->ts);
}

int evpair_add(struct evpair *p, const struct tstream_rec *rec)
{
	const struct tevent *event = tevents_of(p->want.events, rec->raw, rec->n);
	uint64_t key;
	int r = spans_follow(&p->open, rec);

	for (size_t i = 0; !r && i < p->events.n; i++) {
		const struct evpair_event *ev = &p->events.v[i];

		if (ev->event != event)
			continue;
		/* An event may be both an end and a start: first it ends a pair. */
		if (ev->to && read_key(ev->to, rec, &key))
			r = end(p, key, rec);
		if (!r && ev->from && read_key(ev->from, rec, &key))
			r = start(p, key, rec);
		break;
	}
	return r;
}
