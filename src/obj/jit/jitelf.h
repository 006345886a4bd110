/*
 * jitelf.h - a piece of code that was made at run time as an ELF file: .text, its one symbol, a build id, and rules for
 * unwinding where its maker gave them. Its code and those rules lie as far from each other as in memory.
 */
#ifndef OBJ_JIT_JITELF_H
#define OBJ_JIT_JITELF_H

#include "base/fmt.h"
#include "obj/elf/build_id.h"
#include "obj/jit/jitdump.h"

/* Where the code begins, in the file and as an address. */
enum { JITELF_TEXT = 0x100 };

struct jitelf {
	const struct jitdump_rec *load;
	struct cursor unwinding;     /* .eh_frame, then so many bytes of .eh_frame_hdr; empty: none */
	uint64_t header_size;
	uint32_t machine;
};

/* That of the same code at the same address is the same. */
struct build_id jitelf_id(const struct jitelf *j);

void jitelf_write(const struct jitelf *j, struct out *o);

#endif
