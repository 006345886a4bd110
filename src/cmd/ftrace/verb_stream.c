/* verb_stream.c - sonde ftrace stream: trace, and print the events while they happen. */
#include "cmd/annotate/inline.h"
#include "cmd/ftrace/profile_plan.h"
#include "cmd/ftrace/trecord.h"
#include "cmd/ftrace/verbs.h"
#include "live/live.h"
#include "sys/tty.h"
#include "tracefs/text/rtext.h"
#include "tracing/knames.h"
#include "tracing/rings.h"

#include <poll.h>
#include <sys/stat.h>

enum {
	OUT_FILE = 32768,
	/* Bytes of one write: what a serial line sends within a key stroke's time; what a pipe with room takes. */
	OUT_TTY = 512,
	OUT_PIPE = 4096,
};

struct mine {
	struct want want;
};

static const struct opt opts[] = { OPT_SUB(want_opts, struct mine, want), OPT_END };

struct job {
	struct ctx *c;
	const struct want *want;
	struct live *live;
	struct knames_late names;
	struct tprint_names print;
	struct rtext *text;
	bool cut;               /* a signal came: output must not wait any more */
	int fd;
	size_t step;            /* bytes of one write */
	struct out out;
	char buf[OUT_FILE];
};

/*
 * Wait until output can be written, or for a signal (Ctrl-C). After that the rest is written only as far as it need not
 * wait; and not to a terminal, where the user waits for the flood to end. False: write no more.
 */
static bool wait_for_room(struct job *j, struct pollfd *out)
{
	struct loop *l = &j->live->run.loop;
	unsigned signals = l->n_signals;
	enum loop_what what;

	do {
		out->revents = 0;
		if (j->cut)
			loop_in(l, LOOP_OTHER, 0);
		what = loop_next(l);
		j->cut |= l->n_signals != signals;
	} while (!out->revents && !(j->cut && what == LOOP_TICK));
	return out->revents && (!j->cut || j->step != OUT_TTY);
}

static int write_some(void *arg, const char *bytes, size_t n)
{
	struct job *j = arg;
	const struct sys *sys = j->c->sys;
	struct loop *l = &j->live->run.loop;
	struct pollfd fds[2];
	int r = 0;

	if (j->step == OUT_FILE)
		return sys_write_all(sys, j->fd, bytes, n);
	fds[1] = (struct pollfd){ .fd = j->fd, .events = POLLOUT };
	loop_watch_fds(l, fds, ARRAY_SIZE(fds));
	while (!r && n) {
		ssize_t done;

		if (!wait_for_room(j, &fds[1]))
			break;
		done = sys->write(sys, j->fd, bytes, MIN(n, j->step));
		if (done < 0 && done != -EINTR && done != -EAGAIN)
			r = (int)done;
		bytes += MAX(done, 0);
		n -= (size_t)MAX(done, 0);
	}
	loop_watch_fds(l, NULL, 0);
	return r;
}

static unsigned text_flags(const struct live *l)
{
	const struct tstream_ring *ring = &l->set.rings[0];
	struct ring_stats s;

	return rings_stats(&l->run.buffers.v[ring->buffer].tfs, ring->cpu, &s) || s.now_is_ns ? 0 : RTEXT_UNITS;
}

static int begin(struct job *j, struct err *e)
{
	struct live *l = j->live;

	for (size_t i = 0; i < l->run.buffers.n; i++)
		if (*l->run.buffers.v[i].why && !j->want->quiet)
			cmd_note(j->c, "%s", l->run.buffers.v[i].why);
	if (!j->want->quiet)
		inline_notes(j->c, j->want->probes);
	j->names = (struct knames_late){ .sys = j->c->sys, .events = &l->source.trace };
	j->print = knames_late_print(&j->names);
	j->text = rtext_new(&l->source.trace, &j->print, text_flags(l));
	return j->text ? 0 : err_nomem(e);
}

static int record(struct job *j, struct tstream_rec rec, struct err *e)
{
	const struct rtext_event *x = rtext_event(j->text, &rec);
	const struct run *run = &j->live->run;
	struct rtext_ahead ahead;
	const struct rtext_leaf *leaf = rtext_ahead(j->text, j->live->set.stream, x, &rec, &ahead);

	if (run->buffers.n > 1 && rec.buffer)
		out_printf(&j->out, "%s: ", run->buffers.v[rec.buffer].tfs.name);
	rtext_line(j->text, x, &rec, leaf, &j->out);
	out_char(&j->out, '\n');
	if (j->out.error == -EPIPE || j->cut) {
		live_enough(j->live);
		return 0;
	}
	return j->out.error ? err_set(e, -j->out.error, "cannot write: %s", err_name(-j->out.error)) : 0;
}

static int follow(struct job *j, struct err *e)
{
	struct source_rec rec;
	int r = begin(j, e), what;

	r = r ? r : live_go(j->live, e);
	while (!r && (what = source_next(&j->live->source, &rec, e)) != SOURCE_END) {
		r = MIN(what, 0);
		if (what == SOURCE_RECORD)
			r = record(j, rec.trace, e);
		else
			out_flush(&j->out);
	}
	out_flush(&j->out);
	return r;
}

static void tell(const struct job *j, const struct live_result *res)
{
	uint64_t lost = MAX(res->stats.lost, res->overrun + res->dropped);

	if (lost)
		cmd_note(j->c,
			 "%llu events were lost: they came faster than they could be printed; -b KB makes room for "
			 "more, "
			 "a filter for fewer",
			 (unsigned long long)lost);
	if (res->stats.late)
		cmd_note(j->c, "%llu events came late, and stand out of order", (unsigned long long)res->stats.late);
	if (res->unread && res->signal)
		cmd_note(j->c, "%llu more events were not printed", (unsigned long long)res->unread);
	if (res->stats.bad_pages)
		cmd_note(j->c, "%llu pages were not as they should be", (unsigned long long)res->stats.bad_pages);
}

/* A regular file never makes the writer wait. */
static bool is_file(const struct job *j)
{
	struct stat st;

	return !j->c->sys->fstat(j->c->sys, j->fd, &st) && S_ISREG(st.st_mode);
}

static int stream(struct job *j, struct want *w, char **argv, struct err *e)
{
	struct live_want lw = {
		.run = { .sys = j->c->sys, .plans = w->plans.v, .n_plans = w->plans.n, .argv = argv[0] ? argv : NULL,
			 .child = w->work.child, .keep = w->keep,
			 .who = w->work.only_command ? RUN_WORKLOAD : RUN_EVERYONE, .before = want_before, .arg = w },
		.rest = LIVE_REST_DROP,
	};
	struct live_result res;
	struct live l;
	int r, ended;

	j->want = w;
	j->fd = w->prof.to_stderr ? 2 : 1;
	j->step = tty_is(j->fd) ? OUT_TTY : is_file(j) ? OUT_FILE : OUT_PIPE;
	j->out = (struct out){ .write = write_some, .arg = j, .buf = j->buf, .cap = sizeof(j->buf) };
	tty_setup(&j->out, j->fd);
	out_flush(j->c->out);
	r = live_begin(&l, &lw, e);
	if (r)
		return r;
	j->live = &l;
	r = follow(j, e);
	ended = live_end(&l, &res, r ? NULL : e);
	r = r ? r : ended;
	if (!r)
		tell(j, &res);
	return r ? r : res.state == LOOP_SIGNALLED ? EXIT_DONE : res.status;
}

static int stream_verb(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	struct mine *m = want;
	struct job j = { .c = c };
	struct err e = { 0 };
	struct tfs top;
	int r;

	loglevel_apply(c, m->want.loglevel);
	r = want_finish(&m->want, c->sys, WANT_SOMETHING, &e);
	r = r ? r : want_check(&m->want, WANT_STREAM, argv[0] != NULL, &e);
	if (r) {
		r = cmd_usage(c, cmd_verb(verbs, "stream"), &e);
	} else {
		trecord_markers(&m->want);
		r = m->want.prof.on ? tfs_open(&top, c->sys, &e) : 0;
		if (!r && m->want.prof.on)
			r = profile_plan(&m->want, &top, &e);
		r = r ? r : stream(&j, &m->want, argv, &e);
		r = r < 0 ? cmd_fail(c, &e) : r;
	}
	rtext_free(j.text);
	knames_late_deinit(&j.names);
	want_deinit(&m->want);
	return r;
}

static void drop(void *want)
{
	want_deinit(&((struct mine *)want)->want);
}

DEFINE_VERB(stream, "stream", .brief = "Trace, and print events as they occur",
	    .synopsis = "[options] [-- command]",
	    .examples = PACKED(
			"sonde ftrace stream -e sched:sched_switch -F sleep 1\tcontext switches of sleep\n"
			"sonde ftrace stream -p function_graph -g do_sys_openat2 -P 1234\tthe function's call graph in "
				"a thread\n"),
	    .opts = opts, .want_size = sizeof(struct mine), .drop = drop, .run = stream_verb);
