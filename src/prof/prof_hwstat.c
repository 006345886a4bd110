/* prof_hwstat.c - sonde prof hwstat: cycles, instructions and their ratios, by CPU. */
#include "prof/board.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

enum { CYCLES, INSTRUCTIONS };

static int prepare(struct prof *p, struct err *e)
{
	static const char *const events[] = { "cycles", "instructions" };
	int r = 0;

	if (p->specs.v.n)
		return err_set(e, EINVAL, "hwstat has its own events: no -e");
	/* Emulated PMUs may only have cycles. */
	for (size_t i = 0; !r && i < ARRAY_SIZE(events); i++) {
		r = specs_add_event(&p->specs, events[i], e);
		if (!r)
			p->specs.v.v[i].optional = true;
	}
	return r;
}

static void put_count(struct table *t, bool is_there, uint64_t n)
{
	if (is_there)
		table_u64(t, n);
	else
		table_none(t);
}

static void put(const struct prof *p UNUSED, const struct counted *c, size_t place, bool sum, struct table *t)
{
	struct counter_value cycles, instructions;
	bool has_cycles = board_value(c, CYCLES, place, sum, &cycles);
	bool has_instructions = board_value(c, INSTRUCTIONS, place, sum, &instructions);

	put_count(t, has_cycles, cycles.value);
	put_count(t, has_instructions, instructions.value);
	if (has_instructions && cycles.value)
		table_fixed(t, (double)instructions.value / (double)cycles.value, 2);
	else
		table_none(t);
	table_fixed(t, cycles.enabled ? (double)cycles.value / (double)cycles.enabled : 0, 3);
	table_fixed(t, cycles.enabled ? 100.0 * (double)cycles.running / (double)cycles.enabled : 0, 2);
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	static const struct table_col cols[] = {
		{ "CYCLES", "cycles", TABLE_RIGHT, 0 }, { "INSNS", "instructions", TABLE_RIGHT, 0 },
		{ "IPC", "ipc", TABLE_RIGHT, 0 }, { "GHZ", "ghz", TABLE_RIGHT, 0 },
		{ "RUN%", "run_percent", TABLE_RIGHT, 0 },
	};
	static const struct board b = { cols, ARRAY_SIZE(cols), put };

	return board_run(p, &b, e);
}

DEFINE_PROF(hwstat) = {
	.cmd = {
		.name = "hwstat", .family = "prof", .brief = "Count cycles, instructions and IPC per CPU",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED("GHZ is cycles divided by the time that was counted: idle cores count no cycles."),
		.examples = PACKED(
			    "sonde prof hwstat -C 0-3 -i 1000\tfour CPUs, every second\n"
			    "sonde prof hwstat --exclude-kernel -i 500\tonly user mode"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = BOARD_OWN, .prepare = prepare, .alone = alone,
};
