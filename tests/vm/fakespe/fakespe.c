// SPDX-License-Identifier: GPL-2.0
/*
 * fakespe.c - a PMU with an AUX area under the name of Arm's statistical profiling extension, which no emulated
 * processor has: a timer writes known packets. On each CPU `records` of them, and then no more:
 *
 *	0, 4, 8 ...  a load from L1, 4 cycles        1, 5, 9 ...   a load from L3, 40 cycles
 *	2, 6 ...     a load from memory, 300 cycles  3, 7 ...      a store, 9 cycles
 *
 * load_filter, store_filter and min_latency choose among these (they count all the same), ts_enable and pa_enable add
 * packets. Packets: Arm ARM (DDI 0487), "Statistical Profiling Extension Sample Record Specification"; files in sysfs
 * as drivers/perf/arm_spe_pmu.c has them.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/irq_regs.h>

#define RECORD 64
#define BATCH 64
#define TICK_NS 2000000
#define DATA 0x00007f0000001000ULL

enum { TIMES = 1, PHYSICAL = 2, LOADS = 1ULL << 33, STORES = 1ULL << 34 };

static unsigned long records = 1000;
module_param(records, ulong, 0644);

static bool contexts = true;     /* as with CONFIG_PID_IN_CONTEXTIDR */
module_param(contexts, bool, 0644);

struct area {
	void *base;
	u64 size;
};

struct tracer {
	struct perf_output_handle handle;
	struct perf_event *event;    /* NULL: none runs */
	struct hrtimer timer;
	bool open;                   /* the handle */
};
static DEFINE_PER_CPU(struct tracer, tracers);

static const struct { u8 source, store; u16 events, cycles; } kinds[] = {
	{ 0, 0, 0x16, 4 }, { 11, 0, 0x11e, 40 }, { 14, 0, 0x31e, 300 }, { 0, 1, 0x16, 9 },
};

/* --- packets --- */

struct put {
	u8 v[RECORD];
	unsigned int n;
};

static void put(struct put *p, u8 header, u64 payload, unsigned int size)
{
	p->v[p->n++] = header;
	while (size--) {
		p->v[p->n++] = payload;
		payload >>= 8;
	}
}

static bool is_wanted(const struct perf_event_attr *a, unsigned int kind)
{
	u64 chosen = a->config & (LOADS | STORES);

	return kinds[kind].cycles >= (a->config2 & 0xfff) &&
	       (!chosen || chosen & (kinds[kind].store ? STORES : LOADS));
}

/* The place that the timer interrupted. */
static u64 place(void)
{
	struct pt_regs *regs = get_irq_regs();

	if (!regs || !user_mode(regs))
		return (((regs ? instruction_pointer(regs) : 0) & ((1ULL << 56) - 1))) | 1ULL << 61 | 1ULL << 63;
	return instruction_pointer(regs) | 1ULL << 63;
}

static void make(struct put *p, const struct perf_event_attr *a, unsigned int kind)
{
	*p = (struct put){ };
	put(p, 0xb0, place(), 8);
	if (contexts)
		put(p, 0x65, current->pid, 4);
	put(p, 0x49, kinds[kind].store, 1);
	put(p, 0x52, kinds[kind].events, 2);
	put(p, 0xb2, DATA + 64 * kind, 8);
	if (a->config & PHYSICAL)
		put(p, 0xb3, 0x80001000 | 1ULL << 63, 8);
	put(p, 0x43, kinds[kind].source, 1);
	put(p, 0x98, kinds[kind].cycles, 2);
	put(p, 0x99, 1, 2);
	if (a->config & TIMES)
		put(p, 0x71, read_sysreg(cntvct_el0), 8);
	else
		put(p, 0x01, 0, 0);
}

/* --- the area --- */

static bool begin(struct tracer *t)
{
	t->open = perf_aux_output_begin(&t->handle, t->event) != NULL;
	return t->open;
}

static void end(struct tracer *t, unsigned long bytes)
{
	if (t->open)
		perf_aux_output_end(&t->handle, bytes);
	t->open = false;
}

/* Bytes that were written; *full: there was no room for the rest. */
static unsigned long write_batch(struct tracer *t, const struct area *area, bool *full)
{
	struct perf_event_attr *a = &t->event->attr;
	unsigned long done = 0;
	struct put p;

	for (int i = 0; i < BATCH && local64_read(&t->event->hw.prev_count) < records && !*full; i++) {
		unsigned int kind = local64_read(&t->event->hw.prev_count) % ARRAY_SIZE(kinds);

		*full = is_wanted(a, kind) && t->handle.size - done < RECORD;
		if (*full)
			break;
		local64_inc(&t->event->hw.prev_count);
		if (!is_wanted(a, kind))
			continue;
		make(&p, a, kind);
		memcpy(area->base + (t->handle.head + done) % area->size, p.v, RECORD);
		done += RECORD;
	}
	return done;
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct tracer *t = container_of(timer, struct tracer, timer);
	const struct area *area = t->open ? perf_get_aux(&t->handle) : NULL;
	bool full = false;
	unsigned long done;

	if (!area)
		return HRTIMER_NORESTART;
	done = write_batch(t, area, &full);
	if (done || full) {
		if (full)
			perf_aux_output_flag(&t->handle, PERF_AUX_FLAG_TRUNCATED);
		end(t, done);
		if (!begin(t))
			return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(timer, ns_to_ktime(TICK_NS));
	return HRTIMER_RESTART;
}

static void *setup_aux(struct perf_event *event, void **pages, int n, bool snapshot)
{
	struct area *area = kzalloc(sizeof(*area), GFP_KERNEL);
	struct page **list = kcalloc(n, sizeof(*list), GFP_KERNEL);

	for (int i = 0; list && i < n; i++)
		list[i] = virt_to_page(pages[i]);
	if (area && list) {
		area->base = vmap(list, n, VM_MAP, PAGE_KERNEL);
		area->size = (u64)n * PAGE_SIZE;
	}
	kfree(list);
	if (area && area->base)
		return area;
	kfree(area);
	return NULL;
}

static void free_aux(void *aux)
{
	struct area *area = aux;

	vunmap(area->base);
	kfree(area);
}

/* --- the PMU --- */

static struct pmu fakespe;

static int event_init(struct perf_event *event)
{
	if (event->attr.type != fakespe.type)
		return -ENOENT;
	if (event->attr.exclude_idle)
		return -EOPNOTSUPP;
	if (event->attr.freq)
		return -EINVAL;
	local64_set(&event->hw.prev_count, 0);
	return 0;
}

static void start(struct perf_event *event, int flags)
{
	struct tracer *t = this_cpu_ptr(&tracers);

	event->hw.state = 0;
	t->event = event;
	if (begin(t))
		hrtimer_start(&t->timer, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_PINNED_HARD);
	else
		event->hw.state = PERF_HES_STOPPED;
}

static void stop(struct perf_event *event, int flags)
{
	struct tracer *t = this_cpu_ptr(&tracers);

	if (t->event != event)
		return;
	hrtimer_cancel(&t->timer);
	end(t, 0);
	t->event = NULL;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		start(event, PERF_EF_RELOAD);
	return 0;
}

static void del(struct perf_event *event, int flags)
{
	stop(event, PERF_EF_UPDATE);
}

static void read(struct perf_event *event)
{
}

/* --- sysfs --- */

PMU_FORMAT_ATTR(ts_enable, "config:0");
PMU_FORMAT_ATTR(pa_enable, "config:1");
PMU_FORMAT_ATTR(pct_enable, "config:2");
PMU_FORMAT_ATTR(jitter, "config:16");
PMU_FORMAT_ATTR(branch_filter, "config:32");
PMU_FORMAT_ATTR(load_filter, "config:33");
PMU_FORMAT_ATTR(store_filter, "config:34");
PMU_FORMAT_ATTR(event_filter, "config1:0-63");
PMU_FORMAT_ATTR(min_latency, "config2:0-11");
PMU_FORMAT_ATTR(inv_event_filter, "config3:0-63");

static struct attribute *formats[] = {
	&format_attr_ts_enable.attr, &format_attr_pa_enable.attr, &format_attr_pct_enable.attr,
	&format_attr_jitter.attr, &format_attr_branch_filter.attr, &format_attr_load_filter.attr,
	&format_attr_store_filter.attr, &format_attr_event_filter.attr, &format_attr_min_latency.attr,
	&format_attr_inv_event_filter.attr, NULL,
};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return cpumap_print_to_pagebuf(true, buf, cpu_online_mask);
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *others[] = { &dev_attr_cpumask.attr, NULL };

static ssize_t cap_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%ld\n", (long)container_of(attr, struct dev_ext_attribute, attr)->var);
}

#define CAP(name, value) \
	static struct dev_ext_attribute cap_##name = { __ATTR(name, 0444, cap_show, NULL), (void *)(long)(value) }
CAP(arch_inst, 0);
CAP(ernd, 0);
CAP(count_size, 12);
CAP(min_interval, 256);

static struct attribute *caps[] = {
	&cap_arch_inst.attr.attr, &cap_ernd.attr.attr, &cap_count_size.attr.attr, &cap_min_interval.attr.attr, NULL,
};

static const struct attribute_group format_group = { .name = "format", .attrs = formats };
static const struct attribute_group caps_group = { .name = "caps", .attrs = caps };
static const struct attribute_group other_group = { .attrs = others };
static const struct attribute_group *groups[] = { &format_group, &caps_group, &other_group, NULL };

static struct pmu fakespe = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE,
	.attr_groups = groups,
	.task_ctx_nr = perf_sw_context,
	.event_init = event_init, .add = add, .del = del, .start = start, .stop = stop, .read = read,
	.setup_aux = setup_aux, .free_aux = free_aux,
};

static int __init fakespe_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct tracer *t = per_cpu_ptr(&tracers, cpu);

		hrtimer_init(&t->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		t->timer.function = tick;
	}
	return perf_pmu_register(&fakespe, "arm_spe_0", -1);
}

static void __exit fakespe_exit(void)
{
	perf_pmu_unregister(&fakespe);
}

module_init(fakespe_init);
module_exit(fakespe_exit);
MODULE_DESCRIPTION("A PMU with an AUX area, of known packets");
MODULE_LICENSE("GPL");
