/* base/mapped and sys/cut: holes of mapped files, walks that are to end, files that are cut while they are read. */
#include "sys/cut.h"

#include "machine/facts.h"
#include "sym/resolver.h"
#include "sys/sys.h"
#include "t.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { PAGE = 65536 };    /* of all machines */

static struct mapped_files files;
static char path[] = "/tmp/sonde-mapped-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

static int new_file(uint64_t size)
{
	int fd = mkstemp(path);

	t_at_end(remove_file);
	CHECK(fd >= 0);
	CHECK_EQ(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static const uint8_t *map(size_t *n)
{
	struct sys sys = sys_live;
	const uint8_t *p = NULL;

	sys.mapped = &files;
	CHECK_EQ(sys_map_file(&sys, path, &p, n, NULL), 0);
	return p;
}

static void unmap(const uint8_t *p, size_t n)
{
	struct sys sys = sys_live;

	sys.mapped = &files;
	sys_unmap_file(&sys, p, n);
}

TEST(mapped_file_ends_where_a_long_hole_begins)
{
	int fd = new_file(64 << 20);
	struct mapped *m;
	const uint8_t *p;
	size_t n;

	CHECK_EQ(pwrite(fd, "first", 5, 0), 5);
	CHECK_EQ(pwrite(fd, "near", 4, 4 * PAGE), 4);
	CHECK_EQ(pwrite(fd, "far", 3, 32 << 20), 3);
	if (lseek(fd, 8 * PAGE, SEEK_HOLE) > 16 << 20)
		SKIP("this file system does not tell holes");
	p = map(&n);
	m = mapped_at(&files, p + n - 1);
	CHECK(m && m->p == p);
	CHECK(mapped_find(&files, p) == m);
	CHECK(!mapped_at(&files, p + n));
	CHECK(mapped_until_hole(m, p, n) > 4 * PAGE);    /* a short one is none */
	CHECK(mapped_until_hole(m, p, n) <= 5 * PAGE);
	CHECK_EQ(mapped_until_hole(m, p + PAGE, 100), 100);
	CHECK_EQ(mapped_until_hole(m, p + (16 << 20), 100), 0);
	CHECK_EQ(mapped_until_hole(m, p + (32 << 20), 3), 3);
	CHECK_EQ(mapped_until_hole(m, p + n - 8, 8), 0);
	CHECK_EQ(mapped_until_hole(NULL, p, n), n);
	unmap(p, n);
	CHECK(!mapped_find(&files, p));
	CHECK(!files.cut);
	close(fd);
}

TEST(mapped_file_that_is_one_hole_has_nothing)
{
	int fd = new_file(64 << 20);
	const uint8_t *p;
	size_t n;

	if (lseek(fd, 0, SEEK_HOLE))
		SKIP("this file system does not tell holes");
	p = map(&n);
	CHECK_EQ(mapped_until_hole(mapped_find(&files, p), p, n), 0);
	unmap(p, n);
	close(fd);
}

static unsigned asked;

static bool third_time(void *arg)
{
	CHECK(arg == &asked);
	return ++asked == 3;
}

TEST(mapped_walk_ends_when_the_user_says_so)
{
	int fd = new_file(PAGE);
	struct mapped *m;
	const uint8_t *p;
	size_t n, rounds = 0;

	p = map(&n);
	m = mapped_find(&files, p);
	CHECK(!mapped_stopped_after(m, MAPPED_ROUNDS));    /* nobody to ask */
	mapped_ask(&files, third_time, &asked);
	while (!mapped_stopped(m) && rounds < 100 * MAPPED_ROUNDS)
		rounds++;
	CHECK_EQ(rounds, 3 * MAPPED_ROUNDS - 1);
	CHECK(mapped_stopped(m));
	CHECK_EQ(asked, 3);
	CHECK(!mapped_stopped(NULL));
	unmap(p, n);
	close(fd);
}

static void on_bus_error(int sig UNUSED, siginfo_t *info, void *context UNUSED)
{
	if (!cut_fill(&files, info->si_addr))
		_exit(99);
}

static void catch_cuts(void)
{
	struct sigaction how = { .sa_flags = SA_SIGINFO, .sa_sigaction = on_bus_error };

	sigaction(SIGBUS, &how, NULL);
}

TEST(mapped_file_that_is_cut_reads_as_zeros)
{
	int fd = new_file(4 * PAGE);
	struct mapped *m;
	const uint8_t *p;
	size_t n;

	catch_cuts();
	CHECK_EQ(pwrite(fd, "abc", 3, 0), 3);
	CHECK_EQ(pwrite(fd, "xyz", 3, 2 * PAGE), 3);
	p = map(&n);
	m = mapped_find(&files, p);
	CHECK_EQ(p[2 * PAGE], 'x');
	CHECK_EQ(ftruncate(fd, PAGE), 0);
	CHECK(!mapped_was_cut(m));
	CHECK_EQ(p[2 * PAGE], 0);
	CHECK_EQ(p[3 * PAGE], 0);
	CHECK_EQ(p[PAGE], 0);
	CHECK_EQ(p[0], 'a');
	CHECK(mapped_was_cut(m));
	unmap(p, n);
	CHECK(!files.cut);      /* it was asked for: whoever did has told */
	close(fd);
}

TEST(mapped_file_that_was_cut_is_told_when_nobody_has)
{
	int fd = new_file(PAGE);
	const uint8_t *p;
	size_t n;

	catch_cuts();
	p = map(&n);
	CHECK_EQ(ftruncate(fd, 0), 0);
	CHECK_EQ(p[0], 0);
	unmap(p, n);
	CHECK_STR(files.cut, path);
	close(fd);
}

TEST(mapped_recording_that_lost_a_piece_of_its_last_page_was_cut)
{
	struct sys sys = sys_live;
	int fd = new_file(PAGE + 100);
	const uint8_t *p;
	size_t n;

	sys.mapped = &files;
	p = map(&n);
	CHECK_EQ(ftruncate(fd, PAGE + 50), 0);
	CHECK_EQ(p[PAGE + 60], 0);
	sys_unmap_file(&sys, p, n);
	CHECK(!files.cut);      /* a program's: who reads it finds out what it needs */
	p = map(&n);
	sys_unmap_recording(&sys, p, n);
	CHECK(!files.cut);
	p = map(&n);
	CHECK_EQ(ftruncate(fd, PAGE + 10), 0);
	sys_unmap_recording(&sys, p, n);
	CHECK_STR(files.cut, path);
	close(fd);
}

/* It is cut between its being mapped and its being read. */
static int map_and_cut(const struct sys *s, void **p, size_t n, int prot, int flags, int fd, uint64_t off)
{
	int r = sys_live.mmap(s, p, n, prot, flags, fd, off);

	CHECK_EQ(truncate(path, 0), 0);
	return r;
}

TEST(mapped_program_that_is_cut_has_no_build_id)
{
	struct sys sys = sys_live;
	struct build_id id;

	catch_cuts();
	close(new_file(PAGE));
	sys.mapped = &files;
	sys.mmap = map_and_cut;
	CHECK(!facts_file_build_id(&sys, path, &id));
	CHECK(!files.first);
}

static int resolver_map(void *arg, const char *name UNUSED, const uint8_t **p, size_t *n)
{
	return sys_map_file(arg, path, p, n, NULL);
}

static void resolver_unmap(void *arg, const uint8_t *p, size_t n)
{
	sys_unmap_file(arg, p, n);
}

/* Copied from this program, which has symbols; under an emulator /proc/PID/exe would be that. */
static void copy_of_this_program(void)
{
	char command[PATH_MAX + 200];

	snprintf(command, sizeof(command), "cat '%s' > %s", (const char *)getauxval(AT_EXECFN), path);
	CHECK_EQ(system(command), 0);
}

static unsigned n_said;

static void count_cuts(void *arg UNUSED, const char *line)
{
	n_said += strstr(line, "was cut while it was read") != NULL;
}

TEST(mapped_program_that_is_cut_while_its_symbols_are_used_is_told)
{
	struct sys sys = sys_live;
	struct sym_want want = { .files = { .arg = &sys, .map = resolver_map, .unmap = resolver_unmap,
					    .mapped = &files } };
	struct resolver *r = resolver_new(&want, NULL);
	struct sym_map m = { .pid = 7, .start = 0x400000, .len = 0x1000000, .name = path };

	catch_cuts();
	close(new_file(0));
	copy_of_this_program();
	sys.mapped = &files;
	CHECK_EQ(resolver_mmap(r, &m), 0);
	CHECK(resolver_find(r, 7, 2, 0x402000) != NULL);
	resolver_warnings(r, count_cuts, NULL);
	CHECK_EQ(n_said, 0);
	CHECK_EQ(truncate(path, 0), 0);
	for (uint64_t at = m.start; at < m.start + m.len; at += 0x1000)
		CHECK(resolver_find(r, 7, 2, at) != NULL);
	resolver_warnings(r, count_cuts, NULL);
	CHECK_EQ(n_said, 1);
	resolver_free(r);
	CHECK(!files.first && !files.cut);
}
