/* Instructions one after another as text, each alone and as lines of a listing. The first byte: is the rest x86? */
#include "analyse/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { START = 0x1000 };

static bool name(void *arg, uint64_t addr, char text[LISTING_NAME])
{
	snprintf(text, LISTING_NAME, "%llx", (unsigned long long)addr);
	return arg && addr & 4;
}

static void check_text(const char *text, size_t size)
{
	size_t n = strnlen(text, size);

	if (!n || n >= size - 1)
		abort();
	for (size_t i = 0; i < n; i++)
		if (text[i] != '\t' && (text[i] < ' ' || text[i] > '~'))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct listing_want w = { .addr = START, .name = name, .arg = &w };
	struct listing_line line;
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };
	struct listing l;

	if (!n)
		return 0;
	w.arch = p[0] & 1 ? &arch_x86_64 : &arch_aarch64;
	w.raw = p[0] & 2;
	w.code = cur_from(p + 1, n - 1);
	listing_init(&l, &w);
	while (listing_next(&l, &line)) {
		if (!line.len)
			abort();
		check_text(line.text, sizeof(line.text));
	}
	for (size_t at = 1; at + 4 <= n; at += d.len) {
		if (!arch_disasm_of(w.arch)(p + at, n - at, START, &memo, &d) || !d.len || d.len > n - at)
			abort();
		check_text(d.text, sizeof(text));
	}
	return 0;
}
