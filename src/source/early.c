/* early.c - see early.h; the kernel formats each line of /proc/kallsyms when it is read. */
#include "source/early.h"

#include "sys/jobs.h"
#include "sys/kallsyms.h"

struct early {
	const struct sys *sys;
	struct jobs *jobs;
	struct kallsyms syms;
	int r;
	bool taken;
};

static void read_all(void *piece)
{
	struct early *y = piece;

	y->r = sys_kallsyms(y->sys, SYS_KALLSYMS, &y->syms, NULL);
}

struct early *early_new(const struct sys *sys)
{
	struct early *y = calloc(1, sizeof(*y));

	if (!y)
		return NULL;
	y->sys = sys;
	y->jobs = jobs_new(2, read_all);
	if (!y->jobs) {
		free(y);
		return NULL;
	}
	jobs_give(y->jobs, y);
	return y;
}

int early_take(struct early *y, struct kallsyms *k)
{
	if (y->taken)
		return -ENOENT;
	jobs_take(y->jobs);
	y->taken = true;
	*k = y->syms;
	return y->r;
}

void early_free(struct early *y)
{
	struct kallsyms k;

	if (!y)
		return;
	if (!early_take(y, &k))
		kallsyms_deinit(&k);
	jobs_free(y->jobs);
	free(y);
}
