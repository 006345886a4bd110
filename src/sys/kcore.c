/* kcore.c - reads program headers, then bytes at the offset of the right segment. */
#include "sys/kcore.h"

#include "obj/elf/elf.h"

#include <fcntl.h>

/* Enough for the headers of a machine with memory in a thousand pieces. */
enum { HEADERS = 1 << 16 };

static const char kcore[] = "/proc/kcore";

static bool find(const struct elf *f, uint64_t addr, size_t n, uint64_t *off)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++) {
		if (s.type != ELF_PT_LOAD || addr < s.vaddr || addr - s.vaddr >= s.memsz ||
		    n > s.memsz - (addr - s.vaddr))
			continue;
		*off = s.offset + (addr - s.vaddr);
		return true;
	}
	return false;
}

/* A read may return less than asked for: continue behind it. */
static ssize_t read_all(const struct sys *sys, int fd, uint8_t *to, size_t n, uint64_t off)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = sys->pread(sys, fd, to + done, n - done, off + done);

		if (got < 0)
			return got;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static int read_at(const struct sys *sys, int fd, uint8_t *headers, uint64_t addr, void *to, size_t n)
{
	ssize_t got = read_all(sys, fd, headers, HEADERS, 0);
	struct elf f;
	uint64_t off;

	if (got < 0)
		return (int)got;
	if (elf_init(&f, headers, (size_t)got, NULL))
		return -EBADMSG;
	if (!find(&f, addr, n, &off))
		return -ENXIO;
	got = read_all(sys, fd, to, n, off);
	return got < 0 ? (int)got : (size_t)got < n ? -EIO : 0;
}

int sys_kcore_read(const struct sys *sys, uint64_t addr, void *to, size_t n, struct err *e)
{
	int fd = sys->open(sys, kcore, O_RDONLY, 0), r;
	uint8_t *headers = fd < 0 ? NULL : malloc(HEADERS);

	if (fd < 0)
		return err_set(e, -fd, "%s: %s%s", kcore, err_name(-fd),
			       fd == -ENOENT ? " (this kernel was built without CONFIG_PROC_KCORE)" : "");
	r = headers ? read_at(sys, fd, headers, addr, to, n) : -ENOMEM;
	free(headers);
	sys->close(sys, fd);
	return r ? err_set(e, -r, "%s: the kernel's code at %llx cannot be read: %s", kcore, (unsigned long long)addr,
			   err_name(-r)) : 0;
}
