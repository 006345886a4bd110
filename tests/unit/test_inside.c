/* sys/inside, source/strangers: files of a process with another root, by a tree that has /proc and that root in it. */
#include "source/process_files.h"
#include "sys/inside.h"

#include "base/vec.h"
#include "t.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The root of process 5. */
#define IN "/proc/5/root"

static char top[] = "/tmp/sonde-inside-XXXXXX";

static void remove_tree(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	if (system(command))
		t_fail(__FILE__, __LINE__, "%s is left", top);
}

static const char *in_tree(const char *path)
{
	static char full[2][PATH_MAX];
	static unsigned at;

	snprintf(full[++at % 2], PATH_MAX, "%s%s", top, path);
	return full[at % 2];
}

static void put(const char *path, const char *content)
{
	int fd = open(in_tree(path), O_CREAT | O_WRONLY | O_TRUNC, 0600);

	CHECK(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
	close(fd);
}

static void dir(const char *path)
{
	CHECK_EQ(mkdir(in_tree(path), 0700), 0);
}

static void link_to(const char *target, const char *path)
{
	CHECK_EQ(symlink(target, in_tree(path)), 0);
}

/* Process 5 is in the tree's /proc, with its own root; which is not that of "self". */
static struct sys make_tree(void)
{
	CHECK(mkdtemp(top) != NULL);
	t_at_end(remove_tree);
	dir("/proc");
	dir("/proc/5");
	dir("/proc/5/ns");
	dir("/proc/self");
	dir("/proc/self/ns");
	dir("/proc/self/root");
	dir(IN);
	dir(IN "/tmp");
	dir(IN "/lib");
	dir("/tmp");
	put("/proc/5/ns/mnt", "");
	put("/proc/self/ns/mnt", "");
	put(IN "/lib/real", "inside");
	link_to("/lib/real", IN "/absolute");
	link_to("lib/../lib/real", IN "/relative");
	link_to("../../../../../../../../lib/real", IN "/lib/up");
	link_to("/lib", IN "/folder");
	link_to("/loop", IN "/loop");
	link_to("/etc/passwd", IN "/outside");
	return sys_with_root(top);
}

static const char *content(const struct sys *s, const char *path)
{
	static char buf[100];
	int fd = inside_open(s, IN, path, O_NONBLOCK);
	ssize_t n = fd < 0 ? fd : read(fd, buf, sizeof(buf) - 1);

	if (fd >= 0)
		close(fd);
	buf[MAX(n, 0)] = '\0';
	return n < 0 ? "none" : buf;
}

static void links(const struct sys *s)
{
	static const char *const same[] = {
		"/lib/real", "/absolute", "/relative", "/lib/up", "/folder/real", "/../../lib/./real", "//folder//real",
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		CHECK_STR(content(s, same[i]), "inside");
	CHECK_STR(content(s, "/loop"), "none");
	CHECK_STR(content(s, "/outside"), "none");
	CHECK_STR(content(s, "/nothing"), "none");
}

TEST(inside_links_stay_inside)
{
	struct sys s = make_tree();

	links(&s);
}

static int no_such_call(const struct sys *s UNUSED, int fd UNUSED, const char *path UNUSED, int flags UNUSED)
{
	return -ENOSYS;
}

TEST(inside_links_stay_inside_without_the_kernels_help)
{
	struct sys s = make_tree();

	s.open_inside = no_such_call;
	links(&s);
}

TEST(process_files_are_mapped_when_their_root_is_another)
{
	struct sys s = make_tree();
	struct sv bytes;
	struct stat st;

	CHECK_EQ(process_files_map(&s, 5, 0, "/absolute", &bytes), 0);
	CHECK(sv_eq(bytes, "inside"));
	CHECK_EQ(stat(in_tree(IN "/lib/real"), &st), 0);
	CHECK_EQ(process_files_map(&s, 5, st.st_ino, "/absolute", &bytes), 0);
	CHECK_EQ(process_files_map(&s, 5, st.st_ino + 1, "/absolute", &bytes), -ESTALE);
	CHECK_EQ(process_files_map(&s, 6, 0, "/absolute", &bytes), -ENOENT);
	/* With our root and our mounts there is nothing to look for there. */
	CHECK_EQ(unlink(in_tree("/proc/5/ns/mnt")) || link(in_tree("/proc/self/ns/mnt"), in_tree("/proc/5/ns/mnt")), 0);
	CHECK(inside_differs(&s, 5));
	CHECK_EQ(rmdir(in_tree("/proc/self/root")), 0);
	link_to("../5/root", "/proc/self/root");
	CHECK(!inside_differs(&s, 5));
	CHECK_EQ(process_files_map(&s, 5, 0, "/absolute", &bytes), -ENOENT);
}

/* The program by its process, other files by where they are mapped. */
TEST(process_files_are_mapped_when_they_were_deleted)
{
	struct sys s = make_tree();
	struct sv bytes;
	struct stat exe, lib;
	char line[100];

	CHECK_EQ(unlink(in_tree("/proc/5/ns/mnt")) || link(in_tree("/proc/self/ns/mnt"), in_tree("/proc/5/ns/mnt")), 0);
	CHECK_EQ(rmdir(in_tree("/proc/self/root")), 0);
	link_to("../5/root", "/proc/self/root");
	CHECK(!inside_differs(&s, 5));
	put("/proc/5/exe", "program");
	dir("/proc/5/map_files");
	put("/proc/5/map_files/1000-2000", "library");
	CHECK(!stat(in_tree("/proc/5/exe"), &exe) && !stat(in_tree("/proc/5/map_files/1000-2000"), &lib));
	snprintf(line, sizeof(line), "00001000-00002000 r-xp 00000000 fe:00 %llu /gone.so (deleted)\n",
		 (unsigned long long)lib.st_ino);
	put("/proc/5/maps", line);
	CHECK_EQ(process_files_map(&s, 5, exe.st_ino, "/gone (deleted)", &bytes), 0);
	CHECK(sv_eq(bytes, "program"));
	CHECK_EQ(process_files_map(&s, 5, lib.st_ino, "/gone.so", &bytes), 0);
	CHECK(sv_eq(bytes, "library"));
	CHECK_EQ(process_files_map(&s, 5, lib.st_ino + exe.st_ino, "/gone.so", &bytes), -ENOENT);
	CHECK_EQ(process_files_map(&s, 5, 0, "/gone.so", &bytes), -ENOENT);
}

static struct { VEC(char) v; } got;

static int take(void *to UNUSED, const char *p, size_t n)
{
	if (vec_reserve(&got.v, n + 1))
		return -ENOMEM;
	memcpy(got.v.v + got.v.n, p, n);
	got.v.n += n;
	got.v.v[got.v.n] = '\0';
	return 0;
}

static void status_of(unsigned uid)
{
	char text[200];

	snprintf(text, sizeof(text), "Name:\tx\nUid:\t%u\t7\t7\t7\nNSpid:\t5\t17\t2\n", uid);
	put("/proc/5/status", text);
}

TEST(process_files_jit_file_is_the_one_in_their_tmp)
{
	struct sys s = make_tree();

	status_of(geteuid());
	put("/tmp/perf-5.map", "ours\n");
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), 0);
	CHECK_STR(got.v.v, "ours\n");
	got.v.n = 0;
	put(IN "/tmp/perf-2.map", "theirs\n");
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), 0);
	CHECK_STR(got.v.v, "theirs\n");
	CHECK_EQ(process_files_jit(&s, 6, take, NULL), -ENOENT);
}

static unsigned nobody(const struct sys *s UNUSED)
{
	return 12345;
}

TEST(process_files_jit_file_must_be_a_file_of_their_user)
{
	struct sys s = make_tree();

	put("/tmp/perf-5.map", "ours\n");
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), 0);
	/* Not root's: root's is everybody's. */
	if (!geteuid())
		CHECK_EQ(chown(in_tree("/tmp/perf-5.map"), 4711, 0), 0);
	status_of(geteuid() ? geteuid() : 4711);
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), 0);
	status_of(4712);
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), -EPERM);
	/* Of a process that is gone: ours, or root's. */
	CHECK_EQ(unlink(in_tree("/proc/5/status")), 0);
	s.uid = nobody;
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), -EPERM);
	s = sys_with_root(top);
	CHECK_EQ(unlink(in_tree("/tmp/perf-5.map")), 0);
	CHECK_EQ(mkfifo(in_tree("/tmp/perf-5.map"), 0600), 0);
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), -EINVAL);
	CHECK_EQ(unlink(in_tree("/tmp/perf-5.map")), 0);
	put("/tmp/elsewhere", "7000 10 x\n");
	link_to("elsewhere", "/tmp/perf-5.map");
	CHECK_EQ(process_files_jit(&s, 5, take, NULL), -ELOOP);
}
