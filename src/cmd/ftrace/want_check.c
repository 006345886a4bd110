/* want_check.c - which of trace-cmd's options go with which verb, and with each other. */
#include "cmd/ftrace/want.h"

struct rule {
	const char *option;
	bool is_set;
	unsigned verbs;          /* enum want_verb: where it has an effect */
	const char *why, *instead;
};

static int by_verb(const struct want *w, enum want_verb verb, struct err *e)
{
	enum {
		RECORD = WANT_RECORD, PROFILE = WANT_PROFILE, START = WANT_START, SET = WANT_SET,
		LIVE = WANT_RECORD | WANT_PROFILE | WANT_STREAM,
	};
	static const char file[] = "record does, and extract afterwards", readers[] = "record has some";
	static const char pairs[] = "profile shows them, and report --profile what record has kept";
	const struct rule rules[] = {
		{ "-N", w->file.host, RECORD, "only record sends what it traces", "" },
		{ "-A", w->guest.n, RECORD, "only record has guests record", "" },
		{ "--daemonize", w->work.daemonize, RECORD, "only record goes to the background", "" },
		{ "--proc-map", w->file.proc_map, RECORD, "only record keeps it", "" },
		{ "-o", w->file.output, RECORD | PROFILE, "this writes no file", file },
		{ "-m", w->file.max_kb, RECORD, "this keeps no recording", file },
		{ "-a", w->all_formats, RECORD, "this keeps no recording", file },
		{ "--date", w->file.date, RECORD, "this keeps no recording", file },
		{ "--compression", w->file.compression, RECORD, "this keeps no recording", file },
		{ "--file-version", w->file.file_version, RECORD, "this keeps no recording", file },
		{ "--temp", w->file.temp, RECORD, "this keeps no recording", file },
		{ "--ts-offset", w->file.ts_offset, RECORD, "this keeps no recording", file },
		{ "-s", w->interval_us, RECORD, "this has no readers of its own", readers },
		{ "-r", w->priority, RECORD, "this has no readers of its own", readers },
		{ "--poll", w->poll, RECORD, "this has no readers of its own", readers },
		{ "--fork", w->work.fork, START | SET, "this ends with its command", "start leaves it behind" },
		{ "--profile", w->prof.on, LIVE | START, "this starts no tracing", "start --profile does" },
		{ "-H", w->prof.hooks.n, RECORD | PROFILE, "this makes no pairs of events", pairs },
		{ "-G", w->prof.irqs_global, PROFILE, "this adds no times up", pairs },
		{ "--by-comm", w->prof.by_comm, PROFILE, "this adds no times up", pairs },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!rules[i].is_set || rules[i].verbs & verb)
			continue;
		err_set(e, EINVAL, "%s: %s", rules[i].option, rules[i].why);
		return *rules[i].instead ? err_hint(e, "%s", rules[i].instead) : -EINVAL;
	}
	return 0;
}

static int by_company(const struct want *w, bool has_command, struct err *e)
{
	bool pids = w->work.only_command;

	for (size_t i = 0; i < w->plans.n; i++)
		pids |= w->plans.v[i].pids.n || w->plans.v[i].not_pids.n;
	if (w->work.only_command && !has_command)
		return err_set(e, EINVAL, "-F needs a command");
	if (w->work.user && !has_command)
		return err_set(e, EINVAL, "--user needs a command");
	if (w->work.follow && !pids)
		return err_set(e, EINVAL, "-c goes with -F, -P or --notrace-pid");
	if (w->file.tcp && !w->file.host)
		return err_set(e, EINVAL, "-t goes with -N");
	if (w->file.host && w->file.output) {
		err_set(e, EINVAL, "-o: the listener of -N writes the file");
		return err_hint(e, "listen -o names it");
	}
	if (w->guest.has_tsync && !w->guest.n)
		return err_set(e, EINVAL, "--tsync-interval goes with -A");
	if (w->file.host && w->guest.n)
		return err_set(e, EINVAL, "-A has its recordings made here, and -N sends them elsewhere");
	if (w->prof.only_given && !w->prof.on)
		return err_set(e, EINVAL, "-S goes with --profile");
	return 0;
}

int want_check(const struct want *w, enum want_verb verb, bool has_command, struct err *e)
{
	int r = by_verb(w, verb, e);

	return r ? r : by_company(w, has_command, e);
}
