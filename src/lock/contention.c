/* contention.c - sonde lock contention: how long threads wait for locks, by call site, thread, lock owner or lock. */
#include "lock/contended.h"

static const struct opt opts[] = {
	OPT_HEAD("Rows"),
	OPT_FLAG('t', "threads", struct lock_want, threads, "one row per thread, not per call site"),
	OPT_FLAG('l', "lock-addr", struct lock_want, addresses, "one row per lock"),
	OPT_FLAG('o', "lock-owner", struct lock_want, owner, "one row per lock owner (live only, by a BPF program)"),
	OPT_STR('k', "key", struct lock_want, show.key, "<key>",
		"sort by wait_total (default), contended, wait_max, wait_min or avg_wait"),
	OPT_STR('F', "field", struct lock_want, show.fields, "<keys>",
		"columns to print (default contended,wait_total,wait_max,avg_wait)"),
	OPT_U64('E', "entries", struct lock_want, show.entries, "<n>", "print only the first <n> rows"),
	OPT_U64('M', "map-nr-entries", struct lock_want, map_entries, "<n>", "keep at most <n> rows"),
	OPT_U64(0, "max-stack", struct lock_want, max_stack, "<n>",
		"frames of the call chain that tell call sites apart (default 8)"),
	OPT_U64(0, "stack-skip", struct lock_want, skip, "<n>",
		"skip the <n> innermost frames, those of the lock functions (default 4)"),
	OPT_HEAD("Filters"),
	OPT_LIST('Y', "type-filter", struct lock_want, chosen.types, "<types>", "only these lock types: mutex,rwsem:R"),
	OPT_LIST('L', "lock-filter", struct lock_want, chosen.locks, "<locks>",
		"only these locks, by address or variable name"),
	OPT_LIST('S', "callstack-filter", struct lock_want, chosen.functions, "<names>",
		 "only call chains with a function whose name contains this"),
	OPT_STR('C', "cpu", struct lock_want, view.prof.target.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct lock_want, view.prof.target.pids, "<pids>",
		"only these processes (live unless -i has a file)"),
	OPT_STR(0, "tid", struct lock_want, view.prof.target.tids, "<tids>",
		"only these threads (live unless -i has a file)"),
	OPT_REFUSED('G', "cgroup-filter", 0, "", "events do not tell of which control group a task is",
		    "sonde lock contention -t, or sonde prof ... --cgroups"),
	OPT_REFUSED(0, "lock-cgroup", OPT_NO_VALUE, "", "events do not tell of which control group a task is",
		    "sonde lock contention -t"),
	OPT_HEAD("Input"),
	OPT_CALL('i', "interval", 0, struct lock_want, view.prof.from, prof_set_from, "<ms|file>",
		 "number: live, print a table every <ms>; else recording to read (default perf.data)"),
	OPT_STR(0, "input", struct lock_want, view.prof.from.input, "<file>", "recording to read"),
	OPT_FLAG('a', "all-cpus", struct lock_want, view.prof.target.all, "live: system-wide, until Ctrl-C"),
	OPT_FLAG('b', "use-bpf", struct lock_want, bpf,
		 "live; sonde counts the events itself, without BPF"),
	OPT_U64('m', "mmap-pages", struct lock_want, view.prof.rings.pages, "<n>",
		"live: pages of each CPU's ring buffer"),
	OPT_STR(0, "vmlinux", struct lock_want, view.prof.session.vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct lock_want, view.prof.session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_HEAD("Output"),
	OPT_COUNT('v', "verbose", struct lock_want, view.verbose,
		"print the call chain of each row; with -o the stacks of the lock owners"),
	OPT_FLAG('j', "json", struct lock_want, view.prof.form.json, "print rows as JSON, times in ns"),
	OPT_STR('x', "field-separator", struct lock_want, view.prof.form.sep, "<sep>",
		"print as perf's CSV with this separator"),
	OPT_STR(0, "output", struct lock_want, view.prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('q', "quiet", struct lock_want, view.prof.form.quiet, "print results only"),
	OPT_IGNORED('f', "force", FLAG, struct lock_want, view.ignored),
	OPT_REFUSED('D', "dump-raw-trace", OPT_NO_VALUE, "", "records are not dumped here", "sonde script -D"),
	OPT_END,
};

static void defaults(void *want)
{
	struct lock_want *w = want;

	w->show = (struct lock_show_want){ .key = "wait_total", .fields = "contended,wait_total,wait_max,avg_wait" };
	w->max_stack = LOCK_STACK;
	w->skip = LOCK_SKIP;
}

/* --- options --- */

enum kind { BEGIN, END, KINDS };
enum { LOCK_ADDR, LOCK_FLAGS_FIELD };

/* Linux 5.19. */
static const struct view_kind kinds[KINDS] = {
	[BEGIN] = { "lock:contention_begin", { "lock_addr", "flags" } },
	[END] = { "lock:contention_end", { "lock_addr" } },
};

static int first(struct prof *p, struct err *e)
{
	struct lock_want *w = p->want;
	bool of_tasks = w->view.prof.target.pids || w->view.prof.target.tids;
	int r;

	w->view.prof.target.all |= w->bpf && !of_tasks;
	if (of_tasks && w->view.prof.from.input)
		return 0;
	r = view_first(p, e);
	w->view.prof.from.recorded &= !w->bpf && !of_tasks;
	return r;
}

static int check(const struct lock_want *w, struct err *e)
{
	if (w->owner && (w->view.prof.from.input || w->view.prof.from.recorded)) {
		err_set(e, EOPNOTSUPP, "-o: no recording tells who has a lock: that is read when a wait begins");
		return err_hint(e, "live: sonde lock contention -o -a, or with a command, -i <ms>, or -p <pids>");
	}
	if (w->owner && w->addresses)
		return err_set(e, EINVAL, "-o and -l: rows are by owner or by lock");
	if (w->threads && w->addresses)
		return err_set(e, EINVAL, "-t and -l: rows are by task or by lock");
	if (!w->max_stack || w->max_stack > LOCK_STACK_MAX)
		return err_set(e, EINVAL, "--max-stack: from 1 to %d", LOCK_STACK_MAX);
	return 0;
}

static int add_events(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	char spec[64];
	int r;

	/* If not even sched_switch is seen, tracefs is not readable, and nothing is known about the kernel's events. */
	if (!w->from.input && !w->from.recorded && view_has_event(p->sys, "sched:sched_switch") &&
	    !view_has_event(p->sys, kinds[BEGIN].label)) {
		err_set(e, ENOENT, "this kernel has no lock:contention_begin (Linux 5.19 and later)");
		return err_hint(e, "kprobes on mutex_lock and the like measure what you name: sonde prof multi-trace");
	}
	snprintf(spec, sizeof(spec), "%s//max-stack=%u/", kinds[BEGIN].label,
		 (unsigned)((const struct lock_want *)p->want)->max_stack);
	r = prof_add(p, spec, e);
	return r ? r : prof_add(p, kinds[END].label, e);
}

/* Call it before the event is opened: what was attached to a tracepoint first runs first. */
static int open_owners(struct prof *p, struct err *e)
{
	const struct target_want *t = &prof_want(p)->target;
	struct contended *c = p->own;
	struct lockowner_want of = {
		.sys = p->sys, .bpf = &bpf_making, .watched = !t->all && !t->cpus,
		.depth = c->want->view.verbose ? (uint32_t)c->want->max_stack : 0,
	};

	c->owner_stacks = of.depth && !owners_open(&c->owners, &of, &c->no_stacks);
	of.depth = 0;
	return !c->owner_stacks && owners_open(&c->owners, &of, e) ? err_wrap(e, "-o") : 0;
}

static enum lock_by by_what(const struct lock_want *w)
{
	if (w->owner)
		return LOCK_BY_OWNER;
	return w->threads ? LOCK_BY_TASK : w->addresses ? LOCK_BY_LOCK : LOCK_BY_CALLER;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct lock_want *w = p->want;
	struct contended *c = p->own;
	int r = check(w, e);

	c->want = w;
	c->show.prof = p;
	c->show.by = by_what(w);
	c->show.stacks = w->view.verbose && c->show.by == LOCK_BY_CALLER;
	r = r ? r : lock_show_read(&c->show, &w->show, LOCK_CONTENDED, e);
	r = r ? r : lock_chosen_read(&c->chosen, &w->chosen, e);
	r = r ? r : add_events(p, e);
	return r || !w->owner ? r : open_owners(p, e);
}

static int begin(struct prof *p, struct err *e)
{
	struct contended *c = p->own;

	c->prof = p;
	contention_init(&c->waits);
	c->taps = view_taps(p, kinds, KINDS);
	c->owners.cpus = p->feed.live.target.cpus_chosen ? &p->feed.live.target.cpus : NULL;
	return c->taps ? lock_chosen_open(&c->chosen, p, e) : err_nomem(e);
}

/* --- rows --- */

const struct sym_loc *contended_place(struct contended *c, uint32_t pid, const struct chain_frame *f)
{
	return resolver_find(c->prof->feed.session.resolver, pid, f->cpumode, f->ip);
}

static uint32_t keep_text(struct contended *c, const char *text)
{
	uint32_t id = names_add(&c->texts, text, strlen(text));

	return id == NAMES_NONE ? 0 : id + 1;
}

/* Name the call site: the first frame after `skip` that has a symbol and is no function that takes locks or waits. */
static void name_caller(struct contended *c, struct lock_row *r, uint32_t pid, const struct lock_stack *s,
			uint64_t skip)
{
	char text[LOCK_NAME] = "Unknown";

	for (size_t i = (size_t)MIN(skip, (uint64_t)s->n); i < s->n; i++) {
		const struct sym_loc *l = contended_place(c, pid, &s->v[i]);
		uint64_t offset = l ? l->addr - l->start : 0;

		if (!l || !l->sym || lock_is_waiting(&c->chosen, &s->v[i]))
			continue;
		r->at = s->v[i].ip;
		if (offset)
			snprintf(text, sizeof(text), "%s+0x%llx", l->sym, (unsigned long long)offset);
		else
			snprintf(text, sizeof(text), "%s", l->sym);
		break;
	}
	r->name = keep_text(c, text);
}

/* A wait that begins, or whose owner was read again. */
struct beginning {
	const struct hit *hit;
	uint64_t lock;
	uint32_t flags, owner;           /* owner: as owners_row() returns it */
	uint32_t owner_stack;            /* as owners.found_stack */
	struct lock_stack stack;
};

/* The key of a row, unless rows are call sites: tid, lock owner or lock. */
static uint64_t whose(const struct contended *c, const struct beginning *b)
{
	return c->show.by == LOCK_BY_TASK ? b->hit->tid : c->show.by == LOCK_BY_OWNER ? b->owner : b->lock;
}

const char *contended_nobody(uint32_t owner)
{
	static const char *const names[] = {
		[0] = "(readers)", [OWNERS_UNKNOWN - OWNERS_READERS] = "Unknown",
		[OWNERS_UNREAD - OWNERS_READERS] = "(not read)",
	};

	return names[owner - OWNERS_READERS];
}

/* Name the row by the function in which the owner sleeps; or by why that, or the owner, is not known. */
static void name_owner_stack(struct contended *c, struct lock_row *r, const struct beginning *b)
{
	struct lock_stack s = { .n = 0 };
	const struct name *kept;
	uint64_t ip;

	if (b->owner >= OWNERS_READERS)
		r->name = keep_text(c, contended_nobody(b->owner));
	else if (b->owner_stack >= OWNERS_RUNS)
		r->name = keep_text(c, b->owner_stack == OWNERS_RUNS ? "(running)" : "(no stack)");
	if (r->name || b->owner_stack >= OWNERS_RUNS)
		return;
	kept = &c->owners.stacks.list.v[b->owner_stack];
	for (; s.n < kept->len / sizeof(ip); s.n++) {
		memcpy(&ip, kept->s + s.n * sizeof(ip), sizeof(ip));
		s.v[s.n] = (struct chain_frame){ .ip = ip, .cpumode = PERF_MISC_KERNEL };
	}
	name_caller(c, r, UINT32_MAX, &s, 0);
	/* The row stands for the owner: undo name_caller()'s address of the call site. */
	r->at = b->owner;
	r->stack = b->owner_stack + 1;
}

static int add_row(struct contended *c, const struct beginning *b)
{
	const struct lock_stack *s = &b->stack;
	struct lock_row *r = vec_add(&c->rows);
	uint64_t ips[LOCK_STACK_MAX];
	char text[LOCK_NAME];
	uint32_t id;

	if (!r || contention_add_row(&c->waits))
		return -ENOMEM;
	r->flags = b->flags;
	r->at = whose(c, b);
	if (c->show.by == LOCK_BY_CALLER)
		name_caller(c, r, b->hit->pid, s, c->want->skip);
	else if (c->show.by == LOCK_BY_LOCK)
		r->name = keep_text(c, lock_variable(c->prof, b->lock, text));
	if (c->owner_stacks) {
		name_owner_stack(c, r, b);
		return 0;
	}
	for (size_t i = 0; i < s->n; i++)
		ips[i] = chain_in_kernel(&s->v[i]) ? s->v[i].ip : 0;
	id = c->show.stacks ? names_add(&c->stacks, (const char *)ips, s->n * sizeof(*ips)) : NAMES_NONE;
	r->stack = id == NAMES_NONE ? 0 : id + 1;
	return 0;
}

/* Make the key of a call site: the stack without the functions that take the lock. Returns its size in bytes. */
static size_t key_of(struct contended *c, const struct lock_stack *s, uint64_t key[LOCK_STACK_MAX])
{
	size_t n = 0;

	for (size_t i = (size_t)MIN(c->want->skip, (uint64_t)s->n); i < s->n; i++)
		if (!lock_is_waiting(&c->chosen, &s->v[i]))
			key[n++] = s->v[i].ip;
	return n * sizeof(*key);
}

/* The index of the wait's row, which is added if it is new. PROF_ROWS: too many rows; NAMES_NONE: no memory. */
static uint32_t find_row(struct contended *c, const struct beginning *b)
{
	uint64_t key[LOCK_STACK_MAX] = { whose(c, b), b->owner_stack };
	size_t n = c->show.by == LOCK_BY_CALLER ? key_of(c, &b->stack, key) : (1u + c->owner_stacks) * sizeof(*key);
	bool full = c->want->map_entries && c->rows.n >= c->want->map_entries;
	uint32_t at = full ? names_find(&c->ids, (const char *)key, n) : prof_row(&c->ids, key, n);

	if (full && at == NAMES_NONE)
		return PROF_ROWS;
	if (at < PROF_ROWS && at == c->rows.n && add_row(c, b))
		return NAMES_NONE;
	return at;
}

/* --- hits --- */

/* Set owner and stack from the record; the owner's thread is renamed if its comm has changed. */
static void find_owner(struct contended *c, struct beginning *b, const struct lockowner_rec *rec)
{
	uint32_t owner = owners_row(&c->owners, rec, b->flags);
	struct resolver *names = c->prof->feed.session.resolver;

	if (owner < OWNERS_READERS && strcmp(resolver_comm_of(names, owner, owner), rec->comm))
		resolver_comm(names, owner, owner, rec->comm, false);
	b->owner = owner;
	b->owner_stack = owner < OWNERS_READERS ? c->owners.found_stack : OWNERS_NO_STACK;
}

/*
 * Does a later record of the same wait tell more than its row? An owner, or readers, if none was known; or the stack of
 * the same owner, which has gone to sleep meanwhile.
 */
static bool tells_more(const struct beginning *b, const struct lock_row *r)
{
	if (r->at >= OWNERS_UNKNOWN)
		return b->owner < r->at;
	return b->owner == r->at && b->owner_stack < OWNERS_RUNS && !r->stack;
}

/*
 * At the second contention_begin of a wait, or at its end: if the owner or its stack was not known, use what was read
 * since. A mutex that was just released has no owner when the wait begins, but has one when the task goes to sleep.
 */
static int settle(struct contended *c, const struct hit *h, const struct contention_event *ev)
{
	const struct lockowner_rec *rec = owners_take(&c->owners, ev, OWNERS_ANY);
	uint32_t was = contention_row(&c->waits, ev), row;
	struct beginning b = { .hit = h, .lock = ev->lock };

	if (!rec || was == CONTENTION_NONE)
		return 0;
	b.flags = c->rows.v[was].flags;
	find_owner(c, &b, rec);
	row = tells_more(&b, &c->rows.v[was]) ? find_row(c, &b) : was;
	if (row < PROF_ROWS)
		contention_move(&c->waits, ev, row);
	return row == NAMES_NONE ? -ENOMEM : 0;
}

static int take_begin(struct contended *c, const struct hit *h, const struct contention_event *ev, uint32_t flags)
{
	struct beginning b = { .hit = h, .lock = ev->lock, .flags = flags };
	uint32_t row;

	if (c->want->owner && contention_row(&c->waits, ev) != CONTENTION_NONE)
		return settle(c, h, ev);
	if (c->want->owner)
		find_owner(c, &b, owners_take(&c->owners, ev, OWNERS_FRESH));
	if (h->sample)
		b.stack.n = sample_frames(&h->perf->layout, h->sample, b.stack.v, (size_t)c->want->max_stack);
	if (!lock_is_chosen(&c->chosen, ev->lock, flags, &b.stack))
		return 0;
	row = find_row(c, &b);
	if (row == NAMES_NONE)
		return -ENOMEM;
	if (row == PROF_ROWS) {
		c->dropped++;
		return 0;
	}
	return contention_begin(&c->waits, ev, row);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct contended *c = p->own;
	const struct view_tap *t = &c->taps[h->tap->index];
	struct contention_event ev = {
		.lock = view_value(t, h, LOCK_ADDR), .time = h->time, .tid = h->tid, .cpu = h->cpu,
	};

	if (t->kind == BEGIN)
		return take_begin(c, h, &ev, (uint32_t)view_value(t, h, LOCK_FLAGS_FIELD));
	if (t->kind != END)
		return 0;
	if (c->want->owner && settle(c, h, &ev))
		return -ENOMEM;
	contention_end(&c->waits, &ev);
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct contended *c = p->own;

	return contention_lose(&c->waits, cpu);
}

/* --- results --- */

static void fill_rows(struct contended *c)
{
	for (size_t i = 0; i < c->rows.n; i++) {
		const struct contention_row *from = &c->waits.rows.v[i];
		struct lock_row *to = &c->rows.v[i];

		to->contended = from->begun;
		to->acquired = from->ended;
		to->total = from->total;
		to->min = from->min;
		to->max = from->max;
		to->avg = contention_avg(from);
	}
}

static void tell(const struct contended *c)
{
	const struct prof *p = c->prof;
	char line[400];

	view_note(p, c->waits.discarded, "waits are left out: events are missing within them");
	view_note(p, c->waits.dropped, "waits are left out: too many at a time");
	view_note(p, c->dropped, "waits are in no row: there are too many");
	view_note(p, c->owners.stacks_left_out, "stacks of owners are left out: there are too many");
	if (c->no_stacks.code && !c->want->view.prof.form.quiet) {
		snprintf(line, sizeof(line), "stacks of owners are left out: %.320s", c->no_stacks.text);
		p->how->note(p->how->arg, line);
	}
	if (c->want->view.verbose)
		view_note(p, c->waits.strays, "ends have no beginning: it was before, or was not chosen");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct contended *c = p->own;
	int r;

	fill_rows(c);
	prof_interval(p, o);
	r = contended_put(c, o);
	if (last)
		tell(c);
	contention_forget(&c->waits);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct contended *c = p->own;

	owners_close(&c->owners);
	contention_deinit(&c->waits);
	lock_chosen_deinit(&c->chosen);
	names_deinit(&c->ids);
	names_deinit(&c->texts);
	names_deinit(&c->stacks);
	vec_free(&c->rows);
}

const struct prof_kind lock_contention = {
	.cmd = {
		.name = "contention", .family = "lock",
		.brief = "Show where threads wait for kernel locks, and how long",
		.synopsis = "[options] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"From lock:contention_begin to contention_end (Linux 5.19). A row is a call site: the first "
			"function of the call chain that is not one of the lock functions; with -t a thread, with -l a "
			"lock, with -o a lock owner. A wait counts for the call chain at its start, also if the one at "
			"its end differs. Waits during which events were lost are left out and reported. Without -i, "
			"-a and a command perf.data is read, as perf does; with them contention is counted live, "
			"without BPF. Only -o uses a BPF program, which reads the owner from the lock when a wait "
			"begins (needs BTF: CONFIG_DEBUG_INFO_BTF). Owners are known for mutexes, rwsems held by a "
			"writer, and all sleeping locks of PREEMPT_RT but rwsems; the others are in the row Unknown. "
			"-ov adds a table of the stacks of owners that slept when the wait began (Linux 6.2)."),
		.examples = PACKED(
			"sonde lock record -a -- make && sonde lock contention\tas with perf\n"
			"sonde lock contention -E 10 -v -- make\tthe ten worst call sites, with call chains; live\n"
			"sonde lock contention -l -k wait_max\tlocks, by longest wait\n"
			"sonde lock contention -Y mutex,rwsem -S ext4\ttwo lock types, in call chains through ext4\n"
			"sonde lock contention -t -i 1000\tthreads that wait, live, every second\n"
			"sonde lock contention -a -o -Y mutex,rwsem\tlock owners, until Ctrl-C\n"
			"sonde lock contention -abov\tand the stacks in which lock owners sleep\n"
			"sonde lock contention -i perf.data -j\tas JSON"),
		.opts = opts, .want_size = sizeof(struct lock_want), .defaults = defaults,
	},
	.own = sizeof(struct contended), .first = first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show, .close = close, .monotonic = true, .kernel_only = true,
};
