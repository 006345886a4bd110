/* The sink on a disk that becomes full: whole records only, and room for the end. */
#include "record/sink.h"
#include "t.h"

#include <sys/stat.h>
#include <sys/uio.h>

struct disk {
	uint64_t size, at, room;     /* at: where the next bytes go */
	uint8_t bytes[4096];
};

static struct disk disk;

static int fake_open(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return 50;
}

static int fake_close(const struct sys *s UNUSED, int fd UNUSED)
{
	return 0;
}

static int fake_stat(const struct sys *s UNUSED, const char *path UNUSED, struct stat *st UNUSED)
{
	return -ENOENT;
}

static int fake_fstat(const struct sys *s UNUSED, int fd UNUSED, struct stat *st)
{
	*st = (struct stat){ .st_mode = S_IFREG };
	return 0;
}

static ssize_t fake_writev(const struct sys *s UNUSED, int fd UNUSED, const struct iovec *v, int n)
{
	ssize_t done = 0;

	for (int i = 0; i < n; i++) {
		size_t take = MIN(v[i].iov_len, (size_t)(disk.room - disk.at));

		memcpy(disk.bytes + disk.at, v[i].iov_base, take);
		disk.at += take;
		disk.size = MAX(disk.size, disk.at);
		done += (ssize_t)take;
	}
	return done ? done : -ENOSPC;
}

static int fake_ftruncate(const struct sys *s UNUSED, int fd UNUSED, uint64_t size)
{
	disk.size = size;
	return 0;
}

static int fake_seek(const struct sys *s UNUSED, int fd UNUSED, uint64_t off)
{
	disk.at = off;
	return 0;
}

static const struct sys fake = {
	.open = fake_open, .close = fake_close, .stat = fake_stat, .lstat = fake_stat, .fstat = fake_fstat,
	.writev = fake_writev, .ftruncate = fake_ftruncate, .seek = fake_seek,
};

static int put(struct sink *s, size_t n)
{
	static const uint8_t zeros[4096];
	struct bytes two[2] = { { zeros, n / 2 }, { zeros, n - n / 2 } };
	int r = sink_write(s, two, 2, NULL);

	if (!r)
		sink_mark(s);
	return r;
}

TEST(sink_cuts_a_partial_write_back_to_the_last_whole_record)
{
	struct sink s;

	disk = (struct disk){ .room = 1000 };
	CHECK_EQ(sink_open(&s, &fake, "x", NULL), 0);
	CHECK_EQ(put(&s, 400), 0);
	CHECK_EQ(put(&s, 400), 0);
	CHECK_EQ(put(&s, 400), -ENOSPC);
	CHECK(s.full);
	CHECK_EQ(disk.size, 800);
	CHECK_EQ(s.pos, 800);
	CHECK_EQ(s.dropped, 400);
	sink_close(&s);
}

TEST(sink_steps_back_to_make_room)
{
	struct sink s;

	disk = (struct disk){ .room = 1000 };
	sink_open(&s, &fake, "x", NULL);
	put(&s, 400);
	put(&s, 500);
	put(&s, 400);
	CHECK(sink_step_back(&s));
	CHECK_EQ(disk.size, 400);
	CHECK_EQ(s.dropped, 900);
	CHECK(!sink_step_back(&s));
	put(&s, 100);
	CHECK_EQ(disk.size, 500);
	CHECK_EQ(s.pos, 500);
	sink_close(&s);
}

TEST(sink_remembers_only_the_newest_places)
{
	struct sink s;
	int steps = 0;

	disk = (struct disk){ .room = 4096 };
	sink_open(&s, &fake, "x", NULL);
	for (int i = 0; i < 100; i++)
		put(&s, 8);
	while (sink_step_back(&s))
		steps++;
	CHECK_EQ(steps, SINK_MARKS - 1);
	CHECK_EQ(disk.size, (100 - SINK_MARKS + 1) * 8);
	sink_close(&s);
}
