/* rows.c - columns of the lock views: their names and cells, the order of rows, and times in perf's format. */
#include "lock/lock.h"

#include "base/sort.h"
#include "sym/kernel.h"

enum { COUNT_WIDTH = 10, TIME_WIDTH = 12 };

static const struct { const char *name, *head; } keys[LOCK_KEYS] = {
	[LOCK_ACQUIRED] = { "acquired", "acquired" }, [LOCK_CONTENDED] = { "contended", "contended" },
	[LOCK_AVG_WAIT] = { "avg_wait", "avg wait" }, [LOCK_WAIT_TOTAL] = { "wait_total", "total wait" },
	[LOCK_WAIT_MAX] = { "wait_max", "max wait" }, [LOCK_WAIT_MIN] = { "wait_min", "min wait" },
};

static bool is_count(unsigned key)
{
	return key == LOCK_ACQUIRED || key == LOCK_CONTENDED;
}

const char *lock_key_head(unsigned key)
{
	return keys[key].head;
}

uint64_t lock_value(const struct lock_row *r, unsigned key)
{
	switch (key) {
	case LOCK_ACQUIRED:
		return r->acquired;
	case LOCK_CONTENDED:
		return r->contended;
	case LOCK_AVG_WAIT:
		return r->avg;
	case LOCK_WAIT_TOTAL:
		return r->total;
	case LOCK_WAIT_MAX:
		return r->max;
	default:
		return r->min == UINT64_MAX ? 0 : r->min;
	}
}

/* --- options --- */

static int find_key(struct sv name, enum lock_key first, const char *option, struct err *e)
{
	char all[120] = "";
	size_t n = 0;

	for (unsigned i = first; i < LOCK_KEYS; i++)
		if (sv_eq(name, keys[i].name))
			return (int)i;
	for (unsigned i = first; i < LOCK_KEYS; i++)
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s", i > first ? ", " : "", keys[i].name);
	return err_set(e, EINVAL, "%s: '%.*s' is none of %s", option, (int)MIN(name.n, 40u), name.s, all);
}

int lock_show_read(struct lock_show *s, const struct lock_show_want *w, enum lock_key first, struct err *e)
{
	struct sv rest = sv_from(w->fields), piece;
	int key = find_key(sv_from(w->key), first, "-k", e);

	if (key < 0)
		return key;
	s->key = (enum lock_key)key;
	s->entries = w->entries ? w->entries : UINT64_MAX;
	while (sv_cut(&rest, ',', &piece)) {
		key = find_key(sv_trim(piece), first, "-F", e);
		if (key < 0)
			return key;
		if (s->n_fields == LOCK_KEYS)
			return err_set(e, EINVAL, "-F: each column once");
		s->field[s->n_fields++] = (uint8_t)key;
	}
	return 0;
}

/* --- order --- */

struct order {
	const struct lock_row *v;
	unsigned key;
};

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct order *o = arg;
	uint64_t x = lock_value(&o->v[a], o->key), y = lock_value(&o->v[b], o->key);

	if (x != y)
		return x > y ? -1 : 1;
	return o->v[a].at < o->v[b].at ? -1 : o->v[a].at > o->v[b].at;
}

uint32_t *lock_sorted(const struct lock_show *s, const struct lock_row *v, size_t n)
{
	struct order by = { v, s->key };
	uint32_t *order = malloc((2 * n + 1) * sizeof(*order));

	for (size_t i = 0; order && i < n; i++)
		order[i] = (uint32_t)i;
	if (order)
		sort_u32(order, order + n, n, compare, &by);
	return order;
}

/* Rows without a stack are merged by name, which says why there is no stack. */
static uint64_t fold_key(const struct lock_row *r, enum lock_fold by)
{
	if (by == LOCK_FOLD_OWNER)
		return r->at;
	return r->stack ? r->stack : UINT64_C(1) << 32 | r->name;
}

static void add_to(struct lock_row *to, const struct lock_row *from)
{
	to->acquired += from->acquired;
	to->contended += from->contended;
	to->total += from->total;
	to->min = MIN(to->min, from->min);
	to->max = MAX(to->max, from->max);
	to->avg = to->acquired ? to->total / to->acquired : 0;
}

struct lock_row *lock_folded(const struct lock_row *v, size_t n, enum lock_fold by, size_t *n_folded)
{
	struct lock_row *to = calloc(n + 1, sizeof(*to));
	struct map index = { 0 };

	*n_folded = 0;
	for (size_t i = 0; to && i < n; i++) {
		bool is_new;
		uint64_t *at = map_add(&index, fold_key(&v[i], by), &is_new);

		if (!at) {
			free(to);
			to = NULL;
		} else if (is_new) {
			*at = (*n_folded)++;
			to[*at] = v[i];
		} else {
			add_to(&to[*at], &v[i]);
		}
	}
	map_deinit(&index);
	return to;
}

/* --- text --- */

void lock_put_heads(const struct lock_show *s, struct out *o)
{
	for (unsigned i = 0; i < s->n_fields; i++) {
		out_right(o, keys[s->field[i]].head, is_count(s->field[i]) ? COUNT_WIDTH : TIME_WIDTH);
		out_char(o, ' ');
	}
}

/* In the largest unit of which there is at least one. perf divides in float: do the same, to print the same digits. */
static void put_time(struct out *o, uint64_t ns)
{
	static const struct { float ns; const char *unit; } units[] = {
		{ 3600e9f, "h " }, { 60e9f, "m " }, { 1e9f, "s " }, { 1e6f, "ms" }, { 1e3f, "us" },
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(units) && (float)ns < units[i].ns)
		i++;
	if (i < ARRAY_SIZE(units))
		out_fixed(o, (double)((float)ns / units[i].ns), TIME_WIDTH - 3, 2);
	else
		out_u64w(o, ns, TIME_WIDTH - 3);
	out_char(o, ' ');
	out_str(o, i < ARRAY_SIZE(units) ? units[i].unit : "ns");
}

void lock_put_fields(const struct lock_show *s, const struct lock_row *r, struct out *o)
{
	for (unsigned i = 0; i < s->n_fields; i++) {
		if (is_count(s->field[i]))
			out_u64w(o, lock_value(r, s->field[i]), COUNT_WIDTH);
		else
			put_time(o, lock_value(r, s->field[i]));
		out_char(o, ' ');
	}
}

unsigned lock_columns(const struct lock_show *s, struct table_col *cols)
{
	for (unsigned i = 0; i < s->n_fields; i++)
		cols[i] = (struct table_col){ keys[s->field[i]].name, NULL, TABLE_RIGHT, 0 };
	return s->n_fields;
}

void lock_cells(const struct lock_show *s, const struct lock_row *r, struct table *t)
{
	for (unsigned i = 0; i < s->n_fields; i++)
		table_u64(t, lock_value(r, s->field[i]));
}

const char *lock_variable(struct prof *p, uint64_t lock, char buf[LOCK_NAME])
{
	struct kernel_symbol s;

	buf[0] = '\0';
	if (resolver_kernel_thing(p->feed.session.resolver, lock, &s) && s.name)
		str_copy(buf, LOCK_NAME, sv_from(s.name));
	return buf;
}
