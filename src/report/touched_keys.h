/* touched_keys.h - what addresses touch as keys of rows: type, typeoff, typecln, symoff, as perf has them. */
#ifndef REPORT_TOUCHED_KEYS_H
#define REPORT_TOUCHED_KEYS_H

#include "report/touched.h"
#include "source/frames.h"

struct touched_keys;

/* For struct frames: keys of enum hist_key. NULL: no memory. The session must stay. */
struct touched_keys *touched_keys_new(struct session *s, unsigned keys);
void touched_keys_free(struct touched_keys *k);

/* frames_touch.of */
int touched_keys_of(void *keys, const struct sym_loc *l, struct hist_touch *t);

#endif
