/* insn_lines.c - see insn_lines.h. */
#include "cmd/annotate/insn_lines.h"

enum { PREFIX = 3 };   /* blanks in front of an address */

/* Split a line into the columns before the first ':', the address, and the text after the second ':'. */
static bool parts_of(struct sv line, struct sv *front, uint64_t *addr, struct sv *rest)
{
	struct sv number;

	if (!sv_cut(&line, ':', front) || !sv_cut(&line, ':', &number) || !line.n)
		return false;
	*rest = line;
	return str_u64(sv_trim(number), 16, addr);
}

/* The mnemonic in the text after the address. Opcodes may precede it: a hex word (arm64) or hex bytes (x86). */
static bool name_of(struct sv text, struct sv *name)
{
	uint64_t number;

	do {
		text = sv_trim(text);
		if (!sv_cut(&text, ' ', name))
			return false;
	} while ((name->n == 2 || name->n == 8) && str_u64(*name, 16, &number));
	return true;
}

bool insn_line_name(struct sv line, struct sv *name)
{
	uint64_t addr;

	return parts_of(line, name, &addr, &line) && name_of(line, name);
}

bool insn_line_target(struct sv line, uint64_t *addr, struct sv *called)
{
	for (size_t i = 2; i < line.n; i++) {
		size_t from = i - 1, end = line.n;

		if (line.s[i] != '<' || line.s[i - 1] != ' ')
			continue;
		while (from && line.s[from - 1] != ' ' && line.s[from - 1] != ',')
			from--;
		if (!str_u64((struct sv){ line.s + from, i - 1 - from }, 16, addr))
			continue;
		while (end > i + 2 && line.s[end - 1] != '>')
			end--;
		*called = (struct sv){ line.s + i + 1, end - i - 2 };
		return end > i + 2;
	}
	return false;
}

/*
 * Mnemonics of arm64 and x86 by their prefix. Other instructions with these prefixes (e.g. bic, btr) have no target in
 * angle brackets, so the caller rules them out.
 */
static enum insn_kind kind_of(struct sv name)
{
	static const char leaves[][5] = { "call", "blr", "b", "j", "cb", "tb", "loop" };
	enum { CALLS = 2 };

	if (sv_eq(name, "bl"))
		return INSN_CALL;
	for (size_t i = 0; i < ARRAY_SIZE(leaves); i++)
		if (sv_starts(name, leaves[i]))
			return i < CALLS ? INSN_CALL : INSN_JUMP;
	return INSN_OTHER;
}

/* Is it the heading of a function, "5  0000000000400130 <work>:"? */
static bool is_head(struct sv line)
{
	return line.n > 2 && line.s[line.n - 1] == ':' && line.s[line.n - 2] == '>';
}

static void take(struct insn_lines *l, struct insn *new, struct sv line)
{
	struct sv name, rest;
	uint64_t addr;

	if (!l->is_code || !parts_of(line, &name, &addr, &rest))
		return;
	new->addr = addr;
	new->kind = name_of(rest, &name) ? kind_of(name) : INSN_OTHER;
	if (new->kind == INSN_JUMP && !insn_line_target(rest, &new->target, &name))
		new->kind = INSN_OTHER;
	if (l->begins)
		new->func = l->v.n - 1;
	l->begins = false;
}

int insn_lines_add(struct insn_lines *l, struct sv line)
{
	struct insn *new = vec_add(&l->v);

	if (!new)
		return -ENOMEM;
	if (l->v.n > 1) {
		new->func = new[-1].func;
		new->addr = new[-1].addr;
	}
	if (is_head(line))
		l->is_code = l->begins = true;
	take(l, new, line);
	return 0;
}

/* Binary search for the jump's target, by address among the lines of the jump's function. */
static void count_jump(struct insn_lines *l, const struct insn *jump)
{
	size_t from = jump->func, to = l->v.n;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (l->v.v[mid].func == jump->func && l->v.v[mid].addr < jump->target)
			from = mid + 1;
		else
			to = mid;
	}
	if (from < l->v.n && l->v.v[from].func == jump->func && l->v.v[from].addr == jump->target)
		l->v.v[from].jumps++;
}

void insn_lines_end(struct insn_lines *l)
{
	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].kind == INSN_JUMP)
			count_jump(l, &l->v.v[i]);
}

const struct insn *insn_lines_at(const struct insn_lines *l, size_t line)
{
	return line < l->v.n && l->v.v[line].kind ? &l->v.v[line] : NULL;
}

bool insn_lines_find(const struct insn_lines *l, uint64_t addr, size_t *line)
{
	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].kind && l->v.v[i].addr == addr) {
			*line = i;
			return true;
		}
	return false;
}

static bool has_number(const struct insn *at, enum insn_level level)
{
	return level == INSN_ADDRESSES || level == INSN_AT_ALL || at->jumps ||
	       (level == INSN_AT_CALLS && at->kind == INSN_CALL);
}

void insn_lines_put(const struct insn_lines *l, const struct insn *at, const struct insn_form *f, struct sv line,
		    struct out *o)
{
	bool whole = f->level == INSN_ADDRESSES || f->full;
	char number[24] = "", jumps[16] = "";
	struct sv front, rest;
	uint64_t addr;

	if (!parts_of(line, &front, &addr, &rest))
		return;
	if (f->jumps && at->jumps)
		snprintf(jumps, sizeof(jumps), "%2u", at->jumps);
	if (has_number(at, f->level))
		snprintf(number, sizeof(number), "%llx:",
			 (unsigned long long)(whole ? addr : addr - l->v.v[at->func].addr));
	out_printf(o, "%.*s:%-*s%*s%.*s", (int)front.n, front.s, PREFIX, jumps,
		   (int)(rest.s - front.s - (ptrdiff_t)front.n) - 1 - PREFIX, number, (int)rest.n, rest.s);
}
