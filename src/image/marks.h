/* marks.h - Arm's mapping symbols: from here on there are instructions ($x), or data ($d), among the code. */
#ifndef IMAGE_MARKS_H
#define IMAGE_MARKS_H

#include "base/vec.h"
#include "obj/elf/elf.h"

struct mark {
	uint64_t addr;
	bool is_data;
};

/* A zeroed one has none. */
struct marks {
	VEC(struct mark) v;      /* by address */
};

/* Those of a file; debug: the one with its symbols, or NULL. 0 or -ENOMEM. */
int marks_read(struct marks *m, const struct elf *file, const struct elf *debug);
void marks_deinit(struct marks *m);

/* Do symbols say that a constant lies there, among the code? */
bool marks_is_data(const struct marks *m, uint64_t addr);

#endif
