/* A format text, then a NUL, then a record that each field is read from. */
#include "tracefs/format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void read_fields(const struct tfmt *f, const uint8_t *raw, size_t n)
{
	for (uint32_t i = 0; i < f->n_fields; i++) {
		const struct tfield *field = &f->fields[i];
		struct traw b = tfmt_bytes(field, raw, n);
		struct sv s = tfmt_str(field, raw, n);
		uint64_t v;

		if (b.n > n || s.n > b.n || (b.n && (b.p < raw || b.p + b.n > raw + n)))
			abort();
		tfmt_u64(field, raw, n, &v);
		if (!tfmt_field(f, field->name))
			abort();
		if (field->type[0] == ' ')
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nul = n ? memchr(p, 0, n) : NULL;
	size_t text = nul ? (size_t)(nul - p) : n, skip = nul ? text + 1 : text;
	struct tmachine m = { .long_size = n & 1 ? 4 : 8, .swap = n >> 1 & 1 };
	struct arena a = { 0 };
	struct tpage_layout page;
	struct tfmt f;

	if (!tfmt_parse(&f, &a, (struct sv){ (const char *)p, text }, m, NULL))
		read_fields(&f, p + skip, n - skip);
	tfmt_page(&page, (struct sv){ (const char *)p, n }, NULL);
	arena_deinit(&a);
	return 0;
}
