/*
 * told.h - functions that a recording tells of the files it has hit, for machines that have none of these files:
 * simpleperf's feature FILE2 (132), which Perfetto and samply read, too. Pure.
 *
 *   repeated   u32 length, in the recording's byte order, and a message of that length (protobuf):
 *     1 path, as in the records of mappings       2 type, enum told_type       3 min_vaddr, see below
 *     4 a function, repeated: 1 its address, 2 its length, 3 its name
 *     6 of an ELF file, 7 of a kernel module: 1 place of min_vaddr, in the file or in the module's memory
 *
 * Functions of the kernel are at the addresses they had, those of a symbol map (code made at run time) too; of a
 * file or module, an address less min_vaddr is a distance from that place.
 */
#ifndef SYM_TOLD_H
#define SYM_TOLD_H

#include "base/cursor.h"
#include "base/map.h"
#include "image/symtab.h"

enum told_type { TOLD_KERNEL, TOLD_MODULE, TOLD_ELF, TOLD_DEX, TOLD_JIT, TOLD_TYPES };

enum told_field { TOLD_PATH = 1, TOLD_TYPE, TOLD_MIN_VADDR, TOLD_SYMBOL, TOLD_OF_ELF = 6, TOLD_OF_MODULE };
enum told_symbol_field { TOLD_VADDR = 1, TOLD_LEN, TOLD_NAME };
enum { TOLD_PLACE = 1 };             /* the field of OF_ELF and OF_MODULE */

/* One message; all but the table is borrowed from it. */
struct told_file {
	struct sv path;
	uint64_t type;
	uint64_t bias;               /* of its functions' addresses: min_vaddr less the place of that */
	struct cursor message;
	struct symtab table;         /* see told_functions */
	bool was_read;
};

/* The next message of a section: 1; 0: that was the last one; -EBADMSG: what follows is none. */
int told_next(struct cursor *section, struct told_file *f);

/* More of them are not taken. */
enum { TOLD_FILES_MAX = 1 << 16 };

/* A zeroed one tells nothing. */
struct told {
	struct names paths;                /* -> index of the file; of two with one path the first counts */
	VEC(struct told_file) files;
};

/* As far as the section is sound. It must stay; a bad cursor is none. 0 or -ENOMEM. */
int told_init(struct told *t, struct cursor section);
void told_deinit(struct told *t);

/* NULL: nothing is told of a file of this name. */
struct told_file *told_find(const struct told *t, const char *path);

/* Its functions, read at the first call; none, or not all, without memory. */
const struct symtab *told_functions(struct told_file *f);

/* Does it certainly tell of no function whose name has this one inside? */
bool told_lacks(const struct told_file *f, const char *name);

/* Has another table, whose addresses are those of the ELF file, all that has a name here, at the same places? */
bool told_agrees(struct told_file *f, const struct symtab *other);

#endif
