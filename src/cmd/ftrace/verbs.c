/* verbs.c - the table of the trace-cmd family's verbs. */
#include "cmd/ftrace/verbs.h"

#define VERB(id) extern const struct cmd verb_##id;
#include "verbs.def"
#undef VERB

const struct cmd *const verbs[] = {
#define VERB(id) &verb_##id,
#include "verbs.def"
#undef VERB
	NULL
};
