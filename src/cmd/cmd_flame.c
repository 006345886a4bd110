/* cmd_flame.c - sonde flame: a recording's call chains as one interactive SVG, or as folded text. */
#include "cmd/cmd.h"

#include "report/profile.h"
#include "show/flame.h"
#include "sys/output.h"

#include <fcntl.h>

struct want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	const char *output, *title, *event, *old;
	uint64_t max_stack, pixels;
	bool folded, reverse, inverted, comm, period, tid, ignored;
};

static const struct opt opts[] = {
	OPT_HEAD("Input"),
	OPT_SUB(session_opts, struct want, session),
	OPT_STR('e', "event", struct want, event, "<name>",
		"event to draw (default: function_graph's functions, or the first event with samples)"),
	OPT_SUB(filter_opts, struct want, filter),
	OPT_STR(0, "diff", struct want, old, "<file>",
		"compare with this older recording: red: more samples, blue: fewer"),
	OPT_HEAD("Picture"),
	OPT_STR('o', "output", struct want, output, "<file>", "file to write (default flame.svg); -: standard output"),
	OPT_FLAG(0, "folded", struct want, folded,
		"write folded stacks, not SVG, to standard output unless -o is given"),
	OPT_FLAG(0, "reverse", struct want, reverse, "merge from the innermost frame: callers of each function"),
	OPT_FLAG(0, "inverted", struct want, inverted, "icicle graph: root on top"),
	OPT_STR(0, "title", struct want, title, "<text>", "title of the picture"),
	OPT_U64(0, "width", struct want, pixels, "<px>", "width of the picture (default 1200)"),
	OPT_CLEAR(0, "no-comm", struct want, comm, "do not start stacks with the command name"),
	OPT_FLAG(0, "threads", struct want, tid, "add the thread as second frame of stacks"),
	OPT_FLAG(0, "period", struct want, period, "weight by periods (event counts), not by samples"),
	SESSION_OPT_INLINE(struct want),
	OPT_U64(0, "max-stack", struct want, max_stack, "<n>", "use only the <n> innermost frames (default all)"),
	OPT_HEAD("Effort"),
	OPT_SUB(budget_opts, struct want, budget),
	{ .letter = 'f',
	  .kind = OPT_KIND_FLAG,
	  .flags = OPT_HIDDEN,
	  .off = offsetof(struct want, ignored),
	  .name = "force" },
	OPT_END,
};

static void defaults(void *want)
{
	struct want *w = want;

	w->comm = true;
}

struct flame_run {
	struct ctx *c;
	const struct want *want;
	struct session session;
	struct profile profile;
	struct flame *flame;
	uint32_t event;
	bool is_old;              /* this is the older recording, with which the other one is compared */
	char label[160];          /* label of the older recording's event; "": no older recording */
	bool weigh;               /* frame widths are sums of periods, not numbers of samples */
	uint64_t samples;
};

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* The event to draw: the named one, else the older recording's, else the first event with samples. */
static int choose_event(struct flame_run *r, struct err *e)
{
	const struct perf_head *f = r->session.head;
	const char *wanted = r->want->event ? r->want->event : *r->label ? r->label : NULL;
	struct nearest near;
	char text[160];

	r->weigh = r->want->period;
	if (!wanted && r->session.timed < f->events.n && r->profile.events.v[r->session.timed].weight) {
		r->event = r->session.timed;
		r->weigh = true;
		return 0;
	}
	nearest_init(&near, sv_from(wanted ? wanted : ""));
	for (size_t i = 0; i < f->events.n; i++) {
		nearest_feed(&near, f->events.v[i].label);
		r->event = (uint32_t)i;
		if (wanted ? !strcmp(f->events.v[i].label, wanted) : r->profile.events.v[i].samples > 0)
			return 0;
	}
	if (!wanted)
		return 0;
	return err_set(e, ENOENT, "%s has no event '%s'%s", r->session.path, wanted,
		       nearest_text(&near, text, sizeof(text)));
}

/* Append a node's call chain, outermost frame first, to the n frames of f. Returns the new number of frames. */
static size_t chain_of(struct flame_run *r, uint32_t node, struct flame_frame *f, size_t n)
{
	const struct ct_node *v = r->profile.tree.nodes.v;
	size_t from = n;

	for (uint32_t at = node; v[at].parent && n < FRAMES_DEPTH + 2; at = v[at].parent) {
		const struct hist_frame *h = &r->profile.frames.v.v[v[at].key];

		f[n++] = (struct flame_frame){ frames_label(&r->profile.frames, v[at].key), flame_kind_of(h) };
	}
	/* The walk went from the innermost frame outwards: reverse it. */
	for (size_t a = from, b = n; !r->want->reverse && b && a < --b; a++) {
		struct flame_frame swap = f[a];

		f[a] = f[b];
		f[b] = swap;
	}
	return n;
}

static int add_node(struct flame_run *r, uint32_t node, const struct hist_group *g)
{
	const struct ct_node *n = &r->profile.tree.nodes.v[node];
	struct flame_frame f[FRAMES_DEPTH + 3];
	char tid[64];
	size_t count = 0;

	if (r->want->comm)
		f[count++] = (struct flame_frame){ g->comm, FLAME_PLAIN };
	if (r->want->tid) {
		snprintf(tid, sizeof(tid), "%s/%u", g->comm, g->tid);
		f[count++] = (struct flame_frame){ tid, FLAME_PLAIN };
	}
	count = chain_of(r, node, f, count);
	r->samples += n->samples;
	return (r->is_old ? flame_add_old : flame_add)(r->flame, f, count, r->weigh ? n->self : n->samples);
}

static int build(struct flame_run *r, struct err *e)
{
	const struct calltree *t = &r->profile.tree;
	uint32_t *group = calloc(t->nodes.n, sizeof(*group));
	int err = group ? 0 : -ENOMEM;

	for (uint32_t i = 1; i < t->nodes.n && !err; i++) {
		const struct ct_node *n = &t->nodes.v[i];

		group[i] = n->parent ? group[n->parent] : n->key;
		if (n->parent && n->samples && r->profile.groups.v[group[i]].event == r->event)
			err = add_node(r, i, &r->profile.groups.v[group[i]]);
	}
	free(group);
	return err ? err_nomem(e) : 0;
}

static void write_flame(const struct flame_run *r, struct out *o)
{
	const struct want *w = r->want;
	char title[300], subtitle[300];
	const char *event = r->session.head->events.v[r->event].label;
	struct flame_want fw = {
		.title = w->title,
		.subtitle = subtitle,
		.unit = r->event == r->session.timed && r->weigh ? "ns" : r->weigh ? event : "samples",
		.width = (unsigned)MIN(w->pixels, 20000u),
		.order = w->inverted ? FLAME_GROW_DOWN : FLAME_GROW_UP,
	};

	if (w->folded) {
		flame_folded(r->flame, o);
		return;
	}
	if (!fw.title) {
		snprintf(title, sizeof(title), "%s: %s", w->old ? "Differential flame graph" :
			 w->reverse ? "Reverse flame graph" : "Flame graph", event);
		fw.title = title;
	}
	/* flame_svg appends the number of samples. */
	snprintf(subtitle, sizeof(subtitle), "%s%s%s", event, *r->session.head->hostname ? " on " : "",
		 r->session.head->hostname);
	flame_svg(r->flame, &fw, o);
}

/* Write to the file, or to standard output if path is NULL. */
static int save(struct flame_run *r, const char *path, struct err *e)
{
	struct output file;
	char buf[16384], number[32];
	struct out o;
	int err;

	if (!path) {
		write_flame(r, r->c->out);
		out_flush(r->c->out);
		return 0;
	}
	err = output_open(&file, r->c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (err)
		return err;
	output_text(&file, &o, buf, sizeof(buf));
	write_flame(r, &o);
	out_end(&o);
	output_close(&file);
	if (o.error)
		return err_set(e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
	cmd_note(r->c, "%s: %s samples of %s", path, fmt_grouped(number, sizeof(number), r->samples),
		 r->session.head->events.v[r->event].label);
	return 0;
}

static const char *output_of(const struct want *w)
{
	if (w->output)
		return strcmp(w->output, "-") ? w->output : NULL;
	return w->folded ? NULL : "flame.svg";
}

static int draw(struct flame_run *r, struct err *e)
{
	int err = choose_event(r, e);

	err = err ? err : build(r, e);
	if (!err && !r->samples)
		cmd_note(r->c, r->session.stats.samples ? "no sample fits" : "no samples in %s", r->session.path);
	if (!err && r->samples && !r->profile.events.v[r->event].with_chain)
		cmd_note(r->c, "no call chains in %s: record with -g to get more than the innermost frames",
			 r->session.path);
	if (!err && r->is_old && !r->samples)
		return err_set(e, ENODATA, "%s has nothing to compare with", r->session.path);
	if (!err && r->is_old)
		str_copy(r->label, sizeof(r->label), sv_from(r->session.head->events.v[r->event].label));
	else if (!err && r->samples)
		err = save(r, output_of(r->want), e);
	return err;
}

/* Read one recording: the older one only sets the baseline, the other one is drawn. */
static int run_one(struct flame_run *r, const char *path, struct err *e)
{
	const struct want *w = r->want;
	struct session_want sw = w->session;
	struct profile_want pw = { .max_stack = w->max_stack,
				   .keys = (w->comm ? HIST_COMM : 0) | (w->tid ? HIST_TID : 0),
				   .inlines = !w->session.outlined, .budget = budget_of(&w->budget, r->c->sys) };
	int err;

	sw.path = path;
	r->samples = 0;
	err = session_open(&r->session, r->c->sys, &sw, e);
	if (err)
		return err;
	err = profile_init(&r->profile, &r->session, &pw, &w->filter, e);
	if (!err) {
		err = draw(r, e);
		session_footer(&r->session, SESSION_LOSSES, note, r->c);
		profile_footer(&r->profile, note, r->c);
		profile_deinit(&r->profile);
	}
	r->c->incomplete |= session_incomplete(&r->session);
	session_close(&r->session);
	return err;
}

static int flame_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct flame_run r = { .c = c, .want = want };
	struct want *w = want;
	struct err e = { 0 };
	int err = 0;

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One recording at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("flame"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	r.flame = flame_new();
	if (!r.flame)
		err = err_nomem(&e);
	r.is_old = w->old != NULL;
	if (!err && w->old)
		err = run_one(&r, w->old, &e);
	r.is_old = false;
	err = err ? err : run_one(&r, w->session.path, &e);
	flame_free(r.flame);
	if (err == -EINVAL)
		return cmd_usage(c, cmd_find("flame"), &e);
	return err ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(flame, .brief = "Draw a flame graph of a recording: one SVG file for a browser",
	   .synopsis = "[options] [-i file] [-o file.svg]",
	   .examples = PACKED(
		       "sonde record -a -g sleep 10 && sonde flame\tten seconds system-wide, flame.svg\n"
		       "sonde flame --comms nginx --title 'nginx, before'\tone command\n"
		       "sonde flame --reverse --inverted\tcallers of the hottest functions\n"
		       "sonde flame --diff perf.data.old\tdifference to an older recording\n"
		       "sonde flame --folded | grep memcpy\tfolded stacks as text\n"
		       "sonde flame -i trace.dat\tfunction_graph: kernel functions by self time\n"),
	   .details = PACKED(
		      "Click to zoom, Ctrl-F to search; the file is self-contained. Kernel and library frames have "
		      "their own colors."),
	   .opts = opts, .want_size = sizeof(struct want), .defaults = defaults, .run = flame_run);
