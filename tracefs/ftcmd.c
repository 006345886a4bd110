/* ftcmd.c - the grammar of function commands. */
#include "tracefs/ftcmd.h"

#include "tracefs/trigger.h"

static const char *const names[] = {
	[FTCMD_MOD] = "mod",
	[FTCMD_TRACEON] = "traceon",
	[FTCMD_TRACEOFF] = "traceoff",
	[FTCMD_STACKTRACE] = "stacktrace",
	[FTCMD_SNAPSHOT] = "snapshot",
	[FTCMD_DUMP] = "dump",
	[FTCMD_CPUDUMP] = "cpudump",
	[FTCMD_ENABLE_EVENT] = "enable_event",
	[FTCMD_DISABLE_EVENT] = "disable_event",
};

static int bad(const char *text, struct sv at, const char *what, struct err *e)
{
	return trigger_spot(e, EINVAL, what, text, at.s ? (size_t)(at.s - text) : strlen(text));
}

static int command(struct ftcmd *c, const char *text, struct sv word, struct err *e)
{
	struct nearest near;
	char list[160], message[256];

	nearest_init(&near, word);
	for (size_t i = FTCMD_MOD; i < ARRAY_SIZE(names); i++) {
		if (sv_eq(word, names[i])) {
			c->kind = (enum ftcmd_kind)i;
			return 0;
		}
		nearest_feed(&near, names[i]);
	}
	snprintf(message, sizeof(message), "no function command '%.*s'%s", (int)MIN(word.n, 60u), word.s,
		 nearest_text(&near, list, sizeof(list)));
	return bad(text, word, message, e);
}

/* "5", or the kernel's "count=5" and "unlimited"; more behind it is an error. */
static int count(struct ftcmd *c, const char *text, struct sv *rest, struct err *e)
{
	struct sv word;

	if (!sv_cut(rest, ':', &word) || sv_eq(word, "unlimited"))
		return 0;
	if (sv_starts(word, "count="))
		word = (struct sv){ word.s + 6, word.n - 6 };
	c->counted = true;
	if (!str_u64(word, 10, &c->count))
		return bad(text, word, "that is no count", e);
	return rest->s ? bad(text, *rest, "nothing may follow the count", e) : 0;
}

int ftcmd_parse(struct ftcmd *c, const char *text, struct err *e)
{
	struct sv rest = sv_trim((struct sv){ text, strcspn(text, "\n") }), word;
	int r;

	*c = (struct ftcmd){ 0 };
	sv_cut(&rest, ':', &c->function);
	if (!c->function.n || memchr(c->function.s, ' ', c->function.n))
		return bad(text, c->function, "a function's name or a glob comes first", e);
	if (!sv_cut(&rest, ':', &word))
		return 0;
	r = command(c, text, word, e);
	if (r)
		return r;
	if (c->kind == FTCMD_MOD) {
		c->module = rest;
		return rest.s && rest.n ? 0 : bad(text, rest, "the module is missing", e);
	}
	if (c->kind == FTCMD_ENABLE_EVENT || c->kind == FTCMD_DISABLE_EVENT)
		if (!sv_cut(&rest, ':', &c->system) || !sv_cut(&rest, ':', &c->event) || !c->system.n || !c->event.n)
			return bad(text, rest, "SYSTEM:EVENT is missing", e);
	return count(c, text, &rest, e);
}

int ftcmd_removal(const char *text, char *buf, size_t size)
{
	struct ftcmd c;
	bool event;

	if (ftcmd_parse(&c, text, NULL) || c.kind == FTCMD_NONE || c.kind == FTCMD_MOD)
		return 0;
	event = c.system.n > 0;
	return snprintf(buf, size, "!%.*s:%s%s%.*s%s%.*s%s", (int)c.function.n, c.function.s, names[c.kind],
			event ? ":" : "", (int)c.system.n, event ? c.system.s : "", event ? ":" : "", (int)c.event.n,
			event ? c.event.s : "",
			c.counted && c.kind != FTCMD_DUMP && c.kind != FTCMD_CPUDUMP ? ":0" : "");
}
