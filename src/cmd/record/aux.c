/* aux.c - sonde record with a PMU that writes an AUX trace (arm_spe_0): sets up the event as perf does. */
#include "cmd/record/parts.h"

#include "base/str.h"
#include "record/aux.h"

enum { PERIOD = 4096 };          /* SPE's largest minimum interval, for a driver without caps/min_interval */

int record_aux_size(struct record_ring *ring, struct sv of_ring, struct sv text, struct err *e)
{
	ring->aux_pages = ring->aux_bytes = 0;
	if (!text.n)
		return 0;
	if (!str_u64(text, 10, &ring->aux_pages) && !str_size(text, &ring->aux_bytes))
		return err_set(e, EINVAL, "'%.*s' behind the comma is neither a number of pages of the AUX area nor a "
			       "size like 4M", (int)MIN(text.n, 40u), text.s);
	if (ring->aux_pages > 1 << 20 || ring->aux_bytes > UINT64_C(1) << 32)
		return err_set(e, EINVAL, "'%.*s' is more than an AUX area can have", (int)MIN(text.n, 40u), text.s);
	return !of_ring.n;
}

/* --- the event ------------------------------------------------------------------------------------------------ */

/* The bit of attr.config that the PMU's format gives to `name`; 0: the format has no such name. */
static uint64_t config_bit(const struct record_run *run, const struct event *ev, const char *name)
{
	const struct pmu_term *t = pmu_term_find(run->env->pmus, ev->pmu, sv_from(name));

	return t && !t->word ? UINT64_C(1) << t->range[0].lo : 0;
}

static uint64_t least_period(const struct record_run *run, const struct event *ev)
{
	uint64_t n;

	if (sys_read_u64(run->sys, &n, "/sys/bus/event_source/devices/%s/caps/min_interval", ev->pmu->name) || !n)
		return PERIOD;
	return n;
}

/* Time stamps are on unless the user has set ts_enable: without them records cannot be assigned to tasks. */
static void complete(const struct record_run *run, struct event *ev)
{
	struct perf_attr *a = &ev->attr;

	if (!strstr(ev->typed, "ts_enable"))
		a->config |= config_bit(run, ev, "ts_enable");
	if (!(ev->set & EVENT_SET_PERIOD) && !run->want->pace.period)
		a->sample_period = least_period(run, ev);
	else if (!(ev->set & EVENT_SET_PERIOD))
		a->sample_period = run->want->pace.period;
	ev->set |= EVENT_SET_PERIOD | EVENT_SET_NO_CALLCHAIN;
	/* For the samples synthesized from the trace later: data source, and physical addresses if it has them. */
	a->sample_type |= PERF_SAMPLE_DATA_SRC;
	if (a->config & config_bit(run, ev, "pa_enable"))
		a->sample_type |= PERF_SAMPLE_PHYS_ADDR;
}

static int check(const struct record_run *run, const struct event *ev, struct err *e)
{
	const struct record_want *w = run->want;

	if (!strcmp(w->file.output, "-"))
		return err_set(e, EINVAL, "%s: its trace goes into a file, whose end says where: -o FILE, no pipe",
			       ev->name);
	if (w->cut.on || w->ring.overwrite)
		return err_set(e, EINVAL, "%s: its trace is written as it comes, into one file: it goes without %s",
			       ev->name, w->cut.on ? "--switch-output" : "--overwrite");
	if (w->sampling.use_clockid)
		return err_set(e, EINVAL, "%s: its trace has times of the kernel's own clock: it goes without -k",
			       ev->name);
	if (w->pace.freq_given || ev->set & EVENT_SET_FREQ) {
		err_set(e, EINVAL, "%s: it cannot take so many samples a second", ev->name);
		return err_hint(e, "-c N takes each N-th operation");
	}
	return 0;
}

/* PMUs that have AUX traces, too, but whose AUXTRACE_INFO is not written here. */
static bool is_foreign(const struct event *ev)
{
	static const char *const names[] = { "intel_pt", "intel_bts", "cs_etm", "hisi_ptt" };

	for (size_t i = 0; ev->pmu && i < ARRAY_SIZE(names); i++)
		if (sv_starts(sv_from(ev->pmu->name), names[i]))
			return true;
	return false;
}

static int take(struct record_run *run, struct event *ev, const struct event *other, struct err *e)
{
	int r = check(run, ev, e);

	if (r)
		return r;
	if (other) {
		err_set(e, EINVAL, "%s and %s: one recording has one event with a trace of its own", other->name,
			ev->name);
		return err_hint(e, "each into a file of its own; -e %s// is that of one kind of core", ev->pmu->name);
	}
	complete(run, ev);
	return 0;
}

int record_aux_prepare(struct record_run *run, struct err *e)
{
	const struct event *found = NULL;
	int r = 0;

	for (size_t i = 0; !r && i < run->events.v.n; i++) {
		struct event *ev = &run->events.v.v[i];

		if (is_foreign(ev)) {
			r = err_set(e, EOPNOTSUPP, "%s: of traces only those of Arm's SPE are recorded", ev->name);
			r = err_hint(e, "perf record has it");
		} else if (aux_is_traced(ev)) {
			r = take(run, ev, found, e);
			found = ev;
		}
	}
	run->traces = found;
	/* SWITCH records tell which task runs on the CPU of a trace. */
	if (found)
		run->want->sampling.track |= PERF_ATTR_CONTEXT_SWITCH;
	return r;
}

uint64_t record_aux_bytes(const struct record_run *run)
{
	const struct record_ring *ring = &run->want->ring;

	return ring->aux_pages ? ring->aux_pages * (uint64_t)run->sys->page_size(run->sys) : ring->aux_bytes;
}

void record_aux_tracker(const struct record_run *run, struct event *dummy)
{
	if (!run->traces)
		return;
	dummy->name = "dummy:u";
	dummy->attr.flags |= PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_GUEST;
}

void record_aux_hint(const struct record_run *run, struct err *e)
{
	const struct record_events *l = &run->want->events;
	bool asked = false;

	for (size_t i = 0; i < l->n; i++)
		asked |= strstr(l->v[i].text, "arm_spe") != NULL;
	if (asked && e->code == ENOENT)
		err_hint(e, "SPE is there where the core has it (Neoverse and others, no guest) and the kernel its "
			    "driver: modprobe arm_spe_pmu; elsewhere: sonde record -d -e cycles");
}

/* --- the end -------------------------------------------------------------------------------------------------- */

static void tell(struct ctx *c, uint64_t n, const char *what)
{
	char a[32];

	if (n)
		cmd_note(c, "%s stretches of the trace %s", fmt_grouped(a, sizeof(a), n), what);
}

void record_aux_tell(struct ctx *c, const struct record_run *run)
{
	const struct aux *a = run->rec.aux;
	char text[32];

	if (!a)
		return;
	tell(c, a->told.truncated, "are cut: the AUX area was full (a larger -m ,PAGES or a larger -c helps)");
	tell(c, a->told.partial, "have gaps: records were lost before they were written");
	tell(c, a->told.collided,
	     "had collisions: operations were not taken while another one was (a larger -c helps)");
	if (!run->want->quiet)
		cmd_note(c, "%s of it are the trace: report and script make samples of it (--itrace)",
			 fmt_bytes(text, sizeof(text), a->told.bytes));
}
