/* synth.c - make COMM, FORK, MMAP and MMAP2 records from /proc. */
#include "record/synth.h"

#include "abi/perf_event.h"
#include "image/kallsyms_text.h"
#include "sym/maps.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Does the process see the file with this inode number under exactly this name? */
static bool is_file(const struct sys *sys, int pid, const char *name, uint64_t ino)
{
	char path[PATH_MAX + 32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, name);
	return !sys->stat(sys, path, &st) && st.st_ino == ino;
}

/*
 * In /proc/PID/maps the kernel writes a line feed in a name as \012, but unchanged in its records. (A backslash is not
 * escaped: whether a name really has these four characters can only be told by the file.)
 */
static void unescape(char *name)
{
	char *to = name;

	for (const char *p = name; *p; ) {
		bool feed = !strncmp(p, "\\012", 4);

		*to++ = feed ? '\n' : *p;
		p += feed ? 4 : 1;
	}
	*to = '\0';
}

struct map_reader {
	struct synth *s;
	int pid;
	char name[PATH_MAX];
};

static void put_map_line(struct map_reader *r, struct sv line)
{
	enum { SHARED = 1, PRIVATE = 2 };   /* MAP_SHARED, MAP_PRIVATE */
	struct maps_line l;

	if (!maps_parse_line(line, &l) || !(l.prot & MAPS_EXEC))
		return;
	str_copy(r->name, sizeof(r->name), l.name.n ? l.name : SV("//anon"));

	struct perf_write_map m = {
		.pid = (uint32_t)r->pid, .tid = (uint32_t)r->pid, .misc = PERF_MISC_USER, .name = r->name,
		.addr = l.start, .len = l.end - l.start, .pgoff = l.pgoff, .maj = l.major, .min = l.minor,
		.ino = l.inode, .prot = l.prot, .flags = l.shared ? SHARED : PRIVATE,
	};

	if (strstr(r->name, "\\012") && !is_file(r->s->sys, r->pid, r->name, m.ino))
		unescape(r->name);
	perf_write_mmap2(r->s->out, &r->s->id, &m);
	if (r->name[0] == '/' && r->name[1] != '/')
		dsos_add(r->s->dsos, sv_from(r->name), r->pid, m.ino);
	r->s->maps++;
}

/* Call `line` for each whole line of fd; lines longer than the buffer are cut. */
static void each_line(const struct sys *sys, int fd, void (*line)(void *arg, struct sv text), void *arg)
{
	char buf[16384];
	size_t have = 0;
	ssize_t n;

	while ((n = sys->read(sys, fd, buf + have, sizeof(buf) - have)) > 0) {
		size_t from = 0;
		char *nl;

		have += (size_t)n;
		while ((nl = memchr(buf + from, '\n', have - from))) {
			line(arg, (struct sv){ buf + from, (size_t)(nl - buf) - from });
			from = (size_t)(nl - buf) + 1;
		}
		if (!from && have == sizeof(buf))
			from = have;
		memmove(buf, buf + from, have - from);
		have -= from;
	}
}

static void map_line(void *arg, struct sv text)
{
	put_map_line(arg, text);
}

static void put_maps(struct synth *s, int pid)
{
	struct map_reader r = { .s = s, .pid = pid };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);

	int fd = s->sys->open(s->sys, path, O_RDONLY, 0);

	if (fd < 0)
		return;
	each_line(s->sys, fd, map_line, &r);
	s->sys->close(s->sys, fd);
}

/* The number behind "\nKey:\t" in /proc/PID/status. */
static bool status_number(const char *text, const char *key, uint64_t *v)
{
	const char *at = strstr(text, key);
	struct sv rest, word;

	if (!at)
		return false;
	rest = sv_from(at + strlen(key));
	sv_cut(&rest, '\n', &word);
	return str_u64(sv_trim(word), 10, v);
}

struct thread_reader {
	struct synth *s;
	int pid;
};

static int put_thread(void *arg, const char *name)
{
	struct thread_reader *t = arg;
	char comm[64], path[64];
	uint64_t tid;
	ssize_t n;

	if (!str_u64(sv_from(name), 10, &tid))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%.20s/comm", t->pid, name);
	n = sys_read_text(t->s->sys, path, comm, sizeof(comm));
	if (n <= 0)
		return 0;
	/* Remove the newline only: a name may be empty or end with blanks. */
	if (comm[n - 1] == '\n')
		comm[n - 1] = '\0';
	if ((int)tid != t->pid) {
		struct perf_write_task task = {
			.pid = (uint32_t)t->pid,
			.ppid = (uint32_t)t->pid,
			.tid = (uint32_t)tid,
			.ptid = (uint32_t)t->pid,
		};

		perf_write_fork(t->s->out, &t->s->id, &task);
	}
	perf_write_comm(t->s->out, &t->s->id, (uint32_t)t->pid, (uint32_t)tid, comm);
	t->s->tasks++;
	return 0;
}

/* The leader first: its COMM and maps belong to the process, threads inherit them. */
int synth_process(struct synth *s, int pid)
{
	char text[2048], path[64];
	uint64_t ppid = 0, tgid = (uint64_t)pid;

	if (sys_read_line(s->sys, text, sizeof(text), "/proc/%d/status", pid) <= 0)
		return 0;
	status_number(text, "\nTgid:\t", &tgid);
	status_number(text, "\nPPid:\t", &ppid);

	struct thread_reader t = { .s = s, .pid = (int)tgid };
	struct perf_write_task task = {
		.pid = (uint32_t)tgid, .ppid = (uint32_t)ppid, .tid = (uint32_t)tgid, .ptid = (uint32_t)ppid,
	};

	perf_write_fork(s->out, &s->id, &task);
	snprintf(path, sizeof(path), "%d", (int)tgid);
	put_thread(&t, path);
	put_maps(s, (int)tgid);
	snprintf(path, sizeof(path), "/proc/%d/task", (int)tgid);

	struct sys_list l;

	if (sys_list_dir(s->sys, path, &l))
		return 0;
	for (size_t i = 0; i < l.n; i++) {
		uint64_t tid;

		if (str_u64(sv_from(l.v[i]), 10, &tid) && tid != tgid)
			put_thread(&t, l.v[i]);
	}
	sys_list_free(&l);
	return s->out->error;
}

/* The pid of a thread; 0: it has just ended. */
static uint64_t process_of(const struct sys *sys, int tid)
{
	char text[2048];
	uint64_t tgid = 0;

	if (sys_read_line(sys, text, sizeof(text), "/proc/%d/status", tid) > 0)
		status_number(text, "\nTgid:\t", &tgid);
	return tgid;
}

int synth_tasks(struct synth *s, const int *tids, size_t n, struct err *e)
{
	struct map done = { 0 };
	int r = 0;

	for (size_t i = 0; !r && i < n; i++) {
		uint64_t pid = process_of(s->sys, tids[i]);
		bool is_new = false;

		if (!pid)
			continue;
		if (!map_add(&done, pid, &is_new))
			r = err_nomem(e);
		else if (is_new)
			r = synth_process(s, (int)pid);
	}
	map_deinit(&done);
	return r;
}

int synth_all(struct synth *s, struct err *e)
{
	struct sys_list l;
	int r = sys_list_dir(s->sys, "/proc", &l);

	if (r)
		return err_set(e, -r, "cannot read /proc: %s", err_name(-r));
	for (size_t i = 0; i < l.n; i++) {
		uint64_t pid;

		if (str_u64(sv_from(l.v[i]), 10, &pid) && pid)
			synth_process(s, (int)pid);
	}
	sys_list_free(&l);
	return s->out->error;
}

/* Addresses of the symbols at the bounds of the kernel's text. */
struct kernel_text {
	uint64_t text, stext, etext;
	bool hidden, start, done;     /* start: the start is enough */
};

static void kernel_line(struct kernel_text *k, const struct kallsyms_line *l)
{
	if (!l->addr && !k->text && sv_eq(l->name, "_text"))
		k->hidden = true;
	else if (sv_eq(l->name, "_text"))
		k->text = l->addr;
	else if (sv_eq(l->name, "_stext"))
		k->stext = l->addr;
	else if (sv_eq(l->name, "_etext"))
		k->etext = l->addr;
	k->done = (k->text || k->stext) && (k->etext || k->start);
}

static int find_kernel(const struct sys *sys, struct kernel_text *k)
{
	char buf[65536];
	size_t have = 0;
	ssize_t n;
	int fd = sys->open(sys, "/proc/kallsyms", O_RDONLY, 0);

	if (fd < 0)
		return fd;
	/* Stops at _etext: the rest of 200,000 lines is not needed. */
	while (!k->done && !k->hidden && (n = sys->read(sys, fd, buf + have, sizeof(buf) - have)) > 0) {
		struct sv rest = { buf, have + (size_t)n };
		struct kallsyms_line line;
		const char *last = memrchr(buf, '\n', rest.n);
		size_t whole = last ? (size_t)(last - buf) : 0, left = rest.n - whole;

		rest.n = whole;
		while (whole && kallsyms_next(&rest, &line))
			kernel_line(k, &line);
		if (!last || left > sizeof(buf) / 2)
			break;
		memmove(buf, buf + whole + 1, left - 1);
		have = left - 1;
	}
	sys->close(sys, fd);
	return 0;
}

/* "name size refcount deps state address" (proc(5) modules); all-zero addresses are hidden. */
static void module_line(void *arg, struct sv line)
{
	struct synth *s = arg;
	struct sv name, size, word, addr = { 0 };
	char quoted[128];
	uint64_t len, start;

	if (!sv_cut(&line, ' ', &name) || !sv_cut(&line, ' ', &size) || !str_u64(size, 10, &len))
		return;
	while (sv_cut(&line, ' ', &word))
		if (word.n > 2 && word.s[0] == '0' && word.s[1] == 'x')
			addr = word;
	if (!addr.s || !str_u64(addr, 16, &start) || !start)
		return;
	snprintf(quoted, sizeof(quoted), "[%.*s]", (int)MIN(name.n, 100u), name.s);
	dsos_add(s->dsos, sv_from(quoted), 0, 0);
	perf_write_mmap(s->out, &s->id, &(struct perf_write_map){
		.pid = UINT32_MAX, .misc = PERF_MISC_KERNEL, .addr = start, .len = len, .name = quoted });
	s->maps++;
}

void synth_kernel_text(struct synth *s)
{
	struct kernel_text k = { .start = s->kernel_start };
	int ret = find_kernel(s->sys, &k);

	s->kernel_hidden = ret < 0 || k.hidden || !(k.text || k.stext);
	if (s->kernel_hidden)
		return;

	uint64_t start = k.text ? k.text : k.stext;

	perf_write_mmap(s->out, &s->id, &(struct perf_write_map){
		.pid = UINT32_MAX, .misc = PERF_MISC_KERNEL, .addr = start,
		.len = k.etext > start ? k.etext - start : UINT64_MAX - start, .pgoff = start,
		.name = k.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext" });
}

int synth_kernel(struct synth *s)
{
	synth_kernel_text(s);
	if (s->kernel_hidden)
		return 0;

	int fd = s->sys->open(s->sys, "/proc/modules", O_RDONLY, 0);

	if (fd >= 0) {
		each_line(s->sys, fd, module_line, s);
		s->sys->close(s->sys, fd);
	}
	return s->out->error;
}
