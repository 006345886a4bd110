/* reach.h - which code of a program goes to a place: other functions may jump into the middle of one (GCC's .cold). */
#ifndef PROBING_REACH_H
#define PROBING_REACH_H

#include "probing/subject.h"

/* Does any branch in the program's file go to somewhere in [from, to)? Also when that cannot be told. */
bool reach_is_target(struct subject *s, uint64_t from, uint64_t to);

#endif
