/*
 * cfi_index.h - the functions of a section that has no table of its own, in order: .debug_frame, and .eh_frame of
 * linkers that make none.
 */
#ifndef OBJ_DWARF_CFI_INDEX_H
#define OBJ_DWARF_CFI_INDEX_H

#include "base/vec.h"
#include "obj/dwarf/cfi.h"

/* Zeroed: of nothing. */
struct cfi_index {
	VEC(struct cfi_fde) functions;
};

/* What stands in front of a broken entry is in it. 0 or -ENOMEM. */
int cfi_index_init(struct cfi_index *x, const struct cfi *c);
void cfi_index_deinit(struct cfi_index *x);

bool cfi_index_find(const struct cfi_index *x, uint64_t pc, struct cfi_fde *fde);

#endif
