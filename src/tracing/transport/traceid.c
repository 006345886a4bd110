/* traceid.c - see traceid.h. */
#include "tracing/transport/traceid.h"

#include "sys/child.h"

#include <sys/utsname.h>
#include <time.h>

#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * FNV_PRIME;
	return h;
}

uint64_t traceid_make(const struct sys *sys)
{
	uint64_t t[2] = { sys->now(sys, CLOCK_REALTIME), sys->now(sys, CLOCK_MONOTONIC) }, h;
	int pid = sys_self();
	struct utsname u;

	h = mix(mix(UINT64_C(0xcbf29ce484222325), t, sizeof(t)), &pid, sizeof(pid));
	if (!sys->uname(sys, &u))
		h = mix(h, u.nodename, strlen(u.nodename));
	return h ? h : 1;
}
