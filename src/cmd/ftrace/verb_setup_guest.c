/* verb_setup_guest.c - sonde ftrace setup-guest: pipes through which the pages of a virtual machine's CPUs come. */
#include "cmd/ftrace/verbs.h"
#include "sys/child.h"
#include "sys/fifo.h"
#include "sys/output.h"

#include <fcntl.h>

#define FOLDER "/var/lib/trace-cmd/virt/"
#define PIPE "trace-pipe-cpu"

enum { CPUS_MOST = 1024 };

struct want {
	uint64_t cpus;
	const char *mode, *group;
	bool attach;
};

static const struct opt opts[] = {
	OPT_U64('c', NULL, struct want, cpus, "<n>", "number of the guest's CPUs"),
	OPT_STR('p', NULL, struct want, mode, "<mode>", "permissions of the FIFOs, octal (default 0660)"),
	OPT_STR('g', NULL, struct want, group, "<group>", "group of the FIFOs"),
	OPT_FLAG('a', NULL, struct want, attach, "add them to the guest's definition with virsh"),
	OPT_END,
};

struct job {
	struct ctx *c;
	const struct want *w;
	const char *guest;
	uint64_t mode;
	int64_t gid;
};

static int make_pipes(const struct job *j, struct err *e)
{
	static const char *const ends[] = { "in", "out" };
	char path[PATH_MAX];
	int r;

	snprintf(path, sizeof(path), FOLDER "%s", j->guest);
	r = fifo_folder(j->c->sys, path, 0750, e);
	for (uint64_t i = 0; !r && i < 2 * j->w->cpus; i++) {
		snprintf(path, sizeof(path), FOLDER "%s/" PIPE "%u.%s", j->guest, (unsigned)i / 2, ends[i % 2]);
		r = fifo_make(j->c->sys, path, (unsigned)j->mode, j->gid, e);
	}
	return r;
}

/* The device for libvirt; the guest sees it as /dev/virtio-ports/trace-pipe-cpuN. */
static void put_channel(const struct job *j, unsigned cpu, struct out *o)
{
	out_printf(o,
		   "<channel type='pipe'>\n"
		   "  <source path='" FOLDER "%s/" PIPE "%u'/>\n"
		   "  <target type='virtio' name='" PIPE "%u'/>\n"
		   "</channel>\n",
		   j->guest, cpu, cpu);
}

/* Replace the contents of the open file, which virsh reads. */
static int put_file(const struct job *j, unsigned cpu, int fd, struct err *e)
{
	struct mem_out m;
	const char *text;
	int r;

	mem_out_init(&m);
	put_channel(j, cpu, &m.out);
	text = mem_out_str(&m);
	r = j->c->sys->ftruncate(j->c->sys, fd, 0);
	if (!r)
		r = j->c->sys->seek(j->c->sys, fd, 0);
	if (!r)
		r = sys_write_all(j->c->sys, fd, text, strlen(text));
	mem_out_deinit(&m);
	return r ? err_set(e, -r, "cannot write the definition: %s", err_name(-r)) : 0;
}

static int attach_one(const struct job *j, unsigned cpu, const char *path, struct err *e)
{
	char guest[256], file[PATH_MAX];
	char *argv[] = { (char[]){ "virsh" }, (char[]){ "attach-device" }, (char[]){ "--config" }, guest, file, NULL };
	struct child child;
	int r, status;

	str_copy(guest, sizeof(guest), sv_from(j->guest));
	str_copy(file, sizeof(file), sv_from(path));
	r = child_hold(&child, argv, &(struct child_how){ .out = CHILD_STDOUT_IS_STDERR }, e);
	if (!r)
		r = child_go(&child, argv[0], e);
	if (r)
		return r;
	status = child_wait(&child, NULL);
	return status ? err_set(e, ENXIO, "virsh has not added the pipe of CPU %u (exit status %d)", cpu, status) : 0;
}

static int attach(const struct job *j, struct err *e)
{
	char path[PATH_MAX];
	int fd, r = 0;

	snprintf(path, sizeof(path), FOLDER "%s/channel.xml", j->guest);
	j->c->sys->unlink(j->c->sys, path);
	fd = output_new(j->c->sys, path, O_RDWR, OUTPUT_PRIVATE);
	if (fd < 0)
		return err_set(e, -fd, "cannot make %s: %s", path, err_name(-fd));
	for (unsigned cpu = 0; !r && cpu < j->w->cpus; cpu++) {
		r = put_file(j, cpu, fd, e);
		if (!r)
			r = attach_one(j, cpu, path, e);
	}
	j->c->sys->close(j->c->sys, fd);
	j->c->sys->unlink(j->c->sys, path);
	return r;
}

static void tell(const struct job *j)
{
	for (unsigned cpu = 0; cpu < j->w->cpus; cpu++)
		put_channel(j, cpu, j->c->out);
	out_flush(j->c->out);
	cmd_note(j->c, "the pipes are there; the machine has them when these definitions are among its devices "
		       "(-a, or virsh edit %s), from its next start on", j->guest);
}

static int check(struct job *j, int argc, char **argv, struct err *e)
{
	const struct want *w = j->w;

	if (argc != 1)
		return err_set(e, EINVAL, "one machine is to be named");
	j->guest = argv[0];
	if (!*j->guest || *j->guest == '.' || strpbrk(j->guest, "/'<>&") || strlen(j->guest) > 200)
		return err_set(e, EINVAL, "'%s' cannot be the name of a machine", j->guest);
	if (!w->cpus) {
		err_set(e, EINVAL, "how many CPUs has it? -c N");
		return err_hint(e, "virsh vcpucount --maximum %s", j->guest);
	}
	if (w->cpus > CPUS_MOST)
		return err_set(e, EINVAL, "-c: more than %d", CPUS_MOST);
	if (!str_u64(sv_from(w->mode ? w->mode : "0660"), 8, &j->mode) || j->mode > 0777)
		return err_set(e, EINVAL, "-p: '%s' are no permissions (0660)", w->mode);
	if (w->attach && !child_in_path("virsh")) {
		err_set(e, ENOENT, "-a: there is no virsh, which tells libvirt of new devices");
		return err_hint(e, "without -a the definitions are written for you to add");
	}
	j->gid = FIFO_GROUP_OURS;
	return w->group ? fifo_group(j->c->sys, w->group, &j->gid, e) : 0;
}

static int setup_guest_verb(struct ctx *c, void *want, int argc, char **argv)
{
	struct job j = { .c = c, .w = want };
	struct err e = { 0 };
	int r;

	if (check(&j, argc, argv, &e))
		return cmd_usage(c, cmd_verb(verbs, "setup-guest"), &e);
	r = make_pipes(&j, &e);
	if (!r && j.w->attach)
		r = attach(&j, &e);
	else if (!r)
		tell(&j);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_VERB(setup_guest, "setup-guest", .brief = "Create FIFOs for trace data of a guest",
	    .synopsis = "-c cpus [options] <machine>",
	    .details = PACKED(
		       "The FIFOs "
		       "are for "
		       "trace-cmd's "
		       "'record "
		       "-A' on "
		       "this host "
		       "and its "
		       "'agent' in "
		       "the guest: " FOLDER "NAME/" PIPE
			"N.in and .out. Without -a the device definitions are printed. 'record -A' and 'agent' of "
			"sonde do not need FIFOs: they use vsock."),
	    .examples = PACKED(
			"sonde ftrace setup-guest -c 4 -g libvirt-qemu vm\tprint the devices for 'virsh edit vm'\n"
			"sonde ftrace setup-guest -c 4 -g libvirt-qemu -a vm\tadd them to its definition\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = setup_guest_verb);
