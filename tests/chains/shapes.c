/*
 * shapes.c - functions whose callers are known: each shape is a chain of unmistakable names, the innermost of which
 * takes the processor's time. Compiled many ways (build). A shape's chain, innermost first, is the line TRUTH above it:
 *
 *   [NAME]   is not there if the function before it was jumped to, not called: as this program was compiled
 *   {NAME}   is inlined, so only debug information tells of it
 *   (NAME)   is not in a chain of frame records
 *   ?        one frame that is not ours, *: one or more, ~: none or more
 *
 *   shapes MS    each shape for so many milliseconds of a processor
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noipa))
#endif

enum { LONG = 20000, SHORT = 6, DEPTH = 8, BIG = 4200 };

volatile unsigned long sink;
static int milliseconds;

/* What takes the time. sink is written behind each call, so that none of them is a jump. */
#define BURN(n) do { for (unsigned long i = 0; i < (n); i++) sink += i; } while (0)

/* TRUTH m_plain_leaf m_plain_b m_plain_a main */
ALONE void m_plain_leaf(void) { BURN(LONG); }
ALONE void m_plain_b(void) { m_plain_leaf(); sink++; }
ALONE void m_plain_a(void) { m_plain_b(); sink++; }

/* Often at the ends of functions. */
/* TRUTH m_tiny_leaf m_tiny_b m_tiny_a main */
/* TRUTH m_tiny_b m_tiny_a main */
ALONE void m_tiny_leaf(void) { BURN(SHORT); }
ALONE void m_tiny_b(void) { m_tiny_leaf(); sink++; }
ALONE void m_tiny_a(void) { for (int i = 0; i < LONG / SHORT; i++) m_tiny_b(); sink++; }

/* A leaf that moves the stack pointer. */
/* TRUTH m_spill_leaf m_spill_a main */
ALONE void m_spill_leaf(void)
{
	volatile unsigned long v[40];

	for (unsigned long i = 0; i < LONG; i++)
		v[i % 40] = i;
	sink += v[3];
}
ALONE void m_spill_a(void) { m_spill_leaf(); sink++; }

/* Many registers that the caller wants back, and a stretch that is rarely reached. */
/* TRUTH m_saved_leaf m_saved_b m_saved_a main */
ALONE unsigned long m_saved_leaf(unsigned long n) { BURN(n); return sink; }
ALONE unsigned long m_saved_b(unsigned long n)
{
	unsigned long a = sink + n, b = sink * 3, c = sink ^ n, d = sink - 7;
	unsigned long e = sink << 1, f = sink | 9, g = sink & 5, h = sink + 1;
	unsigned long r = m_saved_leaf(n);

	return sink = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ r;
}
ALONE void m_saved_a(void) { sink += m_saved_b(LONG); }

/* TRUTH m_rec_leaf m_rec m_rec m_rec m_rec m_rec m_rec m_rec m_rec m_rec_a main */
ALONE void m_rec_leaf(void) { BURN(LONG); }
ALONE void m_rec(int deeper)
{
	if (deeper > 1)
		m_rec(deeper - 1);
	else
		m_rec_leaf();
	sink++;
}
ALONE void m_rec_a(void) { m_rec(DEPTH); sink++; }

/* TRUTH m_alloca_leaf m_alloca_b m_alloca_a main */
ALONE void m_alloca_leaf(volatile char *p, size_t n) { BURN(LONG); p[n - 1]++; }
ALONE void m_alloca_b(size_t n)
{
	char *p = alloca(n);

	memset(p, 1, n);
	m_alloca_leaf(p, n);
	sink++;
}
ALONE void m_alloca_a(void) { m_alloca_b(100 + sink % 50); sink++; }

/* TRUTH m_big_leaf m_big_b m_big_a main */
ALONE void m_big_leaf(volatile char *p) { BURN(LONG); p[1]++; }
ALONE void m_big_b(void)
{
	char v[BIG];

	memset(v, 1, sizeof(v));
	m_big_leaf(v);
	sink++;
}
ALONE void m_big_a(void) { m_big_b(); sink++; }

/* TRUTH m_tail_leaf [m_tail_b] m_tail_a main */
ALONE void m_tail_leaf(void) { BURN(LONG); }
ALONE void m_tail_b(void) { sink++; m_tail_leaf(); }
ALONE void m_tail_a(void) { m_tail_b(); sink++; }

/* TRUTH m_inline_leaf {m_inline_b} m_inline_a main */
ALONE void m_inline_leaf(void) { BURN(LONG); }
static inline __attribute__((always_inline)) void m_inline_b(void) { sink++; m_inline_leaf(); sink++; }
ALONE void m_inline_a(void) { m_inline_b(); sink++; }

/* The call is the last that there is of its function. */
/* TRUTH m_noret_leaf [m_noret_b] m_noret_a main */
static jmp_buf back;
ALONE __attribute__((noreturn)) void m_noret_leaf(void) { BURN(LONG); longjmp(back, 1); }
ALONE __attribute__((noreturn)) void m_noret_b(void) { sink++; m_noret_leaf(); }
ALONE void m_noret_a(void)
{
	if (!setjmp(back))
		m_noret_b();
	sink++;
}

/* The call is in a part of the function that stands elsewhere. */
/* TRUTH m_cold_leaf m_cold_b m_cold_a main */
ALONE __attribute__((cold)) void m_cold_leaf(void) { BURN(LONG); }
ALONE void m_cold_b(unsigned long n)
{
	unsigned long keeps = sink;

	if (__builtin_expect(n != 0, 0)) {
		m_cold_leaf();
		sink += keeps;
	}
	sink++;
}
ALONE void m_cold_a(void) { m_cold_b(sink | 1); sink++; }

/* Through the C library. */
/* TRUTH m_sort_leaf m_sort_compare * m_sort_a main */
ALONE void m_sort_leaf(void) { BURN(LONG); }
ALONE int m_sort_compare(const void *a, const void *b)
{
	m_sort_leaf();
	sink++;
	return *(const char *)a - *(const char *)b;
}
ALONE void m_sort_a(void)
{
	char v[] = "dbca";

	qsort(v, 4, 1, m_sort_compare);
	sink++;
}

/* The signal comes into a leaf: tgkill, without the C library. */
/* TRUTH m_signal_leaf m_signal_b m_signal_handler ? (m_signal_bare) m_signal_a main */
ALONE void m_signal_leaf(void) { BURN(LONG); }
ALONE void m_signal_b(void) { m_signal_leaf(); sink++; }
void m_signal_handler(int number) { m_signal_b(); sink += (unsigned long)number; }
ALONE void m_signal_bare(long process, long thread)
{
	register long x0 __asm__("x0") = process, x1 __asm__("x1") = thread;
	register long x2 __asm__("x2") = SIGUSR1, x8 __asm__("x8") = 131;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
}
ALONE void m_signal_a(void)
{
	signal(SIGUSR1, m_signal_handler);
	m_signal_bare(getpid(), getpid());	/* that of the first thread, too */
	sink++;
}

static double spent(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Threads with chains of their own, at the same time. */
/* TRUTH m_first_leaf m_first_b m_first_start */
ALONE void m_first_leaf(void) { BURN(LONG); }
ALONE void m_first_b(void) { m_first_leaf(); sink++; }
void *m_first_start(void *arg)
{
	while (spent(CLOCK_THREAD_CPUTIME_ID) < milliseconds)
		m_first_b();
	return arg;
}

/* TRUTH m_second_leaf m_second_c m_second_b m_second_start */
ALONE void m_second_leaf(void) { BURN(LONG); }
ALONE void m_second_c(void) { m_second_leaf(); sink++; }
ALONE void m_second_b(void) { m_second_c(); sink++; }
void *m_second_start(void *arg)
{
	while (spent(CLOCK_THREAD_CPUTIME_ID) < milliseconds)
		m_second_b();
	return arg;
}

static void threads(void)
{
	pthread_t first, second;

	pthread_create(&first, NULL, m_first_start, NULL);
	pthread_create(&second, NULL, m_second_start, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
}

int main(int argc, char **argv)
{
	static void (*const shapes[])(void) = {
		m_plain_a, m_tiny_a, m_spill_a, m_saved_a, m_rec_a, m_alloca_a, m_big_a, m_tail_a, m_inline_a,
		m_noret_a, m_cold_a, m_sort_a, m_signal_a,
	};

	milliseconds = argc > 1 ? atoi(argv[1]) : 30;
	for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		double end = spent(CLOCK_PROCESS_CPUTIME_ID) + milliseconds;

		while (spent(CLOCK_PROCESS_CPUTIME_ID) < end)
			shapes[i]();
	}
	threads();
	return 0;
}
