/* event_env.h - machines for the tests of the event grammar. */
#ifndef TESTS_EVENT_ENV_H
#define TESTS_EVENT_ENV_H

#include "t.h"

#include "live/event_env.h"
#include "perf/attr.h"

struct machine {
	struct sys sys;
	struct event_env *env;
	struct event_list list;
	struct err err;
	struct mem_out text;
	char root[300];
	int result;
};

/* A copied tree below tests/data/sys, with arm64's tables. */
static inline void machine_init(struct machine *m, const char *tree)
{
	const char *tests = getenv("TESTS_DIR");

	memset(m, 0, sizeof(*m));
	snprintf(m->root, sizeof(m->root), "%s/data/sys/%s", tests ? tests : "tests", tree);
	m->sys = sys_with_root(m->root);
	m->env = event_env_new(&m->sys);
	m->env->arch = &arch_aarch64;
	mem_out_init(&m->text);
}

static inline void machine_deinit(struct machine *m)
{
	event_list_deinit(&m->list);
	event_env_free(m->env);
	mem_out_deinit(&m->text);
}

/* Parse one text into an empty list; the text lies against an unmapped page. */
static inline int machine_parse(struct machine *m, const char *text)
{
	event_list_deinit(&m->list);
	m->list = (struct event_list){ 0 };
	m->result = event_parse(&m->list, guard_dup(text, strlen(text) + 1), m->env, &m->err);
	return m->result;
}

/* "name leader type config; ..." of all events, or the error. */
static inline const char *machine_short(struct machine *m, const char *text)
{
	struct out *o = &m->text.out;

	mem_out_deinit(&m->text);
	mem_out_init(&m->text);
	if (machine_parse(m, text))
		out_str(o, m->err.text);
	for (size_t i = 0; i < m->list.v.n; i++) {
		const struct event *ev = &m->list.v.v[i];

		out_printf(o, "%s%s %d %u:%#llx", i ? "; " : "", ev->name, ev->leader, ev->attr.type,
			   (unsigned long long)ev->attr.config);
	}
	return mem_out_str(&m->text);
}

#endif
