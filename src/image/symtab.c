/* symtab.c - collect symbols, sort them, choose the best ones, look up. */
#include "image/symtab.h"

#include "base/find.h"
#include "base/mem.h"
#include "base/sort.h"
#include "obj/elf/elf.h"
#include "obj/elf/symbols.h"

/* Bytes of copied names; further ones are dropped. Files have some thousand stubs, JIT code some 100,000 functions. */
enum { OWN_MAX = 24 << 20 };

/* How many symbols to go back for an enclosing one. */
enum { NEST_MAX = 64 };

/* $x and $d mark code and data in arm64 text; .L names are local to the assembler. */
static bool is_mark(const char *name)
{
	return !name[0] || name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static bool is_function(const struct elf_symbol *s, const struct elf_code *code)
{
	if (s->section == ELF_UNDEF || s->section == ELF_ABS)
		return false;
	if (s->type == ELF_FUNC || s->type == ELF_IFUNC)
		return true;
	return s->type == ELF_NOTYPE && s->visibility != ELF_HIDDEN && s->visibility != ELF_INTERNAL &&
	       elf_code_find(code, s->value);
}

static uint32_t size_of(uint64_t size)
{
	return (uint32_t)MIN(size, (uint64_t)SYMTAB_SIZE_MAX);
}

static uint32_t rank_of(const struct elf_symbol *s)
{
	switch (s->bind) {
	case ELF_LOCAL:
		return SYMTAB_LOCAL;
	case ELF_WEAK:
		return SYMTAB_WEAK;
	default:
		return SYMTAB_GLOBAL;
	}
}

int symtab_add(struct symtab *t, const struct sym *s)
{
	struct sym *to = vec_add(&t->syms);

	if (!to)
		return -ENOMEM;
	*to = *s;
	return 0;
}

/* Copy a name: 1; 0: no more room for names; -ENOMEM. */
static int own_name(struct symtab *t, struct sym *s, struct sv name)
{
	size_t n = name.n + 1, at = t->own.n;

	if (at > OWN_MAX || n > OWN_MAX)
		return 0;
	if (vec_reserve(&t->own, n))
		return -ENOMEM;
	memcpy(t->own.v + at, name.s, name.n);
	t->own.v[at + name.n] = '\0';
	t->own.n += n;
	s->name = (uint32_t)at & (SYMTAB_NAME_MAX - 1);
	return 1;
}

int symtab_add_own(struct symtab *t, uint64_t addr, uint64_t size, struct sv name)
{
	struct sym s = {
		.addr = addr, .size = size_of(size) & SYMTAB_SIZE_MAX, .rank = SYMTAB_LOCAL, .source = SYMTAB_OWN,
	};
	int r = own_name(t, &s, name);

	return r > 0 ? symtab_add(t, &s) : r;
}

bool symtab_own_is_full(const struct symtab *t)
{
	return t->own.n > OWN_MAX;
}

/* "memcpy@@GLIBC_2.14": linkers put the version into .symtab; .dynsym has the function under its own name. */
static bool has_version(const char *name)
{
	const char *at = strchr(name, '@');

	return at && strcmp(at, "@plt");
}

static bool is_wanted(const struct symtab *t, const char *name, enum symtab_source source)
{
	return !is_mark(name) && !(t->has_aliases && source != SYMTAB_DYNAMIC && has_version(name));
}

static int add_elf(struct symtab *t, const struct elf *f, const struct elf_symbols *from, enum symtab_source source)
{
	uint64_t thumb = f->machine == ELF_ARM;   /* bit 0 is not address but instruction set */
	struct elf_code code;
	struct elf_symbol s;
	int n = 0;

	elf_code_init(&code, f);
	for (size_t i = 1; t->syms.n < SYMTAB_MAX && elf_symbols_get(from, i, &s); i++) {
		if (!is_function(&s, &code) || s.name >= SYMTAB_NAME_MAX ||
		    !is_wanted(t, elf_symbols_name(from, &s), source))
			continue;
		if (symtab_add(t, &(struct sym){
			.addr = s.value & ~thumb,
			.size = size_of(s.size) & SYMTAB_SIZE_MAX,
			.rank = rank_of(&s) & 3,
			.label = s.type == ELF_NOTYPE,
			.chooser = s.type == ELF_IFUNC,
			.source = source & 7,
			.name = s.name & (SYMTAB_NAME_MAX - 1),
		}))
			return -ENOMEM;
		n++;
	}
	if (n)
		t->strings[source] = from->strings;
	return n;
}

static bool find_table(const struct elf *f, enum symtab_source source, struct elf_symbols *from)
{
	return f->type != ELF_REL &&
	       (source == SYMTAB_DYNAMIC ? elf_symbols_dynamic(f, from) : elf_symbols_static(f, from));
}

int symtab_add_elf(struct symtab *t, const struct elf *f, enum symtab_source source, struct err *e)
{
	struct elf_symbols from;
	int n = find_table(f, source, &from) ? add_elf(t, f, &from, source) : 0;

	return n < 0 ? err_nomem(e) : n;
}

/* Result of searching strings for a name: none; a string ends with it (tail merging); a mangled name contains it. */
enum found { FOUND_NOWHERE, FOUND_AT_END, FOUND_MANGLED };

static enum found found_in(struct sv text, struct sv name)
{
	if (memmem(text.s, text.n, "_Z", 2) || memmem(text.s, text.n, "_R", 2))
		return FOUND_MANGLED;
	return text.n < name.n || memcmp(text.s + text.n - name.n, name.s, name.n) ? FOUND_NOWHERE : FOUND_AT_END;
}

/* Search a string table. Linkers merge tails: the end of one string may be another name. */
static enum found find_name(struct sv strings, struct sv name)
{
	const char *at = strings.s, *end = strings.s + strings.n, *before;
	enum found most = FOUND_NOWHERE, found;
	struct sv text;

	while (most != FOUND_MANGLED && at < end && (at = memmem(at, (size_t)(end - at), name.s, name.n))) {
		before = memrchr(strings.s, '\0', (size_t)(at - strings.s));
		text.s = before ? before + 1 : strings.s;
		text.n = (size_t)(at - text.s) + strnlen(at, (size_t)(end - at));
		found = found_in(text, name);
		most = MAX(most, found);
		at = text.s + text.n;
	}
	return most;
}

enum symtab_has symtab_has_elf(const struct elf *f, enum symtab_source source, const char *name)
{
	enum symtab_has has = SYMTAB_NO_FUNCTIONS;
	struct elf_symbols from;
	struct elf_code code;
	struct elf_symbol s;
	enum found found;

	if (!find_table(f, source, &from))
		return SYMTAB_NO_FUNCTIONS;
	elf_code_init(&code, f);
	found = find_name(from.strings, sv_from(name));
	for (size_t i = 1; elf_symbols_get(&from, i, &s); i++) {
		if (!is_function(&s, &code))
			continue;
		has = SYMTAB_OTHERS;
		if (found == FOUND_NOWHERE)
			return has;
		if (found == FOUND_MANGLED || !strcmp(elf_symbols_name(&from, &s), name))
			return SYMTAB_PERHAPS;
	}
	return has;
}

int symtab_add_start(struct symtab *t, uint64_t addr, uint64_t size)
{
	return t->syms.n >= SYMTAB_MAX ? 0 : symtab_add(t, &(struct sym){
		.addr = addr, .size = size_of(size) & SYMTAB_SIZE_MAX, .source = SYMTAB_FRAME,
	});
}

/* Permute in place, following cycles: element from[i] moves to i. */
static void move(struct sym *v, uint32_t *from, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct sym first = v[i];
		uint32_t to = i;

		for (uint32_t next; (next = from[to]) != i; to = next) {
			v[to] = v[next];
			from[to] = to;
		}
		v[to] = first;
		from[to] = to;
	}
}

static bool in_order(const struct sym *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i - 1].addr > v[i].addr)
			return false;
	return true;
}

/* A stable sort by address. Symbols are in no order, so the branches of a comparison sort would be mispredicted. */
static int sort(struct symtab *t)
{
	size_t n = t->syms.n;
	struct sym *v = t->syms.v;
	uint32_t *from;
	uint64_t *key;

	if (in_order(v, n))
		return 0;
	key = mem_alloc(n * (sizeof(*key) + 2 * sizeof(*from)));
	if (!key)
		return -ENOMEM;
	from = (uint32_t *)(void *)(key + n);
	for (uint32_t i = 0; i < n; i++) {
		key[i] = v[i].addr;
		from[i] = i;
	}
	sort_by_key(from, from + n, n, key);
	move(v, from, n);
	free(key);
	return 0;
}

static size_t underscores(const char *s)
{
	size_t n = 0;

	while (n < SYMTAB_COMPARED && s[n] == '_')
		n++;
	return n;
}

bool symtab_is_better(const struct sym *b, const char *nb, const struct sym *a, const char *na)
{
	if (!a->size != !b->size)
		return b->size;
	if (a->label != b->label)
		return a->label;
	if (a->rank != b->rank)
		return b->rank > a->rank;

	int order = strncmp(nb, na, SYMTAB_COMPARED);

	/* Equal names: mostly one symbol in two tables. */
	if (!order)
		return false;

	size_t ua = underscores(na), ub = underscores(nb);

	if (ua != ub)
		return ub < ua;

	size_t la = strnlen(na, SYMTAB_COMPARED), lb = strnlen(nb, SYMTAB_COMPARED);

	return la != lb ? lb < la : order < 0;
}

static bool is_better(const struct symtab *t, const struct sym *b, const struct sym *a)
{
	return t->last_wins || symtab_is_better(b, symtab_name(t, b), a, symtab_name(t, a));
}

/* The end of the group of symbols with the same address as the i-th. */
static size_t group_end(const struct symtab *t, size_t i)
{
	size_t end = i + 1;

	while (end < t->syms.n && t->syms.v[end].addr == t->syms.v[i].addr)
		end++;
	return end;
}

void symtab_start_name(char name[SYMTAB_START_NAME], uint64_t addr)
{
	snprintf(name, SYMTAB_START_NAME, "fn_%#llx", (unsigned long long)addr);
}

bool symtab_is_start_name(const char *name)
{
	return !strncmp(name, "fn_0", 4);
}

/* Name the starts from unwinding tables that no better symbol covers; drop the others. */
static int name_starts(struct symtab *t)
{
	struct sym *v = t->syms.v;
	uint64_t covered = 0;
	size_t kept = 0;

	for (size_t i = 0, end; i < t->syms.n; i = end) {
		bool is_better_known = v[i].addr < covered;
		char name[SYMTAB_START_NAME];
		int r = 1;

		end = group_end(t, i);
		for (size_t j = i; j < end; j++) {
			is_better_known |= v[j].source != SYMTAB_FRAME;
			if (v[j].source != SYMTAB_FRAME)
				covered = MAX(covered, v[j].addr + v[j].size);
		}
		for (size_t j = i; j < end; j++) {
			if (v[j].source != SYMTAB_FRAME) {
				v[kept++] = v[j];
			} else if (!is_better_known) {
				symtab_start_name(name, v[j].addr);
				r = own_name(t, &v[j], sv_from(name));
				if (r > 0)
					v[kept++] = v[j];
				is_better_known = true;
			}
			if (r < 0)
				return r;
		}
	}
	t->syms.n = kept;
	return 0;
}

static int name_order(const void *arg, uint32_t a, uint32_t b)
{
	const struct symtab *t = arg;

	return strcmp(symtab_name(t, &t->syms.v[a]), symtab_name(t, &t->syms.v[b]));
}

/* Keep one symbol for each name in the group from i to end, the best one last. 0 or -ENOMEM. */
static int keep_names(struct symtab *t, size_t i, size_t end, size_t *kept)
{
	size_t n = end - i, left = 0, best = 0;
	struct sym *v = t->syms.v, *copy = malloc(n * sizeof(*copy));
	uint32_t *order = malloc(2 * n * sizeof(*order));
	int r = copy && order ? 0 : -ENOMEM;

	for (size_t j = 0; !r && j < n; j++)
		order[j] = (uint32_t)(i + j);
	if (!r)
		sort_u32(order, order + n, n, name_order, t);
	for (size_t j = 0; !r && j < n; j++) {
		const struct sym *s = &v[order[j]];

		if (!j || name_order(t, order[j - 1], order[j]))
			copy[left++] = *s;
		else if (is_better(t, s, &copy[left - 1]))
			copy[left - 1] = *s;
	}
	for (size_t j = 1; j < left; j++)
		best = is_better(t, &copy[j], &copy[best]) ? j : best;
	if (!r) {
		struct sym last = copy[best];

		copy[best] = copy[left - 1];
		copy[left - 1] = last;
		memcpy(v + *kept, copy, left * sizeof(*copy));
		*kept += left;
	}
	free(copy);
	free(order);
	return r;
}

static int keep_aliases(struct symtab *t)
{
	size_t kept = 0;
	int r = name_starts(t);

	t->strings[SYMTAB_FRAME] = t->strings[SYMTAB_OWN] = (struct sv){ t->own.v, t->own.n };
	for (size_t i = 0, end; !r && i < t->syms.n; i = end) {
		end = group_end(t, i);
		if (end > i + 1)
			r = keep_names(t, i, end, &kept);
		else
			t->syms.v[kept++] = t->syms.v[i];
	}
	t->syms.n = kept;
	return r;
}

static void keep_best(struct symtab *t)
{
	struct sym *v = t->syms.v;
	size_t kept = 0;

	for (size_t i = 0; i < t->syms.n; i++) {
		if (!kept || v[kept - 1].addr != v[i].addr)
			v[kept++] = v[i];
		else if (is_better(t, &v[i], &v[kept - 1]))
			v[kept - 1] = v[i];
	}
	t->syms.n = kept;
}

static uint64_t code_end(const struct elf_code *code, uint64_t addr)
{
	const struct elf_range *in = code ? elf_code_find(code, addr) : NULL;

	if (!code)
		return UINT64_MAX;
	return in ? in->end : addr;
}

static void fill_sizes(struct symtab *t, const struct elf_code *code)
{
	struct sym *v = t->syms.v;

	for (size_t i = t->syms.n, next = t->syms.n; i--;) {
		if (i + 1 < t->syms.n && v[i + 1].addr != v[i].addr)
			next = i + 1;
		if (v[i].size)
			continue;

		uint64_t end = code_end(code, v[i].addr);

		if (next < t->syms.n)
			end = MIN(end, v[next].addr);
		v[i].size = size_of(end - v[i].addr) & SYMTAB_SIZE_MAX;
	}
}

int symtab_finish(struct symtab *t, const struct elf_code *code)
{
	t->strings[SYMTAB_OWN] = (struct sv){ t->own.v, t->own.n };
	if (sort(t) || (t->has_aliases && keep_aliases(t)))
		return -ENOMEM;
	if (!t->has_aliases)
		keep_best(t);
	fill_sizes(t, code);

	struct sym *less = t->syms.n ? realloc(t->syms.v, t->syms.n * sizeof(*less)) : NULL;

	if (less) {
		t->syms.v = less;
		t->syms.cap = t->syms.n;
	}
	return 0;
}

const struct sym *symtab_find(const struct symtab *t, uint64_t addr)
{
	const struct sym *v = t->syms.v;
	size_t lo = find_upto(v, t->syms.n, addr, addr);

	for (size_t back = 0; back < NEST_MAX && lo; back++, lo--) {
		bool is_best = lo == t->syms.n || v[lo].addr != v[lo - 1].addr;

		if (is_best && addr - v[lo - 1].addr < v[lo - 1].size)
			return &v[lo - 1];
	}
	return NULL;
}

bool symtab_extent(const struct symtab *t, uint64_t addr, uint64_t *from, uint64_t *to)
{
	const struct sym *s = symtab_find(t, addr), *end;

	if (!s)
		return false;
	end = t->syms.v + t->syms.n;
	/* Nested symbols end before the address. */
	if (s + 1 < end && s[1].addr <= addr)
		return false;
	*from = s->addr;
	*to = s->addr + s->size;
	if (s + 1 < end)
		*to = MIN(*to, s[1].addr);
	return true;
}

const struct sym *symtab_named(const struct symtab *t, uint64_t addr, const char *name)
{
	const struct sym *v = t->syms.v;

	for (size_t i = find_upto(v, t->syms.n, addr, addr); i && v[i - 1].addr == addr; i--)
		if (!strcmp(symtab_name(t, &v[i - 1]), name))
			return &v[i - 1];
	return NULL;
}

const char *symtab_name(const struct symtab *t, const struct sym *s)
{
	return s->name < t->strings[s->source].n ? t->strings[s->source].s + s->name : "";
}

void symtab_deinit(struct symtab *t)
{
	vec_free(&t->syms);
	vec_free(&t->own);
	*t = (struct symtab){ 0 };
}
