/* loglevel.c - trace-cmd's names and numbers of levels. */
#include "cmd/ftrace/loglevel.h"

int loglevel_set(void *field, const char *value, struct err *e)
{
	static const char *const names[] = { "none", "crit", "err", "warn", "info", "debug", "all" };
	enum loglevel *level = field;
	uint64_t n;

	if (!value) {
		*level = LOGLEVEL_INFO;
		return 0;
	}
	if (str_u64(sv_from(value), 10, &n)) {
		*level = LOGLEVEL_NONE + (unsigned)MIN(n, ARRAY_SIZE(names) - 1);
		return 0;
	}
	/* Longer words are accepted, too: warning, critical. */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strncmp(value, names[i], strlen(names[i])))
			continue;
		*level = LOGLEVEL_NONE + (unsigned)i;
		return 0;
	}
	return err_set(e, EINVAL, "'%s' is no level: none crit err warn info debug all, or 0 to 6", value);
}

bool loglevel_says(enum loglevel level, enum loglevel of)
{
	return level == LOGLEVEL_NOT_GIVEN || of <= level;
}

void loglevel_apply(struct ctx *c, enum loglevel level)
{
	if (level == LOGLEVEL_NONE)
		c->says = SAY_NOTHING;
	else if (level == LOGLEVEL_CRIT || level == LOGLEVEL_ERR)
		c->says = SAY_ERRORS;
}
