/* cmd_buildid_list.c - sonde buildid-list: build ids of a recording's DSOs, the running kernel, or an ELF file. */
#include "cmd/cmd.h"

#include "record/built.h"
#include "sys/notes.h"

struct want {
	struct session_want session;
	bool hits, kernel, ignored;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, session.path, "<file>", "recording (-: standard input) or ELF file to read"),
	OPT_FLAG('H', "with-hits", struct want, hits, "only DSOs with samples"),
	OPT_FLAG('k', "kernel", struct want, kernel, "build ID of the running kernel"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_IGNORED('v', "verbose", COUNT, struct want, verbose),
	OPT_REFUSED('m', "kernel-maps", OPT_NO_VALUE, "", "addresses of the kernel's parts are not listed here",
		    "see /proc/modules"),
	OPT_END,
};

static void show(const struct built *f, bool hits, struct out *o)
{
	char text[2 * BUILD_ID_MAX + 1];

	for (size_t i = 0; i < f->v.n; i++) {
		const struct built_file *file = &f->v.v[i];

		if (file->hit || (!hits && file->id.size))
			out_printf(o, "%-40s %s\n", build_id_text(&file->id, text, sizeof(text)), file->name);
	}
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int of_recording(struct ctx *c, const struct want *w, struct err *e)
{
	struct built f = { 0 };
	struct session s;
	int r = session_open(&s, c->sys, &w->session, e);

	if (r)
		return r;
	session_unordered(&s);
	/* Without build ids in the header, list the DSOs that samples hit, as perf does, even if no id is known. */
	r = built_head(&f, s.head) ? err_nomem(e)
				   : built_records(&f, &s, w->hits || !f.v.n ? BUILT_HITS : BUILT_TOLD, e);
	if (!r)
		show(&f, w->hits, c->out);
	session_footer(&s, SESSION_LOSSES, note, c);
	c->incomplete |= session_incomplete(&s);
	built_deinit(&f);
	session_close(&s);
	return r;
}

static int of_kernel(struct ctx *c, struct err *e)
{
	char text[2 * BUILD_ID_MAX + 1];
	struct build_id id;

	if (!sys_kernel_build_id(c->sys, &id))
		return err_set(e, ENOENT, "this kernel does not tell its build id in /sys/kernel/notes");
	out_printf(c->out, "%s\n", build_id_text(&id, text, sizeof(text)));
	return 0;
}

/* False: path is no ELF file. Otherwise *r is 0 or -errno. */
static bool of_file(struct ctx *c, const char *path, int *r, struct err *e)
{
	char text[2 * BUILD_ID_MAX + 1];
	const uint8_t *p;
	struct build_id id;
	struct elf f;
	size_t n;

	if (!path || !strcmp(path, "-") || sys_map_file(c->sys, path, &p, &n, NULL))
		return false;

	bool is_elf = !elf_init(&f, p, n, NULL);

	*r = 0;
	if (is_elf && build_id_of(&f, &id))
		out_printf(c->out, "%s\n", build_id_text(&id, text, sizeof(text)));
	else if (is_elf)
		*r = err_set(e, ENOENT, "%s has no build id: it was linked without --build-id", path);
	sys_unmap_file(c->sys, p, n);
	return is_elf;
}

static int list_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct err e = { 0 };
	int r;

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One file at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("buildid-list"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	if (w->kernel && (w->session.path || w->hits)) {
		err_set(&e, EINVAL, "-k is of the kernel that is running: of no recording");
		return cmd_usage(c, cmd_find("buildid-list"), &e);
	}
	if (w->kernel)
		r = of_kernel(c, &e);
	else if (!of_file(c, w->session.path, &r, &e))
		r = of_recording(c, w, &e);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD_NAMED(buildid_list, "buildid-list", .brief = "List the build IDs of a recording's DSOs",
		 .synopsis = "[options] [-i file]",
		 .examples = PACKED(
			     "sonde buildid-list\tall DSOs of the recording\n"
			     "sonde buildid-list -H\tDSOs with samples\n"
			     "sonde buildid-list -i /usr/bin/ls\ta program\n"
			     "sonde buildid-list -k\tthe running kernel\n"),
		 .opts = opts, .want_size = sizeof(struct want), .run = list_run);
