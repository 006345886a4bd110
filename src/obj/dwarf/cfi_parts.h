/* cfi_parts.h - entries of call frame information, between the files of cfi.h. */
#ifndef OBJ_DWARF_CFI_PARTS_H
#define OBJ_DWARF_CFI_PARTS_H

#include "obj/dwarf/cfi.h"

/* What all functions of a compilation have in common: its common information entry. */
struct cfi_cie {
	uint64_t off;                 /* UINT64_MAX: none is held */
	uint64_t code_align, ret;     /* ret: the register with the return address */
	int64_t data_align;
	uint8_t encoding, addr_size, segment_size;
	bool sized;                   /* augmentation data has its length in front */
	bool is_signal;
	struct cursor insns;
};

struct cfi_entry {
	uint64_t off, next, cie;      /* cie: the one that this function's entry belongs to */
	bool is_cie;
	struct cursor c;              /* behind the id, up to the entry's end; cur_off is the section's offset */
};

int cfi_broken(struct err *e, uint64_t off, const char *what);   /* -EBADMSG */

/* In an encoding of .eh_frame's (DW_EH_PE_*). s counts from the start of the section; bad: cut, or not known. */
uint64_t cfi_read_pointer(const struct cfi *c, struct cursor *s, uint8_t encoding, unsigned addr_size);

/* The common entry and the instructions of a function. */
int cfi_open_fde(const struct cfi *c, const struct cfi_fde *fde, struct cfi_cie *cie, struct cursor *insns,
		 struct err *e);

#endif
