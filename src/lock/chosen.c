/* chosen.c - which waits count: by lock type (-Y), by lock (-L), by a function in the call chain (-S). */
#include "lock/lock.h"

static const struct { uint32_t flags; const char *way, *name; } types[] = {
#define TYPE(flags, way, name) { flags, way, name },
#include "lock/types.def"
};

const char *lock_way(uint32_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == (flags & LOCK_FLAGS))
			return types[i].way;
	return "unknown";
}

const char *lock_type(uint32_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == (flags & LOCK_FLAGS))
			return types[i].name;
	return "unknown";
}

/* "rwsem" chooses both rwsem:R and rwsem:W. perf has two more names: mutex-spin, and pcpu-sem for percpu-rwsem. */
static int add_type(struct lock_chosen *c, struct sv name, struct err *e)
{
	bool one_way = memchr(name.s, ':', name.n);
	struct nearest near;
	char text[160];
	bool found = sv_eq(name, "mutex-spin");

	if (sv_eq(name, "pcpu-sem"))
		name = SV("percpu-rwsem");
	if (found)
		c->types |= UINT64_C(1) << (LOCK_MUTEX | LOCK_SPIN);
	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		nearest_feed(&near, types[i].name);
		if (!sv_eq(name, one_way ? types[i].way : types[i].name))
			continue;
		c->types |= UINT64_C(1) << types[i].flags;
		found = true;
	}
	return found ? 0 : err_set(e, EINVAL, "-Y: '%.*s' is no kind of lock%s", (int)MIN(name.n, 40u), name.s,
				   nearest_text(&near, text, sizeof(text)));
}

static int add_part(struct lock_chosen *c, struct sv name)
{
	struct sv *to = vec_add(&c->parts);

	if (to)
		*to = name;
	return to ? 0 : -ENOMEM;
}

/* Cut the next word off; words are separated by commas or blanks. */
static bool next_word(struct sv *rest, struct sv *word)
{
	size_t n = 0;

	while (rest->n && strchr(", ", *rest->s)) {
		rest->s++;
		rest->n--;
	}
	while (n < rest->n && !strchr(", ", rest->s[n]))
		n++;
	*word = (struct sv){ rest->s, n };
	rest->s += n;
	rest->n -= n;
	return n;
}

int lock_chosen_read(struct lock_chosen *c, const struct lock_chosen_want *w, struct err *e)
{
	struct sv rest, word;
	int r = 0;

	c->want = w;
	for (size_t i = 0; !r && i < w->types.n; i++)
		for (rest = sv_from(w->types.v[i]); !r && next_word(&rest, &word);)
			r = add_type(c, word, e);
	for (size_t i = 0; !r && i < w->functions.n; i++)
		for (rest = sv_from(w->functions.v[i]); !r && next_word(&rest, &word);)
			r = add_part(c, word) ? err_nomem(e) : 0;
	return r;
}

/* A lock is given as an address in hex, or as the name of a kernel variable. */
static int add_lock(struct lock_chosen *c, struct sv word, struct err *e)
{
	char name[LOCK_NAME];
	uint64_t lock, *to;

	str_copy(name, sizeof(name), word);
	if (!str_u64(word, 16, &lock))
		lock = resolver_kernel_address(c->prof->feed.session.resolver, name);
	if (!lock) {
		err_set(e, ENOENT, "-L: no lock of the kernel is known as '%.60s'", name);
		return err_hint(e, "locks within structures have addresses alone: -l shows them");
	}
	to = vec_add(&c->locks);
	if (!to)
		return err_nomem(e);
	*to = lock;
	return 0;
}

int lock_chosen_open(struct lock_chosen *c, struct prof *p, struct err *e)
{
	struct sv rest, word;
	int r = 0;

	c->prof = p;
	for (size_t i = 0; !r && i < c->want->locks.n; i++)
		for (rest = sv_from(c->want->locks.v[i]); !r && next_word(&rest, &word);)
			r = add_lock(c, word, e);
	return r;
}

void lock_chosen_deinit(struct lock_chosen *c)
{
	vec_free(&c->locks);
	vec_free(&c->parts);
	map_deinit(&c->known);
	map_deinit(&c->waiting);
}

static const char *kernel_name(const struct lock_chosen *c, uint64_t ip)
{
	const struct sym_loc *l = resolver_find(c->prof->feed.session.resolver, UINT32_MAX, PERF_MISC_KERNEL, ip);

	return l ? l->sym : NULL;
}

static bool has_part(void *arg, uint64_t ip)
{
	const struct lock_chosen *c = arg;
	const char *name = kernel_name(c, ip);

	for (size_t i = 0; name && i < c->parts.n; i++)
		if (memmem(name, strlen(name), c->parts.v[i].s, c->parts.v[i].n))
			return true;
	return false;
}

static bool is_of(struct lock_chosen *c, const struct lock_stack *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (chain_in_kernel(&s->v[i]) && view_is(&c->known, s->v[i].ip, has_part, c))
			return true;
	return false;
}

bool lock_is_chosen(struct lock_chosen *c, uint64_t lock, uint32_t flags, const struct lock_stack *s)
{
	bool is = !c->types || (flags < 64 && c->types >> flags & 1);
	size_t i = 0;

	while (i < c->locks.n && c->locks.v[i] != lock)
		i++;
	is &= !c->locks.n || i < c->locks.n;
	is = is && (!c->parts.n || is_of(c, s));
	c->left_out += !is;
	return is;
}

/* If the bounds of .sched.text and .spinlock.text are unknown: is it a function of one of them, by its name? */
static bool waits_by_name(const char *name)
{
	static const char *const begins[] = {
		"_raw_", "__raw_", "native_queued_", "__pv_queued_", "pv_queued_", "queued_", "mutex_", "__mutex_",
		"ww_mutex_", "__ww_mutex_", "rwsem_", "down", "__down", "up_", "__up", "rt_mutex_", "__rt_mutex_",
		"rwbase_", "rt_spin_", "rt_read_", "rt_write_", "percpu_rwsem_", "__percpu_", "schedule", "__schedule",
		"preempt_schedule", "io_schedule",
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(begins) && strncmp(name, begins[i], strlen(begins[i])))
		i++;
	return i < ARRAY_SIZE(begins);
}

static bool is_waiting(void *arg, uint64_t ip)
{
	const struct lock_chosen *c = arg;
	int known = resolver_kernel_waits_at(c->prof->feed.session.resolver, ip);
	const char *name = known == 1 ? NULL : kernel_name(c, ip);

	if (known == 1 || !name)
		return known == 1;
	return !strcmp(name, "__traceiter_contention_begin") || !strncmp(name, "trace_contention_begin", 22) ||
	       (known < 0 && waits_by_name(name));
}

bool lock_is_waiting(struct lock_chosen *c, const struct chain_frame *f)
{
	return chain_in_kernel(f) && view_is(&c->waiting, f->ip, is_waiting, c);
}
