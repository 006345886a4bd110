/* asm.c - instructions, labels and the stack's slots. */
#include "bpf/asm.h"

/* Opcodes: the low three bits are the class; 0x08 in arithmetic and jumps: the second operand is a register. */
enum { LD = 0x00, LDX = 0x01, STX = 0x03, JMP = 0x05, ALU64 = 0x07 };
enum { FROM_REG = 0x08, MODE_IMM = 0x00, MODE_MEM = 0x60, MODE_ATOMIC = 0xc0, JA = 0x00, CALL = 0x80, EXIT = 0x90 };

void asm_init(struct asm_prog *a)
{
	a->n = a->stack = a->open = 0;
	a->error = 0;
}

static void fail(struct asm_prog *a, int code)
{
	if (!a->error)
		a->error = code;
}

static struct bpf_insn *put(struct asm_prog *a, unsigned op, unsigned to, unsigned from, int16_t off, int32_t imm)
{
	struct bpf_insn *i = &a->v[a->n];

	if (a->n == ASM_INSNS) {
		fail(a, EOVERFLOW);
		return NULL;
	}
	*i = (struct bpf_insn){ .op = (uint8_t)op, .regs = (uint8_t)(to | from << 4), .off = off, .imm = imm };
	a->n++;
	return i;
}

void asm_reg(struct asm_prog *a, enum asm_op op, enum asm_reg to, enum asm_reg from)
{
	put(a, (unsigned)op | ALU64 | FROM_REG, to, from, 0, 0);
}

void asm_imm(struct asm_prog *a, enum asm_op op, enum asm_reg to, int32_t v)
{
	put(a, (unsigned)op | ALU64, to, 0, 0, v);
}

/* A load of a 64-bit constant takes two instruction slots, the high half is in the second. */
static void wide(struct asm_prog *a, enum asm_reg to, unsigned kind, uint64_t v)
{
	put(a, LD | MODE_IMM | ASM_8, to, kind, 0, (int32_t)(uint32_t)v);
	put(a, 0, 0, 0, 0, (int32_t)(uint32_t)(v >> 32));
}

void asm_mov64(struct asm_prog *a, enum asm_reg to, uint64_t v)
{
	if ((int64_t)v == (int32_t)v)
		asm_imm(a, ASM_MOV, to, (int32_t)v);
	else
		wide(a, to, 0, v);
}

void asm_map(struct asm_prog *a, enum asm_reg to, int map)
{
	wide(a, to, BPF_MAP_FD, (uint32_t)map);
}

void asm_map_value(struct asm_prog *a, enum asm_reg to, int map)
{
	wide(a, to, BPF_MAP_VALUE, (uint32_t)map);
}

/* Accesses relative to R10 must be within allocated slots. */
static void check_stack(struct asm_prog *a, enum asm_reg base, int16_t off)
{
	if (base == R10 && (off >= 0 || -off > (int)a->stack))
		fail(a, EOVERFLOW);
}

void asm_load(struct asm_prog *a, enum asm_size size, enum asm_reg to, enum asm_reg from, int16_t off)
{
	check_stack(a, from, off);
	put(a, LDX | MODE_MEM | (unsigned)size, to, from, off, 0);
}

void asm_store(struct asm_prog *a, enum asm_size size, enum asm_reg to, int16_t off, enum asm_reg from)
{
	check_stack(a, to, off);
	put(a, STX | MODE_MEM | (unsigned)size, to, from, off, 0);
}

void asm_add_to(struct asm_prog *a, enum asm_reg to, int16_t off, enum asm_reg from)
{
	put(a, STX | MODE_ATOMIC | ASM_8, to, from, off, 0);
}

int16_t asm_slot(struct asm_prog *a)
{
	if (a->stack + ASM_SLOT > ASM_STACK)
		fail(a, EOVERFLOW);
	else
		a->stack += ASM_SLOT;
	return (int16_t)-(int)a->stack;
}

void asm_address(struct asm_prog *a, enum asm_reg to, int16_t slot)
{
	check_stack(a, R10, slot);
	asm_reg(a, ASM_MOV, to, R10);
	asm_imm(a, ASM_ADD, to, slot);
}

void asm_call(struct asm_prog *a, enum bpf_helper helper)
{
	put(a, JMP | CALL, 0, 0, 0, (int32_t)helper);
}

void asm_call_kernel(struct asm_prog *a, uint32_t func)
{
	put(a, JMP | CALL, 0, BPF_CALL_KERNEL, 0, (int32_t)func);
}

/* --- jumps --- */

static void jump(struct asm_prog *a, struct bpf_insn *i, struct asm_label *to)
{
	if (to->is_here)
		fail(a, EINVAL);
	if (!i)
		return;
	a->open += !to->last;
	i->off = (int16_t)to->last;
	to->last = (uint16_t)a->n;
}

void asm_jump(struct asm_prog *a, struct asm_label *to)
{
	jump(a, put(a, JMP | JA, 0, 0, 0, 0), to);
}

void asm_jump_reg(struct asm_prog *a, enum asm_test test, enum asm_reg x, enum asm_reg y, struct asm_label *to)
{
	jump(a, put(a, (unsigned)test | JMP | FROM_REG, x, y, 0, 0), to);
}

void asm_jump_imm(struct asm_prog *a, enum asm_test test, enum asm_reg x, int32_t v, struct asm_label *to)
{
	jump(a, put(a, (unsigned)test | JMP, x, 0, 0, v), to);
}

/* Follow the list of jumps to the label, see struct asm_label, and set their offsets. */
void asm_here(struct asm_prog *a, struct asm_label *l)
{
	a->open -= l->last != 0;
	for (unsigned at = l->last; at; ) {
		struct bpf_insn *i = &a->v[at - 1];
		unsigned before = (uint16_t)i->off;

		i->off = (int16_t)(a->n - at);
		at = before;
	}
	l->last = 0;
	l->is_here = true;
}

void asm_reserve(struct asm_prog *a, int ring, int32_t bytes, enum asm_reg rec, struct asm_label *full)
{
	asm_map(a, R1, ring);
	asm_imm(a, ASM_MOV, R2, bytes);
	asm_imm(a, ASM_MOV, R3, 0);
	asm_call(a, BPF_RINGBUF_RESERVE);
	asm_jump_imm(a, ASM_JEQ, R0, 0, full);
	asm_reg(a, ASM_MOV, rec, R0);
}

void asm_submit(struct asm_prog *a, enum asm_reg rec)
{
	asm_reg(a, ASM_MOV, R1, rec);
	asm_imm(a, ASM_MOV, R2, BPF_RB_NO_WAKEUP);
	asm_call(a, BPF_RINGBUF_SUBMIT);
}

void asm_exit(struct asm_prog *a)
{
	put(a, JMP | EXIT, 0, 0, 0, 0);
}

int asm_end(const struct asm_prog *a, struct err *e)
{
	if (a->error)
		return err_set(e, a->error, a->error == EOVERFLOW ? "the program for the kernel is too large"
								   : "the program for the kernel jumps backwards");
	return a->open ? err_set(e, EINVAL, "the program for the kernel jumps to nowhere") : 0;
}
