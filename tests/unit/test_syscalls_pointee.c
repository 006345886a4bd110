/* syscalls/pointee, fds: what arguments point to as text, and what descriptors stand for. */
#include "syscalls/fds.h"
#include "syscalls/pointee.h"
#include "t.h"

static const char *text_of(const char *arch, enum pointee_form form, const void *p, size_t n, uint64_t whole)
{
	static struct mem_out m;
	const struct pointee_show s = { arch_by_name(arch), 32 };

	mem_out_deinit(&m);
	mem_out_init(&m);
	if (!pointee_put(&s, form, guard_dup(p, n), n, whole, &m.out))
		return "NONE";
	return mem_out_str(&m);
}

static const char *text(enum pointee_form form, const void *p, size_t n)
{
	return text_of("x86_64", form, p, n, n);
}

TEST(pointee_strings_are_straces)
{
	CHECK_STR(text(POINTEE_PATH, "/etc", 5), "\"/etc\"");
	CHECK_STR(text(POINTEE_PATH, "/et", 3), "\"/et\"...");
	CHECK_STR(text(POINTEE_PATH, "", 1), "\"\"");
	CHECK_STR(text(POINTEE_PATH, "", 0), "NONE");
	CHECK_STR(text(POINTEE_DATA, "a\"b\\\n\t\r\v\f", 9), "\"a\\\"b\\\\\\n\\t\\r\\v\\f\"");
	CHECK_STR(text(POINTEE_DATA, "\0001\0x\177\377", 6), "\"\\0001\\0x\\177\\377\"");
	CHECK_STR(text(POINTEE_DATA, "\033[1m\0339", 6), "\"\\33[1m\\339\"");
	CHECK_STR(text_of("x86_64", POINTEE_DATA, "abc", 3, 9), "\"abc\"...");
	CHECK_STR(text(POINTEE_DATA, "0123456789012345678901234567890123", 34),
		  "\"01234567890123456789012345678901\"...");
	CHECK_STR(text(POINTEE_DATA, "", 0), "\"\"");
}

TEST(pointee_addresses_have_their_families_text)
{
	static const uint8_t inet[] = { 2, 0, 0x10, 0x92, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t inet6[28] = { 10, 0, 0, 53, [23] = 1 };
	static const uint8_t netlink[] = { 16, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0 };

	CHECK_STR(text(POINTEE_SOCKADDR, inet, 16), "{ .family: INET, port: 4242, addr: 127.0.0.1 }");
	CHECK_STR(text(POINTEE_SOCKADDR, inet, 7), "{ .family: INET }");
	CHECK_STR(text(POINTEE_SOCKADDR, inet6, 28), "{ .family: INET6, port: 53, addr: ::1 }");
	CHECK_STR(text(POINTEE_SOCKADDR, netlink, 12), "{ .family: NETLINK, pid: 7, groups: 0x1 }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1\0/run/s\0garbage", 16), "{ .family: LOCAL, path: \"/run/s\" }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1\0/ru", 5), "{ .family: LOCAL, path: \"/ru\" }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1\0\0abc", 6), "{ .family: LOCAL, path: @\"abc\" }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1\0\0", 3), "{ .family: LOCAL, path: @\"\" }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1\0", 2), "{ .family: LOCAL }");
	CHECK_STR(text(POINTEE_SOCKADDR, "\1", 1), "NONE");
}

TEST(pointee_structs)
{
	static const uint64_t time[] = { 1, 500, 2, (uint64_t)-1 }, limit[] = { 8192, UINT64_MAX };
	static const int32_t fds[] = { 3, 4 };
	static const uint32_t status[] = { 3 << 8, 9, 11 | 0x80, 19 << 8 | 0x7f, 0xffff };
	static const uint64_t set[] = { 1 << 13 | 1 << 16, ~(UINT64_C(1) << 8), 0 };
	static const uint64_t pack[] = { 0x7000, 8, 1 << 9 }, none[] = { 0, 8 };

	CHECK_STR(text(POINTEE_TIMESPEC, time, 16), "{ .tv_sec: 1, .tv_nsec: 500 }");
	CHECK_STR(text(POINTEE_TIMESPEC, time, 15), "NONE");
	CHECK_STR(text(POINTEE_TIMEVAL, time, 16), "{ .tv_sec: 1, .tv_usec: 500 }");
	CHECK_STR(text(POINTEE_ITIMERSPEC, time, 32),
		  "{ .it_interval: { .tv_sec: 1, .tv_nsec: 500 }, .it_value: { .tv_sec: 2, .tv_nsec: -1 } }");
	CHECK_STR(text(POINTEE_RLIMIT, limit, 16), "{ .rlim_cur: 8192, .rlim_max: INFINITY }");
	CHECK_STR(text(POINTEE_FDS, fds, 8), "[3, 4]");
	CHECK_STR(text(POINTEE_STATUS, &status[0], 4), "{ EXITED, 3 }");
	CHECK_STR(text(POINTEE_STATUS, &status[1], 4), "{ SIGNALED, KILL }");
	CHECK_STR(text(POINTEE_STATUS, &status[2], 4), "{ SIGNALED, SEGV, core }");
	CHECK_STR(text(POINTEE_STATUS, &status[3], 4), "{ STOPPED, STOP }");
	CHECK_STR(text(POINTEE_STATUS, &status[4], 4), "{ CONTINUED }");
	CHECK_STR(text(POINTEE_SIGSET, &set[0], 8), "[ALRM CHLD]");
	CHECK_STR(text(POINTEE_SIGSET, &set[1], 8), "~[KILL]");
	CHECK_STR(text(POINTEE_SIGSET, &set[2], 8), "[]");
	CHECK_STR(text(POINTEE_SIGPACK, pack, 24), "{ .sigmask: [USR1], .sigsetsize: 8 }");
	CHECK_STR(text(POINTEE_SIGPACK, pack, 16), "{ .sigmask: 0x7000, .sigsetsize: 8 }");
	CHECK_STR(text(POINTEE_SIGPACK, none, 16), "{ .sigmask: 0x0, .sigsetsize: 8 }");
	CHECK_STR(text(POINTEE_SIGPACK, none, 15), "NONE");
}

/* struct stat of both machines. */
TEST(pointee_files)
{
	uint8_t x86[56] = { [24] = 0xed, [25] = 0x81, [48] = 0x39, [49] = 0x30 };
	uint8_t arm[56] = { [16] = 0xed, [17] = 0x81, [48] = 0x39, [49] = 0x30 };
	uint8_t tty[56] = { [16] = 0x90, [17] = 0x21, [32] = 1, [33] = 5 };

	CHECK_STR(text_of("x86_64", POINTEE_STAT, x86, 56, 56), "{ .st_mode: REG|0755, .st_size: 12345 }");
	CHECK_STR(text_of("aarch64", POINTEE_STAT, arm, 56, 56), "{ .st_mode: REG|0755, .st_size: 12345 }");
	CHECK_STR(text_of("aarch64", POINTEE_STAT, tty, 56, 56), "{ .st_mode: CHR|0620, .st_rdev: 5:1 }");
}

TEST(pointees_are_found_by_call_and_end)
{
	struct pointee v[ARGMEM_MOST];

	CHECK_EQ(pointees_of("renameat2", false, v), 2);
	CHECK_EQ(v[1].what.arg, 3);
	CHECK_EQ(pointees_of("read", false, v), 0);
	CHECK_EQ(pointees_of("read", true, v), 1);
	CHECK_EQ(v[0].form, POINTEE_DATA);
	CHECK_EQ(v[0].what.how, ARGMEM_RETURNED);
	CHECK_EQ(pointees_of("nr_1000", false, v), 0);
	CHECK_EQ(pointees_of("pselect6", false, v), 5);
	CHECK_EQ(v[2].what.arg, 3);
	CHECK_EQ(v[4].form, POINTEE_SIGPACK);
	CHECK_EQ(pointees_of("pselect6", true, v), 4);
	CHECK_EQ(pointees_of("ppoll", false, v), 3);
}

/* --- descriptors --- */

static const char *linked;

static ssize_t readlink_of(const struct sys *s UNUSED, const char *path, char *buf, size_t size)
{
	CHECK(!strncmp(path, "/proc/", 6));
	if (!linked)
		return -ENOENT;
	memcpy(buf, linked, MIN(strlen(linked), size));
	return (ssize_t)MIN(strlen(linked), size);
}

static const struct sys sys = { .readlink = readlink_of };

static const char *path(struct fds *f, uint32_t pid, int fd)
{
	const char *p = fds_path(f, pid, fd);

	return p ? p : "NONE";
}

TEST(fds_are_what_they_were_when_they_were_opened)
{
	struct fds f = { .sys = &sys, .learns = true };

	linked = "/later";
	CHECK_EQ(fds_set(&f, 7, 3, "/first", 6), 0);
	CHECK_STR(path(&f, 7, 3), "/first");
	CHECK_EQ(fds_copy(&f, 7, 3, 10), 0);
	CHECK_EQ(fds_set(&f, 7, 3, NULL, 0), 0);
	CHECK_STR(path(&f, 7, 10), "/first");
	CHECK_STR(path(&f, 7, 3), "/later");
	CHECK_STR(path(&f, 8, 10), "/later");
	CHECK_STR(path(&f, 7, -1), "NONE");
	fds_deinit(&f);
}

TEST(fds_of_a_child_are_its_parents)
{
	struct fds f = { .sys = &sys, .learns = true };

	linked = NULL;
	CHECK_EQ(fds_set(&f, 7, 3, "/first", 6), 0);
	CHECK_STR(path(&f, 9, 3), "NONE");
	CHECK_EQ(fds_child(&f, 7, 9), 0);
	CHECK_STR(path(&f, 9, 3), "/first");
	CHECK_EQ(fds_set(&f, 9, 3, "/own", 4), 0);
	CHECK_STR(path(&f, 9, 3), "/own");
	CHECK_STR(path(&f, 7, 3), "/first");
	/* An execve closes some. */
	CHECK_EQ(fds_forget(&f, 9), 0);
	CHECK_STR(path(&f, 9, 3), "NONE");
	fds_deinit(&f);
}

TEST(fds_are_read_each_time_where_not_all_calls_are_seen)
{
	struct fds f = { .sys = &sys };

	linked = "/one";
	CHECK_STR(path(&f, 7, 3), "/one");
	linked = "/two";
	CHECK_STR(path(&f, 7, 3), "/two");
	f.sys = NULL;
	CHECK_STR(path(&f, 7, 3), "NONE");
	fds_deinit(&f);
}

TEST(fds_are_bounded)
{
	struct fds f = { .sys = &sys, .learns = true };
	char name[16];

	linked = NULL;
	for (int i = 0; i < 2 * FDS_PATHS; i++) {
		snprintf(name, sizeof(name), "/f%d", i);
		CHECK_EQ(fds_set(&f, 7, i, name, strlen(name)), 0);
	}
	CHECK(f.paths.list.n <= FDS_PATHS + 1 && f.of.n <= FDS_MOST + 1);
	CHECK_STR(path(&f, 7, 2 * FDS_PATHS - 1), name);
	fds_deinit(&f);
}
