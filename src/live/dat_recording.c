/* dat_recording.c - runs the recorders, the sender or the file writer in the right order. */
#include "live/dat_recording.h"

#include "image/kallsyms_text.h"
#include "tracing/transport/traceid.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/utsname.h>
#include <time.h>

enum {
	LISTENER_MS = 600000,   /* for the listener to write its file, perhaps on a slow disk */
	CLOCKS_MS = 60000,      /* for a last comparison of clocks */
	FIXED = 3,              /* polled descriptors before the rings' ports: the run, the connection, markers */
};

bool dat_recording_is_sent(const struct dat_recording_want *w)
{
	return w->host || w->asked;
}

/* --- metadata --- */

/* Takes over text, which is malloc'ed. Its NUL is part of the option. */
static int add_option(struct dat_recording *r, enum tdat_option_id id, char *text)
{
	char **slot = text ? vec_add(&r->texts) : NULL;
	struct tdat_option *o;

	if (!slot) {
		free(text);
		return -ENOMEM;
	}
	*slot = text;
	o = vec_add(&r->options);
	if (!o)
		return -ENOMEM;
	*o = (struct tdat_option){ (uint16_t)id, { text, strlen(text) + 1 } };
	return 0;
}

static int add_text(struct dat_recording *r, enum tdat_option_id id, const char *fmt, ...) PRINTF(3, 4);
static int add_text(struct dat_recording *r, enum tdat_option_id id, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return add_option(r, id, strdup(text));
}

static int add_machine(struct dat_recording *r)
{
	const struct tfs *t = &r->run.buffers.v[0].tfs;
	struct utsname u;
	char clock[512];
	int ret = 0;

	if (tfs_get(t, "trace_clock", clock, sizeof(clock)) > 0)
		ret = add_text(r, TDAT_TRACECLOCK, "%s\n", clock);
	if (!ret && !t->sys->uname(t->sys, &u))
		ret = add_text(r, TDAT_UNAME, "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	return ret ? ret : add_text(r, TDAT_VERSION, "sonde");
}

static int add_id(struct dat_recording *r)
{
	struct tdat_option *o = vec_add(&r->options);

	if (!o)
		return -ENOMEM;
	r->id = r->want->id ? r->want->id : traceid_make(r->run.buffers.v[0].tfs.sys);
	*o = (struct tdat_option){ TDAT_TRACEID, { (const char *)&r->id, sizeof(r->id) } };
	return 0;
}

/* DATE: the offset from the trace clock to the time of day in microseconds. */
static int add_date(struct dat_recording *r)
{
	const struct sys *sys = r->run.sys;
	struct ring_stats s;
	uint64_t now;

	if (!r->want->date)
		return 0;
	r->no_date = rings_stats(&r->run.buffers.v[0].tfs, 0, &s) || !s.now_is_ns;
	if (r->no_date)
		return 0;
	now = sys->now(sys, CLOCK_REALTIME);
	return add_text(r, TDAT_DATE, "0x%llx", (unsigned long long)((now - s.now) / 1000));
}

static int add_stats(struct dat_recording *r)
{
	uint32_t buffer = 0;
	int ret = 0;

	/* Not when it is sent: options go out before tracing begins. Those of an instance follow its name. */
	for (size_t i = 0; !ret && !dat_recording_is_sent(r->want) && i < r->recorder.rings.n; i++) {
		const struct recorder_ring *ring = &r->recorder.rings.v[i];
		char path[PATH_MAX], text[512];

		if (ring->file.buffer != buffer)
			ret = add_text(r, TDAT_CPUSTAT, "\nBuffer: %s\n\n", ring->tfs->name);
		buffer = ring->file.buffer;
		rings_path(ring->tfs, ring->file.cpu, "stats", path);
		if (!ret && sys_read_text(ring->tfs->sys, path, text, sizeof(text)) > 0)
			ret = add_text(r, TDAT_CPUSTAT, "CPU: %u\n%s", ring->file.cpu, text);
	}
	return ret;
}

/*
 * Index of a buffer in the file. The first one of a file is the top buffer; if the user named only instances, an empty
 * one is put there. What is sent has just one buffer, without a name: trace-cmd's listener takes nothing else.
 */
static uint32_t index_of(const struct dat_recording *r, size_t i)
{
	if (dat_recording_is_sent(r->want))
		return (uint32_t)i;
	return (uint32_t)i + (r->run.buffers.v[0].plan->instance != NULL);
}

static int add_buffer(struct dat_recording *r, const struct tfs *t, const char *name)
{
	struct tdat_write_buffer *b = vec_add(&r->buffers);
	struct tpage_layout layout;
	char **slot, clock[64];

	if (!b)
		return -ENOMEM;
	if (tfs_chosen(t, "trace_clock", clock, sizeof(clock)) < 0)
		str_copy(clock, sizeof(clock), SV("local"));
	slot = vec_add(&r->texts);
	if (!slot || !(*slot = strdup(clock)))
		return -ENOMEM;
	*b = (struct tdat_write_buffer){ .name = name, .clock = *slot, .page_size = r->meta.blob.page_size };
	if (!rings_layout(t, &layout, NULL))
		b->page_size = rings_subbuf(&layout);
	b->latency = r->want->latency;
	return 0;
}

/* A private instance made for this run becomes the top buffer, because readers show that without a name. */
static int add_buffers(struct dat_recording *r)
{
	int ret = index_of(r, 0) ? add_buffer(r, &r->run.buffers.v[0].tfs, "") : 0;

	for (size_t i = 0; !ret && i < r->run.buffers.n; i++) {
		const struct tfs *t = &r->run.buffers.v[i].tfs;

		ret = add_buffer(r, t, index_of(r, i) ? t->name : "");
	}
	return ret;
}

static int describe(struct dat_recording *r, struct err *e)
{
	int ret = add_machine(r);

	if (!ret)
		ret = add_id(r);
	if (!ret)
		ret = add_date(r);
	if (!ret)
		ret = add_stats(r);
	if (!ret)
		ret = add_buffers(r);
	for (size_t i = 0; !ret && i < r->want->n_options; i++) {
		struct tdat_option *o = vec_add(&r->options);

		ret = o ? 0 : -ENOMEM;
		if (o)
			*o = r->want->options[i];
	}
	return ret ? err_nomem(e) : 0;
}

static int describe_all(struct dat_recording *r, struct err *e)
{
	const struct tfs *top = &r->run.top;
	int ret = meta_init(&r->meta, top, &r->run.buffers.v[0].tfs, e);

	for (size_t i = 0; !ret && i < r->run.buffers.n; i++) {
		const struct run_buffer *b = &r->run.buffers.v[i];

		ret = meta_add_events(&r->meta, top, &b->tfs, MAX(r->want->formats, meta_for(b->plan)), e);
	}
	if (!ret)
		ret = meta_add_names(&r->meta, top, e);
	return ret ? ret : describe(r, e);
}

/* --- the file --- */

static uint32_t count_cpus(const struct dat_recording *r)
{
	char text[256];
	struct cpus c;
	uint32_t n = 0;

	/* Readers expect an entry for each CPU that is present, even if it is offline. */
	if (sys_read_line(r->run.sys, text, sizeof(text), "/sys/devices/system/cpu/present") > 0 &&
	    !cpus_parse(&c, sv_from(text), NULL))
		for (int cpu = -1; (cpu = cpus_next(&c, (unsigned)cpu + 1)) >= 0; )
			n = (uint32_t)cpu + 1;
	for (size_t i = 0; i < r->recorder.rings.n; i++)
		n = MAX(n, r->recorder.rings.v[i].file.cpu + 1);
	return n;
}

static uint64_t file_size(const struct sys *sys, const char *path)
{
	int fd = sys->open(sys, path, O_RDONLY, 0);
	uint64_t size = 0;
	char text[16384];
	ssize_t n;

	while (fd >= 0 && (n = sys->read(sys, fd, text, sizeof(text))) > 0)
		size += (uint64_t)n;
	if (fd >= 0)
		sys->close(sys, fd);
	return size;
}

/* The disk is full: drop the newest pages, of each ring in proportion to its size, to make room for the metadata. */
static bool make_room(struct dat_recording *r)
{
	uint64_t need = file_size(r->run.sys, DATFILE_KALLSYMS) + (2u << 20), have = 0;

	for (size_t i = 0; i < r->meta.blob.formats.n; i++)
		need += r->meta.blob.formats.v[i].text.n;
	for (size_t i = 0; i < r->recorder.rings.n; i++)
		have += r->recorder.rings.v[i].file.size;
	for (size_t i = 0; have > need && i < r->recorder.rings.n; i++) {
		struct recorder_ring *ring = &r->recorder.rings.v[i];
		uint64_t keep = ring->file.size - (uint64_t)((unsigned __int128)ring->file.size * need / have);

		ring->file.size = keep / ring->subbuf * ring->subbuf;
		ring->file.start = MIN(ring->file.start, ring->file.size);
		r->run.sys->ftruncate(r->run.sys, ring->file.fd, ring->file.size);
	}
	r->given_up = have > need ? need : 0;
	return have > need;
}

/* Add the command's name, which the kernel does not know before its exec. */
static int name_the_command(struct dat_recording *r, struct err *e)
{
	struct sv *cmdlines = &r->meta.blob.cmdlines;
	const char *path = r->run.loop.child.pid ? r->want->run.argv[0] : NULL, *slash;
	char **slot, *text;

	if (!path)
		return 0;
	slash = strrchr(path, '/');
	text = malloc(cmdlines->n + 64);
	slot = text ? vec_add(&r->texts) : NULL;
	if (!slot) {
		free(text);
		return err_nomem(e);
	}
	*slot = text;
	memcpy(text, cmdlines->s, cmdlines->n);
	path = slash ? slash + 1 : path;
	cmdlines->n += (size_t)snprintf(text + cmdlines->n, 64, "%d %.15s\n", r->run.loop.child.pid, path);
	cmdlines->s = text;
	return 0;
}

/* Merge the markers into the rings' files. An error is only noted: the recording is useful without them. */
static void add_markers(struct dat_recording *r)
{
	struct markers_form form;
	struct tpage_layout layout;
	int ret = rings_layout(&r->run.buffers.v[0].tfs, &layout, &r->no_markers);

	if (ret)
		return;
	ret = markers_form_init(&form, &r->markers, &layout, &r->no_markers);
	for (size_t i = 0; !ret && i < r->recorder.rings.n; i++)
		if (!r->recorder.rings.v[i].file.buffer)
			ret = markers_merge(&r->markers, &form, &r->recorder.rings.v[i].file, &r->no_markers);
	markers_form_deinit(&form);
}

/* Answer the host that asked: page size, ports and clock protocol. Clocks that cannot be compared are no error. */
static int answer(struct dat_recording *r, struct err *e)
{
	const struct sender_asked *asked = r->want->asked;
	struct agentmsg_answer a = { .page_size = r->meta.blob.page_size, .traces = true };
	const char *clock = r->buffers.v[0].clock;

	if (asked->ptp && !clocksync_serve(&r->clocks, r->run.undo, &r->run.top, clock, &asked->peer, &a.proto_port,
					   &r->no_clocks))
		str_copy(a.proto, sizeof(a.proto), SV(CLOCKSYNC_PTP));
	return sender_answer(&r->sender, asked, &r->recorder, &a, e);
}

/*
 * Send the metadata, which the other side needs before the pages. kallsyms is read into memory as a whole: its length
 * goes first, and a stream cannot be patched afterwards.
 */
static int send_description(struct dat_recording *r, struct err *e)
{
	struct tdat_write_want want = { .blob = &r->meta.blob, .ncpus = count_cpus(r) };
	struct sv *kallsyms = &r->meta.blob.kallsyms;
	char *text = NULL;
	int ret = describe_all(r, e);

	if (!ret)
		ret = name_the_command(r, e);
	want.format = r->want->host ? TDAT_V6 : r->want->format;
	want.buffers = r->buffers.v;
	want.n_buffers = r->buffers.n;
	want.options = r->options.v;
	want.n_options = r->options.n;
	r->sender.stop = r->run.loop.signals;
	if (!ret && r->want->asked)
		ret = answer(r, e);
	else if (!ret)
		ret = sender_open(&r->sender, r->want->host, &r->recorder, r->meta.blob.page_size, e);
	if (!ret && !sys_read_all(r->run.sys, DATFILE_KALLSYMS, KALLSYMS_TEXT_MAX, &text, &kallsyms->n, NULL))
		kallsyms->s = text;
	if (!ret)
		ret = sender_describe(&r->sender, &want, e);
	*kallsyms = SV("");
	free(text);
	return ret;
}

int dat_recording_write(struct dat_recording *r, struct err *e)
{
	struct datfile_want want = {
		.sys = r->run.sys, .path = r->want->path, .format = r->want->format, .blob = &r->meta.blob,
		.options = r->options.v, .n_options = r->options.n, .buffers = r->buffers.v, .n_buffers = r->buffers.n,
		.ncpus = count_cpus(r), .kallsyms = DATFILE_KALLSYMS,
	};
	size_t n = r->recorder.rings.n;
	struct ringfile **files = calloc(n + 1, sizeof(*files));
	char text[PATH_MAX];
	int ret;

	tfs_path(&r->run.buffers.v[0].tfs, "trace", text);
	want.text = text;
	for (size_t i = 0; files && i < n; i++)
		files[i] = &r->recorder.rings.v[i].file;
	ret = files ? datfile_write(&want, files, n, e) : err_nomem(e);
	if ((ret == -ENOSPC || ret == -EDQUOT) && r->stopped.code && make_room(r))
		ret = datfile_write(&want, files, n, e);
	free(files);
	if (ret) {
		r->broken = true;
		recorder_keep(&r->recorder);
	}
	return ret;
}

static int make_polls(struct dat_recording *r, struct err *e)
{
	r->polls = calloc(FIXED + r->recorder.rings.n, sizeof(*r->polls));
	return r->polls ? 0 : err_nomem(e);
}

static int start_readers(struct dat_recording *r, struct err *e)
{
	int ret = 0;

	recorder_init(&r->recorder, &r->want->recorder);
	if (r->want->latency)
		return make_polls(r, e);
	for (uint32_t i = 0; !ret && i < r->run.buffers.n; i++)
		ret = recorder_add(&r->recorder, &r->run.buffers.v[i].tfs, index_of(r, i), e);
	if (!ret && dat_recording_is_sent(r->want))
		ret = send_description(r, e);
	if (!ret && r->want->host)
		ret = sender_described(&r->sender, e);
	ret = ret ? ret : make_polls(r, e);
	return ret ? ret : recorder_start(&r->recorder, r->sender.rings, e);
}

/* With a command, ready() is called before it runs and prints; without one, not before tracing is really on. */
static int start(struct dat_recording *r, struct err *e)
{
	struct run_buffer *b = &r->run.buffers.v[0];
	bool own = !b->plan->instance && !tfs_is_top(&b->tfs) && !r->want->latency, command = r->want->run.argv;
	int ret = own ? plan_bpf_prints(b->plan, r->run.undo, &b->tfs, e) : 0;

	ret = ret ? ret : start_readers(r, e);
	if (!ret && own)
		markers_begin(&r->markers, &r->run.top, &b->tfs);
	if (!ret && command && r->want->ready)
		r->want->ready(r->want->arg, &r->run);
	if (!ret)
		ret = run_go(&r->run, e);
	/* Only when tracing is on: after this the host may start what is to be traced. */
	if (!ret && r->want->asked)
		ret = sender_described(&r->sender, e);
	if (!ret && !command && r->want->ready)
		r->want->ready(r->want->arg, &r->run);
	if (!ret && r->want->going)
		r->want->going(r->want->arg);
	return ret;
}

int dat_recording_drain(struct dat_recording *r, struct err *e)
{
	int ret = start_readers(r, e);

	if (!ret && !r->want->latency)
		ret = recorder_finish(&r->recorder, e);
	return ret ? ret : describe_all(r, e);
}

/* Wait for one event of the run or of the polled descriptors; LOOP_TICK: `ms` have passed (-1: no time limit). */
static enum loop_what wait_for(struct dat_recording *r, size_t n_polls, int ms)
{
	struct loop *l = &r->run.loop;

	loop_watch_fds(l, r->polls, n_polls);
	loop_in(l, LOOP_OTHER, ms < 0 ? LOOP_NEVER : (uint64_t)ms * 1000000);
	return loop_next(l);
}

/* Fill r->polls[1..] with the connection, markers and the ports of rings not connected yet. Returns their number. */
static size_t fill_polls(struct dat_recording *r)
{
	size_t n = r->sender.missing ? r->recorder.rings.n : 0;

	r->polls[1] = (struct pollfd){ .fd = r->sender.fd, .events = POLLIN };
	r->polls[2] = (struct pollfd){ .fd = -1, .events = POLLIN };
	for (size_t i = 0; i < n; i++)
		r->polls[FIXED + i] = (struct pollfd){ .fd = sender_port(&r->sender, r->recorder.rings.v[i].file.cpu),
						       .events = POLLIN };
	return FIXED + n;
}

/* The host connects to the rings' ports while tracing is on already; a ring is drained from its connection on. */
static int take_rings(struct dat_recording *r, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; r->sender.missing && !ret && i < r->recorder.rings.n; i++) {
		uint32_t cpu = r->recorder.rings.v[i].file.cpu;
		int fd = sender_port(&r->sender, cpu) < 0 ? -EAGAIN : sender_take(&r->sender, cpu);

		if (fd >= 0)
			ret = recorder_connect(&r->recorder, i, fd, e);
	}
	return ret ? ret : sender_late(&r->sender, e);
}

/* Wait until the run ends, a reader fails, or the other side closes its connection. */
static void wait_for_end(struct dat_recording *r)
{
	while (r->run.loop.state == LOOP_RUNS) {
		int wait = markers_wait(&r->markers);
		size_t n = fill_polls(r);

		r->polls[2].fd = markers_fd(&r->markers);
		wait_for(r, n, sender_patience(&r->sender, wait));
		if (r->run.loop.state != LOOP_RUNS)
			break;
		if (wait >= 0 || r->polls[2].revents)
			markers_look(&r->markers);
		if (r->polls[1].revents && sender_heard(&r->sender, &r->stopped))
			break;
		if (recorder_failed(&r->recorder, &r->stopped) || take_rings(r, &r->stopped))
			break;
	}
}

/* The run has ended before the host connected to all rings: wait for it, as their data is not sent yet. */
static void await_rings(struct dat_recording *r)
{
	while (r->sender.missing && r->run.loop.state != LOOP_SIGNALLED && !r->stopped.code) {
		bool closed = r->sender.closed;

		if (wait_for(r, fill_polls(r), sender_patience(&r->sender, -1)) == LOOP_SIGNAL ||
		    (r->polls[1].revents && sender_heard(&r->sender, &r->stopped) && closed))
			break;
		if (!r->stopped.code)
			take_rings(r, &r->stopped);
	}
	if (r->sender.missing && !r->stopped.code)
		sender_lacks(&r->sender, ECANCELED, &r->stopped);
}

/* Wait for the other side's final message. */
static int await_other(struct dat_recording *r, int ms, struct err *e)
{
	int ret = 0;

	while (!ret) {
		fill_polls(r);

		enum loop_what what = wait_for(r, 2, ms);

		if (what == LOOP_TICK)
			ret = err_set(e, ETIMEDOUT, "the listener does not say that it has made the recording");
		else if (what == LOOP_SIGNAL)
			ret = err_set(e, EINTR, "whether the %s has made the recording is not known", r->sender.whom);
		else if (r->polls[1].revents)
			ret = sender_heard(&r->sender, e);
	}
	return MIN(ret, 0);
}

/*
 * Wait until the listener has written its file: if it cannot, this command fails. trace-cmd's listener sends nothing,
 * but closes the connection when it is done.
 */
static int await_listener(struct dat_recording *r, struct err *e)
{
	int ret = sender_close(&r->sender, e);

	return ret ? ret : await_other(r, LISTENER_MS, e);
}

/*
 * As an agent, close the connection last, after all settings are restored. If the run ends before the host asks for it,
 * the connection stays open until it does. Clocks are compared once more after the end.
 */
static int end_as_agent(struct dat_recording *r, struct err *e)
{
	int ret = 0;

	if (!r->sender.closed && r->run.loop.state != LOOP_SIGNALLED)
		ret = await_other(r, -1, e);
	clocksync_wait(&r->clocks, ret || r->run.loop.state == LOOP_SIGNALLED ? 0 : CLOCKS_MS);
	clocksync_deinit(&r->clocks);
	if (!ret)
		ret = run_restore(&r->run, e);
	return ret ? ret : sender_close(&r->sender, e);
}

static int finish_sending(struct dat_recording *r, struct err *e)
{
	if (!r->stopped.code)
		return r->want->asked ? end_as_agent(r, e) : await_listener(r, e);
	/* A broken connection of a ring has no reason; the listener may have sent one. */
	sender_heard(&r->sender, &r->stopped);
	return 0;
}

static int record(struct dat_recording *r, struct err *e)
{
	int ret = start(r, e), stopped;

	if (!ret)
		wait_for_end(r);
	if (!ret && r->want->over)
		r->want->over(r->want->arg);
	stopped = r->run.on ? run_stop(&r->run, ret ? NULL : e) : 0;
	if (ret || stopped)
		return ret ? ret : stopped;
	await_rings(r);
	markers_end(&r->markers);
	if (!r->want->latency)
		recorder_finish(&r->recorder, r->stopped.code ? NULL : &r->stopped);
	if (dat_recording_is_sent(r->want))
		return finish_sending(r, e);
	if (r->markers.found.n)
		add_markers(r);
	ret = describe_all(r, e);
	/* Restore settings first, as writing may take long; not with `latency`: its text is still in the kernel. */
	if (!ret && !r->want->latency)
		ret = run_restore(&r->run, e);
	return ret ? ret : dat_recording_write(r, e);
}

int dat_recording_run(struct dat_recording *r, const struct dat_recording_want *w, struct err *e)
{
	int ret;

	*r = (struct dat_recording){ .want = w, .markers.fd = -1 };
	run_init(&r->run, w->run.sys);
	sender_init(&r->sender, w->run.sys);
	ret = dat_recording_is_sent(w) ? 0 : datfile_check(w->run.sys, w->path, e);
	if (!ret)
		ret = run_begin(&r->run, &w->run, e);
	return ret ? ret : record(r, e);
}

void dat_recording_deinit(struct dat_recording *r)
{
	/* First, because an instance cannot be removed while a process reads it. */
	if (r->recorder.want)
		recorder_deinit(&r->recorder);
	clocksync_deinit(&r->clocks);
	if (r->sender.sys)
		sender_deinit(&r->sender);
	run_end(&r->run, NULL);
	meta_deinit(&r->meta);
	markers_deinit(&r->markers);
	free(r->polls);
	for (size_t i = 0; i < r->texts.n; i++)
		free(r->texts.v[i]);
	vec_free(&r->texts);
	vec_free(&r->options);
	vec_free(&r->buffers);
}
