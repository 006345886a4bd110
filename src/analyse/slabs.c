/* slabs.c - a row for each place that allocates, and for each block. */
#include "analyse/slabs.h"

#include "analyse/numbered.h"

void slabs_deinit(struct slabs *s)
{
	map_deinit(&s->of_site);
	map_deinit(&s->of_block);
	vec_free(&s->sites);
	vec_free(&s->blocks);
}

static void add(struct slabs_row *r, const struct slabs_event *ev)
{
	r->asked += ev->asked;
	r->given += ev->given;
	r->hits++;
}

static int64_t find_site(struct slabs *s, uint64_t site)
{
	int64_t i = numbered(&s->of_site, site, s->sites.n, SLABS_SITES);
	struct slabs_row *r = i > (int64_t)s->sites.n ? vec_add(&s->sites) : NULL;

	if (r)
		r->at = site;
	return i > (int64_t)s->sites.n ? -ENOMEM : i;
}

static int64_t find_block(struct slabs *s, uint64_t block)
{
	int64_t i = numbered(&s->of_block, block, s->blocks.n, SLABS_BLOCKS);
	struct slabs_block *b = i > (int64_t)s->blocks.n ? vec_add(&s->blocks) : NULL;

	if (b)
		*b = (struct slabs_block){ .row.at = block, .cpu = -1 };
	return i > (int64_t)s->blocks.n ? -ENOMEM : i;
}

int slabs_alloc(struct slabs *s, const struct slabs_event *ev)
{
	int64_t site = find_site(s, ev->site), block = site > 0 ? find_block(s, ev->block) : 0;
	struct slabs_block *b;

	if (site < 0 || block < 0)
		return -ENOMEM;
	s->allocs++;
	s->asked += ev->asked;
	s->given += ev->given;
	s->elsewhere += ev->elsewhere;
	s->dropped += !block;
	if (site)
		add(&s->sites.v[site - 1], ev);
	if (!block)
		return 0;
	b = &s->blocks.v[block - 1];
	add(&b->row, ev);
	b->site = (uint32_t)site - 1;
	b->size = (uint32_t)ev->given;
	b->cpu = ev->cpu;
	return 0;
}

void slabs_free(struct slabs *s, uint64_t block, int32_t cpu)
{
	uint64_t *at = map_get(&s->of_block, block);
	struct slabs_block *b = at ? &s->blocks.v[*at - 1] : NULL;

	if (!b)
		return;
	s->freed += b->size;
	if (b->cpu != cpu) {
		b->row.moved++;
		s->sites.v[b->site].moved++;
	}
	b->cpu = -1;
}

static void begin_row(struct slabs_row *r)
{
	*r = (struct slabs_row){ .at = r->at };
}

int slabs_forget(struct slabs *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->sites.n; i++)
		begin_row(&s->sites.v[i]);
	map_deinit(&s->of_block);
	for (size_t i = 0; i < s->blocks.n; i++) {
		struct slabs_block *b = &s->blocks.v[i];
		uint64_t *at = b->cpu == -1 ? NULL : map_add(&s->of_block, b->row.at, NULL);

		if (b->cpu == -1)
			continue;
		if (!at)
			return -ENOMEM;
		begin_row(&b->row);
		s->blocks.v[n++] = *b;
		*at = n;
	}
	s->blocks.n = n;
	s->allocs = s->asked = s->given = s->freed = s->elsewhere = 0;
	return 0;
}
