/*
 * scantext.c - what the code alone tells of frames, held against a file's call frame information:
 *
 *   scantext FILE    at each fourth instruction where the return address is on the stack and the frame address follows
 *                    the stack pointer: "SAME N OTHER N NONE N", and the same at each sixteenth one without telling
 *                    where its function begins; those that differ in a line before it
 *
 * SAME: frame and return address are those of the rules; NONE: the code was not understood.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind/scan.h"

enum { SP = 31, LR = 30, SHOWN = 20 };

struct counts {
	unsigned long same, other, none;
};

struct work {
	const struct cfi *cfi;
	const struct elf *elf;
	struct counts known, found;    /* where the function begins */
};

static void compare(struct counts *n, const struct cfi_row *want, const struct scan_code *c, uint64_t pc)
{
	struct cfi_row got;

	if (!scan_row(&arch_aarch64, c, (struct scan_regs){ SP, LR }, &got)) {
		n->none++;
		return;
	}
	if (got.cfa.off == want->cfa.off && got.reg[LR].off == want->reg[LR].off) {
		n->same++;
		return;
	}
	if (n->other++ < SHOWN)
		printf("%llx: frame at sp+%lld, return address %lld, not sp+%lld, %lld\n", (unsigned long long)pc,
		       (long long)got.cfa.off, (long long)got.reg[LR].off, (long long)want->cfa.off,
		       (long long)want->reg[LR].off);
}

static void at_pc(struct work *w, const struct cfi_row *want, uint64_t start, uint64_t pc)
{
	enum { BEFORE = 4096 };
	struct cursor code = elf_data_at(w->elf, start), around = elf_data_at(w->elf, pc - BEFORE);
	struct scan_code c = { code.pos, (size_t)(pc - start), 0, true };

	if (code.bad || pc - start > cur_left(&code))
		return;
	compare(&w->known, want, &c, pc);
	if (pc / 4 % 16 > 3 || around.bad || cur_left(&around) <= BEFORE)
		return;
	c = (struct scan_code){ around.pos, BEFORE, MIN(cur_left(&around) - BEFORE, (size_t)BEFORE), false };
	compare(&w->found, want, &c, pc);
}

static int each(void *arg, const struct cfi_fde *fde)
{
	struct work *w = arg;
	struct cfi_row row;

	for (uint64_t pc = fde->start; pc < fde->end; pc = row.end) {
		if (cfi_row(w->cfi, fde, pc, &row, NULL) || row.end <= pc)
			return 0;
		if (row.cfa.how != CFI_VALUE || row.cfa.reg != SP || row.reg[LR].how != CFI_SAVED)
			continue;
		for (uint64_t at = pc; at < MIN(row.end, fde->end); at += 16)
			at_pc(w, &row, fde->start, at);
	}
	return 0;
}

static void tell(const struct counts *n)
{
	printf("SAME %lu OTHER %lu NONE %lu ", n->same, n->other, n->none);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct err e = { 0 };
	struct stat st;
	struct elf f;
	struct cfi c;
	struct work w = { .cfi = &c, .elf = &f };

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "usage: scantext FILE\n");
		return 2;
	}

	const uint8_t *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED || elf_init(&f, p, (size_t)st.st_size, &e) || cfi_init(&c, &f, &e) ||
	    cfi_each(&c, each, &w, &e)) {
		fprintf(stderr, "scantext: %s\n", e.text);
		return 1;
	}
	tell(&w.known);
	tell(&w.found);
	putchar('\n');
	return 0;
}
