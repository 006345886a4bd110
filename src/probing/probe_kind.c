/* probe_kind.c - read the instruction. */
#include "probing/probe_kind.h"

#include <fcntl.h>

enum { INSN_MAX = 16 };

enum probe_kind probe_kind_at(const struct sys *sys, const char *path, uint64_t file_offset, bool is_return)
{
	uint8_t code[INSN_MAX];
	int fd = is_return ? -1 : sys->open(sys, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	ssize_t n = 0;

	if (is_return)
		return PROBE_OF_PROGRAM_RETURN;
	if (fd >= 0) {
		n = sys->pread(sys, fd, code, sizeof(code), file_offset);
		sys->close(sys, fd);
	}
	return n > 0 ? probe_kind_of_code(arch_native(), code, (size_t)n) : PROBE_OF_PROGRAM;
}
