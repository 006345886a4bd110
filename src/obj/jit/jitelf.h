/*
 * jitelf.h - writes generated code as an ELF file: .text, its one symbol, a build-id, and unwinding rules if the
 * program provided them. Code and rules have the same distance as in memory.
 */
#ifndef OBJ_JIT_JITELF_H
#define OBJ_JIT_JITELF_H

#include "base/fmt.h"
#include "obj/elf/build_id.h"
#include "obj/jit/jitdump.h"

/* Offset and address of the code. */
enum { JITELF_TEXT = 0x100 };

struct jitelf {
	const struct jitdump_rec *load;
	struct cursor unwinding;     /* .eh_frame, then header_size bytes of .eh_frame_hdr; empty: none */
	uint64_t header_size;
	uint32_t machine;
};

/* Build-id: the same for the same code at the same address. */
struct build_id jitelf_id(const struct jitelf *j);

void jitelf_write(const struct jitelf *j, struct out *o);

#endif
