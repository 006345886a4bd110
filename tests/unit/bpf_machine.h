/*
 * bpf_machine.h - a machine that runs BPF programs, from the standard's text. Memory is what it was given: an access
 * anywhere else, to a register without a value, or a jump out of the program fails the test. Helpers are the test's.
 */
#ifndef TESTS_BPF_MACHINE_H
#define TESTS_BPF_MACHINE_H

#include "abi/bpf.h"
#include "t.h"

/* KERNEL: in front of the id of a function of the kernel's, which the test is asked for as for a helper. */
enum { MACHINE_STEPS = 4096, MACHINE_KERNEL = 1 << 16 };

struct bpf_machine {
	uint64_t r[11];
	unsigned known;                  /* registers that have a value */
	uint8_t stack[512];
	struct { const uint8_t *p; size_t n; } memory[8];
	size_t n_memory;
	unsigned steps, deepest;
	/* What a call returns; -1 by bad: it is none of those that the test knows. */
	uint64_t (*call)(struct bpf_machine *m, int helper, bool *bad);
	void *arg;
};

static inline void machine_memory(struct bpf_machine *m, const void *p, size_t n)
{
	m->memory[m->n_memory].p = p;
	m->memory[m->n_memory++].n = n;
}

static inline void *machine_at(struct bpf_machine *m, uint64_t addr, size_t n)
{
	uint64_t top = (uintptr_t)m->stack + sizeof(m->stack);

	if (addr >= (uintptr_t)m->stack && n <= top - addr && addr < top) {
		m->deepest = MAX(m->deepest, (unsigned)(top - addr));
		return (void *)(uintptr_t)addr;
	}
	for (size_t i = 0; i < m->n_memory; i++) {
		uint64_t from = (uintptr_t)m->memory[i].p;

		if (addr >= from && n <= m->memory[i].n && addr - from <= m->memory[i].n - n)
			return (void *)(uintptr_t)addr;
	}
	CHECK_SAY(false, "an access to %zu bytes at 0x%llx, which nobody gave", n, (unsigned long long)addr);
	exit(1);
}

static inline uint64_t machine_load(struct bpf_machine *m, unsigned op, uint64_t addr)
{
	uint64_t v = 0;
	size_t n = (op & 0x18) == 0x18 ? 8 : (op & 0x18) == 0x10 ? 1 : (op & 0x18) == 0x08 ? 2 : 4;

	memcpy(&v, machine_at(m, addr, n), n);
	return v;
}

static inline void machine_store(struct bpf_machine *m, unsigned op, uint64_t addr, uint64_t v)
{
	size_t n = (op & 0x18) == 0x18 ? 8 : (op & 0x18) == 0x10 ? 1 : (op & 0x18) == 0x08 ? 2 : 4;

	memcpy(machine_at(m, addr, n), &v, n);
}

static inline uint64_t machine_alu(unsigned op, uint64_t a, uint64_t b)
{
	switch (op & 0xf0) {
	case 0x00: return a + b;
	case 0x10: return a - b;
	case 0x20: return a * b;
	case 0x30: return b ? a / b : 0;
	case 0x40: return a | b;
	case 0x50: return a & b;
	case 0x60: return a << (b & 63);
	case 0x70: return a >> (b & 63);
	case 0x90: return b ? a % b : a;
	case 0xa0: return a ^ b;
	case 0xb0: return b;
	case 0xc0: return (uint64_t)((int64_t)a >> (b & 63));
	default: CHECK_SAY(false, "unknown arithmetic 0x%x", op); return 0;
	}
}

static inline bool machine_test(unsigned op, uint64_t a, uint64_t b)
{
	switch (op & 0xf0) {
	case 0x00: return true;
	case 0x10: return a == b;
	case 0x20: return a > b;
	case 0x30: return a >= b;
	case 0x40: return (a & b) != 0;
	case 0x50: return a != b;
	case 0x60: return (int64_t)a > (int64_t)b;
	case 0x70: return (int64_t)a >= (int64_t)b;
	case 0xa0: return a < b;
	case 0xb0: return a <= b;
	case 0xc0: return (int64_t)a < (int64_t)b;
	case 0xd0: return (int64_t)a <= (int64_t)b;
	default: CHECK_SAY(false, "unknown jump 0x%x", op); return false;
	}
}

static inline uint64_t machine_value(struct bpf_machine *m, unsigned reg)
{
	CHECK_SAY(reg < 11 && m->known >> reg & 1, "register %u has no value", reg);
	return reg < 11 ? m->r[reg] : 0;
}

static inline void machine_set(struct bpf_machine *m, unsigned reg, uint64_t v)
{
	CHECK_SAY(reg < 10, "register %u is written", reg);
	m->r[MIN(reg, 10u)] = v;
	m->known |= 1u << MIN(reg, 10u);
}

static inline void machine_helper(struct bpf_machine *m, int helper)
{
	bool bad = false;
	uint64_t v = m->call(m, helper, &bad);

	CHECK_SAY(!bad, "helper %d was called", helper);
	m->known &= ~0x3eu;
	machine_set(m, 0, v);
}

/* One instruction; where the next is. */
static inline size_t machine_step(struct bpf_machine *m, const struct bpf_insn *v, size_t at)
{
	const struct bpf_insn *i = &v[at];
	unsigned to = i->regs & 15, from = i->regs >> 4, class = i->op & 7;
	uint64_t imm = (uint64_t)(int64_t)i->imm;

	if (i->op == 0x18) {
		machine_set(m, to, (uint32_t)i->imm | (uint64_t)(uint32_t)v[at + 1].imm << 32);
		return at + 2;
	}
	if (i->op == 0x85) {
		machine_helper(m, (from == BPF_CALL_KERNEL ? MACHINE_KERNEL : 0) + i->imm);
	} else if (class == 7) {
		uint64_t b = i->op & 8 ? machine_value(m, from) : imm;

		machine_set(m, to, machine_alu(i->op, (i->op & 0xf0) == 0xb0 ? 0 : machine_value(m, to), b));
	} else if (class == 1) {
		machine_set(m, to, machine_load(m, i->op, machine_value(m, from) + (uint64_t)(int64_t)i->off));
	} else if (class == 3) {
		uint64_t addr = machine_value(m, to) + (uint64_t)(int64_t)i->off, b = machine_value(m, from);
		bool adds = (i->op & 0xe0) == 0xc0;

		CHECK(!adds || !i->imm);
		machine_store(m, i->op, addr, adds ? machine_load(m, i->op, addr) + b : b);
	} else if (class == 5) {
		uint64_t a = i->op & 0xf0 ? machine_value(m, to) : 0;
		uint64_t b = i->op & 8 ? machine_value(m, from) : imm;

		CHECK_SAY(i->off >= 0, "a jump backwards");
		return at + 1 + (machine_test(i->op, a, b) ? (size_t)i->off : 0);
	} else {
		CHECK_SAY(false, "unknown instruction 0x%x", i->op);
	}
	return at + 1;
}

/* From its first instruction to its end: what it returns. */
static inline uint64_t machine_run(struct bpf_machine *m, const struct bpf_insn *v, size_t n, const void *ctx)
{
	m->known = 0;
	machine_set(m, 1, (uintptr_t)ctx);
	m->r[10] = (uintptr_t)m->stack + sizeof(m->stack);
	m->known |= 1u << 10;
	memset(m->stack, 0x5a, sizeof(m->stack));
	for (size_t at = 0; at < n && m->steps++ < MACHINE_STEPS; at = machine_step(m, v, at))
		if (v[at].op == 0x95)
			return machine_value(m, 0);
	CHECK_SAY(false, "the program has no end");
	return 0;
}

#endif
