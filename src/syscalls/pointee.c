#include "syscalls/pointee.h"

#include "base/cursor.h"
#include "base/packed.h"
#include "syscalls/value.h"

#include <sys/epoll.h>

enum when { BEGIN, END };

/* The struct is packed on x86, as the kernel's is. The memory is always that of the running machine. */
#define EPOLL_SIZE sizeof(struct epoll_event)

/* What to read. Data is read up to ARGMEM_BYTES, however little of it is shown. */
static const struct {
	const char *call;
	enum when when;
	struct pointee is;
} table[] = {
#define ITEMS(call, n, at, of, by, count_of, one, size) \
	{ #call, at, { .form = POINTEE_##of, .what = { .arg = n, .count = count_of, .each = one, \
		.how = ARGMEM_##by, .most = (size) ? (size) : ARGMEM_BYTES } } },
#include "syscalls/pointees.def"
};

unsigned pointees_of(const char *call, bool at_end, struct pointee v[ARGMEM_MOST])
{
	unsigned n = 0;

	packed_need();
	for (size_t i = 0; i < ARRAY_SIZE(table) && n < ARGMEM_MOST; i++)
		if (table[i].when == (at_end ? END : BEGIN) && !strcmp(table[i].call, call))
			v[n++] = table[i].is;
	return n;
}

/* --- strings --- */

static char escape_of(uint8_t c)
{
	static const char from[] = "\"\\\n\t\r\v\f", to[] = "\"\\ntrvf";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : 0;
}

/* The shortest octal escape; with all three digits if a digit follows, which would become part of it. */
static void put_octal(uint8_t c, bool digit_follows, struct out *o)
{
	out_char(o, '\\');
	if (digit_follows || c >= 0100)
		out_char(o, (char)('0' + (c >> 6)));
	if (digit_follows || c >= 010)
		out_char(o, (char)('0' + (c >> 3 & 7)));
	out_char(o, (char)('0' + (c & 7)));
}

void pointee_put_escaped(const uint8_t *p, size_t n, struct out *o)
{
	packed_need();
	for (size_t i = 0; i < n; i++) {
		char escape = escape_of(p[i]);

		if (escape) {
			out_char(o, '\\');
			out_char(o, escape);
		} else if (p[i] >= ' ' && p[i] < 0x7f) {
			out_char(o, (char)p[i]);
		} else {
			put_octal(p[i], i + 1 < n && p[i + 1] >= '0' && p[i + 1] <= '7', o);
		}
	}
}

/* "text\n", and "..." behind it if it was truncated. */
static void put_text(const uint8_t *p, size_t n, bool cut, struct out *o)
{
	out_char(o, '"');
	pointee_put_escaped(p, n, o);
	out_str(o, cut ? "\"..." : "\"");
}

static bool put_path(const uint8_t *p, size_t n, struct out *o)
{
	const uint8_t *end = memchr(p, '\0', n);

	if (!n)
		return false;
	put_text(p, end ? (size_t)(end - p) : n, !end, o);
	return true;
}

/* --- structs --- */

static void put_local(const uint8_t *p, size_t n, struct out *o)
{
	/* An abstract socket address begins with a NUL; its length is that of the address. */
	const uint8_t *end = n && *p ? memchr(p, '\0', n) : NULL;

	if (!n)
		return;
	out_str(o, ", path: ");
	if (!*p) {
		out_char(o, '@');
		end = memchr(p + 1, '\0', n - 1);
		put_text(p + 1, end ? (size_t)(end - p - 1) : n - 1, false, o);
	} else {
		put_text(p, end ? (size_t)(end - p) : n, false, o);
	}
}

/* All in host byte order, except for ports and network addresses. */
static bool put_sockaddr(const uint8_t *p, size_t n, struct out *o)
{
	enum { LOCAL = 1, INET = 2, INET6 = 10, NETLINK = 16 };
	struct value_type family_type = value_family();
	uint16_t family;
	uint32_t id;

	if (n < sizeof(family))
		return false;
	memcpy(&family, p, sizeof(family));
	out_str(o, "{ .family: ");
	value_put(&family_type, family, o);
	if (family == LOCAL)
		put_local(p + 2, n - 2, o);
	if ((family == INET && n >= 8) || (family == INET6 && n >= 24)) {
		out_printf(o, ", port: %u, addr: ", (unsigned)p[2] << 8 | p[3]);
		if (family == INET)
			out_ip4(o, p + 4);
		else
			out_ip6(o, p + 8);
	}
	if (family == NETLINK && n >= 12) {
		memcpy(&id, p + 4, sizeof(id));
		out_printf(o, ", pid: %u", id);
		memcpy(&id, p + 8, sizeof(id));
		out_printf(o, ", groups: 0x%x", id);
	}
	out_str(o, " }");
	return true;
}

static uint64_t word(const uint8_t *p, unsigned i)
{
	uint64_t v;

	memcpy(&v, p + 8 * i, sizeof(v));
	return v;
}

static void put_time(const uint8_t *p, const char *part, struct out *o)
{
	out_str(o, "{ .tv_sec: ");
	out_i64(o, (int64_t)word(p, 0));
	out_printf(o, ", .tv_%s: ", part);
	out_i64(o, (int64_t)word(p, 1));
	out_str(o, " }");
}

static void put_itimer(const uint8_t *p, struct out *o)
{
	out_str(o, "{ .it_interval: ");
	put_time(p, "nsec", o);
	out_str(o, ", .it_value: ");
	put_time(p + 16, "nsec", o);
	out_str(o, " }");
}

static void put_limit(uint64_t v, struct out *o)
{
	if (v == UINT64_MAX)
		out_str(o, "INFINITY");
	else
		out_u64(o, v);
}

static void put_rlimit(const uint8_t *p, struct out *o)
{
	out_str(o, "{ .rlim_cur: ");
	put_limit(word(p, 0), o);
	out_str(o, ", .rlim_max: ");
	put_limit(word(p, 1), o);
	out_str(o, " }");
}

static void put_fds(const uint8_t *p, struct out *o)
{
	int32_t v[2];

	memcpy(v, p, sizeof(v));
	out_printf(o, "[%d, %d]", v[0], v[1]);
}

/* The status of wait(2). */
static void put_status(const uint8_t *p, struct out *o)
{
	struct value_type signal_type = value_signal();
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	if (v == 0xffff) {
		out_str(o, "{ CONTINUED }");
	} else if (!(v & 0x7f)) {
		out_printf(o, "{ EXITED, %u }", v >> 8 & 0xff);
	} else {
		bool stopped = (v & 0xff) == 0x7f;

		out_str(o, stopped ? "{ STOPPED, " : "{ SIGNALED, ");
		value_put(&signal_type, stopped ? v >> 8 & 0xff : v & 0x7f, o);
		out_str(o, !stopped && v & 0x80 ? ", core }" : " }");
	}
}

static void put_mode(uint32_t mode, struct out *o)
{
	static const char *const kinds[16] = { [1] = "FIFO|", [2] = "CHR|", [4] = "DIR|", [6] = "BLK|", [8] = "REG|",
					       [10] = "LNK|", [12] = "SOCK|" };
	const char *kind = kinds[mode >> 12 & 15];

	out_printf(o, "%s%#o", kind ? kind : "", mode & 07777);
}

/* x86's struct stat has st_nlink (8 bytes) in front of st_mode, arm64's behind it. */
static void put_stat(const struct arch *a, const uint8_t *p, struct out *o)
{
	enum { DEVICE = 32, SIZE = 6 };
	bool is_x86 = !strcmp(a->name, "x86_64");
	uint64_t device = word(p, is_x86 ? 5 : 4);
	uint32_t mode;

	memcpy(&mode, p + (is_x86 ? 24 : 16), sizeof(mode));
	out_str(o, "{ .st_mode: ");
	put_mode(mode, o);
	out_str(o, ", ");
	if ((mode >> 12 & 15) == 2 || (mode >> 12 & 15) == 6)
		out_printf(o, ".st_rdev: %llu:%llu }", (unsigned long long)(device >> 8 & 0xfff),
			   (unsigned long long)((device & 0xff) | (device >> 12 & 0xfff00)));
	else
		out_printf(o, ".st_size: %llu }", (unsigned long long)word(p, SIZE));
}

static void put_sigset(const uint8_t *p, struct out *o)
{
	struct value_type type = value_signal();
	uint64_t v = word(p, 0);
	bool not = v && __builtin_popcountll(v) > 32, first = true;

	v = not ? ~v : v;
	out_str(o, not ? "~[" : "[");
	for (unsigned i = 0; i < 64; i++)
		if (v >> i & 1) {
			out_str(o, first ? "" : " ");
			value_put(&type, i + 1, o);
			first = false;
		}
	out_char(o, ']');
}

/* pselect6's last argument, see ARGMEM_ARGPACK: pointer and size of a signal set, and the set itself. */
static void put_sigpack(const uint8_t *p, size_t n, struct out *o)
{
	out_str(o, "{ .sigmask: ");
	if (n < 24)
		out_printf(o, "0x%llx", (unsigned long long)word(p, 0));
	else
		put_sigset(p + 16, o);
	out_printf(o, ", .sigsetsize: %llu }", (unsigned long long)word(p, 1));
}

/* The kernel's struct sigaction, alike on x86 and arm64: handler, flags, restorer, mask; 8 bytes each. */
static void put_sigaction(const uint8_t *p, struct out *o)
{
	uint64_t handler = word(p, 0);

	out_str(o, "{ .sa_handler: ");
	if (handler < 2)
		out_str(o, handler ? "SIG_IGN" : "SIG_DFL");
	else
		out_printf(o, "0x%llx", (unsigned long long)handler);
	out_str(o, ", .sa_mask: ");
	put_sigset(p + 24, o);
	out_printf(o, ", .sa_flags: 0x%llx }", (unsigned long long)word(p, 1));
}

static void put_statx(const uint8_t *p, struct out *o)
{
	uint16_t mode;

	memcpy(&mode, p + 28, sizeof(mode));
	out_str(o, "{ .stx_mode: ");
	put_mode(mode, o);
	out_printf(o, ", .stx_size: %llu }", (unsigned long long)word(p, 5));
}

static void put_times(const uint8_t *p, struct out *o)
{
	out_char(o, '[');
	put_time(p, "nsec", o);
	out_str(o, ", ");
	put_time(p + 16, "nsec", o);
	out_char(o, ']');
}

/* --- lists --- */

struct bit {
	uint32_t bit;
	const char *name;
};

/* Events of poll(2) and epoll_ctl(2), which share values: uapi/asm-generic/poll.h, uapi/linux/eventpoll.h. */
static const struct bit poll_bits[] = {
	{ 1, "IN" }, { 2, "PRI" }, { 4, "OUT" }, { 8, "ERR" }, { 0x10, "HUP" }, { 0x20, "NVAL" }, { 0x40, "RDNORM" },
	{ 0x80, "RDBAND" }, { 0x100, "WRNORM" }, { 0x200, "WRBAND" }, { 0x400, "MSG" }, { 0x2000, "RDHUP" },
	{ UINT32_C(1) << 28, "EXCLUSIVE" }, { UINT32_C(1) << 29, "WAKEUP" }, { UINT32_C(1) << 30, "ONESHOT" },
	{ UINT32_C(1) << 31, "ET" },
};

static void put_poll_bits(uint32_t v, struct out *o)
{
	const char *between = "";

	for (size_t i = 0; i < ARRAY_SIZE(poll_bits); i++)
		if (v & poll_bits[i].bit) {
			out_printf(o, "%s%s", between, poll_bits[i].name);
			between = "|";
			v &= ~poll_bits[i].bit;
		}
	if (v || !*between)
		out_printf(o, "%s%s%x", between, v ? "0x" : "", v);
}

/* whole: the number of entries in the program's memory; answers: show revents that are not 0, else events. */
static void put_pollfds(const uint8_t *p, size_t n, uint64_t whole, bool answers, struct out *o)
{
	enum { SIZE = 8 };
	const char *between = "";

	out_char(o, '[');
	for (size_t i = 0; i < n / SIZE; i++) {
		uint16_t bits;
		int32_t fd;

		memcpy(&fd, p + i * SIZE, sizeof(fd));
		memcpy(&bits, p + i * SIZE + (answers ? 6 : 4), sizeof(bits));
		if (answers && !bits)
			continue;
		out_printf(o, "%s{ .fd: %d, .%sevents: ", between, fd, answers ? "r" : "");
		put_poll_bits(bits, o);
		out_str(o, " }");
		between = ", ";
	}
	out_str(o, whole > n / SIZE ? *between ? ", ...]" : "...]" : "]");
}

static void put_epoll(const uint8_t *p, struct out *o)
{
	struct epoll_event ev;

	memcpy(&ev, p, sizeof(ev));
	out_str(o, "{ .events: ");
	put_poll_bits(ev.events, o);
	out_printf(o, ", .data: 0x%llx }", (unsigned long long)ev.data.u64);
}

static void put_epolls(const uint8_t *p, size_t n, uint64_t whole, struct out *o)
{
	out_char(o, '[');
	for (size_t i = 0; i < n / EPOLL_SIZE; i++) {
		out_str(o, i ? ", " : "");
		put_epoll(p + i * EPOLL_SIZE, o);
	}
	out_str(o, whole > n / EPOLL_SIZE ? ", ...]" : "]");
}

/* A bit map, as the numbers of the bits that are set. */
static void put_set(const uint8_t *p, size_t n, struct out *o)
{
	const char *between = "";

	out_char(o, '[');
	for (size_t i = 0; i < 8 * n; i++)
		if (p[i / 8] >> i % 8 & 1) {
			out_printf(o, "%s%zu", between, i);
			between = " ";
		}
	out_char(o, ']');
}

static struct argmem_item item_at(const uint8_t *p, size_t i)
{
	struct argmem_item it;

	memcpy(&it, p + i * sizeof(it), sizeof(it));
	return it;
}

static void put_strings(const struct pointee_show *s, const uint8_t *p, size_t n, struct out *o)
{
	out_char(o, '[');
	for (size_t i = 0; i < n / sizeof(struct argmem_item); i++) {
		struct argmem_item it = item_at(p, i);
		const uint8_t *end = it.got > 0 ? memchr(it.text, '\0', (size_t)it.got) : NULL;
		size_t len = end ? (size_t)(end - it.text) : it.got > 0 ? (size_t)it.got - 1 : 0;
		bool cut = it.got == ARGMEM_TEXT || len > s->most;

		out_str(o, i ? ", " : "");
		if (it.got < 0)
			out_printf(o, "0x%llx", (unsigned long long)it.from);
		else
			put_text(it.text, MIN(len, s->most), cut, o);
	}
	out_str(o, n == ARGMEM_ITEMS * sizeof(struct argmem_item) ? ", ...]" : "]");
}

/* left: bytes that were transferred, further ones are not shown; UINT64_MAX: show all. */
static void put_iovec(const struct pointee_show *s, const uint8_t *p, size_t n, uint64_t left, struct out *o)
{
	out_char(o, '[');
	for (size_t i = 0; i < n / sizeof(struct argmem_item); i++) {
		struct argmem_item it = item_at(p, i);
		uint64_t len = MIN(it.len, left);
		size_t shown = (size_t)MIN(MIN(len, (uint64_t)s->most), (uint64_t)ARGMEM_TEXT);

		out_str(o, i ? ", { .iov_base: " : "{ .iov_base: ");
		if (it.got < 0 || !it.from)
			out_printf(o, "0x%llx", (unsigned long long)it.from);
		else
			put_text(it.text, MIN(shown, (size_t)it.got), len > shown, o);
		out_printf(o, ", .iov_len: %llu }", (unsigned long long)it.len);
		left -= left == UINT64_MAX ? 0 : len;
	}
	out_str(o, n == ARGMEM_ITEMS * sizeof(struct argmem_item) ? ", ...]" : "]");
}

static void put_msghdr(const struct pointee_show *s, const uint8_t *p, size_t n, uint64_t left, struct out *o)
{
	out_str(o, "{ .msg_iov: ");
	put_iovec(s, p, n, left, o);
	out_str(o, " }");
}

/* An int; an object of another size is a struct or a string. */
static void put_int(const struct pointee_show *s, const uint8_t *p, size_t n, uint64_t whole, struct out *o)
{
	int32_t v;

	if (n != sizeof(v)) {
		put_text(p, MIN(n, s->most), whole > MIN(n, s->most), o);
		return;
	}
	memcpy(&v, p, sizeof(v));
	out_printf(o, "[%d]", v);
}

bool pointee_put(const struct pointee_show *s, enum pointee_form form, const uint8_t *p, size_t n, uint64_t whole,
		 struct out *o)
{
	static const uint8_t least[] = {
		[POINTEE_TIMESPEC] = 16, [POINTEE_TIMEVAL] = 16, [POINTEE_ITIMERSPEC] = 32, [POINTEE_RLIMIT] = 16,
		[POINTEE_FDS] = 8, [POINTEE_STATUS] = 4, [POINTEE_STAT] = 56, [POINTEE_STATX] = 56,
		[POINTEE_SIGSET] = 8, [POINTEE_SIGACTION] = 32, [POINTEE_TIMES] = 32, [POINTEE_EPOLL] = EPOLL_SIZE,
		[POINTEE_SIGPACK] = 16,
	};

	packed_need();
	if (form < ARRAY_SIZE(least) && n < least[form])
		return false;
	switch (form) {
	case POINTEE_PATH: return put_path(p, n, o);
	case POINTEE_DATA: put_text(p, MIN(n, s->most), whole > MIN(n, s->most), o); break;
	case POINTEE_SOCKADDR: return put_sockaddr(p, n, o);
	case POINTEE_TIMESPEC: put_time(p, "nsec", o); break;
	case POINTEE_TIMEVAL: put_time(p, "usec", o); break;
	case POINTEE_ITIMERSPEC: put_itimer(p, o); break;
	case POINTEE_RLIMIT: put_rlimit(p, o); break;
	case POINTEE_FDS: put_fds(p, o); break;
	case POINTEE_STATUS: put_status(p, o); break;
	case POINTEE_STAT: put_stat(s->arch, p, o); break;
	case POINTEE_STATX: put_statx(p, o); break;
	case POINTEE_SIGSET: put_sigset(p, o); break;
	case POINTEE_SIGACTION: put_sigaction(p, o); break;
	case POINTEE_TIMES: put_times(p, o); break;
	case POINTEE_POLLFDS: put_pollfds(p, n, whole, false, o); break;
	case POINTEE_REVENTS: put_pollfds(p, n, whole, true, o); break;
	case POINTEE_EPOLL: put_epoll(p, o); break;
	case POINTEE_EPOLLS: put_epolls(p, n, whole, o); break;
	case POINTEE_FDSET:
	case POINTEE_CPUSET: put_set(p, n, o); break;
	case POINTEE_INT: put_int(s, p, n, whole, o); break;
	case POINTEE_STRINGS: put_strings(s, p, n, o); break;
	case POINTEE_IOVEC: put_iovec(s, p, n, whole, o); break;
	case POINTEE_SIGPACK: put_sigpack(p, n, o); break;
	case POINTEE_MSGHDR: put_msghdr(s, p, n, whole, o); break;
	}
	return true;
}
