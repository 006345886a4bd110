/*
 * build_id.h - the number that tells whether two files come from the same build: note GNU, type 3.
 */
#ifndef OBJ_ELF_BUILD_ID_H
#define OBJ_ELF_BUILD_ID_H

#include "base/base.h"
#include "base/cursor.h"

struct elf;

enum { BUILD_ID_MAX = 20 };    /* as in perf's records; longer ones are cut there, too */

struct build_id {
	uint8_t v[BUILD_ID_MAX];
	uint8_t size;          /* 0: unknown */
};

/* false, and size 0: the file has none. */
bool build_id_of(const struct elf *f, struct build_id *id);

/* From bare notes, e.g. of /sys/kernel/notes or /sys/module/X/notes/.note.gnu.build-id. */
bool build_id_of_notes(struct cursor notes, struct build_id *id);

/* At most BUILD_ID_MAX bytes are taken. perf pads short ids with zeros to 20: those are dropped. */
struct build_id build_id_from(const uint8_t *bytes, size_t n);

/* Both known and equal. */
bool build_id_same(const struct build_id *a, const struct build_id *b);

/* "ab12..." into buf of 2 * BUILD_ID_MAX + 1. */
const char *build_id_text(const struct build_id *id, char *buf, size_t size);

/* PREFIX/usr/lib/debug/.build-id/ab/12....debug into buf; prefix may be NULL. */
const char *build_id_path(const struct build_id *id, const char *prefix, char *buf, size_t size);

#endif
