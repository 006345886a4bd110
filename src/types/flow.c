/* flow.c - the basic blocks of a function, and the data flow fixpoint of the states at their starts. */
#include "base/find.h"
#include "types/flow_parts.h"

/* Limits: bytes of the blocks' states; steps: LOOKS_EACH per instruction + LOOKS_MORE, at most LOOKS_MOST; places. */
enum { STATES_BYTES_MAX = 32 << 20, LOOKS_EACH = 400, LOOKS_MORE = 4096, LOOKS_MOST = 1 << 27, LIVE_MAX = 512 };

struct block {
	uint32_t first, end;      /* instructions */
	uint32_t jumps_to;        /* block; NO_BLOCK: none in this function */
	bool goes_on, leaps;      /* falls through to the next block; ends with an indirect jump */
	bool is_seen, is_dirty;   /* has a state; the state has changed since the block was processed */
};

#define NO_BLOCK UINT32_MAX

struct run {
	struct flow f;
	VEC(struct block) blocks;
	uint32_t *block_of;       /* by instruction: the block that it begins, else NO_BLOCK */
	struct flow_state *states;
	struct flow_state leapt;  /* merged state of all indirect jumps */
	bool has_leapt;
	uint64_t looks;
	size_t next_place;        /* the first one that starts behind the current instruction */
	struct type_touch *touches;   /* NULL: not wanted yet */
};

/* --- instructions --- */

static bool is_constant(const struct flow_want *w, uint64_t addr)
{
	return w->marks && marks_is_data(w->marks, addr);
}

static struct flow_insn decode(const struct flow_want *w, arch_touch_fn *touch, uint64_t at)
{
	const uint8_t *p = w->code.start + at;
	size_t left = (size_t)(w->code.end - w->code.start) - at;
	struct flow_insn i = { .addr = w->addr + at };
	struct arch_insn insn;

	i.is_known = !is_constant(w, i.addr) && w->arch->insn(p, left, i.addr, &insn) &&
		     touch(p, left, i.addr, &i.touch) && i.touch.len;
	if (i.is_known) {
		i.flags = insn.flags;
		i.target = insn.target;
	} else {
		i.touch.len = (uint8_t)MIN(left, (size_t)MAX(w->arch->insn_size, 1));
	}
	return i;
}

static int decode_all(struct run *r)
{
	const struct flow_want *w = r->f.w;
	arch_touch_fn *touch = arch_touch_of(w->arch);
	uint64_t n = (uint64_t)(w->code.end - w->code.start);
	VEC(struct flow_insn) v = { 0 };

	for (uint64_t at = 0; touch && at < n; at += v.v[v.n - 1].touch.len) {
		struct flow_insn *new = vec_add(&v);

		if (!new) {
			vec_free(&v);
			return -ENOMEM;
		}
		*new = decode(w, touch, at);
	}
	r->f.insn = v.v;
	r->f.n = v.n;
	return 0;
}

/* Index of the instruction that begins at an address, or NO_BLOCK. */
static uint32_t insn_at(const struct flow *f, uint64_t addr)
{
	size_t n = find_upto(f->insn, f->n, addr, addr);

	return n && f->insn[n - 1].addr == addr ? (uint32_t)(n - 1) : NO_BLOCK;
}

/* --- blocks --- */

static bool is_jump(const struct flow_insn *i)
{
	return i->flags & ARCH_INSN_BRANCH && !(i->flags & ARCH_INSN_CALL);
}

static bool ends_block(const struct flow_insn *i)
{
	return !i->is_known || is_jump(i) || i->flags & (ARCH_INSN_STOP | ARCH_INSN_RET);
}

static void mark_starts(struct run *r)
{
	const struct flow *f = &r->f;

	memset(r->block_of, 0xff, f->n * sizeof(*r->block_of));
	r->block_of[0] = 0;
	for (size_t i = 0; i < f->n; i++) {
		uint32_t to = is_jump(&f->insn[i]) && f->insn[i].target ? insn_at(f, f->insn[i].target) : NO_BLOCK;

		if (to != NO_BLOCK)
			r->block_of[to] = 0;
		if (ends_block(&f->insn[i]) && i + 1 < f->n)
			r->block_of[i + 1] = 0;
	}
}

static int cut_blocks(struct run *r)
{
	const struct flow *f = &r->f;

	for (uint32_t i = 0; i < f->n; i++) {
		struct block *b;

		if (r->block_of[i] == NO_BLOCK)
			continue;
		if (r->blocks.n)
			r->blocks.v[r->blocks.n - 1].end = i;
		r->block_of[i] = (uint32_t)r->blocks.n;
		b = vec_add(&r->blocks);
		if (!b)
			return -ENOMEM;
		*b = (struct block){ .first = i, .end = (uint32_t)f->n, .jumps_to = NO_BLOCK };
	}
	return 0;
}

static void join_blocks(struct run *r)
{
	const struct flow *f = &r->f;

	for (size_t k = 0; k < r->blocks.n; k++) {
		struct block *b = &r->blocks.v[k];
		const struct flow_insn *last = &f->insn[b->end - 1];
		uint32_t to = is_jump(last) && last->target ? insn_at(f, last->target) : NO_BLOCK;

		b->goes_on = k + 1 < r->blocks.n && !(last->flags & (ARCH_INSN_STOP | ARCH_INSN_RET));
		b->jumps_to = to == NO_BLOCK ? NO_BLOCK : r->block_of[to];
		b->leaps = is_jump(last) && !last->target;
	}
}

/* --- locations of variables --- */

static void drop_dead(struct flow *f, uint64_t addr)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_live; i++)
		if (f->w->places[f->live[i]].end > addr)
			f->live[n++] = f->live[i];
	f->n_live = n;
}

/* Insert a place behind those of outer scopes. */
static void add_live(struct flow *f, uint32_t place)
{
	const struct type_place *p = f->w->places;
	size_t at = f->n_live;

	if (at == LIVE_MAX)
		return;
	for (; at && p[f->live[at - 1]].depth > p[place].depth; at--)
		f->live[at] = f->live[at - 1];
	f->live[at] = place;
	f->n_live++;
}

/* Note a variable's offset in the frame, from the registers' values at the place's start. */
static void place_in_frame(struct flow *f, const struct flow_state *s, uint32_t place)
{
	const struct type_place *p = &f->w->places[place];
	struct value base = { .kind = VALUE_FRAME };

	if (p->kind == PLACE_MEM)
		base = state_reg(s, p->reg);
	if (base.kind != VALUE_FRAME)
		return;
	f->frame_off[place] = (int64_t)((uint64_t)base.off + (uint64_t)p->off);
	f->has_frame_off[place] = 1;
}

/* A pointer variable in a register: its type replaces the value that data flow has for the register. */
static void begin_place(struct flow *f, struct flow_state *s, uint32_t place)
{
	const struct type_place *p = &f->w->places[place];
	struct value v;

	if (p->kind == PLACE_ENTRY)
		return;
	if (p->kind != PLACE_REG) {
		place_in_frame(f, s, place);
		return;
	}
	v = value_of(f, p->type);
	if (v.kind)
		state_set(s, p->reg, value_add(f, v, (int64_t)-(uint64_t)p->off, VALUE_ELSEWHERE));
}

/* Begin all places that start up to this address; some may have ended before it. */
static void meet_places(struct run *r, struct flow_state *s, uint64_t addr)
{
	const struct flow_want *w = r->f.w;

	for (; r->next_place < w->n_places && w->places[r->next_place].start <= addr; r->next_place++) {
		if (w->places[r->next_place].end <= addr)
			continue;
		add_live(&r->f, (uint32_t)r->next_place);
		begin_place(&r->f, s, (uint32_t)r->next_place);
	}
}

/* --- one block --- */

static void leave(struct run *r, const struct flow_state *s, uint32_t to)
{
	struct block *b = &r->blocks.v[to];

	if (!b->is_seen) {
		r->states[to] = *s;
		b->is_seen = b->is_dirty = true;
	} else if (state_merge(&r->f, &r->states[to], s)) {
		b->is_dirty = true;
	}
}

static void go_through(struct run *r, uint32_t block)
{
	struct block *b = &r->blocks.v[block];
	struct flow_state s = r->states[block];
	struct flow *f = &r->f;

	b->is_dirty = false;
	r->next_place = 0;
	f->n_live = 0;
	for (uint32_t i = b->first; i < b->end; i++) {
		struct type_touch t;

		drop_dead(f, f->insn[i].addr);
		meet_places(r, &s, f->insn[i].addr);
		flow_find(f, &s, &f->insn[i], &t);
		if (r->touches)
			r->touches[i] = t;
		flow_step(f, &s, &f->insn[i], &t);
		r->looks += 1 + f->n_live / 8;
	}
	r->looks += f->w->n_places / 8;
	if (b->goes_on)
		leave(r, &s, block + 1);
	if (b->jumps_to != NO_BLOCK)
		leave(r, &s, b->jumps_to);
	if (!b->leaps)
		return;
	if (r->has_leapt)
		state_merge(&r->f, &r->leapt, &s);
	else
		r->leapt = s;
	r->has_leapt = true;
}

/* --- all of them --- */

static bool is_too_much(const struct run *r)
{
	return r->looks > MIN((uint64_t)r->f.n * LOOKS_EACH + LOOKS_MORE, (uint64_t)LOOKS_MOST);
}

static void settle(struct run *r)
{
	for (bool more = true; more && !is_too_much(r); ) {
		more = false;
		r->looks += r->blocks.n / 64;
		for (uint32_t b = 0; b < r->blocks.n && !is_too_much(r); b++) {
			if (!r->blocks.v[b].is_dirty)
				continue;
			go_through(r, b);
			more = true;
		}
	}
}

/* Blocks without a known branch to them may be targets of indirect jumps (jump tables). */
static void begin_unseen(struct run *r)
{
	for (uint32_t b = 0; b < r->blocks.n; b++) {
		struct block *at = &r->blocks.v[b];

		if (at->is_seen)
			continue;
		r->states[b] = r->has_leapt ? r->leapt : (struct flow_state){ 0 };
		at->is_seen = at->is_dirty = true;
		settle(r);
	}
}

static void forget_all(struct run *r)
{
	for (uint32_t b = 0; b < r->blocks.n; b++)
		r->states[b] = (struct flow_state){ 0 };
	state_begin(&r->f, &r->states[0]);
}

/* The last pass: note the touches, with the blocks' final states. */
static void note_touches(struct run *r)
{
	for (uint32_t b = 0; b < r->blocks.n; b++) {
		struct block *at = &r->blocks.v[b];

		at->goes_on = at->leaps = false;
		at->jumps_to = NO_BLOCK;
		go_through(r, b);
	}
}

static int prepare(struct run *r)
{
	struct flow *f = &r->f;
	const struct arch *a = f->w->arch;
	size_t n = f->w->n_places + 1;

	f->sp = a->regs[a->reg_sp].dwarf;
	f->ret = a->regs[a->ret_reg].dwarf;
	f->call_loses = arch_call_loses(a);
	f->live = calloc(LIVE_MAX, sizeof(*f->live));
	f->frame_off = calloc(n, sizeof(*f->frame_off));
	f->has_frame_off = calloc(n, 1);
	r->block_of = calloc(f->n + 1, sizeof(*r->block_of));
	if (!f->live || !f->frame_off || !f->has_frame_off || !r->block_of)
		return -ENOMEM;
	mark_starts(r);
	if (cut_blocks(r))
		return -ENOMEM;
	join_blocks(r);
	return 0;
}

static int work(struct run *r)
{
	if (r->blocks.n > STATES_BYTES_MAX / sizeof(*r->states))
		return -E2BIG;
	r->states = calloc(r->blocks.n, sizeof(*r->states));
	r->touches = NULL;
	if (!r->states)
		return -ENOMEM;
	state_begin(&r->f, &r->states[0]);
	r->blocks.v[0].is_seen = r->blocks.v[0].is_dirty = true;
	settle(r);
	begin_unseen(r);
	r->f.is_over = is_too_much(r);
	if (r->f.is_over)
		forget_all(r);
	r->touches = calloc(r->f.n, sizeof(*r->touches));
	if (!r->touches)
		return -ENOMEM;
	note_touches(r);
	return 0;
}

static void run_deinit(struct run *r)
{
	free(r->f.insn);
	free(r->f.live);
	free(r->f.frame_off);
	free(r->f.has_frame_off);
	free(r->block_of);
	free(r->states);
	vec_free(&r->blocks);
}

int64_t flow_run(const struct flow_want *w, struct type_touch **v)
{
	struct run r = { .f = { .w = w } };
	int err;

	r.f.looks = &r.looks;
	*v = NULL;
	if (w->code.end - w->code.start > FLOW_CODE_MAX)
		return -E2BIG;
	err = decode_all(&r);
	if (!err && r.f.n)
		err = prepare(&r);
	if (!err && r.f.n)
		err = work(&r);
	if (err)
		free(r.touches);
	else
		*v = r.touches;
	run_deinit(&r);
	return err ? err : (int64_t)r.f.n;
}
