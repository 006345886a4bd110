/* browse.c - the run of the browser. */
#include "cmd/browse/browse.h"

#include <unistd.h>

bool browse_can(void)
{
	return screen_can(STDIN_FILENO, STDOUT_FILENO);
}

/* The page of the first event that has samples. */
static size_t first_page(const struct report *r)
{
	size_t firsts[REPORT_GROUP_MAX], n = page_firsts(r, firsts), end = r->session->head->events.n;

	for (size_t i = 0; i < n; i++)
		for (size_t ev = firsts[i]; ev < (i + 1 < n ? firsts[i + 1] : end); ev++)
			if (r->profile.events.v[ev].samples)
				return firsts[i];
	return n ? firsts[0] : 0;
}

static int look(struct browser *b)
{
	int r = page_open(b, first_page(b->report));

	while (!r && !b->over) {
		r = browse_paint(b);
		if (!r && !screen_wait(&b->screen))
			return 0;
		r = r ? r : browse_keys(b);
	}
	return r;
}

int browse(struct report *r, struct err *e)
{
	struct browser b = { .c = r->c, .report = r };
	int err;

	/* Without samples there is nothing to show. */
	if (!r->session->stats.samples || !r->session->head->events.n)
		return 0;
	err = screen_open(&b.screen, STDIN_FILENO, STDOUT_FILENO, e);
	if (err)
		return err;
	err = look(&b);
	screen_close(&b.screen);
	text_view_close(&b.under);
	browse_code_close(&b);
	page_close(&b.page);
	if (err == -ENOMEM)
		return err_nomem(e);
	return err ? err_set(e, -err, "the terminal cannot be written to: %s", err_name(-err)) : 0;
}
