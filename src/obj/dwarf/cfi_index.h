/*
 * cfi_index.h - a sorted table of the FDEs in a section that has none: .debug_frame, and .eh_frame of linkers that make
 * no .eh_frame_hdr.
 */
#ifndef OBJ_DWARF_CFI_INDEX_H
#define OBJ_DWARF_CFI_INDEX_H

#include "base/vec.h"
#include "obj/dwarf/cfi.h"

/* Zeroed: an empty table. */
struct cfi_index {
	VEC(struct cfi_fde) functions;
};

/* A malformed entry ends the table. 0 or -ENOMEM. */
int cfi_index_init(struct cfi_index *x, const struct cfi *c);
void cfi_index_deinit(struct cfi_index *x);

bool cfi_index_find(const struct cfi_index *x, uint64_t pc, struct cfi_fde *fde);

#endif
