/* tty.h - what the far end of a descriptor can show, and a pager in front of it. */
#ifndef SYS_TTY_H
#define SYS_TTY_H

#include "base/fmt.h"
#include "sys/sys.h"

/* Set o->terminal, o->color and o->width: only a terminal has them (NO_COLOR and TERM=dumb switch colours off; no size
 * known: 80 columns). */
void tty_setup(struct out *o, int fd);

bool tty_is(int fd);

/*
 * Send standard output through $PAGER (else less, more; none found: nothing happens) when it is a terminal, and o is
 * what writes to it.
 * Returns a handle for tty_pager_end, 0 when there is no pager.
 */
int tty_pager_begin(struct out *o);
void tty_pager_end(struct out *o, int pager);

#endif
