#include "obj/elf/build_id.h"

#include "obj/elf/elf.h"
#include "obj/elf/note.h"

enum { NT_GNU_BUILD_ID = 3 };

/* Limit for note sections and segments: a hostile file has thousands that overlap. */
enum { NOTES_MAX = 32 };

/* Limit for the bytes of one of them: notes have some hundred, with USDT some ten thousand. */
enum { NOTES_BYTES_MAX = 1 << 20 };

bool build_id_of_notes(struct cursor notes, struct build_id *id)
{
	struct note n;

	id->size = 0;
	while (note_next(&notes, &n)) {
		if (n.type != NT_GNU_BUILD_ID || !sv_eq(n.name, "GNU") || !n.n)
			continue;
		*id = build_id_from(n.desc, n.n);
		return id->size;
	}
	return false;
}

static bool in_piece(const struct elf *f, struct cursor c, struct build_id *id)
{
	if (!c.bad && cur_left(&c) > NOTES_BYTES_MAX)
		c.end = c.pos + NOTES_BYTES_MAX;
	return !mapped_stopped(f->file) && build_id_of_notes(c, id);
}

bool build_id_of(const struct elf *f, struct build_id *id)
{
	struct elf_segment p;
	struct elf_section s;

	for (uint32_t i = 0, n = 0; n < NOTES_MAX && elf_segment(f, i, &p); i++) {
		n += p.type == ELF_PT_NOTE;
		if (p.type == ELF_PT_NOTE && in_piece(f, elf_segment_data(f, &p), id))
			return true;
	}
	for (uint32_t i = 1, n = 0; n < NOTES_MAX && elf_section(f, i, &s); i++) {
		n += s.type == ELF_NOTE;
		if (s.type == ELF_NOTE && in_piece(f, elf_section_data(f, &s), id))
			return true;
	}
	id->size = 0;
	return false;
}

struct build_id build_id_from(const uint8_t *bytes, size_t n)
{
	struct build_id id = { .size = (uint8_t)MIN(n, BUILD_ID_MAX) };

	if (id.size)
		memcpy(id.v, bytes, id.size);
	/* Real ids have 8 (lld), 16 (MD5, UUID) or 20 bytes: 4 or more zeros at the end are padding. */
	while (id.size > 4 && !memcmp(id.v + id.size - 4, (uint8_t[4]){ 0 }, 4))
		id.size -= 4;
	if (id.size == 4 && !memcmp(id.v, (uint8_t[4]){ 0 }, 4))
		id.size = 0;
	return id;
}

bool build_id_same(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->v, b->v, a->size);
}

const char *build_id_text(const struct build_id *id, char *buf, size_t size)
{
	static const char hex[] = "0123456789abcdef";
	size_t at = 0;

	for (size_t i = 0; i < id->size && at + 2 < size; i++) {
		buf[at++] = hex[id->v[i] >> 4];
		buf[at++] = hex[id->v[i] & 15];
	}
	if (size)
		buf[at] = '\0';
	return buf;
}

const char *build_id_path(const struct build_id *id, const char *prefix, char *buf, size_t size)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id_text(id, hex, sizeof(hex));
	snprintf(buf, size, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", prefix ? prefix : "", hex,
		 id->size ? hex + 2 : "");
	return buf;
}
