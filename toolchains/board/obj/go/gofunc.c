/* gofunc.c - Go's own table is not read: functions have the names of the symbol table. */
#include "obj/go/gofunc.h"

int gofuncs_init(struct gofuncs *g UNUSED, const struct elf *f UNUSED, struct err *e UNUSED)
{
	return -ENODATA;
}

bool gofuncs_get(const struct gofuncs *g UNUSED, size_t i UNUSED, struct gofunc *f UNUSED)
{
	return false;
}

bool gofuncs_frame(const struct gofuncs *g UNUSED, uint64_t pc UNUSED, struct gofunc_frame *frame UNUSED)
{
	return false;
}
