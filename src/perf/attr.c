/* attr.c - a perf_event_attr as text. */
#include "perf/attr.h"

struct bit_name {
	uint64_t bit;
	const char *name;
};

#define BIT(prefix, name) { prefix##name, #name }

static const struct bit_name sample_bits[] = {
	BIT(PERF_SAMPLE_, IP), BIT(PERF_SAMPLE_, TID), BIT(PERF_SAMPLE_, TIME), BIT(PERF_SAMPLE_, ADDR),
	BIT(PERF_SAMPLE_, READ), BIT(PERF_SAMPLE_, CALLCHAIN), BIT(PERF_SAMPLE_, ID), BIT(PERF_SAMPLE_, CPU),
	BIT(PERF_SAMPLE_, PERIOD), BIT(PERF_SAMPLE_, STREAM_ID), BIT(PERF_SAMPLE_, RAW),
	BIT(PERF_SAMPLE_, BRANCH_STACK), BIT(PERF_SAMPLE_, REGS_USER), BIT(PERF_SAMPLE_, STACK_USER),
	BIT(PERF_SAMPLE_, WEIGHT), BIT(PERF_SAMPLE_, DATA_SRC), BIT(PERF_SAMPLE_, IDENTIFIER),
	BIT(PERF_SAMPLE_, TRANSACTION), BIT(PERF_SAMPLE_, REGS_INTR), BIT(PERF_SAMPLE_, PHYS_ADDR),
	BIT(PERF_SAMPLE_, AUX), BIT(PERF_SAMPLE_, CGROUP), BIT(PERF_SAMPLE_, DATA_PAGE_SIZE),
	BIT(PERF_SAMPLE_, CODE_PAGE_SIZE), BIT(PERF_SAMPLE_, WEIGHT_STRUCT),
};

static const struct bit_name read_bits[] = {
	{ PERF_FORMAT_ENABLED, "TOTAL_TIME_ENABLED" }, { PERF_FORMAT_RUNNING, "TOTAL_TIME_RUNNING" },
	BIT(PERF_FORMAT_, ID), BIT(PERF_FORMAT_, GROUP), BIT(PERF_FORMAT_, LOST),
};

/* Flag bits in their order; precise_ip is two bits and printed as a number. */
static const struct bit_name flag_bits[] = {
	{ PERF_ATTR_DISABLED, "disabled" }, { PERF_ATTR_INHERIT, "inherit" }, { PERF_ATTR_PINNED, "pinned" },
	{ PERF_ATTR_EXCLUSIVE, "exclusive" }, { PERF_ATTR_EXCLUDE_USER, "exclude_user" },
	{ PERF_ATTR_EXCLUDE_KERNEL, "exclude_kernel" }, { PERF_ATTR_EXCLUDE_HV, "exclude_hv" },
	{ PERF_ATTR_EXCLUDE_IDLE, "exclude_idle" }, { PERF_ATTR_MMAP, "mmap" }, { PERF_ATTR_COMM, "comm" },
	{ PERF_ATTR_FREQ, "freq" }, { PERF_ATTR_INHERIT_STAT, "inherit_stat" },
	{ PERF_ATTR_ENABLE_ON_EXEC, "enable_on_exec" }, { PERF_ATTR_TASK, "task" },
	{ PERF_ATTR_WATERMARK, "watermark" },
	{ PERF_ATTR_PRECISE_MASK, "precise_ip" }, { PERF_ATTR_MMAP_DATA, "mmap_data" },
	{ PERF_ATTR_SAMPLE_ID_ALL, "sample_id_all" }, { PERF_ATTR_EXCLUDE_HOST, "exclude_host" },
	{ PERF_ATTR_EXCLUDE_GUEST, "exclude_guest" },
	{ PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL, "exclude_callchain_kernel" },
	{ PERF_ATTR_EXCLUDE_CALLCHAIN_USER, "exclude_callchain_user" }, { PERF_ATTR_MMAP2, "mmap2" },
	{ PERF_ATTR_COMM_EXEC, "comm_exec" }, { PERF_ATTR_USE_CLOCKID, "use_clockid" },
	{ PERF_ATTR_CONTEXT_SWITCH, "context_switch" }, { PERF_ATTR_WRITE_BACKWARD, "write_backward" },
	{ PERF_ATTR_NAMESPACES, "namespaces" }, { PERF_ATTR_KSYMBOL, "ksymbol" }, { PERF_ATTR_BPF_EVENT, "bpf_event" },
	{ PERF_ATTR_AUX_OUTPUT, "aux_output" }, { PERF_ATTR_CGROUP, "cgroup" }, { PERF_ATTR_TEXT_POKE, "text_poke" },
	{ PERF_ATTR_BUILD_ID, "build_id" }, { PERF_ATTR_INHERIT_THREAD, "inherit_thread" },
	{ PERF_ATTR_REMOVE_ON_EXEC, "remove_on_exec" }, { PERF_ATTR_SIGTRAP, "sigtrap" },
};

static void number(struct out *o, const char *name, uint64_t v)
{
	if (v)
		out_printf(o, "  %-32s %llu\n", name, (unsigned long long)v);
}

static void hex(struct out *o, const char *name, uint64_t v)
{
	if (v)
		out_printf(o, "  %-32s %#llx\n", name, (unsigned long long)v);
}

static void bits(struct out *o, const char *name, uint64_t v, const struct bit_name *names, size_t n)
{
	const char *separator = "";

	if (!v)
		return;
	out_printf(o, "  %-32s ", name);
	for (size_t i = 0; i < n; i++) {
		if (!(v & names[i].bit))
			continue;
		out_printf(o, "%s%s", separator, names[i].name);
		separator = "|";
		v &= ~names[i].bit;
	}
	if (v)
		out_printf(o, "%s%#llx", separator, (unsigned long long)v);
	out_char(o, '\n');
}

static void flags(struct out *o, uint64_t v)
{
	for (size_t i = 0; i < ARRAY_SIZE(flag_bits); i++) {
		const struct bit_name *b = &flag_bits[i];

		/* Dividing by the mask's lowest bit shifts a field of any width down to its value. */
		number(o, b->name, (v & b->bit) / (b->bit & -b->bit));
		v &= ~b->bit;
	}
	hex(o, "unknown flags", v);
}

bool attr_is_dummy(const struct perf_attr *a)
{
	return a->type == PERF_SOFTWARE && a->config == PERF_SW_DUMMY;
}

void attr_print(const struct perf_attr *a, struct out *o)
{
	number(o, "type", a->type);
	number(o, "size", a->size);
	hex(o, "config", a->config);
	number(o, "{ sample_period, sample_freq }", a->sample_period);
	bits(o, "sample_type", a->sample_type, sample_bits, ARRAY_SIZE(sample_bits));
	bits(o, "read_format", a->read_format, read_bits, ARRAY_SIZE(read_bits));
	flags(o, a->flags);
	number(o, "{ wakeup_events, wakeup_watermark }", a->wakeup);
	number(o, "bp_type", a->bp_type);
	hex(o, "{ bp_addr, config1 }", a->config1);
	hex(o, "{ bp_len, config2 }", a->config2);
	hex(o, "branch_sample_type", a->branch_sample_type);
	hex(o, "sample_regs_user", a->sample_regs_user);
	number(o, "sample_stack_user", a->sample_stack_user);
	if (a->clockid)
		out_printf(o, "  %-32s %d\n", "clockid", a->clockid);
	hex(o, "sample_regs_intr", a->sample_regs_intr);
	number(o, "aux_watermark", a->aux_watermark);
	number(o, "sample_max_stack", a->sample_max_stack);
	number(o, "aux_sample_size", a->aux_sample_size);
	hex(o, "aux_action", a->aux_action);
	hex(o, "sig_data", a->sig_data);
	hex(o, "config3", a->config3);
}
