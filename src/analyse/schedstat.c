#include "analyse/schedstat.h"

static const struct schedstat_field cpu_fields[SCHEDSTAT_CPU] = {
	{ "yields", "sched_yield() called", -1, false },
	{ "legacy", "expired arrays (always 0)", -1, false },
	{ "schedules", "schedule() called", -1, false },
	{ "to_idle", "schedule() left the CPU idle", 2, false },
	{ "wakeups", "try_to_wake_up() called", -1, false },
	{ "wakeups_local", "try_to_wake_up() woke on the CPU that called it", 4, false },
	{ "run_ns", "tasks ran, ns", -1, true },
	{ "wait_ns", "tasks waited to run, ns", 6, true },
	{ "slices", "time slices", -1, false },
};

#define WAY(key, text, base) \
	{ key "_count", text "balancing called", -1, false }, \
	{ key "_balanced", text "found balanced", (base), false }, \
	{ key "_failed", text "moved no task", (base), false }, \
	{ key "_imbalance_load", text "imbalance of load", -1, false }, \
	{ key "_imbalance_util", text "imbalance of utilisation", -1, false }, \
	{ key "_imbalance_task", text "imbalance of tasks", -1, false }, \
	{ key "_imbalance_misfit", text "imbalance of misfits", -1, false }, \
	{ key "_gained", text "tasks pulled", -1, false }, \
	{ key "_hot_gained", text "tasks pulled that were cache-hot", (base) + 7, false }, \
	{ key "_no_queue", text "found no busier queue", (base), false }, \
	{ key "_no_group", text "found no busier group", (base), false }

static const struct schedstat_field domain_fields[SCHEDSTAT_DOMAIN] = {
	WAY("busy", "busy: ", 0),
	WAY("idle", "idle: ", SCHEDSTAT_WAY),
	WAY("newidle", "newly idle: ", 2 * SCHEDSTAT_WAY),
	{ "active_count", "active balancing called", -1, false },
	{ "active_failed", "active balancing moved no task", 33, false },
	{ "active_pushed", "active balancing moved a task", 33, false },
	{ "exec_count", "balancing at exec (not used)", -1, false },
	{ "exec_balanced", "balanced at exec (not used)", -1, false },
	{ "exec_pushed", "moved at exec (not used)", -1, false },
	{ "fork_count", "balancing at fork (not used)", -1, false },
	{ "fork_balanced", "balanced at fork (not used)", -1, false },
	{ "fork_pushed", "moved at fork (not used)", -1, false },
	{ "woken_remote", "woken tasks that ran last on another CPU", -1, false },
	{ "woken_affine", "woken tasks that moved for their cache was cold", -1, false },
	{ "woken_balance", "wake-ups that began passive balancing", -1, false },
};

const struct schedstat_field *schedstat_fields(bool of_domain, unsigned *n)
{
	*n = of_domain ? SCHEDSTAT_DOMAIN : SCHEDSTAT_CPU;
	return of_domain ? domain_fields : cpu_fields;
}

/* --- a text --- */

static bool cut_word(struct sv *line, struct sv *word)
{
	do {
		if (!sv_cut(line, ' ', word))
			return false;
	} while (!word->n);
	return true;
}

/* "cpu12": the number behind the name. */
static bool number_behind(struct sv word, const char *name, uint64_t *v)
{
	size_t n = strlen(name);

	return sv_starts(word, name) && str_u64((struct sv){ word.s + n, word.n - n }, 10, v) && *v < UINT32_MAX;
}

/* All that is left of a line: exactly n numbers. */
static int numbers(struct sv line, uint64_t *v, unsigned n, struct err *e)
{
	struct sv word;
	unsigned i = 0;

	while (cut_word(&line, &word)) {
		if (i == n)
			return err_set(e, EBADMSG, "a line has more than %u numbers", n);
		if (!str_u64(word, 10, &v[i++]))
			return err_set(e, EBADMSG, "'%.*s' is no number", (int)MIN(word.n, (size_t)24), word.s);
	}
	return i == n ? 0 : err_set(e, EBADMSG, "a line ends behind %u of %u numbers", i, n);
}

/* Convert the numbers of a domain from the order of an older version to that of 17. */
static void place(const uint64_t *from, uint64_t version, uint64_t *to)
{
	static const uint8_t old[SCHEDSTAT_WAYS] = { 1, 0, 2 };
	enum { OLD_WAY = 8, IMBALANCE = 3 };

	for (unsigned way = 0; way < SCHEDSTAT_WAYS; way++) {
		unsigned at = (version == SCHEDSTAT_OLDEST ? old[way] : way) * SCHEDSTAT_WAY;

		for (unsigned i = 0; i < OLD_WAY; i++)
			to[at + i + (i > IMBALANCE ? SCHEDSTAT_WAY - OLD_WAY : 0)] = from[way * OLD_WAY + i];
	}
	for (unsigned i = 0; i < SCHEDSTAT_REST; i++)
		to[SCHEDSTAT_WAYS * SCHEDSTAT_WAY + i] = from[SCHEDSTAT_WAYS * OLD_WAY + i];
}

static int read_domain(struct schedstat *s, struct schedstat_row *r, struct sv line, struct err *e)
{
	enum { OLD = 8 * SCHEDSTAT_WAYS + SCHEDSTAT_REST };
	uint64_t v[SCHEDSTAT_DOMAIN];
	struct sv word = { 0 };
	bool named = s->version >= SCHEDSTAT_NEWEST;
	int err;

	if (named && cut_word(&line, &word))
		str_copy(r->name, sizeof(r->name), word);
	/* Skip the domain's CPU mask. */
	if (!cut_word(&line, &word))
		return err_set(e, EBADMSG, "a domain without CPUs");
	if (named)
		return numbers(line, r->n, SCHEDSTAT_DOMAIN, e);
	err = numbers(line, v, OLD, e);
	if (!err)
		place(v, s->version, r->n);
	return err;
}

static int read_row(struct schedstat *s, struct sv word, struct sv line, struct err *e)
{
	struct schedstat_row *r;
	uint64_t number;
	bool is_cpu = number_behind(word, "cpu", &number);

	if (!is_cpu && !number_behind(word, "domain", &number))
		return err_set(e, EBADMSG, "'%.*s' is neither a CPU nor a domain", (int)MIN(word.n, (size_t)24),
			       word.s);
	if (!is_cpu && !s->rows.n)
		return err_set(e, EBADMSG, "a domain of no CPU");
	if (s->rows.n >= SCHEDSTAT_ROWS)
		return err_set(e, EBADMSG, "more than %d CPUs and domains", SCHEDSTAT_ROWS);
	r = vec_add(&s->rows);
	if (!r)
		return err_nomem(e);
	r->cpu = is_cpu ? (uint32_t)number : r[-1].cpu;
	r->domain = is_cpu ? UINT32_MAX : (uint32_t)number;
	return is_cpu ? numbers(line, r->n, SCHEDSTAT_CPU, e) : read_domain(s, r, line, e);
}

static int read_version(struct schedstat *s, struct sv line, struct err *e)
{
	struct sv word;

	if (!cut_word(&line, &word) || !sv_eq(word, "version") || !cut_word(&line, &word) ||
	    !str_u64(word, 10, &s->version))
		return err_set(e, EBADMSG, "this is no copy of /proc/schedstat: it begins with its version");
	if (s->version >= SCHEDSTAT_OLDEST && s->version <= SCHEDSTAT_NEWEST)
		return 0;
	return err_set(e, EOPNOTSUPP, "version %llu of /proc/schedstat is not known: its numbers may mean other things "
		       "than those of %d to %d", (unsigned long long)s->version, SCHEDSTAT_OLDEST, SCHEDSTAT_NEWEST);
}

static bool next_line(struct sv *text, struct sv *line)
{
	do {
		if (!sv_cut(text, '\n', line))
			return false;
	} while (!line->n);
	return true;
}

int schedstat_next(struct schedstat *s, struct sv *text, struct err *e)
{
	struct sv line, word, rest;
	int r;

	if (!next_line(text, &line))
		return 0;
	s->rows.n = 0;
	s->jiffies = 0;
	r = read_version(s, line, e);
	for (rest = *text; !r && next_line(&rest, &line); *text = rest) {
		if (sv_starts(line, "version "))
			break;
		if (!cut_word(&line, &word))
			continue;
		r = sv_eq(word, "timestamp") ? numbers(line, &s->jiffies, 1, e) : read_row(s, word, line, e);
	}
	if (!r && !s->rows.n)
		r = err_set(e, EBADMSG, "a copy of /proc/schedstat without CPUs");
	return r ? r : 1;
}

/* --- two of them --- */

/* to - from. Most counters are 32 bits wide in the kernel, and wrap. */
static uint64_t more(uint64_t to, uint64_t from, bool wide)
{
	return wide || (from | to) > UINT32_MAX ? to - from : (to - from) & UINT32_MAX;
}

int schedstat_since(struct schedstat *to, const struct schedstat *from, struct err *e)
{
	bool same = to->version == from->version && to->rows.n == from->rows.n;

	for (size_t i = 0; same && i < to->rows.n; i++) {
		struct schedstat_row *a = &to->rows.v[i];
		const struct schedstat_row *b = &from->rows.v[i];
		unsigned n;
		const struct schedstat_field *f = schedstat_fields(a->domain != UINT32_MAX, &n);

		same = a->cpu == b->cpu && a->domain == b->domain;
		for (unsigned k = 0; same && k < n; k++)
			a->n[k] = more(a->n[k], b->n[k], f[k].is_time);
	}
	if (!same)
		return err_set(e, EINVAL, "two copies do not have the same CPUs and domains: one came or went between");
	to->jiffies -= from->jiffies;
	return 0;
}

void schedstat_deinit(struct schedstat *s)
{
	vec_free(&s->rows);
}
