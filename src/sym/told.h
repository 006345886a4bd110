/*
 * told.h - functions of the files in which samples hit, stored in the recording for machines without these files:
 * simpleperf's feature FILE2 (132), which Perfetto and samply read, too. Pure.
 *
 *   repeated   u32 length, in the recording's byte order, and a message of that length (protobuf):
 *     1 path, as in MMAP records       2 type, enum told_type       3 min_vaddr, see below
 *     4 a function, repeated: 1 its address, 2 its length, 3 its name
 *     6 of an ELF file, 7 of a kernel module: 1 the offset of min_vaddr in the file or in the module's memory
 *
 * Functions of the kernel and of JIT code have their run-time addresses; in a file or module, address - min_vaddr +
 * that offset is the offset of a function.
 */
#ifndef SYM_TOLD_H
#define SYM_TOLD_H

#include "base/cursor.h"
#include "base/map.h"
#include "image/symtab.h"

enum told_type { TOLD_KERNEL, TOLD_MODULE, TOLD_ELF, TOLD_DEX, TOLD_JIT, TOLD_TYPES };

enum told_field { TOLD_PATH = 1, TOLD_TYPE, TOLD_MIN_VADDR, TOLD_SYMBOL, TOLD_OF_ELF = 6, TOLD_OF_MODULE };
enum told_symbol_field { TOLD_VADDR = 1, TOLD_LEN, TOLD_NAME };
enum { TOLD_PLACE = 1 };             /* the only field of OF_ELF and OF_MODULE */

/* One message; all but the table is borrowed from it. */
struct told_file {
	struct sv path;
	uint64_t type;
	uint64_t bias;               /* address minus offset of its functions: min_vaddr minus its offset */
	struct cursor message;
	struct symtab table;         /* see told_functions() */
	bool was_read;
};

/* The next message of a section: 1; 0: no more; -EBADMSG: the rest is no message. */
int told_next(struct cursor *section, struct told_file *f);

/* Further files are ignored. */
enum { TOLD_FILES_MAX = 1 << 16 };

/* A zeroed one is empty. */
struct told {
	struct names paths;                /* path -> index of the file; of two with one path the first counts */
	VEC(struct told_file) files;
};

/* Read the section up to its end or to damage. It stays borrowed; a bad cursor is an empty section. 0 or -ENOMEM. */
int told_init(struct told *t, struct cursor section);
void told_deinit(struct told *t);

/* NULL: the section does not have this file. */
struct told_file *told_find(const struct told *t, const char *path);

/* Its functions, read at the first call; none, or not all, without memory. */
const struct symtab *told_functions(struct told_file *f);

/* Is it certain that no function's name contains this one? */
bool told_lacks(const struct told_file *f, const char *name);

/* Does `other`, with the ELF file's addresses, have all functions of this file at the same places? */
bool told_agrees(struct told_file *f, const struct symtab *other);

#endif
