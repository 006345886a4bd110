/*
 * traceline.c - parses lines of "trace".
 *
 *             <...>-187     [001] .....     9.693385: tracing_mark_write: text
 *
 * The option record-tgid adds a column (tgid); without irq-info the flags are missing. A function name may be followed
 * by its offset or address. Stacks, functions and events that were removed have no name with a colon:
 *
 *             <...>-187     [001] .....     9.693385: <stack trace>
 */
#include "tracing/traceline.h"

#include <string.h>

enum { COMM = 16 };      /* columns of a thread's name */

/* "12.345678:", in ns. */
static bool parse_time(struct sv word, uint64_t *ts)
{
	struct sv s;

	if (!word.n || word.s[word.n - 1] != ':')
		return false;
	word.n--;
	s = word;
	return memchr(s.s, '.', s.n) && str_time(s, UINT64_C(1000000000), ts);
}

static struct sv skip_blanks(struct sv s)
{
	while (s.n && *s.s == ' ')
		s = (struct sv){ s.s + 1, s.n - 1 };
	return s;
}

static bool parse_head(struct sv *rest, struct traceline *l)
{
	struct sv word;
	uint64_t cpu, pid;

	if (rest->n <= COMM || rest->s[COMM] != '-')
		return false;
	*rest = (struct sv){ rest->s + COMM + 1, rest->n - COMM - 1 };
	if (!sv_cut(rest, ' ', &word) || !str_u64(word, 10, &pid) || !sv_cut(rest, '[', &word))
		return false;
	if (!sv_cut(rest, ']', &word) || !str_u64(word, 10, &cpu) || cpu >= CPUS_MAX)
		return false;
	l->cpu = (uint32_t)cpu;
	l->pid = (int)pid;
	*rest = skip_blanks(*rest);
	if (!sv_cut(rest, ' ', &word))
		return false;
	if (parse_time(word, &l->ts))
		return true;
	*rest = skip_blanks(*rest);
	return sv_cut(rest, ' ', &word) && parse_time(word, &l->ts);
}

bool traceline_parse(struct sv line, struct traceline *l)
{
	const char *colon;

	if (!parse_head(&line, l))
		return false;
	colon = memchr(line.s, ':', line.n);
	l->name = (struct sv){ line.s, colon ? MIN((size_t)(colon - line.s), strcspn(line.s, "+ :<")) : 0 };
	l->text = line;
	if (!colon)
		return true;
	l->text = (struct sv){ colon + 1, line.n - (size_t)(colon + 1 - line.s) };
	if (l->text.n && *l->text.s == ' ')
		l->text = (struct sv){ l->text.s + 1, l->text.n - 1 };
	return true;
}

bool traceline_is_remark(struct sv line)
{
	return sv_starts(line, "CPU:") || sv_starts(line, "##### CPU ");
}
