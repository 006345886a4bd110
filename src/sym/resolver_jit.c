/* resolver_jit.c - processes with a jit-PID.dump, which they map so that an MMAP record has its path. */
#include "sym/jitcode.h"
#include "sym/resolver_parts.h"

static const struct build_id no_id;

static struct resolver_jit *jit_of(const struct resolver *r, uint32_t pid)
{
	const uint64_t *at = r->jits.n ? map_get(&r->jit_of, pid) : NULL;

	return at ? &r->jits.v[*at] : NULL;
}

/* The dso of a process's JIT code, named as perf names it. */
static int dso_of_maker(struct resolver *r, uint32_t pid, uint64_t dump_ino)
{
	char name[32];

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)pid);
	return resolver_dso(r, DSO_JIT, name, &no_id, dump_ino);
}

int resolver_jit_dso(struct resolver *r, uint32_t pid)
{
	const struct resolver_jit *j = jit_of(r, pid);

	return j ? (int)j->dso : dso_of_maker(r, pid, 0);
}

bool resolver_is_jit(const struct resolver *r, uint32_t pid, const char *name)
{
	return !strcmp(name, "//anon") || !strncmp(name, "/dev/zero", 9) || !strncmp(name, "/anon_hugepage", 14) ||
	       !strncmp(name, "[anon:", 6) || (!strncmp(name, "/memfd:", 7) && jit_of(r, pid));
}

static int set_jit(struct resolver *r, uint32_t pid, uint32_t dso)
{
	uint64_t *at = map_add(&r->jit_of, pid, NULL);
	struct resolver_jit *new = at ? vec_add(&r->jits) : NULL;

	if (!new)
		return -ENOMEM;
	*new = (struct resolver_jit){ .dso = dso };
	*at = r->jits.n - 1;
	return 0;
}

/* Move ranges of JIT code that were mapped before the dump to the dso with the dump. */
static int move_maps(struct resolver *r, uint32_t pid, uint32_t from, uint32_t to)
{
	struct maps **space = tasks_space(&r->tasks, pid);
	const struct maps_range *at;
	uint64_t behind = 0;
	int err = space ? 0 : -ENOMEM;

	while (!err && (at = maps_behind(*space, behind))) {
		struct maps_range range = *at;

		behind = range.end;
		if (range.dso != from)
			continue;
		range.dso = to;
		err = maps_put(space, &range) == -ENOMEM ? -ENOMEM : 0;
	}
	return err;
}

int resolver_jit_meet(struct resolver *r, const struct sym_map *m)
{
	uint32_t own;
	int old, dso;
	const char *path;

	if (m->name[0] != '/' || !jitdump_is_name(m->name, &own))
		return 0;
	old = resolver_jit_dso(r, m->pid);
	dso = dso_of_maker(r, m->pid, m->ino);
	path = resolver_intern(r, m->name, strlen(m->name));
	if (old == RESOLVER_NO_DSO || dso == RESOLVER_NO_DSO || !path)
		return -ENOMEM;
	dso_dumps(&r->dsos.v[dso], path, m->ino);
	r->dsos.v[dso].pid = m->pid;
	if (jit_of(r, m->pid) && old == dso)
		return 0;
	return set_jit(r, m->pid, (uint32_t)dso) ? -ENOMEM : move_maps(r, m->pid, (uint32_t)old, (uint32_t)dso);
}

int resolver_jit_fork(struct resolver *r, uint32_t pid, uint32_t parent)
{
	const struct resolver_jit *j = pid == parent ? NULL : jit_of(r, parent);

	return j ? set_jit(r, pid, j->dso) : 0;
}

/* Each epoch, the time between two reuses of an address, has a generation of its own. */
void resolver_jit_time(struct resolver *r, uint32_t pid, uint64_t time, struct resolver_space *space)
{
	struct resolver_jit *j = jit_of(r, pid);
	struct dso *d = j ? &r->dsos.v[j->dso] : NULL;
	size_t epoch;

	if (!d)
		return;
	resolver_load(r, d);
	if (!d->code || !d->code->reused.n)
		return;
	/* Without a time use the last epoch. */
	epoch = jitcode_epoch(d->code, time ? time : UINT64_MAX, &space->since, &space->until);
	if (j->base != space->generation || !space->generation) {
		j->base = space->generation;
		j->first = tasks_next_generations(&r->tasks, d->code->reused.n + 1);
	}
	space->generation = j->first ? j->first + (uint32_t)epoch : 0;
}
