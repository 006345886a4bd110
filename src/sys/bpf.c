/* bpf.c - the call itself. */
#include "sys/bpf.h"

#include "base/base.h"

#include <sys/syscall.h>
#include <unistd.h>

static int live_call(const struct bpf *b UNUSED, int cmd, void *attr, size_t n)
{
	long r = syscall(SYS_bpf, cmd, attr, n);

	return r < 0 ? -errno : (int)r;
}

const struct bpf bpf_live = { .call = live_call };
