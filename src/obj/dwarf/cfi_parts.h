/* cfi_parts.h - entries of call frame information, shared by obj/cfi*.c. */
#ifndef OBJ_DWARF_CFI_PARTS_H
#define OBJ_DWARF_CFI_PARTS_H

#include "obj/dwarf/cfi.h"

/* Common information entry (CIE): what the functions of a compilation share. */
struct cfi_cie {
	uint64_t off;                 /* UINT64_MAX: the struct is empty */
	uint64_t code_align, ret;     /* ret: DWARF number of the return address' register */
	int64_t data_align;
	uint8_t encoding, addr_size, segment_size;
	bool sized;                   /* augmentation data are preceded by their length */
	bool is_signal;
	struct cursor insns;
};

struct cfi_entry {
	uint64_t off, next, cie;      /* cie: offset of the CIE that an FDE refers to */
	bool is_cie;
	struct cursor c;              /* from behind the id to the entry's end; cur_off is relative to the section */
};

int cfi_broken(struct err *e, uint64_t off, const char *what);   /* -EBADMSG */

/* Read a pointer encoded as DW_EH_PE_*. s counts from the start of the section; sets bad when truncated or unknown. */
uint64_t cfi_read_pointer(const struct cfi *c, struct cursor *s, uint8_t encoding, unsigned addr_size);

/* The CIE and the instructions of an FDE. */
int cfi_open_fde(const struct cfi *c, const struct cfi_fde *fde, struct cfi_cie *cie, struct cursor *insns,
		 struct err *e);

#endif
