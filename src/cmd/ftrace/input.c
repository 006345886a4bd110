/* input.c - open a trace.dat. */
#include "cmd/ftrace/input.h"

int input_open(struct input *in, const struct sys *sys, const char *path, struct err *e)
{
	int r;

	*in = (struct input){ .sys = sys };
	r = sys_map_file(sys, path, &in->bytes, &in->n, e);
	if (r == -ENOENT)
		return err_hint(e, "make one with 'sonde ftrace record', or name one with -i");
	if (r)
		return r;
	if (!tdat_is(in->bytes, in->n)) {
		err_set(e, EBADMSG, "%s is no recording of trace-cmd", path);
		r = err_hint(e, "those of perf are for 'sonde report' and 'sonde script'");
	} else {
		r = tdat_init(&in->dat, in->bytes, in->n, e);
		if (r)
			err_wrap(e, "%s", path);
	}
	if (r) {
		tdat_deinit(&in->dat);
		sys_unmap_file(sys, in->bytes, in->n);
		*in = (struct input){ .sys = sys };
	}
	return r;
}

void input_close(struct input *in)
{
	tdat_deinit(&in->dat);
	sys_unmap_recording(in->sys, in->bytes, in->n);
}

void input_notes(const struct input *in, struct ctx *c, const char *path)
{
	c->incomplete |= in->dat.incomplete;
	for (size_t i = 0; i < in->dat.notes.n; i++)
		cmd_note(c, "%s: %s", path, in->dat.notes.v[i].text);
}

void input_bad_pages(struct ctx *c, const char *name, uint64_t pages)
{
	if (!pages)
		return;
	c->incomplete = true;
	cmd_note(c, "%s: %llu pages end in something impossible", name, (unsigned long long)pages);
}
