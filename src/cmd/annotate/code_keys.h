/*
 * code_keys.h - keys of whoever looks at the instructions of a function, in the browser of report and in top, as the
 * annotate of perf has them.
 */
#ifndef CMD_CODE_KEYS_H
#define CMD_CODE_KEYS_H

#include "cmd/annotate/text.h"
#include "cmd/text_view.h"

void code_keys_help(struct out *o);

/* True: the key changes how it is shown, and it is to be made anew. */
bool code_keys_show(struct annotate_show *s, int key);

/* What else can be done with the text, or is told why it cannot; false: it is none of these keys. */
bool code_keys_act(struct text_view *t, struct insn_form *f, const struct sys *sys, int key);

/* For the last line: what there is to know of the chosen instruction, or else what can be done. */
const char *code_keys_foot(const struct text_view *t, const struct session *s, const char *can);

#endif
