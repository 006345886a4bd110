/* reach.h - finds jumps to a place of a program: other functions may jump into the middle of one (GCC's .cold). */
#ifndef PROBING_REACH_H
#define PROBING_REACH_H

#include "probing/subject.h"

/* Does any branch in the program's file lead into [from, to)? Also true when that cannot be found out. */
bool reach_is_target(struct subject *s, uint64_t from, uint64_t to);

#endif
