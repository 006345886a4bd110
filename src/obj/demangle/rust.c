/* rust.c - Rust's legacy scheme: a C++ nested name whose last part is a hash. */
#include "obj/demangle/parts.h"

/* Escape behind $, then its character; others are u and the code in hex. */
static const char escapes[] = "SP@BP*RF&LT<GT>LP(RP)";

int dem_hex(char ch)
{
	return ch >= '0' && ch <= '9' ? ch - '0' : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* Decode an escape $..$: returns its length with both $, or 0. */
static size_t escape(struct dem_out *o, const char *s, size_t n)
{
	unsigned v = 0;
	size_t k = 2;

	for (const char *e = escapes; *e && n > 3; e += 3)
		if (s[1] == e[0] && s[2] == e[1] && s[3] == '$') {
			dem_char(o, e[2]);
			return 4;
		}
	if (n > 2 && s[1] == 'C' && s[2] == '$') {
		dem_char(o, ',');
		return 3;
	}
	if (n < 4 || s[1] != 'u')
		return 0;
	while (k < n && dem_hex(s[k]) >= 0 && v < 0x80)
		v = v * 16 + (unsigned)dem_hex(s[k++]);
	if (k == n || s[k] != '$' || v < 0x20 || v >= 0x7f)
		return 0;
	dem_char(o, (char)v);
	return k + 1;
}

static void legacy_part(struct dem_out *o, const char *s, size_t n)
{
	const char *end = s + n;

	if (n > 1 && s[0] == '_' && s[1] == '$')
		s++;
	while (s < end) {
		size_t k = 1, left = (size_t)(end - s);

		if (*s == '$') {
			k = escape(o, s, left);
			if (!k) {
				dem_put(o, s, left);
				return;
			}
		} else if (*s == '.' && left > 1 && s[1] == '.') {
			dem_str(o, "::");
			k = 2;
		} else {
			dem_char(o, *s);
		}
		s += k;
	}
}

bool dem_rust_clones(struct dem_out *o, const char *s, enum demangle_style style)
{
	return !strncmp(s, ".llvm.", 6) || dem_clones(o, s, style);
}

/* h and 16 hex digits; real hashes have at least five different digits. */
static bool is_hash(const char *s, size_t n)
{
	unsigned seen = 0;

	if (n != 17 || s[0] != 'h')
		return false;
	for (size_t i = 1; i < n; i++) {
		if (dem_hex(s[i]) < 0)
			return false;
		seen |= 1U << dem_hex(s[i]);
	}
	return __builtin_popcount(seen) >= 5;
}

bool demangle_rust_legacy(struct dem_out *o, const char *name, enum demangle_style style)
{
	const char *s = name + 3, *end = name + strlen(name);
	bool hash = false;

	if (name[2] != 'N')
		return false;
	while (*s >= '0' && *s <= '9') {
		size_t n = 0;

		while (*s >= '0' && *s <= '9' && n < UINT16_MAX)
			n = n * 10 + (size_t)(*s++ - '0');
		if (!n || n > (size_t)(end - s))
			return false;
		hash = is_hash(s, n) && s[n] == 'E';
		if (hash && (!o->n || style == DEMANGLE_SHORT))
			return o->n && dem_rust_clones(o, s + n + 1, style);
		if (o->n)
			dem_str(o, "::");
		legacy_part(o, s, n);
		s += n;
	}
	return hash && dem_rust_clones(o, s + 1, style);
}
