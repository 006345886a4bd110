/* report/tasklist: who began whom, and what is mapped in the end. */
#include "t.h"

#include "report/tasklist.h"

static void take(struct tasklist *l, const struct side *d)
{
	struct session_item item = { .side = *d };

	CHECK_EQ(tasklist_take(l, &item), 0);
}

static void forked(struct tasklist *l, uint32_t parent, uint32_t pid)
{
	take(l, &(struct side){ .type = PERF_REC_FORK, .pid = pid, .tid = pid, .task = { parent, parent, false } });
}

static void named(struct tasklist *l, uint32_t pid, const char *name, bool exec)
{
	take(l, &(struct side){ .type = PERF_REC_COMM, .pid = pid, .tid = pid, .comm = { name, exec } });
}

static void mapped(struct tasklist *l, uint32_t pid, uint64_t start, const char *name)
{
	take(l, &(struct side){ .type = PERF_REC_MMAP2, .pid = pid, .tid = pid,
				.map = { .start = start, .len = 0x1000, .prot = 5, .ino = 9, .name = name } });
}

/* "1(2(3))": tasks below their parents. */
static void tree(const struct tasklist *l, uint32_t first, char *to, size_t size)
{
	for (uint32_t i = first; i; i = l->v.v[i].next) {
		size_t n = strlen(to);

		snprintf(to + n, size - n, "%s%u(", i == first ? "" : " ", l->v.v[i].tid);
		tree(l, l->v.v[i].child, to, size);
		n = strlen(to);
		snprintf(to + n, size - n, ")");
	}
}

static const char *linked(struct tasklist *l)
{
	static char text[200];

	text[0] = '\0';
	CHECK_EQ(tasklist_link(l), 0);
	tree(l, l->v.v[0].child, text, sizeof(text));
	return text;
}

static const char *name_of(const struct tasklist *l, uint32_t tid)
{
	uint32_t name = l->v.v[*map_get(&l->by_tid, tid)].name;

	return name == NAMES_NONE ? "-" : names_str(&l->names, name);
}

TEST(tasks_are_below_those_that_began_them)
{
	struct tasklist l = { 0 };
	struct perf_event ev = { 0 };
	struct session_item sample = { .event = &ev, .sample = { .pid = 50, .tid = 51 } };
	struct session_item over = { .event = &ev, .sample = { .pid = UINT32_MAX, .tid = UINT32_MAX } };

	named(&l, 10, "sh", false);
	forked(&l, 10, 30);
	forked(&l, 10, 20);
	forked(&l, 20, 40);
	named(&l, 20, "make", true);
	CHECK_EQ(tasklist_take(&l, &sample), 0);
	CHECK_EQ(tasklist_take(&l, &over), 0);
	CHECK_STR(linked(&l), "10(20(40()) 30()) 51()");
	CHECK_STR(name_of(&l, 30), "sh");
	CHECK_STR(name_of(&l, 20), "make");
	CHECK_STR(name_of(&l, 51), "-");
	tasklist_deinit(&l);
}

/* A number is given again when its task is over; who began it may be above it by then, or itself. */
TEST(tasks_of_a_circle_stand_for_themselves)
{
	struct tasklist l = { 0 };

	forked(&l, 10, 20);
	forked(&l, 20, 30);
	forked(&l, 30, 10);
	forked(&l, 40, 40);
	CHECK_STR(linked(&l), "10(20(30())) 40()");
	tasklist_deinit(&l);
	l = (struct tasklist){ 0 };
	CHECK_EQ(tasklist_link(&l), 0);
	tasklist_deinit(&l);
}

TEST(tasks_have_their_parents_maps_until_they_exec)
{
	struct tasklist l = { .with_maps = true };
	const struct maps_range *r;

	mapped(&l, 10, 0x4000, "/bin/sh");
	forked(&l, 10, 20);
	forked(&l, 10, 30);
	named(&l, 20, "ls", true);
	mapped(&l, 20, 0x8000, "/bin/ls");
	mapped(&l, 20, 0x6000, "/lib/libc");
	r = maps_behind(tasks_maps(&l.spaces, 30), 0);
	CHECK_EQ(r->start, 0x4000);
	CHECK(!maps_behind(tasks_maps(&l.spaces, 30), r->end));
	r = maps_behind(tasks_maps(&l.spaces, 20), 0);
	CHECK_EQ(r->start, 0x6000);
	CHECK_STR(names_str(&l.names, l.files.v[r->dso].name), "/lib/libc");
	CHECK_EQ(l.files.v[r->dso].ino, 9);
	r = maps_behind(tasks_maps(&l.spaces, 20), r->end);
	CHECK_EQ(r->start, 0x8000);
	CHECK(!maps_behind(tasks_maps(&l.spaces, 20), 0x9000));
	CHECK(!maps_behind(NULL, 0));
	tasklist_deinit(&l);
}
