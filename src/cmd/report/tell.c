/* tell.c - keys that need something in the recording: call chains for callers, switches for numbers of tasks. */
#include "cmd/report/want.h"

#include "perf/attr.h"

bool report_has_chains(const struct session *s)
{
	for (size_t i = 0; i < s->head->events.n; i++)
		if (s->head->events.v[i].attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

int report_tell_parent(const struct report_parent_want *w, const struct session *s, struct arena *a,
		       struct profile_parent *to, struct profile_want *pw, struct err *e)
{
	const char *pattern = w->pattern ? w->pattern : "^sys_|^do_page_fault";

	if (!(pw->keys & HIST_PARENT))
		return !w->alone ? 0 :
		       err_set(e, EINVAL, "--exclude-other is about the key parent: -p or -s parent asks for it");
	if (!report_has_chains(s)) {
		err_set(e, EINVAL, "the key parent is a caller, and the recording has no call chains");
		return err_hint(e, "'sonde record -g' records them");
	}
	to->alone = w->alone;
	pw->parent = to;
	return rex_init_extended(&to->names, a, sv_from(pattern), e);
}

int report_tell_running(const struct report_cols *cols, const struct session *s, struct profile_want *pw, struct err *e)
{
	bool asked = pw->keys & HIST_PARALLELISM, told = false;

	for (size_t i = 0; i < cols->n; i++)
		asked |= cols->v[i] == COL_LATENCY;
	for (size_t i = 0; i < s->head->events.n; i++)
		told |= s->head->events.v[i].attr.flags & PERF_ATTR_CONTEXT_SWITCH;
	if (asked && !told) {
		err_set(e, EINVAL,
			"how many tasks ran at a time is told by context switches, which the recording has not");
		return err_hint(e, "'sonde record --switch-events' records them");
	}
	pw->keys |= asked ? HIST_PARALLELISM : 0;
	return 0;
}
