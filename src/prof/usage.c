#include "prof/usage.h"

#include <sys/resource.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * 1000;
}

static struct usage now(const struct sys *sys, long *kbytes)
{
	struct rusage r = { 0 };

	sys->usage(sys, &r);
	*kbytes = r.ru_maxrss;
	return (struct usage){ sys->now(sys, CLOCK_MONOTONIC), ns_of(r.ru_utime), ns_of(r.ru_stime) };
}

void usage_begin(struct usage *u, const struct sys *sys)
{
	long kbytes;

	*u = now(sys, &kbytes);
}

void usage_line(struct usage *u, const struct sys *sys, char *line, size_t size)
{
	uint64_t wall = sys->now(sys, CLOCK_REALTIME);
	time_t s = (time_t)(wall / NS_PER_S);
	char date[40] = "";
	struct tm tm;
	long kbytes;
	struct usage n = now(sys, &kbytes);
	double ns = (double)MAX(n.at - u->at, UINT64_C(1));

	if (localtime_r(&s, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(line, size, "%s.%06llu CPU %%usr %.2f %%sys %.2f MAXRSS %ldk", date,
		 (unsigned long long)(wall % NS_PER_S / 1000), (double)(n.user - u->user) * 100 / ns,
		 (double)(n.system - u->system) * 100 / ns, kbytes);
	*u = n;
}
