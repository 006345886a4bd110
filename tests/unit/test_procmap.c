/* What a command has mapped, taken when it ends; it ends as it would by itself. */
#include "sys/child.h"
#include "t.h"
#include "tracing/transport/procmap.h"

struct taken {
	struct mem_out text;
	unsigned times;
};

static void take(void *arg, int pid)
{
	struct taken *t = arg;

	t->times++;
	procmap_put(&sys_live, pid, &t->text.out);
}

static int status_of(const char *script, struct taken *t)
{
	char sh[] = "sh", flag[] = "-c", *argv[] = { sh, flag, (char *)(uintptr_t)script, NULL };
	const struct child_how how = { .leaving = take, .arg = t };
	struct child c;
	struct err e = { 0 };
	int r;

	mem_out_init(&t->text);
	t->times = 0;
	r = child_hold(&c, argv, &how, &e);
	if (r == -EPERM || r == -ENOSYS)    /* ENOSYS: qemu emulates no ptrace */
		SKIP("no process may follow another here");
	CHECK_EQ(r, 0);
	CHECK_EQ(child_go(&c, argv[0], &e), 0);
	return child_wait(&c, NULL);
}

TEST(procmap_of_a_command_that_ends)
{
	struct sv rest, word;
	uint64_t told = 0, lines = 0;
	struct taken t;

	CHECK_EQ(status_of("exit 7", &t), 7);
	CHECK_EQ(t.times, 1);
	rest = sv_from(mem_out_str(&t.text));
	/* "PID LINES COMMAND", and as many lines. */
	CHECK(sv_cut(&rest, ' ', &word) && sv_cut(&rest, ' ', &word) && str_u64(word, 16, &told));
	CHECK(sv_cut(&rest, '\n', &word) && word.n && word.s[0] == '/');
	while (sv_cut(&rest, '\n', &word))
		lines += word.n != 0;
	CHECK(told > 2);
	CHECK_EQ(lines, told);
	mem_out_deinit(&t.text);
}

TEST(procmap_signals_reach_the_command)
{
	struct taken t;

	CHECK_EQ(status_of("trap 'exit 5' USR1; kill -USR1 $$; exit 1", &t), 5);
	CHECK_EQ(t.times, 1);
	mem_out_deinit(&t.text);
	CHECK_EQ(status_of("kill -TERM $$", &t), 128 + 15);
	mem_out_deinit(&t.text);
}
