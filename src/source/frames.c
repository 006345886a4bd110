#include "source/frames.h"

#include "abi/perf_event.h"
#include "base/map.h"
#include "base/mem.h"
#include "source/session.h"

enum { KNOWN = 1 << 15, PLACES = 1 << 16, WAYS = 2, LABEL_MAX = 700, HEX_MAX = 24, RESOLVED_MAX = 1 << 13 };

/* Misses after which pages of modules are released; not more often, since page faults cost time, too. */
enum { TOUCHED_MAX = 2 * RESOLVED_MAX };

/* Flag in a tag: a return address. Numbers of generations and files are smaller. */
#define TAG_RETURNS (UINT32_C(1) << 31)

_Static_assert(RESOLVER_GENERATIONS < TAG_RETURNS, "a tag has room for a generation");
_Static_assert(RESOLVER_DSOS < TAG_RETURNS, "a tag has room for a file");

int frames_init(struct frames *f, const struct session *s)
{
	*f = (struct frames){ .resolver = s->resolver, .arch = s->arch };
	/* calloc: with few entries most of the tables' pages are never touched. */
	f->known = calloc(KNOWN, sizeof(*f->known));
	f->places = calloc(PLACES, sizeof(*f->places));
	return f->known && f->places ? 0 : -ENOMEM;
}

void frames_settle(struct frames *f)
{
	free(f->known);
	free(f->places);
	free(f->slot);
	calltree_deinit(&f->lists);
	f->known = f->places = NULL;
	f->slot = NULL;
	f->cap = 0;
	resolver_settle(f->resolver);
}

void frames_deinit(struct frames *f)
{
	vec_free(&f->v);
	calltree_deinit(&f->lists);
	free(f->slot);
	free(f->known);
	free(f->places);
	arena_deinit(&f->labels);
}

const struct sym_loc *frames_loc(const struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c,
				 unsigned *behind)
{
	struct resolver *r = f->resolver;
	uint64_t ip = c->ip;

	*behind = 0;
	if (c->returns && c->cpumode == PERF_MISC_USER)
		ip = f->arch->strip(ip);

	const struct sym_loc *l = resolver_find_in(r, in, c->cpumode, ip);

	/* A call as a function's last instruction returns to the next function, or to the padding before it. */
	if (l && c->returns && ip && (!l->sym || l->addr == l->start)) {
		const struct sym_loc *before = resolver_find_in(r, in, c->cpumode, ip - 1);

		if (before && before->sym) {
			*behind = 1;
			return before;
		}
	}
	return l;
}

/* By hand: printf would take most of the time of a long report. */
static void put_hex(char *to, const char *prefix, uint64_t v)
{
	int shift = 60;

	while (*prefix)
		*to++ = *prefix++;
	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[v >> shift & 15];
	*to = '\0';
}

static const char *label_text(const struct hist_frame *h, char *buf, size_t size)
{
	size_t n = 0;

	if (h->label)
		return h->label;
	/* Kernel addresses are absolute: they are no offset in a file. */
	if (h->known && !h->kernel)
		n = MIN(str_copy(buf, size - HEX_MAX, sv_from(h->dso_short)), size - HEX_MAX - 1);
	put_hex(buf + n, n ? "+0x" : "0x", h->addr);
	return buf;
}

const char *frames_label_text(const struct frames *f, uint32_t frame, char *buf, size_t size)
{
	return label_text(&f->v.v[frame], buf, size);
}

const char *frames_label(struct frames *f, uint32_t frame)
{
	struct hist_frame *h = &f->v.v[frame];
	char text[LABEL_MAX];

	if (!h->label) {
		frames_label_text(f, frame, text, sizeof(text));
		h->label = arena_dup(&f->labels, text, strlen(text));
	}
	return h->label ? h->label : "[unknown]";
}

static bool same_touch(const struct hist_frame *a, const struct hist_frame *b)
{
	return a->touch == b->touch || (a->touch && b->touch && !memcmp(a->touch, b->touch, sizeof(*a->touch)));
}

/* Are both the same frame? Texts are interned, so pointers are compared. */
static bool is_same(const struct hist_frame *a, const struct hist_frame *b)
{
	return a->addr == b->addr && a->dso == b->dso && !a->sym == !b->sym && a->line == b->line &&
	       a->file == b->file && same_touch(a, b) && a->inlined == b->inlined && (!a->inlined || a->sym == b->sym);
}

/* The slot of an equal frame, or the free slot for it. */
static size_t slot_of(const struct frames *f, const struct hist_frame *h)
{
	uint64_t what = (uint64_t)(uintptr_t)h->dso + !h->sym;
	size_t i;

	if (h->line || h->file || h->inlined)
		what = hash_u64(what ^ (uint64_t)(uintptr_t)h->line << 1) + (h->inlined ? (uintptr_t)h->sym : 0);
	for (unsigned k = 0; h->touch && k < HIST_TOUCH_TEXTS; k++)
		what = hash_u64(what ^ (uintptr_t)h->touch->text[k]);
	i = hash_u64(h->addr ^ hash_u64(what)) & (f->cap - 1);
	while (f->slot[i] && !is_same(&f->v.v[f->slot[i] - 1], h))
		i = (i + 1) & (f->cap - 1);
	return i;
}

static void put_slots(struct frames *f)
{
	for (size_t i = 0; i < f->v.n; i++)
		f->slot[slot_of(f, &f->v.v[i])] = (uint32_t)i + 1;
}

static int grow(struct frames *f)
{
	size_t cap = f->cap ? f->cap * 2 : 1024;
	uint32_t *slot = mem_zeroed(cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(f->slot);
	f->slot = slot;
	f->cap = cap;
	put_slots(f);
	return 0;
}

void frames_keep(struct frames *f, uint32_t *used)
{
	uint32_t n = 0;

	for (size_t i = 0; i < f->v.n; i++) {
		if (!used[i])
			continue;
		f->v.v[n] = f->v.v[i];
		used[i] = n++;
	}
	f->v.n = n;
	if (f->lists.cap)
		calltree_clear(&f->lists);
	memset(f->known, 0, KNOWN * sizeof(*f->known));
	memset(f->places, 0, PLACES * sizeof(*f->places));
	if (f->cap)
		memset(f->slot, 0, f->cap * sizeof(*f->slot));
	put_slots(f);
}

static int keep_touch(struct frames *f, struct hist_frame *h)
{
	struct hist_touch *kept = h->touch ? arena_alloc(&f->labels, sizeof(*kept)) : NULL;

	if (!h->touch)
		return 0;
	if (!kept)
		return -ENOMEM;
	*kept = *h->touch;
	h->touch = kept;
	return 0;
}

static uint32_t put_frame(struct frames *f, const struct hist_frame *h)
{
	struct hist_frame *new;
	size_t i;

	if (f->v.n >= f->cap / 4 * 3 && grow(f))
		return NAMES_NONE;
	i = slot_of(f, h);
	if (f->slot[i])
		return f->slot[i] - 1;
	new = f->v.n < FRAMES_LIST - 1 ? vec_add(&f->v) : NULL;
	if (!new)
		return NAMES_NONE;
	*new = *h;
	if (keep_touch(f, new)) {
		f->v.n--;
		return NAMES_NONE;
	}
	f->slot[i] = (uint32_t)f->v.n;
	return (uint32_t)f->v.n - 1;
}

static struct hist_frame frame_of(const struct frames *f, const struct sym_loc *l)
{
	return (struct hist_frame){
		.dso = l->dso,
		.dso_short = l->dso_short,
		.sym = l->sym,
		.label = l->sym,
		.addr = l->sym && !f->exact ? l->start : l->addr,
		.kernel = l->kernel,
		.known = strcmp(l->dso, "[unknown]"),
	};
}

uint32_t frames_named(struct frames *f, const char *name)
{
	struct sym_loc l = { .dso = name, .dso_short = name, .sym = name };
	struct hist_frame h = frame_of(f, &l);

	return put_frame(f, &h);
}

static const char *keep(struct frames *f, const char *text, size_t n)
{
	return resolver_intern(f->resolver, text, n);
}

/* Without a source line the function's name takes its place. 0 or -ENOMEM. */
static int put_no_source(struct frames *f, struct hist_frame *h)
{
	char text[LABEL_MAX];

	h->line = h->sym;
	if (!h->line) {
		label_text(h, text, sizeof(text));
		h->line = keep(f, text, strlen(text));
	}
	return h->line ? 0 : -ENOMEM;
}

/* Set line and file, "main.c:12" and "main.c": only the last part of the path is shown. 0 or -ENOMEM. */
static int put_source(struct frames *f, struct hist_frame *h, const struct sym_spot *s)
{
	const char *slash = s->file ? strrchr(s->file, '/') : NULL, *name = slash ? slash + 1 : s->file;
	char text[LABEL_MAX];

	if (!name)
		return put_no_source(f, h);
	h->file = keep(f, name, strlen(name));
	snprintf(text, sizeof(text), "%.*s:%u", (int)sizeof(text) - HEX_MAX, name, s->line);
	h->line = keep(f, text, strlen(text));
	return h->file && h->line ? 0 : -ENOMEM;
}

/* Make h the frame of an inlined function. 0 or -ENOMEM. */
static int inlined_frame(struct frames *f, struct hist_frame *h, const struct sym_spot *s, unsigned depth)
{
	char text[LABEL_MAX];

	snprintf(text, sizeof(text), "%.*s (inlined)", (int)sizeof(text) - HEX_MAX, s->name);
	h->sym = s->name;
	h->label = keep(f, text, strlen(text));
	h->addr = f->exact ? h->addr : 0;
	h->inlined = f->exact ? (uint8_t)depth : 1;
	return h->label ? 0 : -ENOMEM;
}

/* Append a frame to a list; node 0 is the empty list. CALLTREE_NONE: no memory. */
static uint32_t list_add(struct frames *f, uint32_t list, uint32_t frame)
{
	if (!f->lists.cap && calltree_init(&f->lists))
		return CALLTREE_NONE;
	list = calltree_child(&f->lists, list, frame);
	return list < FRAMES_LIST - 1 ? list : CALLTREE_NONE;
}

/* The frames of an address with debug information: n spots, innermost first. */
static uint32_t put_spots(struct frames *f, const struct hist_frame *outer, const struct sym_spot *v, int n)
{
	uint32_t list = 0;

	for (int i = n - 1; i >= 0; i--) {
		struct hist_frame h = *outer;
		uint32_t id;

		if ((v[i].name && inlined_frame(f, &h, &v[i], (unsigned)(n - 1 - i))) ||
		    (f->lines && put_source(f, &h, &v[i])))
			return NAMES_NONE;
		id = put_frame(f, &h);
		if (id == NAMES_NONE || n == 1)
			return id;
		list = list_add(f, list, id);
		if (list == CALLTREE_NONE)
			return NAMES_NONE;
	}
	return list | FRAMES_LIST;
}

static uint32_t put_loc(struct frames *f, const struct sym_loc *l, bool is_call)
{
	struct hist_frame h = frame_of(f, l);
	struct sym_spot v[SYM_SPOTS_MAX];
	struct hist_touch touch;
	int n = 0;

	if (f->touch.of) {
		h.touch = &touch;
		if (f->touch.of(f->touch.arg, l, &touch))
			return NAMES_NONE;
	}
	if ((l->module || l->code) && (f->inlines || f->lines))
		n = resolver_spots(f->resolver, l, is_call, f->lines ? SYM_SPOTS_FILES : SYM_SPOTS_NAMES, v);
	if (n < 0)
		return NAMES_NONE;
	if (!n)
		return f->lines && put_no_source(f, &h) ? NAMES_NONE : put_frame(f, &h);
	if (f->inlines)
		return put_spots(f, &h, v, n);
	/* Without inlined frames: the innermost line, even if it belongs to an inlined function. */
	v[0].name = NULL;
	return put_spots(f, &h, v, 1);
}

/* The set of WAYS entries that may hold this address. */
static struct frames_known *known_at(struct frames_known *table, size_t size, uint64_t ip, uint32_t tag)
{
	return &table[hash_u64(ip ^ (uint64_t)tag << 40) & (size - WAYS)];
}

static inline uint32_t known_get(const struct frames_known *k, uint64_t ip, uint32_t tag)
{
	for (size_t i = 0; i < WAYS; i++)
		if (k[i].ip == ip && k[i].tag == tag)
			return k[i].frame;
	return NAMES_NONE;
}

static void known_put(struct frames_known *k, uint64_t ip, uint32_t tag, uint32_t frame)
{
	memmove(k + 1, k, (WAYS - 1) * sizeof(*k));
	*k = (struct frames_known){ ip, tag, frame };
}

static uint32_t look_up(struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c,
			bool *by_neighbour)
{
	unsigned behind;
	const struct sym_loc *l;

	/* The caches hold what recurs; the resolver's own memory of results is emptied regularly to bound it. */
	if (++f->misses % RESOLVED_MAX == 0)
		resolver_clear(f->resolver);
	if (f->misses % TOUCHED_MAX == 0)
		resolver_passed(f->resolver);
	l = frames_loc(f, in, c, &behind);
	*by_neighbour = behind || (l && c->returns && l->addr == l->start);
	return l ? put_loc(f, l, c->returns && !behind) : NAMES_NONE;
}

/* The cache by file serves all processes, unless the result depends on the neighbouring mapping (by_neighbour). */
static uint32_t find_place(struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c)
{
	uint64_t ip = c->returns && c->cpumode == PERF_MISC_USER ? f->arch->strip(c->ip) : c->ip;
	struct resolver_place at;
	struct frames_known *k;
	uint32_t tag, id;
	bool by_neighbour;

	if (!resolver_place(f->resolver, in, c->cpumode, ip, &at))
		return look_up(f, in, c, &by_neighbour);
	tag = at.dso | (c->returns ? TAG_RETURNS : 0);
	k = known_at(f->places, PLACES, at.addr, tag);
	id = known_get(k, at.addr, tag);
	if (id != NAMES_NONE)
		return id;
	id = look_up(f, in, c, &by_neighbour);
	if (id != NAMES_NONE && !by_neighbour)
		known_put(k, at.addr, tag, id);
	return id;
}

static uint32_t tag_of(uint32_t generation, const struct chain_frame *c)
{
	return generation | (c->returns ? TAG_RETURNS : 0);
}

void frames_near(const struct frames *f, uint32_t generation, const struct chain_frame *c)
{
	__builtin_prefetch(known_at(f->known, KNOWN, c->ip, tag_of(generation, c)));
}

uint32_t frames_at(struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c)
{
	uint32_t generation = chain_in_kernel(c) ? in->kernel.generation : in->user.generation;
	uint32_t tag = tag_of(generation, c), id;
	struct frames_known *k = known_at(f->known, KNOWN, c->ip, tag);

	id = known_get(k, c->ip, tag);
	if (id != NAMES_NONE)
		return id;
	id = find_place(f, in, c);
	if (id != NAMES_NONE && generation)
		known_put(k, c->ip, tag, id);
	return id;
}
