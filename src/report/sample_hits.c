/*
 * sample_hits.c - a cache of the functions in which recent samples were: another address in one of them needs no
 * lookup. Two direct-mapped caches, for address spaces and for functions.
 */
#include "report/sample_hits.h"

#include "abi/perf_event.h"
#include "source/session_plain.h"

/* PIECE: the function cache is indexed by address >> PIECE; most functions are not much larger than 256 bytes. */
enum { PIECE = 8, SPACES = 64, PARTS = 1024, WAIT = 64 };

/* Bytes of a function whose tables of counts stay in the CPU's cache. */
enum { NEAR = 1 << 14 };

/* The address spaces of a process, valid until a record changes any. */
struct space {
	uint64_t changes;               /* resolver_changes() + 1; 0: free */
	uint32_t pid;
	struct resolver_spaces in;
};

/* A range of addresses of one function. */
struct part {
	struct resolver_extent x;       /* from == to: free */
	uint32_t generation;            /* of the address space */
	uint32_t func;                  /* HITS_NONE: the function is not counted */
	bool is_near;                   /* it is counted, and small (NEAR): count at once, without prefetching */
};

/* A sample that is counted later, see count_waiting(). */
struct waiting {
	uint64_t addr, weight;
	uint32_t func, event;
};

struct reader {
	struct session *session;
	struct hits *hits;
	const struct sample_hits_want *want;
	struct space space[SPACES];     /* indexed by pid */
	struct part part[PARTS];        /* indexed by a hash of address >> PIECE and generation */
	struct part *last;
	struct waiting wait[WAIT];
	size_t n_wait;
};

static const struct resolver_spaces *spaces_of(struct reader *t, const struct sample *smp)
{
	struct space *s = &t->space[smp->pid % SPACES];
	uint64_t changes = resolver_changes(t->session->resolver) + 1;

	if (s->changes != changes || s->pid != smp->pid || smp->time < s->in.user.since ||
	    smp->time >= s->in.user.until) {
		s->in = resolver_spaces(t->session->resolver, smp->pid, smp->time);
		s->changes = changes;
		s->pid = smp->pid;
	}
	return &s->in;
}

/* Generation of the address space in which the sample's address is looked up; 0: do not cache. */
static uint32_t generation_of(const struct resolver_spaces *in, const struct sample *smp)
{
	bool either = !smp->cpumode;

	if (smp->cpumode == PERF_MISC_KERNEL || (either && smp->ip >> 63))
		return in->kernel.generation;
	return smp->cpumode == PERF_MISC_USER || either ? in->user.generation : 0;
}

static inline bool is_in(const struct part *p, uint32_t generation, uint64_t ip)
{
	return p->generation == generation && ip - p->x.from < p->x.to - p->x.from;
}

/* Look up an address that is not in the cache, count it, and fill the cache entry. */
static int take_new(struct reader *t, const struct resolver_spaces *in, struct part *keep,
		    uint32_t generation, size_t event, const struct sample *smp)
{
	struct resolver *r = t->session->resolver;
	const struct sym_loc *l = resolver_find_in(r, in, smp->cpumode, smp->ip);
	struct part part = { .generation = generation, .func = HITS_NONE };

	if (!l)
		return -ENOMEM;
	if (!t->want->chosen(t->want->arg, l) || !l->sym) {
		hits_pass(t->hits, event, smp->period);
	} else {
		part.func = hits_func_of(t->hits, l);
		part.is_near = l->len <= NEAR;
		if (part.func == HITS_NONE || hits_add_at(t->hits, part.func, l->addr, event, smp->period))
			return -ENOMEM;
	}
	if (generation && resolver_extent(r, in, smp->cpumode, smp->ip, &part.x)) {
		*keep = part;
		t->last = keep;
	}
	return 0;
}

/* Counting in a large function takes several cache misses: prefetch for all waiting samples, step by step. */
static int count_waiting(struct reader *t)
{
	size_t n = t->n_wait;

	t->n_wait = 0;
	for (size_t i = 0; i < n; i++)
		hits_ask_index(t->hits, t->wait[i].func, t->wait[i].addr);
	for (size_t i = 0; i < n; i++)
		hits_ask_sums(t->hits, t->wait[i].func, t->wait[i].addr);
	for (size_t i = 0; i < n; i++)
		if (hits_add_at(t->hits, t->wait[i].func, t->wait[i].addr, t->wait[i].event, t->wait[i].weight))
			return -ENOMEM;
	return 0;
}

static __attribute__((noinline)) int count(struct reader *t, const struct part *p, size_t event, uint64_t ip,
					   uint64_t weight)
{
	if (p->func == HITS_NONE) {
		hits_pass(t->hits, event, weight);
		return 0;
	}
	t->wait[t->n_wait++] = (struct waiting){ ip - p->x.bias, weight, p->func, (uint32_t)event };
	return t->n_wait < WAIT ? 0 : count_waiting(t);
}

/* The cache entry that may have this address. */
static inline struct part *part_of(struct reader *t, uint32_t generation, uint64_t ip)
{
	return is_in(t->last, generation, ip) ? t->last
					      : &t->part[hash_u64(ip >> PIECE ^ (uint64_t)generation << 56) % PARTS];
}

/* Count the following samples of the same kind (session_alike), as far as the cache has their functions. */
static int take_alike(struct reader *t, struct perf_event *ev, const struct sample *smp,
		      const struct resolver_spaces *in, uint32_t generation)
{
	struct hits_run run = { .func = HITS_NONE, .event = session_event_index(t->session, ev) };
	struct session_alike a;
	int r = 0;

	if (!smp->cpumode || t->want->filter->any || !session_alike_begin(t->session, ev, smp, &a))
		return 0;
	a.upto = MIN(a.upto, in->user.until - 1);
	while (!r && session_alike_has(&a)) {
		uint64_t ip = session_word(a.p + a.ip_at);
		uint64_t weight = a.period_at ? session_word(a.p + a.period_at) : ev->layout.period;
		struct part *p = part_of(t, generation, ip);

		if (!is_in(p, generation, ip))
			break;
		t->last = p;
		if (p->is_near) {
			r = hits_run_add(&run, t->hits, p->func, ip - p->x.bias, weight);
		} else {
			hits_run_end(&run, t->hits);
			r = count(t, p, run.event, ip, weight);
		}
		session_alike_take(&a);
	}
	hits_run_end(&run, t->hits);
	session_alike_end(t->session, ev, &a);
	return r;
}

static int take(struct reader *t, struct perf_event *ev, const struct sample *smp)
{
	const struct resolver_spaces *in = spaces_of(t, smp);
	uint32_t generation = generation_of(in, smp);
	size_t event = session_event_index(t->session, ev);
	struct part *p = part_of(t, generation, smp->ip);
	int r;

	if (!generation || !is_in(p, generation, smp->ip))
		return take_new(t, in, p, generation, event, smp);
	t->last = p;
	r = count(t, p, event, smp->ip, smp->period);
	return r ? r : take_alike(t, ev, smp, in, generation);
}

static bool is_taken(const struct reader *t, const struct sample *smp)
{
	const struct filter *f = t->want->filter;

	return filter_sample(f, smp) &&
	       (!f->want->comms.n || filter_listed(f, resolver_comm_of(t->session->resolver, smp->pid, smp->tid)));
}

static int read_all(struct reader *t, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(t->session, &it, e)) == 1)
		if (it.event && is_taken(t, &it.sample) && take(t, it.event, &it.sample))
			return err_nomem(e);
	return !r && count_waiting(t) ? err_nomem(e) : r;
}

int sample_hits_read(struct hits *h, struct session *s, const struct sample_hits_want *w, struct err *e)
{
	struct reader *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return err_nomem(e);
	t->session = s;
	t->hits = h;
	t->want = w;
	t->last = t->part;
	session_unordered(s);
	r = read_all(t, e);
	free(t);
	return r;
}
