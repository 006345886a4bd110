/* What tests/unit/test_dwarf.c looks for. Compiled by ./make. */
struct later;
struct inner { char c; short s[3]; };
struct outer {
	int bits : 3, more : 5;
	unsigned long wide : 40;
	struct inner in[2][3];
	union { long l; char text[12]; };
	const volatile char *name;
	struct later *later;
	int (*call)(int);
	_Bool flag;
	enum { LOW = -1, HIGH } level;
	double d;
	int tail[];
};
typedef struct { short x, y; } point_t;
extern struct later later;
int counter = 3;
static int hidden = 4;

static inline __attribute__((always_inline)) int add(int a, int b)
{
	int sum = a + b;

	return sum + hidden++;
}

__attribute__((noinline)) int work(struct outer *o, point_t p)
{
	int total = add(o->bits, p.x);

	for (int i = 0; i < p.y; i++) {
		int step = add(total, i) * counter;

		o->tail[i] = step;
		total += step;
	}
	return total;
}

/* Compilers put what is called once, and unlikely, elsewhere: a function of two ranges. */
__attribute__((noinline, cold)) void fail(int why)
{
	counter = why;
}

int abs_of(int x)
{
	if (__builtin_expect(x == counter, 0))
		fail(x);
	return x < 0 ? add(-x, 1) : x;
}

int other(struct later *l);
void _start(void);
void _start(void)
{
	struct outer *o = (struct outer *)&counter;

	counter = work(o, (point_t){ 1, 2 }) + abs_of(counter) + other(o->later);
}
