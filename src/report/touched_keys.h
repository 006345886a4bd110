/* touched_keys.h - perf's sort keys for accessed data: type, typeoff, typecln, symoff. */
#ifndef REPORT_TOUCHED_KEYS_H
#define REPORT_TOUCHED_KEYS_H

#include "report/touched.h"
#include "source/frames.h"

struct touched_keys;

/* For struct frames; keys: mask of enum hist_key. NULL: no memory. Borrows the session. */
struct touched_keys *touched_keys_new(struct session *s, unsigned keys);
void touched_keys_free(struct touched_keys *k);

/* For frames_touch.of. */
int touched_keys_of(void *keys, const struct sym_loc *l, struct hist_touch *t);

#endif
