/* ktext_body.c - the text of an event: by its print fmt, or in a form that the kernel codes by hand. */
#include "tracefs/print/bprint.h"
#include "tracefs/text/ktext_impl.h"

#include "base/cursor.h"

/* Trampolines of the kernel's return probes: as a return address they hide the real caller. */
static bool is_trampoline(const char *name)
{
	return !strcmp(name, "__kretprobe_trampoline") || !strcmp(name, "kretprobe_trampoline") ||
	       !strcmp(name, "arch_rethook_trampoline");
}

static void ip_name(const struct ktext_line *l, uint64_t ip, bool offset)
{
	const struct tprint_names *names = l->k->want.names;
	struct tprint_symbol s = { 0 };

	if (!names || !names->symbol || !names->symbol(names->arg, ip, &s) || !s.name)
		out_printf(l->o, offset ? "0x%llx" : "0x%08llx", (unsigned long long)ip);
	else if (!s.offset && is_trampoline(s.name))
		out_str(l->o, "[unknown/kretprobe'd]");
	else if (offset)
		tptr_symbol(names, ip, 'S', l->o);
	else
		out_str(l->o, s.name);
}

void ktext_ip(const struct ktext_line *l, uint64_t ip, uint32_t options)
{
	if (!ip) {
		out_char(l->o, '0');
		return;
	}
	ip_name(l, ip, options & KTEXT(SYM_OFFSET));
	if (options & KTEXT(SYM_ADDR)) {
		out_str(l->o, " <");
		out_zero_hex(l->o, ip, l->ev->fmt.long_size * 2u);
		out_char(l->o, '>');
	}
}

void ktext_func(const struct ktext_line *l, uint64_t ip)
{
	tptr_symbol(l->k->want.names, ip, 's', l->o);
}

static void function(const struct ktext_line *l)
{
	uint64_t parent = ktext_field(l, FUNCTION_PARENT_IP);

	ktext_ip(l, ktext_field(l, FUNCTION_IP), l->k->want.options);
	if (parent && ktext_has(l->k, KTEXT(PARENT))) {
		out_str(l->o, " <-");
		ktext_ip(l, parent, l->k->want.options);
	}
}

static void repeats(const struct ktext_line *l)
{
	function(l);
	out_printf(l->o, " (repeats: %u, last_ts:", (unsigned)ktext_field(l, FUNCTION_COUNT));
	ktext_time(l, l->ts - (ktext_field(l, FUNCTION_TOP_DELTA_TS) << 32 | ktext_field(l, FUNCTION_BOTTOM_DELTA_TS)));
	out_char(l->o, ')');
}

static void switched(const struct ktext_line *l, const char *how)
{
	static const char states[] = "RSDTtXZPI";
	uint64_t prev = ktext_field(l, CONTEXT_PREV_STATE), next = ktext_field(l, CONTEXT_NEXT_STATE);
	int32_t pid = (int32_t)ktext_field(l, CONTEXT_NEXT_PID);

	out_printf(l->o, " %7d:%3d:%c %s [%03u] %7d:%3d:%c %s", (int32_t)ktext_field(l, CONTEXT_PREV_PID),
		   (int)ktext_field(l, CONTEXT_PREV_PRIO), prev < 9 ? states[prev] : '?', how,
		   (unsigned)ktext_field(l, CONTEXT_NEXT_CPU), pid, (int)ktext_field(l, CONTEXT_NEXT_PRIO),
		   next < 9 ? states[next] : '?', ktext_comm(l->k, pid));
}

/* Addresses up to the end of the record: the size in the field's format is not the real one. */
static struct cursor callers(const struct ktext_line *l, uint8_t *long_size)
{
	const struct tfield *f = l->ev->field[STACK_CALLER];
	struct cursor c = cur_from(l->raw, l->n);

	*long_size = l->ev->fmt.long_size;
	c.swap = l->ev->fmt.swap;
	cur_seek(&c, f ? MIN((size_t)f->offset, l->n) : l->n);
	return c;
}

static void stack(const struct ktext_line *l)
{
	const uint64_t trampoline = INT_MAX;   /* the kernel's mark for trampolines of ftrace, since 5.15 */
	uint8_t size;
	struct cursor c = callers(l, &size);

	out_str(l->o, "<stack trace>");
	while (cur_left(&c) >= size) {
		uint64_t ip = traw_load(cur_bytes(&c, size), size, c.swap);

		if (ip == (size == 8 ? UINT64_MAX : UINT32_MAX))
			break;
		out_str(l->o, "\n => ");
		if (ip == trampoline)
			out_str(l->o, "[FTRACE TRAMPOLINE]");
		else
			ktext_ip(l, ip, l->k->want.options);
	}
}

static void user_stack(const struct ktext_line *l)
{
	uint8_t size;
	struct cursor c = callers(l, &size);

	out_str(l->o, "<user stack trace>");
	for (unsigned i = 0; i < 8 && cur_left(&c) >= size; i++) {
		uint64_t ip = traw_load(cur_bytes(&c, size), size, c.swap);

		if (!ip)
			break;
		out_str(l->o, "\n =>  <");
		out_zero_hex(l->o, ip, size * 2u);
		out_char(l->o, '>');
	}
}

/* Print a text without the line feed at its end: true when it had one. */
static bool message(struct sv s, struct out *o)
{
	bool whole = s.n && s.s[s.n - 1] == '\n';

	s.n -= whole;
	out_sv(o, s);
	return whole;
}

static bool bprint(const struct ktext_line *l)
{
	const struct tfmt *f = &l->ev->fmt;
	struct teval ev = { .long_size = f->long_size, .swap = f->swap, .names = l->k->want.names };
	const char *fmt = tevents_string(l->k->want.events, ktext_field(l, PRINT_FMT));
	struct mem_out text;
	bool whole;

	if (!fmt || !l->ev->field[PRINT_BUF]) {
		out_printf(l->o, "UNKNOWN FORMAT 0x%llx", (unsigned long long)ktext_field(l, PRINT_FMT));
		return true;
	}
	mem_out_init(&text);
	tbprint(&ev, fmt, tfmt_bytes(l->ev->field[PRINT_BUF], l->raw, l->n), &text.out);
	whole = message(sv_from(mem_out_str(&text)), l->o);
	mem_out_deinit(&text);
	return whole;
}

/* The events print, bprint, bputs. */
static bool printed(const struct ktext_line *l, enum ktext_name name)
{
	const char *text;

	if (name == KTEXT_NAMED) {
		ktext_ip(l, ktext_field(l, PRINT_IP), l->k->want.options);
		out_str(l->o, ": ");
	}
	if (l->ev->kind == KIND_BPRINT)
		return bprint(l);
	if (l->ev->kind == KIND_PRINT)
		return l->ev->field[PRINT_BUF] && message(tfmt_str(l->ev->field[PRINT_BUF], l->raw, l->n), l->o);
	text = tevents_string(l->k->want.events, ktext_field(l, PRINT_STR));
	if (text)
		return message(sv_from(text), l->o);
	out_printf(l->o, "UNKNOWN STRING 0x%llx", (unsigned long long)ktext_field(l, PRINT_STR));
	return true;
}

static void raw_data(const struct ktext_line *l)
{
	const struct tfield *buf = l->ev->field[RAW_DATA_BUF];
	struct traw b = buf ? tfmt_bytes(buf, l->raw, l->n) : (struct traw){ 0 };

	out_printf(l->o, "# %x buf:", (unsigned)ktext_field(l, RAW_DATA_ID));
	for (size_t i = 0; i < b.n; i++) {
		out_char(l->o, ' ');
		out_zero_hex(l->o, b.p[i], 2);
	}
}

static void hwlat(const struct ktext_line *l)
{
	out_printf(l->o, "#%-5u inner/outer(us): %4llu/%-5llu ts:%lld.%09lld", (unsigned)ktext_field(l, HWLAT_SEQNUM),
		   (unsigned long long)ktext_field(l, HWLAT_DURATION),
		   (unsigned long long)ktext_field(l, HWLAT_OUTER_DURATION),
		   (long long)ktext_field(l, HWLAT_TV_SEC), (long long)ktext_field(l, HWLAT_TV_NSEC));
	if (l->ev->field[HWLAT_COUNT])
		out_printf(l->o, " count:%d", (int)ktext_field(l, HWLAT_COUNT));
	if (!ktext_field(l, HWLAT_NMI_COUNT))
		return;
	/* zero on machines whose clock cannot be read in an NMI; the kernel prints nothing then */
	if (ktext_field(l, HWLAT_NMI_TOTAL_TS))
		out_printf(l->o, " nmi-total:%llu", (unsigned long long)ktext_field(l, HWLAT_NMI_TOTAL_TS));
	out_printf(l->o, " nmi-count:%u", (unsigned)ktext_field(l, HWLAT_NMI_COUNT));
}

static void osnoise(const struct ktext_line *l)
{
	uint64_t run = ktext_field(l, OSNOISE_RUNTIME), noise = ktext_field(l, OSNOISE_NOISE);
	uint64_t ratio = run ? (run - noise) * 10000000 / run : 0;

	out_printf(l->o, "%llu %10llu %3llu.%05llu %7llu", (unsigned long long)run, (unsigned long long)noise,
		   (unsigned long long)ratio / 100000, (unsigned long long)ratio % 100000,
		   (unsigned long long)ktext_field(l, OSNOISE_MAX_SAMPLE));
	for (unsigned i = OSNOISE_HW_COUNT; i <= OSNOISE_THREAD_COUNT; i++) {
		out_char(l->o, ' ');
		out_u64w(l->o, ktext_field(l, i), 6);
	}
}

static void timerlat(const struct ktext_line *l)
{
	static const char *const contexts[] = { "irq", "thread", "user-ret" };
	uint64_t context = ktext_field(l, TIMERLAT_CONTEXT);

	out_printf(l->o, "#%-5u context %6s timer_latency %9llu ns", (unsigned)ktext_field(l, TIMERLAT_SEQNUM),
		   context < ARRAY_SIZE(contexts) ? contexts[context] : "?",
		   (unsigned long long)ktext_field(l, TIMERLAT_TIMER_LATENCY));
}

/* "sys_openat(dfd: ffffff9c, ...)": all arguments as longs in hex. */
static void sys_enter(const struct ktext_line *l)
{
	const struct tfmt *f = &l->ev->fmt;
	const char *comma = "";

	out_str(l->o, "sys_");
	out_str(l->o, f->name + strlen("sys_enter_"));
	out_char(l->o, '(');
	for (uint32_t i = f->n_common; i < f->n_fields; i++) {
		const struct tfield *arg = &f->fields[i];
		uint64_t v = 0;

		/* skip the system call's number, and fields in which newer kernels copy data of user space */
		if (sv_starts(sv_from(arg->name), "__") || (i == f->n_common && !strcmp(arg->name, "nr")))
			continue;
		out_str(l->o, comma);
		if (ktext_has(l->k, KTEXT(VERBOSE)))
			out_printf(l->o, "%s ", arg->type);
		tfmt_u64(arg, l->raw, l->n, &v);
		out_printf(l->o, "%s: %llx", arg->name, (unsigned long long)v);
		comma = ", ";
	}
	out_char(l->o, ')');
}

static void sys_exit(const struct ktext_line *l)
{
	out_printf(l->o, "sys_%s -> 0x%llx", l->ev->fmt.name + strlen("sys_exit_"),
		   (unsigned long long)ktext_field(l, SYSCALL_RET));
}

/* "(function+0x0/0x10)", or a bare address in user space. */
static void probe_place(const struct ktext_line *l)
{
	bool entry = l->ev->kind == KIND_PROBE;
	uint64_t ip = ktext_field(l, entry ? (unsigned)PROBE_IP : (unsigned)RETPROBE_FUNC);
	uint64_t ret = entry ? 0 : ktext_field(l, RETPROBE_RET_IP);
	uint32_t options = l->k->want.options | KTEXT(SYM_OFFSET);
	bool user = !(ip >> (l->ev->fmt.long_size * 8 - 1));

	out_char(l->o, '(');
	if (entry) {
		if (user)
			out_printf(l->o, "0x%llx", (unsigned long long)ip);
		else
			ktext_ip(l, ip, options);
	} else if (user) {
		out_printf(l->o, "0x%llx <- 0x%llx", (unsigned long long)ret, (unsigned long long)ip);
	} else {
		ktext_ip(l, ret, options);
		out_str(l->o, " <- ");
		ktext_ip(l, ip, options & ~KTEXT(SYM_OFFSET));
	}
	out_char(l->o, ')');
}

/* Print fields by their types: the kernel does not use the print fmt here. */
static void synthetic(const struct ktext_line *l)
{
	const struct tfmt *f = &l->ev->fmt;
	uint64_t v;

	out_str(l->o, f->name);
	out_char(l->o, ':');
	for (uint32_t i = f->n_common; i < f->n_fields; i++) {
		const struct tfield *field = &f->fields[i];

		out_char(l->o, ' ');
		if (ktext_has(l->k, KTEXT(VERBOSE)))
			out_printf(l->o, "%s ", field->type);
		out_str(l->o, field->name);
		out_char(l->o, '=');
		if (field->kind != TFIELD_SCALAR || !tfmt_u64(field, l->raw, l->n, &v))
			tprint_field(field, l->raw, l->n, l->o);
		else if (!strcmp(field->type, "gfp_t"))
			out_hex(l->o, v);
		else if (field->is_signed)
			out_i64(l->o, (int64_t)v);
		else
			out_u64(l->o, v);
	}
}

/* Arguments of a probe; a string of no bytes, not even a NUL, could not be read. */
static void probe_args(const struct ktext_line *l, const char *args)
{
	const struct tfmt *f = &l->ev->fmt;

	for (uint32_t i = f->n_common; i < f->n_fields; i++) {
		const struct tfield *field = &f->fields[i];
		const char *at;
		char empty[128];
		int n;

		if (field->kind != TFIELD_DATA_LOC || !field->is_string || tfmt_bytes(field, l->raw, l->n).n)
			continue;
		n = snprintf(empty, sizeof(empty), " %s=\"\"", field->name);
		at = n < (int)sizeof(empty) ? strstr(args, empty) : NULL;
		if (!at)
			continue;
		out_bytes(l->o, args, (size_t)(at - args) + (size_t)n - 2);
		out_str(l->o, "(fault)");
		args = at + n;
	}
	out_str(l->o, args);
}

static void formatted(const struct ktext_line *l)
{
	const struct tprint *p = tevents_print(l->k->want.events, l->ev);
	struct mem_out text;
	const char *args;

	out_str(l->o, l->ev->fmt.name);
	out_str(l->o, ": ");
	if (!p)
		return;
	if (l->ev->kind != KIND_PROBE && l->ev->kind != KIND_RETPROBE) {
		tprint_record(p, l->k->want.names, l->raw, l->n, l->o);
		return;
	}
	/* only the place of a probe differs from its print fmt, which has bare numbers there */
	probe_place(l);
	mem_out_init(&text);
	tprint_record(p, l->k->want.names, l->raw, l->n, &text.out);
	args = strchr(mem_out_str(&text), ')');
	if (args)
		probe_args(l, args + 1);
	mem_out_deinit(&text);
}

bool ktext_text(const struct ktext_line *l, enum ktext_name name)
{
	switch (l->ev->kind) {
	case KIND_FUNCTION:       function(l); break;
	case KIND_FTRACE_SWITCH:  switched(l, "==>"); break;
	case KIND_FTRACE_WAKEUP:  switched(l, "  +"); break;
	case KIND_KERNEL_STACK:   stack(l); break;
	case KIND_USER_STACK:     user_stack(l); break;
	case KIND_PRINT:
	case KIND_BPRINT:
	case KIND_BPUTS:          return printed(l, name);
	case KIND_RAW_DATA:       raw_data(l); break;
	case KIND_HWLAT:          hwlat(l); break;
	case KIND_OSNOISE:        osnoise(l); break;
	case KIND_TIMERLAT:       timerlat(l); break;
	case KIND_FUNC_REPEATS:   repeats(l); break;
	case KIND_SYNTHETIC:      synthetic(l); break;
	case KIND_SYSCALL_FUTEX:
	case KIND_SYSCALL_ENTER:  sys_enter(l); break;
	case KIND_SYSCALL_EXIT:   sys_exit(l); break;
	default:                  formatted(l);
	}
	return true;
}
