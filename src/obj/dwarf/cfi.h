/*
 * cfi.h - call frame information, .eh_frame and .debug_frame: extents of functions, and the unwinding rules at an
 * address, based on the canonical frame address (CFA). Layout: DWARF 5 chapter 6.4; for .eh_frame the Linux Standard
 * Base.
 */
#ifndef OBJ_DWARF_CFI_H
#define OBJ_DWARF_CFI_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/str.h"
#include "obj/elf/elf.h"

struct cfi {
	struct cursor bytes;     /* of the section */
	uint64_t addr;           /* virtual address of the section */
	bool is_eh;              /* .eh_frame; else .debug_frame */
	bool is64;
	uint16_t machine;
	uint64_t text, data;     /* bases of DW_EH_PE_textrel and _datarel */
	struct cursor table;     /* the sorted table of .eh_frame_hdr; empty: none, search linearly */
	uint64_t table_addr;     /* base of its relative addresses */
	const struct mapped *file;   /* holes of the file, or NULL */
};

/* Open the .eh_frame of a file, by PT_GNU_EH_FRAME if there are no section headers. -ENODATA: none. */
int cfi_init(struct cfi *c, const struct elf *f, struct err *e);

struct cfi_fde {
	uint64_t start, end;     /* code, end exclusive */
	uint64_t off;            /* in the section */
};

/*
 * Call `each` for all FDEs until it returns non-zero, which is passed on. In .debug_frame those of functions that the
 * linker discarded may remain, at address 0.
 */
int cfi_each(const struct cfi *c, int (*each)(void *arg, const struct cfi_fde *fde), void *arg, struct err *e);

/*
 * Find the FDE of pc: 1, 0: none, -errno. If an entry of the sorted table agrees with its FDE the table is trusted to
 * be complete: linkers put all functions into it, or make none.
 */
int cfi_find(const struct cfi *c, uint64_t pc, struct cfi_fde *fde, struct err *e);

/* Where to find the caller's value of a register, or the CFA. */
enum cfi_how {
	CFI_SAME,          /* still in the register: there is no rule */
	CFI_UNDEFINED,     /* lost; for the return address: there is no caller */
	CFI_SAVED,         /* in memory at CFA + off */
	CFI_VALUE,         /* the value is CFA + off; of the CFA itself: register reg + off */
	CFI_REGISTER,      /* in register reg */
	CFI_SAVED_EXPR,    /* in memory at the address that an expression yields */
	CFI_VALUE_EXPR,    /* the value is what an expression yields */
};

struct cfi_rule {
	uint8_t how, reg;        /* reg: DWARF's number */
	uint32_t n;              /* of expressions: number of bytes, at off in the section */
	int64_t off;
};

/* General registers, sp and the return address of all architectures here; rules of other registers are skipped. */
enum { CFI_REGS = 35 };

/* The rules for all registers of the caller. */
struct cfi_row {
	uint64_t start, end;     /* code in which they hold, end exclusive */
	struct cfi_rule cfa;     /* CFI_VALUE or CFI_VALUE_EXPR */
	struct cfi_rule reg[CFI_REGS];
	uint8_t ret;             /* DWARF number of the return address' register */
	bool is_signal;          /* signal frame: the caller was interrupted, its pc is not a return address */
	bool is_signed;          /* the return address has a PAC */
};

/* The rules at pc, which the FDE covers. -EBADMSG, also for an unknown instruction. */
int cfi_row(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row, struct err *e);

/* The bytes of a rule's expression. */
struct sv cfi_expression(const struct cfi *c, const struct cfi_rule *r);

#endif
