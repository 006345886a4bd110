#include "timeline/roll.h"

/*
 * A lane's bytes are written when there are PIECE of them; all lanes' when they hold HELD_MAX together. The page's
 * script has doubles: times and distances in ns are exact below 2^53, which is 104 days.
 */
enum { PIECE = 2048, HELD_MAX = 8 << 20 };
#define FAR (INT64_C(1) << 52)

void roll_init(struct roll *r, struct out *to)
{
	*r = (struct roll){ .to = to };
}

void roll_deinit(struct roll *r)
{
	for (size_t i = 0; i < r->lanes.n; i++) {
		lane_deinit(r->lanes.v[i]);
		free(r->lanes.v[i]);
	}
	vec_free(&r->lanes);
	vec_free(&r->tasks);
	vec_free(&r->events);
	vec_free(&r->hosts);
	vec_free(&r->notes);
	names_deinit(&r->names);
	names_deinit(&r->event_names);
}

bool roll_at(struct roll *r, uint64_t time, int64_t *at)
{
	if (!r->begun)
		r->zero = time;
	r->begun = true;
	*at = (int64_t)(time - r->zero);
	if (*at > FAR || *at < -FAR) {
		r->far++;
		return false;
	}
	r->first = MIN(r->first, *at);
	r->last = MAX(r->last, *at);
	return true;
}

struct lane *roll_lane(struct roll *r, const struct lane *like, bool *full)
{
	struct lane **to;
	struct lane *l;

	*full = r->lanes.n == ROLL_LANES_MAX;
	if (*full)
		return NULL;
	l = calloc(1, sizeof(*l));
	to = l ? vec_add(&r->lanes) : NULL;
	if (!to) {
		free(l);
		return NULL;
	}
	*l = *like;
	l->number = (uint32_t)r->lanes.n - 1;
	*to = l;
	return l;
}

void roll_block(struct roll *r, uint64_t tag, unsigned level, const void *bytes, size_t n)
{
	uint8_t head[3 * LANE_NUMBER];
	unsigned used = lane_number(head, tag);

	used += lane_number(head + used, level);
	used += lane_number(head + used, n);
	out_bytes(r->to, head, used);
	out_bytes(r->to, bytes, n);
}

/* Level 0 of LANE_TASK is not written: it repeats LANE_RUN, and the page computes it from there. */
static bool is_told(const struct lane *l, unsigned level)
{
	return l->kind == LANE_TASK && !level;
}

/* Write each level that has at least this many bytes. */
static void write_lane(struct roll *r, struct lane *l, size_t least)
{
	for (unsigned i = 0; i < LANE_LEVELS && l->level[i]; i++) {
		struct lane_level *v = l->level[i];

		if (!v->bytes.n || v->bytes.n < least)
			continue;
		if (!is_told(l, i))
			roll_block(r, l->number + ROLL_LANES, i, v->bytes.v, v->bytes.n);
		r->held -= v->bytes.n;
		v->bytes.n = 0;
	}
}

static size_t bytes_of(const struct lane *l)
{
	size_t n = 0;

	for (unsigned i = 0; i < LANE_LEVELS && l->level[i]; i++)
		n += l->level[i]->bytes.n;
	return n;
}

/* Write all lanes and free their buffers, which would stay unused in lanes that seldom get items. */
static void write_all(struct roll *r)
{
	for (size_t i = 0; i < r->lanes.n; i++) {
		struct lane *l = r->lanes.v[i];

		write_lane(r, l, 0);
		for (unsigned k = 0; k < LANE_LEVELS && l->level[k]; k++)
			vec_free(&l->level[k]->bytes);
	}
}

int roll_add(struct roll *r, struct lane *l, const struct lane_item *item, const void *more, size_t n)
{
	size_t before = bytes_of(l);

	if (lane_add(l, item, more, n))
		return -ENOMEM;
	r->held += bytes_of(l) - before;
	if (r->held > HELD_MAX)
		write_all(r);
	else
		write_lane(r, l, PIECE);
	return 0;
}

uint32_t roll_name(struct roll *r, const char *name)
{
	return names_add(&r->names, name, strlen(name));
}

uint32_t roll_event(struct roll *r, const char *name)
{
	uint32_t id = names_add(&r->event_names, name, strlen(name));
	struct roll_event *new;

	if (id == NAMES_NONE || id < r->events.n)
		return id;
	new = vec_add(&r->events);
	if (!new)
		return NAMES_NONE;
	new->name = names_str(&r->event_names, id);
	return id;
}

int roll_note(struct roll *r, const char *text)
{
	uint32_t *to = vec_add(&r->notes), id = roll_name(r, text);

	if (!to || id == NAMES_NONE)
		return -ENOMEM;
	*to = id;
	return 0;
}

/* --- ROLL_ABOUT ---------------------------------------------------------------------------------------------- */

static void comma(struct out *o, size_t i)
{
	if (i)
		out_char(o, ',');
}

/* ,"KEY":[ which is followed by a flat list of numbers: the page knows how many belong to a row. */
static void put_key(struct out *o, const char *key)
{
	out_printf(o, ",\"%s\":[", key);
}

static void put_lanes(const struct roll *r, struct out *o)
{
	put_key(o, "lanes");
	for (size_t i = 0; i < r->lanes.n; i++) {
		const struct lane *l = r->lanes.v[i];

		comma(o, i);
		out_printf(o, "[%u,%u,%u,%u,%llu,%llu]", (unsigned)l->kind, l->host, l->owner, l->sub,
			   (unsigned long long)l->items, (unsigned long long)l->highest);
	}
	out_char(o, ']');
}

static void put_tasks(const struct roll *r, struct out *o)
{
	put_key(o, "tasks");
	for (size_t i = 0; i < r->tasks.n; i++) {
		const struct roll_task *t = &r->tasks.v[i];

		comma(o, i);
		out_printf(o, "[%u,%u,%u,%u,%u]", t->host, t->tid, t->pid, t->name, t->first_name);
	}
	out_char(o, ']');
}

static void put_events(const struct roll *r, struct out *o)
{
	put_key(o, "events");
	for (size_t i = 0; i < r->events.n; i++) {
		comma(o, i);
		out_char(o, '[');
		out_json(o, sv_from(r->events.v[i].name));
		out_printf(o, ",%llu]", (unsigned long long)r->events.v[i].n);
	}
	out_char(o, ']');
}

static void put_names(const struct roll *r, struct out *o)
{
	put_key(o, "names");
	for (size_t i = 0; i < r->names.list.n; i++) {
		comma(o, i);
		out_json(o, (struct sv){ r->names.list.v[i].s, r->names.list.v[i].len });
	}
	out_char(o, ']');
	put_key(o, "notes");
	for (size_t i = 0; i < r->notes.n; i++) {
		comma(o, i);
		out_u64(o, r->notes.v[i]);
	}
	out_char(o, ']');
}

static void put_about(const struct roll *r, struct out *o)
{
	out_printf(o, "{\"zero\":\"%llu\",\"first\":%lld,\"last\":%lld,\"stacks\":%llu", (unsigned long long)r->zero,
		   (long long)r->first, (long long)r->last, (unsigned long long)r->stacks);
	put_key(o, "hosts");
	for (size_t i = 0; i < r->hosts.n; i++) {
		comma(o, i);
		out_printf(o, "[%u,\"%lld\"]", r->hosts.v[i].name, (long long)r->hosts.v[i].offset);
	}
	out_char(o, ']');
	put_lanes(r, o);
	put_tasks(r, o);
	put_events(r, o);
	put_names(r, o);
	out_char(o, '}');
}

/* The last block has no length, so that it can be written without being built in memory first. */
int roll_end(struct roll *r)
{
	uint8_t head[2 * LANE_NUMBER];
	unsigned used;

	for (size_t i = 0; i < r->lanes.n; i++) {
		size_t before = bytes_of(r->lanes.v[i]);

		if (lane_end(r->lanes.v[i]))
			return -ENOMEM;
		r->held += bytes_of(r->lanes.v[i]) - before;
	}
	write_all(r);
	used = lane_number(head, ROLL_ABOUT);
	used += lane_number(head + used, 0);
	out_bytes(r->to, head, used);
	put_about(r, r->to);
	return 0;
}
