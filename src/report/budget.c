/* budget.c - the options' values, or defaults by the machine. */
#include "report/budget.h"

#include "sys/jobs.h"
#include "sys/memory.h"

enum {
	MEMORY_MIN = 1 << 20,
	SMALL = 64 << 20,        /* with less memory than this, a second thread is not worth its memory */
};

static int set_jobs(void *field, const char *value, struct err *e)
{
	uint64_t *jobs = field;

	if (!str_u64(sv_from(value), 10, jobs) || !*jobs || *jobs > JOBS_MAX)
		return err_set(e, EINVAL, "'%s' is no number of threads from 1 to %d", value, JOBS_MAX);
	return 0;
}

static int set_memory(void *field, const char *value, struct err *e)
{
	uint64_t *memory = field;

	if (!str_size(sv_from(value), memory))
		return err_set(e, EINVAL, "'%s' is not a size: 64M, 2G", value);
	if (*memory < MEMORY_MIN)
		return err_set(e, EINVAL, "'%s' is too little to begin with: at least 1M", value);
	return 0;
}

#define OPT_JOBS                                                                  \
	OPT_CALL(0, "jobs", 0, struct budget_want, jobs, set_jobs, "<n>",         \
		 "number of worker threads (default one per CPU, one if memory is small)")

const struct opt jobs_opts[] = { OPT_JOBS, OPT_END };

const struct opt budget_opts[] = {
	OPT_JOBS,
	OPT_CALL(0, "max-memory", 0, struct budget_want, memory, set_memory, "<size>",
		 "memory limit for call trees; beyond it the lightest branches are merged into their callers (default "
		 "half of the free memory)"),
	OPT_END,
};

struct budget budget_of(const struct budget_want *w, const struct sys *sys)
{
	struct budget b = { .jobs = (unsigned)w->jobs, .memory = w->memory };

	if (!b.memory)
		b.memory = sys_memory_available(sys) / 2;
	b.memory = MAX(b.memory, (uint64_t)MEMORY_MIN);
	if (!b.jobs)
		b.jobs = b.memory < SMALL ? 1 : jobs_default();
	return b;
}
