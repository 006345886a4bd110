/* Files that are made: what stands in their place, and whose it is. */
#include "sys/output.h"
#include "t.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64], path[80], other[80];

static void clean(void)
{
	char old[96];

	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	unlink(path);
	unlink(other);
	rmdir(dir);
}

static const char *name(char buf[80], const char *base)
{
	snprintf(buf, 80, "%s/%s", dir, base);
	return buf;
}

/* A folder with the names "a" and "b" in it, in which nothing is. */
static void set_up(mode_t mode)
{
	snprintf(dir, sizeof(dir), "/tmp/sonde-output-XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	CHECK_EQ(chmod(dir, mode), 0);
	name(path, "a");
	name(other, "b");
	t_at_end(clean);
}

/* Everything in the folder is somebody else's, and so is the folder. */
static unsigned stranger(const struct sys *s UNUSED)
{
	return geteuid() + 1;
}

static int folder_of_a_third(const struct sys *s UNUSED, const char *of, struct stat *st)
{
	int r = stat(of, st) ? -errno : 0;

	st->st_uid = geteuid() + 2;
	return r;
}

static struct sys as_stranger(void)
{
	struct sys s = sys_live;

	s.uid = stranger;
	s.stat = folder_of_a_third;
	return s;
}

static void put(const char *at, const char *text)
{
	int fd = open(at, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static const char *content(const char *at)
{
	static char text[64];

	sys_read_text(&sys_live, at, text, sizeof(text));
	return text;
}

static int make(const struct sys *sys, enum output_how how, const char *text, struct err *e)
{
	struct output o;
	int r = output_open(&o, sys, path, how, OUTPUT_PRIVATE, O_RDWR, e);

	if (r)
		return r;
	CHECK_EQ(output_write(&o, text, strlen(text)), 0);
	CHECK_EQ(output_close(&o), 0);
	return 0;
}

TEST(output_replaces_a_file_and_not_its_other_names)
{
	struct stat st;

	set_up(0700);
	put(path, "before");
	CHECK_EQ(link(path, other), 0);
	CHECK_EQ(make(&sys_live, OUTPUT_REPLACE, "now", NULL), 0);
	CHECK_STR(content(path), "now");
	CHECK_STR(content(other), "before");
	CHECK_EQ(stat(path, &st), 0);
	CHECK_EQ(st.st_mode & 07777, 0600);
}

TEST(output_appends_to_what_is_there)
{
	set_up(0700);
	put(path, "one ");
	CHECK_EQ(make(&sys_live, OUTPUT_APPEND, "two", NULL), 0);
	CHECK_STR(content(path), "one two");
}

TEST(output_follows_a_link_of_ours_also_to_what_is_not_there)
{
	struct stat st;

	set_up(01777);
	CHECK_EQ(symlink("b", path), 0);
	CHECK_EQ(make(&sys_live, OUTPUT_REPLACE, "now", NULL), 0);
	CHECK_STR(content(other), "now");
	CHECK_EQ(make(&sys_live, OUTPUT_REPLACE, "again", NULL), 0);
	CHECK_STR(content(other), "again");
	CHECK(!lstat(path, &st) && S_ISLNK(st.st_mode));
}

TEST(output_follows_no_link_of_others_where_anybody_can_write)
{
	struct sys s = as_stranger();
	struct err e = { 0 };

	set_up(01777);
	CHECK_EQ(symlink("b", path), 0);
	CHECK_EQ(output_check(&s, path, &e), -EACCES);
	CHECK_EQ(make(&s, OUTPUT_REPLACE, "now", &e), -EACCES);
	CHECK(strstr(e.text, "it is a link of user"));
	CHECK_EQ(make(&s, OUTPUT_BESIDE, "now", &e), -EACCES);
	put(other, "theirs");
	CHECK_EQ(make(&s, OUTPUT_APPEND, "now", &e), -EACCES);
	CHECK_EQ(make(&s, OUTPUT_KEEP_OLD, "now", &e), -EACCES);
	CHECK_STR(content(other), "theirs");
}

TEST(output_writes_to_no_file_of_others_where_anybody_can_write)
{
	struct sys s = as_stranger();
	struct err e = { 0 };

	set_up(01777);
	put(path, "theirs");
	CHECK_EQ(make(&s, OUTPUT_REPLACE, "now", &e), -EACCES);
	CHECK(strstr(e.text, "it is a file of user"));
	CHECK_STR(content(path), "theirs");
	/* In a folder that only its owner writes to nobody else has laid it there. */
	CHECK_EQ(chmod(dir, 0755), 0);
	CHECK_EQ(make(&s, OUTPUT_REPLACE, "now", &e), 0);
	CHECK_STR(content(path), "now");
}

TEST(output_beside_takes_the_place_of_a_link)
{
	struct stat st;

	set_up(0700);
	put(other, "untouched");
	CHECK_EQ(symlink("b", path), 0);
	CHECK_EQ(make(&sys_live, OUTPUT_BESIDE, "now", NULL), 0);
	CHECK_STR(content(other), "untouched");
	CHECK(!lstat(path, &st) && S_ISREG(st.st_mode));
}

TEST(output_beside_is_no_pipe)
{
	set_up(0700);
	CHECK_EQ(mkfifo(path, 0600), 0);
	CHECK_EQ(make(&sys_live, OUTPUT_BESIDE, "now", NULL), -EEXIST);
}

TEST(output_writes_to_a_pipe_and_a_device_as_they_are)
{
	struct output o;
	struct stat st;
	char got[8] = "";
	int fd;

	set_up(01777);
	CHECK_EQ(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR);
	CHECK_EQ(make(&sys_live, OUTPUT_REPLACE, "now", NULL), 0);
	CHECK_EQ(read(fd, got, sizeof(got)), 3);
	close(fd);
	CHECK_STR(got, "now");
	CHECK(!lstat(path, &st) && S_ISFIFO(st.st_mode));
	CHECK_EQ(output_open(&o, &sys_live, "/dev/null", OUTPUT_KEEP_OLD, OUTPUT_PRIVATE, O_RDWR, NULL), 0);
	CHECK(!o.made);
	output_discard(&o);
	CHECK(!stat("/dev/null", &st) && S_ISCHR(st.st_mode));
}

/* /dev/stdout is a link to /proc/self/fd/1, and that leads to a file which has lost its name. */
TEST(output_writes_to_what_a_descriptor_has_open)
{
	struct output o;
	char text[80], got[8] = "";
	int fd;

	set_up(0700);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	unlink(path);
	snprintf(text, sizeof(text), "/proc/self/fd/%d", fd);
	CHECK_EQ(symlink(text, path), 0);
	CHECK_EQ(output_open(&o, &sys_live, path, OUTPUT_KEEP_OLD, OUTPUT_PRIVATE, O_RDWR, NULL), 0);
	CHECK_EQ(output_write(&o, "now", 3), 0);
	output_discard(&o);
	CHECK_EQ(pread(fd, got, sizeof(got), 0), 3);
	CHECK_STR(got, "now");
	close(fd);
}

TEST(output_keeps_the_old_one_and_gives_it_back)
{
	struct output o;
	char old[96];

	set_up(0700);
	put(path, "before");
	snprintf(old, sizeof(old), "%s.old", path);
	CHECK_EQ(output_open(&o, &sys_live, path, OUTPUT_KEEP_OLD, OUTPUT_PRIVATE, O_RDWR, NULL), 0);
	CHECK_STR(content(old), "before");
	CHECK_EQ(output_write(&o, "now", 3), 0);
	output_discard(&o);
	CHECK_STR(content(path), "before");
	CHECK(access(old, F_OK));
}

TEST(output_through_links_in_a_circle_is_an_error)
{
	set_up(0700);
	CHECK_EQ(symlink("b", path), 0);
	CHECK_EQ(symlink("a", other), 0);
	CHECK_EQ(make(&sys_live, OUTPUT_REPLACE, "now", NULL), -ELOOP);
}

static int busy(const struct sys *s UNUSED, const char *of UNUSED)
{
	return -EBUSY;
}

/* A container's file that is mounted from outside, say. */
TEST(output_that_cannot_be_removed_is_emptied)
{
	struct sys s = sys_live;

	s.unlink = busy;
	set_up(0700);
	put(path, "before");
	CHECK_EQ(make(&s, OUTPUT_REPLACE, "now", NULL), 0);
	CHECK_STR(content(path), "now");
	CHECK_EQ(link(path, other), 0);
	CHECK_EQ(make(&s, OUTPUT_REPLACE, "more", NULL), -EPERM);
	CHECK_STR(content(other), "now");
}
