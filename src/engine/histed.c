/* histed.c - set up tracefs histograms for taps, and read them. */
#include "engine/histed.h"

#include "tracefs/grammar/hist.h"
#include "tracefs/grammar/trigger.h"

static int no(struct err *why, const char *what)
{
	return err_set(why, EOPNOTSUPP, "%s", what);
}

/* --- checks and triggers --- */

static int check_feed(const struct feed *f, struct err *why)
{
	const struct feed_want *w = f->want;
	const struct feed_live *l = &f->live;

	if (!feed_is_live(f) || l->meant != TARGET_CPUS || l->target.cgroups.n || w->sides || w->filter ||
	    w->chains.on || memcmp(&l->target.cpus, &l->target.online, sizeof(l->target.cpus)))
		return no(why, "histograms are of all that happens");
	for (size_t i = 0; i < f->taps.n; i++)
		for (size_t k = 0; k < i; k++)
			if (f->taps.v[i].event == f->taps.v[k].event)
				return no(why, "an event has one histogram");
	return 0;
}

static bool is_field(const struct texpr *x)
{
	const struct tfield *f = x->field;

	return x->op == TEXPR_FIELD && (f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER) && !f->swap &&
	       f->size <= 8;
}

static int check_tap(const struct tap *t, const struct tally_event *ask, struct err *why)
{
	const struct spec *s = t->spec;
	bool fields = ask->key ? is_field(ask->key) : ask->by == TALLY_BY_TID;

	if (!t->event || s->stack || s->exec || s->trigger || s->untraced || s->comm || t->cpus)
		return no(why, "histograms have counts of tracepoints alone");
	if (ask->is_spread || ask->pair || ask->is_by_stack)
		return no(why, "histograms have sums alone");
	for (unsigned i = 0; i < ask->n_num; i++)
		fields &= is_field(ask->num[i]);
	return fields ? 0 : no(why, "histograms have fields alone as keys and numbers");
}

static const char *key_name(const struct tally_event *ask)
{
	return ask->key ? ask->key->field->name : "common_pid";
}

static void file_of(const struct tap *t, const char *file, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "events/%s/%s/%s", t->event->fmt.system, t->event->fmt.name, file);
}

/* "hist:keys=id:vals=ret:size=65536 if id > 3" */
static int put_trigger(struct histed *h, const struct tap *t, struct err *why)
{
	const struct tally_event *ask = &h->asks[t->index];
	char text[TRIGGER_MAX], removal[TRIGGER_MAX + 2], path[PATH_MAX];
	struct mem_out m;
	int r;

	mem_out_init(&m);
	out_printf(&m.out, "hist:keys=%s", key_name(ask));
	for (unsigned i = 0; i < ask->n_num; i++)
		out_printf(&m.out, "%s%s", i ? "," : ":vals=", ask->num[i]->field->name);
	out_printf(&m.out, ":size=%u", (unsigned)TALLY_ENTRIES);
	if (*t->rule)
		out_printf(&m.out, " if %s", t->rule);
	r = trigger_take(&m, text, why);
	mem_out_deinit(&m);
	if (r)
		return r;
	trigger_removal(text, removal, sizeof(removal));
	file_of(t, "trigger", path);
	return undo_append(h->undo, &h->tfs, path, text, removal, why);
}

int histed_open(struct histed *h, struct feed *f, const struct tally_event *asks, struct err *why)
{
	struct err later = { 0 };
	int r = check_feed(f, why);

	for (size_t i = 0; !r && i < f->taps.n; i++)
		r = check_tap(&f->taps.v[i], &asks[i], why);
	if (r)
		return r;
	*h = (struct histed){ .feed = f, .asks = asks };
	r = tfs_open(&h->top, f->sys, why);
	if (r)
		return r;
	h->undo = undo_new(f->sys, why);
	if (!h->undo)
		return -ENOMEM;
	r = undo_instance(h->undo, &h->tfs, &h->top, why);
	for (size_t i = 0; !r && i < f->taps.n; i++)
		r = put_trigger(h, &f->taps.v[i], why);
	if (r)
		histed_close(h, &later);
	else
		f->histed = h;
	return r;
}

int histed_close(struct histed *h, struct err *e)
{
	int r = h->undo ? undo_finish(h->undo, e) : 0;

	names_deinit(&h->keys);
	vec_free(&h->before);
	if (h->feed)
		h->feed->histed = NULL;
	*h = (struct histed){ 0 };
	return r;
}

/* --- reading --- */

/* The column of a value (not of a key, which may have the same name). -1: none. */
static int column_of(const struct thist *t, const char *name)
{
	for (unsigned i = t->n_keys; i < t->n_cols; i++)
		if (!strcmp(t->cols[i].name, name))
			return (int)i;
	return -1;
}

/* Subtract the last counts of an entry, and keep the new ones. */
static int since(struct histed *h, struct tally_entry *n)
{
	const struct { uint64_t key; uint32_t event, part; } key = { n->key, n->event, n->part };
	struct tally_count now = { n->n, n->sum }, *was;
	uint32_t id = names_add(&h->keys, (const char *)&key, sizeof(key));

	if (id == NAMES_NONE || (id == h->before.n && !vec_add(&h->before)))
		return -ENOMEM;
	was = &h->before.v[id];
	n->n -= was->n;
	n->sum -= was->sum;
	*was = now;
	return 0;
}

struct taking {
	struct histed *h;
	const struct tap *tap;
	int (*each)(void *arg, const struct tally_entry *n);   /* NULL: only update `before` */
	void *arg;
};

static int take_row(const struct taking *to, const struct thist *t, size_t row)
{
	const struct tally_event *ask = &to->h->asks[to->tap->index];
	int hits = column_of(t, "hitcount"), r = 0;

	for (unsigned part = 0; !r && hits >= 0 && part < MAX(ask->n_num, 1u); part++) {
		int at = ask->n_num ? column_of(t, ask->num[part]->field->name) : hits;
		struct tally_entry n = {
			.key = thist_at(t, row, 0)->v, .event = to->tap->index, .part = part,
			.n = thist_at(t, row, (unsigned)hits)->v, .sum = at < 0 ? 0 : thist_at(t, row, (unsigned)at)->v,
		};

		r = since(to->h, &n);
		if (!r && n.n && to->each)
			r = to->each(to->arg, &n);
	}
	return r;
}

static int take_tap(const struct taking *to, uint64_t *dropped)
{
	char path[PATH_MAX], *text;
	struct thist t;
	struct sv rest;
	size_t n;
	int r;

	file_of(to->tap, "hist", path);
	r = tfs_read_all(&to->h->tfs, path, &text, &n, NULL);
	if (r)
		return r;
	rest = (struct sv){ text, n };
	r = thist_next(&t, &rest, NULL);
	for (size_t row = 0; r == 1 && t.n_keys && row < t.n_rows; row++) {
		int err = take_row(to, &t, row);

		r = err ? err : r;
	}
	*dropped += t.dropped;
	thist_deinit(&t);
	free(text);
	return MIN(r, 0);
}

int histed_read(struct histed *h, int (*each)(void *arg, const struct tally_entry *n), void *arg, uint64_t *full)
{
	uint64_t dropped = 0;
	int r = 0;

	for (size_t i = 0; !r && i < h->feed->taps.n; i++)
		r = take_tap(&(struct taking){ h, &h->feed->taps.v[i], each, arg }, &dropped);
	*full = dropped - MIN(dropped, h->dropped);
	h->dropped = dropped;
	return r;
}

/* Skip what was counted while the triggers were set up. */
int histed_start(struct histed *h, struct err *e)
{
	uint64_t full;
	int r = histed_read(h, NULL, NULL, &full);

	return r ? err_set(e, -r, "the kernel's histograms cannot be read: %s", err_name(-r)) : 0;
}
