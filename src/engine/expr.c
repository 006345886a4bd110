/* expr.c - variables and functions of expressions, evaluated for a hit. */
#include "engine/expr.h"

enum word { W_CPU, W_PID, W_TID, W_TIME, W_IP, W_PERIOD, W_KEY, W_KERNEL_CPU, W_KERNEL_COMM, W_COMM_VAR,
	W_PRINTF, W_KSYMBOL, W_COMM_GET, W_COMM, W_NTOHL, W_NTOHS, W_NTOHLL, W_STRNCMP, W_STRCMP,
	W_SYSCALL_NAME, W_EXIT_REASON, WORDS };

#define VARIABLE_OF(n) { .name = n }
#define VARIABLE(w, n) [w] = VARIABLE_OF(n)
#define FUNCTION(w, n, l, m) [w] = { .name = n, .is_function = true, .least = l, .most = m }

static const struct texpr_word words[WORDS] = {
	VARIABLE(W_CPU, "_cpu"), VARIABLE(W_PID, "_pid"), VARIABLE(W_TID, "_tid"), VARIABLE(W_TIME, "_time"),
	VARIABLE(W_IP, "_ip"), VARIABLE(W_PERIOD, "_period"), VARIABLE(W_KEY, "key"),
	/* Special fields of the kernel's filters. */
	VARIABLE(W_KERNEL_CPU, "CPU"), VARIABLE(W_KERNEL_COMM, "COMM"), VARIABLE(W_COMM_VAR, "comm"),
	FUNCTION(W_PRINTF, "printf", 1, TEXPR_ARGS), FUNCTION(W_KSYMBOL, "ksymbol", 1, 1),
	FUNCTION(W_COMM_GET, "comm_get", 1, 1), FUNCTION(W_COMM, "comm", 0, 1),
	FUNCTION(W_NTOHL, "ntohl", 1, 1), FUNCTION(W_NTOHS, "ntohs", 1, 1), FUNCTION(W_NTOHLL, "ntohll", 1, 1),
	FUNCTION(W_STRNCMP, "strncmp", 3, 3), FUNCTION(W_STRCMP, "strcmp", 2, 2),
	FUNCTION(W_SYSCALL_NAME, "syscall_name", 1, 1), FUNCTION(W_EXIT_REASON, "exit_reason_str", 2, 2),
};

static const char *const abouts[WORDS] = {
	[W_CPU] = "CPU of the event", [W_PID] = "process ID of the event", [W_TID] = "thread ID of the event",
	[W_TIME] = "time of the event, ns", [W_IP] =
		"instruction pointer of the event", [W_PERIOD] = "period of the event",
	[W_KEY] = "in printkey: the key", [W_KERNEL_CPU] = "same as _cpu", [W_KERNEL_COMM] = "name of the thread",
	[W_COMM_VAR] = "name of the thread, for events without a field comm",
	[W_PRINTF] = "print as in C: %d %u %x %c %s with flags and widths", [W_KSYMBOL] = "function at an address",
	[W_COMM_GET] = "name of a thread", [W_COMM] = "name of a thread, default: the event's",
	[W_NTOHL] = "network to host byte order, 4 bytes", [W_NTOHS] = "2 bytes", [W_NTOHLL] = "8 bytes",
	[W_STRNCMP] = "compare two strings, n bytes", [W_STRCMP] = "compare two strings",
	[W_SYSCALL_NAME] = "name of a system call",
	[W_EXIT_REASON] = "VM exit reason: of VMX (1), SVM (2), ARM (3)",
};

const char *expr_word(size_t i, const char **about)
{
	if (i >= WORDS)
		return NULL;
	*about = abouts[i];
	return words[i].name;
}

enum code_word expr_hit_word(const struct texpr *x)
{
	switch (x->v) {
	case W_CPU:
	case W_KERNEL_CPU: return CODE_CPU;
	case W_TID: return CODE_TID;
	case W_PID: return CODE_PID;
	default: return CODE_OTHER;
	}
}

static struct tval number(uint64_t v, uint8_t size, bool is_unsigned)
{
	return (struct tval){ .kind = TVAL_NUM, .v = v, .type = { .size = size, .is_unsigned = is_unsigned } };
}

static struct tval text(const char *s)
{
	return (struct tval){ .kind = TVAL_BYTES, .bytes = { (const uint8_t *)s, strlen(s) },
			      .type = { .pointer = true, .elem = 1 } };
}

static struct tval named(const char *name)
{
	return text(name ? name : "Unknown");
}

static struct tval of_symbol(const struct expr_env *env, struct tval addr)
{
	return named(addr.kind == TVAL_NUM && env->symbol ? env->symbol(env->arg, addr.v) : NULL);
}

static struct tval of_comm(const struct expr_env *env, uint64_t tid)
{
	return env->comm ? text(env->comm(env->arg, (uint32_t)tid)) : (struct tval){ .kind = TVAL_NONE };
}

static struct tval of_hit(const struct expr_env *env, enum word w)
{
	const struct hit *h = env->hit;

	switch (w) {
	case W_CPU:
	case W_KERNEL_CPU: return number(h->cpu, 4, false);
	case W_PID: return number(h->pid, 4, false);
	case W_TID: return number(h->tid, 4, false);
	case W_TIME: return number(h->time, 8, true);
	case W_IP: return h->sample ? number(h->sample->ip, 8, true) : (struct tval){ 0 };
	case W_PERIOD: return h->sample ? number(h->sample->period, 8, true) : (struct tval){ 0 };
	case W_KEY: return number(env->key, 8, false);
	case W_KERNEL_COMM:
	case W_COMM_VAR: return of_comm(env, h->tid);
	default: return (struct tval){ .kind = TVAL_NONE };
	}
}

static struct tval compare(struct sv a, struct sv b, uint64_t n)
{
	size_t both;
	int r;

	a.n = MIN(a.n, n);
	b.n = MIN(b.n, n);
	both = MIN(a.n, b.n);
	r = both ? memcmp(a.s, b.s, both) : 0;
	if (!r)
		r = a.n < b.n ? -1 : a.n > b.n;
	return number((uint64_t)(int64_t)r, 4, false);
}

enum { WIDTH_MAX = 200, DIRECTIVE = 32 };

/* Copy a width or precision at *at, limited to WIDTH_MAX. */
static size_t copy_number(char *how, size_t n, const char **at, const char *end)
{
	unsigned v = 0;
	const char *p = *at;

	for (; p < end && *p >= '0' && *p <= '9'; p++)
		v = MIN(v * 10 + (unsigned)(*p - '0'), (unsigned)WIDTH_MAX);
	if (p > *at)
		n += (size_t)snprintf(how + n, DIRECTIVE - n, "%u", v);
	*at = p;
	return n;
}

/* Copy "%-8.3" of "%-8.3ld" to how; *at moves to the conversion letter. Returns the length. */
static size_t copy_directive(char how[DIRECTIVE], const char **at, const char *end)
{
	size_t n = 0;

	how[n++] = '%';
	for (; *at < end && strchr("-+ #0", **at); (*at)++)
		if (n < 6)
			how[n++] = **at;
	n = copy_number(how, n, at, end);
	if (*at < end && **at == '.') {
		how[n++] = '.';
		(*at)++;
		n = copy_number(how, n, at, end);
	}
	while (*at < end && strchr("hlLqzjt", **at))
		(*at)++;
	how[n] = '\0';
	return n;
}

/* Print one argument by the directive at *at, behind its '%'; *at moves behind the directive. */
static void put_one(struct out *o, const char **at, const char *end, const struct tval *v)
{
	char how[DIRECTIVE];
	const char *p = *at;
	size_t n = copy_directive(how, &p, end);

	if (p == end) {
		*at = p;
		return;
	}
	*at = p + 1;
	if (*p == '%') {
		out_char(o, '%');
	} else if (!v || v->kind == TVAL_NONE) {
		out_str(o, "?");
	} else if (*p == 's' || v->kind == TVAL_BYTES) {
		struct sv s = tval_text(*v);
		char whole[256];

		snprintf(how + n, sizeof(how) - n, "s");
		str_copy(whole, sizeof(whole), s);
		out_printf(o, how, s.s ? whole : "(null)");
	} else if (*p == 'c') {
		out_char(o, (char)v->v);
	} else {
		bool narrow = v->type.size == 4;
		bool is_signed = *p == 'd' || *p == 'i';
		uint64_t value = is_signed || !narrow ? v->v : (uint32_t)v->v;

		snprintf(how + n, sizeof(how) - n, "ll%c", strchr("diuxXo", *p) ? *p : 'x');
		out_printf(o, how, value);
	}
}

static struct tval print(struct expr_env *env, const struct tval *args, size_t n)
{
	struct sv fmt = tval_text(args[0]);
	const char *p = fmt.s, *end;
	uint64_t before = env->out ? env->out->total : 0;
	size_t next = 1;

	if (!env->out || !p)
		return number(0, 4, false);
	end = p + fmt.n;
	while (p < end) {
		bool literal = p + 1 < end && p[1] == '%';

		if (*p != '%') {
			out_char(env->out, *p++);
			continue;
		}
		p++;
		put_one(env->out, &p, end, !literal && next < n ? &args[next] : NULL);
		next += !literal;
	}
	return number(env->out->total - before, 4, false);
}

static struct tval call(struct expr_env *env, enum word w, const struct tval *args, size_t n)
{
	switch (w) {
	case W_PRINTF: return print(env, args, n);
	case W_KSYMBOL: return of_symbol(env, args[0]);
	case W_COMM:
	case W_COMM_GET:
		return n && args[0].kind != TVAL_NUM ? (struct tval){ 0 } : of_comm(env, n ? args[0].v : env->hit->tid);
	case W_NTOHL: return number(__builtin_bswap32((uint32_t)args[0].v), 4, true);
	case W_NTOHS: return number(__builtin_bswap16((uint16_t)args[0].v), 4, false);
	case W_NTOHLL: return number(__builtin_bswap64(args[0].v), 8, true);
	case W_STRNCMP: return compare(tval_text(args[0]), tval_text(args[1]), args[2].v);
	case W_STRCMP: return compare(tval_text(args[0]), tval_text(args[1]), UINT64_MAX);
	case W_SYSCALL_NAME: return named(env->arch ? arch_syscall_name(env->arch, args[0].v) : NULL);
	case W_EXIT_REASON: return named(arch_exit_name(args[0].v, args[1].v & UINT32_MAX));
	default: return of_hit(env, w);
	}
}

static struct tval value(void *arg, uint64_t word, const struct tval *args, size_t n)
{
	const struct expr_env *env = arg;

	if (word >= WORDS)
		return env->values ? number(env->values[word - WORDS], 8, false) : (struct tval){ .kind = TVAL_NONE };
	return call(arg, (enum word)word, args, n);
}

static int compile(const struct texpr **to, const struct tevent *event, const struct texpr_word *all, size_t n_all,
		   struct arena *a, const char *source, struct err *e)
{
	static const struct tfmt no_fields = { .system = "", .name = "", .print = "", .long_size = 8 };
	const char *kept = arena_dup(a, source, strlen(source));
	struct texpr_ctx c = { .fmt = event ? &event->fmt : &no_fields, .arena = a, .words = all, .n_words = n_all };
	const struct texpr *x;
	size_t column;

	if (!kept)
		return err_nomem(e);
	tlex_init(&c.lex, sv_from(kept));
	x = texpr_parse(&c);
	if (x && c.lex.kind != TLEX_END)
		x = texpr_fail(&c, "unexpected", c.lex.text);
	if (c.no_memory)
		return err_nomem(e);
	*to = x;
	if (x)
		return 0;
	column = MIN((size_t)(c.lex.text.s - kept), 300u);
	err_set(e, EINVAL, "%s%s%s\n  %s\n  %*s^", c.why, event ? " in an expression of " : "",
		event ? event->fmt.name : "", source, (int)column, "");
	return event ? err_hint(e, "help behind the command shows the event's fields") : -EINVAL;
}

int expr_compile(const struct texpr **to, const struct tevent *event, struct arena *a, const char *source,
		 struct err *e)
{
	return compile(to, event, words, WORDS, a, source, e);
}

int expr_compile_names(const struct texpr **to, const char *const *names, size_t n, struct arena *a, const char *source,
		       struct err *e)
{
	struct texpr_word *all = arena_alloc(a, (WORDS + n) * sizeof(*all));

	if (!all)
		return err_nomem(e);
	memcpy(all, words, sizeof(words));
	for (size_t i = 0; i < n; i++)
		all[WORDS + i] = (struct texpr_word)VARIABLE_OF(names[i]);
	return compile(to, NULL, all, WORDS + n, a, source, e);
}

struct tval expr_value(struct expr_env *env, const struct texpr *x, const struct hit *h)
{
	struct teval_words w = { value, env };
	struct teval ev = { .raw = h->raw.p, .n = h->raw.n, .long_size = 8, .words = &w };

	env->hit = h;
	if (h->event) {
		ev.long_size = h->event->fmt.long_size;
		ev.swap = h->event->fmt.swap;
	}
	return tval_of(&ev, x);
}

uint64_t expr_number(struct expr_env *env, const struct texpr *x, const struct hit *h, uint64_t other)
{
	struct tval v = expr_value(env, x, h);

	return v.kind == TVAL_NUM ? v.v : other;
}
