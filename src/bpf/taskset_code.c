/* taskset_code.c - the programs of taskset.h, instruction by instruction. */
#include "bpf/taskset.h"

enum { CTX_FIRST = 0, CTX_SECOND = 8 };      /* arguments of a raw tracepoint */

#define TASK R7

/* R0: what the map has for the thread that runs, or 0. */
static void put_current(struct asm_prog *a, const struct taskset_maps *m, int16_t key)
{
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, key, R0);
	asm_map(a, R1, m->tasks);
	asm_address(a, R2, key);
	asm_call(a, BPF_LOOKUP_ELEM);
}

/* The first bytes of a slot, of the task in R3 so far behind its beginning; the others are 0. R0: 0, or -errno. */
static void put_member(struct asm_prog *a, const struct taskset_maps *m, uint32_t off, int32_t size, int16_t slot)
{
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, slot, R1);
	asm_address(a, R1, slot);
	asm_imm(a, ASM_MOV, R2, size);
	asm_imm(a, ASM_ADD, R3, (int32_t)off);
	asm_call(a, m->read);
}

static void put_end(struct asm_prog *a, struct asm_label *out)
{
	asm_here(a, out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

void taskset_check(struct asm_prog *a, const struct taskset_maps *m, int16_t key, int16_t state, struct asm_label *out)
{
	struct asm_label counts = { 0 };

	put_current(a, m, key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, out);
	asm_load(a, ASM_8, R1, R0, 0);
	asm_jump_imm(a, ASM_JEQ, R1, TASKSET_COUNTED, &counts);
	asm_jump_imm(a, ASM_JEQ, R1, TASKSET_HELD, out);
	asm_call(a, BPF_CURRENT_TASK);
	asm_reg(a, ASM_MOV, R3, R0);
	put_member(a, m, m->events, 8, state);
	asm_jump_imm(a, ASM_JNE, R0, 0, out);
	asm_load(a, ASM_8, R1, R10, state);
	asm_jump_imm(a, ASM_JEQ, R1, 0, out);
	asm_here(a, &counts);
}

static void put_lost(struct asm_prog *a, const struct taskset_maps *m, int16_t slot, struct asm_label *out)
{
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, slot, R1);
	asm_map(a, R1, m->losses);
	asm_address(a, R2, slot);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, out);
	asm_imm(a, ASM_MOV, R1, 1);
	asm_add_to(a, R0, 0, R1);
}

/* What a task starts is what it is itself. */
void taskset_build_fork(struct asm_prog *a, const struct taskset_maps *m)
{
	struct asm_label out = { 0 }, lost = { 0 };
	int16_t key, state;

	asm_init(a);
	key = asm_slot(a);
	state = asm_slot(a);
	asm_load(a, ASM_8, TASK, R1, CTX_SECOND);
	put_current(a, m, key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &out);
	asm_load(a, ASM_8, R1, R0, 0);
	asm_store(a, ASM_8, R10, state, R1);
	asm_reg(a, ASM_MOV, R3, TASK);
	put_member(a, m, m->pid, 4, key);
	asm_jump_imm(a, ASM_JNE, R0, 0, &lost);
	asm_map(a, R1, m->tasks);
	asm_address(a, R2, key);
	asm_address(a, R3, state);
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_UPDATE_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &out);
	asm_here(a, &lost);
	put_lost(a, m, key, &out);
	put_end(a, &out);
}

/* If the task that runs is in the state `from` (0: any), it is in `to` now. */
static void build_turn(struct asm_prog *a, const struct taskset_maps *m, int from, int to)
{
	struct asm_label out = { 0 };
	int16_t key;

	asm_init(a);
	key = asm_slot(a);
	put_current(a, m, key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &out);
	if (from) {
		asm_load(a, ASM_8, R1, R0, 0);
		asm_jump_imm(a, ASM_JNE, R1, from, &out);
	}
	asm_imm(a, ASM_MOV, R1, to);
	asm_store(a, ASM_8, R0, 0, R1);
	put_end(a, &out);
}

/* An exec names its task just after perf has enabled the events that wait for it. */
void taskset_build_exec(struct asm_prog *a, const struct taskset_maps *m)
{
	build_turn(a, m, TASKSET_HELD, TASKSET_COUNTED);
}

void taskset_build_exit(struct asm_prog *a, const struct taskset_maps *m)
{
	build_turn(a, m, 0, TASKSET_EXITING);
}

void taskset_build_free(struct asm_prog *a, const struct taskset_maps *m)
{
	struct asm_label out = { 0 };
	int16_t key;

	asm_init(a);
	key = asm_slot(a);
	asm_load(a, ASM_8, R3, R1, CTX_FIRST);
	put_member(a, m, m->pid, 4, key);
	asm_jump_imm(a, ASM_JNE, R0, 0, &out);
	asm_map(a, R1, m->tasks);
	asm_address(a, R2, key);
	asm_call(a, BPF_DELETE_ELEM);
	put_end(a, &out);
}
