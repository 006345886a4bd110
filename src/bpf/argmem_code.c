/* argmem_code.c - generates the programs of argmem.h. */
#include "bpf/argmem.h"

#include <errno.h>

#define CTX  R6
#define REGS R7
#define PLAN R8
#define REC  R9

enum { CTX_SECOND = 8 };                 /* offset of the second argument of a raw tracepoint */

struct code {
	struct asm_prog *a;
	const struct argmem_want *want;
	const struct argmem_maps *maps;
	enum argmem_when when;
	/* Slots; failed: an argument could not be read; longs: bit set of arguments with a too long string. */
	int16_t key, failed, longs, from, count, item_from, item_len;
	struct asm_label out, full;
};

static int16_t off_of(unsigned fetch, size_t member)
{
	return (int16_t)(offsetof(struct argmem_plan, v) + fetch * sizeof(struct argmem_fetch) + member);
}

/* R0: the element, or NULL; the key is in the slot. */
static void put_lookup(struct asm_prog *a, int map, int16_t key)
{
	asm_map(a, R1, map);
	asm_address(a, R2, key);
	asm_call(a, BPF_LOOKUP_ELEM);
}

/* Continue only for target tasks. */
static void put_task(struct code *c)
{
	struct asm_prog *a = c->a;

	asm_call(a, BPF_PID_TGID);
	if (c->want->all) {
		asm_imm(a, ASM_RSH, R0, 32);
		asm_jump_imm(a, ASM_JEQ, R0, (int32_t)c->want->self, &c->out);
		return;
	}
	asm_store(a, ASM_4, R10, c->key, R0);
	put_lookup(a, c->maps->tasks, c->key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &c->out);
}

/* Read 8 bytes of the registers at offset R3 into a slot: 0 if they cannot be read. */
static void put_register(struct code *c, int16_t slot)
{
	asm_reg(c->a, ASM_ADD, R3, REGS);
	asm_address(c->a, R1, slot);
	asm_imm(c->a, ASM_MOV, R2, 8);
	asm_call(c->a, BPF_PROBE_READ_KERNEL);
}

/* Continue only if something could not be read at this call's entry. */
static void put_is_again(struct code *c)
{
	struct asm_prog *a = c->a;

	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, c->key, R0);
	put_lookup(a, c->maps->again, c->key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &c->out);
	asm_map(a, R1, c->maps->again);
	asm_address(a, R2, c->key);
	asm_call(a, BPF_DELETE_ELEM);
}

/* PLAN: the plan of the call; plans for exit are behind those for entry. */
static void put_plan(struct code *c)
{
	struct asm_prog *a = c->a;

	if (c->when != ARGMEM_BEGIN && c->when != ARGMEM_LIST_BEGIN) {
		asm_load(a, ASM_8, R1, CTX, CTX_SECOND);
		if (c->when != ARGMEM_AGAIN)
			asm_jump_imm(a, ASM_JSLT, R1, 0, &c->out);
		asm_imm(a, ASM_MOV, R3, c->want->regs->number);
		put_register(c, c->key);
		asm_jump_imm(a, ASM_JNE, R0, 0, &c->out);
		asm_load(a, ASM_8, R1, R10, c->key);
	} else {
		asm_load(a, ASM_8, R1, CTX, CTX_SECOND);
	}
	/* arm64 stores the number in 4 bytes; -1 means no system call. */
	asm_imm(a, ASM_LSH, R1, 32);
	asm_imm(a, ASM_RSH, R1, 32);
	asm_jump_imm(a, ASM_JGE, R1, ARGMEM_CALLS, &c->out);
	if (argmem_plans_of(c->when))
		asm_imm(a, ASM_ADD, R1, (int32_t)argmem_plans_of(c->when));
	asm_store(a, ASM_8, R10, c->key, R1);
	put_lookup(a, c->maps->plans, c->key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &c->out);
	asm_reg(a, ASM_MOV, PLAN, R0);
}

/* Load the slots from and count of an argument. */
static void put_registers(struct code *c, unsigned i)
{
	asm_load(c->a, ASM_4, R3, PLAN, off_of(i, offsetof(struct argmem_fetch, from)));
	put_register(c, c->from);
	asm_load(c->a, ASM_4, R3, PLAN, off_of(i, offsetof(struct argmem_fetch, count)));
	put_register(c, c->count);
}

/* R2: the number of bytes; written so that every verifier sees the limit ARGMEM_BYTES. */
static void put_length(struct code *c, unsigned i)
{
	struct asm_label fixed = { 0 }, known = { 0 }, fits = { 0 }, bits = { 0 }, counted = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_4, R3, PLAN, off_of(i, offsetof(struct argmem_fetch, most)));
	asm_load(a, ASM_8, R2, R10, c->count);
	asm_jump_imm(a, ASM_JEQ, R1, ARGMEM_FIXED, &fixed);
	if (c->when == ARGMEM_END) {
		struct asm_label others = { 0 };

		asm_jump_imm(a, ASM_JNE, R1, ARGMEM_RETURNED, &others);
		asm_load(a, ASM_8, R2, CTX, CTX_SECOND);
		asm_here(a, &others);
	}
	asm_jump_imm(a, ASM_JEQ, R1, ARGMEM_BITS, &bits);
	asm_load(a, ASM_4, R4, PLAN, off_of(i, offsetof(struct argmem_fetch, each)));
	asm_reg(a, ASM_MUL, R2, R4);
	asm_jump(a, &counted);
	asm_here(a, &bits);
	asm_imm(a, ASM_ADD, R2, 63);
	asm_imm(a, ASM_RSH, R2, 6);
	asm_imm(a, ASM_LSH, R2, 3);
	asm_here(a, &counted);
	asm_jump_reg(a, ASM_JLE, R2, R3, &known);
	asm_here(a, &fixed);
	asm_reg(a, ASM_MOV, R2, R3);
	asm_here(a, &known);
	asm_imm(a, ASM_AND, R2, 2 * ARGMEM_BYTES - 1);
	asm_jump_imm(a, ASM_JLE, R2, ARGMEM_BYTES, &fits);
	asm_imm(a, ASM_MOV, R2, ARGMEM_BYTES);
	asm_here(a, &fits);
}

/* Offset of a member in an argument's part of the record. */
static int16_t off_in_part(unsigned i, size_t member)
{
	return (int16_t)(offsetof(struct argmem_rec, part) + i * sizeof(struct argmem_part) + member);
}

/* R3: source address; R1: destination, at offset `off`. */
static void put_place(struct code *c, unsigned i, int32_t off)
{
	asm_load(c->a, ASM_8, R3, R10, c->from);
	asm_reg(c->a, ASM_MOV, R1, REC);
	asm_imm(c->a, ASM_ADD, R1, off_in_part(i, offsetof(struct argmem_part, bytes)) + off);
}

/* POINTED: replace the pointer to the count by the count; R1 is `how`, before and after. */
static void put_pointed(struct code *c)
{
	struct asm_label counted = { 0 };
	struct asm_prog *a = c->a;

	asm_jump_imm(a, ASM_JNE, R1, ARGMEM_POINTED, &counted);
	asm_load(a, ASM_8, R3, R10, c->count);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, c->count, R1);
	asm_address(a, R1, c->count);
	asm_imm(a, ASM_MOV, R2, 4);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_imm(a, ASM_MOV, R1, ARGMEM_POINTED);
	asm_here(a, &counted);
}

/*
 * Flags that are kept until the record is complete are combined with OR instead of jumps: a verifier follows both ways
 * of each jump, and five arguments would give very many paths. For the same reason the initial value comes from the
 * plan (none, 0), which the verifier does not know.
 */
static void put_or(struct code *c, int16_t slot)
{
	asm_load(c->a, ASM_8, R2, R10, slot);
	asm_reg(c->a, ASM_OR, R2, R1);
	asm_store(c->a, ASM_8, R10, slot, R2);
}

/* Read a string, which may be truncated; R0: its bytes. */
static void put_string(struct code *c, unsigned i)
{
	struct asm_prog *a = c->a;

	put_place(c, i, 0);
	asm_imm(a, ASM_MOV, R2, ARGMEM_BYTES);
	asm_call(a, BPF_PROBE_READ_USER_STR);
	/*
	 * Without a branch: x = R0 ^ ARGMEM_BYTES is 0 only for a full buffer, and only then x and x - 1 differ in
	 * sign.
	 */
	asm_reg(a, ASM_MOV, R1, R0);
	asm_imm(a, ASM_XOR, R1, ARGMEM_BYTES);
	asm_reg(a, ASM_MOV, R2, R1);
	asm_imm(a, ASM_SUB, R1, 1);
	asm_reg(a, ASM_XOR, R1, R2);
	asm_imm(a, ASM_RSH, R1, 63);
	asm_imm(a, ASM_LSH, R1, (int32_t)i);
	put_or(c, c->longs);
}

/* Read pointer and size, then what the pointer points to, unless it is NULL; R0: total bytes. */
static void put_argpack(struct code *c, unsigned i, struct asm_label *done)
{
	enum { PACK = 16, POINTED = 8 };
	struct asm_prog *a = c->a;

	put_place(c, i, 0);
	asm_imm(a, ASM_MOV, R2, PACK);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_jump_imm(a, ASM_JNE, R0, 0, done);
	asm_load(a, ASM_8, R3, REC, off_in_part(i, offsetof(struct argmem_part, bytes)));
	asm_imm(a, ASM_MOV, R0, PACK);
	asm_jump_imm(a, ASM_JEQ, R3, 0, done);
	asm_store(a, ASM_8, R10, c->from, R3);
	put_place(c, i, PACK);
	asm_imm(a, ASM_MOV, R2, POINTED);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_jump_imm(a, ASM_JNE, R0, 0, done);
	asm_imm(a, ASM_MOV, R0, PACK + POINTED);
	asm_jump(a, done);
}

/* R0: bytes, or -errno; R1 is `how`. */
static void put_read(struct code *c, unsigned i, struct asm_label *done)
{
	struct asm_label string = { 0 }, no_pack = { 0 };
	struct asm_prog *a = c->a;

	asm_jump_imm(a, ASM_JEQ, R1, ARGMEM_STRING, &string);
	if (c->when == ARGMEM_END) {
		put_pointed(c);
	} else {
		asm_jump_imm(a, ASM_JNE, R1, ARGMEM_ARGPACK, &no_pack);
		put_argpack(c, i, done);
		asm_here(a, &no_pack);
	}
	put_length(c, i);
	asm_store(a, ASM_8, R10, c->count, R2);
	put_place(c, i, 0);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_jump_imm(a, ASM_JNE, R0, 0, done);
	asm_load(a, ASM_8, R0, R10, c->count);
	asm_jump(a, done);
	asm_here(a, &string);
	put_string(c, i);
}

/* Read the argument whose registers are in the slots. */
static void put_fetch(struct code *c, unsigned i)
{
	struct asm_label done = { 0 }, fine = { 0 }, there = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_8, R1, R10, c->from);
	asm_store(a, ASM_8, REC, off_in_part(i, offsetof(struct argmem_part, from)), R1);
	asm_jump_imm(a, ASM_JNE, R1, 0, &there);
	asm_imm(a, ASM_MOV, R0, -EFAULT);
	asm_jump(a, &fine);
	asm_here(a, &there);
	asm_load(a, ASM_4, R1, PLAN, off_of(i, offsetof(struct argmem_fetch, how)));
	put_read(c, i, &done);
	asm_here(a, &done);
	asm_reg(a, ASM_MOV, R1, R0);
	asm_imm(a, ASM_ARSH, R1, 63);
	put_or(c, c->failed);
	asm_here(a, &fine);
	asm_store(a, ASM_4, REC, off_in_part(i, offsetof(struct argmem_part, got)), R0);
	/* Reset the slots, so that the verifier sees the same state before each argument. */
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, c->from, R1);
	asm_store(a, ASM_8, R10, c->count, R1);
}

static void put_whose(struct code *c, enum argmem_when when)
{
	struct asm_prog *a = c->a;

	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_4, REC, offsetof(struct argmem_rec, tid), R0);
	asm_load(a, ASM_8, R1, R10, c->key);
	asm_imm(a, ASM_AND, R1, ARGMEM_CALLS - 1);
	asm_store(a, ASM_2, REC, offsetof(struct argmem_rec, nr), R1);
	asm_imm(a, ASM_MOV, R1, (int32_t)when);
	asm_store(a, ASM_2, REC, offsetof(struct argmem_rec, when), R1);
	asm_call(a, BPF_KTIME_GET_NS);
	asm_store(a, ASM_8, REC, offsetof(struct argmem_rec, time), R0);
}

/* Make the exit of this call read again. */
static void put_again(struct code *c)
{
	struct asm_prog *a = c->a;

	asm_load(a, ASM_8, R1, R10, c->failed);
	asm_jump_imm(a, ASM_JEQ, R1, 0, &c->out);
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, c->key, R0);
	asm_map(a, R1, c->maps->again);
	asm_address(a, R2, c->key);
	asm_address(a, R3, c->failed);
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_UPDATE_ELEM);
}

/* REC: reserve a record with that many bytes behind the common header. */
static void put_reserve(struct code *c, size_t bytes)
{
	asm_reserve(c->a, c->maps->ring, (int32_t)(offsetof(struct argmem_rec, part) + bytes), REC, &c->full);
}

/* The same for a record with a single part. */
static void put_reserve_one(struct code *c, size_t bytes)
{
	put_reserve(c, offsetof(struct argmem_rec, bytes) - offsetof(struct argmem_rec, part) + bytes);
}

/* If the string was truncated, note that. */
static void put_long(struct code *c, unsigned i)
{
	struct asm_label is_short = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_8, R1, R10, c->longs);
	asm_imm(a, ASM_AND, R1, INT32_C(1) << i);
	asm_jump_imm(a, ASM_JEQ, R1, 0, &is_short);
	put_registers(c, i);
	put_reserve_one(c, ARGMEM_STRINGS);
	put_whose(c, ARGMEM_LONG);
	asm_load(a, ASM_8, R3, R10, c->from);
	asm_store(a, ASM_8, REC, offsetof(struct argmem_rec, from), R3);
	asm_reg(a, ASM_MOV, R1, REC);
	asm_imm(a, ASM_ADD, R1, offsetof(struct argmem_rec, bytes));
	asm_imm(a, ASM_MOV, R2, ARGMEM_STRINGS);
	asm_call(a, BPF_PROBE_READ_USER_STR);
	asm_store(a, ASM_4, REC, offsetof(struct argmem_rec, got), R0);
	asm_submit(c->a, REC);
	asm_here(a, &is_short);
}

/* Write the record of n arguments: its length must be a constant. */
static void put_record(struct code *c, unsigned n)
{
	struct asm_prog *a = c->a;

	put_registers(c, 0);
	if (n == 1) {
		asm_load(a, ASM_8, R1, R10, c->from);
		asm_jump_imm(a, ASM_JEQ, R1, 0, &c->out);
	}
	put_reserve(c, n * sizeof(struct argmem_part));
	put_whose(c, c->when);
	for (unsigned i = 0; i < n; i++) {
		if (i)
			put_registers(c, i);
		put_fetch(c, i);
	}
	asm_submit(c->a, REC);
}

static void put_records(struct code *c)
{
	struct asm_label done = { 0 };
	struct asm_prog *a = c->a;

	for (unsigned n = 1; n <= ARGMEM_MOST; n++) {
		struct asm_label more = { 0 };

		if (n < ARGMEM_MOST)
			asm_jump_imm(a, ASM_JNE, R1, (int32_t)n, &more);
		put_record(c, n);
		if (n == ARGMEM_MOST)
			continue;
		asm_jump(a, &done);
		asm_here(a, &more);
	}
	asm_here(a, &done);
	for (unsigned i = 0; i < ARGMEM_MOST; i++)
		put_long(c, i);
	if (c->when == ARGMEM_BEGIN)
		put_again(c);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

static void put_full(struct code *c)
{
	struct asm_prog *a = c->a;

	asm_here(a, &c->full);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, c->key, R1);
	put_lookup(a, c->maps->lost, c->key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &c->out);
	asm_imm(a, ASM_MOV, R1, 1);
	asm_add_to(a, R0, 0, R1);
	asm_here(a, &c->out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

/* --- lists ---------------------------------------------------------------------------------------------------
 *
 * The slots from and count have the list's address and its length.
 *
 * The slots from and count have where the list is, and how long it is.
 */

static int16_t off_in_item(unsigned i, size_t member)
{
	return (int16_t)(offsetof(struct argmem_rec, bytes) + i * sizeof(struct argmem_item) + member);
}

/* Read 8 bytes of the list at an offset into a slot. */
static void put_word(struct code *c, int16_t slot, int32_t off, struct asm_label *failed)
{
	struct asm_prog *a = c->a;

	asm_load(a, ASM_8, R3, R10, c->from);
	asm_imm(a, ASM_ADD, R3, off);
	asm_address(a, R1, slot);
	asm_imm(a, ASM_MOV, R2, 8);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_jump_imm(a, ASM_JNE, R0, 0, failed);
}

/* R3: address of the item's data; R1: destination. */
static void put_item_place(struct code *c, unsigned i)
{
	asm_load(c->a, ASM_8, R3, R10, c->item_from);
	asm_reg(c->a, ASM_MOV, R1, REC);
	asm_imm(c->a, ASM_ADD, R1, off_in_item(i, offsetof(struct argmem_item, text)));
}

static void put_string_item(struct code *c, unsigned i, struct asm_label *over)
{
	struct asm_prog *a = c->a;

	put_word(c, c->item_from, (int32_t)(8 * i), over);
	asm_load(a, ASM_8, R1, R10, c->item_from);
	asm_jump_imm(a, ASM_JEQ, R1, 0, over);
	asm_store(a, ASM_8, REC, off_in_item(i, offsetof(struct argmem_item, from)), R1);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, REC, off_in_item(i, offsetof(struct argmem_item, len)), R1);
	put_item_place(c, i);
	asm_imm(a, ASM_MOV, R2, ARGMEM_TEXT);
	asm_call(a, BPF_PROBE_READ_USER_STR);
}

static void put_vector_item(struct code *c, unsigned i, struct asm_label *over)
{
	struct asm_label fits = { 0 }, failed = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_8, R1, R10, c->count);
	asm_jump_imm(a, ASM_JLE, R1, (int32_t)i, over);
	put_word(c, c->item_from, (int32_t)(16 * i), over);
	put_word(c, c->item_len, (int32_t)(16 * i + 8), over);
	asm_load(a, ASM_8, R1, R10, c->item_from);
	asm_store(a, ASM_8, REC, off_in_item(i, offsetof(struct argmem_item, from)), R1);
	asm_load(a, ASM_8, R2, R10, c->item_len);
	asm_store(a, ASM_8, REC, off_in_item(i, offsetof(struct argmem_item, len)), R2);
	asm_jump_imm(a, ASM_JLE, R2, ARGMEM_TEXT, &fits);
	asm_imm(a, ASM_MOV, R2, ARGMEM_TEXT);
	asm_here(a, &fits);
	asm_store(a, ASM_8, R10, c->item_len, R2);
	put_item_place(c, i);
	asm_call(a, BPF_PROBE_READ_USER);
	asm_jump_imm(a, ASM_JNE, R0, 0, &failed);
	asm_load(a, ASM_8, R0, R10, c->item_len);
	asm_here(a, &failed);
}

static void put_item(struct code *c, unsigned i, struct asm_label *over)
{
	struct asm_label string = { 0 }, done = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_4, R1, PLAN, off_of(0, offsetof(struct argmem_fetch, how)));
	asm_jump_imm(a, ASM_JEQ, R1, ARGMEM_LIST, &string);
	put_vector_item(c, i, over);
	asm_jump(a, &done);
	asm_here(a, &string);
	put_string_item(c, i, over);
	asm_here(a, &done);
	asm_store(a, ASM_4, REC, off_in_item(i, offsetof(struct argmem_item, got)), R0);
	asm_imm(a, ASM_MOV, R1, (int32_t)(i + 1));
	asm_store(a, ASM_4, REC, offsetof(struct argmem_rec, got), R1);
}

/* Replace the address of a struct msghdr by its vector (include/linux/socket.h: user_msghdr). */
static void put_message(struct code *c, struct asm_label *over)
{
	struct asm_label vector = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_4, R1, PLAN, off_of(0, offsetof(struct argmem_fetch, how)));
	asm_jump_imm(a, ASM_JNE, R1, ARGMEM_MESSAGE, &vector);
	put_word(c, c->count, 24, over);
	put_word(c, c->from, 16, over);
	asm_here(a, &vector);
}

/* Copy the pointers of an environment, as far as they are resident. */
static void put_env(struct code *c)
{
	enum { AT_ONCE = 64 };
	struct asm_label over = { 0 };
	struct asm_prog *a = c->a;

	asm_load(a, ASM_4, R1, PLAN, off_of(0, offsetof(struct argmem_fetch, how)));
	asm_jump_imm(a, ASM_JNE, R1, ARGMEM_LIST, &c->out);
	asm_load(a, ASM_4, R3, PLAN, off_of(1, offsetof(struct argmem_fetch, from)));
	put_register(c, c->from);
	asm_load(a, ASM_8, R1, R10, c->from);
	asm_jump_imm(a, ASM_JEQ, R1, 0, &c->out);
	put_reserve_one(c, 8 * ARGMEM_VARS);
	put_whose(c, ARGMEM_ENV);
	asm_load(a, ASM_8, R1, R10, c->from);
	asm_store(a, ASM_8, REC, offsetof(struct argmem_rec, from), R1);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, REC, offsetof(struct argmem_rec, got), R1);
	for (int32_t at = 0; at < 8 * ARGMEM_VARS; at += AT_ONCE) {
		asm_load(a, ASM_8, R3, R10, c->from);
		asm_imm(a, ASM_ADD, R3, at);
		asm_reg(a, ASM_MOV, R1, REC);
		asm_imm(a, ASM_ADD, R1, (int32_t)offsetof(struct argmem_rec, bytes) + at);
		asm_imm(a, ASM_MOV, R2, AT_ONCE);
		asm_call(a, BPF_PROBE_READ_USER);
		asm_jump_imm(a, ASM_JNE, R0, 0, &over);
		asm_imm(a, ASM_MOV, R1, at + AT_ONCE);
		asm_store(a, ASM_4, REC, offsetof(struct argmem_rec, got), R1);
	}
	asm_here(a, &over);
	asm_submit(c->a, REC);
}

static void put_list(struct code *c)
{
	struct asm_label over = { 0 };
	struct asm_prog *a = c->a;

	put_registers(c, 0);
	asm_load(a, ASM_8, R1, R10, c->from);
	asm_jump_imm(a, ASM_JEQ, R1, 0, &c->out);
	put_reserve_one(c, ARGMEM_ITEMS * sizeof(struct argmem_item));
	put_whose(c, c->when);
	asm_load(a, ASM_8, R1, R10, c->from);
	asm_store(a, ASM_8, REC, offsetof(struct argmem_rec, from), R1);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_4, REC, offsetof(struct argmem_rec, got), R1);
	put_message(c, &over);
	for (unsigned i = 0; i < ARGMEM_ITEMS; i++)
		put_item(c, i, &over);
	asm_here(a, &over);
	asm_submit(c->a, REC);
	if (c->when == ARGMEM_LIST_BEGIN)
		put_env(c);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

void argmem_build(struct asm_prog *a, const struct argmem_want *w, const struct argmem_maps *maps,
		  enum argmem_when when)
{
	struct code c = { .a = a, .want = w, .maps = maps, .when = when };

	asm_init(a);
	c.key = asm_slot(a);
	c.failed = asm_slot(a);
	c.longs = asm_slot(a);
	c.from = asm_slot(a);
	c.count = asm_slot(a);
	c.item_from = asm_slot(a);
	c.item_len = asm_slot(a);
	asm_reg(a, ASM_MOV, CTX, R1);
	/* The slot is read as 8 bytes although only 4 are written. */
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, c.key, R1);
	if (when == ARGMEM_AGAIN)
		put_is_again(&c);
	else
		put_task(&c);
	asm_load(a, ASM_8, REGS, CTX, 0);
	put_plan(&c);
	asm_load(a, ASM_4, R1, PLAN, offsetof(struct argmem_plan, none));
	asm_store(a, ASM_8, R10, c.failed, R1);
	asm_store(a, ASM_8, R10, c.longs, R1);
	asm_load(a, ASM_4, R1, PLAN, offsetof(struct argmem_plan, n));
	asm_jump_imm(a, ASM_JEQ, R1, 0, &c.out);
	if (when == ARGMEM_LIST_BEGIN || when == ARGMEM_LIST_END) {
		put_list(&c);
	} else {
		put_records(&c);
	}
	put_full(&c);
}

void argmem_build_fork(struct asm_prog *a, const struct argmem_maps *maps, uint32_t pid)
{
	struct asm_label out = { 0 };
	int16_t key, child;

	asm_init(a);
	key = asm_slot(a);
	child = asm_slot(a);
	asm_load(a, ASM_8, R7, R1, CTX_SECOND);
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, key, R0);
	asm_store(a, ASM_8, R10, child, R0);
	put_lookup(a, maps->tasks, key);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &out);
	asm_address(a, R1, child);
	asm_imm(a, ASM_MOV, R2, 4);
	asm_reg(a, ASM_MOV, R3, R7);
	asm_imm(a, ASM_ADD, R3, (int32_t)pid);
	asm_call(a, BPF_PROBE_READ_KERNEL);
	asm_jump_imm(a, ASM_JNE, R0, 0, &out);
	asm_map(a, R1, maps->tasks);
	asm_address(a, R2, child);
	asm_address(a, R3, key);
	asm_imm(a, ASM_MOV, R4, 0);
	asm_call(a, BPF_UPDATE_ELEM);
	asm_here(a, &out);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

void argmem_build_exit(struct asm_prog *a, const struct argmem_maps *maps)
{
	int16_t key;

	asm_init(a);
	key = asm_slot(a);
	asm_call(a, BPF_PID_TGID);
	asm_store(a, ASM_8, R10, key, R0);
	asm_map(a, R1, maps->tasks);
	asm_address(a, R2, key);
	asm_call(a, BPF_DELETE_ELEM);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}
