/*
 * touch.c - functions of which each touches known members of known types: for tests/golden/datatypes.
 * aarch64-linux-gnu-gcc -O2 -g -nostdlib -static -Wl,--build-id=none
 * -ffile-prefix-map=$PWD=/host touch.c -o host/touch; recorded with sonde record -F 250 -e cpu-clock:u.
 */
struct pair {
	int a, b;
};

struct item {
	long key;
	struct item *next;
	struct pair pair;
	union {
		long number;
		struct item *other;
	};
	int many[4];
};

struct counters {
	unsigned long total;
	struct {
		unsigned long hits, misses;
	} of[8];
};

struct settings {
	long unused[5];
	long limit;
};

static struct item items[64];
static struct counters counters;
struct settings settings = { .limit = 3 };
static int numbers[256];
unsigned turns = 300000;

/* struct item: key, next */
__attribute__((noipa)) static long walk(const struct item *x)
{
	long sum = 0;

	for (; x; x = x->next)
		sum += x->key;
	return sum;
}

/* struct item: next, pair.b, and other of the union */
__attribute__((noipa)) static long follow(struct item *x)
{
	long sum = 0;

	for (int i = 0; i < 40; i++) {
		x->other->pair.b += i;
		sum += x->pair.b;
		x = x->other;
	}
	return sum;
}

/* struct counters: total, of[].hits */
__attribute__((noipa)) static void count(struct counters *c, unsigned n)
{
	while (n--) {
		c->of[n & 7].hits++;
		c->total += n;
		__asm__ volatile("" : : : "memory");
	}
}

/* struct settings: limit */
__attribute__((noipa)) static long limited(unsigned n)
{
	long sum = 0;

	while (n--) {
		sum += settings.limit;
		__asm__ volatile("" : : : "memory");
	}
	return sum;
}

/* int */
__attribute__((noipa)) static int add(const int *v, unsigned n)
{
	int sum = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += v[i];
		__asm__ volatile("" : "+r"(sum));
	}
	return sum;
}

static inline __attribute__((always_inline)) long sum_of(struct pair *p)
{
	__asm__ volatile("" : : : "memory");
	return p->a + p->b;
}

/* struct pair: a, b, of the function's own, by what is inlined */
__attribute__((noipa)) static long own(unsigned n)
{
	struct pair pair = { 1, 2 };
	long sum = 0;

	__asm__ volatile("" : : "r"(&pair) : "memory");
	while (n--)
		sum += sum_of(&pair);
	return sum;
}

static long work(void)
{
	long sum = 0;

	for (unsigned i = 0; i < 63; i++) {
		items[i].next = &items[i + 1];
		items[i].other = &items[(i * 7 + 1) & 63];
	}
	items[63].other = items;
	for (unsigned i = 0; i < turns; i++) {
		sum += walk(items) + follow(items);
		count(&counters, 40);
		sum += limited(40) + add(numbers, 256) + own(40);
	}
	return sum;
}

/* No library, and so no way out that every architecture has. */
void _start(void)
{
	work();
	__builtin_trap();
}
