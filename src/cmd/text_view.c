/* text_view.c - see text_view.h. */
#include "cmd/text_view.h"

enum { TAB_COLUMNS = 8 };

struct out *text_view_begin(struct text_view *t, const char *title)
{
	text_view_close(t);
	str_copy(t->title, sizeof(t->title), sv_from(title));
	mem_out_init(&t->m);
	/* It will be painted on a terminal, so control characters must be escaped. */
	t->m.out.terminal = true;
	t->is_shown = true;
	return &t->m.out;
}

static int add_start(struct text_view *t, size_t at)
{
	size_t *new = vec_add(&t->starts);

	if (!new)
		return -ENOMEM;
	*new = at;
	return 0;
}

static size_t n_lines(const struct text_view *t)
{
	return t->starts.n ? t->starts.n - 1 : 0;
}

static struct sv line_of(const struct text_view *t, size_t i)
{
	if (i >= n_lines(t))
		return SV("");
	return (struct sv){ t->m.v + t->starts.v[i], t->starts.v[i + 1] - 1 - t->starts.v[i] };
}

/* --- lines of instructions (cmd/annotate/insn_lines.h), with a number for each event in front --- */

/* The largest of the numbers in front of the line; less than 0: the line has none. */
static double heat_of(struct sv line)
{
	struct sv front, number;
	double most = -1, v;

	if (!sv_cut(&line, ':', &front) || !line.n)
		return -1;
	front = sv_trim(front);
	while (front.n && sv_cut(&front, ' ', &number)) {
		if (!str_double(number, &v))
			return -1;
		most = MAX(most, v);
		front = sv_trim(front);
	}
	return most;
}

bool text_view_insn(const struct text_view *t, bool in_front, struct sv *name)
{
	size_t i = t->list.selected;

	if (!in_front)
		return insn_line_name(line_of(t, i), name);
	while (i--)
		if (insn_line_name(line_of(t, i), name))
			return true;
	return false;
}

static bool go_to(struct text_view *t, uint64_t addr)
{
	return insn_lines_find(&t->insns, addr, &t->list.selected);
}

/* The target of the selected line's jump or call. */
static bool target_of(const struct text_view *t, uint64_t *addr, struct sv *called)
{
	return insn_line_target(line_of(t, t->list.selected), addr, called);
}

static void follow(struct text_view *t)
{
	struct sv called;
	uint64_t addr;

	if (!target_of(t, &addr, &called))
		list_say(&t->list, "the line is no jump");
	else if (!go_to(t, addr))
		list_say(&t->list, "that is in another function");
}

bool text_view_calls(const struct text_view *t, int key, char *name, size_t size, bool *near)
{
	const struct insn *at = insn_lines_at(&t->insns, t->list.selected);
	struct sv called, part = SV("");
	uint64_t addr;
	size_t line;

	if (t->typing || (key != KEY_ENTER && key != KEY_RIGHT) || !at || at->kind == INSN_OTHER ||
	    !target_of(t, &addr, &called) || insn_lines_find(&t->insns, addr, &line))
		return false;
	for (size_t i = called.n; i-- && !part.n; )
		if (called.s[i] == '+' || called.s[i] == '@')
			part = (struct sv){ called.s + i, called.n - i };
	*near = !sv_eq(part, "@plt");
	if (sv_starts(part, "+0x") || !*near)
		called.n -= part.n;
	str_copy(name, size, called);
	return called.n;
}

/* --- the instructions with the most samples --- */

struct hot {
	size_t line;
	double heat;
};

/* Sorts descending by heat, then by line. */
static int order(const struct hot *a, const struct hot *b)
{
	return a->heat > b->heat ? -1 : a->heat < b->heat ? 1 : a->line < b->line ? -1 : a->line > b->line;
}

/* The successor of `from` in that order, or with step -1 its predecessor; NULL: the first or last. False: none. */
static bool next_hot(const struct text_view *t, int step, const struct hot *from, struct hot *best)
{
	bool any = false;

	for (size_t i = 0; i < n_lines(t); i++) {
		struct hot new = { i, heat_of(line_of(t, i)) };

		if (!(new.heat > 0) || (from && step * order(&new, from) <= 0) ||
		    (any && step * order(&new, best) >= 0))
			continue;
		*best = new;
		any = true;
	}
	return any;
}

/* step 0 goes to the hottest line; 1 and -1 to the next and previous one, and wrap around at the ends. */
static void go_hot(struct text_view *t, int step)
{
	struct hot now = { t->list.selected, heat_of(line_of(t, t->list.selected)) }, to;
	bool is_hot = step && now.heat > 0;

	step = is_hot ? step : 1;
	if (next_hot(t, step, is_hot ? &now : NULL, &to) || next_hot(t, step, NULL, &to))
		t->list.selected = to.line;
	else
		list_say(&t->list, "no line has samples");
}

void text_view_hottest(struct text_view *t)
{
	go_hot(t, 0);
}

/* --- the text --- */

struct out *text_view_again(struct text_view *t, const char *title)
{
	struct text_view before = *t;
	const struct insn *at = insn_lines_at(&t->insns, before.list.selected);
	uint64_t addr = at ? at->addr : 0;
	struct out *o = text_view_begin(t, title);

	t->was_at = at;
	t->addr = addr;
	t->list = before.list;
	t->typing = before.typing;
	t->backwards = before.backwards;
	memcpy(t->part, before.part, sizeof(t->part));
	return o;
}

int text_view_end(struct text_view *t)
{
	const char *s = mem_out_str(&t->m);
	int r = t->m.out.error ? -ENOMEM : add_start(t, 0);

	for (size_t i = 0; !r && i < t->m.n; i++)
		if (s[i] == '\n')
			r = add_start(t, i + 1);
	if (!r && t->starts.v[t->starts.n - 1] != t->m.n)
		r = add_start(t, t->m.n + 1);
	for (size_t i = 0; !r && i < n_lines(t); i++)
		r = insn_lines_add(&t->insns, line_of(t, i));
	insn_lines_end(&t->insns);
	if (!r && t->was_at)
		go_to(t, t->addr);
	return r;
}

void text_view_close(struct text_view *t)
{
	if (t->is_shown)
		mem_out_deinit(&t->m);
	vec_free(&t->starts);
	vec_free(&t->insns.v);
	*t = (struct text_view){ 0 };
}

static void search(struct text_view *t)
{
	size_t n = n_lines(t);

	for (size_t i = 1; *t->part && i <= n; i++) {
		size_t at = (t->list.selected + (t->backwards ? n - i : i)) % n;

		if (str_contains(line_of(t, at), sv_from(t->part))) {
			t->list.selected = at;
			return;
		}
	}
	list_say(&t->list, *t->part ? "there is no such text" : "nothing was searched for: /");
}

static void type(struct text_view *t, int key)
{
	enum list_typed r = list_type(&t->list, key);

	t->typing = r == LIST_TYPES;
	if (r != LIST_DONE)
		return;
	str_copy(t->part, sizeof(t->part), sv_from(t->list.prompt));
	search(t);
}

static bool leap(struct text_view *t, int key)
{
	switch (key) {
	case 'n':
		search(t);
		return true;
	case 'H':
		go_hot(t, 0);
		return true;
	case KEY_TAB:
		go_hot(t, 1);
		return true;
	case KEY_BACK_TAB:
		go_hot(t, -1);
		return true;
	case KEY_ENTER:
	case KEY_RIGHT:
		follow(t);
		return true;
	}
	return false;
}

bool text_view_key(struct text_view *t, int key, size_t page)
{
	*t->list.told = '\0';
	if (t->typing && key != KEY_CLOSED) {
		type(t, key);
		return true;
	}
	if (key == '/' || key == '?') {
		t->typing = true;
		t->backwards = key == '?';
		list_begin_typing(&t->list);
		return true;
	}
	if (leap(t, key))
		return true;
	if (list_move(&t->list, key == ' ' ? KEY_PAGE_DOWN : key, page))
		return true;
	if (key == 'q' || key == KEY_ESCAPE || key == KEY_LEFT || key == KEY_CLOSED)
		text_view_close(t);
	return false;
}

/* Tabs become blanks: screen_line() cuts at the screen's edge by columns, which a tab's width would upset. */
static void put_line(struct screen *s, struct out *o, struct sv text, bool selected)
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
	screen_line(s, o, (struct sv){ m.v, m.n }, selected);
	mem_out_deinit(&m);
}

/* The title may be a symbol's name from an untrusted file: control characters are escaped. */
static void put_title(struct screen *s, struct out *o, const char *title)
{
	struct mem_out m;

	mem_out_init(&m);
	m.out.terminal = true;
	out_str(&m.out, title);
	mem_out_str(&m);
	screen_line(s, o, (struct sv){ m.v, m.n }, false);
	mem_out_deinit(&m);
}

static void put_insn(const struct text_view *t, size_t i, const struct insn_form *form, struct screen *s, struct out *o)
{
	const struct insn *at = insn_lines_at(&t->insns, i);
	struct sv line = line_of(t, i);
	struct mem_out m;

	mem_out_init(&m);
	if (at) {
		insn_lines_put(&t->insns, at, form, line, &m.out);
		mem_out_str(&m);
		line = (struct sv){ m.v, m.n };
	}
	put_line(s, o, line, i == t->list.selected);
	mem_out_deinit(&m);
}

void text_view_paint(struct text_view *t, const struct insn_form *form, struct screen *s, struct out *o, size_t room)
{
	size_t n = n_lines(t);

	put_title(s, o, t->title);
	list_scroll(&t->list, n, room);
	for (size_t i = t->list.first; i < n && i - t->list.first < room; i++)
		put_insn(t, i, form, s, o);
}

void text_view_foot(const struct text_view *t, const char *can, struct out *o)
{
	size_t n = n_lines(t);

	if (t->typing)
		out_printf(o, "search: %s_", t->list.prompt);
	else
		out_printf(o, "%zu/%zu  %s", n ? t->list.selected + 1 : 0, n, *t->list.told ? t->list.told : can);
}
