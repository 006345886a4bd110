#include "cmd/script/files.h"

#include "sys/output.h"

#include <fcntl.h>

struct script_file {
	struct output output;
	struct out out;
	struct lines *lines;
	uint64_t samples;
	size_t at;               /* index of the first event of that name: all of them share its file */
	bool open;
	char buf[4096];
};

/* Event names may contain slashes (of PMUs, or paths of probed programs), which are replaced by '_'. */
static int name_file(char path[PATH_MAX], const struct session *s, const char *label, struct err *e)
{
	size_t at = (size_t)snprintf(path, PATH_MAX, "%s.", s->path);
	int n = at < PATH_MAX ? snprintf(path + at, PATH_MAX - at, "%s.dump", label) : PATH_MAX;

	if (at + (size_t)n >= PATH_MAX)
		return err_set(e, ENAMETOOLONG, "the name of the file for %s is too long", label);
	for (char *p = path + at; *p; p++)
		if (*p == '/')
			*p = '_';
	return 0;
}

static size_t first_of_name(const struct perf_head *h, size_t event)
{
	size_t i = 0;

	while (strcmp(h->events.v[i].label, h->events.v[event].label))
		i++;
	return i;
}

static int open_file(struct script_file *f, const struct session *s, size_t i, const struct lines_want *lw,
		     struct err *e)
{
	struct lines_want own = *lw;
	char path[PATH_MAX];
	int r = name_file(path, s, s->head->events.v[i].label, e);

	if (!r)
		r = output_open(&f->output, s->sys, path, OUTPUT_BESIDE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	f->open = true;
	output_text(&f->output, &f->out, f->buf, sizeof(f->buf));
	own.out = &f->out;
	own.jobs = 1;
	f->lines = lines_new(&own);
	return f->lines ? 0 : err_nomem(e);
}

int script_files_open(struct script_files *f, const struct session *s, const struct lines_want *lw, struct err *e)
{
	int r = 0;

	f->n = s->head->events.n;
	f->v = calloc(f->n, sizeof(*f->v));
	if (!f->v)
		return err_nomem(e);
	for (size_t i = 0; i < f->n && !r; i++) {
		f->v[i].at = first_of_name(s->head, i);
		if (f->v[i].at == i)
			r = open_file(&f->v[i], s, i, lw, e);
	}
	return r;
}

struct lines *script_files_lines(struct script_files *f, size_t event, struct lines *others)
{
	struct script_file *file = f->v ? &f->v[f->v[event].at] : NULL;

	if (!file)
		return others;
	file->samples++;
	return file->lines;
}

static int end_file(struct script_file *f, struct ctx *c, struct err *e)
{
	int r = lines_settle(f->lines);

	out_end(&f->out);
	if (!r)
		r = f->out.error;
	if (r)
		return err_set(e, -r, "%s: cannot be written", f->output.path);
	r = output_close(&f->output);
	f->open = false;
	if (r)
		return err_set(e, -r, "%s: cannot be written", f->output.path);
	out_printf(c->out, "[ %s script: Wrote %.3f MB %s (%llu samples) ]\n", c->program,
		   (double)f->out.total / (1 << 20), f->output.path, (unsigned long long)f->samples);
	return 0;
}

int script_files_end(struct script_files *f, struct ctx *c, struct err *e)
{
	int r = 0;

	for (size_t i = 0; f->v && i < f->n && !r; i++)
		if (f->v[i].at == i)
			r = end_file(&f->v[i], c, e);
	return r;
}

void script_files_free(struct script_files *f)
{
	for (size_t i = 0; f->v && i < f->n; i++) {
		lines_free(f->v[i].lines);
		if (f->v[i].open)
			output_discard(&f->v[i].output);
	}
	free(f->v);
	*f = (struct script_files){ .v = NULL };
}
