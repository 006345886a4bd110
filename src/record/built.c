/* built.c - see built.h. */
#include "record/built.h"

/* The entry of a file, which is added if it is new. NULL: no memory. */
static struct built_file *file_of(struct built *b, const char *name)
{
	uint32_t i = names_add(&b->names, name, strlen(name));
	struct built_file *new = i == b->v.n && i != NAMES_NONE ? vec_add(&b->v) : NULL;

	if (new)
		*new = (struct built_file){
			.name = names_str(&b->names, i), .kernel = name[0] == '[' && name[1] != 'v',
		};
	return i < b->v.n ? &b->v.v[i] : NULL;
}

/* The first build-id of a file counts: it may be replaced while recording. */
static int take_id(struct built *b, const char *name, const uint8_t *id, size_t n)
{
	struct built_file *file = file_of(b, name);

	if (!file)
		return -ENOMEM;
	if (!file->id.size)
		file->id = build_id_from(id, n);
	return 0;
}

int built_head(struct built *b, const struct perf_head *h)
{
	int r = 0;

	for (size_t i = 0; i < h->build_ids.n && !r; i++) {
		const struct perf_build_id *id = &h->build_ids.v[i];

		r = take_id(b, id->name, id->id, id->size);
		if (!r && id->cpumode == PERF_MISC_KERNEL)
			file_of(b, id->name)->kernel = true;
	}
	return r;
}

static int take_place(struct built *b, const struct sym_loc *at)
{
	struct built_file *file = at && at->dso ? file_of(b, at->dso) : NULL;

	if (!at || (at->dso && !file))
		return -ENOMEM;
	if (file)
		file->hit = true;
	return 0;
}

static int take_hit(struct built *b, struct session *s, const struct session_item *it, enum built_what what)
{
	const struct sample *smp = &it->sample;
	struct resolver_spaces in = resolver_spaces(s->resolver, smp->pid, smp->time);
	struct chain_frame f[CHAIN_MAX];
	size_t n = what == BUILT_CHAINS ? sample_frames(&it->event->layout, smp, f, CHAIN_MAX) : 0;
	int r = take_place(b, resolver_find_in(s->resolver, &in, smp->cpumode, smp->ip));

	for (size_t i = 0; i < n && !r; i++)
		r = take_place(b, resolver_find_in(s->resolver, &in, f[i].cpumode, f[i].ip));
	return r;
}

int built_records(struct built *b, struct session *s, enum built_what what, struct err *e)
{
	struct session_item it;
	int r, taken = 0;

	while ((r = session_next(s, &it, e)) == 1 && !taken) {
		if (it.event && what != BUILT_TOLD)
			taken = take_hit(b, s, &it, what);
		else if (!it.event && it.side.type == PERF_REC_MMAP2 && it.side.map.has_build_id)
			taken = take_id(b, side_map_file(&it.side.map), it.side.map.build_id,
					it.side.map.build_id_size);
	}
	/* In pipe mode build-ids come with the records. */
	taken = taken ? taken : built_head(b, s->head);
	return r < 0 ? r : taken ? err_nomem(e) : 0;
}

void built_deinit(struct built *b)
{
	vec_free(&b->v);
	names_deinit(&b->names);
}
