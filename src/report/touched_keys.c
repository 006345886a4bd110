#include "report/touched_keys.h"

enum { CACHE_LINE = 64, TEXT = 1400 };

struct touched_keys {
	struct session *session;
	struct touched *touched;
	unsigned keys;
};

struct touched_keys *touched_keys_new(struct session *s, unsigned keys)
{
	struct touched_keys *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	*k = (struct touched_keys){ .session = s, .touched = touched_new(s), .keys = keys };
	if (k->touched)
		return k;
	free(k);
	return NULL;
}

void touched_keys_free(struct touched_keys *k)
{
	if (k)
		touched_free(k->touched);
	free(k);
}

static int keep(const struct touched_keys *k, struct hist_touch *t, enum hist_touch_text which, const char *text)
{
	t->text[which] = resolver_intern(k->session->resolver, text, strlen(text));
	return t->text[which] ? 0 : -ENOMEM;
}

static int tell_symbol(const struct touched_keys *k, const struct sym_loc *l, struct hist_touch *t)
{
	char text[TEXT];

	if (l->sym)
		snprintf(text, sizeof(text), "[%c] %s+0x%llx", l->kernel ? 'k' : '.', l->sym,
			 (unsigned long long)(l->addr - l->start));
	else
		snprintf(text, sizeof(text), "[%c] 0x%llx", l->kernel ? 'k' : '.', (unsigned long long)l->addr);
	return keep(k, t, HIST_TOUCH_SYMOFF, text);
}

static int tell_data(const struct touched_keys *k, const struct sym_loc *l, struct hist_touch *t)
{
	char text[TEXT], place[TOUCHED_TEXT];
	struct touched_at at;
	int r = touched_find(k->touched, l, &at);

	if (!r && k->keys & HIST_TYPE)
		r = keep(k, t, HIST_TOUCH_TYPE, at.type);
	snprintf(text, sizeof(text), "%s %s", at.type, touched_place(k->touched, &at, place));
	if (!r && k->keys & HIST_TYPEOFF)
		r = keep(k, t, HIST_TOUCH_TYPEOFF, text);
	snprintf(text, sizeof(text), "%s: cache-line %llu", at.type, (unsigned long long)(at.off / CACHE_LINE));
	return !r && k->keys & HIST_TYPECLN ? keep(k, t, HIST_TOUCH_TYPECLN, text) : r;
}

int touched_keys_of(void *keys, const struct sym_loc *l, struct hist_touch *t)
{
	const struct touched_keys *k = keys;
	int r = 0;

	*t = (struct hist_touch){ 0 };
	if (k->keys & HIST_SYMOFF)
		r = tell_symbol(k, l, t);
	return !r && k->keys & (HIST_TOUCH_KEYS & ~HIST_SYMOFF) ? tell_data(k, l, t) : r;
}
