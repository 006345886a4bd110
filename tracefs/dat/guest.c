/* guest.c - see guest.h. Byte order is this machine's. */
#include "tracefs/dat/guest.h"

void tguest_put(struct out *o, const struct tguest *g)
{
	out_bytes(o, g->name, strlen(g->name) + 1);
	out_bytes(o, &g->id, sizeof(g->id));
	out_bytes(o, &g->ncpus, sizeof(g->ncpus));
	for (uint32_t cpu = 0; cpu < g->ncpus; cpu++) {
		int32_t pid = g->pids ? g->pids[cpu] : -1;

		out_bytes(o, &cpu, sizeof(cpu));
		out_bytes(o, &pid, sizeof(pid));
	}
}
