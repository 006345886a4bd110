/* bpf/tally: what its programs count, over maps that are made here; and what is read of a kernel's. */
#include "analyse/spread.h"
#include "bpf/tally.h"
#include "bpf_machine.h"

enum { COUNTS = 11, BOUNDS, EXTREMES, LOSSES, BEGUN, STACKS, ENTRIES = 2048 };

/* A hash map of the kernel: entries by their whole key. */
struct fake_map {
	size_t key_size, n, most;
	struct { uint8_t key[40]; uint64_t v[2]; } e[ENTRIES];
};

static struct {
	struct fake_map map[5];
	struct bpf_machine m;
	struct asm_prog a;
	uint64_t ctx[4];
	uint32_t cpu, tid;
	uint64_t now;
	int64_t stackid[2][TALLY_STACK_MAPS];   /* of the kernel and the program, in each map */
	uint64_t pt_regs[40];
} k;

static const int stack_maps[TALLY_STACK_MAPS] = { STACKS, STACKS + 1, STACKS + 2, STACKS + 3 };

static struct fake_map *map_of(uint64_t fd)
{
	CHECK(fd >= COUNTS && fd <= BEGUN);
	return &k.map[fd - COUNTS];
}

static uint64_t *find(struct fake_map *m, const void *key)
{
	for (size_t i = 0; i < m->n; i++)
		if (!memcmp(m->e[i].key, key, m->key_size))
			return m->e[i].v;
	return NULL;
}

static int put(struct fake_map *m, const void *key, const void *value, bool only_new)
{
	uint64_t *v = find(m, key);

	if (v && only_new)
		return -EEXIST;
	if (!v && m->n == m->most)
		return -E2BIG;
	if (!v) {
		memcpy(m->e[m->n].key, key, m->key_size);
		v = m->e[m->n++].v;
	}
	memcpy(v, value, 16);
	return 0;
}

static int drop(struct fake_map *m, const void *key)
{
	for (size_t i = 0; i < m->n; i++)
		if (!memcmp(m->e[i].key, key, m->key_size)) {
			m->e[i] = m->e[--m->n];
			return 0;
		}
	return -ENOENT;
}

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	struct fake_map *map;

	if (helper == BPF_CPU_ID)
		return k.cpu;
	if (helper == BPF_PID_TGID)
		return 5ull << 32 | k.tid;
	if (helper == BPF_KTIME_GET_NS)
		return k.now;
	if (helper == BPF_CURRENT_TASK_BTF)
		return 1;
	if (helper == BPF_TASK_PT_REGS)
		return (uintptr_t)k.pt_regs;
	if (helper == BPF_COMM) {
		CHECK_EQ(m->r[2], 16);
		memcpy(machine_at(m, m->r[1], 16), "worker\0\0\0\0\0\0\0\0\0", 16);
		return 0;
	}
	if (helper == BPF_GET_STACKID) {
		CHECK_EQ(m->r[1], (uintptr_t)k.ctx);
		return (uint64_t)k.stackid[m->r[3] == BPF_STACK_OF_USER][m->r[2] - STACKS];
	}
	*bad = helper != BPF_LOOKUP_ELEM && helper != BPF_UPDATE_ELEM && helper != BPF_DELETE_ELEM;
	if (*bad)
		return 0;
	map = map_of(m->r[1]);
	machine_at(m, m->r[2], map->key_size);
	if (helper == BPF_DELETE_ELEM)
		return (uint64_t)(int64_t)drop(map, (void *)(uintptr_t)m->r[2]);
	if (helper == BPF_LOOKUP_ELEM)
		return (uintptr_t)find(map, (void *)(uintptr_t)m->r[2]);
	machine_at(m, m->r[3], 16);
	CHECK(m->r[4] <= 1);
	return (uint64_t)(int64_t)put(map, (void *)(uintptr_t)m->r[2], (void *)(uintptr_t)m->r[3], m->r[4]);
}

static void build(const struct tally_event *ev, uint32_t index, struct asm_prog *to)
{
	const struct tally_maps maps = { COUNTS, BOUNDS, EXTREMES, LOSSES, BEGUN, NULL, stack_maps };
	struct code c = { .event = ev->event, .read = BPF_PROBE_READ_KERNEL };
	struct err e = { 0 };

	/* The argument is what is counted. */
	if (ev->n_num)
		c.fetched[c.n_fetched++] = (struct code_fetched){ .field = ev->num[0]->field };
	CHECK_SAY(!tally_build(to, ev, index, &c, &maps, &e), "%s", e.text);
}

static void set_up(const struct tally_event *ev)
{
	const size_t sizes[] = { !ev->is_by_stack ? 16 : ev->lr ? 40 : 32, 16, 24, 4, 8 };
	uint64_t zero[2] = { 0 };

	memset(&k, 0, sizeof(k));
	k.m.call = call;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		k.map[i].key_size = sizes[i];
		k.map[i].most = ENTRIES;
		machine_memory(&k.m, k.map[i].e, sizeof(k.map[i].e));
	}
	for (uint32_t i = 0; i < 7; i++)
		put(&k.map[LOSSES - COUNTS], &i, zero, true);
	machine_memory(&k.m, k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, k.pt_regs, sizeof(k.pt_regs));
	build(ev, 9, &k.a);
}

static void run(const struct asm_prog *a, uint64_t v)
{
	k.ctx[0] = v;
	k.m.steps = 0;
	CHECK_EQ(machine_run(&k.m, a->v, a->n, k.ctx), 0);
	CHECK(k.m.deepest <= ASM_STACK);
}

static void hit(uint64_t v)
{
	run(&k.a, v);
}

static uint64_t lost(uint32_t which)
{
	return *find(&k.map[LOSSES - COUNTS], &which);
}

static const struct tfield number = { .name = "v", .kind = TFIELD_SCALAR, .size = 8 };
static const struct tfield with_sign = { .name = "v", .kind = TFIELD_SCALAR, .size = 8, .is_signed = true };
static const struct texpr unsigned_number = { .op = TEXPR_FIELD, .field = &number };
static const struct texpr signed_number = { .op = TEXPR_FIELD, .field = &with_sign };

/* The same numbers to both: each power of two and what is beside it, and anything. */
TEST(bpf_tally_fills_the_buckets_of_a_histogram)
{
	const struct tally_event ev = { .event = "made", .num = { &unsigned_number }, .n_num = 1, .is_spread = true };
	struct spread want = { 0 }, got = { 0 };
	uint64_t least = UINT64_MAX, most = 0;

	set_up(&ev);
	for (unsigned i = 0; i < 1500; i++) {
		uint64_t v = i < 320 ? (UINT64_C(1) << i / 5) + i % 5 - 2 : hash_u64(i) >> i % 64;

		hit(v);
		CHECK_EQ(spread_add(&want, v), 0);
	}
	for (size_t i = 0; i < k.map[0].n; i++) {
		uint32_t part;

		memcpy(&part, k.map[0].e[i].key + 12, 4);
		CHECK_EQ(k.map[0].e[i].key[8], 9);
		CHECK_EQ(spread_add_to(&got, part, k.map[0].e[i].v[0], k.map[0].e[i].v[1]), 0);
	}
	for (size_t i = 0; i < k.map[EXTREMES - COUNTS].n; i++) {
		uint64_t v;

		memcpy(&v, k.map[EXTREMES - COUNTS].e[i].key + 16, 8);
		least = MIN(least, v);
		most = MAX(most, v);
	}
	CHECK_EQ(least, want.min);
	CHECK_EQ(most, want.max);
	CHECK_EQ(got.n, want.n);
	got.min = least;
	got.max = most;
	for (unsigned p = 0; p <= 1000; p++)
		CHECK_EQ(spread_at(&got, p), spread_at(&want, p));
	spread_clear(&want);
	spread_clear(&got);
}

TEST(bpf_tally_tells_what_is_below_zero)
{
	const struct tally_event ev = { .event = "made", .num = { &signed_number }, .n_num = 1, .is_spread = true };

	set_up(&ev);
	hit((uint64_t)-1);
	hit(5);
	hit((uint64_t)INT64_MIN);
	CHECK_EQ(k.map[0].n, 1);
	CHECK_EQ(lost(1), 2);
}

TEST(bpf_tally_adds_up_by_key)
{
	const struct tally_event ev = {
		.event = "made", .by = TALLY_BY_TID, .num = { &unsigned_number, &unsigned_number }, .n_num = 2,
	};
	struct { uint64_t key; uint32_t event, part; } at = { 40, 9, 1 };

	set_up(&ev);
	k.tid = 40;
	hit(1000);
	hit(7);
	k.tid = 41;
	hit(3);
	CHECK_EQ(k.map[0].n, 4);
	CHECK_EQ(find(&k.map[0], &at)[0], 2);
	CHECK_EQ(find(&k.map[0], &at)[1], 1007);
	at.key = 41;
	at.part = 0;
	CHECK_EQ(find(&k.map[0], &at)[1], 3);
}

TEST(bpf_tally_without_room_is_told)
{
	const struct tally_event ev = { .event = "made", .by = TALLY_BY_TID };

	set_up(&ev);
	k.map[0].most = 2;
	for (k.tid = 1; k.tid <= 5; k.tid++)
		hit(0);
	k.tid = 1;
	hit(0);
	CHECK_EQ(lost(0), 3);
	CHECK_EQ(k.map[0].e[0].v[0], 2);
}

/* No room for a number that is the largest so far. */
TEST(bpf_tally_tells_of_extremes_it_could_not_keep)
{
	const struct tally_event ev = { .event = "made", .num = { &unsigned_number }, .n_num = 1, .is_spread = true };

	set_up(&ev);
	k.map[EXTREMES - COUNTS].most = 3;
	for (uint64_t v = 10; v < 20; v++)
		hit(v);
	hit(15);
	CHECK_EQ(lost(3), 7);
	CHECK_EQ(lost(0), 0);
}

TEST(bpf_tally_takes_chosen_cpus)
{
	struct cpus cpus;
	const struct tally_event ev = { .event = "made", .by = TALLY_BY_CPU, .cpus = &cpus };

	CHECK_EQ(cpus_parse(&cpus, SV("1-3,7"), NULL), 0);
	set_up(&ev);
	for (k.cpu = 0; k.cpu < 10; k.cpu++)
		hit(0);
	CHECK_EQ(k.map[0].n, 4);
	for (size_t i = 0; i < 4; i++)
		CHECK_EQ(k.map[0].e[i].key[0], "\1\2\3\7"[i]);
}

static void run_at(const struct asm_prog *a, uint32_t tid, uint64_t now)
{
	k.tid = tid;
	k.now = now;
	run(a, 0);
}

/* As engine/stages.h has them: a second beginning replaces the first, an end without one is told. */
TEST(bpf_tally_takes_pairs_by_key)
{
	const struct tally_event from = { .event = "made", .by = TALLY_BY_TID, .pair = TALLY_BEGINS };
	const struct tally_event to = { .event = "made", .by = TALLY_BY_TID, .pair = TALLY_ENDS, .is_by_key = true };
	struct { uint64_t key; uint32_t event, part; } key = { 1, 9 << 16 | 12, 10 };
	static struct asm_prog ends;

	set_up(&from);
	build(&to, 12, &ends);
	run_at(&k.a, 1, 100);
	run_at(&k.a, 2, 105);
	run_at(&ends, 1, 110);
	run_at(&ends, 1, 115);
	run_at(&k.a, 2, 200);
	run_at(&ends, 2, 1000);
	run_at(&k.a, 3, 1000);
	CHECK_EQ(k.map[0].n, 2);
	CHECK_EQ(find(&k.map[0], &key)[0], 1);
	CHECK_EQ(find(&k.map[0], &key)[1], 10);
	memcpy(&key.part, k.map[0].e[1].key + 12, 4);
	key.key = 2;
	CHECK_EQ(find(&k.map[0], &key)[1], 800);
	CHECK(loghist_least(key.part) <= 800 && loghist_least(key.part + 1) > 800);
	CHECK_EQ(lost(4), 1);
	CHECK_EQ(lost(5), 1);
	CHECK_EQ(k.map[BEGUN - COUNTS].n, 1);
	CHECK_EQ(k.map[EXTREMES - COUNTS].n, 2);
}

/* The second of three ends what the first began, and begins what the last ends; what began otherwise is none. */
TEST(bpf_tally_takes_pairs_of_several_stages)
{
	const struct tally_event stage[3] = {
		{ .event = "a", .by = TALLY_BY_TID, .pair = TALLY_BEGINS },
		{ .event = "b", .by = TALLY_BY_TID, .pair = TALLY_BEGINS | TALLY_ENDS, .stage = 1, .ended = 0 },
		{ .event = "c", .by = TALLY_BY_TID, .pair = TALLY_ENDS, .stage = 2, .ended = 1 },
	};
	const struct { uint64_t key; uint32_t event, part; } pairs[] = {
		{ 0, 9 << 16 | 12, 10 }, { 0, 12 << 16 | 13, 7 },
	};
	static struct asm_prog b, c;

	set_up(&stage[0]);
	build(&stage[1], 12, &b);
	build(&stage[2], 13, &c);
	run_at(&b, 1, 50);                       /* unstarted, and begins */
	run_at(&k.a, 1, 100);                    /* replaces it */
	run_at(&c, 1, 105);                      /* unstarted: there is another stage */
	run_at(&b, 1, 110);                      /* a pair of 10 */
	run_at(&b, 1, 115);                      /* unstarted, and replaced */
	run_at(&c, 1, 122);                      /* a pair of 7 */
	run_at(&c, 1, 130);                      /* unstarted */
	CHECK_EQ(k.map[0].n, 2);
	CHECK_EQ(find(&k.map[0], &pairs[0])[0], 1);
	CHECK_EQ(find(&k.map[0], &pairs[0])[1], 10);
	CHECK_EQ(find(&k.map[0], &pairs[1])[0], 1);
	CHECK_EQ(find(&k.map[0], &pairs[1])[1], 7);
	CHECK_EQ(lost(4), 2);
	CHECK_EQ(lost(5), 4);
	CHECK_EQ(k.map[BEGUN - COUNTS].n, 0);
}

TEST(bpf_tally_goes_round)
{
	const struct tally_event ev = {
		.event = "a", .by = TALLY_BY_TID, .pair = TALLY_BEGINS | TALLY_ENDS, .is_by_key = true,
	};
	struct { uint64_t key; uint32_t event, part; } key = { 3, 9 << 16 | 9, 5 };

	set_up(&ev);
	for (uint64_t t = 100; t <= 120; t += 5)
		run_at(&k.a, 3, t);
	CHECK_EQ(k.map[0].n, 1);
	CHECK_EQ(find(&k.map[0], &key)[0], 4);
	CHECK_EQ(find(&k.map[0], &key)[1], 20);
	CHECK_EQ(lost(4), 0);
	CHECK_EQ(lost(5), 1);
	CHECK_EQ(k.map[BEGUN - COUNTS].n, 1);
}

/* --- stacks --- */

struct stack_key { uint32_t kernel, user, event, pid; char comm[16]; uint64_t lr; };

TEST(bpf_tally_counts_stacks)
{
	const struct tally_event ev = { .event = "a", .is_by_stack = true };
	const struct stack_key *key = (const void *)k.map[0].e[0].key;

	set_up(&ev);
	k.now = 1000;
	k.stackid[0][0] = 7;
	k.stackid[1][0] = -EFAULT;
	hit(0);
	k.now = 2000;
	hit(0);
	CHECK_EQ(k.map[0].n, 1);
	CHECK_EQ(k.map[0].e[0].v[0], 2);
	CHECK_EQ(k.map[0].e[0].v[1], 1000);
	CHECK(key->kernel == 7 && key->user == TALLY_NO_STACK && key->event == 9 && key->pid == 5);
	CHECK_STR(key->comm, "worker");
	k.stackid[1][0] = 8;
	hit(0);
	CHECK_EQ(k.map[0].n, 2);
	CHECK_EQ(lost(6), 0);
}

/* Its place is another's: the next map has one, or none. */
TEST(bpf_tally_finds_room_for_stacks)
{
	const struct tally_event ev = { .event = "a", .is_by_stack = true };
	const struct stack_key *key = (const void *)k.map[0].e[0].key;

	set_up(&ev);
	k.stackid[0][0] = k.stackid[0][1] = -EEXIST;
	k.stackid[0][2] = 7;
	for (size_t i = 0; i < TALLY_STACK_MAPS; i++)
		k.stackid[1][i] = -EEXIST;
	hit(0);
	CHECK_EQ(key->kernel, 2 * TALLY_STACKS + 7);
	CHECK_EQ(key->user, TALLY_LOST_STACK);
	CHECK_EQ(lost(6), 1);
}

TEST(bpf_tally_has_the_link_register_of_programs)
{
	const struct tally_event ev = { .event = "a", .is_by_stack = true, .lr = 240 };
	const struct stack_key *key = (const void *)k.map[0].e[0].key;

	set_up(&ev);
	k.pt_regs[30] = 0x401234;
	hit(0);
	CHECK_EQ(key->lr, 0x401234);
	k.stackid[1][0] = -EFAULT;
	hit(0);
	CHECK_EQ(((const struct stack_key *)(const void *)k.map[0].e[1].key)->lr, 0);
}

/* --- what is read --- */

static int fake_next(struct fake_map *m, const void *key, void *next)
{
	size_t i = 0;

	while (key && i < m->n && memcmp(m->e[i].key, key, m->key_size))
		i++;
	i += key != NULL;
	if (i >= m->n)
		return -ENOENT;
	memcpy(next, m->e[i].key, m->key_size);
	return 0;
}

static int fake_call(const struct bpf *b UNUSED, int cmd, void *attr, size_t n)
{
	struct bpf_map_at *at = attr;
	void *key = (void *)(uintptr_t)at->key;
	uint64_t *v;

	CHECK(n >= sizeof(*at) || cmd == BPF_INFO_BY_FD);
	if (cmd == BPF_INFO_BY_FD)
		return -EINVAL;
	if (at->map >= STACKS) {
		const uint64_t frames[TALLY_DEPTH] = { 0x1000 * (at->map - STACKS) + *(const uint32_t *)key, 0x77 };

		memcpy((void *)(uintptr_t)at->value, frames, sizeof(frames));
		return 0;
	}
	if (cmd == BPF_MAP_NEXT_KEY)
		return fake_next(map_of(at->map), key, (void *)(uintptr_t)at->value);
	if (cmd == BPF_MAP_DELETE) {
		struct fake_map *m = map_of(at->map);

		CHECK(!memcmp(m->e[0].key, key, m->key_size));
		memmove(m->e, m->e + 1, --m->n * sizeof(m->e[0]));
		return 0;
	}
	v = find(map_of(at->map), key);
	if (!v)
		return -ENOENT;
	memcpy(cmd == BPF_MAP_LOOKUP ? (void *)(uintptr_t)at->value : v,
	       cmd == BPF_MAP_LOOKUP ? v : (void *)(uintptr_t)at->value, at->map == LOSSES ? 8 : 16);
	return 0;
}

static const struct bpf fake = { .call = fake_call };
static uint64_t sum_n, sum_sum, least, most;

static int note(void *arg UNUSED, const struct tally_entry *n)
{
	CHECK_EQ(n->event, 9);
	sum_n += n->n;
	sum_sum += n->sum;
	return 0;
}

static int note_bound(void *arg UNUSED, const struct tally_bound *b)
{
	least = MIN(least, b->least);
	most = MAX(most, b->most);
	return 0;
}

static void read_all(struct tally *y)
{
	sum_n = sum_sum = most = 0;
	least = UINT64_MAX;
	CHECK_EQ(tally_read(y, note, NULL), 0);
	CHECK_EQ(tally_bounds(y, note_bound, NULL), 0);
}

TEST(bpf_tally_is_read_by_intervals)
{
	const struct tally_event ev = { .event = "made", .num = { &unsigned_number }, .n_num = 1, .is_spread = true };
	struct tally y = { .want = { .bpf = &fake, .events = &ev, .n = 1 }, .counts = COUNTS, .bounds = BOUNDS,
			   .extremes = EXTREMES, .losses = LOSSES };

	set_up(&ev);
	hit(5);
	hit(100);
	read_all(&y);
	CHECK(sum_n == 2 && sum_sum == 105 && least == 5 && most == 100);
	read_all(&y);
	CHECK(sum_n == 0 && most == 0);
	hit(50);
	hit(60);
	hit(100);
	read_all(&y);
	CHECK(sum_n == 3 && sum_sum == 210 && least == 50 && most == 100);
	CHECK_EQ(tally_lost(&y).full, 0);
	k.map[0].most = k.map[0].n;
	hit(UINT64_MAX);
	CHECK_EQ(tally_lost(&y).full, 1);
	CHECK_EQ(tally_lost(&y).full, 0);
	vec_free(&y.before);
	names_deinit(&y.keys);
}

static struct tally_stack seen[4];
static size_t n_seen;

static int note_stack(void *arg UNUSED, const struct tally_stack *s)
{
	CHECK(n_seen < ARRAY_SIZE(seen));
	seen[n_seen++] = *s;
	return 0;
}

/* What was read before is not told again; the time of the first stays. */
TEST(bpf_tally_reads_stacks)
{
	const struct tally_event ev = { .event = "a", .is_by_stack = true, .lr = 240 };
	struct tally y = { .want = { .bpf = &fake, .events = &ev, .n = 1 }, .counts = COUNTS,
			   .stacks = { STACKS, STACKS + 1, STACKS + 2, STACKS + 3 } };
	uint64_t frames[TALLY_DEPTH];

	set_up(&ev);
	n_seen = 0;
	k.now = 500;
	k.pt_regs[30] = 0x42;
	k.stackid[0][0] = -EEXIST;
	k.stackid[0][1] = 6;
	k.stackid[1][0] = -EFAULT;
	hit(0);
	k.now = 600;
	hit(0);
	CHECK_EQ(tally_stacks(&y, note_stack, NULL), 0);
	hit(0);
	k.stackid[1][0] = 2;
	hit(0);
	CHECK_EQ(tally_stacks(&y, note_stack, NULL), 0);
	CHECK_EQ(n_seen, 3);
	CHECK(seen[0].n == 2 && seen[1].n == 1 && seen[2].n == 1);
	CHECK(seen[0].since == 500 && seen[1].since == 500 && seen[2].since == 600);
	CHECK(seen[0].event == 9 && seen[0].pid == 5 && !seen[0].lr && seen[2].lr == 0x42);
	CHECK_STR(seen[0].comm, "worker");
	CHECK_EQ(tally_frames(&y, seen[0].kernel, frames), 2);
	CHECK_EQ(frames[0], 0x1006);
	CHECK_EQ(tally_frames(&y, seen[0].user, frames), 0);
	CHECK_EQ(tally_frames(&y, TALLY_LOST_STACK, frames), 0);
	vec_free(&y.before);
	names_deinit(&y.keys);
}
