/* text.c - text in the place of the list, line by line. */
#include "cmd/browse/browse.h"

enum { TAB_COLUMNS = 8 };

struct out *text_begin(struct browse_text *t, const char *title)
{
	text_close(t);
	str_copy(t->title, sizeof(t->title), sv_from(title));
	mem_out_init(&t->m);
	/* A terminal gets it in the end. */
	t->m.out.terminal = true;
	t->is_shown = true;
	return &t->m.out;
}

static int add_start(struct browse_text *t, size_t at)
{
	size_t *new = vec_add(&t->starts);

	if (!new)
		return -ENOMEM;
	*new = at;
	return 0;
}

int text_end(struct browse_text *t)
{
	const char *s = mem_out_str(&t->m);
	int r = t->m.out.error ? -ENOMEM : add_start(t, 0);

	for (size_t i = 0; !r && i < t->m.n; i++)
		if (s[i] == '\n')
			r = add_start(t, i + 1);
	if (!r && t->starts.v[t->starts.n - 1] != t->m.n)
		r = add_start(t, t->m.n + 1);
	return r;
}

void text_close(struct browse_text *t)
{
	if (t->is_shown)
		mem_out_deinit(&t->m);
	vec_free(&t->starts);
	*t = (struct browse_text){ 0 };
}

static size_t n_lines(const struct browse_text *t)
{
	return t->starts.n ? t->starts.n - 1 : 0;
}

static struct sv line_of(const struct browse_text *t, size_t i)
{
	return (struct sv){ t->m.v + t->starts.v[i], t->starts.v[i + 1] - 1 - t->starts.v[i] };
}

void text_search(struct browse_text *t)
{
	size_t n = n_lines(t);

	for (size_t i = 1; *t->part && i <= n; i++) {
		size_t at = (t->list.selected + i) % n;

		if (str_contains(line_of(t, at), sv_from(t->part))) {
			t->list.selected = at;
			return;
		}
	}
	list_say(&t->list, *t->part ? "there is no such text" : "nothing was searched for: /");
}

/* "   56.67 :   40015c: mul ...": the number in front; less than 0: the line has none. */
static double heat_of(struct sv line)
{
	struct sv number;
	double v;

	line = sv_trim(line);
	if (!sv_cut(&line, ' ', &number) || !sv_starts(sv_trim(line), ":") || !str_double(number, &v))
		return -1;
	return v;
}

void text_hottest(struct browse_text *t)
{
	double most = 0;

	for (size_t i = 0; i < n_lines(t); i++) {
		double heat = heat_of(line_of(t, i));

		if (heat > most) {
			most = heat;
			t->list.selected = i;
		}
	}
}

void text_keys(struct browser *b, int key)
{
	struct browse_text *t = &b->text;
	size_t page = b->screen.rows > LIST_AROUND + 1 ? b->screen.rows - LIST_AROUND - 1 : 1;

	*t->list.told = '\0';
	if (key == 'n') {
		text_search(t);
	} else if (key == '/') {
		b->typing = true;
		list_begin_typing(&t->list);
	} else if (!list_move(&t->list, key == ' ' ? KEY_PAGE_DOWN : key, page)) {
		b->over |= key == KEY_CLOSED;
		if (key == 'q' || key == KEY_ESCAPE || key == KEY_LEFT || key == KEY_CLOSED)
			text_close(t);
	}
}

/* With tabs as blanks: the terminal's own would not be cut at its edge. */
static void put_line(struct browser *b, struct sv text, bool selected)
{
	struct mem_out m;
	size_t column = 0;

	mem_out_init(&m);
	for (size_t i = 0; i < text.n; i++) {
		size_t n = text.s[i] == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 1;

		column += n;
		if (text.s[i] == '\t')
			out_fill(&m.out, ' ', n);
		else
			out_char(&m.out, text.s[i]);
	}
	mem_out_str(&m);
	screen_line(&b->screen, b->c->out, (struct sv){ m.v, m.n }, selected);
	mem_out_deinit(&m);
}

/* It may be anybody's name. */
static void put_title(struct browser *b, const char *title)
{
	struct mem_out m;

	mem_out_init(&m);
	m.out.terminal = true;
	out_str(&m.out, title);
	mem_out_str(&m);
	screen_line(&b->screen, b->c->out, (struct sv){ m.v, m.n }, false);
	mem_out_deinit(&m);
}

void text_paint(struct browser *b, size_t room)
{
	struct browse_text *t = &b->text;
	size_t n = n_lines(t);

	put_title(b, t->title);
	list_scroll(&t->list, n, room);
	for (size_t i = t->list.first; i < n && i - t->list.first < room; i++)
		put_line(b, line_of(t, i), i == t->list.selected);
}
