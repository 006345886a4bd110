/* cmd_data.c - sonde data convert: writes perf's JSON, with perf data convert's options. */
#include "cmd/cmd.h"

#include "cmd/data_json.h"
#include "sys/output.h"

#include <fcntl.h>
#include <sys/stat.h>

struct want {
	struct session_want session;
	const char *json;
	bool ignored, force;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_SUB(session_opts, struct want, session),
	OPT_STR(0, "to-json", struct want, json, "<file>", "write perf's JSON to this file; -: standard output"),
	OPT_FLAG('f', "force", struct want, force, "overwrite the file if it exists"),
	OPT_IGNORED('v', "verbose", COUNT, struct want, verbose),
	OPT_REFUSED(0, "to-ctf", 0, "", "CTF is not written", "use convert --to perfetto"),
	OPT_REFUSED(0, "all", OPT_NO_VALUE, "", "JSON has samples alone, as perf's", "use script --show-task-events"),
	OPT_REFUSED(0, "tod", OPT_NO_VALUE, "", "times are the recording's own", "use script"),
	OPT_END,
};

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int64_t written_at(const struct ctx *c, const char *path)
{
	struct stat st;

	return strcmp(path, "-") && !c->sys->stat(c->sys, path, &st) ? st.st_mtime : 0;
}

static int write_json(struct ctx *c, const struct want *w, struct session *s, struct err *e)
{
	struct output file;
	char buf[65536], size[32], number[32];
	struct out o;
	int r;

	if (!strcmp(w->json, "-"))
		return data_json(s, written_at(c, s->path), c->out, e);
	if (!w->force && sys_exists(c->sys, w->json))
		return err_set(e, EEXIST, "%s is there already: --force replaces it", w->json);
	r = output_open(&file, c->sys, w->json, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&file, &o, buf, sizeof(buf));
	r = data_json(s, written_at(c, s->path), &o, e);
	out_end(&o);
	if (!r && o.error)
		r = err_set(e, -o.error, "cannot write %s: %s", w->json, err_name(-o.error));
	if (r) {
		output_discard(&file);
		return r;
	}
	output_close(&file);
	cmd_note(c, "%s: %s samples, %s", w->json, fmt_grouped(number, sizeof(number), s->stats.samples),
		 fmt_bytes(size, sizeof(size), o.total));
	return 0;
}

static int convert(struct ctx *c, const struct want *w, struct err *e)
{
	struct session s;
	int r = session_open(&s, c->sys, &w->session, e);

	if (r)
		return r;
	r = write_json(c, w, &s, e);
	if (!r)
		session_footer(&s, SESSION_LOSSES, note, c);
	c->incomplete |= session_incomplete(&s);
	session_close(&s);
	return r;
}

static int data_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	const struct cmd *self = cmd_find("data");
	struct err e = { 0 };
	int at = 0;

	if (argc && !strcmp(argv[0], "convert"))
		at = opt_parse(opts, w, argc, argv, &e);
	else
		err_set(&e, EINVAL, "there is one verb: data convert");
	if (at == -ECANCELED) {
		cmd_help(c, self, c->out);
		return EXIT_DONE;
	}
	if (!e.code && at < argc)
		err_set(&e, EINVAL, "what is '%s'?", argv[at]);
	if (!e.code && !w->json)
		err_set(&e, EINVAL, "into what? --to-json FILE; sonde convert has more formats");
	if (e.code)
		return cmd_usage(c, self, &e);
	return convert(c, w, &e) ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(data, .brief = "Convert a recording to perf's JSON", .synopsis = "convert [options]",
	   .examples = PACKED(
		       "sonde data convert --to-json out.json\teach sample as perf's JSON\n"
		       "sonde data convert -i old.data --to-json - | jq '.samples[0]'\tone of them\n"),
	   .opts = opts, .want_size = sizeof(struct want), .run = data_run);
