/*
 * bpfburn.c - BPF programs that take time, for recordings in which they are to be found.
 *
 *   bpfburn SECONDS       loads two programs, hangs them into the system calls getppid and getuid, prints a line
 *                         "ready", and makes these calls for so long
 *
 * The first has only the name of its loading ("burn_by_name"); the second one has types, which tell a name that is
 * longer ("burn_by_type_longer_than_a_name"). Exit status 77: this kernel or this user has no BPF, with the reason.
 */
#include "hang.h"

#include <time.h>

enum { STEPS = 4000 };

/* r0 = 1; r0 *= 3; r0 *= 3 ...; return 0, so that nothing else looks at the call. */
static size_t assemble(struct bpf_insn *v)
{
	size_t n = 0;

	v[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 };
	while (n < STEPS)
		v[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MUL | BPF_K, .imm = 3 };
	v[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 0 };
	v[n++] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	return n;
}

/* An int, a function of nothing that returns it, and that function with its name. */
static int load_types(void)
{
	static const char strings[] = "\0int\0burn_by_type_longer_than_a_name";
	static const uint32_t types[] = {
		1, 1u << 24, 4, 1u << 24 | 32,    /* [1] INT, signed, 32 bits */
		0, 13u << 24, 1,                  /* [2] FUNC_PROTO without parameters */
		5, 12u << 24, 2,                  /* [3] FUNC */
	};
	const uint32_t head[] = { 1u << 16 | 0xeb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };
	static char all[256];
	union bpf_attr attr = { .btf = (uintptr_t)all, .btf_size = sizeof(head) + sizeof(types) + sizeof(strings) };

	memcpy(all, head, sizeof(head));
	memcpy(all + sizeof(head), types, sizeof(types));
	memcpy(all + sizeof(head) + sizeof(types), strings, sizeof(strings));
	return (int)bpf(BPF_BTF_LOAD, &attr);
}

static int load(const char *name, int types)
{
	static struct bpf_insn code[STEPS + 8];
	static const struct bpf_func_info info = { .insn_off = 0, .type_id = 3 };
	union bpf_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACEPOINT;
	attr.insn_cnt = (uint32_t)assemble(code);
	attr.insns = (uintptr_t)code;
	attr.license = (uintptr_t)"GPL";
	strncpy(attr.prog_name, name, sizeof(attr.prog_name) - 1);
	if (types >= 0) {
		attr.prog_btf_fd = (uint32_t)types;
		attr.func_info = (uintptr_t)&info;
		attr.func_info_cnt = 1;
		attr.func_info_rec_size = sizeof(info);
	}
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0)
		leave("cannot load a program");
	return (int)fd;
}

static void hang_in_call(const char *event, int prog)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = event_id(event), .sample_period = 1 };

	hang_in(&attr, prog);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double until = argc > 1 ? atof(argv[1]) : 1;
	int types = load_types();

	if (types < 0)
		leave("cannot load types");
	hang_in_call("syscalls/sys_enter_getppid", load("burn_by_name", -1));
	hang_in_call("syscalls/sys_enter_getuid", load("burn_by_name", types));
	puts("ready");
	fflush(stdout);
	for (until += now(); now() < until; )
		for (int i = 0; i < 20; i++) {
			syscall(SYS_getppid);
			syscall(SYS_getuid);
		}
	return 0;
}
