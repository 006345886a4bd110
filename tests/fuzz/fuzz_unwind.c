/*
 * A stack: the bytes are registers, what lies on the stack, then .eh_frame; and once more all of them an expression. It
 * ends, within the frames that there is room for.
 */
#include "unwind/expr.h"
#include "unwind/scan.h"
#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { REGS = 8, WORDS = 32, STACK = 0x7000, FRAMES = 64 };

struct process {
	struct module module;
	uint64_t stack[WORDS];
};

static bool read_word(void *arg, uint64_t addr, uint64_t *v)
{
	struct process *p = arg;

	if (addr % 8 || addr < STACK || addr >= STACK + sizeof(p->stack))
		return false;
	*v = p->stack[(addr - STACK) / 8];
	return true;
}

static bool code_at(void *arg, uint64_t pc, struct unwind_code *code)
{
	struct process *p = arg;

	*code = (struct unwind_code){ pc & 0x8000 ? NULL : &p->module, 0 };
	return pc < 0x10000;
}

static void follow(const struct arch *arch, struct process *p, const struct unwind_regs *regs)
{
	struct unwind_process how = { read_word, code_at, p };
	struct unwind *u = unwind_new(arch);
	struct unwind_frame f[FRAMES];
	enum unwind_end end;
	size_t got = u ? unwind_stack(u, &how, regs, f, FRAMES, &end) : 1;

	if (!got || got > FRAMES || (u && (got == FRAMES) != (end == UNWIND_FULL)))
		abort();
	if (u)
		unwind_caller_in_lr(u, &p->module, regs->pc);
	unwind_free(u);
}

/* As code of a function, and of whatever is around a place. */
static void look_at_code(const uint8_t *p, size_t n)
{
	struct scan_regs regs = { 31, 30 };
	struct cfi_row row;

	for (unsigned i = 0; i < 4; i++) {
		struct scan_code c = { p, n / 4 * i, n - n / 4 * i, i % 2 };

		if (scan_row(&arch_aarch64, &c, regs, &row) &&
		    (row.cfa.off <= 0 || row.reg[30].how != CFI_SAVED || row.reg[30].off >= 0 ||
		     row.reg[30].off < -row.cfa.off))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct process pr;
	struct unwind_regs regs = { 0 };
	struct cursor c = cur_from(p, n);
	struct unwind_expr x = {
		.code = { (const char *)p, n }, .addr_size = 8, .regs = &regs, .read = read_word, .arg = &pr,
	};
	uint64_t v;

	regs.pc = cur_u16(&c);
	for (unsigned i = 0; i < REGS; i++)
		unwind_reg_set(&regs, i < 4 ? 28 + i : i, cur_u16(&c));
	for (unsigned i = 0; i < WORDS; i++)
		pr.stack[i] = cur_u16(&c);
	pr.module = (struct module){
		.has_frames = { true, true }, .no_frames = { false, true }, .has_functions = true,
		.frames[0] = {
			.bytes = cur_from(c.pos, cur_left(&c)), .addr = 0x1000, .is_eh = true, .is64 = true,
			.machine = ELF_AARCH64,
		},
	};
	follow(&arch_aarch64, &pr, &regs);
	follow(&arch_x86_64, &pr, &regs);
	for (enum module_frames i = 0; i < MODULE_FRAMES; i++)
		cfi_index_deinit(&pr.module.index[i]);
	unwind_expr(&x, &v);
	look_at_code(p, n);
	return 0;
}
