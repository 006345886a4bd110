/*
 * dwarf_parts.h - shared by dwarf*.c: the constants of DWARF, files with debug sections, forms, abbreviations, the walk
 * over entries. Other files include dwarf.h.
 *
 * Offsets are relative to a section of the unit's file (u->file). Constants: DWARF 5 chapter 7, and GNU's.
 */
#ifndef OBJ_DWARF_PARTS_H
#define OBJ_DWARF_PARTS_H

#include "base/map.h"
#include "base/vec.h"
#include "obj/dwarf/dwarf.h"

enum dwarf_tag {
	DW_TAG_array_type = 0x01, DW_TAG_class_type = 0x02, DW_TAG_enumeration_type = 0x04,
	DW_TAG_formal_parameter = 0x05, DW_TAG_lexical_block = 0x0b, DW_TAG_member = 0x0d, DW_TAG_pointer_type = 0x0f,
	DW_TAG_reference_type = 0x10, DW_TAG_compile_unit = 0x11, DW_TAG_structure_type = 0x13,
	DW_TAG_subroutine_type = 0x15, DW_TAG_typedef = 0x16, DW_TAG_union_type = 0x17, DW_TAG_inheritance = 0x1c,
	DW_TAG_inlined_subroutine = 0x1d, DW_TAG_module = 0x1e, DW_TAG_ptr_to_member_type = 0x1f,
	DW_TAG_subrange_type = 0x21, DW_TAG_base_type = 0x24, DW_TAG_const_type = 0x26, DW_TAG_enumerator = 0x28,
	DW_TAG_packed_type = 0x2d, DW_TAG_subprogram = 0x2e, DW_TAG_try_block = 0x32, DW_TAG_variable = 0x34,
	DW_TAG_volatile_type = 0x35, DW_TAG_restrict_type = 0x37, DW_TAG_interface_type = 0x38, DW_TAG_namespace = 0x39,
	DW_TAG_partial_unit = 0x3c, DW_TAG_type_unit = 0x41, DW_TAG_rvalue_reference_type = 0x42,
	DW_TAG_template_alias = 0x43, DW_TAG_atomic_type = 0x47, DW_TAG_skeleton_unit = 0x4a,
	DW_TAG_immutable_type = 0x4b,
};

enum dwarf_attribute {
	DW_AT_sibling = 0x01, DW_AT_location = 0x02, DW_AT_name = 0x03, DW_AT_byte_size = 0x0b, DW_AT_bit_offset = 0x0c,
	DW_AT_bit_size = 0x0d, DW_AT_stmt_list = 0x10, DW_AT_low_pc = 0x11, DW_AT_high_pc = 0x12, DW_AT_language = 0x13,
	DW_AT_comp_dir = 0x1b, DW_AT_const_value = 0x1c, DW_AT_inline = 0x20, DW_AT_lower_bound = 0x22,
	DW_AT_producer = 0x25, DW_AT_upper_bound = 0x2f, DW_AT_abstract_origin = 0x31, DW_AT_count = 0x37,
	DW_AT_data_member_location = 0x38, DW_AT_decl_file = 0x3a, DW_AT_decl_line = 0x3b, DW_AT_declaration = 0x3c,
	DW_AT_encoding = 0x3e, DW_AT_external = 0x3f, DW_AT_frame_base = 0x40, DW_AT_specification = 0x47,
	DW_AT_type = 0x49, DW_AT_entry_pc = 0x52, DW_AT_ranges = 0x55, DW_AT_call_column = 0x57, DW_AT_call_file = 0x58,
	DW_AT_call_line = 0x59, DW_AT_signature = 0x69, DW_AT_data_bit_offset = 0x6b, DW_AT_linkage_name = 0x6e,
	DW_AT_str_offsets_base = 0x72, DW_AT_addr_base = 0x73, DW_AT_rnglists_base = 0x74, DW_AT_dwo_name = 0x76,
	DW_AT_loclists_base = 0x8c, DW_AT_MIPS_linkage_name = 0x2007, DW_AT_GNU_vector = 0x2107,
	DW_AT_GNU_dwo_name = 0x2130, DW_AT_GNU_dwo_id = 0x2131, DW_AT_GNU_ranges_base = 0x2132,
	DW_AT_GNU_addr_base = 0x2133, DW_AT_GNU_locviews = 0x2137, DW_AT_GNU_entry_view = 0x2138,
};

enum dwarf_form {
	DW_FORM_addr = 0x01, DW_FORM_block2 = 0x03, DW_FORM_block4 = 0x04, DW_FORM_data2 = 0x05, DW_FORM_data4 = 0x06,
	DW_FORM_data8 = 0x07, DW_FORM_string = 0x08, DW_FORM_block = 0x09, DW_FORM_block1 = 0x0a, DW_FORM_data1 = 0x0b,
	DW_FORM_flag = 0x0c, DW_FORM_sdata = 0x0d, DW_FORM_strp = 0x0e, DW_FORM_udata = 0x0f, DW_FORM_ref_addr = 0x10,
	DW_FORM_ref1 = 0x11, DW_FORM_ref2 = 0x12, DW_FORM_ref4 = 0x13, DW_FORM_ref8 = 0x14, DW_FORM_ref_udata = 0x15,
	DW_FORM_indirect = 0x16, DW_FORM_sec_offset = 0x17, DW_FORM_exprloc = 0x18, DW_FORM_flag_present = 0x19,
	DW_FORM_strx = 0x1a, DW_FORM_addrx = 0x1b, DW_FORM_ref_sup4 = 0x1c, DW_FORM_strp_sup = 0x1d,
	DW_FORM_data16 = 0x1e, DW_FORM_line_strp = 0x1f, DW_FORM_ref_sig8 = 0x20, DW_FORM_implicit_const = 0x21,
	DW_FORM_loclistx = 0x22, DW_FORM_rnglistx = 0x23, DW_FORM_ref_sup8 = 0x24, DW_FORM_strx1 = 0x25,
	DW_FORM_strx2 = 0x26, DW_FORM_strx3 = 0x27, DW_FORM_strx4 = 0x28, DW_FORM_addrx1 = 0x29, DW_FORM_addrx2 = 0x2a,
	DW_FORM_addrx3 = 0x2b, DW_FORM_addrx4 = 0x2c, DW_FORM_GNU_addr_index = 0x1f01, DW_FORM_GNU_str_index = 0x1f02,
	DW_FORM_GNU_ref_alt = 0x1f20, DW_FORM_GNU_strp_alt = 0x1f21,
};

enum dwarf_unit_type {
	DW_UT_compile = 1, DW_UT_type, DW_UT_partial, DW_UT_skeleton, DW_UT_split_compile, DW_UT_split_type,
};

/* --- sections and units: dwarf.c, dwarf/unit.c, dwarf/split.c --- */

/* A file with debug sections, or one unit's part of a .dwp. */
struct dwarf_file {
	struct ctype_source types;          /* source of its types; must be first, see dwarf_type.c */
	struct dwarf *d;
	const struct elf *elf;
	struct elf own;                     /* of a split file */
	bool is_split;
	unsigned uses;                      /* enum dwarf_use, set by the first query */
	unsigned nesting;                   /* of types being examined */
	struct dwarf_file *package;         /* the .dwp that contains it */
	uint32_t loaded;                    /* bit for each section */
	struct cursor section[DWARF_SECTIONS];
	void *copy[DWARF_SECTIONS];         /* decompressed or relocated */
	VEC(struct dwarf_unit) units;       /* of .debug_info, then of .debug_types */
	size_t n_info;
	struct err broken;                  /* the error that ended the list of units */
	struct map tables;                  /* offset in .debug_abbrev -> index into abbrevs, plus one */
	VEC(struct dwarf_abbrevs *) abbrevs;
	struct map signatures;              /* of type units -> index, plus one */
	struct {
		const struct dwarf_unit *unit;
		uint64_t id, off;
		unsigned i;
	} member;                           /* the member found last, to go on from */
	struct dwarf_file *next;
};

struct dwarf_span {
	uint64_t start, end;
	struct dwarf_unit *u;
};

struct dwarf {
	struct dwarf_files want;
	struct dwarf_file *file, *alt;      /* the main file; that of .gnu_debugaltlink */
	struct dwarf_file *split;           /* list of split files */
	VEC(struct dwarf_span) spans;       /* code of units, sorted by address; dwarf_span.c */
	bool has_spans;
	struct map definitions;             /* declared type -> index of its definition, plus one */
	VEC(struct die) defined;
};

/* NULL: no memory. Its units are found by dwarf_units_list. */
struct dwarf_file *dwarf_file_new(struct dwarf *d, const struct elf *elf);
struct cursor dwarf_file_section(struct dwarf_file *f, enum dwarf_section s);

/*
 * The bytes of a section from *passed to `to` (NULL: its end) were read. Reports larger pieces to the owner of the
 * file.
 */
void dwarf_passed(const struct dwarf_file *f, enum dwarf_section s, const uint8_t **passed, const uint8_t *to);

/* Has a section relocations? Apply them to a copy of its bytes. */
bool dwarf_is_relocated(const struct elf *f, uint32_t section);
void dwarf_relocate(const struct elf *f, uint32_t section, uint8_t *bytes, size_t n);

/* --- types: dwarf/type.c --- */

extern const struct ctype_source dwarf_types;
struct ctype dwarf_type_of(const struct die *die);   /* the type that an entry describes */

/*
 * The definition, in any unit, of a type that is only declared here; DWARF_KNOWN: only if an earlier call has found it.
 * 1, 0: none.
 */
enum dwarf_effort { DWARF_KNOWN, DWARF_SEARCH };
int dwarf_definition(const struct die *declared, enum dwarf_effort effort, struct die *to);

/* Find the headers of all units. An error ends the list and is kept in f->broken. */
int dwarf_units_list(struct dwarf_file *f);

/* The unit with this offset in .debug_info or .debug_types, made ready for use; NULL: none. */
enum dwarf_place { DWARF_IN_INFO, DWARF_IN_TYPES };
const struct dwarf_unit *dwarf_unit_holding(struct dwarf_file *f, enum dwarf_place p, uint64_t off);
const struct dwarf_unit *dwarf_unit_ready(struct dwarf_unit *u, struct err *e);
struct dwarf_unit *dwarf_unit_find(struct dwarf_file *f, enum dwarf_place p, uint64_t off);   /* not made ready */
bool dwarf_unit_is_types(const struct dwarf_unit *u);   /* in .debug_types */

/* The type unit with a signature, for a unit of this file; NULL: none. */
const struct dwarf_unit *dwarf_type_unit(struct dwarf_file *f, uint64_t signature);
const struct dwarf_unit *dwarf_package_type(struct dwarf_file *package, uint64_t signature);

/* The split unit of a skeleton; NULL: not available. */
struct dwarf_unit *dwarf_split_unit(struct dwarf_unit *skeleton);

bool dwarf_unit_is_known(const struct dwarf_unit *u);   /* its version is supported */
struct dwarf_unit *dwarf_unit_own(const struct dwarf_unit *u);   /* the same unit, writable */

/* The unit to use for queries: for a skeleton its split unit, if available. */
const struct dwarf_unit *dwarf_unit_use(struct dwarf_unit *u, struct err *e);

/* The section to which a unit's offsets refer: of its .dwo, of the skeleton's file, or of the alternate file. */
struct cursor dwarf_unit_section(const struct dwarf_unit *u, enum dwarf_section s);

/* Read an offset (4 or 8 bytes) or an address in the unit's size. */
uint64_t dwarf_offset(const struct dwarf_unit *u, struct cursor *c);
uint64_t dwarf_address(const struct dwarf_unit *u, struct cursor *c);

/* The index-th address of the unit's part of .debug_addr. False: out of range. */
bool dwarf_addr_at(const struct dwarf_unit *u, uint64_t index, uint64_t *addr);

/* --- forms: dwarf/form.c --- */

enum dwarf_class {
	DWARF_CLASS_NONE,      /* unknown form, or a reference to a missing file */
	DWARF_CLASS_ADDR, DWARF_CLASS_CONST, DWARF_CLASS_BLOCK, DWARF_CLASS_STRING, DWARF_CLASS_FLAG,
	DWARF_CLASS_REF,       /* an entry: offset in this unit's section, but for ref_sup, ref_alt and ref_sig8 */
	DWARF_CLASS_LIST,      /* offset in a section: sec_offset, loclistx, rnglistx */
};

/*
 * Read the value of a form at c and move behind it. References are resolved:
 *   strings             v->block is the text; "" when the reference is invalid
 *   addresses           v->u, also of addrx
 *   constants           v->u, sign-extended by sdata and implicit_const only; data16: all bytes in v->block
 *   ref1..8, ref_udata  v->u is the offset in the section, not that in the unit
 *   loclistx, rnglistx  v->u is the offset in .debug_loclists or .debug_rnglists
 * v->form is the form read, after DW_FORM_indirect the real one. -EBADMSG: unknown form, or beyond the end.
 */
int dwarf_form_read(const struct dwarf_unit *u, unsigned form, int64_t implicit, struct cursor *c,
		    struct dwarf_value *v);

/* Move behind the value without decoding it. */
int dwarf_form_skip(const struct dwarf_unit *u, unsigned form, struct cursor *c);

/* Size of a form with a fixed size; -1: it depends on the value. */
int dwarf_form_size(const struct dwarf_unit *u, unsigned form);

/* data4 and data8 are DWARF_CLASS_CONST here: DWARF 2 and 3 also use them for offsets of lists, see dwarf_is_list. */
enum dwarf_class dwarf_form_class(unsigned form);

/*
 * Is this value of a location or ranges attribute an offset in .debug_loc, .debug_loclists, .debug_ranges or
 * .debug_rnglists?
 */
bool dwarf_is_list(const struct dwarf_unit *u, const struct dwarf_value *v);

/* --- attributes: dwarf/die.c --- */

/* The entry of DW_AT_abstract_origin or DW_AT_specification. 1, 0, -errno. */
int dwarf_origin(const struct die *die, struct die *to, struct err *e);

/* --- abbreviations: dwarf/abbrev.c --- */

struct dwarf_abbrev {
	uint32_t code;
	uint32_t specs;          /* offset in the table's bytes: pairs of attribute and form */
	uint32_t ops;            /* program that skips the values, see dwarf_abbrev.c */
	uint16_t tag;
	bool has_children;
};

struct dwarf_abbrevs {
	struct cursor bytes;
	VEC(struct dwarf_abbrev) list;   /* by code */
	VEC(uint8_t) ops;
};

/* The abbreviation table of a unit, parsed once for all units that share it. */
const struct dwarf_abbrevs *dwarf_abbrevs_of(const struct dwarf_unit *u, struct err *e);
void dwarf_abbrevs_free(struct dwarf_abbrevs *t);

/* NULL: unknown code. */
const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t, uint64_t code);

/* Move behind the values of an entry; returns its DW_AT_sibling as an offset in the section, 0: none. */
uint64_t dwarf_abbrev_skip(const struct dwarf_unit *u, const struct dwarf_abbrev *a, struct cursor *c);

/* --- walk over entries: dwarf/walk.c --- */

enum { DWARF_DEPTH = 256 };

/*
 * Walk over entries in the order of the file. die is the current one, up[0..depth) are its parents, outermost first.
 * Call dwarf_walk_init, then dwarf_walk_next until it returns 0 or -errno.
 */
struct dwarf_walk {
	struct cursor c;
	struct die die;
	uint64_t end;            /* behind the values of die */
	uint64_t sibling;        /* 0: unknown */
	unsigned depth;
	struct die up[DWARF_DEPTH];
};

void dwarf_walk_init(struct dwarf_walk *w, const struct dwarf_unit *u);
int dwarf_walk_next(struct dwarf_walk *w, struct err *e);

/* Skip the children of the current entry, if it has DW_AT_sibling. */
void dwarf_walk_jump(struct dwarf_walk *w);

/* --- search: dwarf/scan.c, dwarf/search.c --- */

enum { DWARF_FEW = 3, DWARF_BLOOM = 1 << 16 };

/* 4-byte values to be searched for in memory, aligned or not. */
struct dwarf_needles {
	VEC(uint32_t) list;      /* in the byte order of the memory */
	uint64_t *bloom;         /* for many: one bit per hash */
};

int dwarf_needles_add(struct dwarf_needles *n, uint64_t v, const struct cursor *like);
int dwarf_needles_finish(struct dwarf_needles *n);   /* after the last one. -ENOMEM */
void dwarf_needles_clear(struct dwarf_needles *n);
void dwarf_needles_deinit(struct dwarf_needles *n);

/* Offset of the first needle at or behind `from`; n: none. */
size_t dwarf_needles_next(const struct dwarf_needles *needles, const uint8_t *p, size_t n, size_t from);

/* What the abbreviations of a file use; a bit may be set although it is not used. */
enum dwarf_use {
	DWARF_USE_KNOWN = 1,
	DWARF_USE_TEXT = 2,      /* names inline in entries (DW_FORM_string) */
	DWARF_USE_STRX = 4,      /* names by index */
	DWARF_USE_CROSS = 8,     /* origins in other units */
	DWARF_USE_SPLIT = 32,    /* skeleton units before DWARF 5, whose rest is in a .dwo */
	DWARF_USE_SHORT = 16,    /* origins in forms that are not 4 bytes long */
};
unsigned dwarf_file_uses(struct dwarf_file *f);

enum dwarf_kind { DWARF_FUNCTIONS, DWARF_VARIABLES, DWARF_TYPES_NAMED };

/*
 * Entries of one kind with a given name, and those that refer to them: concrete and inlined instances, definitions of
 * declarations.
 */
struct dwarf_search {
	struct dwarf *d;
	const char *name;        /* as struct dwarf_func_want.name */
	bool is_glob;
	enum dwarf_kind kind;
	const struct dwarf_unit *only;   /* NULL: all units */
	int (*found)(void *arg, const struct dwarf_walk *w);   /* non-zero ends the search and is passed on */
	void *arg;
};
int dwarf_search(const struct dwarf_search *s, struct err *e);

/* Every entry of the kind in every unit, with or without a name. */
int dwarf_each_entry(const struct dwarf_search *s, struct err *e);

/* --- ranges: dwarf/range.c --- */

/* Call `each` for ranges that are neither empty nor discarded, until it returns non-zero, which is passed on. */
int dwarf_ranges_each(const struct die *die, int (*each)(void *arg, const struct dwarf_range *r), void *arg,
		      struct err *e);

/* Start of its code: entry_pc, low_pc or the first range. 1, 0: it has no code. */
int dwarf_entry_pc(const struct die *die, uint64_t *pc);

/* Is this an address to which linkers relocate discarded code: 0, 1, or (nearly) all ones? */
bool dwarf_is_discarded(const struct dwarf_unit *u, uint64_t addr);

#endif
