/* Options to attributes. */
#include "perf/callgraph.h"
#include "perf/sampling.h"
#include "t.h"

static struct perf_attr attr_of(uint32_t type, unsigned set, struct sampling_want w)
{
	struct event ev = { .attr = { .type = type, .sample_period = set & EVENT_SET_PERIOD ? 77 : 0 }, .set = set };
	struct perf_attr a;

	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	return a;
}

TEST(sampling_default_is_4000_per_second)
{
	struct perf_attr a = attr_of(PERF_HARDWARE, 0, (struct sampling_want){ 0 });

	CHECK_EQ(a.sample_period, 4000);
	CHECK(a.flags & PERF_ATTR_FREQ);
	CHECK(a.sample_type & PERF_SAMPLE_PERIOD);
}

TEST(sampling_every_tracepoint_counts_unless_a_period_is_given)
{
	struct perf_attr a = attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ .freq = 99 });

	CHECK_EQ(a.sample_period, 1);
	CHECK(!(a.flags & PERF_ATTR_FREQ));
	CHECK(a.sample_type & PERF_SAMPLE_RAW);
	a = attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ .period = 10 });
	CHECK_EQ(a.sample_period, 10);
}

/* As perf has it, and under its name. */
TEST(sampling_a_frequency_may_be_for_tracepoints_too)
{
	struct perf_attr a = attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ .freq = 99, .freq_of_all = true });

	CHECK_EQ(a.sample_period, 99);
	CHECK(a.flags & PERF_ATTR_FREQ);
	CHECK(a.sample_type & PERF_SAMPLE_PERIOD);
}

/* sched_stat_runtime counts for as many as ns: without its weight in the sample there would be one for each. */
TEST(sampling_a_tracepoint_tells_its_weight)
{
	CHECK(attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ 0 }).sample_type & PERF_SAMPLE_PERIOD);
	CHECK(attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ .period = 1 }).sample_type & PERF_SAMPLE_PERIOD);
	/* With the weight each is sampled, whatever the period. */
	CHECK(!(attr_of(PERF_TRACEPOINT, 0, (struct sampling_want){ .period = 10 }).sample_type & PERF_SAMPLE_PERIOD));
}

TEST(sampling_a_period_in_the_event_wins)
{
	struct perf_attr a = attr_of(PERF_HARDWARE, EVENT_SET_PERIOD, (struct sampling_want){ .freq = 99 });

	CHECK_EQ(a.sample_period, 77);
	CHECK(!(a.flags & PERF_ATTR_FREQ));
}

/* The recorder reads the time of a sample at a fixed place. */
TEST(sampling_time_stands_where_the_recorder_looks)
{
	struct perf_attr a =
		attr_of(PERF_SOFTWARE, 0, (struct sampling_want){.callchain = true, .extra = PERF_SAMPLE_ADDR});
	uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	CHECK((a.sample_type & before) == before && (a.sample_type & PERF_SAMPLE_TIME));
	CHECK_EQ(SAMPLING_TIME_OFFSET, sizeof(struct perf_rec) + 8 * (size_t)__builtin_popcountll(before));
}

TEST(sampling_user_only_events_ask_for_user_chains_only)
{
	struct event ev = { .attr = { .flags = PERF_ATTR_EXCLUDE_KERNEL } };
	struct perf_attr a;

	sampling_attr(&a, &ev, &(struct sampling_want){ .callchain = true }, SAMPLING_PLAIN);
	CHECK(a.flags & PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL);
}

TEST(sampling_only_the_tracker_follows_tasks_and_maps)
{
	struct event ev;
	struct perf_attr a;

	sampling_tracker(&ev);
	sampling_attr(&a, &ev, &(struct sampling_want){ .callchain = true }, SAMPLING_TRACKER);
	CHECK(a.flags & PERF_ATTR_MMAP2 && a.flags & PERF_ATTR_COMM && a.flags & PERF_ATTR_TASK);
	CHECK(a.flags & PERF_ATTR_KSYMBOL);
	CHECK(!(a.sample_type & PERF_SAMPLE_CALLCHAIN));
	CHECK(!(attr_of(PERF_HARDWARE, 0, (struct sampling_want){ 0 }).flags & PERF_ATTR_MMAP2));
}

TEST(sampling_only_the_leader_of_a_sampled_group_overflows)
{
	struct event ev = { .attr = { .type = PERF_SOFTWARE }, .set = EVENT_LEADER_SAMPLING };
	struct sampling_want w = { .freq = 100, .inherit = true };
	struct perf_attr leader, member;

	sampling_attr(&leader, &ev, &w, SAMPLING_PLAIN);
	sampling_attr(&member, &ev, &w, SAMPLING_FOLLOWER);
	CHECK_EQ(leader.sample_period, 100);
	CHECK(leader.read_format & PERF_FORMAT_GROUP && leader.sample_type & PERF_SAMPLE_READ);
	CHECK(!(leader.flags & PERF_ATTR_INHERIT));
	CHECK_EQ(member.sample_period, 0);
	CHECK(!(member.flags & PERF_ATTR_FREQ));
	CHECK_EQ(member.sample_type, leader.sample_type);
}

/* As perf and `stat` have it: enabling the leader is enough, and all that works on every kernel. */
TEST(sampling_members_of_a_group_are_open_for_their_leader)
{
	const uint64_t start = PERF_ATTR_DISABLED | PERF_ATTR_ENABLE_ON_EXEC;
	struct sampling_want w = { .on_exec = SAMPLING_ALL_ON_EXEC };
	struct event ev = { .attr = { .type = PERF_SOFTWARE } };
	struct perf_attr a;

	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK_EQ(a.flags & start, start);
	sampling_attr(&a, &ev, &w, SAMPLING_FOLLOWER);
	CHECK_EQ(a.flags & start, 0);
}

/* perf record -D: the mappings of the command are told from its exec on, the samples come later. */
TEST(sampling_with_a_delay_only_the_side_records_start_on_exec)
{
	struct sampling_want w = {
		.on_exec = SAMPLING_TRACKER_ON_EXEC, .extra = PERF_SAMPLE_BRANCH_STACK, .branches = 8};
	struct event ev = { .attr = { .type = PERF_HARDWARE } }, dummy;
	struct perf_attr a;

	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK(!(a.flags & PERF_ATTR_ENABLE_ON_EXEC));
	sampling_tracker(&dummy);
	sampling_attr(&a, &dummy, &w, SAMPLING_TRACKER);
	CHECK(a.flags & PERF_ATTR_ENABLE_ON_EXEC);
	/* The kernel refuses a dummy with branches. */
	CHECK_EQ(a.sample_type & PERF_SAMPLE_BRANCH_STACK, 0);
	CHECK_EQ(a.branch_sample_type, 0);
}

/* The kernel's chain misses the caller of a function that is probed at its first instruction: see source/stacks.h. */
TEST(sampling_kernel_probes_with_chains_have_the_link_register)
{
	struct sampling_want w = { .callchain = true, .chain_regs = PERF_BIT(30) };
	struct event ev = { .attr = { .type = PERF_TRACEPOINT }, .is_in_kernel = true };
	struct perf_attr a;

	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK(a.sample_type & PERF_SAMPLE_REGS_INTR);
	CHECK_EQ(a.sample_regs_intr, PERF_BIT(30));
	CHECK_EQ(a.sample_regs_user, PERF_BIT(30));
	w.callchain_flags = PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK_EQ(a.sample_regs_intr, 0);
	w.callchain_flags = 0;
	ev.is_in_kernel = false;
	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK(!(a.sample_type & PERF_SAMPLE_REGS_INTR));
	ev.is_in_kernel = true;
	w.callchain = false;
	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK_EQ(a.sample_regs_intr, 0);
}

TEST(sampling_copies_of_stacks_come_with_all_registers)
{
	struct sampling_want w = {
		.callchain = true, .stack = 4096, .user_regs = PERF_BIT(33) - 1, .chain_regs = PERF_BIT(30),
	};
	uint64_t copies = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CALLCHAIN;
	struct perf_attr a = attr_of(PERF_HARDWARE, 0, w);

	CHECK_EQ(a.sample_type & copies, copies);
	CHECK_EQ(a.sample_stack_user, 4096);
	CHECK_EQ(a.sample_regs_user, w.user_regs);
	/* The kernel's chain alone: frame records are not followed as well. */
	CHECK_EQ(a.flags & (PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL),
		 PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
	w.callchain_flags = PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	a = attr_of(PERF_HARDWARE, 0, w);
	CHECK_EQ(a.sample_type & copies, PERF_SAMPLE_CALLCHAIN);
	CHECK_EQ(a.sample_stack_user, 0);
}

TEST(sampling_an_event_may_have_another_kind_of_chain)
{
	struct sampling_want w = { .callchain = true, .stack = 4096, .user_regs = PERF_BIT(33) - 1 };

	CHECK_EQ(attr_of(PERF_HARDWARE, EVENT_SET_CALLCHAIN, w).sample_stack_user, 0);
	CHECK_EQ(attr_of(PERF_HARDWARE, EVENT_SET_NO_CALLCHAIN, w).sample_stack_user, 0);
	CHECK_EQ(attr_of(PERF_HARDWARE, EVENT_SET_CALLCHAIN | EVENT_SET_STACK, w).sample_stack_user, 4096);
	w.stack = 0;
	w.callchain = false;
	CHECK_EQ(attr_of(PERF_HARDWARE, EVENT_SET_CALLCHAIN | EVENT_SET_STACK, w).sample_stack_user, 8192);
	CHECK_EQ(attr_of(PERF_HARDWARE, 0, w).sample_stack_user, 0);
}

TEST(sampling_the_link_register_alone_stands_for_a_chain)
{
	const uint64_t none = PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	struct sampling_want w = { .callchain = true, .chain_regs = PERF_BIT(30), .lr = true };
	struct perf_attr a = attr_of(PERF_HARDWARE, 0, w);

	CHECK(a.sample_type & PERF_SAMPLE_CALLCHAIN && a.sample_type & PERF_SAMPLE_REGS_INTR);
	CHECK_EQ(a.flags & none, none);
	CHECK_EQ(a.sample_regs_intr, PERF_BIT(30));
	CHECK(!(a.sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)));
	CHECK(callgraph_is_lr(&a, PERF_BIT(30)));
	CHECK(callgraph_plain(&a));
	CHECK_EQ(a.flags & none, 0);
	CHECK(a.sample_type & PERF_SAMPLE_CALLCHAIN && !(a.sample_type & PERF_SAMPLE_REGS_INTR));
	CHECK(!callgraph_plain(&a));
	/* Another event may have it, or not; without the kernel's side the user's registers are enough. */
	CHECK(!callgraph_is_lr(&(struct perf_attr){ 0 }, UINT64_MAX));
	a = attr_of(PERF_HARDWARE, EVENT_SET_CALLCHAIN, w);
	CHECK(!callgraph_is_lr(&a, UINT64_MAX));
	w.lr = false;
	a = attr_of(PERF_HARDWARE, EVENT_SET_CALLCHAIN | EVENT_SET_LR, w);
	CHECK(callgraph_is_lr(&a, UINT64_MAX));

	struct event ev = { .attr = { .flags = PERF_ATTR_EXCLUDE_KERNEL }, .set = EVENT_SET_CALLCHAIN | EVENT_SET_LR };

	sampling_attr(&a, &ev, &w, SAMPLING_PLAIN);
	CHECK_EQ(a.sample_regs_user, PERF_BIT(30));
	CHECK(!(a.sample_type & PERF_SAMPLE_REGS_INTR));
	CHECK(callgraph_is_lr(&a, UINT64_MAX));
}
