/* probe_name.c - derives names that the kernel accepts. */
#include "probe/probe_name.h"

static bool is_alpha(char c)
{
	return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool probe_name_is_legal(struct sv name)
{
	if (!name.n || name.n >= PROBE_NAME_SIZE || is_digit(name.s[0]))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!is_alpha(name.s[i]) && !is_digit(name.s[i]))
			return false;
	return true;
}

void probe_group(struct sv file, char buf[PROBE_NAME_SIZE])
{
	size_t from = file.n, n = 0;

	if (!file.n)
		file = SV("");
	while (from && file.s[from - 1] != '/')
		from--;
	while (from + n < file.n && (is_alpha(file.s[from + n]) || is_digit(file.s[from + n])))
		n++;
	n = MIN(n, (size_t)PROBE_NAME_SIZE);
	snprintf(buf, PROBE_NAME_SIZE, "probe%s%.*s", file.n ? "_" : "", (int)n, file.s + from);
}

/* Suffixes that compilers add to the name of a copy or part of a function, and linkers for versions. */
static bool is_suffix(struct sv s)
{
	static const char *const words[] = {
		".isra", ".constprop", ".part", ".cold", ".llvm.", ".lto_priv", ".localalias",
	};

	if (s.n > 1 && (s.s[0] == '@' || (s.s[0] == '.' && is_digit(s.s[1]))))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (sv_starts(s, words[i]))
			return true;
	return false;
}

/* The name without clone suffixes, path of a Go package, and parameter types: "a/b.(*T).M", "ns::f(int) const". */
static struct sv essence(struct sv name)
{
	size_t start = 0, end = name.n, params = 0;
	unsigned depth = 0;

	if (!name.n)
		return SV("");
	for (size_t i = 0; i < end; i++) {
		char c = name.s[i];

		if (c == '(' && !depth && i > start)
			params = i;
		if (strchr("(<[{", c) && c)
			depth++;
		else if (depth && strchr(")>]}", c) && c && !(c == '>' && i && name.s[i - 1] == '-'))
			depth--;
		else if (!depth && c == '/' && i + 1 < end)
			start = i + 1;
		else if (!depth && i > start && is_suffix((struct sv){ name.s + i, end - i }))
			end = i;
		else if (!depth && params && (c == '.' || c == ':'))
			params = 0;     /* it was a receiver or a scope */
	}
	if (params > start)
		end = params;
	return (struct sv){ name.s + start, end - start };
}

/* Copy "_L12", which marks a line of the function. */
static struct sv line_mark(struct sv name)
{
	size_t n = 0;

	while (n < name.n && is_digit(name.s[name.n - n - 1]))
		n++;
	if (!n || n + 2 >= name.n || n > 10 || memcmp(name.s + name.n - n - 2, "_L", 2))
		return SV("");
	return (struct sv){ name.s + name.n - n - 2, n + 2 };
}

void probe_event(struct sv func, bool is_return, char buf[PROBE_NAME_SIZE])
{
	struct sv line = line_mark(func), s = essence((struct sv){ func.s, func.n - line.n });
	const char *suffix = is_return ? "__return" : "";
	size_t n = 0, max = PROBE_NAME_SIZE - 1 - strlen(suffix) - line.n;
	bool is_gap = false;

	for (size_t i = 0; i < s.n && n < max; i++) {
		if (!is_alpha(s.s[i]) && !is_digit(s.s[i])) {
			is_gap = n;
			continue;
		}
		if ((is_gap || (!n && is_digit(s.s[i]))) && n + 1 < max)
			buf[n++] = '_';
		is_gap = false;
		buf[n++] = s.s[i];
	}
	buf[n] = '\0';
	if (!n)
		n = str_copy(buf, PROBE_NAME_SIZE, SV("probe"));
	snprintf(buf + n, PROBE_NAME_SIZE - n, "%.*s%s", (int)line.n, line.s, suffix);
}

bool probe_unique(char buf[PROBE_NAME_SIZE], bool (*taken)(void *arg, const char *name), void *arg)
{
	enum { TRIES = 999, LONGEST = 4 };
	size_t n = MIN(strlen(buf), (size_t)(PROBE_NAME_SIZE - 1 - LONGEST));

	if (!taken(arg, buf))
		return true;
	for (unsigned i = 1; i <= TRIES; i++) {
		snprintf(buf + n, PROBE_NAME_SIZE - n, "_%u", i);
		if (!taken(arg, buf))
			return true;
	}
	return false;
}
