/* bpf/argmem: its programs run over registers, memory and maps that are made here; and what is read of their ring. */
#include "bpf/argmem.h"
#include "bpf_machine.h"
#include "bpf_ring_fake.h"

enum { RING = 5, PLANS, TASKS, LOST, AGAIN, NR = 56 };

static struct {
	struct bpf_machine m;
	struct asm_prog a;
	uint64_t regs[36], ctx[2], lost, again, tasks;
	struct argmem_plan plan[ARGMEM_PLANS];
	struct argmem_rec rec[2], *to;
	size_t size[2], n_rec;
	bool full, unreadable;
	uint64_t pid_tgid;
	char text[5000];
} k;

static const struct arch_syscall_regs places = { .arg = { 8, 16, 24, 32, 40, 48 }, .number = 120 };
static const struct argmem_maps maps = { RING, PLANS, TASKS, LOST, AGAIN };

/* The element of a map; NULL: none. */
static void *lookup(uint64_t map, uint32_t key)
{
	switch (map) {
	case PLANS: return key < ARGMEM_PLANS ? &k.plan[key] : NULL;
	case TASKS: return k.tasks == key ? &k.tasks : NULL;
	case LOST: return key ? NULL : &k.lost;
	case AGAIN: return k.again == key ? &k.again : NULL;
	default: CHECK_SAY(false, "map %llu", (unsigned long long)map); return NULL;
	}
}

static uint64_t read_user(struct bpf_machine *m, bool string)
{
	const char *from = (const char *)(uintptr_t)m->r[3];
	size_t n = m->r[2];

	if (k.unreadable || from < k.text || from >= k.text + sizeof(k.text))
		return (uint64_t)-EFAULT;
	if (string)
		n = MIN(strnlen(from, n - 1) + 1, n);
	memcpy(machine_at(m, m->r[1], m->r[2]), from, n);
	if (string)
		*(char *)machine_at(m, m->r[1] + n - 1, 1) = '\0';
	return string ? n : 0;
}

static uint64_t reserve(struct bpf_machine *m)
{
	CHECK_EQ(m->r[1], RING);
	if (k.full)
		return 0;
	CHECK(k.n_rec < ARRAY_SIZE(k.rec));
	k.size[k.n_rec] = m->r[2];
	/* What is not asked for is no memory of the program's. */
	machine_memory(m, &k.rec[k.n_rec], m->r[2]);
	return (uintptr_t)&k.rec[k.n_rec++];
}

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	uint32_t key;

	switch (helper) {
	case BPF_PID_TGID: return k.pid_tgid;
	case BPF_KTIME_GET_NS: return 1234;
	case BPF_RINGBUF_RESERVE: return reserve(m);
	case BPF_RINGBUF_SUBMIT: CHECK_EQ(m->r[2], BPF_RB_NO_WAKEUP); return 0;
	case BPF_PROBE_READ_USER: return read_user(m, false);
	case BPF_PROBE_READ_USER_STR: return read_user(m, true);
	case BPF_PROBE_READ_KERNEL:
		memcpy(machine_at(m, m->r[1], m->r[2]), machine_at(m, m->r[3], m->r[2]), m->r[2]);
		return 0;
	case BPF_LOOKUP_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		return (uintptr_t)lookup(m->r[1], key);
	case BPF_UPDATE_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		*(m->r[1] == AGAIN ? &k.again : &k.tasks) = key;
		return 0;
	case BPF_DELETE_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		if (k.again == key && m->r[1] == AGAIN)
			k.again = 0;
		if (k.tasks == key && m->r[1] == TASKS)
			k.tasks = 0;
		return 0;
	default:
		*bad = true;
		return 0;
	}
}

static void set_up(void)
{
	memset(&k, 0, sizeof(k));
	k.m.call = call;
	k.pid_tgid = UINT64_C(7) << 32 | 71;
	k.tasks = 71;
	k.ctx[0] = (uintptr_t)k.regs;
	k.ctx[1] = NR;
	k.regs[15] = NR;
	memcpy(k.text, "/etc/passwd", sizeof("/etc/passwd"));
}

static void run(enum argmem_when when, bool all)
{
	const struct argmem_want w = { .regs = &places, .self = 8, .all = all };

	k.m.n_memory = 0;
	k.n_rec = 0;
	machine_memory(&k.m, k.regs, sizeof(k.regs));
	machine_memory(&k.m, k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, k.plan, sizeof(k.plan));
	machine_memory(&k.m, &k.lost, 8);
	argmem_build(&k.a, &w, &maps, when);
	CHECK_EQ(asm_end(&k.a, NULL), 0);
	k.m.steps = 0;
	CHECK_EQ(machine_run(&k.m, k.a.v, k.a.n, k.ctx), 0);
	CHECK(k.m.deepest < 64);
}

/* The argument `arg` is so fetched. */
static struct argmem_fetch fetch(unsigned arg, enum argmem_how how, unsigned count, uint32_t most)
{
	return (struct argmem_fetch){ places.arg[arg], how, places.arg[count], 1, most };
}

static void set_arg(unsigned arg, uint64_t v)
{
	k.regs[places.arg[arg] / 8] = v;
}

static uint64_t text_at(size_t off)
{
	return (uintptr_t)k.text + off;
}

TEST(argmem_reads_a_string_where_a_call_begins)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	set_arg(1, text_at(0));
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 1);
	CHECK_EQ(k.size[0], offsetof(struct argmem_rec, part[1]));
	CHECK_EQ(k.rec[0].tid, 71);
	CHECK_EQ(k.rec[0].nr, NR);
	CHECK_EQ(k.rec[0].when, ARGMEM_BEGIN);
	CHECK_EQ(k.rec[0].time, 1234);
	CHECK_EQ(k.rec[0].part[0].from, text_at(0));
	CHECK_EQ(k.rec[0].part[0].got, 12);
	CHECK_STR((const char *)k.rec[0].bytes, "/etc/passwd");
	CHECK_EQ(k.again, 0);
}

TEST(argmem_leaves_others_alone)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	set_arg(1, text_at(0));
	k.tasks = 72;
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
	run(ARGMEM_BEGIN, true);
	CHECK_EQ(k.n_rec, 1);
	/* The process itself, of all. */
	k.pid_tgid = UINT64_C(8) << 32 | 80;
	run(ARGMEM_BEGIN, true);
	CHECK_EQ(k.n_rec, 0);
}

TEST(argmem_passes_calls_without_a_plan)
{
	set_up();
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
	k.ctx[1] = (uint64_t)-1;
	run(ARGMEM_BEGIN, false);
	k.ctx[1] = ARGMEM_CALLS;
	k.plan[ARGMEM_CALLS] = (struct argmem_plan){ .n = 1 };
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
}

TEST(argmem_reads_as_much_as_is_said)
{
	set_up();
	memset(k.text, 'x', sizeof(k.text));
	k.plan[NR] = (struct argmem_plan){ .n = 2, .v = { fetch(1, ARGMEM_COUNTED, 2, ARGMEM_BYTES),
							  fetch(3, ARGMEM_FIXED, 0, 16) } };
	set_arg(1, text_at(0));
	set_arg(3, text_at(100));
	set_arg(2, 5);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, 5);
	CHECK_EQ(k.rec[0].part[1].got, 16);
	CHECK_EQ(k.rec[0].bytes[4], 'x');
	CHECK_EQ(k.rec[0].bytes[5], 0);
	CHECK_EQ(k.rec[0].part[1].bytes[15], 'x');
	set_arg(2, UINT64_MAX);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, ARGMEM_BYTES);
	set_arg(2, 0);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, 0);
}

TEST(argmem_reads_again_what_was_not_in_memory)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	set_arg(1, text_at(0));
	k.unreadable = true;
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, -EFAULT);
	CHECK_EQ(k.again, 71);
	k.unreadable = false;
	k.ctx[1] = (uint64_t)-ENOENT;
	run(ARGMEM_AGAIN, false);
	CHECK_EQ(k.n_rec, 1);
	CHECK_EQ(k.rec[0].when, ARGMEM_AGAIN);
	CHECK_STR((const char *)k.rec[0].bytes, "/etc/passwd");
	CHECK_EQ(k.again, 0);
	run(ARGMEM_AGAIN, false);
	CHECK_EQ(k.n_rec, 0);
}

/* No pointer is nothing to read, now or later. */
TEST(argmem_reads_nothing_behind_null)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
	k.plan[NR] = (struct argmem_plan){ .n = 2, .v = { fetch(1, ARGMEM_STRING, 0, 0),
							  fetch(2, ARGMEM_STRING, 0, 0) } };
	set_arg(2, text_at(0));
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, -EFAULT);
	CHECK_EQ(k.rec[0].part[1].got, 12);
	CHECK_EQ(k.again, 0);
}

TEST(argmem_reads_what_a_call_has_filled)
{
	uint32_t n = 3;

	set_up();
	k.plan[ARGMEM_CALLS + NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_RETURNED, 0, ARGMEM_BYTES) } };
	set_arg(1, text_at(0));
	k.ctx[1] = 4;
	run(ARGMEM_END, false);
	CHECK_EQ(k.rec[0].part[0].got, 4);
	CHECK_EQ(k.rec[0].when, ARGMEM_END);
	k.ctx[1] = (uint64_t)-EBADF;
	run(ARGMEM_END, false);
	CHECK_EQ(k.n_rec, 0);
	/* Its length lies behind a pointer. */
	k.ctx[1] = 0;
	memcpy(k.text + 400, &n, sizeof(n));
	set_arg(2, text_at(400));
	k.plan[ARGMEM_CALLS + NR].v[0] = fetch(1, ARGMEM_POINTED, 2, 128);
	run(ARGMEM_END, false);
	CHECK_EQ(k.rec[0].part[0].got, 3);
}

TEST(argmem_gives_long_strings_a_record_of_their_own)
{
	set_up();
	memset(k.text, 'y', 1000);
	k.text[1000] = 0;
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	set_arg(1, text_at(0));
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 2);
	CHECK_EQ(k.rec[0].part[0].got, ARGMEM_BYTES);
	CHECK_EQ(k.rec[1].when, ARGMEM_LONG);
	CHECK_EQ(k.rec[1].part[0].got, 1001);
	CHECK_EQ(k.rec[1].part[0].from, text_at(0));
	CHECK_EQ(k.rec[1].tid, 71);
	CHECK_EQ(strlen((const char *)k.rec[1].bytes), 1000);
}

TEST(argmem_reads_five_arguments_each_in_its_part)
{
	const char *p = k.text + 3000;

	set_up();
	memset(k.text + 3000, 'y', 1000);
	memcpy(k.text + 200, "\1\2\3\4\5\6\7\10", 8);
	k.plan[NR] = (struct argmem_plan){ .n = 5, .v = {
		fetch(0, ARGMEM_STRING, 0, 0), fetch(1, ARGMEM_FIXED, 0, 8), fetch(2, ARGMEM_STRING, 0, 0),
		fetch(3, ARGMEM_BITS, 5, ARGMEM_BYTES), fetch(4, ARGMEM_STRING, 0, 0),
	} };
	set_arg(0, text_at(0));
	set_arg(1, text_at(200));
	set_arg(2, (uintptr_t)p);
	set_arg(3, text_at(200));
	set_arg(4, 1);
	set_arg(5, 3);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 2);
	CHECK_EQ(k.size[0], offsetof(struct argmem_rec, part[5]));
	CHECK_STR((const char *)k.rec[0].part[0].bytes, "/etc/passwd");
	CHECK(!memcmp(k.rec[0].part[1].bytes, k.text + 200, 8));
	CHECK_EQ(k.rec[0].part[2].got, ARGMEM_BYTES);
	CHECK_EQ(k.rec[0].part[3].got, 8);
	CHECK_EQ(k.rec[0].part[4].got, -EFAULT);
	CHECK_EQ(k.again, 71);
	CHECK_EQ(k.rec[1].when, ARGMEM_LONG);
	CHECK_EQ(k.rec[1].from, (uintptr_t)p);
	CHECK_EQ(k.rec[1].got, 1001);
}

TEST(argmem_reads_what_a_pack_points_to)
{
	uint64_t pack[] = { text_at(500), 8 };

	set_up();
	memcpy(k.text + 400, pack, sizeof(pack));
	memcpy(k.text + 500, "12345678", 8);
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(5, ARGMEM_ARGPACK, 0, 16) } };
	set_arg(5, text_at(400));
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].from, text_at(400));
	CHECK_EQ(k.rec[0].part[0].got, 24);
	CHECK(!memcmp(k.rec[0].part[0].bytes, pack, 16) && !memcmp(k.rec[0].part[0].bytes + 16, "12345678", 8));
	/* To nothing; to what is not there. */
	memset(k.text + 400, 0, 8);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, 16);
	k.text[400] = 1;
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, -EFAULT);
	CHECK_EQ(k.again, 71);
}

static struct argmem_item item(unsigned i)
{
	struct argmem_item it;

	memcpy(&it, k.rec[0].bytes + i * sizeof(it), sizeof(it));
	return it;
}

TEST(argmem_reads_so_many_of_a_size)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 2, .v = { fetch(1, ARGMEM_COUNTED, 2, ARGMEM_BYTES),
							  fetch(3, ARGMEM_BITS, 2, ARGMEM_BYTES) } };
	k.plan[NR].v[0].each = 8;
	set_arg(1, text_at(0));
	set_arg(3, text_at(0));
	set_arg(2, 3);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, 24);
	CHECK_EQ(k.rec[0].part[1].got, 8);
	set_arg(2, 65);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, ARGMEM_BYTES);
	CHECK_EQ(k.rec[0].part[1].got, 16);
	set_arg(2, UINT64_MAX);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, ARGMEM_BYTES);
	CHECK_EQ(k.rec[0].part[1].got, 0);
	CHECK_EQ(k.n_rec, 1);
}

TEST(argmem_reads_what_a_list_of_strings_points_to)
{
	uint64_t list[] = { text_at(0), text_at(200), 5, text_at(5), 0, text_at(0) };

	set_up();
	memset(k.text + 200, 'y', 100);
	memcpy(k.text + 1000, list, sizeof(list));
	k.plan[argmem_plans_of(ARGMEM_LIST_BEGIN) + NR] =
		(struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_LIST, 0, 0) } };
	set_arg(1, text_at(1000));
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.n_rec, 1);
	CHECK_EQ(k.size[0], offsetof(struct argmem_rec, bytes) + ARGMEM_ITEMS * sizeof(struct argmem_item));
	CHECK_EQ(k.rec[0].when, ARGMEM_LIST_BEGIN);
	CHECK_EQ(k.rec[0].part[0].from, text_at(1000));
	CHECK_EQ(k.rec[0].part[0].got, 4);
	CHECK_EQ(item(0).got, 12);
	CHECK_STR((const char *)item(0).text, "/etc/passwd");
	CHECK_EQ(item(1).got, ARGMEM_TEXT);
	CHECK_EQ(item(2).got, -EFAULT);
	CHECK_EQ(item(2).from, 5);
	CHECK_STR((const char *)item(3).text, "passwd");
	/* Without an end. */
	for (unsigned i = 0; i < 30; i++)
		memcpy(k.text + 1000 + 8 * i, list, 8);
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.rec[0].part[0].got, ARGMEM_ITEMS);
	set_arg(1, 0);
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.n_rec, 0);
}

/* As far as they are in memory, whole parts of them. */
TEST(argmem_reads_the_pointers_of_an_environment)
{
	enum { LIST = 1000, ENV = 2000, PAST = sizeof(k.text) - ENV };
	uint64_t one = 1;

	set_up();
	for (unsigned i = 0; i < PAST / 8; i++)
		memcpy(k.text + ENV + 8 * i, &one, 8);
	k.plan[argmem_plans_of(ARGMEM_LIST_BEGIN) + NR] =
		(struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_LIST, 0, 0), { .from = places.arg[2] } } };
	set_arg(1, text_at(LIST));
	set_arg(2, text_at(ENV));
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.n_rec, 2);
	CHECK_EQ(k.size[1], offsetof(struct argmem_rec, bytes) + 8 * ARGMEM_VARS);
	CHECK_EQ(k.rec[1].when, ARGMEM_ENV);
	CHECK_EQ(k.rec[1].nr, NR);
	CHECK_EQ(k.rec[1].tid, 71);
	CHECK_EQ(k.rec[1].part[0].from, text_at(ENV));
	CHECK_EQ(k.rec[1].part[0].got, 8 * ARGMEM_VARS);
	CHECK(!memcmp(k.rec[1].bytes, k.text + ENV, 8 * ARGMEM_VARS));
	/* Not once more where nothing is meant, nor for vectors, nor where there is no room. */
	set_arg(2, 0);
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.n_rec, 1);
	set_arg(2, text_at(ENV));
	k.unreadable = true;
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.rec[1].part[0].got, 0);
	k.unreadable = false;
	k.plan[argmem_plans_of(ARGMEM_LIST_BEGIN) + NR].v[0].how = ARGMEM_VECTOR;
	run(ARGMEM_LIST_BEGIN, false);
	CHECK_EQ(k.n_rec, 1);
}

TEST(argmem_reads_what_vectors_and_messages_point_to)
{
	uint64_t list[] = { text_at(0), 4, text_at(0), 1000, 0, 0, 7, 3 };
	uint64_t message[] = { 0, 0, text_at(1000), 2 };

	set_up();
	memcpy(k.text + 1000, list, sizeof(list));
	memcpy(k.text + 2000, message, sizeof(message));
	k.plan[argmem_plans_of(ARGMEM_LIST_END) + NR] =
		(struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_VECTOR, 2, 0) } };
	set_arg(1, text_at(1000));
	set_arg(2, 4);
	k.ctx[1] = 40;
	run(ARGMEM_LIST_END, false);
	CHECK_EQ(k.rec[0].part[0].got, 4);
	CHECK_EQ(item(0).got, 4);
	CHECK_EQ(item(0).len, 4);
	CHECK(!memcmp(item(0).text, "/etc", 4));
	CHECK_EQ(item(1).got, ARGMEM_TEXT);
	CHECK_EQ(item(1).len, 1000);
	CHECK_EQ(item(2).len, 0);
	CHECK_EQ(item(3).got, -EFAULT);
	k.ctx[1] = (uint64_t)-EBADF;
	run(ARGMEM_LIST_END, false);
	CHECK_EQ(k.n_rec, 0);
	k.ctx[1] = 0;
	k.plan[argmem_plans_of(ARGMEM_LIST_END) + NR].v[0].how = ARGMEM_MESSAGE;
	set_arg(1, text_at(2000));
	run(ARGMEM_LIST_END, false);
	CHECK_EQ(k.rec[0].part[0].got, 2);
	CHECK_EQ(k.rec[0].part[0].from, text_at(2000));
	CHECK_EQ(item(1).len, 1000);
}

TEST(argmem_counts_what_had_no_room)
{
	set_up();
	k.plan[NR] = (struct argmem_plan){ .n = 1, .v = { fetch(1, ARGMEM_STRING, 0, 0) } };
	set_arg(1, text_at(0));
	k.full = true;
	run(ARGMEM_BEGIN, false);
	run(ARGMEM_BEGIN, false);
	CHECK_EQ(k.lost, 2);
}

TEST(argmem_follows_children_until_they_end)
{
	struct { uint64_t pad[3]; uint32_t pid; } child = { .pid = 99 };

	set_up();
	k.ctx[1] = (uintptr_t)&child;
	machine_memory(&k.m, k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, &child, sizeof(child));
	argmem_build_fork(&k.a, &maps, 24);
	CHECK_EQ(asm_end(&k.a, NULL), 0);
	machine_run(&k.m, k.a.v, k.a.n, k.ctx);
	CHECK_EQ(k.tasks, 99);
	/* Of somebody else's. */
	child.pid = 100;
	machine_run(&k.m, k.a.v, k.a.n, k.ctx);
	CHECK_EQ(k.tasks, 99);
	k.pid_tgid = 99;
	argmem_build_exit(&k.a, &maps);
	CHECK_EQ(asm_end(&k.a, NULL), 0);
	machine_run(&k.m, k.a.v, k.a.n, k.ctx);
	CHECK_EQ(k.tasks, 0);
}

/* --- the ring --- */

TEST(argmem_ring_gives_what_is_finished)
{
	struct bpf_ring r;
	uint64_t tail;
	const uint8_t *p;
	size_t n = 0;

	CHECK_EQ(bpf_ring_init(&r, &ring_sys, 3, RING_BYTES), 0);
	CHECK(!bpf_ring_next(&r, &n));
	write_ring(0, "one", 4);
	write_ring(UINT32_C(1) << 30, "thrown away", 12);
	write_ring(0, "three", 6);
	write_ring(UINT32_C(1) << 31, "not yet", 8);
	p = bpf_ring_next(&r, &n);
	CHECK(p && n == 4 && !strcmp((const char *)p, "one"));
	p = bpf_ring_next(&r, &n);
	CHECK(p && n == 6 && !strcmp((const char *)p, "three"));
	CHECK(!bpf_ring_next(&r, &n));
	bpf_ring_release(&r);
	memcpy(&tail, ring.ours, sizeof(tail));
	CHECK_EQ(tail, 16 + 24 + 16);
	bpf_ring_deinit(&r, &ring_sys);
}

TEST(argmem_ring_joins_a_record_at_its_end)
{
	uint8_t big[RING_BYTES - 100];
	struct bpf_ring r;
	const uint8_t *p;
	size_t n = 0;

	memset(big, 1, sizeof(big));
	CHECK_EQ(bpf_ring_init(&r, &ring_sys, 3, RING_BYTES), 0);
	write_ring(0, big, sizeof(big));
	CHECK(bpf_ring_next(&r, &n) && n == sizeof(big));
	memset(big, 2, 200);
	write_ring(0, big, 200);
	p = bpf_ring_next(&r, &n);
	CHECK(p && n == 200 && p[0] == 2 && p[199] == 2);
	/* A length that cannot be is none. */
	write_ring(0, big, 8);
	ring.theirs[RING_PAGE + ((ring.head - 16) & (RING_BYTES - 1)) + 2] = 0xff;
	CHECK(!bpf_ring_next(&r, &n));
	bpf_ring_deinit(&r, &ring_sys);
}

TEST(argmem_believes_no_count_beyond_its_record)
{
	struct argmem m = { .want = { .sys = &ring_sys } };
	struct argmem_rec rec = { .tid = 5, .part = { { .got = ARGMEM_BYTES + 1 }, { .got = 9 } } }, got;

	CHECK_EQ(bpf_ring_init(&m.ring, &ring_sys, 3, RING_BYTES), 0);
	write_ring(0, &rec, offsetof(struct argmem_rec, bytes) + ARGMEM_BYTES);
	rec.when = ARGMEM_LONG;
	rec.got = 2000;
	write_ring(0, &rec, offsetof(struct argmem_rec, bytes) + 1000);
	CHECK(argmem_next(&m, &got));
	CHECK_EQ(got.tid, 5);
	CHECK_EQ(got.part[0].got, -EFAULT);
	CHECK_EQ(got.part[1].got, -ENOENT);
	CHECK(argmem_next(&m, &got));
	CHECK_EQ(got.got, -EFAULT);
	CHECK(!argmem_next(&m, &got));
	bpf_ring_deinit(&m.ring, &ring_sys);
}

TEST(argmem_counts_records_of_a_size_that_none_has)
{
	struct argmem m = { .want = { .sys = &ring_sys } };
	struct argmem_rec rec = { .tid = 5, .part = { { .got = 9 } } }, got = { 0 };

	CHECK_EQ(bpf_ring_init(&m.ring, &ring_sys, 3, RING_BYTES), 0);
	write_ring(0, &rec, sizeof(rec));
	write_ring(0, &rec, offsetof(struct argmem_rec, bytes) - 1);
	write_ring(0, (uint8_t[sizeof(rec) + 1]){ 0 }, sizeof(rec) + 1);
	rec.tid = 6;
	write_ring(0, &rec, sizeof(rec));
	write_ring(0, &rec, 0);
	CHECK(argmem_next(&m, &got) && got.tid == 5);
	CHECK(argmem_next(&m, &got) && got.tid == 6);
	CHECK(!argmem_next(&m, &got));
	CHECK_EQ(argmem_lost(&m), 3);
	bpf_ring_deinit(&m.ring, &ring_sys);
}
