#include "syscalls/value.h"

#include "base/err.h"
#include "base/packed.h"

struct value_name {
	uint64_t value;
	const char *name;
};

struct value_names {
	const struct value_name *v;
	uint32_t n;
	uint32_t low;            /* mask of the bits that are one number together */
	bool is_number, shows_zero;
};

/* Kinds of tables, see value_names.def. */
enum { BITS = 0, BITS_ZERO = 1, NUMBER = 2, ZERO = 3 };

#define V(number, name) { number, #name },
#define NAMES(table, how, low, list) static const struct value_name table##_v[] = { list };
#include "syscalls/value_names.def"

#define V(number, name)
#define NAMES(table, how, low, list) \
	static const struct value_names table = { table##_v, ARRAY_SIZE(table##_v), low, (how) & NUMBER, (how) & 1 };
#include "syscalls/value_names.def"

/* Tables by argument; call NULL: of any call. opens_x86 stands for the table of the architecture. */
static const struct {
	const char *call, *name;
	const struct value_names *names;
} known[] = {
	{ "mmap", "prot", &prots }, { "mprotect", "prot", &prots }, { "pkey_mprotect", "prot", &prots },
	{ "mmap", "flags", &maps }, { "open", "flags", &opens_x86 }, { "openat", "flags", &opens_x86 },
	{ "pipe2", "flags", &opens_x86 }, { "dup3", "flags", &opens_x86 }, { "eventfd2", "flags", &opens_x86 },
	{ "epoll_create1", "flags", &opens_x86 }, { "inotify_init1", "flags", &opens_x86 },
	{ "accept4", "flags", &opens_x86 }, { "access", "mode", &accesses }, { "faccessat", "mode", &accesses },
	{ "faccessat2", "mode", &accesses }, { "lseek", "whence", &whences }, { "futex", "op", &futexes },
	{ NULL, "family", &families }, { "socket", "type", &sockets }, { "socketpair", "type", &sockets },
	{ "fcntl", "cmd", &fcntls }, { "epoll_ctl", "op", &epolls }, { "getrandom", "flags", &randoms },
	{ "prlimit64", "resource", &rlimits }, { "getrlimit", "resource", &rlimits },
	{ "setrlimit", "resource", &rlimits },
	{ NULL, "sig", &signals }, { "rt_sigprocmask", "how", &hows }, { "madvise", "behavior", &advices },
	{ "clone", "clone_flags", &clones }, { NULL, "which_clock", &clocks }, { "prctl", "option", &prctls },
	{ "arch_prctl", "option", &archprctls }, { "landlock_add_rule", "rule_type", &rules },
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static const struct value_names *names_of(const struct arch *a, const char *call, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name) && (!known[i].call || !strcmp(known[i].call, call)))
			return known[i].names == &opens_x86 && !strcmp(a->name, "aarch64") ? &opens_arm :
											     known[i].names;
	return NULL;
}

struct value_type value_type_of(const struct arch *a, const char *call, const char *type, const char *name)
{
	const struct value_names *names;
	enum value_kind kind = VALUE_NUMBER;

	packed_need();
	/* Pointers are not looked up by name: pselect6 has a pointer called "sig". */
	names = strchr(type, '*') ? NULL : names_of(a, call, name);
	if (names)
		return (struct value_type){ VALUE_BITS, names };
	if (strchr(type, '*') || !strcmp(name, "addr") || !strcmp(name, "start") || !strcmp(name, "brk"))
		kind = VALUE_HEX;
	else if (!strcmp(type, "umode_t") || !strcmp(type, "mode_t"))
		kind = VALUE_OCTAL;
	else if (!strcmp(type, "pid_t"))
		kind = VALUE_PID;
	else if (!strcmp(name, "dfd") || ends_with(name, "dirfd") || !strcmp(name, "olddfd") || !strcmp(name, "newdfd"))
		kind = VALUE_DIR;
	else if (ends_with(name, "fd"))
		kind = !strcmp(call, "mmap") ? VALUE_MAP_FD : VALUE_FD;
	else if (!strcmp(call, "mmap") && !strcmp(name, "off"))
		kind = VALUE_HEX;
	else if (!strcmp(call, "ioctl") && !strcmp(name, "cmd"))
		kind = VALUE_IOCTL;
	else if (!strcmp(call, "ioctl") || !strcmp(call, "arch_prctl"))
		kind = VALUE_HEX;
	return (struct value_type){ kind, NULL };
}

struct value_type value_family(void)
{
	packed_need();
	return (struct value_type){ VALUE_BITS, &families };
}

struct value_type value_signal(void)
{
	packed_need();
	return (struct value_type){ VALUE_BITS, &signals };
}

bool value_is_shown(const struct value_type *t, uint64_t v)
{
	if (t->kind == VALUE_MAP_FD)
		return (int32_t)v >= 0;
	return v || t->kind == VALUE_FD || t->kind == VALUE_DIR || (t->kind == VALUE_BITS && t->names->shows_zero);
}

/* NULL: the value has no name. */
static const char *name_of(const struct value_names *t, uint64_t v)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->v[i].value == v)
			return t->v[i].name;
	return NULL;
}

static void put_part(struct out *o, bool *first, const char *name)
{
	out_str(o, *first ? "" : "|");
	out_str(o, name);
	*first = false;
}

static void put_bits(const struct value_names *t, uint64_t v, struct out *o)
{
	const char *low = t->low ? name_of(t, v & t->low) : NULL;
	uint64_t rest = v;
	bool first = true;

	if (low) {
		put_part(o, &first, low);
		rest &= ~(uint64_t)t->low;
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (t->v[i].value > t->low && (rest & t->v[i].value) == t->v[i].value) {
			put_part(o, &first, t->v[i].name);
			rest &= ~t->v[i].value;
		}
	if (rest || first)
		out_printf(o, "%s0x%llx", first ? "" : "|", (unsigned long long)rest);
}

static void put_named(const struct value_names *t, uint64_t v, struct out *o)
{
	const char *name = t->is_number ? name_of(t, v) : NULL;

	if (!t->is_number)
		put_bits(t, v, o);
	else if (name)
		out_str(o, name);
	else
		out_i64(o, (int64_t)v);
}

/* An ioctl command without a name is split into its fields: asm-generic/ioctl.h. */
static void put_ioctl(uint32_t v, struct out *o)
{
	static const char *const ways[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	static const struct value_name ioctls[] = {
#define IOCTL(number, name) { number, #name },
#include "syscalls/ioctls.def"
	};

	for (size_t i = 0; i < ARRAY_SIZE(ioctls); i++)
		if (ioctls[i].value == v) {
			out_str(o, ioctls[i].name);
			return;
		}
	out_printf(o, "(%s, 0x%x, 0x%x, 0x%x)", ways[v >> 30], v >> 8 & 0xff, v & 0xff, v >> 16 & 0x3fff);
}

void value_put(const struct value_type *t, uint64_t v, struct out *o)
{
	enum { AT_CWD = -100 };

	packed_need();
	switch (t->kind) {
	case VALUE_HEX:
		out_printf(o, "0x%llx", (unsigned long long)v);
		break;
	case VALUE_IOCTL:
		put_ioctl((uint32_t)v, o);
		break;
	case VALUE_OCTAL:
		out_printf(o, "%#o", (unsigned)v);
		break;
	case VALUE_DIR:
	case VALUE_FD:
	case VALUE_MAP_FD:
	case VALUE_PID:
		if (t->kind == VALUE_DIR && (int32_t)v == AT_CWD)
			out_str(o, "CWD");
		else
			out_i64(o, (int32_t)v);
		break;
	case VALUE_BITS:
		put_named(t->names, v, o);
		break;
	default:
		out_i64(o, (int64_t)v);
	}
}

/* --- results --- */

static bool is_one_of(const char *call, const char *const *list)
{
	while (*list && strcmp(*list, call))
		list++;
	return *list;
}

enum value_result value_result_of(const char *call)
{
	static const char *const hex[] = { "mmap", "mremap", "brk", "shmat", NULL };
	static const char *const pid[] = { "clone", "clone3", "fork", "vfork", "getpid", "gettid", "getppid",
					   "set_tid_address", "wait4", "getpgid", "setsid", NULL };

	packed_need();
	if (is_one_of(call, hex))
		return RESULT_HEX;
	return is_one_of(call, pid) ? RESULT_PID : !strcmp(call, "umask") ? RESULT_OCTAL : RESULT_NUMBER;
}

const char *value_errno(unsigned number)
{
	packed_need();
	switch (number) {
#define ERRNO(n, name) case n: return #name;
#include "syscalls/errnos.def"
#undef ERRNO
	}
	return NULL;
}

void value_put_result(enum value_result how, int64_t v, struct out *o)
{
	const char *name = value_is_error(v) ? value_errno((unsigned)-v) : NULL;

	if (name)
		out_printf(o, "-1 %s (%s)", name, err_name((int)-v));
	else if (how == RESULT_HEX)
		out_printf(o, "0x%llx", (unsigned long long)v);
	else if (how == RESULT_OCTAL)
		out_printf(o, "%#o", (unsigned)v);
	else
		out_i64(o, v);
}
