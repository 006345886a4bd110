/* callgraph.c - see callgraph.h. */
#include "perf/callgraph.h"

#include "perf/sampling.h"

/* perf's default; and the largest multiple of 8 that the kernel takes in the u16 size of a record. */
enum { STACK_DEFAULT = 8192, STACK_MAX = 65528 };

#define COPIES (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

bool callgraph_can(void)
{
	return true;
}

uint32_t callgraph_stack(uint64_t bytes)
{
	return bytes <= STACK_MAX ? (uint32_t)(bytes + 7) / 8 * 8 : 0;
}

static int parse_dwarf(struct callgraph *c, struct sv rest, struct err *e)
{
	struct sv one;
	uint64_t size;

	c->stack = STACK_DEFAULT;
	while (sv_cut(&rest, ',', &one)) {
		if (sv_eq(one, "keep")) {
			c->keep = true;
			continue;
		}
		c->stack = str_size(one, &size) ? callgraph_stack(size) : 0;
		if (!c->stack)
			return err_set(e, EINVAL, "'%.*s' is no size of a stack's copy: at most %d bytes, or keep",
				       (int)MIN(one.n, 40u), one.s, STACK_MAX);
	}
	return 0;
}

int callgraph_parse(struct callgraph *c, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), how;

	*c = (struct callgraph){ .on = true };
	sv_cut(&rest, ',', &how);
	if (sv_eq(how, "dwarf"))
		return parse_dwarf(c, rest, e);
	/* perf takes "fp,4096", too: the size would be that of a stack copy, of which "fp" has none. */
	if (sv_eq(how, "fp"))
		return 0;
	if (sv_eq(how, "lr")) {
		c->lr = true;
		return rest.n ? err_set(e, EINVAL, "lr has no size: it copies no stack") : 0;
	}
	c->on = false;
	if (sv_eq(how, "no"))
		return 0;
	if (sv_eq(how, "lbr")) {
		err_set(e, EINVAL, "'lbr' is not available: only Intel's processors have it");
		return err_hint(e, "use --call-graph fp, or dwarf");
	}
	return err_set(e, EINVAL, "'%s' is no way to get call chains: fp, dwarf and lr are", text);
}

static uint32_t wanted_stack(const struct event *ev, const struct sampling_want *w)
{
	uint32_t size = ev->attr.sample_stack_user ? ev->attr.sample_stack_user : w->stack;

	if (ev->set & EVENT_SET_CALLCHAIN ? !(ev->set & EVENT_SET_STACK) : !w->stack)
		return 0;
	return size ? size : STACK_DEFAULT;
}

static bool wants_lr(const struct event *ev, const struct sampling_want *w)
{
	return ev->set & EVENT_SET_CALLCHAIN ? ev->set & EVENT_SET_LR : w->lr;
}

static bool use_lr(struct perf_attr *a, const struct sampling_want *w)
{
	bool of_user = a->flags & PERF_ATTR_EXCLUDE_KERNEL;

	a->sample_type |= of_user ? PERF_SAMPLE_REGS_USER : PERF_SAMPLE_REGS_INTR;
	if (of_user)
		a->sample_regs_user |= w->chain_regs;
	else
		a->sample_regs_intr |= w->chain_regs;
	a->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	return true;
}

bool callgraph_copies(struct perf_attr *a, const struct event *ev, const struct sampling_want *w)
{
	if (wants_lr(ev, w))
		return use_lr(a, w);

	uint32_t size = a->flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER ? 0 : wanted_stack(ev, w);

	a->sample_stack_user = size;
	if (!size)
		return false;
	a->sample_type |= COPIES;
	a->sample_regs_user = w->user_regs;
	a->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	return true;
}

bool callgraph_plain(struct perf_attr *a)
{
	if (callgraph_is_lr(a, UINT64_MAX)) {
		a->sample_type &= ~(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR);
		a->sample_regs_user = a->sample_regs_intr = 0;
		a->flags &= ~(PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL);
		return true;
	}
	if (!(a->sample_type & PERF_SAMPLE_STACK_USER))
		return false;
	a->sample_type &= ~COPIES;
	a->sample_regs_user = 0;
	a->sample_stack_user = 0;
	a->flags &= ~PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	return true;
}

bool callgraph_off_cpu(struct perf_attr *a, const struct event *ev)
{
	const uint64_t fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	const uint64_t kept = PERF_ATTR_DISABLED | PERF_ATTR_INHERIT | PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_USE_CLOCKID;

	if (!(ev->set & EVENT_OFF_CPU))
		return false;
	*a = (struct perf_attr){
		.type = PERF_SOFTWARE, .size = a->size, .config = PERF_SW_BPF_OUTPUT, .sample_period = 1,
		.sample_type = fields, .read_format = a->read_format, .clockid = a->clockid,
		.flags = PERF_ATTR_FREQ | (a->flags & kept),
	};
	return true;
}
