/* ctype.c - functions for types of any source: members in unnamed members, and spelling in C. */
#include "obj/types/ctype.h"

#include "base/fmt.h"

/* Limits: nesting of unnamed members and base classes; members examined for one name. */
enum { DEPTH_MAX = 16, LOOKS_MAX = 1 << 16 };

/* Limit for pointers, arrays and functions in one spelling. */
enum { SPELL_MAX = 16 };

int ctype_info(struct ctype t, struct ctype_info *info, struct err *e)
{
	*info = (struct ctype_info){ .name = SV("") };
	return t.src ? t.src->info(t.src, t.id, info, e) : 0;
}

struct search {
	struct sv name;
	struct ctype_member *found;
	struct nearest near;
	unsigned looks, depth;
	struct err *e;
};

static int search_in(struct search *s, struct ctype t, uint64_t at);

/* Search unnamed members only after the type's own members, which hide those of base classes. */
static int search_unnamed(struct search *s, struct ctype t, uint64_t at)
{
	struct ctype_member m;
	int got;

	if (s->depth == DEPTH_MAX)
		return 0;
	s->depth++;
	for (unsigned i = 0; (got = t.src->member(t.src, t.id, i, &m, s->e)) > 0; i++) {
		if (!m.name.n && !m.bits && m.type.src)
			got = search_in(s, m.type, at + m.bit_offset);
		else
			got = 0;
		if (got || ++s->looks > LOOKS_MAX)
			break;
	}
	s->depth--;
	return got;
}

/* Search a type: 1, 0: not found, -errno. */
static int search_in(struct search *s, struct ctype t, uint64_t at)
{
	unsigned unnamed = 0;
	struct ctype_member m;
	int got;

	for (unsigned i = 0; (got = t.src->member(t.src, t.id, i, &m, s->e)) > 0; i++) {
		if (++s->looks > LOOKS_MAX)
			return 0;
		if (m.name.n == s->name.n && m.name.n && !memcmp(m.name.s, s->name.s, m.name.n)) {
			m.bit_offset += at;
			*s->found = m;
			return 1;
		}
		if (m.name.n)
			nearest_feed(&s->near, m.name.s);
		else
			unnamed++;
	}
	return got || !unnamed ? got : search_unnamed(s, t, at);
}

int ctype_member(struct ctype t, struct sv name, struct ctype_member *m, struct err *e)
{
	struct search s = { .name = name, .found = m, .e = e };
	char type[128], near[200];
	struct ctype_info info;
	int got = ctype_info(t, &info, e);

	if (got)
		return got;
	if (info.kind != CTYPE_STRUCT && info.kind != CTYPE_UNION)
		return err_set(e, EINVAL, "%s has no members", ctype_spell(t, type, sizeof(type)));
	nearest_init(&s.near, name);
	got = search_in(&s, t, 0);
	if (got)
		return MIN(got, 0);
	return err_set(e, ENOENT, "%s has no member '%.*s'%s", ctype_spell(t, type, sizeof(type)), (int)name.n, name.s,
		       nearest_text(&s.near, near, sizeof(near)));
}

/* A declarator grows from the inside out: pointers in front, arrays and functions behind. */
struct spelling {
	char front[3 * SPELL_MAX], back[24 * SPELL_MAX];
	size_t n_front, n_back;
};

static void spell_front(struct spelling *s, char c)
{
	s->front[sizeof(s->front) - ++s->n_front] = c;
}

static void spell_back(struct spelling *s, const struct ctype_info *t)
{
	char *to = s->back + s->n_back;
	size_t size = sizeof(s->back) - s->n_back;

	/* Suffixes of a name bind tighter than a star: parenthesise. */
	if (s->n_front && s->front[sizeof(s->front) - s->n_front] == '*') {
		spell_front(s, '(');
		*to++ = ')';
		size--;
		s->n_back++;
	}
	if (t->kind == CTYPE_FUNC)
		s->n_back += (size_t)snprintf(to, size, "()");
	else if (t->count)
		s->n_back += (size_t)snprintf(to, size, "[%llu]", (unsigned long long)t->count);
	else
		s->n_back += (size_t)snprintf(to, size, "[]");
}

/* Spell pointers, arrays and functions, down to the innermost type. */
static void spell_outside(struct spelling *s, struct ctype t, struct ctype_info *info)
{
	for (int i = 0; i < SPELL_MAX && !ctype_info(t, info, NULL); i++) {
		if (info->kind == CTYPE_PTR)
			spell_front(s, '*');
		else if (info->kind == CTYPE_ARRAY || info->kind == CTYPE_FUNC)
			spell_back(s, info);
		else
			return;
		t = info->target;
	}
	*info = (struct ctype_info){ .name = SV("?") };
}

const char *ctype_spell(struct ctype t, char *buf, size_t size)
{
	static const char *const words[] = {
		[CTYPE_STRUCT] = "struct ", [CTYPE_UNION] = "union ", [CTYPE_ENUM] = "enum ",
	};
	struct spelling s = { .n_front = 0 };
	struct ctype_info info;

	spell_outside(&s, t, &info);

	const char *word = info.kind < ARRAY_SIZE(words) && !info.is_typedef ? words[info.kind] : NULL;
	struct sv name = info.name.n ? info.name : info.kind == CTYPE_NONE ? SV("void") : word ? SV("{...}") : SV("?");

	snprintf(buf, size, "%s%.*s%s%.*s%.*s", word ? word : "", (int)name.n, name.s, s.n_front ? " " : "",
		 (int)s.n_front, s.front + sizeof(s.front) - s.n_front, (int)s.n_back, s.back);
	return buf;
}
