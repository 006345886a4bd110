/*
 * A recording taken apart into a tracing file system: what its rings give while they are followed is what is read from
 * it, record for record, and prints the same.
 */
#include "base/fmt.h"
#include "ftrace_tree.h"
#include "live/live.h"
#include "source/session.h"
#include "source/trace_dat.h"
#include "tracefs/text/rtext.h"

static struct tdat dat;
static struct err e;

static void put_bytes(const char *file, const void *bytes, size_t n)
{
	FILE *f;

	tree_put(file, "");
	f = fopen(tree_path(file), "w");
	CHECK(f && fwrite(bytes, 1, n, f) == n && !fclose(f));
}

static struct sv name_of(struct sv format)
{
	struct sv line;

	sv_cut(&format, '\n', &line);
	sv_cut(&line, ' ', &format);
	return line;
}

static void put_ring(struct tdat_reader *r, uint32_t ring, uint32_t cpu)
{
	char file[64];
	const uint8_t *page;
	size_t n;
	FILE *f;

	snprintf(file, sizeof(file), TRACING "per_cpu/cpu%u/trace_pipe_raw", cpu);
	tree_put(file, "");
	f = fopen(tree_path(file), "w");
	while (f && tdat_reader_page(r, ring, &page, &n, &e) > 0)
		CHECK_EQ(fwrite(page, 1, n, f), n);
	CHECK(f && !fclose(f));
}

/* Its top buffer is the top one now. */
static void take_apart(const char *path)
{
	struct mem_out enabled;
	struct tfs top;
	char file[256];
	size_t n;
	const char *bytes = t_read(path, &n);
	struct tdat_reader *reader;

	tree_begin(&top);
	CHECK_EQ(tdat_init(&dat, bytes, n, &e), 0);
	put_bytes(TRACING "events/header_page", dat.blob.header_page.s, dat.blob.header_page.n);
	put_bytes(TRACING "events/header_event", dat.blob.header_event.s, dat.blob.header_event.n);
	put_bytes(TRACING "saved_cmdlines", dat.blob.cmdlines.s, dat.blob.cmdlines.n);
	mem_out_init(&enabled);
	for (size_t i = 0; i < dat.blob.formats.n; i++) {
		const struct tblob_format *f = &dat.blob.formats.v[i];
		struct sv name = name_of(f->text);

		snprintf(file, sizeof(file), TRACING "events/%.*s/%.*s/format", (int)f->system.n, f->system.s,
			 (int)name.n, name.s);
		put_bytes(file, f->text.s, f->text.n);
		if (!sv_eq(f->system, "ftrace"))
			out_printf(&enabled.out, "%.*s:%.*s\n", (int)f->system.n, f->system.s, (int)name.n, name.s);
	}
	tree_put(TRACING "set_event", mem_out_str(&enabled));
	mem_out_deinit(&enabled);
	reader = tdat_reader_new(&dat, -1, &e);
	for (uint32_t i = 0; i < dat.buffers.v[0].cpus.n; i++)
		put_ring(reader, i, dat.buffers.v[0].cpus.v[i].cpu);
	tdat_reader_free(reader);
	snprintf(file, sizeof(file), "0-%u\n", dat.ncpus - 1);
	tree_put("sys/devices/system/cpu/present", file);
}

struct reading {
	struct mem_out text;
	size_t n;
};

/* Any source: all it gives, as text. */
static void read_all(struct reading *r, struct source *s)
{
	static const struct tprint_names nameless;
	struct rtext *print = rtext_new(&s->trace, &nameless, 0);
	struct source_rec rec;
	int what;

	*r = (struct reading){ 0 };
	mem_out_init(&r->text);
	while ((what = source_next(s, &rec, &e)) > 0) {
		if (what != SOURCE_RECORD)
			continue;
		CHECK_EQ(rec.time, rec.trace.ts);
		out_printf(&r->text.out, "%u %llu %u ", rec.trace.cpu, (unsigned long long)rec.time, rec.trace.n);
		rtext_line(print, rtext_event(print, &rec.trace), &rec.trace, NULL, &r->text.out);
		out_char(&r->text.out, '\n');
		r->n++;
	}
	CHECK_EQ(what, SOURCE_END);
	CHECK_EQ(s->stats.records, r->n);
	rtext_free(print);
}

static void read_recording(struct reading *r, const char *path)
{
	struct source *s = NULL;
	struct found f = { .path = path, .fd = -1 };

	f.bytes.p = (const uint8_t *)t_read(path, &f.bytes.n);
	CHECK_EQ(trace_dat_open(&s, &f, &e), 0);
	/* Times as they are in the ring. */
	trace_dat_of(s)->file.ts_offset = 0;
	trace_dat_of(s)->file.tsc_mult = 0;
	read_all(r, s);
	source_close(s);
}

static const struct plan plan = { .top = true, .add = true };
static struct live l;

static void begin(enum live_rest rest, uint64_t limit)
{
	static struct live_want w;

	w = (struct live_want){
		.run = { .sys = &tree_sys, .plans = &plan, .n_plans = 1, .limit_ns = limit }, .rest = rest,
	};
	CHECK_EQ(live_begin(&l, &w, &e), 0);
	CHECK_STR(e.text, "");
}

static void same_as_recording(const char *path, size_t least)
{
	struct reading live, recorded;
	struct live_result res;

	take_apart(path);
	read_recording(&recorded, path);
	begin(LIVE_REST_ALL, 1);
	CHECK_EQ(live_go(&l, &e), 0);
	read_all(&live, &l.source);
	CHECK(live.n >= least);
	CHECK_EQ(live.n, recorded.n);
	CHECK(!strcmp(mem_out_str(&live.text), mem_out_str(&recorded.text)));
	CHECK_EQ(live_end(&l, &res, &e), 0);
	CHECK_EQ(res.stats.events, live.n);
	CHECK_EQ(res.state, LOOP_TIME_UP);
}

TEST(live_events_are_those_of_the_recording)
{
	same_as_recording("data/dat/events.dat", 800);
}

TEST(live_functions_are_those_of_the_recording)
{
	same_as_recording("data/dat/functions.dat", 100);
}

/* Whoever ends it gets what is there. */
TEST(live_that_is_ended_gives_the_rest)
{
	struct reading live, recorded;

	take_apart("data/dat/events.dat");
	read_recording(&recorded, "data/dat/events.dat");
	begin(LIVE_REST_ALL, 0);
	CHECK_EQ(live_go(&l, &e), 0);
	l.source.kind->end(&l.source);
	read_all(&live, &l.source);
	CHECK_EQ(live.n, recorded.n);
	CHECK_STR(tree_get(TRACING "tracing_on"), "0");
	source_close(&l.source);
}

/* Who has seen enough gets no more, and everything is put back. */
TEST(live_ends_when_it_is_enough)
{
	struct live_result res;
	struct source_rec rec;
	int what;

	take_apart("data/dat/events.dat");
	begin(LIVE_REST_ALL, 1);
	CHECK_EQ(live_go(&l, &e), 0);
	CHECK_STR(tree_get(TRACING "tracing_on"), "1");
	while ((what = source_next(&l.source, &rec, &e)) != SOURCE_RECORD)
		CHECK_EQ(what, SOURCE_NOTHING);
	live_enough(&l);
	CHECK_EQ(source_next(&l.source, &rec, &e), SOURCE_END);
	CHECK_EQ(source_next(&l.source, &rec, &e), SOURCE_END);
	CHECK_STR(tree_get(TRACING "tracing_on"), "0");
	CHECK_EQ(live_end(&l, &res, &e), 0);
	CHECK_EQ(res.stats.events, 1);
}

/* --- a session over it ------------------------------------------------------------------------------------------ */

static bool go_on(void *arg UNUSED)
{
	return true;
}

/* All that a session tells of its samples. */
static void follow_all(struct reading *r, struct source *s)
{
	struct session_want w = { .path = NULL };
	struct session session;
	struct session_item it;
	struct out *o = &r->text.out;
	uint64_t ip;
	int what;

	*r = (struct reading){ 0 };
	mem_out_init(&r->text);
	CHECK_EQ(session_over(&session, &tree_sys, s, &w, &e), 0);
	for (; (what = session_next(&session, &it, &e)) == 1; r->n++) {
		const struct sample *smp = &it.sample;

		out_printf(o, "%s %s %u/%u [%u] %llu %llx %llu", it.event->label,
			   resolver_comm_of(session.resolver, smp->pid, smp->tid), smp->pid, smp->tid, smp->cpu,
			   (unsigned long long)smp->time, (unsigned long long)smp->ip, (unsigned long long)smp->period);
		for (size_t i = 0; i < smp->n_chain; i++) {
			memcpy(&ip, smp->chain.p + i * sizeof(ip), sizeof(ip));
			out_printf(o, " %llx", (unsigned long long)ip);
		}
		out_char(o, '\n');
	}
	CHECK_EQ(what, 0);
	out_printf(o, "timed %u, unknown %llu, lost %llu in %llu\n", session.timed,
		   (unsigned long long)session.stats.unknown_event, (unsigned long long)s->stats.lost,
		   (unsigned long long)s->stats.gaps);
	session_close(&session);
}

static void follows_as_the_recording(const char *path, const char *stacks, size_t least)
{
	struct reading live, recorded;
	struct live_result res;
	struct source *s = NULL;
	struct found f = { .path = path, .fd = -1 };

	take_apart(path);
	tree_put(TRACING "options/stacktrace", stacks);
	f.bytes.p = (const uint8_t *)t_read(path, &f.bytes.n);
	CHECK_EQ(trace_dat_open(&s, &f, &e), 0);
	trace_dat_of(s)->file.ts_offset = 0;
	trace_dat_of(s)->file.tsc_mult = 0;
	follow_all(&recorded, s);
	source_close(s);
	begin(LIVE_REST_ALL, 1);
	CHECK_EQ(live_go(&l, &e), 0);
	l.source.wait = go_on;
	follow_all(&live, &l.source);
	CHECK(live.n >= least);
	CHECK_EQ(live.n, recorded.n);
	CHECK(!strcmp(mem_out_str(&live.text), mem_out_str(&recorded.text)));
	CHECK_EQ(live_end(&l, &res, &e), 0);
}

TEST(live_session_is_that_of_the_recording)
{
	follows_as_the_recording("data/dat/events.dat", "0", 800);
	follows_as_the_recording("data/dat/functions.dat", "0", 100);
}

TEST(live_session_has_stacks_as_the_recording)
{
	follows_as_the_recording("data/dat/profile.dat", "1", 400);
}
