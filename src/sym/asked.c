/* asked.c - see asked.h. */
#include "sym/asked.h"

#include "base/find.h"
#include "base/str.h"

/* Enough for the longest names of a function and a module, and the numbers between them. */
enum { TEXT = 640 };

/* As many functions as the largest kernels have; more answers come only from modules that are loaded and unloaded. */
enum { ASKED_MAX = 1 << 18 };

void asked_deinit(struct asked *a)
{
	vec_free(&a->v);
	arena_deinit(&a->names);
}

/* "0x1c/0x340" */
static bool read_place(struct sv text, uint64_t *off, uint64_t *len)
{
	struct sv first;

	return sv_cut(&text, '/', &first) && str_u64(first, 0, off) && str_u64(text, 0, len) && *off < *len;
}

static bool read_answer(struct asked *a, struct sv text, uint64_t addr, struct kernel_symbol *s)
{
	struct sv name, place;
	uint64_t off;

	if (!sv_cut(&text, '+', &name) || !name.n || !sv_cut(&text, ' ', &place) || !read_place(place, &off, &s->len) ||
	    off > addr || s->len - off > UINT64_MAX - addr)
		return false;
	s->start = addr - off;
	s->name = arena_dup(&a->names, name.s, name.n);
	s->module = NULL;
	if (s->name && text.n > 2 && text.s[0] == '[' && text.s[text.n - 1] == ']')
		s->module = arena_dup(&a->names, text.s + 1, text.n - 2);
	return s->name;
}

/* Insert a symbol; v has room. Older ones that it overlaps were of an unloaded module: remove or shorten them. */
static void put(struct asked *a, const struct kernel_symbol *s)
{
	size_t from = s->start ? find_upto(a->v.v, a->v.n, start, s->start - 1) : 0;
	size_t end = find_upto(a->v.v, a->v.n, start, s->start + (s->len - 1));
	struct kernel_symbol *v = a->v.v + from;

	if (from)
		v[-1].len = MIN(v[-1].len, s->start - v[-1].start);
	memmove(v + 1, a->v.v + end, (a->v.n - end) * sizeof(*v));
	*v = *s;
	a->v.n += from + 1 - end;
}

static bool ask(struct asked *a, const struct kernel_namer *who, uint64_t addr, struct kernel_symbol *s)
{
	char text[TEXT];

	if (a->answers >= ASKED_MAX || who->ask(who->arg, addr, text, sizeof(text)) ||
	    !read_answer(a, sv_from(text), addr, s) || vec_reserve(&a->v, 1))
		return false;
	a->answers++;
	put(a, s);
	return true;
}

bool asked_find(struct asked *a, const struct kernel_namer *who, uint64_t addr, struct kernel_symbol *s)
{
	size_t n = find_upto(a->v.v, a->v.n, start, addr);

	if (!n || addr - a->v.v[n - 1].start >= a->v.v[n - 1].len)
		return ask(a, who, addr, s);
	*s = a->v.v[n - 1];
	return true;
}
