/*
 * dwarf.h - debug information, DWARF 2 to 5 and GNU's extensions: compilation units, entries ("die"), functions and
 * their inlined instances, variables, types.
 *
 * Works on borrowed, untrusted bytes: the file mapped whole. Compressed sections are decompressed when first used.
 * Results are small handles with offsets, by value. Memory use follows the queries: a function is found by the offset
 * of its name in .debug_str, without decoding all units, so that searching vmlinux takes as long as reading it
 * once.
 *
 * In relocatable files (kernel modules) sections have no addresses yet: an address here is the number of its section
 * in the file, times 1 << DWARF_REL_SHIFT, plus the offset in it. Relocations of aarch64 and x86_64 are applied to
 * copies of the sections.
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
	const struct elf *elf;       /* with .debug_info */
	const struct elf *code;      /* with the code and .eh_frame, if they are in another file; or NULL */
	const struct elf *alt;       /* of .gnu_debugaltlink, or NULL */
	/*
	 * Find a .dwo file (or the .dwp of this file) by its DW_AT_dwo_name and DW_AT_comp_dir; false: not found.
	 * Borrowed until dwarf_free. May be NULL.
	 */
	bool (*split)(void *arg, const char *name, const char *dir, uint64_t dwo_id, struct elf *out);
	/*
	 * These bytes of a file were read and are not needed soon: their pages may be dropped (madvise). A search reads
	 * hundreds of megabytes. May be NULL.
	 */
	void (*passed)(void *arg, const void *p, size_t n);
	void *arg;
};

/* -ENODATA: there is no debug information. The files' bytes must live until dwarf_free. */
struct dwarf *dwarf_new(const struct dwarf_files *f, struct err *e);
void dwarf_free(struct dwarf *d);

/* A whole section, decompressed; an empty cursor when there is none. */
struct cursor dwarf_section(struct dwarf *d, enum dwarf_section s);

/* Open .debug_frame; false: there is none. Borrowed. */
bool dwarf_frames(struct dwarf *d, struct cfi *c);

/* A unit's header, and those attributes of its root entry that are needed everywhere. */
struct dwarf_unit {
	struct dwarf *d;
	struct cursor bytes;         /* of its section, up to the unit's end; cur_off is the offset there */
	uint64_t off, end;           /* in that section */
	uint64_t first;              /* offset of its first entry */
	uint16_t version;
	uint8_t addr_size, offset_size, type;
	bool is_split;               /* it is in a .dwo: low_pc, line_off, addr_base are those of its skeleton */
	uint64_t low_pc, line_off, str_offsets_base, addr_base, rnglists_base, loclists_base;
	bool has_line;               /* line_off is valid */
	const char *name, *comp_dir, *producer;   /* "" when unknown */
	unsigned language;

	/* Private to dwarf*.c. */
	struct dwarf_file *file;
	const struct dwarf_abbrevs *abbrevs;
	const struct dwarf_unit *skeleton;   /* of a split unit */
	struct dwarf_unit *split;    /* of a skeleton, when it was found */
	const char *dwo_name;        /* of a skeleton */
	uint64_t ranges_base;        /* of a split unit before DWARF 5 */
	uint64_t abbrev_off, id;     /* id: of a split unit, or signature of a type unit */
	uint64_t type_off;           /* of a type unit: offset of its type's entry */
	uint8_t state;
};

/* Units in the order of the file; NULL: no more. They live as long as d. e: a malformed unit ends the list. */
const struct dwarf_unit *dwarf_unit_at(struct dwarf *d, size_t i, struct err *e);

/* The unit whose code contains pc, by .debug_aranges or the units' own ranges; NULL: none. */
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
	struct sv block;         /* of block and exprloc forms; of strings: the text, followed by a NUL */
};

int die_at(const struct dwarf_unit *u, uint64_t off, struct die *die, struct err *e);
int die_child(const struct die *die, struct die *child, struct err *e);     /* 1, 0: has none, -errno */
int die_sibling(const struct die *die, struct die *next, struct err *e);    /* 1, 0: was the last, -errno */

/* Get an attribute DW_AT_* of this entry itself. 1, 0: it has none, -errno. */
int die_attr(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e);

/* The same, also from the entries of its DW_AT_abstract_origin and DW_AT_specification. */
int die_attr_any(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e);

/* The entry that a reference attribute refers to, in any unit. 1, 0, -errno. */
int die_ref(const struct die *die, unsigned at, struct die *to, struct err *e);

/* "" when the entry has none. Linkage name: _ZN... */
const char *die_name(const struct die *die);
const char *die_linkage_name(const struct die *die);

/* Does its low_pc..high_pc or its ranges contain pc? */
bool die_has_pc(const struct die *die, uint64_t pc);

struct dwarf_range {
	uint64_t start, end;
};

/* Ranges of its code: number stored to v (at most n), or -errno. Discarded ones (start 0 or all ones) are skipped. */
int die_ranges(const struct die *die, struct dwarf_range *v, size_t n, struct err *e);

/*
 * DW_AT_type; src NULL: void. The size of a struct that is only declared in this unit is unknown until its members are
 * queried, which searches all units for its definition.
 */
struct ctype die_type(const struct die *die);

/* --- functions --- */

/* A function's code: out of line, or one inlined instance. */
struct dwarf_func {
	struct die die;          /* DW_TAG_subprogram, or DW_TAG_inlined_subroutine */
	bool is_inlined;
	uint64_t entry;          /* entry_pc, or the start of its code */
	struct die outer;        /* the out-of-line function around it; for such a function itself */
};

struct dwarf_func_want {
	const char *name;        /* its name or linkage name, with or without scopes ("ns::klass::f"); NULL: all */
	bool is_glob;            /* name is a pattern for base's str_glob */
	bool inlined;            /* also inlined instances */
};

/* Call `each` until it returns non-zero, which is passed on. */
int dwarf_each_function(struct dwarf *d, const struct dwarf_func_want *w,
			int (*each)(void *arg, const struct dwarf_func *f), void *arg, struct err *e);

enum { DWARF_INLINE_DEPTH = 32 };

/* Functions at pc: the out-of-line one first, then those inlined there, innermost last. Their number, or -errno. */
int dwarf_functions_at(struct dwarf *d, uint64_t pc, struct dwarf_func v[DWARF_INLINE_DEPTH], struct err *e);

/* --- variables --- */

struct dwarf_var {
	struct die die;
	const char *name;
	bool is_param;
	unsigned depth;          /* 0: the function's top level, then of each inner block; globals: UINT_MAX */
};

/*
 * Parameters and variables in scope at pc in function f (inlined or not): outer blocks first, in the order of the
 * source. Ends when `each` returns non-zero, which is passed on.
 */
int dwarf_each_variable(const struct dwarf_func *f, uint64_t pc, int (*each)(void *arg, const struct dwarf_var *v),
			void *arg, struct err *e);

/* Find a global or file-static variable: of unit u first, then of any unit. -ENOENT. */
int dwarf_global(struct dwarf *d, const struct dwarf_unit *u, const char *name, struct dwarf_var *v, struct err *e);

/*
 * Location of the variable at pc. Frame bases and CFAs are resolved: the result refers to registers as they are at pc.
 * A variable without a location is LOC_GONE, no error.
 */
int dwarf_locate(const struct dwarf_func *f, const struct dwarf_var *v, uint64_t pc, struct loc *loc, struct err *e);

/*
 * The place for a probe of a function's parameters: behind the prologue if the debug information describes them wrongly
 * before that (unoptimised code), else the entry.
 */
uint64_t dwarf_after_prologue(const struct dwarf_func *f);
bool dwarf_is_optimised(const struct dwarf_func *f);

#endif
