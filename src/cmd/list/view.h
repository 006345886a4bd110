/*
 * view.h - a list on a terminal: the selected line, the lines on the screen, the text being typed, the message in the
 * last line. Used by `sonde top` and the browser of `sonde report`.
 */
#ifndef CMD_LIST_VIEW_H
#define CMD_LIST_VIEW_H

#include "sys/screen.h"
#include "sys/sys.h"

enum { LIST_AROUND = 2 };   /* lines of the screen that are not the list's, usually: a head and a foot */

struct list_view {
	size_t first, selected;      /* lines of the list: the first one on the screen, and the selected one */
	char prompt[64];             /* what is being typed */
	size_t typed;
	char told[200];              /* message for the last line; "": none */
};

void list_say(struct list_view *w, const char *text);

/* Save the text in a file of this name, and say so in the last line. */
void list_save(struct list_view *w, const struct sys *sys, const char *name, struct sv text);

/* Handle a key that moves the selection, by `page` lines at most. False: it is another key. */
bool list_move(struct list_view *w, int key, size_t page);

/* Limit the selection to the n lines, and scroll so that it is among the `room` lines on the screen. */
void list_scroll(struct list_view *w, size_t n, size_t room);

enum list_typed { LIST_TYPES, LIST_DONE, LIST_GIVES_UP };

void list_begin_typing(struct list_view *w);
enum list_typed list_type(struct list_view *w, int key);

#endif
