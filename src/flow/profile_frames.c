/*
 * profile_frames.c - addresses to frames.
 *
 * A table of fixed size remembers (address space, address) -> frame. An address space gets a new number whenever a
 * record changes its mappings, so old entries are never found again and nothing has to be thrown away.
 */
#include "flow/profile_parts.h"

enum { SLOTS = 1 << 16, WAYS = 2, LABEL_MAX = 700, HEX_MAX = 24, RESOLVED_MAX = 1 << 15 };

/* Addresses are below this in the table's tag: the top bit tells return addresses apart. */
#define TAG_RETURNS (UINT32_C(1) << 31)

int profile_frames_init(struct profile *p)
{
	p->slot = calloc(SLOTS, sizeof(*p->slot));
	p->kernel_space = p->n_spaces = 1;
	return p->slot ? 0 : -ENOMEM;
}

static uint32_t new_space(struct profile *p)
{
	if (p->n_spaces == TAG_RETURNS - 1) {
		memset(p->slot, 0, SLOTS * sizeof(*p->slot));
		map_deinit(&p->spaces);
		p->spaces = (struct map){ 0 };
		p->kernel_space = p->n_spaces = 1;
	}
	return ++p->n_spaces;
}

uint32_t profile_space_of(struct profile *p, uint32_t pid)
{
	uint64_t *at;

	if (p->last.known && p->last.pid == pid)
		return p->last.space;
	at = map_add(&p->spaces, pid, NULL);
	if (!at)
		return 0;
	if (!*at) {
		uint32_t space = new_space(p);

		at = map_add(&p->spaces, pid, NULL);
		if (!at)
			return 0;
		*at = space;
	}
	p->last = (struct profile_space){ pid, (uint32_t)*at, true };
	return p->last.space;
}

static void forget_space(struct profile *p, uint32_t pid)
{
	uint64_t *at = map_get(&p->spaces, pid);

	if (at)
		*at = 0;
	if (p->last.pid == pid)
		p->last.known = false;
}

void profile_follow(struct profile *p, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);
	bool kernel = (r->misc & PERF_MISC_CPUMODE_MASK) == PERF_MISC_KERNEL;

	c.swap = p->session->file.swap;
	switch (r->type) {
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		if (kernel)
			p->kernel_space = new_space(p);
		else
			forget_space(p, cur_u32(&c));
		break;
	case PERF_REC_COMM:
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		forget_space(p, cur_u32(&c));
		break;
	case PERF_REC_KSYMBOL:
		p->kernel_space = new_space(p);
		break;
	}
}

const struct sym_loc *profile_loc(const struct profile *p, uint32_t pid, const struct chain_frame *f, unsigned *behind)
{
	struct resolver *r = p->session->resolver;
	uint64_t ip = f->ip;

	*behind = 0;
	if (f->returns && f->cpumode == PERF_MISC_USER)
		ip = p->session->arch->strip(ip);

	const struct sym_loc *l = resolver_find(r, pid, f->cpumode, ip);

	/* The call that is a function's last instruction returns to the next function. */
	if (l && f->returns && ip && l->sym && l->addr == l->start) {
		const struct sym_loc *before = resolver_find(r, pid, f->cpumode, ip - 1);

		if (before && before->sym) {
			*behind = 1;
			return before;
		}
	}
	return l;
}

/* printf would be most of the time of a long report. */
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

const char *profile_label_text(const struct profile *p, uint32_t frame, char *buf, size_t size)
{
	const struct hist_frame *f = &p->frames.v[frame];
	size_t n = 0;

	if (f->label)
		return f->label;
	/* Places in the kernel have no file that they could be an offset of. */
	if (f->known && !f->kernel)
		n = MIN(str_copy(buf, size - HEX_MAX, sv_from(f->dso_short)), size - HEX_MAX - 1);
	put_hex(buf + n, n ? "+0x" : "0x", f->addr);
	return buf;
}

const char *profile_label(struct profile *p, uint32_t frame)
{
	struct hist_frame *f = &p->frames.v[frame];
	char text[LABEL_MAX];

	if (!f->label) {
		profile_label_text(p, frame, text, sizeof(text));
		f->label = arena_dup(&p->labels, text, strlen(text));
	}
	return f->label ? f->label : "[unknown]";
}

/* Where the frame is, or the free slot where it belongs. */
static size_t frame_slot(const struct profile *p, const char *dso, const char *sym, uint64_t addr)
{
	size_t i = hash_u64(addr ^ hash_u64((uint64_t)(uintptr_t)dso + !sym)) & (p->frame_cap - 1);

	for (; p->frame_slot[i]; i = (i + 1) & (p->frame_cap - 1)) {
		const struct hist_frame *f = &p->frames.v[p->frame_slot[i] - 1];

		if (f->addr == addr && f->dso == dso && !f->sym == !sym)
			break;
	}
	return i;
}

static int frames_grow(struct profile *p)
{
	size_t cap = p->frame_cap ? p->frame_cap * 2 : 1024;
	uint32_t *slot = calloc(cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(p->frame_slot);
	p->frame_slot = slot;
	p->frame_cap = cap;
	for (size_t i = 0; i < p->frames.n; i++) {
		const struct hist_frame *f = &p->frames.v[i];

		slot[frame_slot(p, f->dso, f->sym, f->addr)] = (uint32_t)i + 1;
	}
	return 0;
}

uint32_t profile_frame_of(struct profile *p, const struct sym_loc *l)
{
	uint64_t addr = l->sym ? l->start : l->addr;
	struct hist_frame *f;
	size_t i;

	if (p->frames.n >= p->frame_cap / 4 * 3 && frames_grow(p))
		return NAMES_NONE;
	i = frame_slot(p, l->dso, l->sym, addr);
	if (p->frame_slot[i])
		return p->frame_slot[i] - 1;
	f = p->frames.n < NAMES_NONE - 1 ? vec_add(&p->frames) : NULL;
	if (!f)
		return NAMES_NONE;
	*f = (struct hist_frame){
		.dso = l->dso,
		.dso_short = l->dso_short,
		.sym = l->sym,
		.label = l->sym,
		.addr = addr,
		.kernel = l->kernel,
		.known = strcmp(l->dso, "[unknown]"),
	};
	p->frame_slot[i] = (uint32_t)p->frames.n;
	return (uint32_t)p->frames.n - 1;
}

static bool is_kernel(const struct chain_frame *f)
{
	return f->cpumode == PERF_MISC_KERNEL || (!f->cpumode && f->ip >> 63);
}

uint32_t profile_frame(struct profile *p, uint32_t pid, const struct chain_frame *f)
{
	uint32_t space = is_kernel(f) ? p->kernel_space : profile_space_of(p, pid);
	uint32_t tag = space | (f->returns ? TAG_RETURNS : 0), id;
	struct profile_slot *s = &p->slot[hash_u64(f->ip ^ (uint64_t)tag << 40) & (SLOTS - WAYS)];

	if (s[0].ip == f->ip && s[0].space == tag)
		return s[0].frame;
	if (s[1].ip == f->ip && s[1].space == tag)
		return s[1].frame;

	/* The table above remembers what comes again; of the rest a bounded number is kept below it. */
	if (++p->misses % RESOLVED_MAX == 0)
		resolver_settle(p->session->resolver);

	unsigned behind;
	const struct sym_loc *l = profile_loc(p, pid, f, &behind);

	id = l ? profile_frame_of(p, l) : NAMES_NONE;
	if (id == NAMES_NONE || !space)
		return id;
	s[1] = s[0];
	s[0] = (struct profile_slot){ f->ip, tag, id };
	return id;
}
