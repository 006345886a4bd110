/* Items become text in the order in which they were taken in, whatever the number of threads. */
#include "report/lines.h"
#include "t.h"

#include <unistd.h>

struct item {
	uint32_t n, bytes;      /* its number; how much text it makes */
	uint32_t filler[60];
};

struct own {
	int users;
};

struct sink {
	uint64_t n, limit;      /* lines in order; 0: no limit, then it breaks */
	char rest[16];
	size_t n_rest;
	unsigned writes;
};

/* Two threads had the same own. */
static int shared;

/* "N" and dots up to its bytes; the first ones take longest. */
static void put(const void *arg UNUSED, void *own, void *item, struct out *o)
{
	const struct item *it = item;
	struct own *mine = own;

	if (__atomic_fetch_add(&mine->users, 1, __ATOMIC_SEQ_CST))
		__atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST);
	if (it->n < 500)
		usleep(it->n % 100 ? 0 : 1000);
	out_u64(o, it->n);
	out_fill(o, '.', it->bytes);
	out_char(o, '\n');
	__atomic_fetch_sub(&mine->users, 1, __ATOMIC_SEQ_CST);
}

/* Each line begins with the next number. */
static int take(void *arg, const char *p, size_t n)
{
	struct sink *s = arg;

	s->writes++;
	for (size_t i = 0; i < n; i++) {
		if (p[i] >= '0' && p[i] <= '9' && s->n_rest < sizeof(s->rest) - 1)
			s->rest[s->n_rest++] = p[i];
		if (p[i] != '\n')
			continue;
		s->rest[s->n_rest] = '\0';
		CHECK_EQ(strtoull(s->rest, NULL, 10), s->n);
		s->n_rest = 0;
		s->n++;
	}
	return s->limit && s->n > s->limit ? -EPIPE : 0;
}

static int add(struct lines *l, uint32_t n, uint32_t bytes)
{
	struct item *it = lines_room(l, sizeof(*it));

	CHECK(it != NULL);
	*it = (struct item){ .n = n, .bytes = bytes };
	return lines_add(l, sizeof(*it));
}

static struct lines *begin(unsigned jobs, struct out *o)
{
	struct lines_want w = { .jobs = jobs, .out = o, .write = put, .own = sizeof(struct own) };

	return lines_new(&w);
}

static const unsigned threads[] = { 1, 2, 7, 64 };

TEST(lines_come_out_in_order)
{
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		char buf[4096];
		struct sink s = { 0 };
		struct out o = { .write = take, .arg = &s, .buf = buf, .cap = sizeof(buf) };
		struct lines *l = begin(threads[i], &o);

		for (uint32_t n = 0; n < 20000; n++)
			CHECK_EQ(add(l, n, n % 7), 0);
		CHECK_EQ(lines_settle(l), 0);
		/* Nothing is left behind, and it goes on. */
		out_flush(&o);
		CHECK_EQ(s.n, 20000);
		for (uint32_t n = 20000; n < 20010; n++)
			CHECK_EQ(add(l, n, 0), 0);
		CHECK_EQ(lines_settle(l), 0);
		CHECK_EQ(lines_settle(l), 0);
		out_flush(&o);
		CHECK_EQ(s.n, 20010);
		lines_free(l);
		CHECK(!shared);
	}
}

/* A text that no buffer has room for, among short ones. */
TEST(lines_of_any_length)
{
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		char buf[512];
		struct sink s = { 0 };
		struct out o = { .write = take, .arg = &s, .buf = buf, .cap = sizeof(buf) };
		struct lines *l = begin(threads[i], &o);

		for (uint32_t n = 0; n < 3000; n++)
			CHECK_EQ(add(l, n, n % 500 == 250 ? 3 << 20 : 3), 0);
		CHECK_EQ(lines_settle(l), 0);
		out_flush(&o);
		CHECK_EQ(s.n, 3000);
		CHECK(o.total > 18 << 20);
		lines_free(l);
	}
}

/* An item larger than a batch, asked for twice. */
TEST(lines_keep_what_was_written)
{
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		char buf[512];
		struct sink s = { 0 };
		struct out o = { .write = take, .arg = &s, .buf = buf, .cap = sizeof(buf) };
		struct lines *l = begin(threads[i], &o);

		for (uint32_t n = 0; n < 9; n++) {
			struct item *it = lines_room(l, sizeof(*it));

			*it = (struct item){ .n = n };
			it = lines_room(l, 1 << 20);
			CHECK_EQ(it->n, n);
			memset(it + 1, 0xff, (1 << 20) - sizeof(*it));
			CHECK_EQ(lines_add(l, 1 << 20), 0);
		}
		CHECK_EQ(lines_settle(l), 0);
		out_flush(&o);
		CHECK_EQ(s.n, 9);
		lines_free(l);
	}
}

/* Of a reader that went away the next one hears soon. */
TEST(lines_end_with_the_reader)
{
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		char buf[4096];
		struct sink s = { .limit = 1000 };
		struct out o = { .write = take, .arg = &s, .buf = buf, .cap = sizeof(buf) };
		struct lines *l = begin(threads[i], &o);
		uint32_t n = 0;

		while (n < 1000000 && !add(l, n, 20))
			n++;
		CHECK(n >= 1000 && n < 100000);
		CHECK_EQ(o.error, -EPIPE);
		lines_free(l);
	}
}

/* One thread keeps no batch: each item is text before the next one comes. */
TEST(lines_of_one_thread_do_not_wait)
{
	char buf[4096];
	struct sink s = { 0 };
	struct out o = { .write = take, .arg = &s, .buf = buf, .cap = sizeof(buf) };
	struct lines *l = begin(1, &o);

	CHECK_EQ(add(l, 0, 0), 0);
	CHECK_EQ(o.n, 2);
	lines_free(l);
}
