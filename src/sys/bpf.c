/* bpf.c - the system call. */
#include "sys/bpf.h"

#include "abi/bpf.h"
#include "base/base.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ask(int cmd, void *attr, size_t n)
{
	long r = syscall(SYS_bpf, cmd, attr, n);

	return r < 0 ? -errno : (int)r;
}

/*
 * Before 5.11 new maps and programs count as locked memory: lift the limit for this call only, since perf rings and the
 * workload keep the old one.
 */
static int ask_unlimited(int cmd, void *attr, size_t n)
{
	struct rlimit was, none = { RLIM_INFINITY, RLIM_INFINITY };
	int r;

	/* By system call: the C library's setrlimit would stop all threads first, for kernels before 2.6.36. */
	if (syscall(SYS_prlimit64, 0, RLIMIT_MEMLOCK, &none, &was))
		return -EPERM;
	r = ask(cmd, attr, n);
	syscall(SYS_prlimit64, 0, RLIMIT_MEMLOCK, &was, NULL);
	return r;
}

static int live_call(const struct bpf *b UNUSED, int cmd, void *attr, size_t n)
{
	return ask(cmd, attr, n);
}

static int making_call(const struct bpf *b UNUSED, int cmd, void *attr, size_t n)
{
	int r = ask(cmd, attr, n);

	return r == -EPERM && (cmd == BPF_MAP_CREATE || cmd == BPF_PROG_LOAD) ? ask_unlimited(cmd, attr, n) : r;
}

const struct bpf bpf_live = { .call = live_call };
const struct bpf bpf_making = { .call = making_call };
