/* blocks.c - a span for each block, owned by its address. */
#include "prof/blocks.h"

#include "prof/rows.h"

enum { ASKED_DEEP = 16 };   /* limit for nested calls of an allocator */

struct block {
	struct span span;                /* must be first; its owner is the address */
	uint64_t bytes;
	uint32_t row;
};

/* An allocator's call that has not returned: its owner is the thread. */
struct ask {
	struct span span;                /* must be first */
	uint64_t bytes;
	uint32_t stack, tap;
};

/* --- what events tell ---------------------------------------------------------------------------------------- */

static const char *ptr_text(const struct spec *s)
{
	return s->ptr ? s->ptr : s->key;
}

static const char *size_text(const struct spec *s)
{
	return s->size;
}

static bool has_field(const struct tap *t, const char *name)
{
	return t->event && tfmt_field(&t->event->fmt, name);
}

/* Use the standard fields of an event that has them, if no expression is given. */
static int read_usual(struct blocks *b, const struct tap *t, struct err *e)
{
	struct feed *f = &b->prof->feed;
	uint32_t i = t->index;
	int r = 0;

	/* An event that only has the size is the first half of an allocation. */
	if (!b->ptr[i] && (!b->size[i] || has_field(t, "bytes_alloc")) && has_field(t, "ptr"))
		r = feed_compile(f, &b->ptr[i], t, "ptr", e);
	if (!r && !b->size[i] && has_field(t, "bytes_alloc"))
		r = feed_compile(f, &b->size[i], t, "bytes_alloc", e);
	return r;
}

static int role_of(struct blocks *b, const struct tap *t, bool frees, struct err *e)
{
	bool ptr = b->ptr[t->index], size = b->size[t->index];

	b->role[t->index] = frees ? BLOCKS_FREE : ptr && size ? BLOCKS_ALLOC : ptr ? BLOCKS_GET : BLOCKS_ASK;
	if (frees && !ptr) {
		err_set(e, EINVAL, "%s has no ptr=: which block does it free?", t->spec->text);
		return err_hint(e, "%s//ptr=EXPR/", t->spec->event);
	}
	if (!frees && !ptr && !size) {
		err_set(e, EINVAL, "%s has neither ptr= nor size=: which block is it, and how large?", t->spec->text);
		return err_hint(e, "%s//ptr=EXPR/size=EXPR/stack/", t->spec->event);
	}
	return 0;
}

/* Both halves of an allocator's events must be there, or neither. */
static int check_halves(const struct blocks *b, struct err *e)
{
	const struct tap *half[BLOCKS_FREE + 1] = { NULL };
	const struct feed *f = &b->prof->feed;

	for (size_t i = 0; i < f->taps.n; i++)
		half[b->role[i]] = &f->taps.v[i];
	if (half[BLOCKS_GET] && !half[BLOCKS_ASK])
		return err_set(e, EINVAL, "%s has no size=, and no other event has one for it",
			       half[BLOCKS_GET]->spec->text);
	if (half[BLOCKS_ASK] && !half[BLOCKS_GET])
		return err_set(e, EINVAL, "%s has no ptr=, and no other event has one for it",
			       half[BLOCKS_ASK]->spec->text);
	return 0;
}

/* --- open and close ------------------------------------------------------------------------------------------ */

static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct blocks *b = arg;

	b->stats.dropped++;
}

void blocks_keys(struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s))
{
	bool halves = false;

	for (size_t i = 0; i < p->specs.v.n; i++) {
		const struct spec *s = &p->specs.v.v[i];

		halves |= !frees(p, s) && (s->ptr || s->key);
	}
	for (size_t i = 0; i < p->specs.v.n; i++) {
		struct spec *s = &p->specs.v.v[i];

		if (!s->ptr && !s->key && (frees(p, s) || !s->size || !halves))
			s->key = prof_want(p)->key;
	}
}

int blocks_open(struct blocks *b, struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s),
		struct err *e)
{
	size_t n = p->feed.taps.n;
	int r;

	b->prof = p;
	spans_init(&b->open, sizeof(struct block), &(struct spans_limits){ 1, BLOCKS_MAX, dropped, b });
	spans_init(&b->asked, sizeof(struct ask), &(struct spans_limits){ ASKED_DEEP, BLOCKS_ASKED, dropped, b });
	b->role = arena_alloc(&p->feed.arena, n + 1);
	r = b->role ? prof_compile(&b->ptr, p, ptr_text, e) : err_nomem(e);
	r = r ? r : prof_compile(&b->size, p, size_text, e);
	for (size_t i = 0; !r && i < n; i++) {
		const struct tap *t = &p->feed.taps.v[i];

		r = read_usual(b, t, e);
		r = r ? r : role_of(b, t, frees(p, t->spec), e);
	}
	r = r ? r : check_halves(b, e);
	return r ? r : prof_stacks_open(&b->stacks, p, e);
}

void blocks_close(struct blocks *b)
{
	spans_deinit(&b->open);
	spans_deinit(&b->asked);
	names_deinit(&b->ids);
	names_deinit(&b->comms);
	vec_free(&b->rows);
	prof_stacks_close(&b->stacks);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* Index of the row, NAMES_NONE: no memory; PROF_ROWS: too many. */
static uint32_t row_of(struct blocks *b, uint32_t tap, uint32_t stack, uint32_t tid)
{
	uint32_t id[3] = { tap, stack, NAMES_NONE }, row;
	const char *comm = b->by_comm ? feed_comm(&b->prof->feed, tid) : NULL;
	struct blocks_row *r;

	if (comm) {
		id[2] = names_add(&b->comms, comm, strlen(comm));
		if (id[2] == NAMES_NONE)
			return NAMES_NONE;
	}
	row = prof_row(&b->ids, id, sizeof(id));
	if (row == NAMES_NONE || row == PROF_ROWS || row < b->rows.n)
		return row;
	r = vec_add(&b->rows);
	if (!r)
		return NAMES_NONE;
	*r = (struct blocks_row){ .tap = tap, .stack = stack, .comm = id[2] };
	return row;
}

/* --- events -------------------------------------------------------------------------------------------------- */

static bool read_number(struct blocks *b, const struct texpr *x, const struct hit *h, uint64_t *to)
{
	struct tval v = expr_value(&b->prof->feed.expr, x, h);

	b->stats.unreadable += v.kind != TVAL_NUM;
	*to = v.v;
	return v.kind == TVAL_NUM;
}

static void close_block(struct blocks *b, struct block *k)
{
	struct blocks_row *r = &b->rows.v[k->row];

	r->frees++;
	r->free_bytes += k->bytes;
	b->stats.frees++;
	b->stats.free_bytes += k->bytes;
	spans_close(&b->open, &k->span);
}

static int open_block(struct blocks *b, const struct hit *h, uint64_t address, const struct ask *a)
{
	struct span *old = spans_newest(&b->open, address);
	uint32_t row;
	struct block *k;

	if (!address) {
		b->stats.failed++;
		return 0;
	}
	if (old) {
		b->stats.twice++;
		close_block(b, (struct block *)old);
	}
	row = row_of(b, a->tap, a->stack, h->tid);
	if (row == PROF_ROWS) {
		b->stats.dropped++;
		return 0;
	}
	if (row == NAMES_NONE)
		return -ENOMEM;
	k = spans_open(&b->open, &(struct span){ .owner = address, .ts = h->time, .cpu = h->cpu });
	if (!k)
		return -ENOMEM;
	k->bytes = a->bytes;
	k->row = row;
	b->rows.v[row].allocs++;
	b->rows.v[row].alloc_bytes += a->bytes;
	b->stats.allocs++;
	b->stats.alloc_bytes += a->bytes;
	return 0;
}

static int take_ask(struct blocks *b, const struct hit *h, const struct ask *a)
{
	struct ask *to = spans_open(&b->asked, &(struct span){ .owner = h->tid, .ts = h->time, .cpu = h->cpu });

	if (!to)
		return -ENOMEM;
	to->bytes = a->bytes;
	to->stack = a->stack;
	to->tap = a->tap;
	return 0;
}

/* Match a return with its call; if events were lost in between the match is not reliable. */
static int take_get(struct blocks *b, const struct hit *h, uint64_t address, uint32_t stack)
{
	struct ask *a = (struct ask *)spans_newest(&b->asked, h->tid), copy;
	bool whole = a && spans_whole(&b->asked, &a->span, h->cpu);

	if (a)
		spans_close(&b->asked, &a->span);
	if (!whole) {
		b->stats.unsized++;
		return 0;
	}
	copy = *a;
	copy.stack = copy.stack ? copy.stack : stack;
	return open_block(b, h, address, &copy);
}

static int take_free(struct blocks *b, uint64_t address)
{
	struct span *sp = spans_newest(&b->open, address);

	if (sp)
		close_block(b, (struct block *)sp);
	else
		b->stats.unknown += address != 0;
	return 0;
}

int blocks_hit(struct blocks *b, const struct hit *h)
{
	uint32_t i = h->tap->index;
	struct ask a = { .tap = i };
	uint64_t address = 0;

	if (b->ptr[i] && !read_number(b, b->ptr[i], h, &address))
		return 0;
	if (b->role[i] == BLOCKS_FREE)
		return take_free(b, address);
	if (b->size[i] && !read_number(b, b->size[i], h, &a.bytes))
		return 0;
	a.stack = callers_of(&b->stacks.callers, h);
	if (a.stack == CALLTREE_NONE)
		return -ENOMEM;
	if (b->role[i] == BLOCKS_ASK)
		return take_ask(b, h, &a);
	return b->role[i] == BLOCKS_GET ? take_get(b, h, address, a.stack) : open_block(b, h, address, &a);
}

int blocks_lost(struct blocks *b, uint32_t cpu)
{
	int r = spans_lose(&b->open, cpu);

	return r ? r : spans_lose(&b->asked, cpu);
}

/* --- results ------------------------------------------------------------------------------------------------- */

static void hold(const struct blocks *b, struct blocks_held *to, const struct block *k)
{
	to->n++;
	to->bytes += k->bytes;
	to->doubtful += !spans_whole(&b->open, &k->span, k->span.cpu);
	to->oldest = to->oldest ? MIN(to->oldest, k->span.ts) : k->span.ts;
}

struct blocks_held *blocks_held(const struct blocks *b, uint64_t now, uint64_t older)
{
	struct blocks_held *v = calloc(b->rows.n + 1, sizeof(*v));
	const struct map *m = &b->open.newest;

	for (size_t i = 0; v && i < m->cap; i++) {
		const struct block *k;

		k = m->used[i] ? (const struct block *)spans_newest(&b->open, m->slot[i].key) : NULL;
		if (k && now - MIN(now, k->span.ts) >= older)
			hold(b, &v[k->row], k);
	}
	return v;
}

void blocks_put_rest(const struct blocks *b, struct out *o)
{
	const struct blocks_stats *s = &b->stats;

	prof_count(b->prof, o, s->unknown, "frees are of blocks that nobody was seen to allocate");
	prof_count(b->prof, o, s->twice, "allocations are of blocks that were there: their frees were lost");
	prof_count(b->prof, o, s->unsized, "allocations are left out: the calls that told their sizes were lost");
	prof_count(b->prof, o, s->failed, "allocations failed");
	prof_count(b->prof, o, s->unreadable, "events have no such address or size");
	prof_count(b->prof, o, s->dropped, "blocks are left out: too many at a time");
}

void blocks_put_place(struct blocks *b, const struct blocks_row *r, struct out *o)
{
	if (r->stack)
		callers_put(&b->stacks.callers, r->stack, o);
	else
		out_printf(o, "    %s\n", b->prof->feed.taps.v[r->tap].name);
}

void blocks_next(struct blocks *b)
{
	b->stats = (struct blocks_stats){ 0 };
	for (size_t i = 0; i < b->rows.n; i++) {
		struct blocks_row *r = &b->rows.v[i];

		r->allocs = r->alloc_bytes = r->frees = r->free_bytes = 0;
	}
}
