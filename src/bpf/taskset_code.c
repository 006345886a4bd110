/* taskset_code.c - generates the programs of taskset.h. */
#include "bpf/taskset.h"

enum { CTX_FIRST = 0, CTX_SECOND = 8 };      /* arguments of a raw tracepoint */

#define TASK R7

/* R0: the map's value for the current thread, or NULL. */
static void put_current(struct asm_prog *a, const struct taskset_maps *m, int16_t key)
{
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, key, R0);
	asm_map(a, R1, m->tasks);
	asm_address(a, R2, key);
	asm_call(a, BPF_LOOKUP_ELEM);
}

/* Read a member, at offset off of the task in R3, into a zeroed slot. R0: 0, or -errno. */
static void put_member(struct asm_prog *a, uint32_t off, int32_t size, int16_t slot)
{
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, slot, R1);
	asm_address(a, R1, slot);
	asm_imm(a, ASM_MOV, R2, size);
	asm_imm(a, ASM_ADD, R3, (int32_t)off);
	asm_call(a, BPF_PROBE_READ_KERNEL);
}

static void put_end(struct asm_prog *a, struct asm_label *out)
{
	asm_here(a, out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

/* R1: the task's list of perf events. */
static void put_events(struct asm_prog *a, const struct taskset_maps *m, int16_t slot, struct asm_label *failed)
{
	if (m->is_typed) {
		asm_call(a, BPF_CURRENT_TASK_BTF);
		asm_load(a, ASM_8, R1, R0, (int16_t)m->events);
		return;
	}
	asm_call(a, BPF_CURRENT_TASK);
	asm_reg(a, ASM_MOV, R3, R0);
	put_member(a, m->events, 8, slot);
	asm_jump_imm(a, ASM_JNE, R0, 0, failed);
	asm_load(a, ASM_8, R1, R10, slot);
}

void taskset_check(struct asm_prog *a, const struct taskset_maps *m, const int16_t slots[2], struct asm_label *out,
		   struct asm_label *failed)
{
	put_current(a, m, slots[0]);
	asm_jump_imm(a, ASM_JEQ, R0, 0, out);
	asm_load(a, ASM_8, R1, R0, 0);
	asm_jump_imm(a, ASM_JEQ, R1, TASKSET_HELD, out);
	put_events(a, m, slots[1], failed);
	asm_jump_imm(a, ASM_JEQ, R1, 0, out);
}

void taskset_build_typed(struct asm_prog *a, const struct taskset_maps *m)
{
	asm_init(a);
	put_events(a, m, 0, NULL);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
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

/* A child inherits its parent's state. */
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
	put_member(a, m->pid, 4, key);
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

/* An exec renames its task just after perf has enabled the events that wait for it. */
void taskset_build_exec(struct asm_prog *a, const struct taskset_maps *m)
{
	struct asm_label out = { 0 };
	int16_t key;

	asm_init(a);
	key = asm_slot(a);
	put_current(a, m, key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &out);
	asm_imm(a, ASM_MOV, R1, TASKSET_COUNTED);
	asm_store(a, ASM_8, R0, 0, R1);
	put_end(a, &out);
}

void taskset_build_free(struct asm_prog *a, const struct taskset_maps *m)
{
	struct asm_label out = { 0 };
	int16_t key;

	asm_init(a);
	key = asm_slot(a);
	asm_load(a, ASM_8, R3, R1, CTX_FIRST);
	put_member(a, m->pid, 4, key);
	asm_jump_imm(a, ASM_JNE, R0, 0, &out);
	asm_map(a, R1, m->tasks);
	asm_address(a, R2, key);
	asm_call(a, BPF_DELETE_ELEM);
	put_end(a, &out);
}
