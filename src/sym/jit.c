#include "sym/jit.h"

/* Some runtimes write numbers with 0x. */
static bool number(struct sv *line, uint64_t *v)
{
	struct sv word;

	if (!sv_cut(line, ' ', &word) || !line->s)
		return false;
	if (word.n > 2 && word.s[0] == '0' && (word.s[1] | 0x20) == 'x')
		word = (struct sv){ word.s + 2, word.n - 2 };
	return word.n && str_u64(word, 16, v);
}

static int take_line(struct jit *j)
{
	struct sv line = { j->line, j->n };
	uint64_t start, size;

	if (!number(&line, &start) || !number(&line, &size) || !size || size > UINT64_MAX - start)
		return 0;
	line = sv_trim(line);
	if (!line.n || memchr(line.s, '\0', line.n))
		return 0;
	j->line[line.s + line.n - j->line] = '\0';
	return symtab_add_own(j->to, start, size, sv_from(line.s));
}

/* Append to the line, leaving room for the NUL. */
static void keep(struct jit *j, const char *text, size_t n)
{
	n = MIN(n, sizeof(j->line) - 1 - j->n);
	memcpy(j->line + j->n, text, n);
	j->n += n;
}

int jit_feed(struct jit *j, const char *text, size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t part = end ? (size_t)(end - text) : n;
		int err = 0;

		if (j->is_cut || j->bytes >= JIT_BYTES_MAX || j->to->syms.n >= JIT_NAMES_MAX ||
		    symtab_own_is_full(j->to)) {
			j->is_cut = true;
			return 1;
		}
		keep(j, text, part);
		if (end) {
			err = take_line(j);
			j->n = 0;
			part++;
		}
		if (err)
			return err;
		j->bytes += part;
		text += part;
		n -= part;
	}
	return 0;
}

int jit_finish(struct jit *j)
{
	j->to->last_wins = true;
	return symtab_finish(j->to, NULL);
}
