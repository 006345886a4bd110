/* places.c - where a task waits, and what wakes it, from kernel call chains. */
#include "why/why.h"

#include "arch/arch.h"

enum { NAMES_MOST = 1 << 17, PLACE = 120 };

uint32_t why_name(struct why *w, const char *text, size_t n)
{
	uint32_t id;

	if (!n)
		return 0;
	if (w->names.list.n >= NAMES_MOST) {
		id = names_find(&w->names, text, n);
		return id == NAMES_NONE ? 0 : id + 1;
	}
	id = names_add(&w->names, text, n);
	return id == NAMES_NONE ? NAMES_NONE : id + 1;
}

const char *why_text(const struct why *w, uint32_t name)
{
	return name ? names_str(&w->names, name - 1) : "?";
}

/* --- functions of the kernel --- */

static bool begins(const char *sym, const char *const *prefixes, size_t n)
{
	size_t i = 0;

	while (i < n && strncmp(sym, prefixes[i], strlen(prefixes[i])))
		i++;
	return i < n;
}

/* Functions that do not tell what is waited for: those of the scheduler and of the tracepoint itself. */
static bool is_scheduler(const char *sym)
{
	static const char *const prefixes[] = {
		"__schedule", "schedule", "io_schedule", "preempt_schedule", "__cond_resched", "__traceiter_",
		"perf_trace_", "trace_event_", "__bpf_trace_", "do_sched_yield", "__arm64_sys_sched_yield",
	};

	return begins(sym, prefixes, ARRAY_SIZE(prefixes));
}

static bool is_waker(const char *sym)
{
	static const char *const prefixes[] = {
		"try_to_wake_up", "wake_up", "__wake_up", "default_wake_function", "autoremove_wake_function",
		"woken_wake_function", "ttwu_", "swake_up", "__traceiter_", "perf_trace_", "trace_event_",
		"__bpf_trace_",
	};

	return begins(sym, prefixes, ARRAY_SIZE(prefixes));
}

/* Page faults of user code go through one of these, in Linux 5.x and later, on arm64 and x86-64. */
static bool is_fault(const char *sym)
{
	static const char *const prefixes[] = {
		"handle_mm_fault", "do_page_fault", "do_translation_fault", "exc_page_fault", "do_user_addr_fault",
	};

	return begins(sym, prefixes, ARRAY_SIZE(prefixes));
}

/* "read" of __arm64_sys_read; NULL: not the function of a system call. */
static const char *call_of(const char *sym)
{
	static const char *const prefixes[] = { "__arm64_sys_", "__x64_sys_", "__se_sys_", "__do_sys_", "ksys_",
						"__arm64_compat_sys_", "__ia32_sys_" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(sym, prefixes[i], strlen(prefixes[i])))
			return sym + strlen(prefixes[i]);
	return NULL;
}

/* --- stacks --- */

struct told_by_stack {
	const char *function, *call, *waker;
	bool is_disk, is_fault;
};

static void look(struct why *w, uint32_t stack, struct told_by_stack *t)
{
	const struct ct_node *v = w->callers.tree.nodes.v;

	for (uint32_t at = stack; at; at = v[at].parent) {
		const struct hist_frame *f = &w->callers.frames.v.v[v[at].key];
		const char *call = f->sym && f->kernel ? call_of(f->sym) : NULL;

		if (!f->sym || !f->kernel)
			continue;
		t->is_disk |= !strncmp(f->sym, "io_schedule", strlen("io_schedule"));
		t->is_fault |= is_fault(f->sym);
		if (!t->function && !is_scheduler(f->sym))
			t->function = f->sym;
		if (!t->waker && !is_waker(f->sym))
			t->waker = f->sym;
		if (call && !t->call)
			t->call = call;
	}
}

/* "call (function)"; only the call, if the function is the call's own. */
static int name_place(struct why *w, struct why_place *p, const struct told_by_stack *t)
{
	char text[PLACE];

	if (t->call && t->function && !call_of(t->function))
		snprintf(text, sizeof(text), "%s (%s)", t->call, t->function);
	else
		snprintf(text, sizeof(text), "%s", t->call ? t->call : t->function ? t->function : "");
	p->what = why_name(w, text, strlen(text));
	p->by = t->waker ? why_name(w, t->waker, strlen(t->waker)) : 0;
	return p->what == NAMES_NONE || p->by == NAMES_NONE ? -ENOMEM : 0;
}

const struct why_place *why_place(struct why *w, uint32_t stack)
{
	struct told_by_stack t = { 0 };
	struct why_place *p;

	while (w->places.n <= stack)
		if (!vec_add(&w->places))
			return NULL;
	p = &w->places.v[stack];
	if (p->known || !stack)
		return p;
	look(w, stack, &t);
	p->known = true;
	p->is_disk = t.is_disk;
	p->is_fault = t.is_fault;
	return name_place(w, p, &t) ? NULL : p;
}

/* --- /proc --- */

uint32_t why_place_told(struct why *w, uint32_t tid)
{
	char wchan[64] = "", nr[32] = "", text[PLACE];
	const struct sys *sys = w->prof->sys;
	const char *call = NULL;
	struct sv rest;
	uint64_t number;

	if (sys_read_line(sys, wchan, sizeof(wchan), "/proc/%u/wchan", tid) < 0 || !strcmp(wchan, "0"))
		*wchan = '\0';
	/* "98 0x7f... ..." or "running"; reading it may be forbidden. */
	if (sys_read_line(sys, nr, sizeof(nr), "/proc/%u/syscall", tid) > 0) {
		rest = (struct sv){ nr, strcspn(nr, " ") };
		call = str_u64(rest, 10, &number) ? arch_syscall_name(arch_native(), number) : NULL;
	}
	snprintf(text, sizeof(text), call && *wchan ? "%s (%s)" : "%s%s", call ? call : "", wchan);
	return why_name(w, text, strlen(text));
}

enum ledger_cause why_cause_told(char state)
{
	switch (state) {
	case 'R':
		return LEDGER_RUN;
	case 'S':
	case 'I':
		return LEDGER_SLEEP;
	case 'D':
		return LEDGER_BLOCKED;
	case 'T':
	case 't':
	case 'P':
		return LEDGER_STOPPED;
	default:
		return LEDGER_UNKNOWN;
	}
}
