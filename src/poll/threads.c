/* threads.c - find polling threads in /proc. */
#include "poll/threads.h"

#include "base/fmt.h"

/*
 * Open vSwitch: "pmd-c05/id:9", before 2.14 "pmd9"; DPDK: "rte-worker-5" (20.11), "lcore-slave-5" before,
 * "dpdk-worker5" since 23.03; VPP's workers.
 */
static bool is_name(const char *comm)
{
	static const char *const fronts[] = {
		"pmd-c", "pmd", "rte-worker-", "lcore-worker-", "lcore-slave-", "dpdk-worker", "vpp_wk_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fronts); i++) {
		size_t n = strlen(fronts[i]);

		if (!strncmp(comm, fronts[i], n) && comm[n] >= '0' && comm[n] <= '9')
			return true;
	}
	return false;
}

static bool is_listed(const char *list, uint32_t id)
{
	struct sv rest = sv_from(list), one;
	uint64_t v;

	while (sv_cut(&rest, ',', &one))
		if (str_u64(sv_trim(one), 10, &v) && v == id)
			return true;
	return false;
}

bool poll_is_chosen(const struct poll_choice *c, uint32_t pid, uint32_t tid, const char *comm)
{
	if (c->tids)
		return is_listed(c->tids, tid);
	return (!c->pids || is_listed(c->pids, pid)) && is_name(comm);
}

struct search {
	const struct sys *sys;
	struct poll_threads *to;
	const struct target_want *want;
	struct cpus cpus;
	size_t seen;
	int pid;
};

/* Fields are counted from the last ')' on: the name (field 2) may contain blanks and parentheses. */
bool poll_thread_stat(const struct sys *sys, int pid, int tid, enum poll_stat field, uint64_t *v)
{
	enum { OF_NAME = 2 };
	char text[1024];
	const char *p;
	struct sv rest, word = { 0 };

	if (sys_read_line(sys, text, sizeof(text), "/proc/%d/task/%d/stat", pid, tid) < 0)
		return false;
	p = strrchr(text, ')');
	rest = sv_from(p && p[1] ? p + 2 : "");
	for (unsigned i = OF_NAME; i < (unsigned)field; i++)
		if (!sv_cut(&rest, ' ', &word))
			return false;
	return str_u64(word, 10, v);
}

bool poll_thread_sched(const struct sys *sys, uint32_t tid, enum poll_sched which, uint64_t *v)
{
	char text[100];
	struct sv rest = { text, 0 }, word = { 0 };

	if (sys_read_line(sys, text, sizeof(text), "/proc/%u/schedstat", tid) < 0)
		return false;
	rest.n = strlen(text);
	for (unsigned i = 0; i <= (unsigned)which; i++)
		if (!sv_cut(&rest, ' ', &word))
			return false;
	return str_u64(word, 10, v);
}

static int processor_of(const struct sys *sys, int pid, int tid)
{
	uint64_t cpu;

	return poll_thread_stat(sys, pid, tid, POLL_STAT_CPU, &cpu) && cpu < CPUS_MAX ? (int)cpu : -1;
}

static int pinned_of(const struct sys *sys, int pid, int tid)
{
	static const char key[] = "Cpus_allowed_list:";
	struct cpus cpus = { 0 };
	struct err e = { 0 };
	char path[64], text[4096];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	if (sys_read_text(sys, path, text, sizeof(text)) < 0)
		return -1;
	at = strstr(text, key);
	if (!at)
		return -1;
	at += sizeof(key) - 1;
	if (cpus_parse(&cpus, sv_trim((struct sv){ at, strcspn(at, "\n") }), &e) || cpus_count(&cpus) != 1)
		return -1;
	return cpus_next(&cpus, 0);
}

static int visit_thread(void *arg, const char *name)
{
	struct search *s = arg;
	struct poll_thread t = { .pid = s->pid };
	struct poll_thread *to;
	uint64_t tid;

	if (!str_u64(sv_from(name), 10, &tid) || tid > INT_MAX)
		return 0;
	t.tid = (int)tid;
	/* The thread may just have ended. */
	if (sys_read_line(s->sys, t.name, sizeof(t.name), "/proc/%d/task/%d/comm", s->pid, t.tid) < 0)
		return 0;
	s->seen++;
	if (s->want->tids ? !is_listed(s->want->tids, (uint32_t)t.tid) : !is_name(t.name))
		return 0;
	t.cpu = processor_of(s->sys, s->pid, t.tid);
	t.pinned = pinned_of(s->sys, s->pid, t.tid);
	if (s->want->cpus && (t.cpu < 0 || !cpus_has(&s->cpus, (unsigned)t.cpu)))
		return 0;
	to = vec_add(&s->to->v);
	if (!to)
		return -ENOMEM;
	*to = t;
	return 0;
}

static int visit_process(void *arg, const char *name)
{
	struct search *s = arg;
	char path[64];
	uint64_t pid;
	int r;

	if (!str_u64(sv_from(name), 10, &pid) || pid > INT_MAX)
		return 0;
	if (s->want->pids && !is_listed(s->want->pids, (uint32_t)pid))
		return 0;
	s->pid = (int)pid;
	snprintf(path, sizeof(path), "/proc/%d/task", s->pid);
	r = s->sys->each_entry(s->sys, path, visit_thread, s);
	return r == -ENOMEM ? r : 0;
}

static int none_found(const struct search *s, struct err *e)
{
	const struct target_want *w = s->want;

	if (w->tids || (w->pids && !s->seen))
		return err_set(e, ESRCH, "there is no %s %s", w->tids ? "thread" : "process",
			       w->tids ? w->tids : w->pids);
	err_set(e, ESRCH, "no thread that polls was found%s%s%s%s: none is called pmd-cN, rte-worker-N, "
			  "lcore-worker-N, dpdk-workerN", w->pids ? " in process " : "", w->pids ? w->pids : "",
		w->cpus ? " on CPU " : "", w->cpus ? w->cpus : "");
	return err_hint(e, "-t names threads that are called otherwise: ps -Lp PID has them");
}

static int by_number(const void *a, const void *b)
{
	const struct poll_thread *x = a, *y = b;

	return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid) : (x->tid > y->tid) - (x->tid < y->tid);
}

int poll_threads_find(struct poll_threads *l, const struct sys *sys, const struct target_want *w, struct err *e)
{
	struct search s = { .sys = sys, .to = l, .want = w };
	int r = w->cpus ? cpus_parse(&s.cpus, sv_from(w->cpus), e) : 0;

	if (r)
		return r;
	r = sys->each_entry(sys, "/proc", visit_process, &s);
	if (r)
		return r == -ENOMEM ? err_nomem(e) : err_set(e, -r, "cannot read /proc: %s", err_name(-r));
	if (!l->v.n)
		return none_found(&s, e);
	qsort(l->v.v, l->v.n, sizeof(*l->v.v), by_number);
	return 0;
}

void poll_threads_deinit(struct poll_threads *l)
{
	vec_free(&l->v);
}

char *poll_threads_list(const struct poll_threads *l)
{
	struct mem_out m;
	char *text;

	mem_out_init(&m);
	for (size_t i = 0; i < l->v.n; i++)
		out_printf(&m.out, "%s%d", i ? "," : "", l->v.v[i].tid);
	text = strdup(mem_out_str(&m));
	mem_out_deinit(&m);
	return text;
}
