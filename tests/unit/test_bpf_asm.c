/* bpf/asm: instructions as the standard has them, labels, and the bounds that keep programs harmless. */
#include "bpf/asm.h"
#include "bpf_machine.h"

static struct asm_prog a;

static void check_insn(unsigned at, uint64_t want)
{
	uint64_t got;

	memcpy(&got, &a.v[at], 8);
	CHECK_SAY(got == want, "instruction %u is %016llx, not %016llx", at, (unsigned long long)got,
		  (unsigned long long)want);
}

/* Bytes as the kernel's own samples and its documentation have them. */
TEST(bpf_instructions_are_the_standards)
{
	int16_t slot;

	asm_init(&a);
	asm_imm(&a, ASM_MOV, R0, 7);
	asm_reg(&a, ASM_MOV, R6, R1);
	asm_reg(&a, ASM_ADD, R2, R10);
	asm_imm(&a, ASM_RSH, R3, 32);
	asm_load(&a, ASM_8, R1, R6, 264);
	asm_load(&a, ASM_4, R4, R6, 16);
	slot = asm_slot(&a);
	CHECK_EQ(slot, -8);
	asm_store(&a, ASM_8, R10, slot, R1);
	asm_add_to(&a, R7, 8, R1);
	asm_map(&a, R1, 3);
	asm_call(&a, BPF_LOOKUP_ELEM);
	asm_exit(&a);
	check_insn(0, 0x00000007000000b7);
	check_insn(1, 0x00000000000016bf);
	check_insn(2, 0x000000000000a20f);
	check_insn(3, 0x0000002000000377);
	check_insn(4, 0x0000000001086179);
	check_insn(5, 0x0000000000106461);
	check_insn(6, 0x00000000fff81a7b);
	check_insn(7, 0x00000000000817db);
	check_insn(8, 0x0000000300001118);
	check_insn(9, 0);
	check_insn(10, 0x0000000100000085);
	check_insn(11, 0x0000000000000095);
	CHECK_EQ(asm_end(&a, NULL), 0);
}

TEST(bpf_constants_take_what_they_need)
{
	asm_init(&a);
	asm_mov64(&a, R1, (uint64_t)-5);
	asm_mov64(&a, R2, 0xffffffff);
	CHECK_EQ(a.n, 3);
	check_insn(0, 0xfffffffb000001b7);
	check_insn(1, 0xffffffff00000218);
	check_insn(2, 0);
}

TEST(bpf_jumps_meet_their_label)
{
	struct asm_label out = { 0 }, never = { 0 };

	asm_init(&a);
	asm_jump_imm(&a, ASM_JEQ, R1, 1, &out);
	asm_jump_reg(&a, ASM_JGT, R1, R2, &out);
	asm_jump(&a, &out);
	asm_imm(&a, ASM_MOV, R0, 0);
	asm_here(&a, &out);
	asm_here(&a, &never);
	asm_exit(&a);
	check_insn(0, 0x0000000100030115);
	check_insn(1, 0x000000000002212d);
	check_insn(2, 0x0000000000010005);
	CHECK_EQ(asm_end(&a, NULL), 0);
}

TEST(bpf_what_is_not_straight_is_no_program)
{
	struct asm_label here = { 0 }, nowhere = { 0 };
	struct err e = { 0 };

	asm_init(&a);
	asm_here(&a, &here);
	asm_jump(&a, &here);
	CHECK_EQ(asm_end(&a, &e), -EINVAL);
	asm_init(&a);
	asm_jump(&a, &nowhere);
	CHECK_EQ(asm_end(&a, &e), -EINVAL);
	CHECK_STR(e.text, "the program for the kernel jumps to nowhere");
}

TEST(bpf_stack_is_seven_slots)
{
	asm_init(&a);
	for (int i = 1; i <= 7; i++)
		CHECK_EQ(asm_slot(&a), -8 * i);
	CHECK_EQ(a.stack, 56);
	CHECK_EQ(asm_end(&a, NULL), 0);
	asm_slot(&a);
	CHECK_EQ(asm_end(&a, NULL), -EOVERFLOW);
	asm_init(&a);
	asm_store(&a, ASM_8, R10, -8, R1);
	CHECK_EQ(asm_end(&a, NULL), -EOVERFLOW);
	asm_init(&a);
	asm_slot(&a);
	asm_load(&a, ASM_8, R1, R10, 0);
	CHECK_EQ(asm_end(&a, NULL), -EOVERFLOW);
}

TEST(bpf_programs_have_a_bound)
{
	struct err e = { 0 };

	asm_init(&a);
	for (int i = 0; i < ASM_INSNS; i++)
		asm_imm(&a, ASM_ADD, R1, 1);
	CHECK_EQ(asm_end(&a, &e), 0);
	asm_imm(&a, ASM_ADD, R1, 1);
	CHECK_EQ(a.n, ASM_INSNS);
	CHECK_EQ(asm_end(&a, &e), -EOVERFLOW);
}

static uint64_t no_call(struct bpf_machine *m UNUSED, int helper UNUSED, bool *bad)
{
	*bad = true;
	return 0;
}

/* The machine that judges programs elsewhere, on one that is known. */
TEST(bpf_machine_runs_a_program)
{
	static struct bpf_machine m = { .call = no_call };
	uint64_t ctx[2] = { 40, 2 };
	struct asm_label small = { 0 };
	int16_t slot;

	machine_memory(&m, ctx, sizeof(ctx));
	asm_init(&a);
	slot = asm_slot(&a);
	asm_load(&a, ASM_8, R2, R1, 0);
	asm_store(&a, ASM_8, R10, slot, R2);
	asm_load(&a, ASM_8, R3, R1, 8);
	asm_address(&a, R4, slot);
	asm_add_to(&a, R4, 0, R3);
	asm_load(&a, ASM_8, R0, R10, slot);
	asm_jump_imm(&a, ASM_JLT, R0, 42, &small);
	asm_imm(&a, ASM_ADD, R0, 1000);
	asm_here(&a, &small);
	asm_exit(&a);
	CHECK_EQ(asm_end(&a, NULL), 0);
	CHECK_EQ(machine_run(&m, a.v, a.n, ctx), 1042);
	CHECK_EQ(m.deepest, 8);
	ctx[0] = 1;
	CHECK_EQ(machine_run(&m, a.v, a.n, ctx), 3);
}
