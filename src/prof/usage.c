#include "prof/usage.h"

#include "base/civil.h"
#include "sys/self.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

static struct usage now(const struct sys *sys, long *kbytes)
{
	struct self_usage u = self_usage();

	*kbytes = u.kbytes;
	return (struct usage){ sys->now(sys, CLOCK_MONOTONIC), u.user_ns, u.system_ns };
}

void usage_begin(struct usage *u, const struct sys *sys)
{
	long kbytes;

	*u = now(sys, &kbytes);
}

void usage_line(struct usage *u, const struct sys *sys, char *line, size_t size)
{
	uint64_t wall = sys->now(sys, CLOCK_REALTIME);
	struct civil c = civil_of((int64_t)(wall / NS_PER_S));
	long kbytes;
	struct usage n = now(sys, &kbytes);
	double ns = (double)MAX(n.at - u->at, UINT64_C(1));

	snprintf(line, size, "%04d-%02u-%02u %02d:%02d:%02d.%06u CPU %%usr %.2f %%sys %.2f MAXRSS %ldk", c.year,
		 c.month + 1, c.day, c.hour, c.minute, c.second, (unsigned)(wall % NS_PER_S / 1000),
		 (double)(n.user - u->user) * 100 / ns, (double)(n.system - u->system) * 100 / ns, kbytes);
	*u = n;
}
