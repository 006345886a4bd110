/*
 * note.h - ELF notes: PT_NOTE segments, SHT_NOTE sections, /sys/kernel/notes.
 *   u32 size of name with its NUL, u32 size of description, u32 type;
 *   name, description, each padded to 4 bytes
 */
#ifndef OBJ_ELF_NOTE_H
#define OBJ_ELF_NOTE_H

#include "base/base.h"
#include "base/cursor.h"
#include "base/str.h"

struct note {
	uint32_t type;
	struct sv name;          /* without the NUL; borrowed */
	const uint8_t *desc;     /* borrowed */
	size_t n;
};

/* The next note at the cursor; false at the end, or when a note is truncated. */
bool note_next(struct cursor *c, struct note *n);

#endif
