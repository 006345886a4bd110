/* The functions of a Go program: all of them, and the lines and frames of some places. */
#include "obj/go/gofunc.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { FUNCS_MAX = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gofuncs g;
	struct gofunc f, found;
	struct gofunc_frame frame;
	struct elf elf;

	if (elf_init(&elf, p, n, NULL) || gofuncs_init(&g, &elf, NULL))
		return 0;
	for (size_t i = 0; i < MIN(g.n, (size_t)FUNCS_MAX); i++) {
		const char *file;
		unsigned line;

		if (!gofuncs_get(&g, i, &f))
			continue;
		if (f.start >= f.end || strlen(f.name) > 4096)
			abort();
		if (gofuncs_find(&g, f.end - 1, &found) && (f.end - 1 < found.start || f.end - 1 >= found.end))
			abort();
		if (gofuncs_frame(&g, f.start + 8, &frame) &&
		    (frame.start > f.start + 8 || frame.depth > GOFUNC_DEPTH_MAX))
			abort();
		if (gofuncs_line(&g, f.start + 4, &file, &line) && (!line || strlen(file) > 4096))
			abort();
	}
	return 0;
}
