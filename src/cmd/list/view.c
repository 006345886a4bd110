/* view.c - see view.h. */
#include "cmd/list/view.h"

#include "sys/output.h"

#include <fcntl.h>

void list_say(struct list_view *w, const char *text)
{
	str_copy(w->told, sizeof(w->told), sv_from(text));
}

void list_save(struct list_view *w, const struct sys *sys, const char *name, struct sv text)
{
	struct output file;
	char buf[8192];
	struct out o;
	struct err e = { 0 };
	bool lost;

	if (output_open(&file, sys, name, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, &e)) {
		list_say(w, e.text);
		return;
	}
	output_text(&file, &o, buf, sizeof(buf));
	out_bytes(&o, text.s, text.n);
	lost = output_end(&file, &o);
	snprintf(w->told, sizeof(w->told), "%s %s", name, lost ? "could not be written" : "has it");
}

bool list_move(struct list_view *w, int key, size_t page)
{
	switch (key) {
	case KEY_UP:
	case 'k':
		w->selected -= w->selected > 0;
		return true;
	case KEY_DOWN:
	case 'j':
		w->selected++;
		return true;
	case KEY_PAGE_UP:
		w->selected -= MIN(w->selected, page);
		return true;
	case KEY_PAGE_DOWN:
		w->selected += page;
		return true;
	case KEY_HOME:
		w->selected = 0;
		return true;
	case KEY_END:
		w->selected = SIZE_MAX / 2;
		return true;
	}
	return false;
}

void list_scroll(struct list_view *w, size_t n, size_t room)
{
	w->selected = n ? MIN(w->selected, n - 1) : 0;
	w->first = MIN(w->first, w->selected);
	if (room && w->selected >= w->first + room)
		w->first = w->selected - room + 1;
}

void list_begin_typing(struct list_view *w)
{
	w->typed = 0;
	w->prompt[0] = '\0';
}

enum list_typed list_type(struct list_view *w, int key)
{
	if (key == KEY_ESCAPE)
		return LIST_GIVES_UP;
	if (key == KEY_ENTER)
		return LIST_DONE;
	if (key == KEY_BACKSPACE)
		w->typed -= w->typed > 0;
	else if (key >= ' ' && key < 256 && w->typed + 1 < sizeof(w->prompt))
		w->prompt[w->typed++] = (char)key;
	w->prompt[w->typed] = '\0';
	return LIST_TYPES;
}
