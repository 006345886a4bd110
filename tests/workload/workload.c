/*
 * workload.c - a program that does a known amount of known things, so that a profile or a count of it can be wrong.
 *
 *   faults N      touch N pages that were never touched
 *   switches N    block N times (a voluntary context switch each)
 *   forks N       fork N children that exit at once
 *   syscalls N    call getppid N times
 *   shape MS      run for MS ms of CPU time: 60 % in hot_a, 30 % in hot_b, 10 % in hot_c
 *   tree MS       the same leaf from two callers: 75 % through left(), 25 % through right()
 *   leaves MS     the same from two callers that keep frame records, by a leaf that keeps none
 *   threads N MS  N threads named worker-0.., each spins for MS ms of CPU time
 *   procs N MS    N processes that run `shape MS`
 *   waits         sleep three times for 100 ms in sleeps_here(), then wait 200 ms for another process in waits_here()
 *   calls N       N sleeps of 10 ms, 3 N opens of files that are not there, 2 N reads of a byte of /dev/zero
 *   blocks        take blocks and give some of them back: in keeps_here() 100 of 64 bytes stay, in keeps_large_here()
 *                 20 of 1000, in returns_here() 50 of 300 do not; and 40 messages of 1000 bytes stay in the kernel,
 *                 30 of 500 do not
 *   writes N      write 1 .. N into `watched`, four bytes, and read it as often
 *   where         say where `watched` is
 *   reval N FLOWS N rounds of two threads over so many flows, with the functions and markers of Open vSwitch's
 *                 revalidators
 *   loop N US     N turns of a main loop that run for US us and wait for 5 ms in poll_block(), with Open vSwitch's
 *                 markers; says what they were: turns, ns that ran, ns that waited
 *   rx SECONDS    poll by rx_burst(): of 16 polls one returns 8 and one 32, the others none, and each of these takes as
 *                 long; a thread called pmd-c00/id:1, which says how many polls and how many ns a packet took
 *   programs      say how many BPF programs the kernel has
 *   printk N      the kernel prints N lines into its trace, "printed 0" and so on, by a BPF program
 *   exit N        end with status N
 *   demo MS       procs, a tree, system calls, file reading and sleeping together
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* All at the same place in a line of the instruction cache: where a loop crosses one changes how fast it is. */
#define NOINLINE __attribute__((noinline, aligned(64)))

static volatile uint64_t sink;

/*
 * A unit of work that belongs to the function it stands in: no call and no memory, a chain of multiplications that
 * takes as long every time. (Through memory, short loops were slower than long ones: processors learn to forward a
 * store.)
 */
#define BURN(units) \
	do { \
		/* Asking for the frame's address keeps the frame record that leaf functions may leave out. */ \
		__asm__ volatile("" : : "r"(__builtin_frame_address(0))); \
		BURN_WITHOUT_FRAME(units); \
	} while (0)

#define BURN_WITHOUT_FRAME(units) \
	do { \
		uint64_t x_ = 1; \
\
		for (uint64_t i_ = 0; i_ < (uint64_t)(units) * 1000; i_++) { \
			x_ = x_ * 6364136223846793005u + i_; \
			__asm__ volatile("" : "+r"(x_)); \
		} \
	} while (0)

static NOINLINE void hot_a(uint64_t n) { BURN(n * 6); }
static NOINLINE void hot_b(uint64_t n) { BURN(n * 3); }
static NOINLINE void hot_c(uint64_t n) { BURN(n); }

static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * The size of the next round, 1 to 8 units, in no order: rounds of one length fall into step with the sampling clock,
 * and each sample hits the function that the one before it hit. (Multiplier: Knuth's for MMIX.)
 */
static uint64_t next_round(void)
{
	static uint64_t x;

	x = x * 6364136223846793005u + 1442695040888963407u;
	return 1 + (x >> 61);
}

static NOINLINE void shape(uint64_t ms)
{
	uint64_t end = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		uint64_t n = next_round();

		hot_a(n);
		hot_b(n);
		hot_c(n);
	}
}

static NOINLINE void leaf(uint64_t n) { BURN(n); }
static NOINLINE void left(uint64_t n) { leaf(3 * n); sink++; }
static NOINLINE void right(uint64_t n) { leaf(n); sink++; }

static NOINLINE void tree(uint64_t ms)
{
	uint64_t end = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		uint64_t n = next_round();

		left(n);
		right(n);
	}
}

static NOINLINE void bare_leaf(uint64_t n) { BURN_WITHOUT_FRAME(n); }
static NOINLINE void bare_left(uint64_t n) { bare_leaf(3 * n); sink++; }
static NOINLINE void bare_right(uint64_t n) { bare_leaf(n); sink++; }

static NOINLINE void leaves(uint64_t ms)
{
	uint64_t end = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		uint64_t n = next_round();

		bare_left(n);
		bare_right(n);
	}
}

static NOINLINE void touch_pages(uint64_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(3);
	madvise(p, n * page, MADV_NOHUGEPAGE);
	for (uint64_t i = 0; i < n; i++)
		((volatile char *)p)[i * page] = 1;
}

static uint64_t times_blocked(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (uint64_t)r.ru_nvcsw;
}

/* A sleep that is over before the CPU was left is none: an emulated machine's clock runs on. */
static NOINLINE void block(uint64_t n)
{
	struct timespec ts = { .tv_nsec = 200000 };
	uint64_t end = times_blocked() + n;

	while (times_blocked() < end)
		nanosleep(&ts, NULL);
}

static NOINLINE void fork_children(uint64_t n)
{
	while (n--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static NOINLINE void call_kernel(uint64_t n)
{
	while (n--)
		syscall(SYS_getppid);
}

static NOINLINE void *worker(void *arg)
{
	uint64_t *a = arg, end = cpu_ns(CLOCK_THREAD_CPUTIME_ID) + a[1] * 1000000;
	char name[16];

	snprintf(name, sizeof(name), "worker-%u", (unsigned)a[0]);
	prctl(PR_SET_NAME, name);
	while (cpu_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		hot_c(10);
	return NULL;
}

static void threads(uint64_t n, uint64_t ms)
{
	pthread_t t[64];
	uint64_t args[64][2];

	for (uint64_t i = 0; i < n && i < 64; i++) {
		args[i][0] = i;
		args[i][1] = ms;
		if (pthread_create(&t[i], NULL, worker, args[i]))
			exit(3);
	}
	for (uint64_t i = 0; i < n && i < 64; i++)
		pthread_join(t[i], NULL);
}

static void processes(uint64_t n, void (*run)(uint64_t), uint64_t arg)
{
	for (uint64_t i = 0; i < n; i++) {
		if (!fork()) {
			run(arg);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

static NOINLINE void read_files(uint64_t rounds)
{
	char buf[65536];

	while (rounds--) {
		int fd = open("/proc/self/exe", O_RDONLY);

		while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
			;
		close(fd);
	}
}

static void demo(uint64_t ms)
{
	if (!fork()) {
		prctl(PR_SET_NAME, "demo-calls");
		for (uint64_t end = cpu_ns(CLOCK_MONOTONIC) + ms * 1000000; cpu_ns(CLOCK_MONOTONIC) < end; ) {
			call_kernel(200);
			read_files(2);
			block(1);
		}
		_exit(0);
	}
	if (!fork()) {
		prctl(PR_SET_NAME, "demo-tree");
		tree(ms / 2);
		_exit(0);
	}
	processes(2, shape, ms / 2);
	while (wait(NULL) > 0)
		;
}

static struct bpf_insn insn(uint8_t code, unsigned dst, unsigned src, int off, int imm)
{
	return (struct bpf_insn){
		.code = code, .dst_reg = dst & 15, .src_reg = src & 15, .off = (int16_t)off, .imm = imm,
	};
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Prints its first argument. */
static int printing_program(void)
{
	static const char format[16] = "printed %d";
	int32_t word[4];
	struct bpf_insn v[20];
	unsigned n = 0;

	memcpy(word, format, sizeof(word));
	v[n++] = insn(BPF_LDX | BPF_MEM | BPF_DW, 3, 1, 0, 0);
	for (int i = 0; i < 4; i++)
		v[n++] = insn(BPF_ST | BPF_MEM | BPF_W, 10, 0, i * 4 - 16, word[i]);
	v[n++] = insn(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0);
	v[n++] = insn(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -16);
	v[n++] = insn(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, sizeof("printed %d"));
	v[n++] = insn(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_trace_printk);
	v[n++] = insn(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
	v[n++] = insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);

	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .insn_cnt = n, .insns = (uintptr_t)v,
				.license = (uintptr_t)"GPL" };

	return bpf(BPF_PROG_LOAD, &attr);
}

static void kernel_prints(uint64_t n)
{
	int prog = printing_program();

	for (uint64_t i = 0; i < n; i++) {
		union bpf_attr attr = {
			.test = { .prog_fd = (uint32_t)prog, .ctx_in = (uintptr_t)&i, .ctx_size_in = sizeof(i) },
		};

		if (prog < 0 || bpf(BPF_PROG_TEST_RUN, &attr)) {
			fprintf(stderr, "workload: printk: %s\n", strerror(errno));
			exit(1);
		}
	}
}

/* What waits has a caller with a frame record: chains of such need not have the one that makes the call itself. */
static NOINLINE void sleep_ms(long ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000 };

	nanosleep(&t, NULL);
	sink++;
}

static NOINLINE void sleeps_here(void)
{
	sleep_ms(100);
	sink++;
}

static NOINLINE void take_byte(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		exit(3);
	sink++;
}

static NOINLINE void waits_here(int fd)
{
	take_byte(fd);
	sink++;
}

static void give_byte(int fd)
{
	if (write(fd, "", 1) != 1)
		exit(3);
}

/* The other one sleeps when it is told to, and answers. */
static void wait_known_times(uint64_t n)
{
	int ask[2], answer[2];

	(void)n;
	if (pipe(ask) || pipe(answer))
		exit(3);
	if (!fork()) {
		take_byte(ask[0]);
		sleep_ms(200);
		give_byte(answer[1]);
		_exit(0);
	}
	for (int i = 0; i < 3; i++)
		sleeps_here();
	give_byte(ask[1]);
	waits_here(answer[0]);
	wait(NULL);
}

static NOINLINE void make_calls(uint64_t n)
{
	int fd = open("/dev/zero", O_RDONLY);
	char c;

	while (n--) {
		sleep_ms(10);
		for (int i = 0; i < 3; i++)
			if (open("/nonexistent/file", O_RDONLY) >= 0)
				exit(3);
		if (read(fd, &c, 1) != 1 || read(fd, &c, 1) != 1)
			exit(3);
	}
}

/* Memory of our own: what is known of it is what these two are called with. */
static char pool[1 << 16];

static NOINLINE void *take_block(size_t size)
{
	static size_t used;
	void *p = pool + used;

	used += (size + 15) & ~(size_t)15;
	sink++;
	return used <= sizeof(pool) ? p : NULL;
}

static NOINLINE void give_block(void *p)
{
	__asm__ volatile("" : : "r"(p));
	sink++;
}

static NOINLINE void keeps_here(void)
{
	for (int i = 0; i < 100; i++)
		take_block(64);
	sink++;
}

static NOINLINE void keeps_large_here(void)
{
	for (int i = 0; i < 20; i++)
		take_block(1000);
	sink++;
}

static NOINLINE void returns_here(void)
{
	for (int i = 0; i < 50; i++)
		give_block(take_block(300));
	sink++;
}

/* The kernel keeps a message until it is received; a queue holds 16,384 bytes of them. */
static int send_messages(int n, size_t size)
{
	struct { long type; char text[1000]; } m = { .type = 1 };
	int queue = msgget(IPC_PRIVATE, 0600);

	for (int i = 0; i < n; i++)
		if (msgsnd(queue, &m, size, IPC_NOWAIT))
			exit(3);
	return queue;
}

static void take_known_blocks(uint64_t n)
{
	struct { long type; char text[1000]; } m;
	int queue = send_messages(30, 500);

	(void)n;
	keeps_here();
	keeps_large_here();
	returns_here();
	for (int i = 0; i < 30; i++)
		if (msgrcv(queue, &m, 500, 0, IPC_NOWAIT) != 500)
			exit(3);
	for (int i = 0; i < 4; i++)
		send_messages(10, 1000);
}

/* --- loops of switches --- */

/* As sys/sdt.h leaves it: a note with a place, no semaphore, no arguments. */
#define MARK(provider, name) \
	__asm__ volatile("990:	nop\n" \
			 "	.pushsection .note.stapsdt,\"\",\"note\"\n" \
			 "	.balign 4\n	.4byte 992f-991f, 994f-993f, 3\n" \
			 "991:	.asciz \"stapsdt\"\n992:	.balign 4\n" \
			 "993:	.8byte 990b\n	.8byte _.stapsdt.base\n	.8byte 0\n" \
			 "	.asciz \"" provider "\"\n	.asciz \"" name "\"\n	.asciz \"\"\n" \
			 "994:	.balign 4\n	.popsection\n")

/* The same with three numbers. */
#define MARK3(provider, name, a, b, c) \
	__asm__ volatile("990:	nop\n" \
			 "	.pushsection .note.stapsdt,\"\",\"note\"\n" \
			 "	.balign 4\n	.4byte 992f-991f, 994f-993f, 3\n" \
			 "991:	.asciz \"stapsdt\"\n992:	.balign 4\n" \
			 "993:	.8byte 990b\n	.8byte _.stapsdt.base\n	.8byte 0\n" \
			 "	.asciz \"" provider "\"\n	.asciz \"" name "\"\n	.asciz \"8@%0 8@%1 8@%2\"\n" \
			 "994:	.balign 4\n	.popsection\n" \
			 : : "r"((uint64_t)(a)), "r"((uint64_t)(b)), "r"((uint64_t)(c)))

__asm__("	.pushsection .stapsdt.base,\"aG\",%progbits,.stapsdt.base,comdat\n"
	"	.weak _.stapsdt.base\n	.hidden _.stapsdt.base\n"
	"_.stapsdt.base:	.space 1\n	.size _.stapsdt.base, 1\n	.popsection\n");

void poll_block(void);
int rx_burst(uint64_t turn);

NOINLINE void poll_block(void)
{
	poll(NULL, 0, 5);
	sink++;
}

static NOINLINE void run_turn(uint64_t us)
{
	uint64_t end = cpu_ns(CLOCK_MONOTONIC) + us * 1000;

	while (cpu_ns(CLOCK_MONOTONIC) < end)
		sink++;
}

static void loop(uint64_t n, uint64_t us)
{
	uint64_t ran = 0, waited = 0, at = cpu_ns(CLOCK_MONOTONIC), then;

	for (uint64_t i = 0; i < n; i++) {
		MARK("main", "run_start");
		run_turn(us);
		MARK("main", "poll_block");
		then = cpu_ns(CLOCK_MONOTONIC);
		ran += then - at;
		poll_block();
		at = cpu_ns(CLOCK_MONOTONIC);
		waited += at - then;
	}
	printf("%llu %llu %llu\n", (unsigned long long)n, (unsigned long long)ran, (unsigned long long)waited);
}

/* --- revalidators --- */

void *dpif_flow_dump_create(void *dpif, int terse, void *types);
void *dpif_flow_dump_thread_create(void *dump);
int dpif_flow_dump_next(void *thread, uint64_t *left, int max);
void dpif_operate(void *dpif, void **ops, size_t n);
int dpif_flow_dump_destroy(void *dump);

NOINLINE void *dpif_flow_dump_create(void *dpif, int terse, void *types)
{
	__asm__ volatile("" : "+r"(dpif) : "r"(terse), "r"(types));
	return dpif;
}

NOINLINE void *dpif_flow_dump_thread_create(void *dump)
{
	__asm__ volatile("" : "+r"(dump));
	return dump;
}

NOINLINE int dpif_flow_dump_next(void *thread, uint64_t *left, int max)
{
	int n = *left < (uint64_t)max ? (int)*left : max;

	__asm__ volatile("" : "+r"(thread));
	*left -= (uint64_t)n;
	return n;
}

NOINLINE void dpif_operate(void *dpif, void **ops, size_t n)
{
	__asm__ volatile("" : : "r"(dpif), "r"(ops), "r"(n));
	sink++;
}

NOINLINE int dpif_flow_dump_destroy(void *dump)
{
	__asm__ volatile("" : "+r"(dump));
	return 0;
}

static char datapath;

/* Half of the flows; one of ten is checked, and one of each hundred is removed. */
static void *revalidate(void *arg)
{
	uint64_t left = *(uint64_t *)arg;
	void *thread = dpif_flow_dump_thread_create(&datapath);
	int n;

	while ((n = dpif_flow_dump_next(thread, &left, 50)) > 0) {
		for (int i = 0; i < n; i++) {
			if (i % 10 == 0)
				MARK3("revalidate_ukey__", "entry", &datapath, i, 0);
			MARK3("revalidate", "flow_result", &datapath, i, (left + (uint64_t)i) % 100 == 0);
		}
		if (left % 100 == 0)
			dpif_operate(&datapath, NULL, 1);
	}
	return NULL;
}

/* N rounds over so many flows each: two threads, which take a half each, and 20 ms between one and the next. */
static void revalidators(uint64_t n, uint64_t flows)
{
	uint64_t half = flows / 2;
	pthread_t other;

	for (uint64_t i = 0; i < n; i++) {
		void *dump = dpif_flow_dump_create(&datapath, 1, NULL);

		MARK3("udpif_revalidator", "start_dump", &datapath, flows, 0);
		if (pthread_create(&other, NULL, revalidate, &half))
			exit(3);
		revalidate(&half);
		pthread_join(other, NULL);
		dpif_flow_dump_destroy(dump);
		MARK3("udpif_revalidator", "sweep_done", &datapath, flows, 20);
		usleep(20000);
	}
}

NOINLINE int rx_burst(uint64_t turn)
{
	__asm__ volatile("" : "+r"(turn));
	return turn % 16 == 5 ? 8 : turn % 16 == 11 ? 32 : 0;
}

static NOINLINE void work_on(int packets)
{
	BURN(packets);
}

static void receive(uint64_t seconds)
{
	uint64_t end = cpu_ns(CLOCK_MONOTONIC) + seconds * 1000000000, turns = 0, from;

	prctl(PR_SET_NAME, "pmd-c00/id:1");
	from = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < 1000; i++)
		work_on(8);
	printf("%.1f ns\n", (double)(cpu_ns(CLOCK_THREAD_CPUTIME_ID) - from) / 8000);
	fflush(stdout);
	while (turns % 4096 || cpu_ns(CLOCK_MONOTONIC) < end)
		work_on(rx_burst(turns++));
	printf("%llu polls, %.0f a second of CPU time\n", (unsigned long long)turns,
	       (double)turns / (double)(cpu_ns(CLOCK_THREAD_CPUTIME_ID) - from) * 1e9);
}

volatile uint32_t watched;

static NOINLINE void write_here(uint64_t n)
{
	for (uint64_t i = 1; i <= n; i++) {
		watched = (uint32_t)i;
		(void)watched;
	}
}

static unsigned count_programs(void)
{
	union bpf_attr a = { 0 };
	unsigned n = 0;

	while (!syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &a, sizeof(a))) {
		a.start_id = a.next_id;
		n++;
	}
	return n;
}

static uint64_t number(const char *s)
{
	return s ? strtoull(s, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	static const struct mode {
		const char *name;
		void (*run)(uint64_t);
	} modes[] = {
		{"faults", touch_pages}, {"switches", block}, {"forks", fork_children}, {"syscalls", call_kernel},
		{"shape", shape},        {"tree", tree},      {"demo", demo},
		{"printk", kernel_prints}, {"leaves", leaves}, {"waits", wait_known_times},
		{"calls", make_calls},       {"writes", write_here},
		{"blocks", take_known_blocks}, {"rx", receive},
	};
	const char *mode = argc > 1 ? argv[1] : "";
	uint64_t n = number(argc > 2 ? argv[2] : NULL), m = number(argc > 3 ? argv[3] : NULL);

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(mode, modes[i].name)) {
			modes[i].run(n);
			return 0;
		}
	}
	if (!strcmp(mode, "threads"))
		threads(n, m);
	else if (!strcmp(mode, "reval"))
		revalidators(n, m);
	else if (!strcmp(mode, "loop"))
		loop(n, m);
	else if (!strcmp(mode, "procs"))
		processes(n, shape, m);
	else if (!strcmp(mode, "where"))
		printf("%p\n", (void *)&watched);
	else if (!strcmp(mode, "programs"))
		printf("%u\n", count_programs());
	else if (!strcmp(mode, "exit"))
		return (int)n;
	else
		return fprintf(stderr, "workload: unknown mode '%s'\n", mode), 2;
	return 0;
}
