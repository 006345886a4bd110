/* test_stat_fake.c - the played kernel of stat_fake.h. */
#include "stat_fake.h"
#include "t.h"

static unsigned group_members(const struct fake *f, int leader)
{
	unsigned n = 1;

	for (unsigned i = 0; i < f->n; i++)
		n += f->ev[i].open && f->ev[i].group == leader && f->ev[i].attr.type != PERF_SOFTWARE;
	return n;
}

static int refusal(struct fake *f, struct perf_attr *a, int pid, int cpu, int group)
{
	if (f->max_size && a->size > f->max_size) {
		a->size = f->max_size;
		return -E2BIG;
	}
	if (f->locked || (f->no_kernel && !(a->flags & PERF_ATTR_EXCLUDE_KERNEL)))
		return -EACCES;
	if ((a->flags & f->bad_flags) || (a->read_format & f->bad_read) || (a->sample_type & f->bad_sample))
		return -EINVAL;
	if (f->has_missing && a->type == PERF_HARDWARE && a->config == f->missing_config)
		return -ENOENT;
	if (pid == f->dead_tid && pid > 0)
		return -ESRCH;
	if (cpu >= 0 && cpu == f->offline_cpu)
		return -ENODEV;
	if (group >= 0 && f->group_limit && a->type != PERF_SOFTWARE && group_members(f, group) >= f->group_limit)
		return -EINVAL;
	return f->fds_left > 0 ? 0 : -EMFILE;
}

static int fake_open_event(const struct sys *s, struct perf_attr *a, int pid, int cpu, int group, unsigned long flags)
{
	struct fake *f = s->arg;
	int r = refusal(f, a, pid, cpu, group);

	f->tries++;
	if (r || f->n >= FAKE_MAX)
		return r ? r : -ENOMEM;
	f->fds_left--;
	f->ev[f->n] = (struct fake_event){ .attr = *a, .pid = pid, .cpu = cpu, .group = group, .flags = flags,
		.open = true };
	return FAKE_FD + (int)f->n++;
}

static int fake_close(const struct sys *s, int fd)
{
	struct fake *f = s->arg;

	if (fd < FAKE_FD || fd >= FAKE_FD + (int)f->n)
		return sys_live.close(s, fd);
	CHECK(f->ev[fd - FAKE_FD].open);
	f->ev[fd - FAKE_FD].open = false;
	f->fds_left++;
	return 0;
}

static int fake_ioctl(const struct sys *s, int fd, unsigned long request, uintptr_t arg UNUSED)
{
	struct fake *f = s->arg;

	if (request == PERF_IOC_ENABLE)
		f->ev[fd - FAKE_FD].enabled_calls++;
	return 0;
}

static ssize_t fake_read(const struct sys *s, int fd, void *p, size_t n)
{
	struct fake *f = s->arg;

	if (fd < FAKE_FD)
		return sys_live.read(s, fd, p, n);

	const struct fake_event *lead = &f->ev[fd - FAKE_FD];
	uint64_t v[3 + FAKE_MAX] = { lead->value, lead->enabled, lead->running };
	size_t k = 3;

	if (lead->attr.read_format & PERF_FORMAT_GROUP) {
		v[k++] = lead->value;
		for (unsigned i = 0; i < f->n; i++)
			if (f->ev[i].open && f->ev[i].group == fd)
				v[k++] = f->ev[i].value;
		v[0] = k - 3;
	}
	if (n < k * sizeof(v[0]))
		return -ENOSPC;
	memcpy(p, v, k * sizeof(v[0]));
	return (ssize_t)(k * sizeof(v[0]));
}

static int fake_raise(const struct sys *s)
{
	struct fake *f = s->arg;

	f->raises++;
	f->fds_left += 1000;
	return 0;
}

void fake_init(struct fake *f)
{
	*f = (struct fake){ .sys = sys_live, .fds_left = 1000, .offline_cpu = -1, .dead_tid = -1 };
	f->sys.root = "/nonexistent";
	f->sys.arg = f;
	f->sys.perf_event_open = fake_open_event;
	f->sys.close = fake_close;
	f->sys.ioctl = fake_ioctl;
	f->sys.read = fake_read;
	f->sys.raise_fd_limit = fake_raise;
}
