/* flame.c - the hash-consed tree of stacks, and folded text. */
#include "show/flame.h"
#include "show/flame_tree.h"

enum { PARENT_BITS = 30 };   /* of a key: 32 bits name, 2 bits kind, the rest parent */

static const char unknown[] = "[unknown]";

struct flame *flame_new(void)
{
	struct flame *f = calloc(1, sizeof(*f));

	if (f && !vec_add(&f->node)) {
		free(f);
		return NULL;
	}
	return f;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	vec_free(&f->node);
	names_deinit(&f->names);
	map_deinit(&f->child);
	free(f);
}

uint64_t flame_total(const struct flame *f)
{
	return f->total;
}

static uint64_t child_key(uint32_t parent, uint32_t name, enum flame_kind kind)
{
	return (uint64_t)parent << (64 - PARENT_BITS) | (uint64_t)name << 2 | kind;
}

/* The node of a frame below parent, created if new; FLAME_NONE: no memory. */
static uint32_t child_of(struct flame *f, uint32_t parent, struct sv name, enum flame_kind kind)
{
	uint32_t id = name.n ? names_add(&f->names, name.s, name.n) :
			       names_add(&f->names, unknown, sizeof(unknown) - 1);
	bool is_new;
	uint64_t *at;

	if (id == NAMES_NONE || f->node.n >> PARENT_BITS)
		return FLAME_NONE;
	if (vec_reserve(&f->node, 1))
		return FLAME_NONE;
	at = map_add(&f->child, child_key(parent, id, kind), &is_new);
	if (!at)
		return FLAME_NONE;
	if (is_new) {
		*at = f->node.n;
		f->node.v[f->node.n++] =
			(struct flame_node){ .parent = parent, .name = id, .kind = kind };
	}
	return (uint32_t)*at;
}

static void add_weight(struct flame *f, uint32_t node, uint64_t weight)
{
	weight = MIN(weight, UINT64_MAX - f->total);
	f->node.v[node].self += weight;
	f->total += weight;
}

/* FLAME_NONE: no memory, or no frames. */
static uint32_t stack_of(struct flame *f, const struct flame_frame *frames, size_t n)
{
	uint32_t at = 0;

	for (size_t i = 0; i < n && (!i || at != FLAME_NONE); i++)
		at = child_of(f, at, sv_from(frames[i].name), frames[i].kind);
	return at;
}

int flame_add(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight)
{
	uint32_t at = stack_of(f, frames, n);

	if (n && at == FLAME_NONE)
		return -ENOMEM;
	add_weight(f, at, weight);
	return 0;
}

int flame_add_old(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight)
{
	uint32_t at = stack_of(f, frames, n);

	if (n && at == FLAME_NONE)
		return -ENOMEM;
	weight = MIN(weight, UINT64_MAX - f->old_total);
	f->node.v[at].old += weight;
	f->old_total += weight;
	f->compared = true;
	return 0;
}

/* "name_[k]": the mark of folding tools for kernel frames. */
static enum flame_kind folded_kind(struct sv *name)
{
	const struct sv mark = SV("_[k]");

	if (name->n <= mark.n || memcmp(name->s + name->n - mark.n, mark.s, mark.n))
		return FLAME_PLAIN;
	name->n -= mark.n;
	return FLAME_KERNEL;
}

int flame_add_folded(struct flame *f, struct sv line, struct err *e)
{
	uint32_t at = 0;
	uint64_t weight;
	struct sv stack, name;

	line = sv_trim(line);
	stack = line;
	while (stack.n && stack.s[stack.n - 1] != ' ')
		stack.n--;
	if (!stack.n || !str_u64((struct sv){ line.s + stack.n, line.n - stack.n }, 10, &weight))
		return err_set(e, EBADMSG, "no weight at the end of folded line '%.*s'",
			       (int)MIN(line.n, 80u), line.s);
	stack = sv_trim(stack);
	while (sv_cut(&stack, ';', &name)) {
		enum flame_kind kind = folded_kind(&name);

		at = child_of(f, at, name, kind);
		if (at == FLAME_NONE)
			return err_nomem(e);
	}
	add_weight(f, at, weight);
	return 0;
}

static void folded_name(struct out *o, const char *s)
{
	for (; *s; s++)
		out_char(o, *s == ';' ? ':' : (uint8_t)*s < 0x20 || *s == 0x7f ? '?' : *s);
}

/* Print the names from the outermost frame to `node`; path has room for every node. */
static void folded_line(const struct flame *f, uint32_t node, uint32_t *path, struct out *o)
{
	size_t n = 0;

	for (uint32_t at = node; at; at = f->node.v[at].parent)
		path[n++] = f->node.v[at].name;
	while (n) {
		folded_name(o, names_str(&f->names, path[--n]));
		if (n)
			out_char(o, ';');
	}
	out_char(o, ' ');
	if (f->compared) {
		out_u64(o, f->node.v[node].old);
		out_char(o, ' ');
	}
	out_u64(o, f->node.v[node].self);
	out_char(o, '\n');
}

/* The node behind `at` in depth-first order; 0 behind the last. */
static uint32_t walk_next(const struct flame *f, const struct flame_links *l, uint32_t at)
{
	if (l->child[at] != FLAME_NONE)
		return l->child[at];
	while (at && l->next[at] == FLAME_NONE)
		at = f->node.v[at].parent;
	return at ? l->next[at] : 0;
}

void flame_folded(const struct flame *f, struct out *o)
{
	struct flame_links l;
	uint32_t *path = calloc(f->node.n, sizeof(*path));
	int err = path ? flame_links_init(&l, f) : -ENOMEM;

	if (err) {
		free(path);
		o->error = o->error ? o->error : err;
		return;
	}
	for (uint32_t at = walk_next(f, &l, 0); at; at = walk_next(f, &l, at))
		if (f->node.v[at].self || f->node.v[at].old)
			folded_line(f, at, path, o);
	flame_links_deinit(&l);
	free(path);
}
