/*
 * screen.h - full-screen output on a terminal's alternate screen, with single key input. Unchanged lines are not sent
 * again, as the terminal may be at the end of a slow line. The terminal is restored by screen_close, and by a guard
 * (guard.h) however we die.
 */
#ifndef SYS_SCREEN_H
#define SYS_SCREEN_H

#include "base/err.h"
#include "base/fmt.h"

#include <termios.h>

/* Keys that are not characters. A character is its byte value. */
enum screen_key {
	KEY_NONE = 0, KEY_TAB = 9, KEY_REDRAW = 12, KEY_ENTER = 13, KEY_ESCAPE = 27, KEY_BACKSPACE = 127,
	KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PAGE_UP, KEY_PAGE_DOWN,
	KEY_BACK_TAB, KEY_F1, KEY_CLOSED,
};

struct screen {
	int in, out;
	int kept;                      /* a duplicate descriptor of the terminal */
	int guard;                     /* pid; 0: not open */
	struct termios before;
	unsigned rows, columns;        /* at the last screen_size */
	uint64_t *seen;                /* hash of each row on the screen; 0: unknown */
	unsigned row;                  /* next row to paint, from 0 on */
	uint8_t pending[32];           /* input bytes not yet decoded */
	size_t n;
};

/* Are both terminals, and is TERM capable of this? */
bool screen_can(int in, int out);

/* 0, or -errno: the terminal could not be set up. */
int screen_open(struct screen *s, int in, int out, struct err *e);
void screen_close(struct screen *s);

/* Query the size; 24 lines of 80 columns if it is unknown. */
void screen_size(struct screen *s);

/*
 * Read a key without waiting: a character or an enum screen_key. NONE: no more input; CLOSED: the terminal is gone;
 * REDRAW (Ctrl-L): all lines will be sent again, since something else was written over them.
 */
int screen_key(struct screen *s);

/* Wait for a key or a change of size: a second at most. False: the terminal is gone. */
bool screen_wait(struct screen *s);

/* Begin to paint at the first line; screen_line paints the next one, cut at the right edge. */
void screen_home(struct screen *s);
void screen_line(struct screen *s, struct out *o, struct sv text, bool reverse);

/* Clear the rest of the screen, and paint this text as its last line. */
void screen_foot(struct screen *s, struct out *o, struct sv text);

#endif
