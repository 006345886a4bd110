/* early.c - see early.h; the kernel formats each line of /proc/kallsyms when it is read. */
#include "source/early.h"

#include "sys/jobs.h"

struct early {
	const struct sys *sys;
	struct jobs *jobs;
	char *text;
	size_t n;
	int r;
	bool taken;
};

static void read_text(void *piece)
{
	struct early *y = piece;

	y->r = sys_read_all(y->sys, EARLY_KALLSYMS, EARLY_MAX, &y->text, &y->n, NULL);
}

struct early *early_new(const struct sys *sys)
{
	struct early *y = calloc(1, sizeof(*y));

	if (!y)
		return NULL;
	y->sys = sys;
	y->jobs = jobs_new(2, read_text);
	if (!y->jobs) {
		free(y);
		return NULL;
	}
	jobs_give(y->jobs, y);
	return y;
}

int early_take(struct early *y, char **text, size_t *n)
{
	if (!y || y->taken)
		return -ENOENT;
	jobs_take(y->jobs);
	y->taken = true;
	*text = y->text;
	*n = y->n;
	return y->r;
}

void early_free(struct early *y)
{
	char *text;
	size_t n;

	if (!y)
		return;
	if (!early_take(y, &text, &n))
		free(text);
	jobs_free(y->jobs);
	free(y);
}
