/*
 * cfi.h - call frame information, .eh_frame and .debug_frame: where functions start, and the canonical frame address
 * (CFA) at an address. Layout: DWARF 5 chapter 6.4 and the Linux Standard Base for .eh_frame.
 */
#ifndef OBJ_CFI_H
#define OBJ_CFI_H

#include "base/cursor.h"
#include "base/err.h"
#include "obj/elf.h"

struct cfi {
	struct cursor bytes;     /* of the section */
	uint64_t addr;           /* where the section is in the file's address space */
	bool is_eh;              /* .eh_frame; else .debug_frame */
	bool is64;
	uint16_t machine;
	uint64_t text, data;     /* bases of DW_EH_PE_textrel and _datarel */
	struct cursor table;     /* the sorted pairs of .eh_frame_hdr; empty: none, what is asked is searched */
	uint64_t table_addr;     /* that they are relative to */
	const struct mapped *file;   /* it is of, or NULL */
};

/* .eh_frame of a file, also of one without section headers (through PT_GNU_EH_FRAME). -ENODATA: none. */
int cfi_init(struct cfi *c, const struct elf *f, struct err *e);

struct cfi_fde {
	uint64_t start, end;     /* code, end exclusive */
	uint64_t off;            /* in the section */
};

/*
 * All of them, until `each` returns non-zero, which is passed on. In .debug_frame those of functions that the linker
 * threw away may be among them, at 0.
 */
int cfi_each(const struct cfi *c, int (*each)(void *arg, const struct cfi_fde *fde), void *arg, struct err *e);

/* 1, 0: none has pc, -errno. */
int cfi_find(const struct cfi *c, uint64_t pc, struct cfi_fde *fde, struct err *e);

/* CFA = register + off, in DWARF's numbers. -EOPNOTSUPP: it is an expression. */
struct cfi_cfa {
	unsigned reg;
	int64_t off;
};

int cfi_cfa(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc, struct cfi_cfa *cfa, struct err *e);

#endif
