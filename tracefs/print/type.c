/* type.c - C type names in casts. */
#include "tracefs/print/expr.h"

static bool ends_in_t(struct sv w)
{
	return w.n > 2 && !memcmp(w.s + w.n - 2, "_t", 2);
}

static bool is_type_word(struct sv w)
{
	static const char *const words[] = { "void", "const", "volatile", "struct", "union", "enum", "__force",
					      "__user" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (sv_eq(w, words[i]))
			return true;
	return ends_in_t(w) || tfmt_type_size(w, 8);
}

bool texpr_at_type(const struct texpr_ctx *c)
{
	struct tlex l = c->lex;
	unsigned words = 0, stars = 0;
	bool known = false;

	for (; l.kind == TLEX_NAME || l.kind == '*'; tlex_next(&l)) {
		if (l.kind == '*') {
			stars++;
			continue;
		}
		if (stars && !is_type_word(l.text))
			return false;
		known |= is_type_word(l.text);
		words++;
	}
	if (l.kind != ')' || !words)
		return false;
	if (known || stars || words > 1)
		return true;
	/* An unknown name in parentheses is a type if an operand follows. */
	tlex_next(&l);
	return l.kind == TLEX_NAME || l.kind == TLEX_NUM || l.kind == TLEX_STR || l.kind == '(';
}

static bool is_unsigned_word(struct sv w)
{
	static const char *const words[] = {
		"bool", "_Bool", "unsigned", "size_t", "gfp_t", "dev_t", "umode_t", "sector_t", "fmode_t", "blk_opf_t",
		"ino_t",
	};

	if (sv_starts(w, "__")) {
		w.s += 2;
		w.n -= 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (sv_eq(w, words[i]))
			return true;
	/* u8 u16 uint32_t uid_t be16 le64 */
	return w.n > 1 && (w.s[0] == 'u' || sv_starts(w, "be") || sv_starts(w, "le"));
}

bool texpr_parse_type(struct texpr_ctx *c, struct texpr_type *t)
{
	const char *start = c->lex.text.s;
	size_t len = 0;
	unsigned stars = 0;
	bool is_void = false, bools = false, uns = false;
	uint32_t size;

	*t = (struct texpr_type){ 0 };
	for (; c->lex.kind == TLEX_NAME || c->lex.kind == '*'; tlex_next(&c->lex)) {
		struct sv w = c->lex.text;

		if (c->lex.kind == '*') {
			stars++;
			continue;
		}
		if (!stars)
			len = (size_t)(w.s + w.n - start);
		is_void |= sv_eq(w, "void");
		bools |= sv_eq(w, "bool") || sv_eq(w, "_Bool");
		uns |= is_unsigned_word(w);
	}
	size = is_void ? 0 : tfmt_type_size((struct sv){ start, len }, c->fmt->long_size);
	if (!stars) {
		t->size = (uint8_t)size;
		t->is_unsigned = uns;
		t->is_bool = bools;
	} else {
		t->size = c->fmt->long_size;
		t->is_unsigned = t->pointer = true;
		t->elem = stars > 1 ? c->fmt->long_size : is_void ? 1 : (uint8_t)size;
		t->elem_unsigned = stars > 1 || uns;
		t->no_arith = !t->elem;
	}
	return texpr_want(c, ')');
}
