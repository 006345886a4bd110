/*
 * code_keys.h - the keys that work while the instructions of a function are shown, in report's browser and in top: the
 * same as in perf annotate.
 */
#ifndef CMD_CODE_KEYS_H
#define CMD_CODE_KEYS_H

#include "cmd/annotate/text.h"
#include "cmd/text_view.h"

void code_keys_help(struct out *o);

/* True: the key has changed *s, so the caller must make the text anew. */
bool code_keys_show(struct annotate_show *s, int key);

/* The other keys: offsets, saving, and messages for those of perf that sonde does not have. False: not one of these. */
bool code_keys_act(struct text_view *t, struct insn_form *f, const struct sys *sys, int key);

/* For the last line of the screen: is the selected instruction fused with the one before it? Else `can`. */
const char *code_keys_foot(const struct text_view *t, const struct session *s, const char *can);

#endif
