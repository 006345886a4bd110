/*
 * view.h - a list on a terminal: which of its lines is chosen, which are on the screen, what is being typed, what
 * is said in the last line. `sonde top` and the browser of `sonde report` have one.
 */
#ifndef CMD_LIST_VIEW_H
#define CMD_LIST_VIEW_H

#include "sys/screen.h"
#include "sys/sys.h"

enum { LIST_AROUND = 2 };   /* lines of the screen that are none of the list, usually: a head and a foot */

struct list_view {
	size_t first, selected;      /* lines of the list: the first on the screen, the chosen one */
	char prompt[64];             /* what is being typed */
	size_t typed;
	char told[200];              /* for the last line; "": nothing */
};

void list_say(struct list_view *w, const char *text);

/* The text into a file of this name, and it is said. */
void list_save(struct list_view *w, const struct sys *sys, const char *name, struct sv text);

/* Where the chosen line goes, by `page` lines at most. False: it is another key. */
bool list_move(struct list_view *w, int key, size_t page);

/* The chosen line is one of n, and on the screen, which has room for so many. */
void list_scroll(struct list_view *w, size_t n, size_t room);

enum list_typed { LIST_TYPES, LIST_DONE, LIST_GIVES_UP };

void list_begin_typing(struct list_view *w);
enum list_typed list_type(struct list_view *w, int key);

#endif
