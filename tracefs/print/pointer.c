/* pointer.c - see pointer.h. Meaning of the letters: Linux Documentation/core-api/printk-formats.rst. */
#include "tracefs/print/pointer.h"
#include "tracefs/print/text.h"

enum { FAMILY_IPV4 = 2, FAMILY_IPV6 = 10, HEX_MAX = 64 };

bool tptr_takes_length(const struct tspec *s)
{
	return s->conv == 'p' && (s->ext[0] == 'h' || s->ext[0] == 'b');
}

static void address(uint64_t v, struct out *o)
{
	out_str(o, "0x");
	out_hex(o, v);
}

void tptr_symbol(const struct tprint_names *names, uint64_t addr, char style, struct out *o)
{
	struct tprint_symbol s = { 0 };
	uint64_t at = style == 'B' && addr ? addr - 1 : addr;   /* a return address may be behind its function */

	if (!addr || !names || !names->symbol || !names->symbol(names->arg, at, &s) || !s.name) {
		address(addr, o);
		return;
	}
	out_str(o, s.name);
	if (style != 's' && style != 'f') {
		out_str(o, "+0x");
		out_hex(o, s.offset + (addr - at));
		if (s.size) {
			out_str(o, "/0x");
			out_hex(o, s.size);
		}
	}
	if (s.module)
		out_printf(o, " [%s]", s.module);
}

static char has(const char *ext, const char *letters)
{
	for (; *ext; ext++)
		if (strchr(letters, *ext))
			return *ext;
	return 0;
}

static void ip4(const uint8_t *p, const char *ext, char lead, struct out *o)
{
	char order = has(ext, "hnbl");
	bool back = order == 'l' || (order == 'h' && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	for (size_t i = 0; i < 4; i++) {
		if (i)
			out_char(o, '.');
		if (lead == 'i')
			out_zero(o, p[back ? 3 - i : i], 3);
		else
			out_u64(o, p[back ? 3 - i : i]);
	}
}

static unsigned word(const uint8_t *p, size_t i)
{
	return (unsigned)p[i * 2] << 8 | p[i * 2 + 1];
}

static void ip6(const uint8_t *p, const char *ext, char lead, struct out *o)
{
	if (has(ext, "c")) {
		out_ip6(o, p);
		return;
	}
	for (size_t i = 0; i < 8; i++)
		out_printf(o, "%s%04x", i && lead == 'I' ? ":" : "", word(p, i));
}

static void sockaddr6(const struct teval *ev, const uint8_t *p, const char *ext, char lead, struct out *o)
{
	bool more = has(ext, "pfs");

	if (more)
		out_char(o, '[');
	ip6(p + 8, ext, lead, o);
	if (more)
		out_char(o, ']');
	if (has(ext, "p"))
		out_printf(o, ":%u", word(p, 1));
	if (has(ext, "f"))
		out_printf(o, "/%u", (word(p, 2) << 16 | word(p, 3)) & 0xfffff);
	if (has(ext, "s"))
		out_printf(o, "%%%u", (unsigned)traw_load(p + 24, 4, ev->swap));
}

/* struct sockaddr_in: family, be16 port, 4 bytes; sockaddr_in6: family, port, flow, 16 bytes, scope. */
static void sockaddr(const struct teval *ev, struct traw b, const char *ext, char lead, struct out *o)
{
	unsigned family = b.n >= 2 ? (unsigned)traw_load(b.p, 2, ev->swap) : 0;

	if (family == FAMILY_IPV4 && b.n >= 8) {
		ip4(b.p + 4, ext, lead, o);
		if (has(ext, "p"))
			out_printf(o, ":%u", word(b.p, 1));
	} else if (family == FAMILY_IPV6 && b.n >= 28) {
		sockaddr6(ev, b.p, ext, lead, o);
	} else {
		out_str(o, "(einval)");
	}
}

static void network(const struct teval *ev, struct traw b, const char *ext, struct out *o)
{
	char lead = ext[0], what = ext[1];

	if (what == 'S')
		sockaddr(ev, b, ext + 2, lead, o);
	else if (what == '4' && b.n >= 4)
		ip4(b.p, ext + 2, lead, o);
	else if (what == '6' && b.n >= 16)
		ip6(b.p, ext + 2, lead, o);
	else
		out_char(o, '?');
}

static void mac(struct traw b, const char *ext, struct out *o)
{
	uint8_t six[6];
	bool back = ext[1] == 'R';

	if (b.n < sizeof(six)) {
		out_char(o, '?');
		return;
	}
	for (size_t i = 0; i < sizeof(six); i++)
		six[i] = b.p[back ? 5 - i : i];
	ttext_hex((struct traw){ six, sizeof(six) }, ext[0] == 'm' ? 0 : ext[1] == 'F' ? '-' : ':', o);
}

static void uuid(struct traw b, char style, struct out *o)
{
	static const uint8_t big[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const uint8_t little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const uint8_t *order = (style | 0x20) == 'l' ? little : big;
	bool upper = style == 'L' || style == 'B';

	if (b.n < 16) {
		out_char(o, '?');
		return;
	}
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out_char(o, '-');
		out_printf(o, upper ? "%02X" : "%02x", b.p[order[i]]);
	}
}

static void hex_string(struct traw b, char style, int64_t count, struct out *o)
{
	char sep = style == 'C' ? ':' : style == 'D' ? '-' : style == 'N' ? 0 : ' ';

	b.n = count < 0 ? MIN(b.n, 1u) : MIN(b.n, (size_t)MIN(count, HEX_MAX));
	ttext_hex(b, sep, o);
}

static void bit_string(const struct teval *ev, struct traw b, char style, int64_t count, struct out *o)
{
	size_t bits = count < 0 ? 0 : MIN((size_t)MIN(count, 1 << 20), b.n * 8);

	if (style == 'l')
		ttext_bitlist(ev, b, bits, o);
	else
		ttext_bitmap(ev, b, bits, o);
}

/* %pa, %pap, %pad: a physical or bus address, passed by reference. */
static void by_reference(const struct teval *ev, struct traw b, struct out *o)
{
	uint32_t size = b.n >= 8 ? 8 : 4;
	struct tspec s = { .conv = 'x', .len = 8, .alt = true, .zero = true, .prec = -1 };

	s.width = (int16_t)(size * 2 + 2);
	if (b.n < size)
		out_char(o, '?');
	else
		tspec_number(&s, traw_load(b.p, size, ev->swap), o);
}

static void from_bytes(const struct teval *ev, const char *ext, struct traw b, int64_t count, struct out *o)
{
	switch (ext[0]) {
	case 'I': case 'i': network(ev, b, ext, o); break;
	case 'M': case 'm': mac(b, ext, o); break;
	case 'U': uuid(b, ext[1], o); break;
	case 'h': hex_string(b, ext[1], count, o); break;
	case 'b': bit_string(ev, b, ext[1], count, o); break;
	case 'a': by_reference(ev, b, o); break;
	default: out_char(o, '?');
	}
}

void tptr_write(const struct teval *ev, const struct tspec *s, struct tval v, int64_t count, struct out *o)
{
	struct ttext_buf b;

	if (v.kind == TVAL_BYTES && tptr_takes_length(s)) {
		from_bytes(ev, s->ext, v.bytes, count, o);   /* may be longer than the buffer for padding */
		return;
	}
	ttext_buf_init(&b);
	if (v.kind == TVAL_BYTES)
		from_bytes(ev, s->ext, v.bytes, count, &b.out);
	else if (v.kind != TVAL_NUM)
		out_char(&b.out, '?');
	else if (s->ext[0] && strchr("sSfFB", s->ext[0]))
		tptr_symbol(ev->names, v.v, s->ext[0], &b.out);
	else if (ev->names && ev->names->bare)
		out_zero_hex(&b.out, v.v, ev->long_size * 2u);
	else if (!v.v)
		out_str(&b.out, "(nil)");   /* as libtraceevent prints it by the C library's printf */
	else
		address(v.v, &b.out);
	tspec_text(s, ttext_buf_sv(&b), o);
}
