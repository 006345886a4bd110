#include "cmd/view_command.h"

void view_events(struct record_want *w, const char *const *events, size_t n)
{
	struct record_events more = w->events, *to = &w->events;

	to->n = 0;
	for (size_t i = 0; i < n && to->n < RECORD_EVENTS_MAX; i++)
		to->v[to->n++] = (struct record_event){ .text = events[i] };
	for (size_t i = 0; i < more.n && to->n < RECORD_EVENTS_MAX; i++)
		to->v[to->n++] = more.v[i];
}

void view_all(struct record_want *w)
{
	w->target.all |= !w->target.cpus && !w->target.pids && !w->target.tids && !w->target.user;
}

int view_record(struct ctx *c, void *want, int argc, char **argv)
{
	enum { PAGES = 1024 };
	struct record_want *w = want;

	if (!w->ring.pages && !w->ring.bytes)
		w->ring.pages = PAGES;
	if (!w->pace.freq_given && !w->pace.period_given) {
		w->pace.period = 1;
		w->pace.period_given = true;
	}
	return cmd_find("record")->run(c, want, argc, argv);
}

const struct cmd *view_verb(const struct cmd *const *verbs, const char *word)
{
	const struct cmd *v = cmd_verb(verbs, word);

	for (size_t i = 0; !v && verbs[i] && strlen(word) > 2; i++)
		if (!strncmp(verbs[i]->name, word, strlen(word)))
			v = verbs[i];
	return v;
}

int view_no_verb(struct ctx *c, const char *word)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (!word) {
		cmd_help(c, c->cmd, c->msg);
		return cmd_usage_code(c);
	}
	nearest_init(&near, sv_from(word));
	for (size_t i = 0; c->cmd->verbs[i]; i++)
		nearest_feed(&near, c->cmd->verbs[i]->name);
	err_set(&e, EINVAL, "%s has no verb '%.40s'%s", c->cmd->name, word, nearest_text(&near, text, sizeof(text)));
	return cmd_usage(c, c->cmd, &e);
}

static void say(struct view_front *f, const char *word)
{
	if (f->n < ARRAY_SIZE(f->v))
		f->v[f->n++] = word;
}

void view_say(struct view_front *f, const char *name, const char *value)
{
	if (!name || !value)
		return;
	say(f, name);
	say(f, value);
}

void view_say_flag(struct view_front *f, const char *name, bool is)
{
	if (is)
		say(f, name);
}

int view_start(struct ctx *c, const struct cmd *verb, const char *const *front, size_t n, int argc, char **argv)
{
	char **words = calloc((size_t)argc + n + 1, sizeof(*words));
	struct err e = { 0 };
	int at = 0, code;

	if (!words) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	words[at++] = argv[0];
	for (size_t i = 0; i < n; i++)
		words[at++] = (char *)(uintptr_t)front[i];
	memcpy(words + at, argv + 1, (size_t)argc * sizeof(*words));
	code = cmd_start(c, verb, c->cmd, at + argc - 1, words);
	free(words);
	return code;
}
