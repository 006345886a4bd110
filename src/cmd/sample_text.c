#include "cmd/sample_text.h"

/* The next larger unit is used from two of it on, as in perf: 1M is "1024K". */
void sample_page_size(uint64_t size, struct out *o)
{
	static const char units[] = "BKMG";
	unsigned unit = 0;

	for (; size / 1024 > 1 && unit < sizeof(units) - 2; unit++)
		size /= 1024;
	if (size)
		out_printf(o, "%llu%c", (unsigned long long)size, units[unit]);
	else
		out_str(o, "N/A");
}

/* From this bit on each 128-bit XMM register takes two bits of the mask: x86's asm/perf_regs.h. */
enum { WIDE = 32 };

static void name_reg(const struct arch *a, unsigned bit, char name[16])
{
	const char *known = NULL;

	for (size_t i = 0; i < a->n_regs && !known; i++)
		if (a->regs[i].perf_bit == bit)
			known = a->regs[i].name;
	if (known)
		snprintf(name, 16, "%s", known);
	else if (a->capitals && bit >= WIDE)
		snprintf(name, 16, "XMM%u", (bit - WIDE) / 2);
	else
		snprintf(name, 16, "unknown");
	for (char *p = name; a->capitals && known && *p; p++)
		*p = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
}

bool sample_regs_next(struct sample_regs *r)
{
	struct cursor c = cur_from(r->values.p, r->values.n);

	c.swap = r->l->swap;
	if (!r->left || r->values.n < 8)
		return false;
	r->value = cur_u64(&c);
	r->values = (struct bytes){ r->values.p + 8, r->values.n - 8 };
	name_reg(r->arch, (unsigned)__builtin_ctzll(r->left), r->name);
	r->left &= r->left - 1;
	return true;
}

void sample_bytes_put(const struct sample_bytes *how, struct bytes b, struct out *o)
{
	for (size_t at = 0; at < b.n; at += how->width) {
		size_t n = MIN(b.n - at, (size_t)how->width);

		out_str(o, at ? how->front : how->first);
		out_zero_hex(o, at, 4);
		out_char(o, ':');
		out_str(o, how->gap);
		for (size_t i = 0; i < n; i++) {
			out_char(o, ' ');
			out_zero_hex(o, b.p[at + i], 2);
		}
		out_fill(o, ' ', 3 * (how->width - n) + 2);
		for (size_t i = 0; i < n; i++)
			out_char(o, b.p[at + i] >= ' ' && b.p[at + i] < 127 ? (char)b.p[at + i] : '.');
		out_fill(o, ' ', how->width - n);
		out_char(o, '\n');
	}
}
