/* verb_reset.c - sonde ftrace reset: switch all tracing off; --ours: restore only what sonde has changed. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"
#include "cmd/ftrace/wipe.h"
#include "tracing/undo.h"

enum target { TARGET_TOP, TARGET_NAMED, TARGET_ALL };

struct item {
	enum target target;
	const char *name;
	uint64_t buffer_kb;   /* 0: unchanged */
	bool remove;
};

enum { ITEMS_MAX = 64 };

struct reset_want {
	struct item items[ITEMS_MAX];
	size_t n;
	uint64_t buffer_kb;   /* -b before any -B, -a or -t */
	bool ours, all_users, quiet;
	unsigned keep;        /* kinds of dynamic events to keep: wipe_keep() */
};

/* --- options: -b and -d belong to the -B, -a or -t before them --- */

static int add(struct reset_want *w, enum target target, const char *name, struct err *e)
{
	if (w->n == ITEMS_MAX)
		return err_set(e, EINVAL, "more than %d buffers", ITEMS_MAX);
	w->items[w->n++] = (struct item){ .target = target, .name = name };
	return 0;
}

static int add_named(void *field, const char *value, struct err *e)
{
	return add(field, TARGET_NAMED, value, e);
}

static int add_all(void *field, const char *value UNUSED, struct err *e)
{
	return add(field, TARGET_ALL, NULL, e);
}

static int add_top(void *field, const char *value UNUSED, struct err *e)
{
	return add(field, TARGET_TOP, NULL, e);
}

static int set_size(void *field, const char *value, struct err *e)
{
	struct reset_want *w = field;
	uint64_t *kb = w->n ? &w->items[w->n - 1].buffer_kb : &w->buffer_kb;

	return str_u64(sv_from(value), 10, kb) && *kb ? 0 : err_set(e, EINVAL, "'%s' is not a size in KB", value);
}

static int set_remove(void *field, const char *value UNUSED, struct err *e)
{
	struct reset_want *w = field;

	if (!w->n || w->items[w->n - 1].target == TARGET_TOP)
		return err_set(e, EINVAL, "the top buffer cannot be removed: -d belongs to the -B or -a before it");
	w->items[w->n - 1].remove = true;
	return 0;
}

static int set_keep(void *field, const char *value, struct err *e)
{
	struct reset_want *w = field;

	return wipe_keep(&w->keep, value ? value : "all", e);
}

static const struct opt opts[] = {
	OPT_FLAG(0, "ours", struct reset_want, ours,
		 "only restore what sonde changed: start, set, killed runs"),
	OPT_CALL_WANT('B', NULL, 0, add_named, "<name>", "this buffer (instance); repeatable"),
	OPT_CALL_WANT('a', NULL, OPT_NO_VALUE, add_all, "", "all buffers; with -B, all but the top one"),
	OPT_CALL_WANT('t', "top", OPT_NO_VALUE, add_top, "", "the top buffer, with -B or -a"),
	OPT_CALL_WANT('d', NULL, OPT_NO_VALUE, set_remove, "", "remove the buffers of the -B or -a before it"),
	OPT_CALL_WANT('b', NULL, 0, set_size, "<kb>", "their new size per CPU"),
	OPT_CALL_WANT('k', NULL, OPT_LAST_DEFAULT, set_keep, "<kind>",
		      "keep dynamic events of this kind: kprobe kretprobe uprobe uretprobe eprobe synth fprobe tprobe "
		      "(default all); repeatable"),
	OPT_FLAG(0, "all-users", struct reset_want, all_users,
		 "as root: --ours, and what ended runs of other users left behind"),
	OPT_FLAG('q', "quiet", struct reset_want, quiet, "do not print what was removed"),
	OPT_END,
};

/* --- doing --- */

static void say(void *arg, const char *line)
{
	struct ctx *c = arg;

	out_printf(c->out, "%s\n", line);
}

struct reset {
	struct wipe wipe;
	const struct item *item;
	bool spare_top;   /* -a with -B: leave the top buffer alone */
};

static int reset_one(void *arg, const struct tfs *t, struct err *e)
{
	const struct reset *x = arg;
	char size[24];
	int r;

	if (x->spare_top && tfs_is_top(t))
		return 0;
	r = wipe_buffer(&x->wipe, t, e);
	if (!r && x->item->buffer_kb) {
		snprintf(size, sizeof(size), "%llu", (unsigned long long)x->item->buffer_kb);
		r = tfs_put(t, "buffer_size_kb", size, e);
	}
	if (r || !x->item->remove || tfs_is_top(t))
		return r;
	r = tfs_remove(t, e);
	if (!r && x->wipe.say) {
		char line[TFS_PATH];

		snprintf(line, sizeof(line), "removed the buffer %s", t->name);
		x->wipe.say(x->wipe.arg, line);
	}
	return r;
}

static int reset_item(struct ctx *c, const struct wipe *wipe, const struct item *item, bool named, struct err *e)
{
	struct buffers_want w = { .all = item->target == TARGET_ALL };
	struct reset x = { .wipe = *wipe, .item = item, .spare_top = w.all && named };

	if (item->target == TARGET_NAMED)
		w.names = (struct opt_list){ .v = { item->name }, .n = 1 };
	return buffers_each(c, &w, reset_one, &x, e);
}

static int reset_all(struct ctx *c, const struct reset_want *w, struct err *e)
{
	struct wipe wipe = { .say = w->quiet ? NULL : say, .arg = c, .keep = w->keep };
	struct item top = { .target = TARGET_TOP, .buffer_kb = w->buffer_kb };
	bool named = false, all = !w->n, has_top;
	struct tfs t;
	int r = tfs_open(&t, c->sys, e);

	for (size_t i = 0; i < w->n; i++) {
		named |= w->items[i].target == TARGET_NAMED;
		all |= w->items[i].target == TARGET_ALL;
	}
	has_top = all && !named;
	/* Restore what sonde has changed first, so that a later --ours does not do so. */
	if (!r && has_top)
		r = undo_sweep(c->sys, UNDO_OURS, wipe.say, c, e);
	r = r > 0 ? 0 : r;
	for (size_t i = 0; !r && i < w->n; i++) {
		has_top |= w->items[i].target == TARGET_TOP;
		r = reset_item(c, &wipe, &w->items[i], named, e);
	}
	if (!r && !w->n)
		r = reset_item(c, &wipe, &top, false, e);
	return r || w->keep == ~0u || !has_top ? r : wipe_probes(&wipe, &t, e);
}

static int reset_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct reset_want *w = want;
	struct err e = { 0 };
	int r;

	bool ours = w->ours || w->all_users;

	if (ours && (w->n || w->buffer_kb)) {
		err_set(&e, EINVAL, "--%s finds out itself which buffers", w->all_users ? "all-users" : "ours");
		return cmd_fail(c, &e);
	}
	if (!ours)
		return buffers_done(c, reset_all(c, w, &e), &e);
	r = undo_sweep(c->sys, w->all_users ? UNDO_ALL_USERS : UNDO_OURS, w->quiet ? NULL : say, c, &e);
	if (!r && !w->quiet)
		out_str(c->out, "nothing of ours was left\n");
	return buffers_done(c, MIN(r, 0), &e);
}

DEFINE_VERB(reset, "reset", .brief = "Disable all tracing, or restore what sonde changed",
	    .details = PACKED(
		       "Without --ours it resets everything, also of other tools: tracer, events, filters, triggers, "
		       "probes. -b and -d apply to the -B or -a before them."),
	    .examples = PACKED(
			"sonde ftrace reset --ours\tundo start and set, and what a killed run left\n"
			"sonde ftrace reset\tdisable all tracing\n"
			"sonde ftrace reset -B mine -d\tremove a buffer\n"),
	    .opts = opts, .want_size = sizeof(struct reset_want), .run = reset_run);
