#include "syscalls/pointee.h"

#include "base/cursor.h"
#include "syscalls/value.h"

enum when { BEGIN, END };

/* How much is read of data, whatever is shown of it. */
static const struct {
	const char *call;
	enum when when;
	struct pointee is;
} table[] = {
#define POINTEE(call, n, at, of, by, count_of, size) \
	{ #call, at, { .form = POINTEE_##of, .what = { \
		.arg = n, .count = count_of, .how = ARGMEM_##by, .most = (size) ? (size) : ARGMEM_BYTES } } },
#include "syscalls/pointees.def"
};

unsigned pointees_of(const char *call, bool at_end, struct pointee v[ARGMEM_MOST])
{
	unsigned n = 0;

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

/* As few digits as do not run into the next character. */
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

/* "text\n"; cut is "...". */
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
	/* A name of the abstract ones begins with a NUL, and has its own length. */
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

/* Of the host's order, but for what networks tell. */
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

/* As wait(2) tells it. */
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

/* struct stat of x86 has the count of links, in 8 bytes, in front of the mode; arm64 behind it. */
static void put_stat(const struct arch *a, const uint8_t *p, struct out *o)
{
	static const char *const kinds[16] = { [1] = "FIFO|", [2] = "CHR|", [4] = "DIR|", [6] = "BLK|", [8] = "REG|",
					       [10] = "LNK|", [12] = "SOCK|" };
	enum { DEVICE = 32, SIZE = 6 };
	bool is_x86 = !strcmp(a->name, "x86_64");
	uint64_t device = word(p, is_x86 ? 5 : 4);
	uint32_t mode;
	const char *kind;

	memcpy(&mode, p + (is_x86 ? 24 : 16), sizeof(mode));
	kind = kinds[mode >> 12 & 15];
	out_printf(o, "{ .st_mode: %s%#o, ", kind ? kind : "", mode & 07777);
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

bool pointee_put(const struct pointee_show *s, enum pointee_form form, const uint8_t *p, size_t n, uint64_t whole,
		 struct out *o)
{
	static const uint8_t least[] = {
		[POINTEE_TIMESPEC] = 16, [POINTEE_TIMEVAL] = 16, [POINTEE_ITIMERSPEC] = 32, [POINTEE_RLIMIT] = 16,
		[POINTEE_FDS] = 8, [POINTEE_STATUS] = 4, [POINTEE_STAT] = 56, [POINTEE_SIGSET] = 8,
	};

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
	case POINTEE_SIGSET: put_sigset(p, o); break;
	}
	return true;
}
