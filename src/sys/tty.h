/* tty.h - what the terminal of a descriptor can show, and a pager for it. */
#ifndef SYS_TTY_H
#define SYS_TTY_H

#include "base/fmt.h"
#include "sys/sys.h"

/*
 * Set o->terminal, o->color and o->width, for a terminal only (NO_COLOR and TERM=dumb disable colours; 80 columns if
 * the size is unknown).
 */
void tty_setup(struct out *o, int fd);

bool tty_is(int fd);

/*
 * If standard output is a terminal send it through $PAGER (else less or more; none found: do nothing); o writes to it.
 * Returns a handle for tty_pager_end, 0 when there is no pager.
 */
int tty_pager_begin(struct out *o);
void tty_pager_end(struct out *o, int pager);

#endif
