/* facts_head.c - the build-id from the first page of a file. */
#include "machine/facts.h"
#include "obj/elf/elf.h"

#include <sys/stat.h>

bool facts_head_build_id(const struct sys *sys, int fd, struct build_id *id)
{
	uint64_t head[512];
	struct stat st;
	struct elf elf;
	ssize_t n;

	if (sys->fstat(sys, fd, &st) || !S_ISREG(st.st_mode))
		return false;
	n = sys->pread(sys, fd, head, sizeof(head), 0);
	return n > 0 && !elf_init(&elf, head, (size_t)n, NULL) && build_id_of(&elf, id);
}
