/* source/piped: a recording that comes through a pipe. */
#include "source/piped.h"
#include "t.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 31 + (i >> 13));
}

static void write_all(int fd, size_t n)
{
	uint8_t bytes[4096];

	for (size_t at = 0; at < n; at += sizeof(bytes)) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = byte_at(at + i);
		if (write(fd, bytes, MIN(sizeof(bytes), n - at)) < 0)
			_exit(1);
	}
	_exit(0);
}

static void check_comes_whole(const struct sys *sys, size_t n, bool owned)
{
	struct bytes b = { 0 };
	int fds[2], status;
	size_t wrong = 0;
	bool is_owned;
	pid_t child;
	struct err e;

	CHECK_EQ(pipe(fds), 0);
	child = fork();
	if (!child)
		write_all(fds[1], n);
	close(fds[1]);
	CHECK_EQ(piped_read(sys, fds[0], (struct bytes){ 0 }, &b, &is_owned, &e), 0);
	close(fds[0]);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(is_owned, owned);
	CHECK_EQ(b.n, n);
	for (size_t i = 0; i < n; i++)
		wrong += b.p[i] != byte_at(i);
	CHECK_EQ(wrong, 0);
	if (is_owned)
		free((void *)(uintptr_t)b.p);
	else
		sys_unmap_recording(sys, b.p, b.n);
}

TEST(pipe_comes_whole_whatever_its_size)
{
	static const size_t small[] = { 0, 1, 65536, 1 << 20, (8 << 20) - 65537 };
	static const size_t large[] = { 8 << 20, (8 << 20) + 1, 20000000 };

	for (size_t i = 0; i < ARRAY_SIZE(small); i++)
		check_comes_whole(&sys_live, small[i], true);
	for (size_t i = 0; i < ARRAY_SIZE(large); i++)
		check_comes_whole(&sys_live, large[i], false);
}

static int no_file(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return -EROFS;
}

TEST(pipe_stays_in_memory_where_no_file_can_be_made)
{
	struct sys sys = sys_live;

	sys.open = no_file;
	check_comes_whole(&sys, 20000000, true);
}

static int no_nameless_file(const struct sys *s, const char *path, int flags, unsigned mode)
{
	return (flags & O_TMPFILE) == O_TMPFILE ? -EOPNOTSUPP : sys_live.open(s, path, flags, mode);
}

static int none(void *arg UNUSED, const char *name)
{
	return !strncmp(name, "sonde-pipe", 10);
}

TEST(pipe_leaves_no_name_behind_where_files_need_one)
{
	char folder[] = "/tmp/sonde-test-XXXXXX";
	struct sys sys = sys_live;

	sys.open = no_nameless_file;
	CHECK(mkdtemp(folder) != NULL);
	setenv("TMPDIR", folder, 1);
	check_comes_whole(&sys, 9 << 20, false);
	CHECK_EQ(sys.each_entry(&sys, folder, none, NULL), 0);
	CHECK_EQ(rmdir(folder), 0);
}
