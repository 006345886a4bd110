/* disasm_sys.c - system registers, system instructions and barriers by their names. */
#include "arch/aarch64/disasm.h"

#define SYSREG(number, name) 0x8000 | number,
static const uint16_t register_numbers[] = {
#include "arch/aarch64/sysreg.def"
#include "arch/aarch64/sysreg_more.def"
};
#undef SYSREG
#define SYSREG(number, name) name "\0"
static const char register_names[] =
#include "arch/aarch64/sysreg.def"
#include "arch/aarch64/sysreg_more.def"
	;
#undef SYSREG

#define SYSOP(number, text) { number, text },
static const struct {
	uint16_t number;
	const char *text;
} operations[] = {
#include "arch/aarch64/sysop.def"
};
#undef SYSOP

/* The name of a system register, or the generic form s3_0_c1_c2_3. */
static bool put_register_name(struct line *l)
{
	const char *name = register_names;

	for (size_t i = 0; i < ARRAY_SIZE(register_numbers); i++, name += strlen(name) + 1) {
		if (register_numbers[i] != bits(l, 20, 5))
			continue;
		/* This number is another register when written. */
		put_text(l, strcmp(name, "dbgdtrrx_el0") || bits(l, 21, 21) ? name : "dbgdtrtx_el0");
		return true;
	}
	put_char(l, 's');
	put_dec(l, bits(l, 20, 19));
	put_char(l, '_');
	put_dec(l, bits(l, 18, 16));
	put_text(l, "_c");
	put_dec(l, bits(l, 15, 12));
	put_text(l, "_c");
	put_dec(l, bits(l, 11, 8));
	put_char(l, '_');
	put_dec(l, bits(l, 7, 5));
	return true;
}

static bool put_operation(struct line *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (operations[i].number == bits(l, 18, 5))
			return put_expanded(l, operations[i].text);
	return false;
}

static bool put_numbers(struct line *l)
{
	put_num(l, bits(l, 18, 16));
	put_text(l, ", C");
	put_dec(l, bits(l, 15, 12));
	put_text(l, ", C");
	put_dec(l, bits(l, 11, 8));
	put_sep(l);
	put_num(l, bits(l, 7, 5));
	return true;
}

static bool put_barrier(struct line *l)
{
	static const char names[][6] = {
		"", "oshld", "oshst", "osh", "", "nshld", "nshst", "nsh",
		"", "ishld", "ishst", "ish", "", "ld", "st", "sy",
	};
	unsigned crm = bits(l, 11, 8);

	if (*names[crm]) {
		put_text(l, names[crm]);
		return true;
	}
	put_text(l, "#0x");
	put_zero_hex(l, crm, 2);
	return true;
}

static bool put_xs_barrier(struct line *l)
{
	static const char names[][4] = { "osh", "nsh", "ish", "sy" };

	put_text(l, names[bits(l, 11, 10)]);
	put_text(l, "nxs");
	return true;
}

/* MSR (immediate): the PSTATE field by op1:op2, and its new value CRm. */
static bool put_pstate(struct line *l)
{
	static const struct {
		uint8_t op;
		uint8_t max;
		const char *name;
	} fields[] = {
		{ 0003, 1, "uao" }, { 0004, 1, "pan" }, { 0005, 1, "spsel" }, { 0031, 1, "ssbs" }, { 0032, 1, "dit" },
		{ 0034, 1, "tco" }, { 0036, 15, "daifset" }, { 0037, 15, "daifclr" },
	};
	unsigned op = bits(l, 18, 16) << 3 | bits(l, 7, 5), crm = bits(l, 11, 8);

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (fields[i].op != op || crm > fields[i].max)
			continue;
		put_text(l, fields[i].name);
		put_sep(l);
		put_imm(l, crm);
		return true;
	}
	if (op == 0010 && crm < 2) {
		put_text(l, "allint, ");
		put_imm(l, crm);
		return true;
	}
	return false;
}

bool disasm_system(struct line *l, char what)
{
	switch (what) {
	case 'r':
		return put_register_name(l);
	case 's':
		return put_operation(l);
	case 'y':
		return put_numbers(l);
	case 'b':
		return put_barrier(l);
	case 'x':
		return put_xs_barrier(l);
	case 'p':
		return put_pstate(l);
	case 'n':
		put_imm(l, bits(l, 11, 5));
		return true;
	default:
		put_imm(l, bits(l, 11, 8));
		return true;
	}
}
