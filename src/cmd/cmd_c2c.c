/* cmd_c2c.c - sonde c2c: cache lines that several cores contend for, from sampled loads and stores (src/c2c). */
#include "c2c/text.h"
#include "cmd/mem/record.h"
#include "cmd/view_command.h"
#include "report/budget.h"

/* --- report --- */

struct report_c2c {
	struct session_want session;
	struct c2c_want c2c;
	struct c2c_view view;
	uint64_t memory;
	const char *display, *coalesce, *sep;
	bool double_line, json, ignored;
	unsigned verbose;
};

static const struct opt report_only_opts[] = {
	OPT_SUB(session_opts, struct report_c2c, session),
	OPT_STR('d', "display", struct report_c2c, display, "tot|lcl|rmt|peer",
		"sort cachelines by HITM loads: total (tot), local or remote node (lcl, rmt), or by loads from a peer "
		"core's cache (peer: default on arm64)"),
	OPT_STR('c', "coalesce", struct report_c2c, coalesce, "<keys>",
		"row keys of a cacheline: pid, tid, iaddr, dso (default iaddr)"),
	OPT_COUNT('N', "node-info", struct report_c2c, view.node_info,
		  "print the share of each NUMA node per row; twice: its CPUs"),
	OPT_FLAG(0, "show-all", struct report_c2c, c2c.all,
		"print cachelines with less than 0.1 % of the HITM or peer loads, too"),
	OPT_FLAG(0, "double-cl", struct report_c2c, double_line, "take pairs of adjacent cachelines as one"),
	OPT_FLAG(0, "stats", struct report_c2c, view.totals_only, "print only the totals"),
	OPT_FLAG(0, "full-symbols", struct report_c2c, view.full_symbols, "do not truncate symbols"),
	OPT_FLAG(0, "no-source", struct report_c2c, view.no_source, "print no source lines"),
	OPT_SIZE(0, "max-memory", struct report_c2c, memory, "<size>",
		 "memory limit for cachelines and rows (default half of the free memory)"),
	OPT_FLAG('j', "json", struct report_c2c, json, "print as JSON"),
	OPT_STR('x', "field-separator", struct report_c2c, sep, "<sep>",
		"print as CSV with this separator: cachelines, an empty line, rows"),
	OPT_IGNORED('f', "force", FLAG, struct report_c2c, ignored),
	OPT_IGNORED(0, "stdio", FLAG, struct report_c2c, ignored),
	OPT_IGNORED('v', "verbose", COUNT, struct report_c2c, verbose),
	OPT_REFUSED('g', "call-graph", OPT_LAST_DEFAULT, "", "rows have no chains", "use mem report -g"),
	OPT_REFUSED(0, "stitch-lbr", OPT_NO_VALUE, "", "rows have no chains", "use mem report -g"),
	OPT_END,
};

static int choose_display(struct report_c2c *w, const struct perf_head *h, struct err *e)
{
	static const char *const names[] = { "tot", "lcl", "rmt", "peer" };

	/* Arm SPE does not report whether the line was modified (HITM), only that a peer cache had it. */
	w->c2c.by = !strcmp(h->arch, "aarch64") ? C2C_BY_PEER : C2C_BY_TOTAL;
	for (size_t i = 0; w->display && i < ARRAY_SIZE(names); i++)
		if (!strcmp(w->display, names[i])) {
			w->c2c.by = i;
			return 0;
		}
	return w->display ? err_set(e, EINVAL, "--display: '%.40s' is none of tot, lcl, rmt, peer", w->display) : 0;
}

static int choose_keys(struct report_c2c *w, struct err *e)
{
	static const char *const names[] = { "pid", "tid", "iaddr", "dso" };
	struct sv rest = sv_from(w->coalesce ? w->coalesce : "iaddr"), word;

	while (sv_cut(&rest, ',', &word)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(names) && !sv_eq(word, names[i]))
			i++;
		if (i == ARRAY_SIZE(names))
			return err_set(e, EINVAL, "--coalesce: '%.*s' is none of pid, tid, iaddr, dso",
				       (int)MIN(word.n, 40u), word.s);
		w->c2c.keys |= 1u << i;
	}
	return 0;
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int write_report(struct ctx *c, const struct report_c2c *w, struct c2c_lines *lines)
{
	int r = c2c_lines_sort(lines);

	if (r)
		return r;
	if (w->json)
		return c2c_json(lines, &w->view, c->out);
	if (w->sep)
		return c2c_csv(lines, &w->view, w->sep, c->out);
	return c2c_text(lines, &w->view, c->out);
}

static int read_all(struct session *s, struct c2c_lines *lines, struct err *e)
{
	struct session_item item;
	int r;

	session_ahead(s, false);
	while ((r = session_next(s, &item, e)) > 0)
		if (r == 1 && c2c_lines_take(lines, &item))
			return err_nomem(e);
	return r;
}

static void tell(struct ctx *c, struct session *s, const struct c2c_lines *lines)
{
	char number[32], size[32];

	session_footer(s, SESSION_LOSSES, note, c);
	if (!s->stats.samples)
		cmd_note(c, "no samples in %s", s->path);
	else if (lines->total.n[C2C_UNPARSED] == lines->total.n[C2C_RECORDS])
		cmd_note(c, "no sample of %s is of a load or store: sonde c2c record records them", s->path);
	if (lines->left_out)
		cmd_note(c, "%s samples are in the totals alone, to do with %s of memory: --max-memory",
			 fmt_grouped(number, sizeof(number), lines->left_out),
			 fmt_bytes(size, sizeof(size), lines->want.memory));
}

static int report_session(struct ctx *c, struct report_c2c *w, struct session *s, struct err *e)
{
	struct c2c_lines *lines = calloc(1, sizeof(*lines));
	int r = choose_display(w, s->head, e);

	if (!r && (!lines || c2c_lines_init(lines, s, &w->c2c)))
		r = err_nomem(e);
	r = r ? r : read_all(s, lines, e);
	if (!r && write_report(c, w, lines))
		r = err_nomem(e);
	out_flush(c->out);
	if (!r)
		tell(c, s, lines);
	if (lines)
		c2c_lines_deinit(lines);
	free(lines);
	return r;
}

static int report_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct report_c2c *w = want;
	struct err e = { 0 };
	struct session s;
	int r = choose_keys(w, &e);

	if (!r && argc)
		r = err_set(&e, EINVAL, "what is '%s'?", argv[0]);
	if (r)
		return cmd_usage(c, c->cmd, &e);
	w->c2c.line_bytes = w->double_line ? 128 : 64;
	w->c2c.by_node = w->view.node_info == 1;
	w->c2c.memory = w->memory ? w->memory : budget_of(&(struct budget_want){ 0 }, c->sys).memory;
	if (!w->session.itrace)
		w->session.itrace = "M";
	r = session_open(&s, c->sys, &w->session, &e);
	if (r)
		return cmd_fail(c, &e);
	r = report_session(c, w, &s, &e);
	c->incomplete |= session_incomplete(&s);
	session_close(&s);
	if (r == -EINVAL)
		return cmd_usage(c, c->cmd, &e);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

static const struct cmd verb_report = {
	.name = "report", .family = "c2c",
	.brief = "Show cachelines that several cores use, and the code that uses each",
	.synopsis = "[options] [-i file]",
	.details = PACKED(
		   "Prints totals, then the cachelines sorted by how often loads hit another core's cache, then for "
		   "each cacheline the code that loaded and stored, by offset. Columns and texts are perf c2c's."),
	.examples = PACKED(
		    "sonde c2c report\tcachelines, rows by code address\n"
		    "sonde c2c report -c pid,iaddr -N\trows by process, too, with NUMA nodes\n"
		    "sonde c2c report -j | jq '.lines[0]'\tthe worst cacheline"),
	.opts = report_only_opts, .want_size = sizeof(struct report_c2c), .run = report_run,
};

/* --- record --- */

static const struct opt record_only_opts[] = {
	OPT_HEAD("What to record"),
	OPT_U64('l', "ldlat", struct mem_record_want, latency, "<cycles>",
		"only loads with at least this latency (default 30)"),
	OPT_FLAG('u', "all-user", struct mem_record_want, record.all_user, "only accesses in user space"),
	OPT_FLAG('k', "all-kernel", struct mem_record_want, record.all_kernel, "only accesses in the kernel"),
	OPT_SUB(record_opts, struct mem_record_want, record),
	OPT_END,
};

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct mem_record_want *w = want;

	w->physical = true;
	return mem_record(c, w, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "c2c", .brief = "Record loads and stores with their data sources",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED("Runs sonde mem record -p: physical addresses tell the NUMA node of the memory."),
	.examples = PACKED(
		    "sonde c2c record -- ./program\tone program\n"
		    "sonde c2c record -a -g sleep 10\tsystem-wide, for ten seconds, with call chains"),
	.opts = record_only_opts, .want_size = sizeof(struct mem_record_want), .defaults = mem_record_defaults,
	.run = record_run,
};

/* --- c2c --- */

static const struct cmd *const verbs[] = { &verb_record, &verb_report, NULL };

struct want {
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_IGNORED('v', "verbose", COUNT, struct want, verbose),
	OPT_END,
};

static int c2c_run(struct ctx *c, void *want UNUSED, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;

	return verb ? view_start(c, verb, NULL, 0, argc, argv) : view_no_verb(c, argc ? argv[0] : NULL);
}

DEFINE_CMD(c2c,
	.brief = "Find false sharing: cachelines that several cores use, and the code",
	.synopsis = "record | report ...",
	.details = PACKED(
		"Needs samples of loads and stores: x86's mem-loads and mem-stores, or Arm's SPE."),
	.examples = PACKED(
		    "sonde c2c record -- ./program\trecord\n"
		    "sonde c2c report\tcachelines, and the code that uses each"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = c2c_run);
