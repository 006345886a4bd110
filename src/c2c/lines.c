/*
 * lines.c - adds samples to lines and rows. What makes two samples one line or row is as in perf 6.1 to 6.12
 * (tools/perf/builtin-c2c.c, util/sort.c).
 */
#include "c2c/parts.h"

struct line_key {
	uint64_t place;
	uint32_t dso, pid;
	bool kernel, mapped;
};

struct row_key {
	const char *dso;
	const struct sample *sample;
	uint32_t line, hash;
	uint8_t offset;
	unsigned keys;           /* enum c2c_key */
};

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
	/* All ones marks a free cache entry: a key has 47 bits (see word_of). */
	for (size_t i = 0; i < C2C_WORDS; i++)
		c->words[i].key = UINT64_MAX;
	return c2c_nodes_read(&c->nodes, s->head);
}

void c2c_lines_deinit(struct c2c_lines *c)
{
	c2c_nodes_deinit(&c->nodes);
	slots_deinit(&c->of_line);
	slots_deinit(&c->of_row);
	for (size_t i = 0; i < c->kernels.n; i++)
		resolver_space_drop(&c->kernels.v[i]);
	vec_free(&c->kernels);
	arena_deinit(&c->arena);
	vec_free(&c->lines);
	vec_free(&c->rows);
	vec_free(&c->shown);
	vec_free(&c->shown_rows);
}

/* --- samples ------------------------------------------------------------------------------------------------- */

void c2c_settle_word(struct c2c_lines *c, struct c2c_known_word *w)
{
	for (unsigned i = 0; w->samples && i < w->word.n; i++)
		c->total.n[w->word.v[i]] += (uint32_t)w->samples;
	w->samples = 0;
}

/*
 * The decoded data_src of a sample. Most samples have one of a few values, so decodings are cached, and samples only
 * counted there: an entry goes into the totals when another value replaces it, or at the end.
 */
static const struct c2c_word *word_of(struct c2c_lines *c, const struct sample *s)
{
	const unsigned used = 46;        /* bits of data_src that are used: up to HOPS */
	uint64_t key = (s->data_src & ((UINT64_C(1) << used) - 1)) << 1 | !!s->addr;
	struct c2c_known_word *w = &c->words[hash_u64(key) % C2C_WORDS];

	if (w->key != key) {
		c2c_settle_word(c, w);
		w->key = key;
		c2c_word_of(&w->word, s->data_src, s->addr);
	}
	w->samples++;
	return &w->word;
}

/* --- places of data and of code ------------------------------------------------------------------------------ */

static const struct c2c_space *space_of(struct c2c_lines *c, const struct sample *s)
{
	struct c2c_space *at = &c->spaces[s->pid % C2C_SPACES];
	uint64_t changes = resolver_changes(c->session->resolver) + 1;
	struct resolver_spaces now;

	if (at->changes == changes && at->pid == s->pid && s->time >= at->since && s->time < at->until)
		return at;
	now = resolver_spaces(c->session->resolver, s->pid, s->time);
	*at = (struct c2c_space){
		.changes = changes, .since = now.user.since, .until = now.user.until, .pid = s->pid,
		.user = now.user.generation, .kernel = now.kernel.generation,
	};
	return at;
}

static inline bool is_spot(const struct c2c_spot *a, const struct c2c_spot *b)
{
	return a->addr == b->addr && a->user == b->user && a->kernel == b->kernel && a->pid == b->pid &&
	       a->cpumode == b->cpumode && a->user && a->kernel;
}

/*
 * Look up the sample's address (key->addr) in a cache of n spots. NULL: not cached; then *key is filled but for the
 * result, and *free is the entry for it, to be passed to remember().
 */
static inline const struct c2c_spot *spot_of(struct c2c_spot *spots, size_t n, const struct c2c_space *in,
					     const struct sample *s, struct c2c_spot *key, struct c2c_spot **free)
{
	struct c2c_spot *at = &spots[slots_hash(key->addr ^ (uint64_t)in->user << 24) % n & ~(size_t)1];

	key->user = in->user;
	key->kernel = in->kernel;
	key->pid = s->pid;
	key->cpumode = s->cpumode;
	*free = at;
	return is_spot(&at[0], key) ? &at[0] : is_spot(&at[1], key) ? &at[1] : NULL;
}

static void remember(struct c2c_spot *at, const struct c2c_spot *key)
{
	at[1] = at[0];
	at[0] = *key;
}

/* The line of a sample's data address. */
static struct line_key place_of(struct c2c_lines *c, const struct sample *s)
{
	struct resolver *r = c->session->resolver;
	struct resolver_spaces spaces = resolver_spaces(r, s->pid, s->time);
	struct line_key key = { .place = s->addr, .kernel = s->cpumode == PERF_MISC_KERNEL };
	struct resolver_place at = { 0 };
	bool kernels;

	key.mapped = resolver_place(r, &spaces, s->cpumode, s->addr, &at);
	/* User memory without a file is private to its process. */
	if (!key.kernel && !resolver_file(r, &spaces, s->cpumode, s->addr, &kernels)) {
		key.pid = s->pid;
	} else if (key.mapped) {
		key.place = at.addr;
		key.dso = at.dso;
	}
	key.place &= ~(uint64_t)(c->want.line_bytes - 1);
	return key;
}

static bool is_mapped(struct c2c_lines *c, const struct c2c_space *in, const struct sample *s)
{
	struct resolver *r = c->session->resolver;
	struct c2c_spot key = { .addr = s->ip }, *free;
	const struct c2c_spot *known = spot_of(c->code, C2C_SPOTS, in, s, &key, &free);
	struct resolver_spaces spaces;
	struct resolver_place at;

	if (known)
		return known->mapped;
	spaces = resolver_spaces(r, s->pid, s->time);
	key.mapped = resolver_place(r, &spaces, s->cpumode, s->ip, &at);
	remember(free, &key);
	return key.mapped;
}

static bool is_full(const struct c2c_lines *c)
{
	return c->lines.cap * sizeof(*c->lines.v) + c->rows.cap * sizeof(*c->rows.v) + c->arena.total +
	       (c->of_line.cap + c->of_row.cap) * sizeof(*c->of_row.v) > c->want.memory;
}

/* --- lines --------------------------------------------------------------------------------------------------- */

static uint32_t hash_line(const struct line_key *k)
{
	uint64_t whose = (uint64_t)k->pid << 2 | (unsigned)k->kernel << 1 | k->mapped;

	return slots_hash(hash_u64(k->place ^ (uint64_t)k->dso << 40) + whose);
}

static bool is_line(const void *rows, uint32_t n, const void *arg)
{
	const struct c2c_line *l = &((const struct c2c_line *)rows)[n];
	const struct line_key *k = arg;

	return l->place == k->place && l->dso == k->dso && l->pid == k->pid && l->kernel == k->kernel &&
	       l->mapped == k->mapped;
}

/* Index of the line, which is added if it is new. SLOTS_NONE: no memory, or, with *full set, want.memory is used up. */
static uint32_t line_of(struct c2c_lines *c, const struct line_key *key, const struct sample *s, bool *full)
{
	uint32_t hash = hash_line(key), n = slots_find(&c->of_line, hash, is_line, c->lines.v, key);
	struct c2c_line *l;

	if (n != SLOTS_NONE)
		return n;
	*full = is_full(c);
	n = (uint32_t)c->lines.n;
	l = *full ? NULL : vec_add(&c->lines);
	if (!l)
		return SLOTS_NONE;
	l->addr = s->addr & ~(uint64_t)(c->want.line_bytes - 1);
	l->place = key->place;
	l->dso = key->dso;
	l->pid = key->pid;
	l->kernel = key->kernel;
	l->mapped = key->mapped;
	return slots_add(&c->of_line, hash, n) ? SLOTS_NONE : n;
}

/* Index of the sample's line, as line_of(). *mapped: both its data and its code address are in a known mapping. */
static uint32_t line_of_sample(struct c2c_lines *c, const struct sample *s, bool *mapped, bool *full)
{
	const struct c2c_space *in = space_of(c, s);
	struct c2c_spot key = { .addr = s->addr }, *free;
	const struct c2c_spot *known = spot_of(c->data, 2 * C2C_SPOTS, in, s, &key, &free);
	struct line_key line;

	if (!known) {
		line = place_of(c, s);
		key.line = line_of(c, &line, s, full);
		key.mapped = line.mapped;
		known = &key;
		if (key.line != SLOTS_NONE)
			remember(free, &key);
	}
	*mapped = known->mapped && is_mapped(c, in, s);
	return known->line;
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* Index in c->kernels of the kernel's present address space; C2C_KERNELS: no room for one more. */
static size_t kernel_space(struct c2c_lines *c, const struct sample *s)
{
	struct resolver_space now = resolver_spaces(c->session->resolver, s->pid, s->time).kernel, *new;
	size_t n = c->kernels.n;

	if (n && now.generation && c->kernels.v[n - 1].generation == now.generation)
		return n - 1;
	new = n < C2C_KERNELS ? vec_add(&c->kernels) : NULL;
	if (!new)
		return C2C_KERNELS;
	*new = resolver_space_keep(now);
	return n;
}

/* Kernel symbols take much memory, so they are looked up at the end, and only for the rows that are shown. */
static int find_code(struct c2c_lines *c, struct c2c_row *row, const struct sample *s)
{
	bool late = s->cpumode == PERF_MISC_KERNEL && !(c->want.keys & C2C_DSO);
	size_t space = late ? kernel_space(c, s) : C2C_KERNELS;

	if (space < C2C_KERNELS) {
		row->is_late = true;
		row->space = space;
		return 0;
	}
	row->loc = resolver_find(c->session->resolver, s->pid, s->cpumode, s->ip);
	return row->loc ? 0 : -ENOMEM;
}

static int fill_row(struct c2c_lines *c, struct c2c_row *row, const struct row_key *key)
{
	const struct sample *s = key->sample;

	row->line = key->line;
	row->offset = key->offset;
	row->pid = s->pid;
	row->tid = s->tid;
	row->ip = s->ip;
	if (c->want.keys & C2C_TID)
		row->comm = resolver_comm_of(c->session->resolver, s->pid, s->tid);
	if (c->want.keys & (C2C_CODE | C2C_DSO) && find_code(c, row, s))
		return -ENOMEM;
	if (c->cpu_words > 1)
		row->cpus.many = arena_alloc(&c->arena, c->cpu_words * sizeof(*row->cpus.many));
	if (c->want.by_node)
		row->share = arena_alloc(&c->arena, c->nodes.n * sizeof(*row->share));
	return (row->cpus.many || c->cpu_words == 1) && (row->share || !c->want.by_node) ? 0 : -ENOMEM;
}

static uint32_t hash_row(const struct row_key *k)
{
	const struct sample *s = k->sample;
	uint64_t who = (k->keys & C2C_PID ? s->pid : 0) ^ (k->keys & C2C_TID ? (uint64_t)s->tid << 24 : 0);

	return slots_hash(((uint64_t)k->line << 32 | k->offset) ^ hash_u64(who + (k->keys & C2C_CODE ? s->ip : 0)));
}

/* Fill the key of the sample's row, and prefetch its slot of the hash table. */
static int key_row(const struct c2c_lines *c, uint32_t line, const struct sample *s, struct row_key *key)
{
	const struct sym_loc *l;

	*key = (struct row_key){
		.sample = s, .line = line, .offset = (uint8_t)(s->addr & (c->want.line_bytes - 1)),
		.keys = c->want.keys,
	};
	key->hash = hash_row(key);
	slots_fetch(&c->of_row, key->hash);
	if (!(c->want.keys & C2C_DSO))
		return 0;
	l = resolver_find(c->session->resolver, s->pid, s->cpumode, s->ip);
	key->dso = l ? l->dso : NULL;
	return l ? 0 : -ENOMEM;
}

static bool is_row(const void *rows, uint32_t n, const void *arg)
{
	const struct c2c_row *row = &((const struct c2c_row *)rows)[n];
	const struct row_key *k = arg;
	const struct sample *s = k->sample;

	return row->line == k->line && row->offset == k->offset && (!(k->keys & C2C_CODE) || row->ip == s->ip) &&
	       (!(k->keys & C2C_PID) || row->pid == s->pid) && (!(k->keys & C2C_TID) || row->tid == s->tid) &&
	       (!(k->keys & C2C_DSO) || row->loc->dso == k->dso);
}

static struct c2c_row *row_of(struct c2c_lines *c, const struct row_key *key, bool *full)
{
	uint32_t n = slots_find(&c->of_row, key->hash, is_row, c->rows.v, key);
	struct c2c_row *row;

	if (n != SLOTS_NONE)
		return &c->rows.v[n];
	*full = is_full(c);
	row = *full ? NULL : vec_add(&c->rows);
	if (!row || fill_row(c, row, key) || slots_add(&c->of_row, key->hash, (uint32_t)c->rows.n - 1))
		return NULL;
	return row;
}

/* Note a sample's physical address; node: that of its memory, -1: unknown. 1: the address has changed, else 0. */
static uint32_t add_memory(struct c2c_memory *m, uint64_t physical, int node)
{
	uint64_t last = m->physical;

	if (node < 0)
		return 0;
	m->nodes |= UINT64_C(1) << node;
	m->physical = physical;
	return last != physical;
}

/* The kind of cycles to which a sample's weight is added; -1: none. A load counts only as its costliest kind. */
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
	uint64_t *cpus = c->cpu_words == 1 ? &row->cpus.one : row->cpus.many;
	int node = row->share ? c2c_node_of_cpu(&c->nodes, cpu == UINT32_MAX ? 0 : cpu) : -1;

	if (cpu / 64 < c->cpu_words)
		cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
	if (node < 0)
		return;
	row->share[node].snoops += how_often(w, c2c_by_set(c->want.by));
	row->share[node].stores += w->set >> C2C_STORES & 1;
}

static void add_row(struct c2c_lines *c, struct c2c_row *row, const struct c2c_word *w, const struct session_item *item)
{
	const struct sample *s = &item->sample;
	int cycles = cycles_of(w, c->want.by);

	c2c_row_add(&row->counts, w);
	add_cpu(c, row, w, s->cpu);
	if (cycles >= 0) {
		row->cycles[cycles] += sample_weight(&item->event->layout, s);
		row->n_cycles[cycles]++;
	}
}

/* Add a sample to its line and row. 0 or -ENOMEM; the latter with *full set if want.memory is used up. */
static int add_places(struct c2c_lines *c, uint32_t line, const struct c2c_word *w, const struct session_item *item,
		      bool *full)
{
	uint64_t physical = item->sample.phys_addr;
	struct c2c_line *l = &c->lines.v[line];
	struct c2c_row *row;
	struct row_key key;
	int node;

	if (key_row(c, line, &item->sample, &key))
		return -ENOMEM;
	node = physical ? c2c_node_of_memory(&c->nodes, physical) : -1;
	c2c_add(&l->counts, w);
	l->changes += add_memory(&l->memory, physical, node);
	row = row_of(c, &key, full);
	if (!row)
		return -ENOMEM;
	add_row(c, row, w, item);
	row->changes += add_memory(&row->memory, physical, node);
	return 0;
}

int c2c_lines_take(struct c2c_lines *c, const struct session_item *item)
{
	const struct c2c_word *w;
	bool full = false, mapped;
	uint32_t line;
	int r;

	if (!item->event)
		return 0;
	w = word_of(c, &item->sample);
	line = line_of_sample(c, &item->sample, &mapped, &full);
	if (!mapped && item->sample.addr && !(w->set & C2C_SET(UNPARSED)))
		c->total.n[C2C_NO_MAP]++;
	r = line == SLOTS_NONE ? -ENOMEM : add_places(c, line, w, item, &full);
	c->left_out += full;
	return full ? 0 : r;
}
