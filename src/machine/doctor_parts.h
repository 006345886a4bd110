/* doctor_parts.h - shared by the files of the doctor: findings so far, and adding rows. */
#ifndef MACHINE_DOCTOR_PARTS_H
#define MACHINE_DOCTOR_PARTS_H

#include "machine/doctor.h"
#include "perf/pmu.h"

enum { DOCTOR_CORE_TYPES = 16, DOCTOR_NO_LEVEL = 99 };

struct doctor_core {
	uint64_t midr;
	struct cpus cpus;
};

enum doctor_boot { BOOT_UNKNOWN, BOOT_DEVICE_TREE, BOOT_ACPI };

struct doctor {
	const struct sys *sys;
	struct doctor_report *report;
	const char *topic;
	bool copied;             /* --sysroot: files only */
	bool nomem;

	char arch[32];           /* as uname -m, "": unknown */
	enum doctor_boot boot;
	char vm[64];             /* kind of virtual machine, "": no sign of one */
	struct cpus online;
	struct doctor_core core[DOCTOR_CORE_TYPES];
	size_t n_cores;

	uint64_t uid, caps;      /* of this process */
	int paranoid;            /* perf_event_paranoid; DOCTOR_NO_LEVEL: no such file */
	bool perf_refused;       /* not even our own tasks may be counted */
	bool confidential;       /* lockdown=confidentiality: tracing is refused */

	const char *tracefs;     /* its path if readable, or NULL */
	char *readme;            /* its README, "": none */
};

void doctor_machine(struct doctor *d);    /* first: kernel, board, cores, hypervisor */
void doctor_rights(struct doctor *d);     /* second: who we are and what that allows */
void doctor_counters(struct doctor *d);
void doctor_tracing(struct doctor *d);
void doctor_probes(struct doctor *d);     /* after doctor_tracing */
void doctor_system(struct doctor *d);     /* symbols, cgroups */

/* Add a row; the other two add source and advice to the row added last. */
void doctor_add(struct doctor *d, const char *name, enum doctor_status s, const char *fmt, ...) PRINTF(4, 5);
void doctor_how(struct doctor *d, const char *fmt, ...) PRINTF(2, 3);
void doctor_do(struct doctor *d, const char *fmt, ...) PRINTF(2, 3);

/* Advice for root getting EPERM: a seccomp filter. */
void doctor_do_filter(struct doctor *d);

bool doctor_has(const struct doctor *d, const char *path);
bool doctor_capable(const struct doctor *d, int cap);
bool doctor_perfmon(const struct doctor *d);   /* CAP_PERFMON or CAP_SYS_ADMIN */
const char *doctor_core_name(uint64_t midr, char *buf, size_t size);   /* "Cortex-A57 r1p0" */

/* Open an event and close it at once; 0 or -errno. */
int doctor_try(const struct doctor *d, const struct perf_attr *attr, int pid, int cpu);

#endif
