/* marks.h - Arm's mapping symbols: instructions ($x) or data ($d) start here, within code sections. */
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
	VEC(struct mark) v;      /* sorted by address */
};

/* Read the marks of a file; debug: its debug file with symbols, or NULL. 0 or -ENOMEM. */
int marks_read(struct marks *m, const struct elf *file, const struct elf *debug);
void marks_deinit(struct marks *m);

/* Is the address marked as data? */
bool marks_is_data(const struct marks *m, uint64_t addr);

#endif
