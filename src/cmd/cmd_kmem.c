/* cmd_kmem.c - sonde kmem: record the kernel's allocations, and sum them up (src/kmem). */
#include "cmd/view_command.h"
#include "kmem/kmem.h"

/* --- record --- */

struct record_kmem {
	struct record_want record;
	bool slab, page;
};

static const struct opt record_kmem_opts[] = {
	OPT_HEAD("What to record"),
	OPT_FLAG(0, "slab", struct record_kmem, slab, "slab allocations: kmalloc and slab caches (default)"),
	OPT_FLAG(0, "page", struct record_kmem, page, "page allocations, with call chains"),
	OPT_SUB(record_opts, struct record_kmem, record),
	OPT_END,
};

/* Since Linux 6.1 the kernel has no "_node" events any more. */
static const char *const slab_events[] = {
	"kmem:kmalloc", "kmem:kmalloc_node", "kmem:kfree", "kmem:kmem_cache_alloc", "kmem:kmem_cache_alloc_node",
	"kmem:kmem_cache_free",
};
static const char *const page_events[] = { "kmem:mm_page_alloc", "kmem:mm_page_free" };

static bool is_here(const struct ctx *c, const char *event)
{
	return !strstr(event, "_node") || view_has_event(c->sys, event);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *v[ARRAY_SIZE(slab_events) + ARRAY_SIZE(page_events)];
	struct record_kmem *w = want;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(slab_events); i++)
		if ((w->slab || !w->page) && is_here(c, slab_events[i]))
			v[n++] = slab_events[i];
	for (size_t i = 0; w->page && i < ARRAY_SIZE(page_events); i++)
		v[n++] = page_events[i];
	w->record.chain.on |= w->page;
	view_events(&w->record, v, n);
	view_all(&w->record);
	return view_record(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "kmem", .brief = "Record kernel memory allocations into perf.data",
	.synopsis = "[--slab] [--page] [options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record with -a -m 1024 -c 1 and the slab tracepoints, or with --page those of pages "
		   "with call chains. Takes record's options, too."),
	.examples = PACKED(
		    "sonde kmem record -- make\tslab allocations while a command runs\n"
		    "sonde kmem record --page sleep 10\tpage allocations, for ten seconds\n"
		    "sonde kmem record --slab --page -C 4-7 -o cpus.data sleep 10\tboth, on some CPUs"),
	.opts = record_kmem_opts, .want_size = sizeof(struct record_kmem), .run = record_run,
};

/* --- kmem --- */

static const struct cmd *const verbs[] = { &verb_record, &kmem_stat.cmd, NULL };

static int start_record(struct ctx *c, const struct kmem_want *w, int argc, char **argv)
{
	struct view_front f = { .n = 0 };

	view_say_flag(&f, "--slab", w->about[KMEM_SLABS]);
	view_say_flag(&f, "--page", w->about[KMEM_PAGES]);
	return view_start(c, &verb_record, f.v, f.n, argc, argv);
}

/* As in perf, options may stand in front of the verb: "kmem --caller -l 10 stat". */
static int kmem_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;

	if (c->cmd == &kmem_stat.cmd)
		return prof_command(c, &kmem_stat, want, argc, argv);
	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	return verb == &verb_record ? start_record(c, want, argc, argv) : cmd_go_on(c, verb, c->cmd, want, argc, argv);
}

DEFINE_CMD(kmem,
	.brief = "Analyze kernel memory allocations: slabs and pages, by call site",
	.synopsis = "[--slab] [--page] [options] record | stat ...",
	.details = PACKED(
		   "record writes perf.data; stat reads it, or is live with a command, -a or an interval. Options, "
		   "columns and texts are perf kmem's; they may come before or after stat."),
	.examples = PACKED(
		    "sonde kmem record -- make\trecord\n"
		    "sonde kmem stat --caller\tby call site\n"
		    "sonde kmem --caller -l 10 stat\tthe same, only ten rows"),
	.verbs = verbs, .opts = kmem_opts, .want_size = sizeof(struct kmem_want), .run = kmem_run);
