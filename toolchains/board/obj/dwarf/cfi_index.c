/* cfi_index.c - nothing is in one: call frame information is not read. */
#include "obj/dwarf/cfi_index.h"

void cfi_index_deinit(struct cfi_index *x UNUSED)
{
}
