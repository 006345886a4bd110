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
	free(r);
}

static size_t size_of(const struct texts_rec *r)
{
	size_t n = sizeof(*r);

	for (unsigned i = 0; i < ARGMEM_MOST; i++)
		n += r->got[i] > 0 ? (size_t)r->got[i] : 0;
	return n;
}

/* --- those that wait for their events --- */

static unsigned bucket_of(uint32_t tid)
{
	return tid % TEXTS_BUCKETS;
}

/* Out of both lists; before: in its bucket. */
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

/* The oldest of all is the first of its bucket, for both are in the order of their coming. */
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

static bool keep(struct texts_rec *r, unsigned i, const uint8_t *p, int32_t n)
{
	r->got[i] = n;
	if (n <= 0)
		return true;
	r->bytes[i] = malloc((size_t)n);
	if (!r->bytes[i]) {
		r->got[i] = -ENOMEM;
		return false;
	}
	memcpy(r->bytes[i], p, (size_t)n);
	return true;
}

static void collect(struct texts *t)
{
	struct argmem_rec rec = { 0 };

	while (argmem_next(&t->mem, &rec)) {
		struct texts_rec *r = calloc(1, sizeof(*r));

		if (!r) {
			t->dropped++;
			continue;
		}
		r->tid = rec.tid;
		r->nr = rec.nr;
		r->when = rec.when;
		for (unsigned i = 0; i < ARGMEM_MOST; i++) {
			r->from[i] = rec.from[i];
			keep(r, i, rec.bytes[i], rec.got[i]);
		}
		put_in(t, r);
	}
}

static bool is_it(const struct texts_rec *r, const struct texts_want *w)
{
	bool same = r->nr == w->nr && r->when == w->when;

	for (unsigned i = 0; same && i < w->n; i++)
		same = r->from[i] == w->arg[w->v[i].what.arg];
	return same;
}

/* What lies before it is of calls whose events are not there. */
static struct texts_rec *find(struct texts *t, const struct texts_want *w)
{
	struct texts_rec *before = NULL, *r = t->of[bucket_of(w->tid)].first, *next;

	for (; r; r = next) {
		bool found;

		next = r->next;
		if (r->tid != w->tid) {
			before = r;
			continue;
		}
		found = is_it(r, w);
		take_out(t, r, before);
		if (found)
			return r;
		texts_free(r);
	}
	return NULL;
}

/* --- memory of threads --- */

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

static size_t length_of(const struct argmem_what *what, const struct texts_want *w)
{
	switch (what->how) {
	case ARGMEM_COUNTED: return MIN(w->arg[what->count], (uint64_t)what->most);
	case ARGMEM_RETURNED: return MIN((uint64_t)w->ret, (uint64_t)what->most);
	case ARGMEM_FIXED: return what->most;
	default: return TEXTS_PATH;
	}
}

/* Of a string that is longer than programs read, the rest, if it still begins so. */
static bool read_late(struct texts *t, struct texts_rec *r, unsigned i, const struct texts_want *w)
{
	const struct argmem_what *what = &w->v[i].what;
	uint8_t buf[TEXTS_PATH], *was = r->bytes[i];
	size_t n = length_of(what, w);
	ssize_t got = r->from[i] ? read_memory(t, w->tid, r->from[i], buf, n) : 0;
	const uint8_t *end = got > 0 && what->how == ARGMEM_STRING ? memchr(buf, '\0', (size_t)got) : NULL;

	if (got <= 0)
		return false;
	if (end)
		got = end - buf + 1;
	if (was && (got < r->got[i] || memcmp(buf, was, (size_t)r->got[i] - 1)))
		return false;
	r->bytes[i] = NULL;
	if (!keep(r, i, buf, (int32_t)got)) {
		free(was);
		return false;
	}
	free(was);
	t->late++;
	return true;
}

static bool is_short(const struct texts_rec *r, unsigned i, const struct texts_want *w)
{
	return r->got[i] < 0 || (w->v[i].what.how == ARGMEM_STRING && r->got[i] == ARGMEM_BYTES);
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
	for (unsigned i = 0; r && i < w->n; i++)
		/* Without its NUL it is known to be cut. */
		if (is_short(r, i, w) && !(t->reads && read_late(t, r, i, w)) && r->got[i] > 0)
			r->got[i]--;
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
