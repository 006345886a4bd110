/* source/session_plain: which samples of a stretch are like the one before them. */
#include "source/session_plain.h"
#include "t.h"

enum { WORDS = 6, ID = 7, EVENT = 1, N = 4 };

enum { WORD_HEAD, WORD_ID, WORD_IP, WORD_THREAD, WORD_TIME, WORD_PERIOD };

#define TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

static const struct sample before = { .pid = 5, .tid = 6, .cpumode = PERF_MISC_USER };

struct made {
	uint64_t v[N][WORDS];
	struct perf_event event[2];
	struct perf_head head;
	struct session s;
};

static uint64_t halves(uint32_t first, uint32_t second)
{
	uint64_t v;

	memcpy(&v, (uint32_t[]){ first, second }, sizeof(v));
	return v;
}

static uint64_t head_of(uint16_t misc, uint16_t size)
{
	const struct perf_rec h = { .type = PERF_REC_SAMPLE, .misc = misc, .size = size };

	return session_word((const uint8_t *)&h);
}

/* All of them are alike. */
static void make(struct made *m)
{
	*m = (struct made){ 0 };
	for (size_t i = 0; i < N; i++) {
		m->v[i][WORD_HEAD] = head_of(PERF_MISC_USER, sizeof(m->v[i]));
		m->v[i][WORD_ID] = ID;
		m->v[i][WORD_IP] = 0x1000 + i;
		m->v[i][WORD_THREAD] = halves(before.pid, before.tid);
		m->v[i][WORD_TIME] = 10 + i;
		m->v[i][WORD_PERIOD] = 100 + i;
	}
	m->event[EVENT].layout = (struct sample_layout){ .sample_type = TYPE, .head = (WORDS - 1) * 8 };
	m->head.events.v = m->event;
	m->head.events.n = ARRAY_SIZE(m->event);
	m->head.near[ID % PERF_NEAR].id = ID;
	m->head.near[ID % PERF_NEAR].event = EVENT + 1;
	m->s.head = &m->head;
	m->s.run = (struct session_run){
		.b = { (const uint8_t *)guard_dup(m->v, sizeof(m->v)), sizeof(m->v) }, .upto = 10 + N,
		.time_at = WORD_TIME * 8, .id_at = WORD_ID * 8, .least = WORD_PERIOD * 8,
	};
}

static void change(struct made *m, size_t i, size_t word, uint64_t v)
{
	m->v[i][word] = v;
	m->s.run.b.p = guard_dup(m->v, sizeof(m->v));
}

/* Those that were taken, and the session counts as many. */
static uint64_t taken(struct made *m, const struct sample *like)
{
	struct session_alike a;
	struct perf_event *ev = &m->event[EVENT];
	size_t had = m->s.run.b.n;

	if (!session_alike_begin(&m->s, ev, like, &a))
		return 0;
	while (session_alike_has(&a)) {
		CHECK_EQ(session_word(a.p + a.ip_at), m->v[a.n][WORD_IP]);
		CHECK_EQ(session_word(a.p + a.period_at), m->v[a.n][WORD_PERIOD]);
		session_alike_take(&a);
	}
	session_alike_end(&m->s, ev, &a);
	CHECK_EQ(m->s.stats.samples, a.n);
	CHECK_EQ(ev->n_samples, a.n);
	CHECK_EQ(had - m->s.run.b.n, a.n * sizeof(m->v[0]));
	return a.n;
}

TEST(alike_are_samples_of_one_thread_as_far_as_the_stretch)
{
	struct made m;

	make(&m);
	CHECK_EQ(taken(&m, &before), N);
	CHECK_EQ(m.s.run.b.n, 0);
	make(&m);
	m.s.run.b.n -= 8;
	CHECK_EQ(taken(&m, &before), N - 1);
	make(&m);
	m.s.run.upto = 11;
	CHECK_EQ(taken(&m, &before), 2);
}

TEST(alike_are_samples_that_differ_in_place_moment_and_weight_alone)
{
	static const struct {
		size_t word;
		bool alike;
	} words[] = {
		{ WORD_HEAD, false }, { WORD_ID, false }, { WORD_IP, true }, { WORD_THREAD, false },
		{ WORD_TIME, true }, { WORD_PERIOD, true },
	};
	struct made m;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		make(&m);
		change(&m, 2, words[i].word, words[i].word == WORD_HEAD ? head_of(PERF_MISC_KERNEL, WORDS * 8) : 3);
		CHECK_EQ(taken(&m, &before), words[i].alike ? N : 2);
	}
	make(&m);
	change(&m, 3, WORD_THREAD, halves(before.pid, before.tid + 1));
	CHECK_EQ(taken(&m, &before), 3);
	make(&m);
	change(&m, 1, WORD_HEAD, head_of(PERF_MISC_USER, WORDS * 8 + 8));
	CHECK_EQ(taken(&m, &before), 1);
}

TEST(alike_is_nothing_to_a_sample_of_another_kind)
{
	struct sample other = before;
	struct made m;

	make(&m);
	other.tid++;
	CHECK_EQ(taken(&m, &other), 0);
	make(&m);
	other = before;
	other.cpumode = PERF_MISC_KERNEL;
	CHECK_EQ(taken(&m, &other), 0);
	make(&m);
	m.event[EVENT].layout.sample_type |= PERF_SAMPLE_RAW;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.event[EVENT].layout.sample_type &= ~(uint64_t)PERF_SAMPLE_TID;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.event[EVENT].layout.swap = true;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.event[EVENT].layout.head += 8;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.event[EVENT].layout.head = 0;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.s.group.leader = &m.event[0];
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.head.near[ID % PERF_NEAR].event = 1;
	CHECK_EQ(taken(&m, &before), 0);
	make(&m);
	m.s.run.least = SIZE_MAX;
	CHECK_EQ(taken(&m, &before), 0);
}
