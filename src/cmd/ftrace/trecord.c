/* trecord.c - see trecord.h. */
#include "cmd/ftrace/trecord.h"

#include "pack/pack.h"
#include "tracefs/kind.h"

const struct opt trecord_format_opts[] = {
	OPT_U64(0, "file-version", struct trecord_format, version, "<n>", "6 or 7"),
	OPT_STR(0, "compression", struct trecord_format, compression, "<name>",
		"none, zstd, zlib or any; makes version 7"),
	OPT_END,
};

bool trecord_leaves_text(const char *tracer)
{
	static const char *const names[] = {
		"irqsoff", "preemptoff", "preemptirqsoff", "wakeup", "wakeup_rt", "wakeup_dl",
	};

	for (size_t i = 0; tracer && i < ARRAY_SIZE(names); i++)
		if (!strcmp(tracer, names[i]))
			return true;
	return false;
}

/* "ftrace:print", "ftrace:bprint", "ftrace:bputs" */
static bool is_marker(const char *pattern)
{
	static const enum tkind kinds[] = { KIND_PRINT, KIND_BPRINT, KIND_BPUTS };
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(name, sizeof(name), "%s:%s", tkind_system(kinds[i]), tkind_name(kinds[i]));
		if (!strcmp(pattern, name))
			return true;
	}
	return false;
}

void trecord_markers(struct want *w)
{
	for (size_t i = 0; i < w->plans.n; i++) {
		struct plan *p = &w->plans.v[i];
		size_t kept = 0;

		for (size_t k = 0; k < p->events.n; k++) {
			if (!is_marker(p->events.v[k].pattern))
				p->events.v[kept++] = p->events.v[k];
			else if (!p->instance)
				p->top = true;
		}
		p->events.n = kept;
	}
}

int trecord_format(const struct trecord_format *w, enum tdat_format *f, struct err *e)
{
	const char *c = w->compression;

	*f = w->version == 7 ? TDAT_V7 : TDAT_V6;
	if (w->version && w->version != 6 && w->version != 7)
		return err_set(e, EINVAL, "--file-version: 6 and 7 there are, not %llu",
			       (unsigned long long)w->version);
	if (!c || !strcmp(c, "none"))
		return 0;
	if (strcmp(c, "zstd") && strcmp(c, "zlib") && strcmp(c, "any"))
		return err_set(e, EINVAL, "--compression: none, zstd, zlib or any, not '%s'", c);
	if (w->version == 6)
		return err_set(e, EINVAL, "a file of version 6 cannot be compressed");
	if (!pack_can() && strcmp(c, "any"))
		return cmd_elsewhere("--compression", e);
	*f = !pack_can() ? TDAT_V7 : strcmp(c, "zlib") ? TDAT_V7_ZSTD : TDAT_V7_ZLIB;
	return 0;
}

size_t trecord_options(const struct want *w, struct tdat_option *to)
{
	size_t n = 0;

	for (size_t i = 0; i < w->prof.hooks.n; i++)
		to[n++] = (struct tdat_option){ TDAT_HOOK, { w->prof.hooks.v[i], strlen(w->prof.hooks.v[i]) + 1 } };
	if (w->file.ts_offset)
		to[n++] = (struct tdat_option){ TDAT_OFFSET, { w->file.ts_offset, strlen(w->file.ts_offset) + 1 } };
	return n;
}

/* Print the sizes; false: all rings are empty. */
static bool show_rings(const struct dat_recording *r, struct out *o)
{
	uint32_t buffer = 0;
	bool some = false;

	for (size_t i = 0; i < r->recorder.rings.n; i++) {
		const struct recorder_ring *ring = &r->recorder.rings.v[i];

		if (ring->file.buffer != buffer)
			out_printf(o, "\nBuffer: %s\n\n", ring->tfs->name);
		buffer = ring->file.buffer;
		if (!ring->file.size)
			continue;
		some = true;
		out_printf(o, "CPU%u data recorded at offset=0x%llx\n    %llu bytes in size", ring->file.cpu,
			   (unsigned long long)ring->file.at, (unsigned long long)ring->file.packed);
		if (ring->file.packed != ring->file.size)
			out_printf(o, " (%llu uncompressed)", (unsigned long long)ring->file.size);
		out_char(o, '\n');
	}
	return some;
}

/* Markers, which include trace_printk, are in the top buffer; some kernels do not copy them into instances. */
static void tell_markers(struct ctx *c, const struct dat_recording *r)
{
	const struct markers *m = &r->markers;

	if (m->why[0])
		cmd_note(c, "markers (trace_marker, trace_printk) are not in it: %s", m->why);
	else if (m->found.n && dat_recording_is_sent(r->want))
		cmd_note(c, "%zu markers (trace_marker, trace_printk) are not in what was sent", m->found.n);
	else if (r->no_markers.code)
		cmd_note(c, "markers (trace_marker, trace_printk) are not in it: %s", r->no_markers.text);
	if (m->lost && m->among == AMONG_NOTHING)
		cmd_note(c, "%llu markers were overwritten in the top buffer, or read by another, before they were "
			    "seen: a larger one (buffer_size_kb) may help", (unsigned long long)m->lost);
	else if (m->lost)
		cmd_note(c, "%llu events of the top buffer were overwritten, or read by another, before they were "
			    "seen, markers perhaps among them", (unsigned long long)m->lost);
}

static void tell_loss(struct ctx *c, const struct dat_recording *r, enum trecord_how how)
{
	uint64_t lost = 0, over = 0;

	for (size_t i = 0; i < r->recorder.rings.n; i++) {
		const struct recorder_ring *ring = &r->recorder.rings.v[i];

		lost += ring->stats.overrun + ring->stats.dropped;
		over += ring->state->moved - ring->state->size;
	}
	if (lost)
		cmd_note(c, "%llu events were lost, for the buffers were full: larger ones (-b KB) may help",
			 (unsigned long long)lost);
	if (r->given_up)
		cmd_note(c, "the last %llu bytes were given up to make room for the description",
			 (unsigned long long)r->given_up);
	if (over && how != TRECORD_QUIET)
		cmd_note(c, "-m: the oldest %llu bytes were overwritten", (unsigned long long)over);
}

int trecord_finish(struct ctx *c, const struct dat_recording *rec, enum trecord_how how, int r, struct err *e)
{
	const char *path = rec->want && rec->want->recorder.path ? rec->want->recorder.path : "";

	if (r) {
		r = cmd_fail(c, e);
		if (rec->broken)
			cmd_note(c, "%s.cpu* hold the pages: 'restore' makes a recording of them", path);
		return r;
	}
	tell_loss(c, rec, how);
	tell_markers(c, rec);
	if (rec->no_date)
		cmd_note(c, "--date: this trace clock does not tell how long ago something was: the times stay "
			    "as they are");
	if (how != TRECORD_QUIET && !dat_recording_is_sent(rec->want) &&
	    !show_rings(rec, how == TRECORD_SAY ? c->out : c->msg) && !rec->want->latency)
		cmd_note(c, "no event was recorded");
	if (rec->stopped.code)
		return cmd_fail(c, &rec->stopped);
	return rec->run.loop.state == LOOP_SIGNALLED ? EXIT_DONE : rec->run.loop.status;
}
