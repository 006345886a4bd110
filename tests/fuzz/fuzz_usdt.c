/* The notes of an ELF file; and the same bytes as arguments, whose operands are given to both architectures. */
#include "arch/arch.h"
#include "obj/elf/usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void check_operand(const struct arch *a, struct sv s)
{
	struct arch_usdt u;

	a->usdt(s.s, s.n, &u);
	if ((u.kind == ARCH_USDT_REG || u.kind == ARCH_USDT_MEM) && !u.reg)
		abort();
}

static void check_args(struct sv rest)
{
	const char *end = rest.s + rest.n;
	size_t left = rest.n + 1;
	struct usdt_arg a;

	/* The rest grows shorter each time. */
	for (; usdt_next(&rest, &a); left = rest.n) {
		if (rest.n >= left || rest.s + rest.n > end || !a.operand.n)
			abort();
		check_operand(&arch_aarch64, a.operand);
		check_operand(&arch_x86_64, a.operand);
	}
}

static int each(void *arg, const struct usdt *u)
{
	const struct elf *f = arg;
	uint64_t size = (uint64_t)(f->all.end - f->all.start);

	check_args(sv_from(u->args));
	if (!u->name[0] || (!u->semaphore && u->semaphore_offset))
		abort();
	return u->offset > size ? -E2BIG : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	unsigned damaged;
	struct elf f;

	if (n)
		check_args((struct sv){ (const char *)p, n });
	if (!elf_init(&f, p, n, NULL))
		usdt_each(&f, each, &f, &damaged);
	return 0;
}
