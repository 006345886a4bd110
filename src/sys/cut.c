/* cut.c - maps zero pages over those that are missing. */
#include "sys/cut.h"

#include <sys/mman.h>
#include <unistd.h>

bool cut_fill(struct mapped_files *fs, const void *addr)
{
	struct mapped *m = mapped_at(fs, addr);
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)addr & ~(page - 1), end;

	if (!m)
		return false;
	end = ((uintptr_t)m->p + m->n + page - 1) & ~(page - 1);
	m->cut = true;
	return mmap((void *)from, end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
		    0) != MAP_FAILED;
}
