/*
 * maps.c - a sorted list of blocks of sorted ranges. Kernels map from the top down, so most new ranges come before all
 * others: an insertion moves only the ranges of one block, and rarely the list of blocks. After a fork, processes share
 * the blocks in which they do not differ.
 */
#include "sym/maps.h"

#include "base/find.h"
#include "base/vec.h"

enum { BLOCK_MIN = 8, BLOCK_MAX = 64 };

struct block {
	uint32_t owners, n, cap;
	struct maps_range v[];
};

struct maps {
	VEC(struct block *) blocks;    /* no block is empty */
	size_t n;                      /* ranges in all blocks */
	const struct maps_range *hint; /* found by the last lookup; NULL: none */
	uint64_t moves;
	uint32_t owners;
};

/* A position: blocks.v[block]->v[i]. At the end block is blocks.n. */
struct place {
	size_t block;
	uint32_t i;
};

struct maps *maps_share(struct maps *m)
{
	if (m)
		m->owners++;
	return m;
}

static void block_free(struct block *b)
{
	if (!--b->owners)
		free(b);
}

void maps_free(struct maps *m)
{
	if (!m || --m->owners)
		return;
	for (size_t i = 0; i < m->blocks.n; i++)
		block_free(m->blocks.v[i]);
	vec_free(&m->blocks);
	free(m);
}

size_t maps_count(const struct maps *m)
{
	return m ? m->n : 0;
}

uint64_t maps_moves(const struct maps *m)
{
	return m ? m->moves : 0;
}

/* Copy on write: give *m a single owner; its blocks may stay shared. */
static int own(struct maps **m)
{
	struct maps *old = *m;

	if (old && old->owners == 1)
		return 0;

	struct maps *new = calloc(1, sizeof(*new));

	if (!new || (old && vec_reserve(&new->blocks, old->blocks.n))) {
		free(new);
		return -ENOMEM;
	}
	new->owners = 1;
	for (size_t i = 0; old && i < old->blocks.n; i++) {
		new->blocks.v[new->blocks.n++] = old->blocks.v[i];
		old->blocks.v[i]->owners++;
	}
	new->n = maps_count(old);
	new->moves = new->blocks.n;
	maps_free(old);
	*m = new;
	return 0;
}

/* Copy on write for a block, with room for `more` ranges: at most BLOCK_MAX in all. NULL without memory. */
static struct block *own_block(struct maps *m, size_t at, uint32_t more)
{
	struct block *old = m->blocks.v[at];
	bool shared = old->owners > 1;

	if (!shared && old->cap - old->n >= more)
		return old;

	uint32_t cap = MIN(MAX(old->cap, (old->n + more) * 2), (uint32_t)BLOCK_MAX);
	size_t size = sizeof(*old) + cap * sizeof(old->v[0]);
	struct block *new = shared ? malloc(size) : realloc(old, size);

	if (!new)
		return NULL;
	if (shared) {
		memcpy(new, old, sizeof(*old) + old->n * sizeof(old->v[0]));
		new->owners = 1;
		old->owners--;
		m->moves += new->n;
	}
	new->cap = cap;
	m->blocks.v[at] = new;
	return new;
}

/* Insert a slot for another block at index `at`. */
static int make_room(struct maps *m, size_t at)
{
	if (vec_reserve(&m->blocks, 1))
		return -ENOMEM;
	memmove(m->blocks.v + at + 1, m->blocks.v + at, (m->blocks.n - at) * sizeof(m->blocks.v[0]));
	m->moves += m->blocks.n - at;
	m->blocks.n++;
	return 0;
}

static struct block *block_new(struct maps *m, size_t at, uint32_t cap)
{
	struct block *b = malloc(sizeof(*b) + cap * sizeof(b->v[0]));

	if (!b || make_room(m, at)) {
		free(b);
		return NULL;
	}
	*b = (struct block){ .owners = 1, .cap = cap };
	m->blocks.v[at] = b;
	return b;
}

/* Split a full block: its upper half becomes the next block. */
static int split(struct maps *m, size_t at)
{
	struct block *from = own_block(m, at, 0), *to = from ? block_new(m, at + 1, BLOCK_MAX) : NULL;

	if (!to)
		return -ENOMEM;
	to->n = from->n / 2;
	from->n -= to->n;
	memcpy(to->v, from->v + from->n, to->n * sizeof(to->v[0]));
	m->moves += to->n;
	return 0;
}

/* The position of the first range that ends after addr. */
static struct place lower(const struct maps *m, uint64_t addr)
{
	struct block *const *v = m->blocks.v;
	size_t lo = 0, hi = m->blocks.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid]->v[v[mid]->n - 1].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (struct place){ lo, lo < m->blocks.n ? (uint32_t)find_upto(v[lo]->v, v[lo]->n, end, addr) : 0 };
}

/* The range at a position, NULL at the end. A position behind a block's last range moves to the next block. */
static const struct maps_range *range_at(const struct maps *m, struct place *p)
{
	if (p->block < m->blocks.n && p->i == m->blocks.v[p->block]->n)
		*p = (struct place){ p->block + 1, 0 };
	return p->block < m->blocks.n ? &m->blocks.v[p->block]->v[p->i] : NULL;
}

const struct maps_range *maps_behind(const struct maps *m, uint64_t addr)
{
	struct place p = m ? lower(m, addr) : (struct place){ 0 };

	return m ? range_at(m, &p) : NULL;
}

static int insert(struct maps *m, const struct maps_range *r)
{
	struct place p = lower(m, r->start);
	struct block *b;

	/* A range behind all others goes into the last block. */
	if (p.block == m->blocks.n && p.block)
		p = (struct place){ p.block - 1, m->blocks.v[p.block - 1]->n };
	if (!m->blocks.n && !block_new(m, 0, BLOCK_MIN))
		return -ENOMEM;
	if (m->blocks.v[p.block]->n == BLOCK_MAX) {
		if (split(m, p.block))
			return -ENOMEM;
		b = m->blocks.v[p.block];
		if (p.i > b->n)
			p = (struct place){ p.block + 1, p.i - b->n };
	}
	b = own_block(m, p.block, 1);
	if (!b)
		return -ENOMEM;
	memmove(b->v + p.i + 1, b->v + p.i, (b->n - p.i) * sizeof(b->v[0]));
	m->moves += b->n - p.i;
	b->v[p.i] = *r;
	b->n++;
	m->n++;
	return 0;
}

static void drop_block(struct maps *m, size_t at)
{
	block_free(m->blocks.v[at]);
	m->blocks.n--;
	memmove(m->blocks.v + at, m->blocks.v + at + 1, (m->blocks.n - at) * sizeof(m->blocks.v[0]));
	m->moves += m->blocks.n - at;
}

/* Join two blocks with few ranges, so that the number of blocks stays proportional to that of ranges. */
static void join(struct maps *m, size_t at)
{
	struct block *a, *b;

	if (at + 1 >= m->blocks.n || m->blocks.v[at]->n + m->blocks.v[at + 1]->n > BLOCK_MAX / 2)
		return;
	b = m->blocks.v[at + 1];
	a = own_block(m, at, b->n);
	if (!a)
		return;
	memcpy(a->v + a->n, b->v, b->n * sizeof(b->v[0]));
	a->n += b->n;
	m->moves += b->n;
	drop_block(m, at + 1);
}

/* Remove n ranges of one block. */
static int take_out(struct maps *m, struct place p, uint32_t n)
{
	struct block *b = m->blocks.v[p.block];

	m->n -= n;
	if (n == b->n) {
		drop_block(m, p.block);
		return 0;
	}
	b = own_block(m, p.block, 0);
	if (!b) {
		m->n += n;
		return -ENOMEM;
	}
	b->n -= n;
	memmove(b->v + p.i, b->v + p.i + n, (b->n - p.i) * sizeof(b->v[0]));
	m->moves += b->n - p.i;
	join(m, p.block);
	return 0;
}

/* The part of a range from addr on. */
static struct maps_range tail(const struct maps_range *r, uint64_t addr)
{
	struct maps_range t = *r;

	t.pgoff += addr - t.start;
	t.start = addr;
	return t;
}

/* By how much the number of ranges changes when start..end is unmapped: at most + 1. */
static int64_t change(const struct maps *m, uint64_t start, uint64_t end)
{
	struct place p = lower(m, start);
	const struct maps_range *r;
	int64_t n = 0;

	for (; (r = range_at(m, &p)) && r->start < end; p.i++)
		n += (int)(r->start < start) + (int)(r->end > end) - 1;
	return n;
}

/* Cut the range that reaches into start..end from below; a part of it behind `end` becomes a range of its own. */
static int cut_first(struct maps *m, uint64_t start, uint64_t end)
{
	struct place p = lower(m, start);
	const struct maps_range *r = range_at(m, &p);
	struct block *b;

	if (!r || r->start >= start)
		return 0;

	struct maps_range rest = tail(r, end);

	b = own_block(m, p.block, 0);
	if (!b)
		return -ENOMEM;
	b->v[p.i].end = start;
	return rest.start < rest.end ? insert(m, &rest) : 0;
}

static int cut(struct maps *m, uint64_t start, uint64_t end)
{
	int err = cut_first(m, start, end);

	while (!err) {
		struct place p = lower(m, start);
		const struct maps_range *r = range_at(m, &p);
		const struct block *b = r ? m->blocks.v[p.block] : NULL;
		uint32_t n = 0;

		if (!r || r->start >= end)
			return 0;
		while (p.i + n < b->n && b->v[p.i + n].end <= end)
			n++;
		if (n) {
			err = take_out(m, p, n);
			continue;
		}

		struct block *own = own_block(m, p.block, 0);

		if (!own)
			return -ENOMEM;
		own->v[p.i] = tail(&own->v[p.i], end);
		return 0;
	}
	return err;
}

int maps_put(struct maps **m, const struct maps_range *r)
{
	int err;

	if (r->start >= r->end)
		return -EINVAL;
	if (own(m))
		return -ENOMEM;
	if ((int64_t)(*m)->n + change(*m, r->start, r->end) + 1 > MAPS_MAX)
		return -ENOSPC;
	(*m)->hint = NULL;
	err = cut(*m, r->start, r->end);
	return err ? err : insert(*m, r);
}

int maps_cut(struct maps **m, uint64_t start, uint64_t end)
{
	if (start >= end || !*m)
		return 0;
	if (own(m))
		return -ENOMEM;
	if ((int64_t)(*m)->n + change(*m, start, end) > MAPS_MAX)
		return -ENOSPC;
	(*m)->hint = NULL;
	return cut(*m, start, end);
}

static inline bool has(const struct maps_range *r, uint64_t addr)
{
	return addr - r->start < r->end - r->start;
}

const struct maps_range *maps_find(struct maps *m, uint64_t addr)
{
	struct place p;
	const struct maps_range *r;

	if (!m || (m->hint && has(m->hint, addr)))
		return m ? m->hint : NULL;
	p = lower(m, addr);
	r = range_at(m, &p);
	if (!r || !has(r, addr))
		return NULL;
	return m->hint = r;
}

static bool piece_hex(struct sv *rest, char sep, uint64_t *v)
{
	struct sv p;

	return sv_cut(rest, sep, &p) && p.n && p.n <= 16 && str_u64(p, 16, v);
}

static bool parse_prot(struct sv p, struct maps_line *l)
{
	if (p.n != 4)
		return false;
	l->prot = (uint8_t)((p.s[0] == 'r' ? MAPS_READ : 0) | (p.s[1] == 'w' ? MAPS_WRITE : 0) |
			    (p.s[2] == 'x' ? MAPS_EXEC : 0));
	l->shared = p.s[3] == 's';
	return true;
}

bool maps_parse_line(struct sv line, struct maps_line *l)
{
	struct sv piece;
	uint64_t major, minor;

	if (!piece_hex(&line, '-', &l->start) || !piece_hex(&line, ' ', &l->end) ||
	    !sv_cut(&line, ' ', &piece) || !parse_prot(piece, l) ||
	    !piece_hex(&line, ' ', &l->pgoff) ||
	    !piece_hex(&line, ':', &major) || !piece_hex(&line, ' ', &minor) ||
	    !sv_cut(&line, ' ', &piece) || !str_u64(piece, 10, &l->inode))
		return false;
	l->major = (uint32_t)major;
	l->minor = (uint32_t)minor;
	while (line.n && line.s[0] == ' ') {
		line.s++;
		line.n--;
	}
	l->name = line.s ? line : (struct sv){ "", 0 };
	return l->start < l->end;
}
