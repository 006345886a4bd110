/*
 * lines.c - which lines are one, which loads a line is found by, and what of it is shown: as perf 6.1 to 6.12 have it
 * (tools/perf/builtin-c2c.c, util/sort.c).
 */
#include "c2c/lines.h"

/* A line has to have one in so many of the loads that lines are found by. */
enum { SHOWN_PER = 1000 };

struct line_key {
	uint64_t addr;
	uint32_t dso, pid;
	uint32_t kernel, mapped;
};

struct row_key {
	uint64_t ip;
	const char *dso;
	uint32_t line, offset, pid, tid;
};

static_assert(sizeof(struct row_key) == 32 && sizeof(struct line_key) == 24, "keys have no padding");

uint32_t c2c_by_set(enum c2c_by by)
{
	static const uint32_t sets[] = {
		[C2C_BY_TOTAL] = C2C_HITM, [C2C_BY_LOCAL] = C2C_SET(LCL_HITM), [C2C_BY_REMOTE] = C2C_SET(RMT_HITM),
		[C2C_BY_PEER] = C2C_PEER,
	};

	return sets[by];
}

int c2c_lines_init(struct c2c_lines *c, struct session *s, const struct c2c_want *w)
{
	uint32_t cpus = s->head->cpus_available;

	*c = (struct c2c_lines){ .want = *w, .session = s };
	c->cpu_words = ((cpus && cpus < CPUS_MAX ? cpus : CPUS_MAX) + 63) / 64;
	/* No word that is remembered is all ones: has_addr is in its lowest bit. */
	for (size_t i = 0; i < C2C_WORDS; i++)
		c->words[i].key = UINT64_MAX;
	return c2c_nodes_read(&c->nodes, s->head);
}

void c2c_lines_deinit(struct c2c_lines *c)
{
	c2c_nodes_deinit(&c->nodes);
	names_deinit(&c->line_keys);
	names_deinit(&c->row_keys);
	arena_deinit(&c->arena);
	vec_free(&c->lines);
	vec_free(&c->rows);
	vec_free(&c->shown);
	vec_free(&c->shown_rows);
}

/* --- samples ------------------------------------------------------------------------------------------------- */

/* Of few words most samples are. */
static const struct c2c_word *word_of(struct c2c_lines *c, const struct sample *s)
{
	const unsigned used = 46;        /* bits that tell something: up to HOPS */
	uint64_t key = (s->data_src & ((UINT64_C(1) << used) - 1)) << 1 | !!s->addr;
	size_t i = hash_u64(key) % C2C_WORDS;

	if (c->words[i].key != key) {
		c->words[i].key = key;
		c2c_word_of(&c->words[i].word, s->data_src, s->addr);
	}
	return &c->words[i].word;
}

/* Where the data is, and is it mapped at all, as the code must be? */
static bool find_place(struct c2c_lines *c, const struct sample *s, struct line_key *key)
{
	struct resolver *r = c->session->resolver;
	struct resolver_spaces spaces = resolver_spaces(r, s->pid, s->time);
	struct resolver_place at = { 0 }, code;
	bool kernels;

	*key = (struct line_key){ .addr = s->addr, .kernel = s->cpumode == PERF_MISC_KERNEL };
	key->mapped = resolver_place(r, &spaces, s->cpumode, s->addr, &at);
	/* What has no file is each process' own. */
	if (!key->kernel && !resolver_file(r, &spaces, s->cpumode, s->addr, &kernels)) {
		key->pid = s->pid;
	} else if (key->mapped) {
		key->addr = at.addr;
		key->dso = at.dso;
	}
	key->addr &= ~(uint64_t)(c->want.line_bytes - 1);
	return key->mapped && resolver_place(r, &spaces, s->cpumode, s->ip, &code);
}

static bool is_full(const struct c2c_lines *c)
{
	const struct names *l = &c->line_keys, *r = &c->row_keys;

	return c->lines.cap * sizeof(*c->lines.v) + c->rows.cap * sizeof(*c->rows.v) + c->arena.total +
	       l->arena.total + r->arena.total + (l->list.cap + r->list.cap) * sizeof(*l->list.v) +
	       (l->cap + r->cap) * sizeof(*l->slot) > c->want.memory;
}

/* The number of the line; NAMES_NONE: no memory, or *full. */
static uint32_t line_of(struct c2c_lines *c, const struct line_key *key, const struct sample *s, bool *full)
{
	uint32_t id = names_find(&c->line_keys, (const char *)key, sizeof(*key));
	struct c2c_line *l;

	if (id != NAMES_NONE)
		return id;
	*full = is_full(c);
	l = *full ? NULL : vec_add(&c->lines);
	if (!l)
		return NAMES_NONE;
	l->at.addr = s->addr & ~(uint64_t)(c->want.line_bytes - 1);
	l->pid = key->pid;
	l->kernel = key->kernel;
	l->mapped = key->mapped;
	return names_add(&c->line_keys, (const char *)key, sizeof(*key));
}

static int fill_row(struct c2c_lines *c, struct c2c_row *row, const struct row_key *key, const struct sample *s)
{
	struct resolver *r = c->session->resolver;

	row->line = key->line;
	row->at.addr = key->offset;
	row->pid = s->pid;
	row->tid = s->tid;
	row->ip = s->ip;
	row->comm = c->want.keys & C2C_TID ? resolver_comm_of(r, s->pid, s->tid) : NULL;
	if (c->want.keys & (C2C_CODE | C2C_DSO)) {
		row->loc = resolver_find(r, s->pid, s->cpumode, s->ip);
		if (!row->loc)
			return -ENOMEM;
		row->dso = row->loc->dso_short;
	}
	row->cpus = arena_alloc(&c->arena, c->cpu_words * sizeof(*row->cpus));
	if (c->want.by_node)
		row->share = arena_alloc(&c->arena, c->nodes.n * sizeof(*row->share));
	return row->cpus && (row->share || !c->want.by_node) ? 0 : -ENOMEM;
}

static int key_row(const struct c2c_lines *c, uint32_t line, const struct sample *s, struct row_key *key)
{
	const struct sym_loc *l;

	*key = (struct row_key){
		.line = line, .offset = (uint32_t)(s->addr & (c->want.line_bytes - 1)),
		.pid = c->want.keys & C2C_PID ? s->pid : 0, .tid = c->want.keys & C2C_TID ? s->tid : 0,
		.ip = c->want.keys & C2C_CODE ? s->ip : 0,
	};
	if (!(c->want.keys & C2C_DSO))
		return 0;
	l = resolver_find(c->session->resolver, s->pid, s->cpumode, s->ip);
	key->dso = l ? l->dso : NULL;
	return l ? 0 : -ENOMEM;
}

static struct c2c_row *row_of(struct c2c_lines *c, const struct row_key *key, const struct sample *s, bool *full)
{
	uint32_t id = names_find(&c->row_keys, (const char *)key, sizeof(*key));
	struct c2c_row *row;

	if (id != NAMES_NONE)
		return &c->rows.v[id];
	*full = is_full(c);
	row = *full ? NULL : vec_add(&c->rows);
	if (!row || fill_row(c, row, key, s) ||
	    names_add(&c->row_keys, (const char *)key, sizeof(*key)) == NAMES_NONE)
		return NULL;
	return row;
}

static void add_memory(struct c2c_lines *c, struct c2c_entry *at, uint64_t physical)
{
	int node = physical ? c2c_node_of_memory(&c->nodes, physical) : -1;

	if (node < 0)
		return;
	at->nodes |= UINT64_C(1) << node;
	at->changes += at->physical != physical;
	at->physical = physical;
}

/* Cycles of loads are those of the costliest kind that they are. */
static int cycles_of(const struct c2c_word *w, enum c2c_by by)
{
	bool peers = by == C2C_BY_PEER;

	if (w->set & C2C_HITM)
		return peers ? -1 : w->set & C2C_SET(RMT_HITM) ? C2C_CYCLES_REMOTE : C2C_CYCLES_LOCAL;
	if (w->set & C2C_PEER)
		return !peers ? -1 : w->set & C2C_SET(RMT_PEER) ? C2C_CYCLES_REMOTE : C2C_CYCLES_LOCAL;
	return w->set & C2C_SET(LOADS) ? C2C_CYCLES_LOAD : -1;
}

static uint32_t how_often(const struct c2c_word *w, uint32_t set)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < w->n; i++)
		n += set >> w->v[i] & 1;
	return n;
}

static void add_cpu(struct c2c_lines *c, struct c2c_row *row, const struct c2c_word *w, uint32_t cpu)
{
	int node = row->share ? c2c_node_of_cpu(&c->nodes, cpu == UINT32_MAX ? 0 : cpu) : -1;

	if (cpu / 64 < c->cpu_words)
		row->cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
	if (node < 0)
		return;
	row->share[node].snoops += how_often(w, c2c_by_set(c->want.by));
	row->share[node].stores += w->set >> C2C_STORES & 1;
}

static void add_row(struct c2c_lines *c, struct c2c_row *row, const struct c2c_word *w, const struct session_item *item)
{
	const struct sample *s = &item->sample;
	int cycles = cycles_of(w, c->want.by);

	c2c_add(&row->at.counts, w);
	add_memory(c, &row->at, s->phys_addr);
	add_cpu(c, row, w, s->cpu);
	if (cycles >= 0) {
		row->cycles[cycles] += sample_weight(&item->event->layout, s);
		row->n_cycles[cycles]++;
	}
}

/* 0, -ENOMEM, or *full. */
static int add_places(struct c2c_lines *c, const struct line_key *key, const struct c2c_word *w,
		      const struct session_item *item, bool *full)
{
	uint32_t line = line_of(c, key, &item->sample, full);
	struct row_key row_key;
	struct c2c_row *row;

	if (line == NAMES_NONE)
		return -ENOMEM;
	c2c_add(&c->lines.v[line].at.counts, w);
	add_memory(c, &c->lines.v[line].at, item->sample.phys_addr);
	if (key_row(c, line, &item->sample, &row_key))
		return -ENOMEM;
	row = row_of(c, &row_key, &item->sample, full);
	if (!row)
		return -ENOMEM;
	add_row(c, row, w, item);
	return 0;
}

int c2c_lines_take(struct c2c_lines *c, const struct session_item *item)
{
	const struct c2c_word *w;
	struct line_key key;
	bool full = false, mapped;
	int r;

	if (!item->event)
		return 0;
	w = word_of(c, &item->sample);
	mapped = find_place(c, &item->sample, &key);
	c2c_add(&c->total, w);
	if (!mapped && item->sample.addr && !(w->set & C2C_SET(UNPARSED)))
		c->total.n[C2C_NO_MAP]++;
	r = add_places(c, &key, w, item, &full);
	c->left_out += full;
	return full ? 0 : r;
}

/* --- order --------------------------------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The first that differs decides. */
static int compare_all(const uint64_t *a, const uint64_t *b, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = compare(a[i], b[i]);
	return r;
}

/* Equal lines stand in the order of where they are, and rows of one place in that of who was there. */
static int by_snoops(const void *a, const void *b)
{
	const struct c2c_shown *x = a, *y = b;
	const struct c2c_line *m = x->line, *n = y->line;
	uint64_t of_x[] = { y->snoops, n->kernel, n->mapped, m->pid, m->at.addr, (uintptr_t)m };
	uint64_t of_y[] = { x->snoops, m->kernel, m->mapped, n->pid, n->at.addr, (uintptr_t)n };

	return compare_all(of_x, of_y, ARRAY_SIZE(of_x));
}

static int by_offset(const void *a, const void *b)
{
	const struct c2c_shown_row *x = a, *y = b;
	const struct c2c_row *m = x->row, *n = y->row;
	uint64_t of_x[] = { x->line, m->at.addr, y->snoops, y->hitm, m->pid, m->ip, m->tid, (uintptr_t)m };
	uint64_t of_y[] = { y->line, n->at.addr, x->snoops, x->hitm, n->pid, n->ip, n->tid, (uintptr_t)n };

	return compare_all(of_x, of_y, ARRAY_SIZE(of_x));
}

static void add_shared(struct c2c_lines *c)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct c2c_counts *n = &c->lines.v[i].at.counts;

		if (!c2c_sum(n, C2C_HITM | C2C_PEER))
			continue;
		c->n_shared++;
		for (size_t k = 0; k < C2C_COUNTS; k++)
			c->shared.n[k] += n->n[k];
	}
}

static int choose_lines(struct c2c_lines *c)
{
	uint32_t set = c2c_by_set(c->want.by);
	uint64_t all = c2c_sum(&c->shared, set);

	for (size_t i = 0; i < c->lines.n; i++) {
		uint64_t snoops = c2c_sum(&c->lines.v[i].at.counts, set);
		struct c2c_shown *s;

		if (!c->want.all && (!all || snoops * SHOWN_PER < all))
			continue;
		s = vec_add(&c->shown);
		if (!s)
			return -ENOMEM;
		*s = (struct c2c_shown){ .line = &c->lines.v[i], .snoops = snoops };
	}
	if (c->shown.n)
		qsort(c->shown.v, c->shown.n, sizeof(*c->shown.v), by_snoops);
	return 0;
}

/* A row without stores and such loads has nothing to do with it. place: of each line among those shown, and 1. */
static int choose_rows(struct c2c_lines *c, const uint32_t *place)
{
	uint32_t set = c2c_by_set(c->want.by);

	for (size_t i = 0; i < c->rows.n; i++) {
		const struct c2c_row *row = &c->rows.v[i];
		struct c2c_shown_row *s;

		if (!place[row->line] || !c2c_sum(&row->at.counts, set | C2C_SET(STORES)))
			continue;
		s = vec_add(&c->shown_rows);
		if (!s)
			return -ENOMEM;
		*s = (struct c2c_shown_row){
			.row = row, .line = place[row->line] - 1, .snoops = c2c_sum(&row->at.counts, set),
			.hitm = c2c_sum(&row->at.counts, C2C_HITM),
		};
		c->shown.v[s->line].n_rows++;
	}
	if (c->shown_rows.n)
		qsort(c->shown_rows.v, c->shown_rows.n, sizeof(*c->shown_rows.v), by_offset);
	return 0;
}

int c2c_lines_sort(struct c2c_lines *c)
{
	uint32_t *place = calloc(c->lines.n + 1, sizeof(*place));
	size_t first = 0;
	int r = place ? 0 : -ENOMEM;

	add_shared(c);
	r = r ? r : choose_lines(c);
	for (size_t i = 0; i < c->shown.n && !r; i++)
		place[c->shown.v[i].line - c->lines.v] = (uint32_t)i + 1;
	r = r ? r : choose_rows(c, place);
	for (size_t i = 0; i < c->shown.n; i++) {
		c->shown.v[i].first = first;
		first += c->shown.v[i].n_rows;
	}
	free(place);
	return r;
}
