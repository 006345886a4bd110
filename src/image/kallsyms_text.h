/*
 * kallsyms_text.h - lines of /proc/kallsyms:
 *   ffff800080010000 T _stext
 *   ffff8000815028c8 d proc_iter_file_ops
 *   ffff80007a81d000 t ext4_sync_file\t[ext4]
 * Types t, T, w and W are code; lower case is local. A reader without CAP_SYSLOG, or with kptr_restrict 2, sees zeros
 * for all addresses. For a few questions to the text as it is; for many there is the table (image/kallsyms.h).
 */
#ifndef IMAGE_KALLSYMS_TEXT_H
#define IMAGE_KALLSYMS_TEXT_H

#include "base/str.h"
#include "image/symtab.h"

/* Bytes of the whole text that are read: a kernel with everything in it has 20 MB. */
enum { KALLSYMS_TEXT_MAX = 256 << 20 };

/* Texts are in the line. */
struct kallsyms_line {
	uint64_t addr;           /* 0: hidden, or it really lies there */
	char type;
	struct sv name, module;  /* module: empty for the kernel itself */
};

/* The next symbol, which is cut from the front; false: there is none. */
bool kallsyms_next(struct sv *rest, struct kallsyms_line *l);

/* The same of those with that very name. */
bool kallsyms_next_named(struct sv *rest, struct sv name, struct kallsyms_line *l);

/* The address of the first one of that name; 0: there is none, or it is hidden. */
uint64_t kallsyms_address(struct sv text, struct sv name);

/* Code that can have a name of its own: no mark of the assembler's. */
bool kallsyms_is_function(const struct kallsyms_line *l);

/* The same of variables and constants; listed where the kernel has CONFIG_KALLSYMS_ALL. */
bool kallsyms_is_data(const struct kallsyms_line *l);

/* What matters in the choice among the names of an address. */
struct sym kallsyms_sym(const struct kallsyms_line *l);

/*
 * How far a function reaches whose size nobody tells: to the next one; the last one of the kernel or a module, behind
 * which there may be nothing for long, to the end of its page or the one after. next: 0 there is none.
 */
uint64_t kallsyms_size(uint64_t addr, uint64_t next, bool is_last);

/* The function that has the address, by the name that the table gives it; false: none. */
bool kallsyms_function_at(struct sv text, uint64_t addr, struct kallsyms_line *l, uint64_t *size);

#endif
