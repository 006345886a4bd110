/*
 * cfi.h - call frame information, .eh_frame and .debug_frame: where functions start, and the canonical frame address
 * (CFA) at an address. Layout: DWARF 5 chapter 6.4 and the Linux Standard Base for .eh_frame.
 */
#ifndef OBJ_DWARF_CFI_H
#define OBJ_DWARF_CFI_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/str.h"
#include "base/str.h"
#include "obj/elf/elf.h"

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

/*
 * 1, 0: none has pc, -errno. The sorted table is believed where its pair and the function's entry agree: linkers put
 * all functions into it, or make none.
 */
int cfi_find(const struct cfi *c, uint64_t pc, struct cfi_fde *fde, struct err *e);

/* Where the value is that a register had in the caller, or the CFA. */
enum cfi_how {
	CFI_SAME,          /* still in it: no rule is given */
	CFI_UNDEFINED,     /* it is lost; of the return address: there is no caller */
	CFI_SAVED,         /* in memory at CFA + off */
	CFI_VALUE,         /* it is CFA + off; the CFA itself: register reg + off */
	CFI_REGISTER,      /* in register reg */
	CFI_SAVED_EXPR,    /* in memory at the address that the expression gives */
	CFI_VALUE_EXPR,    /* it is what the expression gives */
};

struct cfi_rule {
	uint8_t how, reg;        /* DWARF's number */
	uint32_t n;              /* of expressions: bytes of the section from off on */
	int64_t off;
};

/* General registers, sp and the return address, of any architecture here; rules of others are passed over. */
enum { CFI_REGS = 35 };

/* The rules for all of the caller's registers. */
struct cfi_row {
	uint64_t start, end;     /* of code in which it holds, end exclusive */
	struct cfi_rule cfa;     /* CFI_VALUE or CFI_VALUE_EXPR */
	struct cfi_rule reg[CFI_REGS];
	uint8_t ret;             /* the register with the return address */
	bool is_signal;          /* the caller is what a signal interrupted: its pc is no return address */
	bool is_signed;          /* the return address has a pointer authentication code */
};

/* That of pc, in the function's code. -EBADMSG, also for an instruction that is not known. */
int cfi_row(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row, struct err *e);

/* The bytes of a rule's expression. */
struct sv cfi_expression(const struct cfi *c, const struct cfi_rule *r);

#endif
