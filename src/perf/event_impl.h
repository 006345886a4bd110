/* event_impl.h - shared by the files of the event grammar (event*.c) only. */
#ifndef PERF_EVENT_IMPL_H
#define PERF_EVENT_IMPL_H

#include "perf/event.h"

struct event_parser {
	struct event_list *l;
	const struct event_env *env;
	struct err *e;
	const char *text;       /* the whole -e argument, NUL-terminated */
	size_t n, pos;
	unsigned alternative;   /* number of the event that is being added, see struct event */
	struct sv typed;        /* text of that event; errors inside of an alias' text point here */
	enum { NEAR_SEARCH, NEAR_SKIP } near; /* skip "did you mean": other PMUs are tried next, and a search is slow */
};

/* One event, cut at its punctuation: head[:second[:third]][/terms/][:][mods]. An absent part has .s NULL. */
struct event_spec {
	struct sv all, head, second, third, terms, mods;
};

/* event_scan.c */
int event_fail(struct event_parser *p, int code, const char *at, const char *fmt, ...) PRINTF(4, 5);
int event_scan(struct event_parser *p, struct event_spec *s);
void event_skip_space(struct event_parser *p);

/* event_names.c: hardware, software, cache and raw (rHEX) events */
/* EVENT_COUNTED: not the name of a tool event. */
enum event_tool event_tool_find(struct sv name);

bool event_name_find(struct sv text, uint32_t *type, uint64_t *config);

/* event_mods.c: _own for the event's own modifiers, _apply for those of its group, which are added */
bool event_mods_valid(struct sv mods);
int event_mods_own(struct event_parser *p, struct event *ev, struct sv mods);
int event_mods_apply(struct event_parser *p, struct event *ev, struct sv mods);

/* event_terms.c. -ENOENT with the error set when the PMU does not know a name among the terms. */
int event_terms_apply(struct event_parser *p, struct event *ev, struct sv terms);
int event_alias_apply(struct event_parser *p, struct event *ev, struct sv name);
int event_generic_set(struct event_parser *p, struct event *ev, uint32_t type, uint64_t config);

/* event_group.c: the events from `first` on are one group with modifiers `mods` */
int event_group_close(struct event_parser *p, size_t first, struct sv mods, const char *at);

/* event_near.c: errors for unknown names, with suggestions. All return the error's code. */
int event_unknown(struct event_parser *p, struct sv name);
int event_unknown_pmu(struct event_parser *p, struct sv name);
int event_unknown_term(struct event_parser *p, const struct pmu *pmu, struct sv name);

/* event.c */
const char *event_text(struct event_parser *p, const char *fmt, ...) PRINTF(2, 3);

#endif
