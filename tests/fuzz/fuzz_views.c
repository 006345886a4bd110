/* A whole recording drawn as a timechart, and made into what sched replay does: nothing of it is done. */
#include "disk.h"

#include "sched/sched.h"
#include "timechart/timechart.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void note(void *arg, const char *line)
{
	(void)arg;
	(void)line;
}

static int show_nothing(struct prof *p, bool last, struct out *o, struct err *e)
{
	(void)p;
	(void)last;
	(void)o;
	(void)e;
	return 0;
}

static void run(struct disk *d, const struct prof_kind *kind, void *want, struct mem_out *text)
{
	struct prof p = { .kind = kind, .want = want, .sys = &d->sys };
	struct prof_run_how how = { .argv = (char *[]){ NULL }, .out = &text->out, .note = note };
	struct err e = { 0 };

	((struct prof_want *)want)->from.input = "in";
	if (prof_run(&p, &how, &e) && !e.code)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char kernel[] = "ffff800008000000 T _text\nffff800008001000 T schedule\n"
				     "ffff800009000000 T _etext\n";
	struct prof_kind replay = sched_replay;
	struct timechart_want chart = { .show = { .width = 1000, .least_rows = 1000, .highlight = "a" } };
	struct view_want *other = calloc(1, replay.cmd.want_size);
	struct disk *d = disk_new();
	struct mem_out text;

	replay.show = show_nothing;
	disk_put(d, "in", p, n);
	disk_put(d, "/proc/kallsyms", kernel, sizeof(kernel) - 1);
	mem_out_init(&text);
	run(d, &timechart, &chart, &text);
	/* No name has got out of its text. */
	for (const char *at = mem_out_str(&text); *at; at++)
		if ((unsigned char)*at < ' ' && *at != '\n')
			abort();
	run(d, &replay, other, &text);
	mem_out_deinit(&text);
	free(other);
	disk_free(d);
	return 0;
}
