/*
 * Call frame information: the bytes are .eh_frame, .debug_frame, and an ELF file with its table. Whatever has a
 * function is found again by address, or another one that has the same address.
 */
#include "obj/dwarf/cfi.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { FUNCTIONS_MAX = 32 };

struct seen {
	const struct cfi *c;
	unsigned n;
};

/* A row holds the place that it was asked for, and expressions are in the section. */
static void look_at_row(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc)
{
	struct cfi_row row;

	if (cfi_row(c, fde, pc, &row, NULL))
		return;
	if (row.start > pc || row.end <= pc)
		abort();
	for (unsigned i = 0; i < CFI_REGS; i++)
		if (row.reg[i].how >= CFI_SAVED_EXPR)
			cfi_expression(c, &row.reg[i]);
}

static int each(void *arg, const struct cfi_fde *fde)
{
	struct seen *s = arg;
	struct cfi_fde found;

	if (fde->start >= fde->end)
		abort();
	look_at_row(s->c, fde, fde->start);
	look_at_row(s->c, fde, fde->end - 1);
	switch (cfi_find(s->c, fde->start, &found, NULL)) {
	case 1:
		if (found.start > fde->start || found.end <= fde->start)
			abort();
		break;
	default:
		/* A table may leave out what is there. */
		if (!cur_left(&s->c->table))
			abort();
	}
	return ++s->n == FUNCTIONS_MAX;
}

static void look(const struct cfi *c)
{
	struct cfi_fde fde;

	cfi_each(c, each, &(struct seen){ c, 0 }, NULL);
	cfi_find(c, 0x1000, &fde, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cfi c = { .bytes = cur_from(p, n), .addr = 0x1000, .is_eh = true, .is64 = true };
	struct elf f;

	look(&c);
	c.is_eh = false;
	look(&c);
	c.is64 = false;
	c.bytes.swap = true;
	look(&c);
	if (!elf_init(&f, p, n, NULL) && !cfi_init(&c, &f, NULL))
		look(&c);
	return 0;
}
