/* build_id.h - the build-id, by which files of one build are matched: note GNU, type 3. */
#ifndef OBJ_ELF_BUILD_ID_H
#define OBJ_ELF_BUILD_ID_H

#include "base/base.h"
#include "base/cursor.h"

struct elf;

enum { BUILD_ID_MAX = 20 };    /* as in perf's records, which cut longer ones, too */

struct build_id {
	uint8_t v[BUILD_ID_MAX];
	uint8_t size;          /* 0: unknown */
};

/* Build-id of a file. False, and size 0: it has none. */
bool build_id_of(const struct elf *f, struct build_id *id);

/* The same from plain notes, e.g. of /sys/kernel/notes or /sys/module/X/notes/.note.gnu.build-id. */
bool build_id_of_notes(struct cursor notes, struct build_id *id);

/* Takes at most BUILD_ID_MAX bytes. perf pads short ids with zeros to 20 bytes, which are dropped. */
struct build_id build_id_from(const uint8_t *bytes, size_t n);

/* True if both are known and equal. */
bool build_id_same(const struct build_id *a, const struct build_id *b);

/* Write "ab12..." to buf of 2 * BUILD_ID_MAX + 1. */
const char *build_id_text(const struct build_id *id, char *buf, size_t size);

/* Write PREFIX/usr/lib/debug/.build-id/ab/12....debug to buf; prefix may be NULL. */
const char *build_id_path(const struct build_id *id, const char *prefix, char *buf, size_t size);

#endif
