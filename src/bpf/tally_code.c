/*
 * tally_code.c - generates the program of a counted event.
 *
 * Its stack, from the lowest address: the value of a new entry (n, sum), the key of an entry (key; event and part; a
 * number if it is that of an extreme), and what code.h fetches. For stacks the key is: stack ids, event and process,
 * the task's name in two words, and the link register.
 */
#include "bpf/tally.h"

#include <errno.h>

enum { LOSS_FULL, LOSS_NEGATIVE, LOSS_UNREAD, LOSS_UNTOLD, LOSS_REPLACED, LOSS_UNSTARTED, LOSS_STACK };

/* The event of the entry, and the beginning of a pair; preserved registers. */
#define EVENT R8
#define BEGUN R7

struct making {
	struct asm_prog *a;
	const struct tally_event *ev;
	const struct tally_maps *maps;
	struct code *code;
	uint32_t index;
	int16_t lr, key, part, number, n, sum;
	struct asm_label out, full, negative, unread, untold, replaced, unstarted, other;
};

static void slots(struct making *m)
{
	if (m->ev->is_by_stack) {
		m->lr = m->ev->lr ? asm_slot(m->a) : 0;
		asm_slot(m->a);
	}
	m->number = m->ev->is_by_stack || m->ev->is_spread || m->ev->pair & TALLY_ENDS ? asm_slot(m->a) : 0;
	m->part = asm_slot(m->a);
	m->key = asm_slot(m->a);
	m->sum = asm_slot(m->a);
	m->n = asm_slot(m->a);
}

static void store_imm(struct asm_prog *a, int16_t slot, uint64_t v)
{
	asm_mov64(a, R1, v);
	asm_store(a, ASM_8, R10, slot, R1);
}

static void lose_one(struct making *m, unsigned which)
{
	struct asm_prog *a = m->a;

	store_imm(a, m->n, which);
	asm_map(a, R1, m->maps->losses);
	asm_address(a, R2, m->n);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &m->out);
	asm_imm(a, ASM_MOV, R1, 1);
	asm_add_to(a, R0, 0, R1);
}

/* Continue only on these CPUs. */
static void check_cpu(struct making *m)
{
	struct asm_prog *a = m->a;
	const struct cpus *c = m->ev->cpus;
	struct asm_label pass = { 0 };

	if (!c)
		return;
	asm_call(a, BPF_CPU_ID);
	for (int from = cpus_next(c, 0); from >= 0; ) {
		struct asm_label next = { 0 };
		int to = from;

		while (cpus_has(c, (unsigned)to + 1))
			to++;
		asm_jump_imm(a, ASM_JLT, R0, from, &next);
		asm_jump_imm(a, ASM_JLE, R0, to, &pass);
		asm_here(a, &next);
		from = cpus_next(c, (unsigned)to + 1);
	}
	asm_jump(a, &m->out);
	asm_here(a, &pass);
}

/* As in user space: an event whose key is unknown is not counted. */
static int make_key(struct making *m, struct err *e)
{
	struct asm_prog *a = m->a;
	struct texpr_type type;
	int r = 0;

	if (m->ev->key) {
		r = code_value(m->code, m->ev->key, &type, e);
	} else if (m->ev->by == TALLY_BY_NOTHING) {
		asm_imm(a, ASM_MOV, R1, 0);
	} else {
		asm_call(a, m->ev->by == TALLY_BY_CPU ? BPF_CPU_ID : BPF_PID_TGID);
		asm_imm(a, ASM_LSH, R0, 32);
		asm_imm(a, ASM_RSH, R0, 32);
		asm_reg(a, ASM_MOV, R1, R0);
	}
	asm_store(a, ASM_8, R10, m->key, R1);
	return r;
}

/* Add to the entry at key and part: one event, and the value in `sum`. */
static void add(struct making *m)
{
	struct asm_prog *a = m->a;
	struct asm_label there = { 0 }, done = { 0 };

	store_imm(a, m->n, 1);
	asm_map(a, R1, m->maps->counts);
	asm_address(a, R2, m->key);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JNE, R0, 0, &there);
	if (m->ev->is_by_stack) {
		asm_call(a, BPF_KTIME_GET_NS);
		asm_store(a, ASM_8, R10, m->sum, R0);
	}
	asm_map(a, R1, m->maps->counts);
	asm_address(a, R2, m->key);
	asm_address(a, R3, m->n);
	asm_imm(a, ASM_MOV, R4, 1);       /* BPF_NOEXIST */
	asm_call(a, BPF_UPDATE_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &done);
	/* Another CPU was faster, or the map is full. */
	asm_map(a, R1, m->maps->counts);
	asm_address(a, R2, m->key);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &m->full);
	asm_here(a, &there);
	asm_imm(a, ASM_MOV, R1, 1);
	asm_add_to(a, R0, 0, R1);
	/* The second word of a stack's entry is the time of its first occurrence. */
	if (!m->ev->is_by_stack) {
		asm_load(a, ASM_8, R1, R10, m->sum);
		asm_add_to(a, R0, 8, R1);
	}
	asm_here(a, &done);
}

/*
 * R2: bucket of the number in R1, as in analyse/loghist.c: the binary logarithm by bisection gives the octave, from 16
 * on, and the four bits behind the leading one the bucket in it.
 */
static void bucket(struct asm_prog *a)
{
	struct asm_label low = { 0 }, known = { 0 };

	asm_imm(a, ASM_MOV, R2, 0);
	asm_reg(a, ASM_MOV, R3, R1);
	for (int by = 32; by; by /= 2) {
		struct asm_label none = { 0 };

		asm_reg(a, ASM_MOV, R4, R3);
		asm_imm(a, ASM_RSH, R4, by);
		asm_jump_imm(a, ASM_JEQ, R4, 0, &none);
		asm_reg(a, ASM_MOV, R3, R4);
		asm_imm(a, ASM_ADD, R2, by);
		asm_here(a, &none);
	}
	asm_jump_imm(a, ASM_JLT, R2, 4, &low);
	asm_imm(a, ASM_SUB, R2, 4);
	asm_reg(a, ASM_RSH, R1, R2);
	asm_imm(a, ASM_AND, R1, 15);
	asm_imm(a, ASM_ADD, R2, 1);
	asm_imm(a, ASM_LSH, R2, 4);
	asm_reg(a, ASM_OR, R2, R1);
	asm_jump(a, &known);
	asm_here(a, &low);
	asm_reg(a, ASM_MOV, R2, R1);
	asm_here(a, &known);
}

/*
 * The known bounds of a key only suppress values within them, since CPUs may overwrite each other's update. Every value
 * beyond them is stored by itself.
 */
static void add_extreme(struct making *m)
{
	struct asm_prog *a = m->a;
	struct asm_label there = { 0 }, more = { 0 }, keep = { 0 };

	asm_store(a, ASM_8, R10, m->part, EVENT);
	asm_load(a, ASM_8, R1, R10, m->sum);
	asm_store(a, ASM_8, R10, m->n, R1);
	asm_store(a, ASM_8, R10, m->number, R1);
	asm_map(a, R1, m->maps->bounds);
	asm_address(a, R2, m->key);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JNE, R0, 0, &there);
	asm_map(a, R1, m->maps->bounds);
	asm_address(a, R2, m->key);
	asm_address(a, R3, m->n);
	asm_imm(a, ASM_MOV, R4, 1);
	asm_call(a, BPF_UPDATE_ELEM);
	asm_jump(a, &keep);
	asm_here(a, &there);
	asm_load(a, ASM_8, R1, R10, m->sum);
	asm_load(a, ASM_8, R2, R0, 0);
	asm_jump_reg(a, ASM_JGE, R1, R2, &more);
	asm_store(a, ASM_8, R0, 0, R1);
	asm_jump(a, &keep);
	asm_here(a, &more);
	asm_load(a, ASM_8, R2, R0, 8);
	asm_jump_reg(a, ASM_JLE, R1, R2, &m->out);
	asm_store(a, ASM_8, R0, 8, R1);
	asm_here(a, &keep);
	asm_map(a, R1, m->maps->extremes);
	asm_address(a, R2, m->key);
	asm_address(a, R3, m->n);
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_UPDATE_ELEM);
	asm_jump_imm(a, ASM_JNE, R0, 0, &m->untold);
}

/* Add the number in R1 for EVENT. */
static void add_number(struct making *m)
{
	struct asm_prog *a = m->a;

	asm_store(a, ASM_8, R10, m->sum, R1);
	bucket(a);
	asm_imm(a, ASM_LSH, R2, 32);
	asm_reg(a, ASM_OR, R2, EVENT);
	asm_store(a, ASM_8, R10, m->part, R2);
	add(m);
	add_extreme(m);
}

static int add_spread(struct making *m, struct err *e)
{
	struct texpr_type type;
	int r = code_value(m->code, m->ev->num[0], &type, e);

	if (r)
		return r;
	if (!type.is_unsigned)
		asm_jump_imm(m->a, ASM_JSLT, R1, 0, &m->negative);
	asm_mov64(m->a, EVENT, m->index);
	add_number(m);
	return 0;
}

/* --- pairs: time and event of a key's beginning --- */

/* Value for an open key: the time; the event, with its stage in the upper half. */
static uint64_t begun_as(const struct making *m)
{
	return m->index | (uint64_t)m->ev->stage << 32;
}

/* R0: the beginning of the key, or NULL. */
static void look_up_begun(struct making *m)
{
	asm_map(m->a, R1, m->maps->begun);
	asm_address(m->a, R2, m->key);
	asm_call(m->a, BPF_LOOKUP_ELEM);
}

/* Delete the key: R0 is 0 only on the CPU that did it, which ends the pair. */
static void drop_begun(struct making *m)
{
	asm_map(m->a, R1, m->maps->begun);
	asm_address(m->a, R2, m->key);
	asm_call(m->a, BPF_DELETE_ELEM);
}

/* Begin now; the time stays in slot `n`. */
static void put_begun(struct making *m)
{
	struct asm_prog *a = m->a;

	asm_call(a, BPF_KTIME_GET_NS);
	asm_store(a, ASM_8, R10, m->n, R0);
	store_imm(a, m->sum, begun_as(m));
	asm_map(a, R1, m->maps->begun);
	asm_address(a, R2, m->key);
	asm_address(a, R3, m->n);
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_UPDATE_ELEM);
	asm_jump_imm(a, ASM_JNE, R0, 0, &m->full);
}

static void begin_pair(struct making *m)
{
	struct asm_prog *a = m->a;
	struct asm_label first = { 0 };

	look_up_begun(m);
	asm_imm(a, ASM_MOV, BEGUN, 0);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &first);
	asm_imm(a, ASM_MOV, BEGUN, 1);
	asm_here(a, &first);
	put_begun(m);
	asm_jump_imm(a, ASM_JNE, BEGUN, 0, &m->replaced);
}

/* Load BEGUN and EVENT from the map's entry in R0. */
static void load_begun(struct making *m)
{
	asm_load(m->a, ASM_8, BEGUN, R0, 0);
	asm_load(m->a, ASM_8, EVENT, R0, 8);
}

/* Jump unless EVENT's stage is the one that this event ends. */
static void check_stage(struct making *m, struct asm_label *no)
{
	asm_reg(m->a, ASM_MOV, R1, EVENT);
	asm_imm(m->a, ASM_RSH, R1, 32);
	asm_jump_imm(m->a, ASM_JNE, R1, (int32_t)m->ev->ended, no);
}

/* Add the pair that ends at R0, now. */
static void add_pair(struct making *m)
{
	struct asm_prog *a = m->a;

	asm_imm(a, ASM_AND, EVENT, 0xffff);
	asm_imm(a, ASM_LSH, EVENT, 16);
	asm_imm(a, ASM_OR, EVENT, (int32_t)m->index);
	asm_reg(a, ASM_SUB, R0, BEGUN);
	asm_jump_imm(a, ASM_JSLT, R0, 0, &m->negative);
	asm_reg(a, ASM_MOV, BEGUN, R0);
	if (!m->ev->is_by_key)
		store_imm(a, m->key, 0);
	asm_reg(a, ASM_MOV, R1, BEGUN);
	add_number(m);
}

static void end_pair(struct making *m)
{
	struct asm_prog *a = m->a;

	look_up_begun(m);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &m->unstarted);
	load_begun(m);
	check_stage(m, &m->unstarted);
	drop_begun(m);
	asm_jump_imm(a, ASM_JNE, R0, 0, &m->unstarted);
	asm_call(a, BPF_KTIME_GET_NS);
	add_pair(m);
}

/* A beginning of another stage is replaced, not ended. */
static void end_and_begin_pair(struct making *m)
{
	struct asm_label begins = { 0 };
	struct asm_prog *a = m->a;

	look_up_begun(m);
	asm_imm(a, ASM_MOV, BEGUN, 0);
	asm_imm(a, ASM_MOV, EVENT, 0);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &begins);
	load_begun(m);
	drop_begun(m);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &begins);
	asm_imm(a, ASM_MOV, BEGUN, 0);
	asm_here(a, &begins);
	put_begun(m);
	asm_jump_imm(a, ASM_JEQ, BEGUN, 0, &m->unstarted);
	check_stage(m, &m->other);
	asm_load(a, ASM_8, R0, R10, m->n);
	add_pair(m);
}

static void make_pair(struct making *m)
{
	if (m->ev->pair == TALLY_BEGINS)
		begin_pair(m);
	else if (m->ev->pair == TALLY_ENDS)
		end_pair(m);
	else
		end_and_begin_pair(m);
}

/* --- stacks --- */

/* R0: id of the current stack, in the first map that can store it. */
static void put_stack(struct making *m, int32_t flags)
{
	struct asm_label none = { 0 }, known = { 0 };
	struct asm_prog *a = m->a;

	for (int i = 0; i < TALLY_STACK_MAPS; i++) {
		struct asm_label next = { 0 };

		asm_reg(a, ASM_MOV, R1, CODE_CONTEXT);
		asm_map(a, R2, m->maps->stacks[i]);
		asm_imm(a, ASM_MOV, R3, flags);
		asm_call(a, BPF_GET_STACKID);
		asm_jump_imm(a, ASM_JSLT, R0, 0, &next);
		asm_imm(a, ASM_ADD, R0, i * TALLY_STACKS);
		asm_jump(a, &known);
		asm_here(a, &next);
		asm_jump_imm(a, ASM_JNE, R0, -EEXIST, &none);
	}
	lose_one(m, LOSS_STACK);
	asm_mov64(a, R0, TALLY_LOST_STACK);
	asm_jump(a, &known);
	asm_here(a, &none);
	asm_mov64(a, R0, TALLY_NO_STACK);
	asm_here(a, &known);
}

/* The link register of the interrupted or calling user code; none for kernel threads. */
static void put_lr(struct making *m)
{
	struct asm_prog *a = m->a;
	struct asm_label none = { 0 };

	if (!m->ev->lr)
		return;
	store_imm(a, m->lr, 0);
	asm_load(a, ASM_8, R1, R10, m->key);
	asm_imm(a, ASM_RSH, R1, 32);
	asm_mov64(a, R2, TALLY_NO_STACK);
	asm_jump_reg(a, ASM_JEQ, R1, R2, &none);
	asm_call(a, BPF_CURRENT_TASK_BTF);
	asm_reg(a, ASM_MOV, R1, R0);
	asm_call(a, BPF_TASK_PT_REGS);
	asm_load(a, ASM_8, R1, R0, (int16_t)m->ev->lr);
	asm_store(a, ASM_8, R10, m->lr, R1);
	asm_here(a, &none);
}

static void add_stack(struct making *m)
{
	struct asm_prog *a = m->a;

	put_stack(m, 0);
	asm_store(a, ASM_8, R10, m->key, R0);
	put_stack(m, BPF_STACK_OF_USER);
	asm_imm(a, ASM_LSH, R0, 32);
	asm_load(a, ASM_8, R1, R10, m->key);
	asm_reg(a, ASM_OR, R1, R0);
	asm_store(a, ASM_8, R10, m->key, R1);
	put_lr(m);
	asm_call(a, BPF_PID_TGID);
	asm_imm(a, ASM_RSH, R0, 32);
	asm_imm(a, ASM_LSH, R0, 32);
	asm_imm(a, ASM_OR, R0, (int32_t)m->index);
	asm_store(a, ASM_8, R10, m->part, R0);
	asm_address(a, R1, m->number);
	asm_imm(a, ASM_MOV, R2, 16);
	asm_call(a, BPF_COMM);
	add(m);
}

static int add_parts(struct making *m, struct err *e)
{
	unsigned n = MAX(m->ev->n_num, 1u);

	for (unsigned i = 0; i < n; i++) {
		struct texpr_type type;
		int r = 0;

		if (m->ev->n_num)
			r = code_value(m->code, m->ev->num[i], &type, e);
		else
			asm_imm(m->a, ASM_MOV, R1, 0);
		if (r)
			return r;
		asm_store(m->a, ASM_8, R10, m->sum, R1);
		store_imm(m->a, m->part, m->index | (uint64_t)i << 32);
		add(m);
	}
	return 0;
}

/* Increment a loss counter, if anything jumps to the label. */
static void lose(struct making *m, struct asm_label *here, unsigned which)
{
	if (!here->last)
		return;
	asm_here(m->a, here);
	lose_one(m, which);
	asm_jump(m->a, &m->out);
}

/* The open beginning was of another stage: count both losses. */
static void lose_other(struct making *m)
{
	if (!m->other.last)
		return;
	asm_here(m->a, &m->other);
	lose_one(m, LOSS_UNSTARTED);
	asm_jump(m->a, &m->replaced);
}

static int look(struct code *c, const struct tally_event *ev, struct err *e)
{
	int r = code_look(c, ev->filter, e);

	r = r ? r : code_look(c, ev->key, e);
	for (unsigned i = 0; !r && i < ev->n_num; i++)
		r = code_look(c, ev->num[i], e);
	return r;
}

static int make(struct making *m, struct err *e)
{
	struct asm_prog *a = m->a;
	struct texpr_type type;
	int r = 0;

	asm_reg(a, ASM_MOV, CODE_CONTEXT, R1);
	slots(m);
	check_cpu(m);
	if (m->maps->tasks)
		taskset_check(a, m->maps->tasks, (int16_t[]){ m->key, m->n }, &m->out, &m->unread);
	code_fetch(m->code, &m->unread);
	if (m->ev->filter) {
		r = code_value(m->code, m->ev->filter, &type, e);
		asm_jump_imm(a, ASM_JEQ, R1, 0, &m->out);
	}
	r = r || m->ev->is_by_stack ? r : make_key(m, e);
	if (!r && m->ev->is_by_stack)
		add_stack(m);
	else if (!r && m->ev->pair)
		make_pair(m);
	else if (!r)
		r = m->ev->is_spread ? add_spread(m, e) : add_parts(m, e);
	asm_jump(a, &m->out);
	lose(m, &m->full, LOSS_FULL);
	lose(m, &m->negative, LOSS_NEGATIVE);
	lose(m, &m->unread, LOSS_UNREAD);
	lose(m, &m->untold, LOSS_UNTOLD);
	lose_other(m);
	lose(m, &m->replaced, LOSS_REPLACED);
	lose(m, &m->unstarted, LOSS_UNSTARTED);
	asm_here(a, &m->out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
	return r ? r : asm_end(a, e);
}

int tally_build(struct asm_prog *a, const struct tally_event *ev, uint32_t index, struct code *c,
		const struct tally_maps *maps, struct err *e)
{
	struct making m = { .a = a, .ev = ev, .maps = maps, .code = c, .index = index };
	int r = look(c, ev, e);

	if (r)
		return r;
	asm_init(a);
	c->a = a;
	return make(&m, e);
}
