/*
 * event_mods.c - the letters after an event.
 *   u k h   count in these modes only        G H   only in guests, only outside
 *   I       not while idle                   p P   precise, up to three; as precise as possible
 *   D e     pinned, exclusive                S W   sample on the leader only; break up a group that does not fit
 * exclude_guest is the default, and u and p keep it, but any other letter of an event clears it: as perf does, up to
 * 6.12.
 */
#include "perf/event_impl.h"

#define USER_KERNEL_HV (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV)
#define GUEST_HOST     (PERF_ATTR_EXCLUDE_GUEST | PERF_ATTR_EXCLUDE_HOST)

static const char letters[] = "ukhGHIpPDeSW";

bool event_mods_valid(struct sv mods)
{
	for (size_t i = 0; i < mods.n; i++) {
		if (!memchr(letters, mods.s[i], sizeof(letters) - 1))
			return false;
	}
	return true;
}

/* The first letter of a kind excludes all modes of that kind; then each letter includes its own mode again. */
static void only(struct event *ev, unsigned set, uint64_t all, uint64_t mine)
{
	if (!(ev->set & set))
		ev->attr.flags |= all;
	ev->attr.flags &= ~mine;
	ev->set |= set;
}

static void letter(struct event *ev, char c)
{
	switch (c) {
	case 'u': only(ev, EVENT_SET_USER_KERNEL, USER_KERNEL_HV, PERF_ATTR_EXCLUDE_USER); break;
	case 'k': only(ev, EVENT_SET_USER_KERNEL, USER_KERNEL_HV, PERF_ATTR_EXCLUDE_KERNEL); break;
	case 'h': only(ev, EVENT_SET_USER_KERNEL, USER_KERNEL_HV, PERF_ATTR_EXCLUDE_HV); break;
	case 'G': only(ev, EVENT_SET_GUEST_HOST, GUEST_HOST, PERF_ATTR_EXCLUDE_GUEST); break;
	case 'H': only(ev, EVENT_SET_GUEST_HOST, GUEST_HOST, PERF_ATTR_EXCLUDE_HOST); break;
	case 'I': ev->attr.flags |= PERF_ATTR_EXCLUDE_IDLE; break;
	case 'D': ev->attr.flags |= PERF_ATTR_PINNED; break;
	case 'e': ev->attr.flags |= PERF_ATTR_EXCLUSIVE; break;
	case 'S': ev->set |= EVENT_LEADER_SAMPLING; break;
	case 'W': ev->set |= EVENT_WEAK_GROUP; break;
	case 'P': ev->set |= EVENT_PRECISE_MAX; break;
	}
	if ((c == 'u' || c == 'p') && !(ev->set & EVENT_SET_GUEST_HOST))
		ev->attr.flags |= PERF_ATTR_EXCLUDE_GUEST;
}

int event_mods_own(struct event_parser *p, struct event *ev, struct sv mods)
{
	if (mods.n)
		ev->attr.flags &= ~PERF_ATTR_EXCLUDE_GUEST;
	return event_mods_apply(p, ev, mods);
}

int event_mods_apply(struct event_parser *p, struct event *ev, struct sv mods)
{
	uint64_t precise = 0;

	for (size_t i = 0; i < mods.n; i++) {
		char c = mods.s[i];

		if (!memchr(letters, c, sizeof(letters) - 1))
			return event_fail(p, EINVAL, mods.s + i, "'%c' is not a modifier; there are: %s", c, letters);
		if (c == 'p')
			precise++;
		else if (memchr(mods.s, c, i))
			return event_fail(p, EINVAL, mods.s + i, "the modifier '%c' is given twice", c);
		if (precise > 3)
			return event_fail(p, EINVAL, mods.s + i, "p is given more than three times");
		letter(ev, c);
	}
	if (precise) {
		ev->attr.flags &= ~PERF_ATTR_PRECISE_MASK;
		ev->attr.flags |= precise << PERF_ATTR_PRECISE_SHIFT;
		ev->set |= EVENT_SET_PRECISE;
	}
	return 0;
}
