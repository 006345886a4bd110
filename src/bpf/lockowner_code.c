/* lockowner_code.c - generates the program of lockowner.h. */
#include "bpf/lockowner.h"

#include "analyse/contention.h"

#define CTX     R6
#define READERS R7
#define WORD    R8                       /* offset of the owner word in the lock, later the word itself */
#define REC     R9

enum { CTX_LOCK = 0, CTX_FLAGS = 8 };    /* arguments of the tracepoint */
enum { OWNER_FLAGS = 7 };

static void put_read(struct asm_prog *a, int32_t size)
{
	asm_imm(a, ASM_MOV, R2, size);
	asm_call(a, BPF_PROBE_READ_KERNEL);
}

/* WORD and READERS for this kind of lock. */
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

/* Continue only for tasks that have perf events. */
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

/* WORD: the owner word; the result of the read goes to a slot: 0, or -errno. */
static void put_word(struct asm_prog *a, int16_t slot, int16_t failed)
{
	asm_load(a, ASM_8, R3, CTX, CTX_LOCK);
	asm_reg(a, ASM_ADD, R3, WORD);
	asm_address(a, R1, slot);
	put_read(a, 8);
	asm_store(a, ASM_8, R10, failed, R0);
	asm_load(a, ASM_8, WORD, R10, slot);
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
}

static void put_state(struct asm_prog *a, enum lockowner_state state)
{
	asm_imm(a, ASM_MOV, R1, (int32_t)state);
	asm_store(a, ASM_4, REC, offsetof(struct lockowner_rec, state), R1);
}

/* Copy a member of the task WORD to the record. */
static void put_member(struct asm_prog *a, uint32_t off, size_t to, int32_t size, struct asm_label *done)
{
	asm_reg(a, ASM_MOV, R1, REC);
	asm_imm(a, ASM_ADD, R1, (int32_t)to);
	asm_reg(a, ASM_MOV, R3, WORD);
	asm_imm(a, ASM_ADD, R3, (int32_t)off);
	put_read(a, size);
	asm_jump_imm(a, ASM_JNE, R0, 0, done);
}

/* The owner's task is freed only after RCU readers like this program have finished. */
static void put_owner(struct asm_prog *a, const struct lockowner_kernel *k, int16_t failed)
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
	asm_here(a, &done);
}

void lockowner_build(struct asm_prog *a, const struct lockowner_kernel *k, int ring)
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
	asm_reserve(a, ring, sizeof(struct lockowner_rec), REC, &out);
	put_whose(a);
	put_owner(a, k, failed);
	asm_submit(a, REC);
	asm_here(a, &out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}
