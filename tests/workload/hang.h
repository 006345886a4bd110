/* hang.h - what programs that hang BPF into events have in common. Exit status 77: this kernel or user has none. */
#ifndef TESTS_WORKLOAD_HANG_H
#define TESTS_WORKLOAD_HANG_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

static void leave(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(77);
}

static long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* "syscalls/sys_enter_getppid" */
static uint64_t event_id(const char *name)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[256];
	uint64_t id = 0;

	for (size_t i = 0; i < 2 && !id; i++) {
		snprintf(path, sizeof(path), "%s/events/%s/id", roots[i], name);

		FILE *f = fopen(path, "r");

		if (!f)
			continue;
		if (fscanf(f, "%lu", &id) != 1)
			id = 0;
		fclose(f);
	}
	if (!id)
		leave(name);
	return id;
}

/* Into an event of this process. */
static void hang_in(struct perf_event_attr *attr, int prog)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = (int)syscall(SYS_perf_event_open, attr, getpid(), -1, -1, 0);
	if (fd < 0)
		leave("perf_event_open");
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		leave("cannot hang a program into an event");
}

#endif
