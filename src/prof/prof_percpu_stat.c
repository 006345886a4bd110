/* prof_percpu_stat.c - sonde prof percpu-stat: system activity by event and CPU. */
#include "prof/board.h"

struct want {
	struct prof_want prof;
	bool syscalls;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Columns"),
	OPT_FLAG(0, "syscalls", struct want, syscalls, "count system calls, too"),
	OPT_END,
};

static const struct column {
	const char *head, *event;
} columns[] = {
	{ "csw", "context-switches" }, { "migr", "cpu-migrations" }, { "minflt", "minor-faults" },
	{ "majflt", "major-faults" }, { "syscalls", "raw_syscalls:sys_enter" }, { "hardirq", "irq:irq_handler_entry" },
	{ "softirq", "irq:softirq_entry" }, { "hrtimer", "timer:hrtimer_expire_entry" },
	{ "work", "workqueue:workqueue_execute_start" }, { "kvm", "kvm:kvm_exit" }, { "recv", "net:netif_receive_skb" },
	{ "xmit", "net:net_dev_xmit" }, { "gro", "net:napi_gro_receive_entry" }, { "alloc", "kmem:mm_page_alloc" },
	{ "compact", "compaction:mm_compaction_migratepages" }, { "migrate", "migrate:mm_migrate_pages" },
	{ "reclaim", "vmscan:mm_vmscan_direct_reclaim_begin" }, { "wback", "writeback:wbc_writepage" },
	{ "cache", "filemap:mm_filemap_add_to_page_cache" }, { "idle", "power:cpu_idle" },
};

static_assert(ARRAY_SIZE(columns) <= BOARD_COLS, "a table's columns");

static bool is_shown(const struct want *w, const struct column *c)
{
	return w->syscalls || strcmp(c->head, "syscalls");
}

static int prepare(struct prof *p, struct err *e)
{
	int r = 0;

	if (p->specs.v.n) {
		err_set(e, EINVAL, "percpu-stat has its own events: no -e");
		return err_hint(e, "sonde prof stat counts others");
	}
	for (size_t i = 0; !r && i < ARRAY_SIZE(columns); i++) {
		if (!is_shown(p->want, &columns[i]))
			continue;
		r = specs_add_event(&p->specs, columns[i].event, e);
		if (!r)
			p->specs.v.v[p->specs.v.n - 1].optional = true;
	}
	return r;
}

/* Events that this kernel lacks are empty cells. */
static void put(const struct prof *p, const struct counted *c, size_t place, bool sum, struct table *t)
{
	for (size_t i = 0; i < p->specs.v.n; i++) {
		struct counter_value v;

		if (board_value(c, i, place, sum, &v))
			table_u64(t, v.value);
		else
			table_none(t);
	}
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	struct table_col cols[ARRAY_SIZE(columns)];
	struct board b = { cols, 0, put };

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (is_shown(p->want, &columns[i]))
			cols[b.n_cols++] = (struct table_col){ columns[i].head, columns[i].event, TABLE_RIGHT, 0 };
	return board_run(p, &b, e);
}

DEFINE_PROF(percpu_stat) = {
	.cmd = {
		.name = "percpu-stat", .family = "prof",
		.brief = "Count switches, interrupts, faults and packets per CPU",
		.synopsis = "[--syscalls] [options] [-- command [arguments]]",
		.details = PACKED("An empty column is an event that this kernel does not have."),
		.examples = PACKED(
			    "sonde prof percpu-stat -C 0\tone CPU, every second\n"
			    "sonde prof percpu-stat --syscalls -i 2000\twith system calls, every two seconds"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = BOARD_OWN, .prepare = prepare, .alone = alone,
};
