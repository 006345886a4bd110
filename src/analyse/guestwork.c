#include "analyse/guestwork.h"

struct guestwork_vcpu *guestwork_find(struct guestwork *g, uint32_t tid)
{
	const uint64_t *at = map_get(&g->threads, tid);

	return at ? &g->vcpus.v[*at] : NULL;
}

int guestwork_enter(struct guestwork *g, uint32_t tid, uint32_t id)
{
	struct guestwork_vcpu *v;
	uint64_t *at;

	if (guestwork_find(g, tid))
		return 0;
	if (g->vcpus.n >= GUESTWORK_VCPUS) {
		g->dropped++;
		return 0;
	}
	v = vec_add(&g->vcpus);
	at = v ? map_add(&g->threads, tid, NULL) : NULL;
	if (!at)
		return -ENOMEM;
	*at = g->vcpus.n - 1;
	v->id = id;
	return 0;
}

static bool is_key(const struct guestwork_key *a, const struct guestwork_key *b)
{
	return a->what == b->what && a->how == b->how;
}

/* Index of the key's row, which is added if it is new; GUESTWORK_ROWS: too many, UINT32_MAX: no memory. */
static uint32_t row_of(struct guestwork *g, const struct guestwork_key *key)
{
	uint64_t hash = hash_u64(key->what) ^ key->how, *at = map_get(&g->keys, hash);
	struct guestwork_row *r;

	/* On a collision try the hash of the hash. */
	while (at && !is_key(&g->rows.v[*at].key, key))
		at = map_get(&g->keys, hash = hash_u64(hash));
	if (at)
		return (uint32_t)*at;
	if (g->rows.n >= GUESTWORK_ROWS)
		return GUESTWORK_ROWS;
	r = vec_add(&g->rows);
	at = r ? map_add(&g->keys, hash, NULL) : NULL;
	if (!at)
		return UINT32_MAX;
	r->key = *key;
	*at = g->rows.n - 1;
	return (uint32_t)*at;
}

int guestwork_begin(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key, uint64_t time)
{
	uint32_t row = key ? row_of(g, key) : 0;

	if (row == UINT32_MAX)
		return -ENOMEM;
	g->unended += v->open && v->has_key && key;
	g->dropped += row == GUESTWORK_ROWS;
	v->open = row != GUESTWORK_ROWS;
	v->has_key = key;
	v->row = row;
	v->from = time;
	return 0;
}

static void count(struct guestwork_row *r, uint64_t ns)
{
	r->min = r->times.n && r->min < ns ? r->min : ns;
	r->max = MAX(r->max, ns);
	r->total += ns;
	stats_add(&r->times, (double)ns);
}

struct guestwork_row *guestwork_end(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key,
				    uint64_t time, uint64_t *ns)
{
	uint32_t row;

	*ns = 0;
	/* Without a key at the start or at the end the time does not count. */
	if (!v->has_key && !key)
		return NULL;
	if (!v->open || time < v->from) {
		g->strays++;
		v->open = false;
		return NULL;
	}
	row = v->has_key ? v->row : row_of(g, key);
	v->open = v->has_key = false;
	if (row >= GUESTWORK_ROWS) {
		g->dropped += row == GUESTWORK_ROWS;
		*ns = row == UINT32_MAX ? UINT64_MAX : 0;
		return NULL;
	}
	*ns = time - v->from;
	count(&g->rows.v[row], *ns);
	return &g->rows.v[row];
}

void guestwork_lose(struct guestwork *g)
{
	for (size_t i = 0; i < g->vcpus.n; i++) {
		g->discarded += g->vcpus.v[i].open;
		g->vcpus.v[i].open = g->vcpus.v[i].has_key = false;
	}
}

void guestwork_forget(struct guestwork *g)
{
	for (size_t i = 0; i < g->rows.n; i++) {
		struct guestwork_row *r = &g->rows.v[i];

		*r = (struct guestwork_row){ .key = r->key };
	}
}

uint64_t guestwork_open(const struct guestwork *g)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->vcpus.n; i++)
		n += g->vcpus.v[i].open && g->vcpus.v[i].has_key;
	return n;
}

void guestwork_deinit(struct guestwork *g)
{
	vec_free(&g->rows);
	vec_free(&g->vcpus);
	map_deinit(&g->threads);
	map_deinit(&g->keys);
}
