#include "sys/self.h"

#include <sys/resource.h>

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

struct self_usage self_usage(void)
{
	struct rusage r = { 0 };

	getrusage(RUSAGE_SELF, &r);
	return (struct self_usage){ ns_of(r.ru_utime), ns_of(r.ru_stime), r.ru_maxrss };
}
