/* lockowner_code.c - the program of lockowner.h, instruction by instruction. */
#include "bpf/lockowner.h"

#include "analyse/contention.h"

#define CTX     R6
#define TASK    R6                       /* when CTX is of no use any more */
#define READERS R7
#define WORD    R8                       /* offset of the owner word in the lock, then its value */
#define REC     R9

enum { CTX_LOCK = 0, CTX_FLAGS = 8 };    /* arguments of the tracepoint */
enum { OWNER_FLAGS = 7 };

static void put_read(struct asm_prog *a, int32_t size)
{
	asm_imm(a, ASM_MOV, R2, size);
	asm_call(a, BPF_PROBE_READ_KERNEL);
}

/* WORD = offset of the owner word, READERS = its readers flag, by the kind of lock; other kinds leave the program. */
static void put_kind(struct asm_prog *a, const struct lockowner_kernel *k, struct asm_label *out)
{
	struct asm_label known = { 0 };

	asm_load(a, ASM_8, R1, CTX, CTX_FLAGS);
	asm_imm(a, ASM_AND, R1, LOCK_FLAGS);
	for (unsigned i = 0; i < k->n; i++) {
		struct asm_label other = { 0 };

		asm_jump_imm(a, ASM_JNE, R1, (int32_t)k->locks[i].flags, &other);
		asm_imm(a, ASM_MOV, WORD, (int32_t)k->locks[i].off);
		asm_imm(a, ASM_MOV, READERS, (int32_t)k->locks[i].readers);
		asm_jump(a, &known);
		asm_here(a, &other);
	}
	asm_jump(a, out);
	asm_here(a, &known);
}

/* Leave the program if the current task has no perf events: it is not measured then. */
static void put_is_watched(struct asm_prog *a, const struct lockowner_kernel *k, int16_t slot, struct asm_label *out)
{
	asm_call(a, BPF_CURRENT_TASK);
	asm_reg(a, ASM_MOV, R3, R0);
	asm_imm(a, ASM_ADD, R3, (int32_t)k->events);
	asm_address(a, R1, slot);
	put_read(a, 8);
	asm_jump_imm(a, ASM_JNE, R0, 0, out);
	asm_load(a, ASM_8, R1, R10, slot);
	asm_jump_imm(a, ASM_JEQ, R1, 0, out);
}

/* WORD = the owner word; the slot `failed` = 0 or -errno. */
static void put_word(struct asm_prog *a, int16_t slot, int16_t failed)
{
	asm_load(a, ASM_8, R3, CTX, CTX_LOCK);
	asm_reg(a, ASM_ADD, R3, WORD);
	asm_address(a, R1, slot);
	put_read(a, 8);
	asm_store(a, ASM_8, R10, failed, R0);
	asm_load(a, ASM_8, WORD, R10, slot);
}

/* REC = this CPU's entry in the map `place`. The kernel does not run the program again on this CPU meanwhile. */
static void put_place(struct asm_prog *a, int place, int16_t key, struct asm_label *out)
{
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, key, R1);
	asm_map(a, R1, place);
	asm_address(a, R2, key);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, out);
	asm_reg(a, ASM_MOV, REC, R0);
}

/* Copy the record to the ring without waking the reader; if the ring is full, the record is lost. */
static void put_output(struct asm_prog *a, const struct lockowner_kernel *k, int ring)
{
	asm_map(a, R1, ring);
	asm_reg(a, ASM_MOV, R2, REC);
	asm_imm(a, ASM_MOV, R3, (int32_t)(sizeof(struct lockowner_rec) + k->depth * sizeof(uint64_t)));
	asm_imm(a, ASM_MOV, R4, BPF_RB_NO_WAKEUP);
	asm_call(a, BPF_RINGBUF_OUTPUT);
}

static void put_whose(struct asm_prog *a)
{
	asm_load(a, ASM_8, R1, CTX, CTX_LOCK);
	asm_store(a, ASM_8, REC, offsetof(struct lockowner_rec, lock), R1);
	asm_call(a, BPF_KTIME_GET_NS);
	asm_store(a, ASM_8, REC, offsetof(struct lockowner_rec, time), R0);
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_4, REC, offsetof(struct lockowner_rec, tid), R0);
	asm_call(a, BPF_CPU_ID);
	asm_store(a, ASM_4, REC, offsetof(struct lockowner_rec, cpu), R0);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, REC, offsetof(struct lockowner_rec, stack), R1);
}

static void put_state(struct asm_prog *a, enum lockowner_state state)
{
	asm_imm(a, ASM_MOV, R1, (int32_t)state);
	asm_store(a, ASM_4, REC, offsetof(struct lockowner_rec, state), R1);
}

/* Copy a member of the task_struct at WORD into the record; jump to `done` if that fails. */
static void put_member(struct asm_prog *a, uint32_t off, size_t to, int32_t size, struct asm_label *done)
{
	asm_reg(a, ASM_MOV, R1, REC);
	asm_imm(a, ASM_ADD, R1, (int32_t)to);
	asm_reg(a, ASM_MOV, R3, WORD);
	asm_imm(a, ASM_ADD, R3, (int32_t)off);
	put_read(a, size);
	asm_jump_imm(a, ASM_JNE, R0, 0, done);
}

/* If the owner (task_struct in WORD) runs on a CPU, note that and jump to done: its saved registers are stale. */
static void put_is_asleep(struct asm_prog *a, const struct lockowner_kernel *k, int16_t slot, struct asm_label *done)
{
	struct asm_label asleep = { 0 };

	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, slot, R1);
	asm_address(a, R1, slot);
	asm_reg(a, ASM_MOV, R3, WORD);
	asm_imm(a, ASM_ADD, R3, (int32_t)k->on_cpu);
	put_read(a, 4);
	asm_load(a, ASM_4, R1, R10, slot);
	asm_jump_imm(a, ASM_JEQ, R1, 0, &asleep);
	asm_mov64(a, R1, (uint64_t)LOCKOWNER_RUNS);
	asm_store(a, ASM_8, REC, offsetof(struct lockowner_rec, stack), R1);
	asm_jump(a, done);
	asm_here(a, &asleep);
}

/* The stack of the owner, by its pid in the record; a reference holds the task meanwhile. CTX is free by now. */
static void put_stack(struct asm_prog *a, const struct lockowner_kernel *k, struct asm_label *done)
{
	asm_load(a, ASM_4, R1, REC, offsetof(struct lockowner_rec, owner));
	asm_call_kernel(a, k->task_from_pid);
	asm_jump_imm(a, ASM_JEQ, R0, 0, done);
	asm_reg(a, ASM_MOV, TASK, R0);
	asm_reg(a, ASM_MOV, R1, TASK);
	asm_reg(a, ASM_MOV, R2, REC);
	asm_imm(a, ASM_ADD, R2, sizeof(struct lockowner_rec));
	asm_imm(a, ASM_MOV, R3, (int32_t)(k->depth * sizeof(uint64_t)));
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_GET_TASK_STACK);
	asm_store(a, ASM_8, REC, offsetof(struct lockowner_rec, stack), R0);
	asm_reg(a, ASM_MOV, R1, TASK);
	asm_call_kernel(a, k->task_release);
}

/* Fill state and owner. The task_struct cannot be freed meanwhile: that waits for an RCU grace period. */
static void put_owner(struct asm_prog *a, const struct lockowner_kernel *k, int16_t slot, int16_t failed)
{
	struct asm_label done = { 0 };

	put_state(a, LOCKOWNER_UNREAD);
	asm_load(a, ASM_8, R1, R10, failed);
	asm_jump_imm(a, ASM_JNE, R1, 0, &done);
	put_state(a, LOCKOWNER_READERS);
	asm_reg(a, ASM_AND, READERS, WORD);
	asm_jump_imm(a, ASM_JNE, READERS, 0, &done);
	put_state(a, LOCKOWNER_NOBODY);
	asm_imm(a, ASM_AND, WORD, ~OWNER_FLAGS);
	asm_jump_imm(a, ASM_JEQ, WORD, 0, &done);
	put_state(a, LOCKOWNER_UNREAD);
	put_member(a, k->pid, offsetof(struct lockowner_rec, owner), 4, &done);
	put_member(a, k->comm, offsetof(struct lockowner_rec, comm), LOCKOWNER_COMM, &done);
	put_state(a, LOCKOWNER_TASK);
	if (k->depth && k->on_cpu)
		put_is_asleep(a, k, slot, &done);
	if (k->depth)
		put_stack(a, k, &done);
	asm_here(a, &done);
}

void lockowner_build(struct asm_prog *a, const struct lockowner_kernel *k, int ring, int place)
{
	struct asm_label out = { 0 };
	int16_t slot, failed;

	asm_init(a);
	slot = asm_slot(a);
	failed = asm_slot(a);
	asm_reg(a, ASM_MOV, CTX, R1);
	put_kind(a, k, &out);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, slot, R1);
	if (k->watched)
		put_is_watched(a, k, slot, &out);
	put_word(a, slot, failed);
	put_place(a, place, slot, &out);
	put_whose(a);
	put_owner(a, k, slot, failed);
	put_output(a, k, ring);
	asm_here(a, &out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}
