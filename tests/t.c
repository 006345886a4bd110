/*
 * t.c - runs every registered test in a child of its own, as many at a time as there are CPUs; arguments select tests
 * by part of their name. What a child prints is kept until it ends, so that the texts of two do not mix.
 *
 * A test has CPU_LIMIT seconds of CPU, so that a machine that others use, too, makes none fail. One that waits for what
 * never comes is ended after WALL_LIMIT.
 */
#include "t.h"

#include "base/str.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPU_LIMIT = 60, WALL_LIMIT = 300, EXIT_SKIP = 77, WORKERS_MAX = 64, SLOW = 2 };

/* A test that runs: its process and what it has printed. */
struct worker {
	const struct t_test *test;
	pid_t pid;
	FILE *out;
};

struct counts {
	int passed, failed, skipped;
};

int t_checks;

static struct t_test *tests;
static int failures;
static void (*at_end)(void);

void t_register(struct t_test *t)
{
	struct t_test **at = &tests;

	while (*at && strcmp((*at)->name, t->name) < 0)
		at = &(*at)->next;
	t->next = *at;
	*at = t;
}

void t_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stdout, "%s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stdout, fmt, ap);
	va_end(ap);
	fputc('\n', stdout);
	if (++failures > 20)
		_exit((fflush(stdout), 1));
}

void t_at_end(void (*fn)(void))
{
	at_end = fn;
}

void t_skip(const char *why)
{
	fprintf(stdout, "skipped: %s\n", why);
	fflush(stdout);
	_exit(EXIT_SKIP);
}

size_t t_sparse(void)
{
	const char *sparse = getenv("TESTS_SPARSE");
	uint64_t n;

	return sparse && str_u64(sv_from(sparse), 10, &n) && n ? (size_t)n : 1;
}

void *guard_dup(const void *bytes, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (n + page - 1) / page * page;
	char *p = mmap(NULL, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + body, page, PROT_NONE))
		abort();
	if (n)
		memcpy(p + body - n, bytes, n);
	return p + body - n;
}

char *t_read(const char *path, size_t *n)
{
	char full[512];
	struct { char *p; size_t n, cap; } b = { 0 };
	const char *root = getenv("TESTS_DIR");

	snprintf(full, sizeof(full), "%s/%s", root ? root : "tests", path);

	int fd = open(full, O_RDONLY | O_CLOEXEC);

	for (ssize_t got = 1; fd >= 0 && got > 0; b.n += (size_t)MAX(got, 0)) {
		if (b.cap - b.n < 65536 && !(b.p = realloc(b.p, b.cap = b.cap * 2 + 131072)))
			abort();
		got = read(fd, b.p + b.n, b.cap - b.n - 1);
	}
	if (fd < 0) {
		t_fail(__FILE__, __LINE__, "cannot read %s: %s", full, strerror(errno));
		exit(1);
	}
	close(fd);
	b.p[b.n] = '\0';
	if (n)
		*n = b.n;
	return b.p;
}

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void child(const struct t_test *t)
{
	struct rlimit cpu = { CPU_LIMIT, CPU_LIMIT };
	int fds = open_fds();

	setrlimit(RLIMIT_CPU, &cpu);
	alarm(WALL_LIMIT);
	t->run();
	if (at_end)
		at_end();
	if (open_fds() != fds)
		t_fail(t->file, 0, "%s left a file descriptor open", t->name);
	if (!t_checks)
		t_fail(t->file, 0, "%s checks nothing", t->name);
	fflush(stdout);
	_exit(failures ? 1 : 0);
}

static void begin(struct worker *w, const struct t_test *t)
{
	fflush(stdout);
	w->test = t;
	w->out = tmpfile();
	if (!w->out || (w->pid = fork()) < 0) {
		fprintf(stderr, "t.c: cannot start %s: %s\n", t->name, strerror(errno));
		exit(2);
	}
	if (w->pid)
		return;
	dup2(fileno(w->out), STDOUT_FILENO);
	fclose(w->out);
	child(t);
}

static void print_output(FILE *f)
{
	char buf[4096];
	size_t n;

	rewind(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		fwrite(buf, 1, n, stdout);
	fclose(f);
}

static const char *signal_reason(int sig)
{
	return sig == SIGALRM ? " (time limit)" : sig == SIGXCPU || sig == SIGKILL ? " (CPU limit)" : "";
}

/* A slow test says so: they have two cores for all. */
static void tell_time(const struct t_test *t, const struct rusage *ru)
{
	double s = (double)(ru->ru_utime.tv_sec + ru->ru_stime.tv_sec) +
		   (double)(ru->ru_utime.tv_usec + ru->ru_stime.tv_usec) / 1e6;

	if (s >= SLOW)
		printf("   %s: took %.0f s of CPU time\n", t->name, s);
}

static void end(struct worker *w, int status, const struct rusage *ru, struct counts *c)
{
	print_output(w->out);
	tell_time(w->test, ru);
	if (WIFSIGNALED(status))
		printf("%s: killed by signal %d%s\n", w->test->file, WTERMSIG(status), signal_reason(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIP) {
		c->skipped++;
		printf("skip %s\n", w->test->name);
	} else if (status) {
		c->failed++;
		printf("FAIL %s\n", w->test->name);
	} else {
		c->passed++;
	}
	w->pid = 0;
}

/* Wait for one of them to end. */
static struct worker *reap(struct worker *w, int n, struct counts *c)
{
	int status;
	struct rusage ru;
	pid_t pid = wait4(-1, &status, 0, &ru);

	for (int i = 0; i < n; i++)
		if (w[i].pid && w[i].pid == pid) {
			end(&w[i], status, &ru, c);
			return &w[i];
		}
	fprintf(stderr, "t.c: lost a test\n");
	exit(2);
}

static bool is_wanted(const struct t_test *t, int argc, char **argv)
{
	bool wanted = argc < 2;

	for (int i = 1; i < argc; i++)
		wanted |= strstr(t->name, argv[i]) != NULL;
	return wanted;
}

int main(int argc, char **argv)
{
	struct worker w[WORKERS_MAX] = { 0 };
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), n = MIN(MAX(cpus, 1), WORKERS_MAX), running = 0;
	struct counts c = { 0 };

	for (const struct t_test *t = tests; t; t = t->next) {
		if (!is_wanted(t, argc, argv))
			continue;
		begin(running < n ? &w[running++] : reap(w, n, &c), t);
	}
	for (; running; running--)
		reap(w, n, &c);
	printf("%d passed, %d failed, %d skipped\n", c.passed, c.failed, c.skipped);
	return c.failed ? 1 : 0;
}
