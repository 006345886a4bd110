/*
 * screen.h - a terminal that is painted: its keys as they are pressed, one screen in front of what was there before.
 * Lines that are as they were are not sent again: it may be at the end of a slow line. It is given back by
 * screen_close, and by a guard (guard.h) when we die in whatever way.
 */
#ifndef SYS_SCREEN_H
#define SYS_SCREEN_H

#include "base/err.h"
#include "base/fmt.h"

#include <termios.h>

/* Keys that are no characters. A character is its byte. */
enum screen_key {
	KEY_NONE = 0, KEY_TAB = 9, KEY_REDRAW = 12, KEY_ENTER = 13, KEY_ESCAPE = 27, KEY_BACKSPACE = 127,
	KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PAGE_UP, KEY_PAGE_DOWN,
	KEY_BACK_TAB, KEY_F1, KEY_CLOSED,
};

struct screen {
	int in, out;
	int kept;                      /* one more descriptor of it */
	int guard;                     /* pid; 0: it is not open */
	struct termios before;
	unsigned rows, columns;        /* at the last screen_size */
	uint64_t *seen;                /* hash of what each row shows; 0: nobody knows */
	unsigned row;                  /* that is painted next, from 0 on */
	uint8_t pending[32];           /* bytes of keys that were read */
	size_t n;
};

/* Can it be painted? Both are terminals, and TERM is known to be able to. */
bool screen_can(int in, int out);

/* 0, or -errno: the terminal cannot be set up. */
int screen_open(struct screen *s, int in, int out, struct err *e);
void screen_close(struct screen *s);

/* Ask for its size; 24 lines of 80 columns where nobody tells. */
void screen_size(struct screen *s);

/*
 * What was pressed, without waiting: a character or an enum screen_key. NONE: nothing more; CLOSED: nobody there;
 * REDRAW (Ctrl-L): all lines will be sent again, as something else was written over them.
 */
int screen_key(struct screen *s);

/* Until a key is pressed or the size may have changed: a second at most. False: nobody is there any more. */
bool screen_wait(struct screen *s);

/* Begin to paint at the first line; a screen_line is one, cut at the right edge. */
void screen_home(struct screen *s);
void screen_line(struct screen *s, struct out *o, struct sv text, bool reverse);

/* What is below is empty, but for the last line, which is this one. */
void screen_foot(struct screen *s, struct out *o, struct sv text);

#endif
