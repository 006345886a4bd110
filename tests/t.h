/*
 * t.h - unit tests. A test states one behaviour in its name, runs in its own process and feeds bytes:
 *
 *   TEST(ring_joins_a_wrapped_record) { CHECK_EQ(f(guard_dup(bytes, n)), 1); }
 *
 * Exit status of the runner: 0 all passed, 1 something failed. Its last line is "N passed, N failed, N skipped".
 */
#ifndef TESTS_T_H
#define TESTS_T_H

#include "base/base.h"

struct t_test {
	const char *name, *file;
	void (*run)(void);
	struct t_test *next;
};

/* How many checks this test has made: one that made none fails. */
extern int t_checks;

void t_register(struct t_test *t);
void t_fail(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);
_Noreturn void t_skip(const char *why);

/* What is to be removed when the test ends; one per test. Not done when it crashes: what lies there may tell why. */
void t_at_end(void (*fn)(void));

/*
 * TESTS_SPARSE: of what is tried at many places, one place of so many; else 1. Most are tried under the sanitizers,
 * where damage is seen best; what only another machine's code, or that of the plain compiler, gets wrong is wrong at
 * many. Without it, as in `build/x86_64/unit`, all are.
 */
size_t t_sparse(void);

/* A copy of n bytes whose end lies against an unmapped page: a read beyond it is a crash. Freed with the test's
 * process. */
void *guard_dup(const void *bytes, size_t n);

/* Contents of a file below tests/, NUL-terminated; fails the test when it cannot be read. */
char *t_read(const char *path, size_t *n);

#define TEST(id) \
	static void test_##id(void); \
	__attribute__((constructor)) static void reg_##id(void) \
	{ \
		static struct t_test t = { .name = #id, .file = __FILE__, .run = test_##id }; \
		t_register(&t); \
	} \
	static void test_##id(void)

#define CHECK(cond) \
	do { \
		t_checks++; \
		if (!(cond)) \
			t_fail(__FILE__, __LINE__, "%s", #cond); \
	} while (0)

/* As CHECK; says more than the condition when it fails. */
#define CHECK_SAY(cond, ...) \
	do { \
		t_checks++; \
		if (!(cond)) \
			t_fail(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

/* What a test is for that feeds damaged bytes: to come here. */
#define CHECK_LIVES() ((void)t_checks++)

#define CHECK_EQ(got, want) \
	do { \
		t_checks++; \
		long long g_ = (long long)(got), w_ = (long long)(want); \
		if (g_ != w_) \
			t_fail(__FILE__, __LINE__, "%s is %lld (0x%llx), not %lld (0x%llx)", #got, g_, \
			       (unsigned long long)g_, w_, (unsigned long long)w_); \
	} while (0)

#define CHECK_STR(got, want) \
	do { \
		t_checks++; \
		const char *g_ = (got), *w_ = (want); \
		if (strcmp(g_ ? g_ : "(null)", w_ ? w_ : "(null)")) \
			t_fail(__FILE__, __LINE__, "%s is\n\t\"%s\", not\n\t\"%s\"", #got, g_, w_); \
	} while (0)

#define SKIP(why) t_skip(why)

#endif
