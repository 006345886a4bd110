#include "obj/debuglink.h"

#include "obj/elf.h"

bool debuglink_of(const struct elf *f, struct debuglink *d)
{
	struct elf_section s;

	if (!elf_section_find(f, ".gnu_debuglink", &s))
		return false;

	struct cursor c = elf_section_data(f, &s);

	d->name = cur_str(&c);
	cur_align(&c, 4);
	d->crc = cur_u32(&c);
	return !c.bad && d->name[0] && !strchr(d->name, '/');
}

const char *debuglink_path(const struct debuglink *d, const char *prefix, const char *file,
			   unsigned i, struct debuglink_buf *buf)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", "/.debug" }, { "/usr/lib/debug", "" } };
	const char *slash = strrchr(file, '/');

	if (i >= ARRAY_SIZE(places) || !slash || slash - file >= (ptrdiff_t)sizeof(buf->v))
		return NULL;

	int n = snprintf(buf->v, sizeof(buf->v), "%s%s%.*s%s/%s", prefix ? prefix : "",
			 places[i].before, (int)(slash - file), file, places[i].after, d->name);

	return n > 0 && (size_t)n < sizeof(buf->v) ? buf->v : NULL;
}

uint32_t debuglink_crc(const uint8_t *p, size_t n)
{
	/* By nibbles: 64 bytes of table are enough for some hundred MB in a second. */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158,
		0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4,
		0xa00ae278, 0xbdbdf21c,
	};
	uint32_t crc = ~0U;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}
