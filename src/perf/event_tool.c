/* event_tool.c - perf's tool events: times of the run that need no kernel counter. */
#include "perf/event_impl.h"

static const char *const names[EVENT_TOOLS] = {
	[EVENT_DURATION_TIME] = "duration_time",
	[EVENT_USER_TIME] = "user_time",
	[EVENT_SYSTEM_TIME] = "system_time",
};

enum event_tool event_tool_find(struct sv name)
{
	for (enum event_tool t = EVENT_COUNTED + 1; t < EVENT_TOOLS; t++)
		if (sv_eq(name, names[t]))
			return t;
	return EVENT_COUNTED;
}

const char *event_tool_name(size_t i)
{
	return i + 1 < EVENT_TOOLS ? names[i + 1] : NULL;
}
