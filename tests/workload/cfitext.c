/*
 * cfitext.c - the rows of a file's call frame information as lines, to be held against what readelf prints of it:
 *
 *   cfitext FILE     "START END CFA REG=RULE ..." in hex and DWARF's numbers; rules as readelf writes them
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "obj/dwarf/cfi.h"

static void rule(const struct cfi_rule *r)
{
	switch (r->how) {
	case CFI_SAVED:
		printf("c%+lld", (long long)r->off);
		return;
	case CFI_VALUE:
		printf("v%+lld", (long long)r->off);
		return;
	case CFI_REGISTER:
		printf("r%u", r->reg);
		return;
	}
	fputs(r->how == CFI_UNDEFINED ? "u" : r->how == CFI_SAVED_EXPR ? "exp" : "vexp", stdout);
}

static int each(void *arg, const struct cfi_fde *fde)
{
	const struct cfi *c = arg;
	struct cfi_row row;

	for (uint64_t pc = fde->start; pc < fde->end; pc = row.end) {
		if (cfi_row(c, fde, pc, &row, NULL)) {
			printf("%llx broken\n", (unsigned long long)pc);
			return 0;
		}
		printf("%llx %llx ", (unsigned long long)row.start, (unsigned long long)row.end);
		if (row.cfa.how == CFI_VALUE)
			printf("r%u%+lld", row.cfa.reg, (long long)row.cfa.off);
		else
			fputs("exp", stdout);
		for (unsigned i = 0; i < CFI_REGS; i++) {
			if (row.reg[i].how == CFI_SAME)
				continue;
			printf(" %u=", i);
			rule(&row.reg[i]);
		}
		putchar('\n');
	}
	return 0;
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct err e = { 0 };
	struct stat st;
	struct elf f;
	struct cfi c;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "usage: cfitext FILE\n");
		return 2;
	}

	const uint8_t *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED || elf_init(&f, p, (size_t)st.st_size, &e) || cfi_init(&c, &f, &e) ||
	    cfi_each(&c, each, &c, &e)) {
		fprintf(stderr, "cfitext: %s\n", e.text);
		return 1;
	}
	return 0;
}
