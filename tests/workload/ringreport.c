/*
 * ringreport.c - samples of the whole machine that go into a perf.data and into a report at the same time.
 *
 *   ringreport FILE SORT COMMAND...   the report of the rings, as `sonde report -s SORT` has it, while COMMAND runs
 */
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/report/view.h"
#include "live/event_env.h"
#include "record/synth.h"
#include "record/tee.h"
#include "sys/output.h"

struct run {
	struct sys sys;
	struct target target;
	struct event_list events;
	struct recording rec;
	struct sink sink;
	struct recfile file;
	struct source *source;
	pid_t child;
	bool stopped;              /* the counters: what is in the rings is all */
};

static struct err e;

static void good(int r)
{
	if (r >= 0)
		return;
	fprintf(stderr, "ringreport: %s\n", e.text);
	exit(2);
}

static bool wait_for_more(void *arg)
{
	struct run *run = arg;

	if (run->stopped) {
		recfile_tell_lost(&run->file);
		return false;
	}
	if (waitpid(run->child, NULL, WNOHANG)) {
		recording_disable(&run->rec);
		run->stopped = true;
		return true;
	}
	poll(run->rec.polls + 1, run->rec.rings.n, 20);
	return true;
}

static void begin(struct run *run, const char *path)
{
	struct target_want all = { .all = true };
	struct recording_want w = { .target = &run->target, .sampling = { .freq = 4000 } };
	struct synth s = { .sys = &run->sys, .out = &run->file.out, .dsos = &run->rec.dsos };

	good(target_init(&run->target, &all, &run->sys, 0, NULL, &e));
	good(event_parse(&run->events, "cpu-clock", event_env_new(&run->sys), &e));
	good(recording_open(&run->rec, &run->sys, &run->events, &w, &e));
	good(sink_open(&run->sink, &run->sys, path, &e));
	good(recfile_begin(&run->file, &run->rec, &run->sink, NULL, &e));
	good(tee_open(&run->source, &run->file, &e));
	s.id = run->file.id;
	good(synth_kernel(&s));
	good(synth_all(&s, &e));
	out_flush(&run->file.out);
	run->source->wait = wait_for_more;
	run->source->wait_arg = run;
}

static void start(struct run *run, char **argv)
{
	recording_enable(&run->rec, RECORDING_ALL, 0);
	run->child = fork();
	if (run->child)
		return;
	/* Only the report is ours. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	static struct run run;
	static struct report_want w = { .children = true, .group = 1 };
	char out_buf[65536], msg_buf[1024];
	struct output out_file = { .sys = &sys_live, .fd = STDOUT_FILENO };
	struct output msg_file = { .sys = &sys_live, .fd = STDERR_FILENO };
	struct session session;
	struct out out, msg;
	struct ctx c = { .sys = &run.sys, .out = &out, .msg = &msg, .program = "sonde", .argc = argc, .argv = argv };

	if (argc < 4)
		return 2;
	run.sys = sys_live;
	run.sink.fd = -1;
	w.sort = argv[2];
	output_text(&out_file, &out, out_buf, sizeof(out_buf));
	output_text(&msg_file, &msg, msg_buf, sizeof(msg_buf));
	begin(&run, argv[1]);
	start(&run, argv + 3);
	good(session_over(&session, &run.sys, run.source, &w.session, &e));
	good(report_session(&c, &w, &session, &e));
	out_flush(&out);
	session_close(&session);
	source_close(run.source);
	good(recfile_end(&run.file, argc, argv, &e));
	recfile_deinit(&run.file);
	sink_close(&run.sink);
	recording_close(&run.rec);
	return 0;
}
