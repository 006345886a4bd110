#include "syscalls/texts.h"

#include <fcntl.h>

int texts_open(struct texts *t, const struct argmem_want *w, enum texts_way way, struct err *e)
{
	int r = 0;

	*t = (struct texts){ .sys = w->sys, .reads = way == TEXTS_AUTO || way == TEXTS_MEMORY };
	if (way == TEXTS_AUTO || way == TEXTS_BPF) {
		r = argmem_open(&t->mem, w, e);
		t->programs = !r;
	}
	return r;
}

void texts_free(struct texts_rec *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < ARGMEM_MOST; i++)
		free(r->bytes[i]);
	free(r->items);
	free(r);
}

static size_t size_of(const struct texts_rec *r)
{
	size_t n = sizeof(*r) + r->n_items * sizeof(*r->items);

	for (unsigned i = 0; i < ARGMEM_MOST; i++)
		n += r->got[i] > 0 ? (size_t)r->got[i] : 0;
	return n;
}

/* --- records that wait for their events --- */

static unsigned bucket_of(uint32_t tid)
{
	return tid % TEXTS_BUCKETS;
}

/* Remove a record from both lists; before: its predecessor in the bucket. */
static void take_out(struct texts *t, struct texts_rec *r, struct texts_rec *before)
{
	unsigned b = bucket_of(r->tid);

	if (before)
		before->next = r->next;
	else
		t->of[b].first = r->next;
	if (t->of[b].last == r)
		t->of[b].last = before;
	if (r->older)
		r->older->newer = r->newer;
	else
		t->oldest = r->newer;
	if (r->newer)
		r->newer->older = r->older;
	else
		t->newest = r->older;
	t->bytes -= size_of(r);
}

/* The oldest record of all is also the first one of its bucket, because both lists are in order of arrival. */
static void drop_oldest(struct texts *t)
{
	struct texts_rec *r = t->oldest;

	take_out(t, r, NULL);
	texts_free(r);
	t->dropped++;
}

static void put_in(struct texts *t, struct texts_rec *r)
{
	unsigned b = bucket_of(r->tid);

	if (t->of[b].last)
		t->of[b].last->next = r;
	else
		t->of[b].first = r;
	t->of[b].last = r;
	r->older = t->newest;
	if (t->newest)
		t->newest->newer = r;
	else
		t->oldest = r;
	t->newest = r;
	t->bytes += size_of(r);
	while (t->bytes > TEXTS_BYTES)
		drop_oldest(t);
}

/* Set bytes[i] to a copy of n bytes; the caller frees the old ones. False: no memory, nothing has changed. */
static bool keep(struct texts_rec *r, unsigned i, const uint8_t *p, int32_t n)
{
	uint8_t *copy = n > 0 ? malloc((size_t)n) : NULL;

	if (n > 0 && !copy)
		return false;
	if (copy)
		memcpy(copy, p, (size_t)n);
	r->bytes[i] = copy;
	r->got[i] = n;
	return true;
}

static struct texts_rec *rec_of(struct texts *t, const struct argmem_rec *rec)
{
	struct texts_rec *r = calloc(1, sizeof(*r));

	if (!r) {
		t->dropped++;
		return NULL;
	}
	r->tid = rec->tid;
	r->nr = rec->nr;
	r->when = rec->when;
	r->time = rec->time;
	return r;
}

static void take_in(struct texts *t, const struct argmem_rec *rec)
{
	struct texts_rec *r = rec_of(t, rec);

	if (!r)
		return;
	for (unsigned i = 0; i < ARGMEM_MOST; i++) {
		r->from[i] = rec->part[i].from;
		if (!keep(r, i, rec->part[i].bytes, rec->part[i].got))
			r->got[i] = -ENOMEM;
		r->cut[i] = r->got[i] == ARGMEM_BYTES;
	}
	put_in(t, r);
}

static struct texts_rec *last_of(const struct texts *t, uint32_t tid)
{
	struct texts_rec *r = NULL;

	for (struct texts_rec *at = t->of[bucket_of(tid)].first; at; at = at->next)
		if (at->tid == tid)
			r = at;
	return r;
}

/* Add a list to the record of the same call that came before it; without one, make a record. */
static void take_list(struct texts *t, const struct argmem_rec *rec)
{
	enum argmem_when when = rec->when == ARGMEM_LIST_END ? ARGMEM_END : ARGMEM_BEGIN;
	size_t n = rec->got > 0 ? (size_t)rec->got : 0;
	struct texts_rec *r = last_of(t, rec->tid);
	bool joins = r && r->nr == rec->nr && r->when == when && !r->list;
	struct argmem_item *items = malloc((n + 1) * sizeof(*items));

	if (!items) {
		t->dropped++;
		return;
	}
	r = joins ? r : rec_of(t, rec);
	if (!r) {
		free(items);
		return;
	}
	r->when = when;
	memcpy(items, rec->bytes, n * sizeof(*items));
	r->items = items;
	r->n_items = (uint32_t)n;
	r->list = rec->from;
	if (joins)
		t->bytes += n * sizeof(*items);
	else
		put_in(t, r);
}

/* Count the pointers up to a NULL, at most ARGMEM_VARS. The result is as in texts_rec.vars. */
static uint32_t vars_of(const uint8_t *p, size_t n)
{
	uint64_t one;

	for (size_t i = 0; i < n / sizeof(one); i++) {
		memcpy(&one, p + i * sizeof(one), sizeof(one));
		if (!one)
			return (uint32_t)i + 1;
	}
	return n == ARGMEM_VARS * sizeof(one) ? ARGMEM_VARS + 1 : 0;
}

/* An environment comes after the list (argv) of the same call. */
static void take_env(struct texts *t, const struct argmem_rec *rec)
{
	struct texts_rec *r = last_of(t, rec->tid);

	if (!r || r->nr != rec->nr || !r->list)
		return;
	r->env = rec->from;
	r->vars = vars_of(rec->bytes, rec->got > 0 ? (size_t)rec->got : 0);
}

/* Replace the truncated string in the thread's last record by the longer one. */
static void lengthen(struct texts *t, const struct argmem_rec *rec)
{
	struct texts_rec *r = last_of(t, rec->tid);

	for (unsigned i = 0; r && rec->got >= ARGMEM_BYTES && i < ARGMEM_MOST; i++) {
		uint8_t *was = r->bytes[i];

		if (r->from[i] != rec->from || !r->cut[i])
			continue;
		t->bytes -= size_of(r);
		if (keep(r, i, rec->bytes, rec->got)) {
			free(was);
			r->cut[i] = rec->got == ARGMEM_STRINGS;
		}
		t->bytes += size_of(r);
	}
}

static void collect(struct texts *t)
{
	struct argmem_rec rec = { 0 };

	while (argmem_next(&t->mem, &rec)) {
		if (rec.when == ARGMEM_LONG)
			lengthen(t, &rec);
		else if (rec.when == ARGMEM_LIST_BEGIN || rec.when == ARGMEM_LIST_END)
			take_list(t, &rec);
		else if (rec.when == ARGMEM_ENV)
			take_env(t, &rec);
		else
			take_in(t, &rec);
	}
}

static bool is_it(const struct texts_rec *r, const struct texts_want *w)
{
	bool same = r->tid == w->tid && r->nr == w->nr && r->when == w->when;

	for (unsigned i = 0; same && i < w->n; i++) {
		const struct argmem_what *what = &w->v[i].what;

		same = (argmem_is_list(what->how) ? r->list : r->from[i]) == w->arg[what->arg] ||
		       (argmem_is_list(what->how) && !r->list);
	}
	return same;
}

/* Drop the thread's earlier records: the events of those calls were lost. */
static void drop_before(struct texts *t, const struct texts_rec *upto)
{
	struct texts_rec *before = NULL, *next;

	for (struct texts_rec *r = t->of[bucket_of(upto->tid)].first; r != upto; r = next) {
		next = r->next;
		if (r->tid != upto->tid) {
			before = r;
			continue;
		}
		take_out(t, r, before);
		texts_free(r);
	}
}

/*
 * The latest matching record up to the event's time. Records of a thread are in order of time, those of different
 * threads almost, so the search ends at one that is DISORDER ns later: mostly many follow.
 */
static struct texts_rec *find_before(const struct texts *t, const struct texts_want *w)
{
	enum { DISORDER = 1000000 };
	struct texts_rec *found = NULL;

	for (struct texts_rec *r = t->of[bucket_of(w->tid)].first; r; r = r->next) {
		if (r->time > w->time && (r->tid == w->tid || r->time - w->time > DISORDER))
			break;
		if (r->time > w->after && r->time <= w->time && is_it(r, w))
			found = r;
	}
	return found;
}

/* The first matching record at the event's time or at most ns later. */
static struct texts_rec *find_behind(const struct texts *t, const struct texts_want *w, uint64_t ns)
{
	for (struct texts_rec *r = t->of[bucket_of(w->tid)].first; r; r = r->next)
		if (r->time >= w->time && r->time - w->time <= ns && is_it(r, w))
			return r;
	return NULL;
}

static struct texts_rec *find(struct texts *t, const struct texts_want *w)
{
	enum { SOON = 1000000 };
	enum texts_order *order = &t->order[w->when != ARGMEM_BEGIN];
	struct texts_rec *found = find_before(t, w), *before = NULL;
	bool behind = !found && *order != TEXTS_BEFORE;

	if (behind)
		found = find_behind(t, w, *order == TEXTS_BEHIND ? UINT64_MAX : SOON);
	if (!found)
		return NULL;
	*order = behind ? TEXTS_BEHIND : TEXTS_BEFORE;
	drop_before(t, found);
	for (struct texts_rec *r = t->of[bucket_of(w->tid)].first; r != found; r = r->next)
		before = r;
	take_out(t, found, before);
	return found;
}

/* --- reading from /proc/TID/mem --- */

static ssize_t read_memory(const struct texts *t, uint32_t tid, uint64_t from, uint8_t *p, size_t n)
{
	const struct sys *sys = t->sys;
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/mem", tid);
	fd = sys->open(sys, path, O_RDONLY, 0);
	if (fd < 0)
		return fd;
	got = sys->pread(sys, fd, p, n, from);
	sys->close(sys, fd);
	return got;
}

static uint64_t pointed(const struct texts *t, const struct texts_want *w, uint64_t at)
{
	uint32_t n = 0;

	return read_memory(t, w->tid, at, (uint8_t *)&n, sizeof(n)) == sizeof(n) ? n : 0;
}

static size_t length_of(const struct texts *t, const struct argmem_what *what, const struct texts_want *w)
{
	uint64_t n = ARGMEM_STRINGS;

	switch (what->how) {
	case ARGMEM_STRING: return ARGMEM_STRINGS;
	case ARGMEM_COUNTED: n = w->arg[what->count]; break;
	case ARGMEM_RETURNED: n = (uint64_t)w->ret; break;
	case ARGMEM_POINTED: n = pointed(t, w, w->arg[what->count]); break;
	case ARGMEM_BITS: n = w->arg[what->count] / 64 * 8 + (w->arg[what->count] % 64 ? 8 : 0); break;
	case ARGMEM_FIXED:
	case ARGMEM_ARGPACK:
	case ARGMEM_LIST:
	case ARGMEM_VECTOR:
	case ARGMEM_MESSAGE: break;
	}
	if (what->each > 1)
		n = n > UINT16_MAX ? UINT16_MAX : n * what->each;
	return MIN(n, (uint64_t)what->most);
}

static bool read_word(const struct texts *t, uint32_t tid, uint64_t at, uint64_t *v)
{
	return read_memory(t, tid, at, (uint8_t *)v, sizeof(*v)) == sizeof(*v);
}

/* Read an item of a list. False: the list's end, or it cannot be read. */
static bool read_item(const struct texts *t, uint32_t tid, bool strings, uint64_t at, struct argmem_item *it)
{
	ssize_t got;
	const uint8_t *end;

	*it = (struct argmem_item){ .len = 0 };
	if (!read_word(t, tid, at, &it->from) || (strings ? !it->from : !read_word(t, tid, at + 8, &it->len)))
		return false;
	got = read_memory(t, tid, it->from, it->text, strings ? sizeof(it->text) : MIN(it->len, sizeof(it->text)));
	end = strings && got > 0 ? memchr(it->text, '\0', (size_t)got) : NULL;
	it->got = end ? (int32_t)(end - it->text) + 1 : (int32_t)got;
	return true;
}

static void read_env(const struct texts *t, struct texts_rec *r, uint32_t tid, uint64_t at)
{
	uint8_t buf[8 * ARGMEM_VARS];
	ssize_t got = at ? read_memory(t, tid, at, buf, sizeof(buf)) : 0;

	r->env = at;
	r->vars = vars_of(buf, got > 0 ? (size_t)got : 0);
}

/* Read a list, with the same result as from a BPF program. */
static void read_list(const struct texts *t, struct texts_rec *r, const struct argmem_what *what,
		      const struct texts_want *w)
{
	uint64_t at = w->arg[what->arg], n = w->arg[what->count];
	bool strings = what->how == ARGMEM_LIST;

	r->list = at;
	if (what->how == ARGMEM_MESSAGE && (!read_word(t, w->tid, at + 24, &n) || !read_word(t, w->tid, at + 16, &at)))
		return;
	r->items = at ? calloc(ARGMEM_ITEMS, sizeof(*r->items)) : NULL;
	while (r->items && r->n_items < ARGMEM_ITEMS && (strings || r->n_items < n) &&
	       read_item(t, w->tid, strings, at + r->n_items * (strings ? 8u : 16u), &r->items[r->n_items]))
		r->n_items++;
	if (strings)
		read_env(t, r, w->tid, w->arg[what->arg + 1]);
}

/* Move the items to bytes[i]. */
static void take_items(struct texts *t, struct texts_rec *r, unsigned i, const struct texts_want *w)
{
	if (!r->items && t->reads && w->when != ARGMEM_AGAIN && w->arg[w->v[i].what.arg])
		read_list(t, r, &w->v[i].what, w);
	r->got[i] = r->items ? (int32_t)(r->n_items * sizeof(*r->items)) : -ENOENT;
	r->bytes[i] = (uint8_t *)r->items;
	r->items = NULL;
	r->n_items = 0;
}

/* ARGPACK: append the 8 bytes that the pointer points to; returns their number, 0 if they cannot be read. */
static size_t read_pointed(const struct texts *t, uint32_t tid, uint8_t *pack, size_t n)
{
	enum { PACK = 16, POINTED = 8 };
	uint64_t at = 0;

	if (n == PACK)
		memcpy(&at, pack, sizeof(at));
	return at && read_memory(t, tid, at, pack + PACK, POINTED) == POINTED ? (size_t)POINTED : 0;
}

/* Read an argument from /proc/TID/mem that no program could read. */
static bool read_late(struct texts *t, struct texts_rec *r, unsigned i, const struct texts_want *w)
{
	const struct argmem_what *what = &w->v[i].what;
	uint8_t buf[ARGMEM_STRINGS];
	size_t n = length_of(t, what, w);
	ssize_t got = r->from[i] ? read_memory(t, w->tid, r->from[i], buf, n) : -1;
	const uint8_t *end = got > 0 && what->how == ARGMEM_STRING ? memchr(buf, '\0', (size_t)got) : NULL;

	if (got < 0 || (got == 0 && n))
		return false;
	if (end)
		got = end - buf + 1;
	if (what->how == ARGMEM_ARGPACK)
		got += (ssize_t)read_pointed(t, w->tid, buf, (size_t)got);
	if (!keep(r, i, buf, (int32_t)got))
		return false;
	t->late++;
	return true;
}

static bool points(const struct texts_want *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->arg[w->v[i].what.arg])
			return true;
	return false;
}

struct texts_rec *texts_take(struct texts *t, const struct texts_want *w)
{
	struct texts_rec *r = NULL;

	if (!points(w) || !(t->programs || t->reads) || (w->when == ARGMEM_END && w->ret < 0))
		return NULL;
	if (t->programs) {
		r = find(t, w);
		if (!r) {
			collect(t);
			r = find(t, w);
		}
	}
	if (!r && t->reads && w->when != ARGMEM_AGAIN) {
		r = calloc(1, sizeof(*r));
		for (unsigned i = 0; r && i < w->n; i++) {
			r->from[i] = w->arg[w->v[i].what.arg];
			r->got[i] = -ENOENT;
		}
	}
	for (unsigned i = 0; r && i < w->n; i++) {
		if (argmem_is_list(w->v[i].what.how)) {
			take_items(t, r, i, w);
			continue;
		}
		if (r->got[i] < 0 && t->reads)
			read_late(t, r, i, w);
		/* A string without its NUL is shown as truncated. */
		if (w->v[i].what.how == ARGMEM_STRING && r->cut[i])
			r->got[i]--;
	}
	return r;
}

void texts_close(struct texts *t)
{
	while (t->oldest) {
		struct texts_rec *r = t->oldest;

		take_out(t, r, NULL);
		texts_free(r);
	}
	if (t->programs)
		argmem_close(&t->mem);
	t->programs = false;
}
