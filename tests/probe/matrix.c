/*
 * matrix.c - what probes are placed on: every function is called a known number of times with known values, which the
 * table `defs` repeats. Line numbers are taken from the marks in comments (see build), so the file may grow anywhere.
 */
#include <stdint.h>
#include <string.h>

#ifdef __clang__
#define KEPT __attribute__((noinline, used))
#else
#define KEPT __attribute__((noinline, noipa, used))
#endif
#define INLINED static inline __attribute__((always_inline))
#define TOUCH(x) __asm__ volatile("" : "+r"(x) : : "memory")

enum colour { RED = 3, GREEN = 7, BLUE = -2 };

struct pair {
	int32_t x, y;
};

struct inner {
	int id;
	unsigned low : 3, mid : 5, high : 8;
	signed tilt : 4;
	const char *name;
};

struct outer {
	uint64_t magic;
	struct inner in;
	union {
		uint32_t word;
		uint8_t bytes[4];
	};
	struct {
		short a, b;
	};
	struct pair pairs[4];
	struct outer *next;
	char text[16];
	enum colour colour;
	const char **names;
	int (*call)(int);
};

struct big {
	int64_t v[5];
};

int global_count = 41;
static volatile int file_static = 17;
struct pair global_pair = { 5, -6 };
static const char *const words[] = { "zero", "one", "two" };
__thread int per_thread = 9;

KEPT int add(int a, int b)
{
	int sum = a + b;

	TOUCH(sum);
	return sum;
}

KEPT void widths(signed char sc, unsigned char uc, short ss, unsigned short us, long sl, unsigned long ul, _Bool flag,
		 char plain)
{
	long all = sc + uc + ss + us + sl + (long)ul + flag + plain;

	TOUCH(all);
	file_static += all != 0;
}

KEPT int ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int64_t j)
{
	int64_t r = a + b + c + d + e + f + g + h + i + j;

	TOUCH(r);
	return (int)r;
}

KEPT size_t strings(const char *s, char *t)
{
	size_t n = strlen(s) + strlen(t);

	TOUCH(n);
	return n;
}

KEPT int take_outer(struct outer *o)
{
	int r = o->in.id + (int)o->magic;

	TOUCH(r);
	return r;
}

KEPT int take_pp(struct outer **pp, const char **list)
{
	int r = (*pp)->in.id + list[0][0];

	TOUCH(r);
	return r;
}

KEPT int take_pair(struct pair p)
{
	int r = p.x - p.y;

	TOUCH(r);
	return r;
}

KEPT int64_t take_big(struct big b)
{
	int64_t r = b.v[0] + b.v[4];

	TOUCH(r);
	return r;
}

KEPT int paint(enum colour c, int64_t big, uint64_t mask)
{
	int r = c + (int)big + (int)mask;

	TOUCH(r);
	return r;
}

KEPT double floats(double d, float f, int n)
{
	double r = d * n + f;

	__asm__ volatile("" : "+w"(r));
	return r;
}

INLINED int twice(int v)
{
	int r = v * 2;                          /* TWICE */

	TOUCH(r);
	file_static += r;
	return r;
}

KEPT int one_inline(int a)
{
	int r = twice(a);

	TOUCH(r);
	return r + 1;
}

KEPT int two_inlines(int a, int b)
{
	int r = twice(a);

	TOUCH(r);
	r += twice(b);
	TOUCH(r);
	return r;
}

KEPT int loop(int n)
{
	int i, sum = 0;
	static int calls;

	calls++;
	TOUCH(n);
	for (i = 0; i < n; i++) {
		sum += i * 10;
		TOUCH(sum);                     /* LOOP */
	}
	file_static += sum;                     /* AFTER */
	return sum + calls;
}

KEPT int blocks(int n)
{
	int r = n;

	{
		int shadow = n + 100;

		TOUCH(shadow);
		r += shadow;                    /* INNER */
	}
	TOUCH(r);
	return r;
}

KEPT unsigned fact(unsigned n)
{
	unsigned r;

	if (n < 2)
		return 1;
	r = fact(n - 1);
	TOUCH(r);
	return n * r;
}

KEPT int aliased(int n)
{
	TOUCH(n);
	return n;
}
int other_name(int n) __attribute__((alias("aliased")));
int weak_name(int n) __attribute__((weak, alias("aliased")));
int short_(int n) __attribute__((alias("aliased")));

__attribute__((cold, noinline)) static void cold_path(int n)
{
	file_static -= n;
	TOUCH(n);
}

KEPT int split(int n)
{
	if (__builtin_expect(n > 100, 0)) {
		cold_path(n);
		file_static += 2;               /* COLD */
		return -1;
	}
	TOUCH(n);
	return n;
}

/* Nobody stops the compiler from making a clone of it. */
static __attribute__((noinline)) int cloned(const int *p, int scale, int unused)
{
	(void)unused;
	return *p * scale;
}

KEPT int64_t back(int n)
{
	int64_t v = n * 1000000000ll;

	TOUCH(v);
	return v;
}

KEPT void done(void)
{
	__asm__ volatile("");
}

int main(void)
{
	const char *names[] = { "first", "second", 0 };
	struct outer second = { .magic = 2, .in = { .id = 22, .name = "inner two" } };
	struct outer first = {
		.magic = 0x1122334455667788, .in = { 11, 5, 21, 200, -3, "inner one" }, .word = 0x04030201,
		.a = -1, .b = 2,
		.pairs = { { 1, 2 }, { 3, -4 }, { 5, 6 }, { 7, 8 } }, .next = &second, .text = "text inside",
		.colour = GREEN, .names = names, .call = aliased,
	};
	struct outer *list = &first;
	struct big big = { { 10, 20, 30, 40, 50 } };
	char heap[] = "writable";
	int n, three = 3;

	add(1, 10);
	add(2, 20);
	add(-3, 30);
	widths(-1, 255, -2, 65535, -3, 18446744073709551615ul, 1, 'A');
	ten(1, 2, 3, 4, 5, 6, 7, 8, -9, 10000000000);
	strings("hello", heap);
	strings("", "a b");
	take_outer(&first);
	take_pp(&list, names);
	take_pair((struct pair){ 8, -9 });
	take_big(big);
	paint(RED, -5, 0xff00);
	paint(BLUE, 5, 1);
	floats(1.5, 2.5f, 6);
	one_inline(4);
	two_inlines(5, 6);
	loop(3);
	loop(1);
	blocks(1);
	fact(4);
	aliased(1);
	other_name(2);
	weak_name(3);
	split(1);
	split(101);
	n = cloned(&three, 7, 0);
	n += (int)strlen(words[1]) + global_pair.x + per_thread;
	TOUCH(n);
	back(-4);
	done();
	return n == 21 + 3 + 5 + 9 && file_static != 0 ? 0 : 1;
}
