/*
 * pmu.h - what the machine's PMUs can count: a pure model, filled from sysfs by machine/pmus (or by a test).
 * Source of the files: Documentation/ABI/testing/sysfs-bus-event_source-devices-{format,events,caps}.
 *
 * A server shows hundreds of PMUs with thousands of event files, and most commands need none of them: each piece of the
 * model is read when the first of the functions below needs it.
 */
#ifndef PERF_PMU_H
#define PERF_PMU_H

#include "arch/arch.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* One `format/` file: "config:0-7,32-35" -> bit ranges of one config word. */
struct pmu_term {
	const char *name;
	uint8_t word;              /* 0 config, 1 config1, 2 config2, 3 config3 */
	uint8_t n_ranges;
	struct { uint8_t lo, hi; } range[8];
};

/* One `events/` file, with its .unit and .scale files. */
struct pmu_alias {
	const char *name, *terms;  /* "cpu_cycles", "event=0x011" */
	const char *unit;          /* "" none */
	double scale;              /* 1 by default */
};

enum pmu_kind { PMU_CORE, PMU_UNCORE, PMU_SOFTWARE, PMU_OTHER };

/* Pieces of a PMU that are read on their own. */
enum pmu_part { PMU_BASE = 1, PMU_TERMS = 2, PMU_ALIASES = 4, PMU_ALL = 7 };

struct pmu {
	const char *name;
	enum pmu_kind kind;        /* name and kind are always valid; the rest when its part was read */
	unsigned parts;            /* mask of enum pmu_part: parts that were read */

	/* PMU_BASE */
	uint32_t type;
	struct cpus cpus;          /* core: CPUs of this type; uncore: where to open it; empty: any */
	bool has_cpus;
	uint64_t midr;             /* MIDR_EL1 of its first CPU, 0 unknown */
	const struct arch_core *core;   /* NULL: not in the table of cores */
	uint32_t slots;            /* caps/slots, 0 unknown */

	VEC(struct pmu_term) terms;      /* PMU_TERMS */
	VEC(struct pmu_alias) aliases;   /* all with PMU_ALIASES; else those that were looked up */
};

struct pmus;

/* Reads missing pieces. Each returns 0 or -errno; alias: -ENOENT when the PMU has no such event. */
struct pmus_source {
	int (*list)(struct pmus *p, struct err *e);   /* fill p->list: names and kinds */
	int (*part)(struct pmus *p, struct pmu *pmu, enum pmu_part part, struct err *e);
	int (*alias)(struct pmus *p, struct pmu *pmu, struct sv name);   /* add one alias */
};

struct pmus {
	VEC(struct pmu) list;      /* core PMUs first; not reallocated once it was read, so pointers stay valid */
	struct arena arena;        /* owns all names */
	const struct pmus_source *source;   /* NULL: the model is complete */
	const void *source_arg;
	bool listed;
};

void pmus_deinit(struct pmus *p);

/* Read the list of PMUs, unless it was read. */
int pmus_list(struct pmus *p, struct err *e);

/* Read these parts (mask of enum pmu_part) of a PMU of the list, unless they were read. */
int pmu_need(struct pmus *p, const struct pmu *pmu, unsigned parts, struct err *e);

/* The PMU of exactly this name, with PMU_BASE read; NULL: none, or unreadable. */
const struct pmu *pmu_find(struct pmus *p, struct sv name);

/* Number of core PMUs: they come first in the list. */
size_t pmus_n_core(struct pmus *p);

/* One term or alias of a PMU, or NULL. Valid until the next lookup in the same PMU. */
const struct pmu_term *pmu_term_find(struct pmus *p, const struct pmu *pmu, struct sv name);
const struct pmu_alias *pmu_alias_find(struct pmus *p, const struct pmu *pmu, struct sv name);

/* Parse a format file's text into word, n_ranges and range. */
int pmu_term_parse(struct pmu_term *t, struct sv text, struct err *e);

/* Set a term's value in the four config words; -ERANGE when it does not fit. */
int pmu_term_set(const struct pmu_term *t, uint64_t value, uint64_t config[4], struct err *e);

/* How many bits a term's value has. */
unsigned pmu_term_bits(const struct pmu_term *t);

#endif
