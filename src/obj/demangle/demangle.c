/* demangle.c - detects the mangling scheme; the bounded output; clone suffixes. */
#include "obj/demangle/parts.h"

void dem_put(struct dem_out *o, const char *s, size_t n)
{
	if (n >= o->cap - o->n) {
		o->bad = true;
		return;
	}
	memcpy(o->buf + o->n, s, n);
	o->n += n;
}

void dem_str(struct dem_out *o, const char *s)
{
	dem_put(o, s, strlen(s));
}

void dem_char(struct dem_out *o, char c)
{
	dem_put(o, &c, 1);
}

void dem_num(struct dem_out *o, uint64_t v)
{
	char text[21];

	dem_put(o, text, (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)v));
}

static bool clone_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A clone suffix is a word and numbers: ".part.3.4". */
bool dem_clones(struct dem_out *o, const char *s, enum demangle_style style)
{
	while (style == DEMANGLE_FULL && *s) {
		const char *from = s;

		if (*s++ != '.' || !clone_char(*s))
			return false;
		while (clone_char(*s))
			s++;
		while (s[0] == '.' && s[1] >= '0' && s[1] <= '9')
			for (s++; *s >= '0' && *s <= '9'; s++)
				;
		dem_str(o, " [clone ");
		dem_put(o, from, (size_t)(s - from));
		dem_char(o, ']');
	}
	return true;
}

bool demangle(const char *name, enum demangle_style style, char *buf, size_t size)
{
	struct dem_out o = { .buf = buf, .cap = size };
	bool done = false;

	if (!size || name[0] != '_')
		return false;
	if (name[1] == 'R') {
		done = demangle_rust_v0(&o, name, style);
	} else if (name[1] == 'Z') {
		done = demangle_rust_legacy(&o, name, style);
		if (!done) {
			o = (struct dem_out){ .buf = buf, .cap = size };
			done = demangle_cxx(&o, name, style);
		}
	}
	if (!done || o.bad)
		return false;
	buf[o.n] = '\0';
	return true;
}
