#include "syscalls/calltable.h"

enum { FORMAT_MOST = 1 << 16 };

void calltable_deinit(struct calltable *c)
{
	arena_deinit(&c->arena);
}

/* The arguments are the fields behind the common ones and the system call's number. */
static void take_args(const struct calltable *c, struct call *to, const struct tfmt *f)
{
	to->known = true;
	for (uint32_t i = f->n_common; i < f->n_fields && to->n_args < CALLS_ARGS; i++) {
		const struct tfield *field = &f->fields[i];

		if (!strcmp(field->name, "__syscall_nr") || !strcmp(field->name, "nr"))
			continue;
		to->arg[to->n_args++] = (struct call_arg){
			.name = field->name, .type = value_type_of(c->arch, to->name, field->type, field->name),
		};
	}
}

/* Read the running kernel's format, even for a recording of another one: arguments have the same names there. */
static void read_format(struct calltable *c, struct call *to, const char *prefix)
{
	const char *tracefs = sys_tracefs(c->sys);
	struct tfmt f;
	char path[PATH_MAX], *text;
	size_t n;

	if (!tracefs)
		return;
	snprintf(path, sizeof(path), "%s/events/syscalls/sys_enter_%s%s/format", tracefs, prefix, to->name);
	if (sys_read_all(c->sys, path, FORMAT_MOST, &text, &n, NULL))
		return;
	/* The format's strings point into the text, so that must stay. */
	if (!tfmt_parse(&f, &c->arena, (struct sv){ arena_dup(&c->arena, text, n), n },
			(struct tmachine){ .long_size = 8 }, NULL))
		take_args(c, to, &f);
	free(text);
}

/* The arguments are not known: show all six, by number. */
static void number_args(struct call *to)
{
	static const char *const names[CALLS_ARGS] = { "arg0", "arg1", "arg2", "arg3", "arg4", "arg5" };

	to->n_args = CALLS_ARGS;
	for (unsigned i = 0; i < CALLS_ARGS; i++)
		to->arg[i] = (struct call_arg){ names[i], { VALUE_HEX, NULL } };
}

static const struct {
	const char *call;
	enum call_fds fds;
	const char *are;
} effects[] = {
	{ "open", CALL_FDS_OPENS, NULL }, { "openat", CALL_FDS_OPENS, NULL }, { "openat2", CALL_FDS_OPENS, NULL },
	{ "creat", CALL_FDS_OPENS, NULL }, { "socket", CALL_FDS_NEW, "socket:" }, { "accept", CALL_FDS_NEW, "socket:" },
	{ "accept4", CALL_FDS_NEW, "socket:" }, { "eventfd", CALL_FDS_NEW, "anon_inode:[eventfd]" },
	{ "eventfd2", CALL_FDS_NEW, "anon_inode:[eventfd]" }, { "signalfd", CALL_FDS_NEW, "anon_inode:[signalfd]" },
	{ "signalfd4", CALL_FDS_NEW, "anon_inode:[signalfd]" },
	{ "epoll_create", CALL_FDS_NEW, "anon_inode:[eventpoll]" },
	{ "epoll_create1", CALL_FDS_NEW, "anon_inode:[eventpoll]" },
	{ "timerfd_create", CALL_FDS_NEW, "anon_inode:[timerfd]" },
	{ "inotify_init", CALL_FDS_NEW, "anon_inode:inotify" }, { "inotify_init1", CALL_FDS_NEW, "anon_inode:inotify" },
	{ "perf_event_open", CALL_FDS_NEW, "anon_inode:[perf_event]" },
	{ "memfd_create", CALL_FDS_NEW, "/memfd:" }, { "pidfd_open", CALL_FDS_NEW, "" },
	{ "userfaultfd", CALL_FDS_NEW, "anon_inode:[userfaultfd]" }, { "io_uring_setup", CALL_FDS_NEW, "" },
	{ "fanotify_init", CALL_FDS_NEW, "" }, { "mq_open", CALL_FDS_NEW, "" }, { "open_tree", CALL_FDS_NEW, "" },
	{ "fsopen", CALL_FDS_NEW, "" }, { "fsmount", CALL_FDS_NEW, "" }, { "fspick", CALL_FDS_NEW, "" },
	{ "bpf", CALL_FDS_NEW, "" }, { "pidfd_getfd", CALL_FDS_NEW, "" }, { "open_by_handle_at", CALL_FDS_NEW, "" },
	{ "memfd_secret", CALL_FDS_NEW, "" }, { "landlock_create_ruleset", CALL_FDS_NEW, "" },
	{ "pipe", CALL_FDS_PAIR, "pipe:" }, { "pipe2", CALL_FDS_PAIR, "pipe:" },
	{ "socketpair", CALL_FDS_PAIR, "socket:" }, { "dup", CALL_FDS_COPIES, NULL }, { "dup2", CALL_FDS_COPIES, NULL },
	{ "dup3", CALL_FDS_COPIES, NULL }, { "fcntl", CALL_FDS_FCNTL, NULL }, { "close", CALL_FDS_CLOSES, NULL },
	{ "close_range", CALL_FDS_RANGE, NULL }, { "fork", CALL_FDS_FORKS, NULL }, { "vfork", CALL_FDS_FORKS, NULL },
	{ "clone", CALL_FDS_FORKS, NULL }, { "clone3", CALL_FDS_FORKS, NULL }, { "execve", CALL_FDS_EXECS, NULL },
	{ "execveat", CALL_FDS_EXECS, NULL },
};

static void take_effect(struct call *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++)
		if (!strcmp(effects[i].call, to->name)) {
			to->fds = effects[i].fds;
			to->fds_are = effects[i].are;
		}
}

bool calltable_changes_fds(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++)
		if (!strcmp(effects[i].call, name))
			return true;
	return false;
}

static bool fill(struct calltable *c, struct call *to, uint64_t nr)
{
	const char *name = arch_syscall_name(c->arch, nr);
	const struct tevent *ev;
	char event[80];

	snprintf(event, sizeof(event), "nr_%lld", (long long)nr);
	to->name = name ? name : arena_dup(&c->arena, event, strlen(event));
	if (!to->name)
		return false;
	snprintf(event, sizeof(event), "sys_enter_%s", to->name);
	ev = tevents_by_name(c->events, SV("syscalls"), sv_from(event));
	if (ev)
		take_args(c, to, &ev->fmt);
	else if (name)
		read_format(c, to, "");
	/* The kernel's function and tracepoint for fstat is sys_newfstat; likewise for stat, lstat and uname. */
	if (!to->known && name)
		read_format(c, to, "new");
	if (!to->known)
		number_args(to);
	to->result = value_result_of(to->name);
	for (unsigned end = 0; end < 2; end++)
		to->n_points[end] = pointees_of(to->name, end, to->points[end]);
	take_effect(to);
	to->never_returns = !strcmp(to->name, "exit_group") || !strcmp(to->name, "exit");
	return true;
}

unsigned calltable_used(const struct call *c, const uint64_t arg[CALLS_ARGS])
{
	enum { WAIT = 0, WAKE = 1, OP = 127, CREAT = 0100, TMPFILE = 020000000 };

	if (!strcmp(c->name, "futex"))
		return (arg[1] & OP) == WAIT ? 4 : (arg[1] & OP) == WAKE ? 3 : c->n_args;
	/* The mode is used only if a file may be created. */
	if (!strcmp(c->name, "openat"))
		return arg[2] & (CREAT | TMPFILE) ? c->n_args : 3;
	if (!strcmp(c->name, "open"))
		return arg[1] & (CREAT | TMPFILE) ? c->n_args : 2;
	return c->n_args;
}

const struct call *calltable_get(struct calltable *c, uint64_t nr)
{
	struct call **at = nr < CALLS_MOST ? &c->of[nr] : NULL;

	if (!at) {
		c->other = (struct call){ .name = "unknown" };
		number_args(&c->other);
		return &c->other;
	}
	if (*at)
		return *at;
	*at = arena_alloc(&c->arena, sizeof(**at));
	if (!*at)
		return NULL;
	**at = (struct call){ 0 };
	if (!fill(c, *at, nr))
		*at = NULL;
	return *at;
}
