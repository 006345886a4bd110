/* head.c - the list of events, and access to features. */
#include "perf/head.h"

void perf_head_init(struct perf_head *h)
{
	*h = (struct perf_head){
		.hostname = "", .release = "", .version = "", .arch = "", .cpudesc = "", .cpuid = "",
	};
}

void perf_head_deinit(struct perf_head *h)
{
	vec_free(&h->events);
	vec_free(&h->build_ids);
	vec_free(&h->cmdline);
	vec_free(&h->notes);
	map_deinit(&h->ids);
	arena_deinit(&h->arena);
}

struct perf_event *perf_head_add(struct perf_head *h, const struct perf_attr *attr)
{
	struct perf_event *ev = vec_add(&h->events);

	if (!ev)
		return NULL;
	ev->attr = *attr;
	sample_layout_init(&ev->layout, &ev->attr);
	ev->layout.swap = h->swap;
	ev->group_leader = (uint32_t)(h->events.n - 1);
	return ev;
}

static void find_near(struct perf_head *h)
{
	for (size_t i = 0; i < h->ids.cap; i++) {
		const struct map_slot *s = &h->ids.slot[i];

		if (h->ids.used[i] && s->val < h->events.n)
			h->near[s->key % PERF_NEAR] = (struct perf_near){ s->key, (uint32_t)s->val + 1 };
	}
}

bool perf_head_find_ids(struct perf_head *h)
{
	uint64_t type = h->events.v[0].attr.sample_type;

	find_near(h);
	h->id_off = sample_id_offset(type);
	h->id_off_end = sample_id_offset_end(type);
	for (size_t i = 1; i < h->events.n; i++) {
		uint64_t other = h->events.v[i].attr.sample_type;

		if (h->id_off >= 0 && sample_id_offset(other) == h->id_off &&
		    sample_id_offset_end(other) == h->id_off_end)
			continue;
		h->id_off = h->id_off_end = -1;
		return false;
	}
	return true;
}

struct cursor perf_head_cursor(const struct perf_head *h, struct bytes b)
{
	struct cursor c = cur_from(b.p, b.n);

	c.swap = h->swap;
	return c;
}

struct cursor perf_head_feature(const struct perf_head *h, enum perf_feature feature)
{
	struct cursor c = perf_head_cursor(h, h->feature[feature]);

	c.bad = !h->feature[feature].p;
	return c;
}

const char *perf_head_string(struct cursor *c)
{
	uint32_t n = cur_u32(c);
	const uint8_t *p = cur_bytes(c, n);

	if (p && memchr(p, 0, n))
		return (const char *)p;
	c->bad = true;
	return "";
}

bool perf_head_has_clock(const struct perf_head *h, int clockid)
{
	for (size_t i = 0; i < h->events.n; i++) {
		const struct perf_attr *a = &h->events.v[i].attr;

		if (!(a->flags & PERF_ATTR_USE_CLOCKID) || a->clockid != clockid)
			return false;
	}
	return h->events.n > 0;
}
