/* t.c - runs every registered test in a child with a time limit; arguments select tests by substring. */
#include "t.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT = 30, EXIT_SKIP = 77 };

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
	int fds = open_fds();

	alarm(TIME_LIMIT);
	t->run();
	if (at_end)
		at_end();
	if (open_fds() != fds)
		t_fail(t->file, 0, "%s left a file descriptor open", t->name);
	fflush(stdout);
	_exit(failures ? 1 : 0);
}

static int run(const struct t_test *t)
{
	int status = 0;

	fflush(stdout);

	pid_t pid = fork();

	if (!pid)
		child(t);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	if (WIFSIGNALED(status))
		printf("%s: killed by signal %d%s\n", t->file, WTERMSIG(status),
		       WTERMSIG(status) == SIGALRM ? " (time limit)" : "");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0, skipped = 0;

	for (const struct t_test *t = tests; t; t = t->next) {
		bool wanted = argc < 2;

		for (int i = 1; i < argc; i++)
			wanted |= strstr(t->name, argv[i]) != NULL;
		if (!wanted)
			continue;

		int r = run(t);

		if (r == EXIT_SKIP) {
			skipped++;
			printf("skip %s\n", t->name);
		} else if (r) {
			failed++;
			printf("FAIL %s\n", t->name);
		} else {
			passed++;
		}
	}
	printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
	return failed ? 1 : 0;
}
