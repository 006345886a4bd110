/* maps.c - a sorted array, copied on write. */
#include "sym/maps.h"

#include "base/vec.h"

struct maps {
	VEC(struct maps_range) v;
	size_t hint;            /* the range found last */
	uint32_t owners;
};

struct maps *maps_share(struct maps *m)
{
	if (m)
		m->owners++;
	return m;
}

void maps_free(struct maps *m)
{
	if (!m || --m->owners)
		return;
	vec_free(&m->v);
	free(m);
}

size_t maps_count(const struct maps *m)
{
	return m ? m->v.n : 0;
}

/* Make *m this owner's alone, with room for two more ranges. */
static int own(struct maps **m)
{
	struct maps *old = *m;

	if (old && old->owners == 1)
		return vec_reserve(&old->v, 2);

	struct maps *new = calloc(1, sizeof(*new));

	if (!new || vec_reserve(&new->v, maps_count(old) + 2)) {
		free(new);
		return -ENOMEM;
	}
	new->owners = 1;
	if (old && old->v.n) {
		memcpy(new->v.v, old->v.v, old->v.n * sizeof(*old->v.v));
		new->v.n = old->v.n;
	}
	maps_free(old);
	*m = new;
	return 0;
}

/* Index of the first range that ends after addr. */
static size_t lower(const struct maps *m, uint64_t addr)
{
	size_t lo = 0, hi = m->v.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->v.v[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Replace `drop` ranges at i by n others; there is room. */
static void exchange(struct maps *m, size_t i, size_t drop, const struct maps_range *with, size_t n)
{
	struct maps_range *v = m->v.v;

	memmove(v + i + n, v + i + drop, (m->v.n - i - drop) * sizeof(*v));
	if (n)
		memcpy(v + i, with, n * sizeof(*v));
	m->v.n += n - drop;
	m->hint = 0;
}

/* What is left of a range from addr on. */
static struct maps_range tail(const struct maps_range *r, uint64_t addr)
{
	struct maps_range t = *r;

	t.pgoff += addr - t.start;
	t.start = addr;
	return t;
}

/* Put `r`, or with r NULL nothing, in place of start..end. */
static int replace(struct maps *m, uint64_t start, uint64_t end, const struct maps_range *r)
{
	size_t first = lower(m, start), last = first, n = 0;
	struct maps_range with[3];

	while (last < m->v.n && m->v.v[last].start < end)
		last++;
	if (first < last && m->v.v[first].start < start) {
		with[n] = m->v.v[first];
		with[n++].end = start;
	}
	if (r)
		with[n++] = *r;
	if (first < last && m->v.v[last - 1].end > end)
		with[n++] = tail(&m->v.v[last - 1], end);
	if (m->v.n - (last - first) + n > MAPS_MAX)
		return -ENOSPC;
	exchange(m, first, last - first, with, n);
	return 0;
}

int maps_put(struct maps **m, const struct maps_range *r)
{
	if (r->start >= r->end)
		return -EINVAL;
	return own(m) ? -ENOMEM : replace(*m, r->start, r->end, r);
}

int maps_cut(struct maps **m, uint64_t start, uint64_t end)
{
	if (start >= end || !*m)
		return 0;
	return own(m) ? -ENOMEM : replace(*m, start, end, NULL);
}

static inline bool has(const struct maps_range *r, uint64_t addr)
{
	return addr - r->start < r->end - r->start;
}

const struct maps_range *maps_find(struct maps *m, uint64_t addr)
{
	if (!m || !m->v.n)
		return NULL;
	if (has(&m->v.v[m->hint], addr))
		return &m->v.v[m->hint];

	size_t i = lower(m, addr);

	if (i == m->v.n || !has(&m->v.v[i], addr))
		return NULL;
	m->hint = i;
	return &m->v.v[i];
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
