/*
 * kallsyms_text.h - lines of /proc/kallsyms:
 *   ffff800080010000 T _stext
 *   ffff8000815028c8 d proc_iter_file_ops
 *   ffff80007a81d000 t ext4_sync_file\t[ext4]
 * Types t, T, w and W are code; lower case is local. A reader without CAP_SYSLOG, or with kptr_restrict 2, sees zeros
 * for all addresses. For a few lookups in the text itself; for many use the table (image/kallsyms.h).
 */
#ifndef IMAGE_KALLSYMS_TEXT_H
#define IMAGE_KALLSYMS_TEXT_H

#include "base/str.h"
#include "image/symtab.h"

/* Limit for reading the text: a kernel with everything built in has 20 MB. */
enum { KALLSYMS_TEXT_MAX = 256 << 20 };

/* Texts are in the line. */
struct kallsyms_line {
	uint64_t addr;           /* 0: hidden, or a real 0 (per-CPU symbols) */
	char type;
	struct sv name, module;  /* module: empty for the kernel itself */
};

/* Cut the next symbol off the front of *rest; false: no more. */
bool kallsyms_next(struct sv *rest, struct kallsyms_line *l);

/* The same for symbols with exactly that name. */
bool kallsyms_next_named(struct sv *rest, struct sv name, struct kallsyms_line *l);

/* The address of the first symbol of that name; 0: none, or hidden. */
uint64_t kallsyms_address(struct sv text, struct sv name);

/* Is it a function, and no mapping symbol or assembler label? */
bool kallsyms_is_function(const struct kallsyms_line *l);

/* Is it a variable or constant? Listed by kernels with CONFIG_KALLSYMS_ALL only. */
bool kallsyms_is_data(const struct kallsyms_line *l);

/* Make a struct sym with the properties by which the best name of an address is chosen. */
struct sym kallsyms_sym(const struct kallsyms_line *l);

/*
 * The assumed size of a function, since kallsyms has none: up to the next one; for the last one of the kernel or of a
 * module, which may be followed by a large gap, up to the end of its page or the one after. next 0: none.
 */
uint64_t kallsyms_size(uint64_t addr, uint64_t next, bool is_last);

/* The function at the address, with the same name that the table (kallsyms.h) would have; false: none. */
bool kallsyms_function_at(struct sv text, uint64_t addr, struct kallsyms_line *l, uint64_t *size);

#endif
