/*
 * ktext: what no kernel of the test bed records (t_text.sh has the rest against the kernel itself): trace_printk in
 * binary, return values, retaddr, wakeup tracers, lost records, newer and older kernels, and bytes that lie.
 */
#include "tracefs/text/ktext.h"

#include "t.h"
#include "tests/unit/ktext_formats.h"

static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	static const char *const name[] = { "alpha", "beta", "gamma" };

	(void)arg;
	if (addr < 0x1000 || addr >= 0x4000)
		return false;
	*s = (struct tprint_symbol){
		.name = name[addr / 0x1000 - 1],
		.offset = addr % 0x1000,
		.size = 0x1000,
		.module = addr >= 0x3000 ? "mod" : NULL,
	};
	return true;
}

/* A record, little-endian, against an unmapped page. */
struct raw {
	uint8_t b[256];
	size_t n;
};

static void put(struct raw *r, size_t at, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		r->b[at + i] = (uint8_t)(v >> 8 * i);
	r->n = MAX(r->n, at + size);
}

static struct raw start(unsigned id, unsigned flags, unsigned preempt, int pid)
{
	struct raw r = { 0 };

	put(&r, 0, id, 2);
	put(&r, 2, flags, 1);
	put(&r, 3, preempt, 1);
	put(&r, 4, (uint32_t)pid, 4);
	return r;
}

static struct tstream_rec rec_of(const struct raw *r)
{
	size_t n = ALIGN_UP(r->n, 4u);

	return (struct tstream_rec){ .ts = 12345678, .cpu = 1, .n = (uint32_t)n, .raw = guard_dup(r->b, n) };
}

/* Records that follow on the same ring. */
static const struct raw *next_raw;
static unsigned skipped;

static bool peek(void *arg, struct tstream_rec *next)
{
	(void)arg;
	if (next_raw)
		*next = rec_of(next_raw);
	return next_raw;
}

static void skip(void *arg)
{
	(void)arg;
	skipped++;
}

static const struct tprint_names names = { .symbol = symbol };

static struct ktext_want want_of(struct tevents *t, const char *release)
{
	tevents_init(t, (struct tmachine){ .long_size = 8 });
	for (size_t i = 0; i < ARRAY_SIZE(ktext_formats); i++)
		CHECK_EQ(tevents_add(t, SV("ftrace"), sv_from(ktext_formats[i]), NULL), 0);
	CHECK_EQ(tevents_add_comms(t, SV("7 seven\n")), 0);
	CHECK_EQ(tevents_add_printk(
			 t, SV("0x500 : \"n=%d u=%llu s=%s c=%c p=%pS i=%pI4 w=%*d 100%%\\n\"\n0x600 : \"puts\\n\"\n")),
		 0);
	return (struct ktext_want){
		.events = t,
		.names = &names,
		.options = KTEXT_DEFAULT,
		.release = release,
		.cpus = 12,
		.peek = peek,
		.skip = skip,
	};
}

/* Text of a record under `want`. */
static const char *text_of(struct ktext *k, const struct tstream_rec *rec)
{
	static struct mem_out m;

	mem_out_deinit(&m);
	mem_out_init(&m);
	ktext_record(k, rec, &m.out);
	return mem_out_str(&m);
}

static const char *text(const struct ktext_want *w, const struct raw *r)
{
	struct tstream_rec rec = rec_of(r);
	struct ktext *k = ktext_new(w);
	const char *s = text_of(k, &rec);

	ktext_free(k);
	return s;
}

TEST(ktext_trace_printk_unpacks_its_arguments)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, "6.12.0");
	struct raw r = start(6, 0, 0, 7);

	put(&r, 8, 0x1004, 8);
	put(&r, 16, 0x500, 8);
	put(&r, 24, (uint32_t)-5, 4);
	put(&r, 28, UINT64_C(0x1122334455667788), 8);
	memcpy(r.b + 36, "text", 5);
	put(&r, 41, 'x', 1);
	put(&r, 44, 0x2010, 8);                     /* at a multiple of 4 */
	memcpy(r.b + 52, "10.0.0.1", 9);            /* made into text by the kernel */
	put(&r, 64, 5, 4);
	put(&r, 68, 42, 4);
	CHECK_STR(text(&w, &r),
		  "           seven-7       [001] .....     0.012346: alpha: n=-5 u=1234605616436508552 s=text c=x "
		  "p=beta+0x10/0x1000 i=10.0.0.1 w=   42 100%\n");
	w.options |= KTEXT(MSG_ONLY);
	r.n = 36;      /* the rest is missing */
	CHECK_STR(text(&w, &r), "n=-5 u=1234605616436508552 s= c=");
	put(&r, 16, 0x501, 8);
	CHECK_STR(text(&w, &r), "UNKNOWN FORMAT 0x501\n");

	struct raw puts = start(14, 0, 0, 0);

	put(&puts, 8, 0, 8);
	put(&puts, 16, 0x600, 8);
	w.options = KTEXT_DEFAULT;
	CHECK_STR(text(&w, &puts), "          <idle>-0       [001] .....     0.012346: 0: puts\n");
}

TEST(ktext_flags_follow_the_kernel)
{
	static const struct {
		const char *release;
		unsigned flags, preempt;
		const char *want;
	} cases[] = {
		{ "5.10.0-32-arm64", 0x01, 0x12, "d..12" },
		{ "5.10.0", 0x06, 0, "Xn.." },
		{ "5.15.3", 0x80, 0x31, "...13" },
		{ "6.1.0", 0x80, 0x31, "b..13" },
		{ "6.1.0", 0x81, 0, "D...." },
		{ "6.12.1", 0x2c, 0, ".Nh.." },
		{ "6.12.1", 0x02, 0, "X...." },
		{ "6.18.0", 0x02, 0, ".l..." },
		{ "6.18.0", 0x26, 0, ".B..." },
		{ "6.18.0", 0x22, 0, ".L..." },
		{ "6.18.0", 0x06, 0, ".b..." },
		{ "6.18.0", 0x48, 0, "..Z.." },
		{ "6.18.0", 0x18, 0, "..H.." },
		{ "", 0x42, 0, ".lz.." },
		{ "what", 0x10, 0, "..s.." },
	};
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	char expect[128];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct raw r = start(1, cases[i].flags, cases[i].preempt, 9);

		put(&r, 8, 0x1000, 8);
		put(&r, 16, 0x3000, 8);
		w.release = cases[i].release;
		snprintf(expect, sizeof(expect), "           <...>-9       [001] %s     0.012346: alpha <-gamma\n",
			 cases[i].want);
		CHECK_STR(text(&w, &r), expect);
	}
}

TEST(ktext_tells_what_was_lost_and_what_it_does_not_know)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	struct ktext *k = ktext_new(&w);
	struct raw r = start(99, 0, 0, 1);
	struct tstream_rec rec = rec_of(&r);

	rec.lost = 9;
	CHECK_STR(text_of(k, &rec), "CPU:1 [LOST 9 EVENTS]\nUnknown type 99\n");
	rec.lost = TPAGE_LOST_UNKNOWN;
	rec.n = 0;
	CHECK_STR(text_of(k, &rec), "CPU:1 [LOST EVENTS]\nUnknown type 0\n");
	ktext_free(k);
	ktext_free(NULL);
}

TEST(ktext_switches_of_the_wakeup_tracers)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	struct raw r = start(2, 0, 0, 7);

	put(&r, 8, 1234, 4);
	put(&r, 12, 7, 4);
	put(&r, 16, 3, 4);
	put(&r, 20, 120, 1);
	put(&r, 21, 1, 1);
	put(&r, 22, 98, 1);
	put(&r, 23, 0, 1);
	w.options &= ~KTEXT(CONTEXT);
	CHECK_STR(text(&w, &r), "    1234:120:S ==> [003]       7: 98:R seven\n");
	put(&r, 21, 200, 1);
	CHECK_STR(text(&w, &r), "    1234:120:? ==> [003]       7: 98:R seven\n");
}

TEST(ktext_stack_ends_with_the_record_or_its_mark)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	struct raw r = start(4, 0, 0, 7);

	w.options &= ~KTEXT(CONTEXT);
	put(&r, 16, 0x1010, 8);
	put(&r, 24, INT_MAX, 8);
	put(&r, 32, 0x9000, 8);
	put(&r, 40, 0x77, 4);
	CHECK_STR(text(&w, &r), "<stack trace>\n => alpha\n => [FTRACE TRAMPOLINE]\n => 0x00009000\n");
	put(&r, 32, UINT64_MAX, 8);
	w.options |= KTEXT(SYM_OFFSET) | KTEXT(SYM_ADDR);
	CHECK_STR(text(&w, &r), "<stack trace>\n => alpha+0x10/0x1000 <0000000000001010>\n"
		  " => [FTRACE TRAMPOLINE]\n");
}

static struct raw entry(unsigned id, uint64_t func, int depth)
{
	struct raw r = start(id, 0, 0, 7);

	put(&r, 8, func, 8);
	put(&r, 16, (uint32_t)depth, 4);
	if (id == 17)
		put(&r, 24, 0x2008, 8);
	return r;
}

static struct raw leave(uint64_t func, int depth, uint64_t ns, uint64_t retval)
{
	struct raw r = start(10, 0, 0, 7);

	put(&r, 8, func, 8);
	put(&r, 16, retval, 8);
	put(&r, 24, (uint32_t)depth, 4);
	put(&r, 28, 0, 4);
	put(&r, 32, 1000, 8);
	put(&r, 40, 1000 + ns, 8);
	return r;
}

static const char *graph(const struct ktext_want *w, struct raw r, const struct raw *next)
{
	next_raw = next;
	return text(w, &r);
}

TEST(ktext_graph_folds_leaves_and_marks_long_calls)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} cases[] = {
		{0, "   0.000 us    |"},           {999, "   0.999 us    |"},
		{10001, " + 10.001 us   |"},       {100001, " ! 100.001 us  |"},
		{1234567, " # 1234.567 us |"},     {12345678, " * 12345.67 us |"},
		{123456789, " @ 123456.7 us |"},   {1234567890, " $ 1234567 us  |"},
		{12345678901, " $ 12345678 us |"}, {123456789012, " $ 123456789 us |"},
	};
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	char expect[128];

	w.tracer = "function_graph";
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct raw ret = leave(0x1000, 1, cases[i].ns, 0);

		skipped = 0;
		snprintf(expect, sizeof(expect), "  1)%s    alpha();\n", cases[i].want);
		CHECK_STR(graph(&w, entry(11, 0x1000, 1), &ret), expect);
		CHECK_EQ(skipped, 1);
		CHECK_STR(graph(&w, entry(11, 0x3000, 1), &ret), "  1)               |    gamma [mod]() {\n");
		CHECK_EQ(skipped, 1);
	}
	CHECK_STR(graph(&w, entry(11, 0x1000, 1), NULL), "  1)               |    alpha() {\n");
	/* its call was not seen: it says whose end it is */
	CHECK_STR(graph(&w, leave(0x1000, 1, 5, 0), NULL), "  1)   0.005 us    |    } /* alpha */\n");
}

TEST(ktext_graph_return_values)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, "6.13.0");
	struct raw zero = leave(0x1000, 0, 5, 0), bad = leave(0x1000, 0, 5, (uint64_t)-22),
		   low = leave(0x1000, 0, 5, 0xffffffea), big = leave(0x1000, 0, 5, 0x80001234);

	w.tracer = "function_graph";
	w.options = ktext_options(SV("nofuncgraph-cpu\nnofuncgraph-duration\nfuncgraph-retval\nunknown"));
	CHECK_STR(graph(&w, entry(11, 0x1000, 0), &zero), "alpha(); /* ret=0x0 */\n");
	CHECK_STR(graph(&w, entry(11, 0x1000, 0), &bad), "alpha(); /* ret=-22 */\n");
	CHECK_STR(graph(&w, entry(11, 0x1000, 0), &low), "alpha(); /* ret=-22 */\n");
	CHECK_STR(graph(&w, entry(11, 0x1000, 0), &big), "alpha(); /* ret=0x80001234 */\n");
	CHECK_STR(graph(&w, bad, NULL), "} /* alpha ret=-22 */\n");
	w.release = "6.12.9";
	CHECK_STR(graph(&w, entry(11, 0x1000, 0), &bad), "alpha(); /* = -22 */\n");
	CHECK_STR(graph(&w, bad, NULL), "} /* alpha = -22 */\n");
	w.release = "6.13.0";
	w.options |= KTEXT(GRAPH_RETVAL_HEX) | KTEXT(GRAPH_RETADDR);
	CHECK_STR(graph(&w, entry(17, 0x1000, 0), &bad), "alpha(); /* <-beta+0x8/0x1000 ret=0xffffffffffffffea */\n");
	CHECK_STR(graph(&w, entry(17, 0x1000, 1), NULL), "  alpha() { /* <-beta+0x8/0x1000 */\n");
	w.options &= ~KTEXT(GRAPH_RETVAL);
	CHECK_STR(graph(&w, entry(17, 0x1000, 0), &bad), "alpha(); /* <-beta+0x8/0x1000 */\n");
}

TEST(ktext_graph_arrows_and_hidden_interrupts)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	struct tstream_rec rec;
	struct raw r = entry(11, 0x2000, 3);
	struct ktext *k;

	w.tracer = "function_graph";
	w.irq_start = 0x2000;
	w.irq_end = 0x2800;
	CHECK_STR(graph(&w, r, NULL), "  1)   ==========> |\n  1)               |        beta() {\n");
	w.options &= ~KTEXT(GRAPH_IRQS);
	k = ktext_new(&w);
	rec = rec_of(&r);
	CHECK_STR(text_of(k, &rec), "");
	r = entry(11, 0x1000, 4);
	rec = rec_of(&r);
	CHECK_STR(text_of(k, &rec), "");
	r = leave(0x2000, 3, 5, 0);
	rec = rec_of(&r);
	CHECK_STR(text_of(k, &rec), "");
	r = entry(11, 0x1000, 3);
	rec = rec_of(&r);
	CHECK_STR(text_of(k, &rec), "  1)               |        alpha() {\n");
	ktext_free(k);
}

TEST(ktext_graph_depths_that_lie_are_bounded)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	static const int depths[] = { INT_MAX, INT_MIN, -1, 50, 100000 };

	w.tracer = "function_graph";
	w.cpus = 1;      /* the records say CPU 1 */
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		CHECK(strlen(graph(&w, entry(11, 0x1000, depths[i]), NULL)) < 3000);
		CHECK(strlen(graph(&w, leave(0x1000, depths[i], 5, 0), NULL)) < 3000);
	}
	w.cpus = UINT32_MAX;
	CHECK(strlen(graph(&w, entry(11, 0x1000, INT_MAX), NULL)) < 3000);
}

TEST(ktext_probe_places_and_strings_that_could_not_be_read)
{
	static const char probe[] = "name: enter\nID: 900\n" KTEXT_COMMON
		"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc char[] a;\toffset:16;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] b;\toffset:20;\tsize:4;\tsigned:1;\n"
		"\nprint fmt: \"(%lx) a=\\\"%s\\\" b=\\\"%s\\\"\", REC->__probe_ip, __get_str(a), __get_str(b)\n";
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	struct raw r = start(900, 0, 0, 7);

	CHECK_EQ(tevents_add(&t, SV("kprobes"), sv_from(probe), NULL), 0);
	w.options &= ~KTEXT(CONTEXT);
	put(&r, 8, UINT64_C(0xffff000000001010), 8);
	put(&r, 16, 24, 4);                      /* nothing at 24 */
	put(&r, 20, 24 | 1 << 16, 4);            /* a NUL */
	put(&r, 24, 0, 4);
	CHECK_STR(text(&w, &r), "enter: (0xffff000000001010) a=(fault) b=\"\"\n");
	put(&r, 8, 0x1010, 8);
	CHECK_STR(text(&w, &r), "enter: (0x1010) a=(fault) b=\"\"\n");
}

/* Every prefix of every record: nothing beyond its end is read. */
TEST(ktext_short_records_are_survived)
{
	struct tevents t;
	struct ktext_want w = want_of(&t, NULL);
	static const unsigned ids[] = { 1, 2, 4, 6, 10, 11, 14, 17 };

	next_raw = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		for (unsigned graphed = 0; graphed < 2; graphed++)
			for (size_t n = 0; n <= 80; n += 4) {
				struct raw r = start(ids[i], 0xff, 0xff, -1);

				memset(r.b + 8, 0xff, sizeof(r.b) - 8);
				r.n = n;
				w.tracer = graphed ? "function_graph" : "nop";
				CHECK(strlen(text(&w, &r)) < 4000);
			}
}
