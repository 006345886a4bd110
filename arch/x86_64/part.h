/* part.h - a buffer for a piece of an instruction's text: what does not fit is dropped. */
#ifndef ARCH_X86_64_PART_H
#define ARCH_X86_64_PART_H

#include "base/base.h"

enum { PART = 96 };

struct part {
	size_t n;
	char *text;               /* PART bytes */
};

/* A short string of a table. put_word() copies the whole struct, whose fixed size makes that one store. */
struct word {
	char text[7];
	uint8_t n;
};

#define WORD(text) { text, sizeof(text) - 1 }

static inline void put_char(struct part *t, char c)
{
	if (t->n < PART)
		t->text[t->n++] = c;
}

/* For string literals: their length is known to the compiler, so that this is inlined stores. */
static inline void put_bytes(struct part *t, const char *s, size_t n)
{
	if (n > PART - t->n)
		return;
	memcpy(t->text + t->n, s, n);
	t->n += n;
}

/* Strings of unknown length are a few letters long: copying each is faster than calls of strlen and memcpy. */
static inline void put_text(struct part *t, const char *s)
{
	if (__builtin_constant_p(strlen(s)))
		put_bytes(t, s, strlen(s));
	else
		while (*s)
			put_char(t, *s++);
}

static inline void put_word(struct part *t, const struct word *w)
{
	if (sizeof(*w) > PART - t->n)
		return;
	memcpy(t->text + t->n, w, sizeof(*w));
	t->n += w->n;
}

static inline void put_digits(struct part *t, uint64_t v)
{
	unsigned n = (unsigned)(67 - __builtin_clzll(v | 1)) / 4;

	if (n > PART - t->n)
		return;
	t->n += n;
	for (char *p = t->text + t->n; n--; v >>= 4)
		*--p = "0123456789abcdef"[v & 15];
}

static inline void put_hex(struct part *t, uint64_t v)
{
	put_text(t, "0x");
	put_digits(t, v);
}

static inline void put_signed(struct part *t, int64_t v)
{
	if (v < 0)
		put_char(t, '-');
	put_hex(t, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

#endif
