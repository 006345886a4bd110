/*
 * dwarf.h - debug information, DWARF 2 to 5 and GNU's extensions: compilation units, entries ("die"), functions and
 * their inlined instances, variables, types.
 *
 * Works on borrowed, untrusted bytes: the file mapped whole. Compressed sections are unpacked when they are first
 * used. Offsets are kept, not copies; what is found is a small handle by value. Memory follows what is asked for: a
 * function is found by the number of its name in .debug_str, without reading all units, so that vmlinux is searched in
 * the time of reading it once.
 *
 * Relocatable files (kernel modules): sections have no addresses yet, so an address here is the number of its section
 * in the file, times 1 << DWARF_REL_SHIFT, plus the offset in it. Relocations of aarch64 and x86_64 are applied to
 * copies.
 *
 * Every count, depth and chain of references is bounded; hostile input ends in -EBADMSG.
 * Specifications: DWARF 2.0.0, 3, 4, 5; split DWARF (.dwo, .dwp), .gnu_debugaltlink.
 */
#ifndef OBJ_DWARF_DWARF_H
#define OBJ_DWARF_DWARF_H

#include "base/cursor.h"
#include "obj/dwarf/loc.h"
#include "obj/elf/elf.h"
#include "obj/types/ctype.h"

struct cfi;
struct dwarf;
struct dwarf_abbrevs;
struct dwarf_file;

enum dwarf_section {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_LINE, DWARF_LINE_STR, DWARF_ADDR, DWARF_STR_OFFSETS, DWARF_RANGES,
	DWARF_RNGLISTS, DWARF_LOC, DWARF_LOCLISTS, DWARF_TYPES, DWARF_ARANGES, DWARF_FRAME, DWARF_SECTIONS,
};

enum { DWARF_REL_SHIFT = 32 };

struct dwarf_files {
	const struct elf *elf;       /* the one with .debug_info */
	const struct elf *code;      /* the one with the code and .eh_frame, if it is another; or NULL */
	const struct elf *alt;       /* the one of .gnu_debugaltlink, or NULL */
	/*
	 * Find a .dwo file (or the .dwp of this file) by its DW_AT_dwo_name and DW_AT_comp_dir; false: it is not there.
	 * Borrowed until dwarf_free. May be NULL.
	 */
	bool (*split)(void *arg, const char *name, const char *dir, uint64_t dwo_id, struct elf *out);
	/*
	 * These bytes of a file were gone through and are not needed soon: their pages may be dropped (madvise). A
	 * search goes through hundreds of megabytes. May be NULL.
	 */
	void (*passed)(void *arg, const void *p, size_t n);
	void *arg;
};

/* -ENODATA: there is no debug information. The files' bytes stay until dwarf_free. */
struct dwarf *dwarf_new(const struct dwarf_files *f, struct err *e);
void dwarf_free(struct dwarf *d);

/* Whole section, unpacked; an empty cursor when there is none. */
struct cursor dwarf_section(struct dwarf *d, enum dwarf_section s);

/* Its .debug_frame; false: there is none. Borrowed. */
bool dwarf_frames(struct dwarf *d, struct cfi *c);

/* One unit's header and the attributes of its first entry that everything else needs. */
struct dwarf_unit {
	struct dwarf *d;
	struct cursor bytes;         /* of the section that it is in, up to its end; cur_off is the section's offset */
	uint64_t off, end;           /* in that section */
	uint64_t first;              /* offset of its first entry */
	uint16_t version;
	uint8_t addr_size, offset_size, type;
	bool is_split;               /* it lies in a .dwo: low_pc, line_off, addr_base are those of its skeleton */
	uint64_t low_pc, line_off, str_offsets_base, addr_base, rnglists_base, loclists_base;
	bool has_line;               /* line_off is valid */
	const char *name, *comp_dir, *producer;   /* "" when not told */
	unsigned language;

	/* For dwarf*.c only. */
	struct dwarf_file *file;
	const struct dwarf_abbrevs *abbrevs;
	const struct dwarf_unit *skeleton;   /* of a split one */
	struct dwarf_unit *split;    /* of a skeleton, when it was found */
	const char *dwo_name;        /* of a skeleton */
	uint64_t ranges_base;        /* of a split one before DWARF 5 */
	uint64_t abbrev_off, id;     /* id: of a split unit, or signature of a type unit */
	uint64_t type_off;           /* of a type unit: the entry that it is for */
	uint8_t state;
};

/* Units in the order of the file; NULL: no more. They live as long as the dwarf. e: a broken one ends the list. */
const struct dwarf_unit *dwarf_unit_at(struct dwarf *d, size_t i, struct err *e);

/* The unit whose code has pc, by .debug_aranges or the units' own ranges; NULL: none. */
const struct dwarf_unit *dwarf_unit_of(struct dwarf *d, uint64_t pc, struct err *e);

/* --- entries --- */

struct die {
	const struct dwarf_unit *u;   /* NULL: none */
	uint64_t off;                 /* in the unit's section */
	uint16_t tag;                 /* DW_TAG_* */
	bool has_children;
};

struct dwarf_value {
	uint16_t form;
	uint64_t u;              /* number, address, offset in a section (as the form says), flag */
	struct sv block;         /* of block and exprloc forms; text of string forms, NUL behind it */
};

int die_at(const struct dwarf_unit *u, uint64_t off, struct die *die, struct err *e);
int die_child(const struct die *die, struct die *child, struct err *e);     /* 1, 0: has none, -errno */
int die_sibling(const struct die *die, struct die *next, struct err *e);    /* 1, 0: was the last, -errno */

/* This entry's own attribute DW_AT_*. 1, 0: it has none, -errno. */
int die_attr(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e);

/* The same, also from its DW_AT_abstract_origin and DW_AT_specification. */
int die_attr_any(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e);

/* The entry that a reference attribute names, in any unit. 1, 0, -errno. */
int die_ref(const struct die *die, unsigned at, struct die *to, struct err *e);

/* "" when it has none. Linkage name: _ZN... */
const char *die_name(const struct die *die);
const char *die_linkage_name(const struct die *die);

/* Is pc in its low_pc..high_pc or ranges? */
bool die_has_pc(const struct die *die, uint64_t pc);

struct dwarf_range {
	uint64_t start, end;
};

/* Its code: number written to v (at most n), or -errno. Discarded ones (start 0 or all ones) are left out. */
int die_ranges(const struct die *die, struct dwarf_range *v, size_t n, struct err *e);

/*
 * DW_AT_type; src NULL: void. A struct that is only declared in this unit has no size until its members are asked for:
 * then its definition is searched for in all units.
 */
struct ctype die_type(const struct die *die);

/* --- functions --- */

/* A function's code: out of line, or one place where it is inlined. */
struct dwarf_func {
	struct die die;          /* DW_TAG_subprogram, or DW_TAG_inlined_subroutine */
	bool is_inlined;
	uint64_t entry;          /* entry_pc, or where its code starts */
	struct die outer;        /* the out-of-line function that it is inlined in; itself otherwise */
};

struct dwarf_func_want {
	const char *name;        /* its name, its linkage name, or with their scopes ("ns::klass::f"); NULL: all */
	bool is_glob;            /* name is a pattern for base's str_glob */
	bool inlined;            /* the inlined instances, too */
};

/* Call `each` until it returns non-zero, which is passed on. */
int dwarf_each_function(struct dwarf *d, const struct dwarf_func_want *w,
			int (*each)(void *arg, const struct dwarf_func *f), void *arg, struct err *e);

enum { DWARF_INLINE_DEPTH = 32 };

/* What has pc: the out-of-line function first, then what is inlined there, innermost last. Their number, or -errno. */
int dwarf_functions_at(struct dwarf *d, uint64_t pc, struct dwarf_func v[DWARF_INLINE_DEPTH], struct err *e);

/* --- variables --- */

struct dwarf_var {
	struct die die;
	const char *name;
	bool is_param;
	unsigned depth;          /* 0: the function's own, then of each inner block; globals: UINT_MAX */
};

/*
 * Parameters and variables that can be seen at pc in function f (inlined or not): outer blocks first, in the order of
 * the source. Stops when `each` returns non-zero, which is passed on.
 */
int dwarf_each_variable(const struct dwarf_func *f, uint64_t pc, int (*each)(void *arg, const struct dwarf_var *v),
			void *arg, struct err *e);

/* A global or file-static variable: one of unit u first, then of any unit. -ENOENT. */
int dwarf_global(struct dwarf *d, const struct dwarf_unit *u, const char *name, struct dwarf_var *v, struct err *e);

/*
 * Where the variable is when pc is reached. Frame bases and CFAs are worked out: the answer is in registers as they are
 * at pc. A variable that is not there is LOC_GONE, no error.
 */
int dwarf_locate(const struct dwarf_func *f, const struct dwarf_var *v, uint64_t pc, struct loc *loc, struct err *e);

/*
 * Where a probe for a function's parameters belongs: behind the prologue when they are not yet where the debug
 * information says before that (unoptimised code), else its entry.
 */
uint64_t dwarf_after_prologue(const struct dwarf_func *f);
bool dwarf_is_optimised(const struct dwarf_func *f);

#endif
