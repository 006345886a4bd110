/* memuse.c - see memuse.h. */
#include "analyse/memuse.h"

void memuse_deinit(struct memuse *m)
{
	vec_free(&m->places);
	vec_free(&m->pieces);
	vec_free(&m->unused);
	map_deinit(&m->by_place);
	map_deinit(&m->by_address);
}

static int place_of(struct memuse *m, uint32_t place, uint32_t *index)
{
	uint64_t *at = map_add(&m->by_place, place, NULL);
	struct memuse_place *p;

	if (!at)
		return -ENOMEM;
	if (!*at) {
		p = vec_add(&m->places);
		if (!p)
			return -ENOMEM;
		*p = (struct memuse_place){ .place = place };
		*at = m->places.n;
	}
	*index = (uint32_t)*at - 1;
	return 0;
}

static struct memuse_piece *piece_of(struct memuse *m, uint64_t address)
{
	uint64_t *at = map_add(&m->by_address, address, NULL);

	if (!at)
		return NULL;
	if (!*at && m->unused.n)
		*at = (uint64_t)m->unused.v[--m->unused.n] + 1;
	if (!*at) {
		if (!vec_add(&m->pieces))
			return NULL;
		*at = m->pieces.n;
	}
	return &m->pieces.v[*at - 1];
}

int memuse_take(struct memuse *m, uint32_t place, uint64_t address, struct memuse_sum size)
{
	struct memuse_piece *piece = piece_of(m, address);
	struct memuse_place *p;
	uint32_t index;

	if (!piece || place_of(m, place, &index))
		return -ENOMEM;
	*piece = (struct memuse_piece){ index, size };
	p = &m->places.v[index];
	p->total.alloc += size.alloc;
	p->total.req += size.req;
	p->now.alloc += size.alloc;
	p->now.req += size.req;
	p->most.alloc = MAX(p->most.alloc, p->now.alloc);
	p->most.req = MAX(p->most.req, p->now.req);
	return 0;
}

void memuse_give(struct memuse *m, uint64_t address)
{
	uint64_t *at = map_get(&m->by_address, address);
	uint32_t *unused;
	struct memuse_piece piece;

	if (!at || !*at)
		return;
	piece = m->pieces.v[*at - 1];
	m->places.v[piece.place].now.alloc -= piece.size.alloc;
	m->places.v[piece.place].now.req -= piece.size.req;
	unused = vec_add(&m->unused);
	if (unused)
		*unused = (uint32_t)*at - 1;
	*at = 0;
}
