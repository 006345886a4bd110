/*
 * stall.c - a CPU of this machine stands still for a known time, in the kernel.
 *
 *   stall soft MS     it takes interrupts, and gives the CPU to nobody
 *   stall irq MS      it takes no interrupts
 *
 * A BPF program copies memory until that time is over: in a system call of this process, where preemption is off, or in
 * the interrupt of a timer. Prints how long it took, ns. Exit status 77: this kernel or this user has no BPF.
 */
#include "hang.h"

#include <sys/resource.h>
#include <time.h>

/* Each copy takes 100 us and more; the verifier walks each round, and keeps at most 8192 jumps in mind. */
enum { ROUNDS = 8000, BYTES = 1 << 20 };

/* One value: the time that the program took, and behind it room for copies. */
static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = BYTES + 8, .max_entries = 1,
	};
	struct rlimit any = { RLIM_INFINITY, RLIM_INFINITY };
	long fd;

	/* Before Linux 5.11 maps count as locked memory. */
	setrlimit(RLIMIT_MEMLOCK, &any);
	fd = bpf(BPF_MAP_CREATE, &attr);
	if (fd < 0)
		leave("cannot make a map");
	return (int)fd;
}

static uint64_t value_of(int map)
{
	static uint64_t value[BYTES / 8 + 1];
	uint32_t key = 0;
	union bpf_attr attr = { .map_fd = (uint32_t)map, .key = (uintptr_t)&key, .value = (uintptr_t)value };

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		leave("cannot read a map");
	return value[0];
}

struct code {
	struct bpf_insn v[64];
	uint32_t n;
};

static void put(struct code *c, uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	c->v[c->n++] = (struct bpf_insn){ .code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm };
}

static void call(struct code *c, int32_t helper)
{
	put(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/*
 * r6: the map's value, r7: when it began, r8: rounds. Only in the process `pid`, and only once:
 *	if (pid_tgid >> 32 != pid) return 0; v = lookup(map, 0); if (!v || *v) return 0;
 *	do { probe_read_kernel(v + 8, BYTES, v); *v = ktime() - r7; } while (*v < ns && ++r8 < ROUNDS);
 */
static void assemble(struct code *c, int map, uint64_t ns, int32_t pid)
{
	uint32_t again, out[3], n = 0;

	call(c, BPF_FUNC_get_current_pid_tgid);
	put(c, BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32);
	out[n++] = c->n, put(c, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 0, pid);
	put(c, BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0);
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0);
	put(c, BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4);
	put(c, BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map);
	put(c, 0, 0, 0, 0, 0);
	call(c, BPF_FUNC_map_lookup_elem);
	out[n++] = c->n, put(c, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0);
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, 6, 0, 0, 0);
	put(c, BPF_LDX | BPF_MEM | BPF_DW, 1, 6, 0, 0);
	out[n++] = c->n, put(c, BPF_JMP | BPF_JNE | BPF_K, 1, 0, 0, 0);
	call(c, BPF_FUNC_ktime_get_ns);
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, 7, 0, 0, 0);
	put(c, BPF_ALU64 | BPF_MOV | BPF_K, 8, 0, 0, 0);
	put(c, BPF_LD | BPF_DW | BPF_IMM, 9, 0, 0, (int32_t)(uint32_t)ns);
	put(c, 0, 0, 0, 0, (int32_t)(uint32_t)(ns >> 32));
	again = c->n;
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, 3, 6, 0, 0);
	put(c, BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, BYTES);
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0);
	put(c, BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, 8);
	call(c, BPF_FUNC_probe_read_kernel);
	call(c, BPF_FUNC_ktime_get_ns);
	put(c, BPF_ALU64 | BPF_SUB | BPF_X, 0, 7, 0, 0);
	put(c, BPF_STX | BPF_MEM | BPF_DW, 6, 0, 0, 0);
	put(c, BPF_JMP | BPF_JGE | BPF_X, 0, 9, 2, 0);
	put(c, BPF_ALU64 | BPF_ADD | BPF_K, 8, 0, 0, 1);
	put(c, BPF_JMP | BPF_JLT | BPF_K, 8, 0, (int16_t)(again - c->n - 1), ROUNDS);
	while (n--)
		c->v[out[n]].off = (int16_t)(c->n - out[n] - 1);
	put(c, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
	put(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int load(int map, enum bpf_prog_type type, uint64_t ns)
{
	struct code c = { .n = 0 };
	union bpf_attr attr;
	long fd;

	assemble(&c, map, ns, getpid());
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insn_cnt = c.n;
	attr.insns = (uintptr_t)c.v;
	attr.license = (uintptr_t)"GPL";
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0)
		leave("cannot load a program");
	return (int)fd;
}

int main(int argc, char **argv)
{
	uint64_t ns = argc > 2 ? strtoull(argv[2], NULL, 10) * 1000000 : 0;
	struct perf_event_attr attr = { .sample_period = 1 };
	int map;

	if (argc != 3 || !ns)
		return fprintf(stderr, "stall soft|irq MS\n"), 2;
	map = make_map();
	if (!strcmp(argv[1], "soft")) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = event_id("syscalls/sys_enter_getppid");
		hang_in(&attr, load(map, BPF_PROG_TYPE_TRACEPOINT, ns));
		syscall(SYS_getppid);
	} else {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = 1000000;
		hang_in(&attr, load(map, BPF_PROG_TYPE_PERF_EVENT, ns));
		for (clock_t until = clock() + CLOCKS_PER_SEC * 10; !value_of(map) && clock() < until; )
			;
	}
	printf("%llu\n", (unsigned long long)value_of(map));
	return value_of(map) ? 0 : 3;
}
