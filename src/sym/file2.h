/*
 * file2.h - functions of the files in which samples hit, stored in the recording for machines without these files:
 * simpleperf's feature FILE2 (132), which Perfetto and samply read, too. Pure.
 *
 *   repeated   u32 length, in the recording's byte order, and a message of that length (protobuf):
 *     1 path, as in MMAP records       2 type, enum file2_type       3 min_vaddr, see below
 *     4 a function, repeated: 1 its address, 2 its length, 3 its name
 *     6 of an ELF file, 7 of a kernel module: 1 the offset of min_vaddr in the file or in the module's memory
 *
 * Functions of the kernel and of JIT code have their run-time addresses; in a file or module, address - min_vaddr +
 * that offset is the offset of a function.
 */
#ifndef SYM_FILE2_H
#define SYM_FILE2_H

#include "base/cursor.h"
#include "base/map.h"
#include "image/symtab.h"

enum file2_type { FILE2_KERNEL, FILE2_MODULE, FILE2_ELF, FILE2_DEX, FILE2_JIT, FILE2_TYPES };

enum file2_field { FILE2_PATH = 1, FILE2_TYPE, FILE2_MIN_VADDR, FILE2_SYMBOL, FILE2_OF_ELF = 6, FILE2_OF_MODULE };
enum file2_symbol_field { FILE2_VADDR = 1, FILE2_LEN, FILE2_NAME };
enum { FILE2_PLACE = 1 };             /* the only field of OF_ELF and OF_MODULE */

/* One message; all but the table is borrowed from it. */
struct file2_file {
	struct sv path;
	uint64_t type;
	uint64_t bias;               /* address minus offset of its functions: min_vaddr minus its offset */
	struct cursor message;
	struct symtab table;         /* see file2_functions() */
	bool was_read;
};

/* The next message of a section: 1; 0: no more; -EBADMSG: the rest is no message. */
int file2_next(struct cursor *section, struct file2_file *f);

/* Further files are ignored. */
enum { FILE2_FILES_MAX = 1 << 16 };

/* A zeroed one is empty. */
struct file2 {
	struct names paths;                /* path -> index of the file; of two with one path the first counts */
	VEC(struct file2_file) files;
};

/* Read the section up to its end or to damage. It stays borrowed; a bad cursor is an empty section. 0 or -ENOMEM. */
int file2_init(struct file2 *t, struct cursor section);
void file2_deinit(struct file2 *t);

/* NULL: the section does not have this file. */
struct file2_file *file2_find(const struct file2 *t, const char *path);

/* Its functions, read at the first call; none, or not all, without memory. */
const struct symtab *file2_functions(struct file2_file *f);

/* Is it certain that no function's name contains this one? */
bool file2_lacks(const struct file2_file *f, const char *name);

/* Does `other`, with the ELF file's addresses, have all functions of this file at the same places? */
bool file2_agrees(struct file2_file *f, const struct symtab *other);

#endif
