/* Memory that will be written: what is large is there at once, and of a vector that grows no more than a step. */
#include "tests/t.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"

/* Pages within [p, p + n) that are in memory. */
static size_t resident(void *p, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), got = 0;
	uintptr_t from = ALIGN_UP((uintptr_t)p, page), upto = ((uintptr_t)p + n) & ~(page - 1);
	unsigned char there;

	for (; from < upto; from += page)
		got += !mincore((void *)from, page, &there) && there & 1;
	return got;
}

/* Some kernels do not do it, and some emulators say that they did. */
static bool can_ask(void)
{
	size_t n = 1 << 20;
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool can = p != MAP_FAILED && !madvise(p, n, 23) && resident(p, n) > 1;

	if (p != MAP_FAILED)
		munmap(p, n);
	return can;
}

TEST(mem_what_is_large_is_there_at_once)
{
	size_t n = 1 << 20, pages = n / (size_t)sysconf(_SC_PAGESIZE);
	char *p, *zero;

	if (!can_ask()) {
		SKIP("this kernel gives no pages beforehand");
		return;
	}
	p = mem_alloc(n);
	zero = mem_zeroed(n / 8, 8);
	CHECK(p && zero);
	CHECK(resident(p, n) >= pages - 1);
	CHECK(resident(zero, n) >= pages - 1);
	for (size_t i = 0; i < n; i++)
		CHECK(!zero[i]);
	free(p);
	free(zero);
}

TEST(mem_a_vector_takes_its_pages_in_steps)
{
	VEC(uint64_t) v = { 0 };
	size_t caps = 0, page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < 1000000; i++) {
		size_t cap = v.cap;

		CHECK(!vec_reserve(&v, 1));
		caps += v.cap != cap;
		v.v[v.n++] = i;
		CHECK(v.cap < 65536 || v.cap - v.n <= (128 << 10) / 8);
	}
	CHECK(caps > 50);
	if (can_ask())
		CHECK(resident(v.v, v.cap * 8) + 2 >= v.cap * 8 / page);
	for (size_t i = 0; i < v.n; i++)
		CHECK(v.v[i] == i);
	CHECK(!vec_reserve(&v, 500000));
	CHECK(v.cap >= v.n + 500000);
	vec_free(&v);
}
