#include "probe/place.h"

/*
 * Code is analysed up to this distance around the place, in bytes. Exclusive sections are much shorter: Arm's manual
 * guarantees progress for no more than 128 bytes.
 */
enum { REACH = 512, SPAN = 2 * REACH + 1 };

/* kprobes search so many arm64 instructions backwards for an exclusive load. */
enum { KPROBE_BACK = 32 };

enum mark {
	MARK_INSN = 1,       /* an instruction begins here */
	MARK_LEADER = 2,     /* a branch goes here */
	MARK_ARMED = 4,      /* an exclusive load was executed on a path to here */
	MARK_STORES = 8,     /* an exclusive store follows, with no exclusive load before it */
	MARK_DATA = 16,      /* no instruction: a constant */
};

struct spot {
	uint16_t flags;      /* enum arch_insn_flag */
	uint8_t mark, len;
	int16_t to;          /* index of its branch target; -1: outside */
};

struct walk {
	const struct place_code *code;
	uint64_t addr, low;          /* low: the address of spots[0] */
	struct spot spots[SPAN];
	bool in_loop, has_indirect;
};

/* Index of an address in spots; -1: outside. */
static int at(const struct walk *w, uint64_t addr)
{
	return addr - w->low < SPAN ? (int)(addr - w->low) : -1;
}

/* Decode the instruction at pos; false: at the end, or invalid. */
static bool step(const struct place_code *c, size_t pos, struct arch_insn *insn)
{
	size_t n = (size_t)(c->bytes.end - c->bytes.start);

	return pos < n && c->arch->insn(c->bytes.start + pos, n - pos, c->start + pos, insn);
}

static void see_branch(struct walk *w, uint64_t addr, const struct arch_insn *insn)
{
	if (!insn->target) {
		w->has_indirect |= !(insn->flags & ARCH_INSN_CALL);
		return;
	}

	int to = at(w, insn->target);

	if (to >= 0)
		w->spots[to].mark |= MARK_LEADER;
	/* A call within the function returns: it is no loop. */
	if (!(insn->flags & ARCH_INSN_CALL) && insn->target >= w->code->start + w->code->grows_stack &&
	    insn->target <= w->addr && w->addr <= addr)
		w->in_loop = true;
}

static void see(struct walk *w, uint64_t addr, const struct arch_insn *insn)
{
	int i = at(w, addr);

	if (i >= 0) {
		struct spot *s = &w->spots[i];

		s->flags = (uint16_t)insn->flags;
		s->len = insn->len;
		s->mark |= MARK_INSN;
		s->to = insn->flags & ARCH_INSN_BRANCH && !(insn->flags & ARCH_INSN_CALL) && insn->target ?
			(int16_t)at(w, insn->target) : -1;
	}
	if (insn->flags & ARCH_INSN_BRANCH)
		see_branch(w, addr, insn);
}

/* Words that instructions load as literals are data, not code; so are those that symbols call data. */
static void find_data(struct walk *w)
{
	const struct place_code *c = w->code;
	struct arch_insn insn;

	if (!c->arch->insn_size)
		return;
	for (size_t pos = 0; step(c, pos, &insn); pos += insn.len) {
		int i = at(w, c->start + pos);

		if (c->is_data && c->is_data(c->arg, c->start + pos)) {
			if (i >= 0)
				w->spots[i].mark |= MARK_DATA;
			continue;
		}
		if (i >= 0 && w->spots[i].mark & MARK_DATA)
			continue;
		for (unsigned k = 0; k < insn.literal_size; k += c->arch->insn_size) {
			i = at(w, insn.literal + k);
			if (i >= 0)
				w->spots[i].mark |= MARK_DATA;
		}
	}
}

static bool is_data(const struct walk *w, uint64_t addr)
{
	int i = at(w, addr);

	return i >= 0 ? w->spots[i].mark & MARK_DATA : w->code->is_data && w->code->is_data(w->code->arg, addr);
}

static void walk_init(struct walk *w, const struct place_code *c, uint64_t addr)
{
	struct arch_insn insn;
	size_t pos = 0;

	memset(w, 0, sizeof(*w));
	w->code = c;
	w->addr = addr;
	w->low = addr - c->start > REACH ? addr - REACH : c->start;
	find_data(w);
	for (; step(c, pos, &insn); pos += insn.len)
		if (!is_data(w, c->start + pos))
			see(w, c->start + pos, &insn);
}

/* --- exclusive sections --- */

static bool is_marked(const struct walk *w, int i, enum mark mark)
{
	return i >= 0 && i < SPAN && w->spots[i].mark & MARK_INSN && w->spots[i].mark & mark;
}

static bool set_mark(struct walk *w, int i, enum mark mark)
{
	if (i < 0 || i >= SPAN || w->spots[i].mark & mark)
		return false;
	w->spots[i].mark |= (uint8_t)mark;
	return true;
}

/* Data flow: pass MARK_ARMED from an instruction to its successors, and MARK_STORES back from them. */
static bool flow(struct walk *w, int i)
{
	struct spot *s = &w->spots[i];
	int next = s->flags & ARCH_INSN_STOP ? -1 : i + s->len;
	bool is_new = false;

	if (s->flags & ARCH_INSN_EXCL_LOAD || (s->mark & MARK_ARMED && !(s->flags & ARCH_INSN_EXCL_STORE))) {
		is_new |= set_mark(w, next, MARK_ARMED);
		is_new |= set_mark(w, s->to, MARK_ARMED);
	}
	/* A MARK_STORES of a load concerns what follows the load: it is not passed on backwards. */
	if (s->flags & ARCH_INSN_EXCL_STORE ||
	    (is_marked(w, next, MARK_STORES) && !(w->spots[next].flags & ARCH_INSN_EXCL_LOAD)) ||
	    (is_marked(w, s->to, MARK_STORES) && !(w->spots[s->to].flags & ARCH_INSN_EXCL_LOAD)))
		is_new |= set_mark(w, i, MARK_STORES);
	return is_new;
}

/* Iterate to the fixpoint: marks are only ever added, so this ends; alternating directions, it ends soon. */
static void find_exclusives(struct walk *w)
{
	bool is_new = true;

	while (is_new) {
		is_new = false;
		for (int i = 0; i < SPAN; i++)
			is_new |= w->spots[i].mark & MARK_INSN && flow(w, i);
		for (int i = SPAN - 1; i >= 0; i--)
			is_new |= w->spots[i].mark & MARK_INSN && flow(w, i);
	}
}

static bool is_exclusive(const struct spot *s)
{
	if (!(s->mark & MARK_STORES))
		return false;
	return s->mark & MARK_ARMED || s->flags & ARCH_INSN_EXCL_LOAD;
}

/* --- verdicts --- */

static enum place_verdict verdict_of(const struct walk *w, const struct spot *s)
{
	unsigned bad = ARCH_INSN_REFUSED | (w->code->is_kernel ? 0 : ARCH_INSN_NO_UPROBE);

	if (s->mark & MARK_DATA)
		return PLACE_DATA;
	if (!(s->mark & MARK_INSN))
		return PLACE_UNALIGNED;
	if (is_exclusive(s))
		return PLACE_EXCLUSIVE;
	return s->flags & bad ? PLACE_REFUSED : PLACE_GOOD;
}

static const struct spot *good_at(const struct walk *w, int i)
{
	return i >= 0 && i < SPAN && verdict_of(w, &w->spots[i]) == PLACE_GOOD ? &w->spots[i] : NULL;
}

/* Of two equally near places choose the lower address. */
static uint64_t nearest(const struct walk *w)
{
	int i = at(w, w->addr);

	for (int d = 0; d < SPAN; d++) {
		if (good_at(w, i - d))
			return w->addr - (uint64_t)d;
		if (good_at(w, i + d))
			return w->addr + (uint64_t)d;
	}
	return 0;
}

static int previous(const struct walk *w, int i)
{
	do
		i--;
	while (i >= 0 && !(w->spots[i].mark & MARK_INSN));
	return i;
}

/*
 * The kernel's search: back to an exclusive load, unless an exclusive store comes first. Its masks match other
 * instructions, too: LIKE_LOAD, LIKE_STORE.
 */
static bool is_behind_acquire(const struct walk *w)
{
	const unsigned load = ARCH_INSN_EXCL_LOAD | ARCH_INSN_LIKE_LOAD;
	int i = at(w, w->addr);

	for (int n = 0; n < KPROBE_BACK; n++) {
		i = previous(w, i);
		if (i < 0)
			return false;

		unsigned flags = w->spots[i].flags;

		/* clrex is not refused, and is no store. */
		if (flags & ARCH_INSN_LIKE_STORE || (flags & ARCH_INSN_EXCL_STORE && flags & ARCH_INSN_REFUSED))
			return false;
		if (flags & load)
			return true;
	}
	return false;
}

/* --- a cheaper place --- */

/* Is control flow from this instruction to the next one interrupted, or not the only one? */
static bool ends_block(const struct spot *s)
{
	return s->flags & (ARCH_INSN_BRANCH | ARCH_INSN_CALL | ARCH_INSN_STOP | ARCH_INSN_REFUSED);
}

static bool is_cheap(const struct walk *w, int i)
{
	return good_at(w, i) && w->spots[i].flags & ARCH_INSN_SIMULATED;
}

/* Index of the previous instruction in the basic block; -1: none. */
static int in_front(const struct walk *w, int i)
{
	if (w->spots[i].mark & MARK_LEADER)
		return -1;
	i = previous(w, i);
	return i >= 0 && !ends_block(&w->spots[i]) ? i : -1;
}

static int behind(const struct walk *w, int i)
{
	if (ends_block(&w->spots[i]))
		return -1;
	i += w->spots[i].len;
	return is_marked(w, i, MARK_INSN) && !(w->spots[i].mark & MARK_LEADER) ? i : -1;
}

/*
 * The nearest emulated instruction in the basic block. With an indirect jump targets are unknown, and so are basic
 * blocks.
 */
static uint64_t cheaper(const struct walk *w)
{
	int here = at(w, w->addr), up = here, down = here;

	if (w->has_indirect || is_cheap(w, here))
		return 0;
	while (up >= 0 || down >= 0) {
		if (up >= 0 && is_cheap(w, up = in_front(w, up)))
			return w->low + (uint64_t)up;
		if (down >= 0 && is_cheap(w, down = behind(w, down)))
			return w->low + (uint64_t)down;
	}
	return 0;
}

bool place_is_reached(const struct place_code *c, uint64_t from, uint64_t to)
{
	struct arch_insn insn;
	size_t pos = 0;

	for (; step(c, pos, &insn); pos += insn.len)
		if (insn.target >= from && insn.target < to)
			return true;
	return false;
}

void place_check(const struct place_code *c, uint64_t addr, struct place *p)
{
	uint64_t size = (uint64_t)(c->bytes.end - c->bytes.start);
	struct walk w;

	*p = (struct place){ .verdict = PLACE_OUTSIDE };
	if (addr < c->start || addr - c->start >= size)
		return;
	walk_init(&w, c, addr);
	find_exclusives(&w);

	p->verdict = verdict_of(&w, &w.spots[at(&w, addr)]);
	p->near = nearest(&w);
	p->in_loop = w.in_loop;
	p->is_simulated = is_cheap(&w, at(&w, addr));
	if (p->verdict != PLACE_GOOD)
		return;
	p->cheaper = cheaper(&w);
	p->is_behind_acquire = c->is_kernel && is_behind_acquire(&w);
}

int place_explain(const struct place *p, uint64_t addr, struct err *e)
{
	static const char *const why[] = {
		[PLACE_UNALIGNED] = "no instruction begins there",
		[PLACE_EXCLUSIVE] = "it lies between an exclusive load and its store: the probe's exception "
				    "would make the store fail each time, and the program would try for ever",
		[PLACE_REFUSED] = "the kernel puts no probe on an instruction of this kind",
		[PLACE_OUTSIDE] = "it is not inside the function",
		[PLACE_DATA] = "a constant lies there, no instruction: the probe would change it",
	};

	if (p->verdict == PLACE_GOOD)
		return 0;
	err_set(e, EINVAL, "no probe at 0x%llx: %s", (unsigned long long)addr, why[p->verdict]);
	if (p->near)
		err_hint(e, "the nearest place that takes one is 0x%llx", (unsigned long long)p->near);
	return -EINVAL;
}

size_t place_returns(const struct place_code *c, uint64_t *v, size_t n)
{
	struct arch_insn insn;
	size_t pos = 0, found = 0;

	for (; step(c, pos, &insn); pos += insn.len) {
		if (!(insn.flags & ARCH_INSN_RET))
			continue;
		if (found < n)
			v[found] = c->start + pos;
		found++;
	}
	return found;
}
