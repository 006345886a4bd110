/* Our snprintf against the C library's, over formats and values. */
#include "base/fmt.h"
#include "t.h"

#include <time.h>

#undef vsnprintf

PRINTF(3, 4) static int libc_snprintf(char *buf, size_t size, const char *f, ...)
{
	va_list ap;

	va_start(ap, f);
	int n = vsnprintf(buf, size, f, ap);
	va_end(ap);
	return n;
}

/* The same call to both. */
#define SAME(...) \
	do { \
		char a_[400], b_[400]; \
		int n_ = libc_snprintf(a_, sizeof(a_), __VA_ARGS__), m_ = fmt_snprintf(b_, sizeof(b_), __VA_ARGS__); \
\
		CHECK_STR(b_, a_); \
		CHECK_EQ(m_, n_); \
	} while (0)

static const uint64_t integers[] = {0,
				    1,
				    9,
				    10,
				    99,
				    4095,
				    65535,
				    0x7fffffff,
				    0x80000000,
				    0xffffffff,
				    1ull << 52,
				    INT64_MAX,
				    (uint64_t)INT64_MIN,
				    UINT64_MAX};

TEST(base_printf_integers)
{
	for (size_t i = 0; i < ARRAY_SIZE(integers); i++) {
		unsigned long long v = integers[i];

		SAME("%d|%i|%u|%x|%X|%o", (int)v, (int)v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
		SAME("%lld|%llu|%llx|%#llx|%#llo|%zu|%jd", (long long)v, v, v, v, v, (size_t)v, (intmax_t)v);
		SAME("%hhd|%hhu|%hd|%hu|%hhx", (signed char)v, (unsigned char)v, (short)v, (unsigned short)v,
		     (unsigned char)v);
		SAME("[%20lld][%-20lld][%020lld][%+lld][% lld]", (long long)v, (long long)v, (long long)v, (long long)v,
		     (long long)v);
		SAME("[%.5lld][%.0llu][%8.5llx][%-8.5llx][%#012llx]", (long long)v, v, v, v, v);
		SAME("[%*d][%-*d][%.*d]", 7, (int)v, 7, (int)v, 3, (int)v);
		SAME("[%*d]", -7, (int)v);
	}
	SAME("%p", (void *)0x1234);
}

TEST(base_printf_text)
{
	SAME("%s|%10s|%-10s|%.2s|%10.2s|%-10.2s|%.*s", "abc", "abc", "abc", "abc", "abc", "abc", 1, "abc");
	SAME("%c|%5c|%-5c|%%|", 'x', 'y', 'z');
	SAME("plain");
	SAME("%s", "");
}

TEST(base_printf_cut)
{
	char a[8], b[8];

	for (size_t size = 0; size <= sizeof(a); size++) {
		memset(a, '#', sizeof(a));
		memset(b, '#', sizeof(b));
		CHECK_EQ(fmt_snprintf(a, size, "%s-%05d", "abc", 42), libc_snprintf(b, size, "%s-%05d", "abc", 42));
		CHECK(!memcmp(a, b, sizeof(a)));
	}
	CHECK_EQ(fmt_snprintf(NULL, 0, "%d", 1234), 4);
}

static void doubles(double v)
{
	SAME("%f|%.0f|%.1f|%.2f|%.3f|%.9f|%.15f", v, v, v, v, v, v, v);
	SAME("[%10.3f][%-10.2f][%010.1f][%+.2f][% .2f][%*.*f]", v, v, v, v, v, 9, 4, v);
}

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 11;
}

TEST(base_printf_doubles)
{
	static const double some[] = {0,
				      0.5,
				      1.5,
				      2.5,
				      0.125,
				      0.375,
				      0.05,
				      0.15,
				      0.25,
				      9.995,
				      99.95,
				      999.9999,
				      1e-5,
				      1e-9,
				      5e-324,
				      4503599627370497.5,
				      9007199254740993.0,
				      1e15,
				      1e18,
				      0.1,
				      1.0 / 3,
				      123456.789};
	uint64_t state = 1;

	for (size_t i = 0; i < ARRAY_SIZE(some); i++) {
		doubles(some[i]);
		doubles(-some[i]);
	}
	for (int i = 0; i < 20000; i++) {
		double v = (double)next(&state) / (double)(1ull << next(&state) % 60);

		doubles(v);
	}
	SAME("%f %f %5.1f", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0);
}

TEST(base_printf_general)
{
	static const double some[] = {0,      1,          0.1,         0.25,       100,     1e5,       999999,
				      1e6,    1234567,    0.0001,      0.00012345, 1e-5,    1e15,      1e17,
				      3.0e-7, 123456.789, 1234567.891, 0.3,        2.0 / 3, 9.9999995, 99999.95};
	uint64_t state = 7;

	for (size_t i = 0; i < ARRAY_SIZE(some); i++) {
		SAME("%g|%.15g|%.3g|%10g", some[i], some[i], some[i], some[i]);
		SAME("%g|%.15g", -some[i], -some[i]);
	}
	for (int i = 0; i < 20000; i++) {
		double v = (double)next(&state) / (double)(1ull << next(&state) % 52);

		if (v >= 1e-4)
			SAME("%.15g|%g|%.9g", v, v, v);
	}
}

TEST(base_date)
{
	static const int64_t some[] = {0,          1,          86399,        86400, 951782400, 951868800, 1709164800,
				       1763626222, 4107542400, 253402300799, -1,    -86401,    68169600,  1582934400};
	char buf[FMT_DATE], want[64];

	for (size_t i = 0; i < ARRAY_SIZE(some); i++) {
		time_t t = (time_t)some[i];
		struct tm tm;

		gmtime_r(&t, &tm);
		strftime(want, sizeof(want), "%a %b %e %H:%M:%S %Y UTC", &tm);
		CHECK_STR(fmt_date(buf, some[i]), want);
	}
	for (int64_t t = -1000 * 86400ll; t < 80000ll * 86400; t += 86400 * 3 + 12345) {
		time_t tt = (time_t)t;
		struct tm tm;

		gmtime_r(&tt, &tm);
		strftime(want, sizeof(want), "%a %b %e %H:%M:%S %Y UTC", &tm);
		CHECK_STR(fmt_date(buf, t), want);
	}
}
