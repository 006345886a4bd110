/* verb_attach.c - sonde ftrace attach: links a host's and a guest's recording that were made without an agent. */
#include "cmd/ftrace/input.h"
#include "cmd/ftrace/verbs.h"
#include "tracefs/dat/guest.h"
#include "tracefs/dat/shift.h"
#include "tracefs/format/events.h"
#include "tracing/transport/convert.h"

enum { VCPUS = 1024, THREADS = 4096 };

struct want {
	uint64_t cpus;
	struct tshift_sample shifts[VCPUS];
	size_t n_shifts;
};

/* OFFSET,SCALE,FRACTION,TIME: all but OFFSET may be empty or left out, and then change nothing. */
static int add_shift(void *field, const char *value, struct err *e)
{
	struct want *w = field;
	struct sv rest = sv_from(value), piece;
	int64_t v[4] = { 0, 1, 0, 0 };
	size_t n = 0;

	for (; sv_cut(&rest, ',', &piece); n++) {
		if (n == ARRAY_SIZE(v) || (piece.n && !str_i64(piece, 0, &v[n])) || (!n && !piece.n))
			return err_set(e, EINVAL, "'%s' is not OFFSET[,SCALE[,FRACTION[,TIME]]]", value);
	}
	if (v[2] < 0 || v[2] > 63)
		return err_set(e, EINVAL, "%lld bits of fraction: 0 to 63 there are", (long long)v[2]);
	if (w->n_shifts == VCPUS)
		return err_set(e, EINVAL, "more than %d of them", VCPUS);
	w->shifts[w->n_shifts++] =
		(struct tshift_sample){ .offset = v[0], .scaling = v[1], .fraction = v[2], .time = v[3] };
	return 0;
}

static const struct opt opts[] = {
	OPT_U64('c', NULL, struct want, cpus, "<n>", "number of the guest's CPUs (default: those of its recording)"),
	OPT_CALL_WANT('s', NULL, 0, add_shift, "<shift>",
		      "OFFSET[,SCALE[,FRACTION[,TIME]]]: conversion of guest to host timestamps; repeat per CPU, the "
		      "last one is for all others"),
	OPT_END,
};

struct job {
	struct ctx *c;
	struct want *w;
	struct input host, guest;
	uint64_t host_id, guest_id;
	uint32_t ncpus;
	int threads[THREADS];
	size_t n_threads;
	int32_t vcpus[VCPUS];     /* host thread of each vCPU; -1: unknown */
	uint32_t n_vcpus;         /* highest vCPU seen, + 1 */
	struct tshift_cpu shifts[VCPUS];
};

/* --- which host thread runs which vCPU --- */

static void see(struct job *j, int64_t thread, uint64_t vcpu)
{
	if (vcpu >= VCPUS || j->vcpus[vcpu] >= 0)
		return;
	for (size_t i = 0; i < j->n_threads; i++)
		if (j->threads[i] == thread) {
			j->vcpus[vcpu] = (int32_t)thread;
			j->n_vcpus = MAX(j->n_vcpus, (uint32_t)vcpu + 1);
		}
}

/* kvm_entry and kvm_exit; on x86 they have the number of the vCPU, on arm64 they do not. */
struct kvm {
	const struct tevent *ev;
	const struct tfield *vcpu, *pid;
};

static bool find_kvm(const struct tevents *t, const char *name, struct kvm *k)
{
	k->ev = tevents_by_name(t, SV("kvm"), sv_from(name));
	k->vcpu = k->ev ? tfmt_field(&k->ev->fmt, "vcpu_id") : NULL;
	k->pid = k->ev ? tfmt_field(&k->ev->fmt, "common_pid") : NULL;
	return k->vcpu && k->pid;
}

static int follow(struct job *j, struct tevents *t, struct err *e)
{
	struct kvm kvm[2] = { 0 };
	struct tdat_reader *reader;
	struct tstream_rec rec;
	bool entry = find_kvm(t, "kvm_entry", &kvm[0]), leave = find_kvm(t, "kvm_exit", &kvm[1]);
	uint64_t vcpu, pid;
	int r;

	if (!entry && !leave) {
		err_set(e, ENODATA, "it has no kvm_entry or kvm_exit that tells which CPU of the guest it is");
		return err_hint(e, "without thread numbers behind the files, only clocks are joined");
	}
	reader = tdat_reader_new(&j->host.dat, -1, e);
	if (!reader)
		return -e->code;
	while ((r = tdat_reader_next(reader, &rec, e)) > 0) {
		const struct tevent *ev = tevents_of(t, rec.raw, rec.n);

		for (size_t i = 0; ev && i < ARRAY_SIZE(kvm); i++)
			if (ev == kvm[i].ev && kvm[i].vcpu && kvm[i].pid &&
			    tfmt_u64(kvm[i].vcpu, rec.raw, rec.n, &vcpu) &&
			    tfmt_u64(kvm[i].pid, rec.raw, rec.n, &pid))
				see(j, (int32_t)pid, vcpu);
	}
	tdat_reader_free(reader);
	if (!r && !j->n_vcpus)
		return err_set(e, ESRCH, "none of these threads has run a CPU of a guest in it");
	return r;
}

static int map_cpus(struct job *j, struct err *e)
{
	struct tevents t;
	int r;

	memset(j->vcpus, 0xff, sizeof(j->vcpus));
	if (!j->n_threads)
		return 0;
	tevents_init(&t, j->host.dat.blob.machine);
	r = tevents_add_blob(&t, &j->host.dat.blob, e);
	if (!r)
		r = follow(j, &t, e);
	tevents_deinit(&t);
	return r;
}

/* --- options --- */

static uint64_t id_of(const struct tdat *d)
{
	const struct tdat_option *o = tdat_option(d, TDAT_TRACEID);
	struct cursor c = cur_from(o ? o->data.s : NULL, o ? o->data.n : 0);

	c.swap = d->blob.machine.swap;
	return cur_u64(&c);
}

/* Is the guest in the host's recording already? */
static bool is_attached(const struct job *j)
{
	for (size_t i = 0; i < j->host.dat.options.n; i++) {
		const struct tdat_option *o = &j->host.dat.options.v[i];
		struct cursor c = cur_from(o->data.s, o->data.n);

		c.swap = j->host.dat.blob.machine.swap;
		cur_str(&c);
		if (o->id == TDAT_GUEST && cur_u64(&c) == j->guest_id && !c.bad)
			return true;
	}
	return false;
}

static int tell_host(struct job *j, const char *path, struct err *e)
{
	struct tguest g = { .name = "", .id = j->guest_id, .ncpus = MAX(j->ncpus, j->n_vcpus), .pids = j->vcpus };
	struct tdat_option o = { .id = TDAT_GUEST };
	struct mem_out m;
	int r;

	if (is_attached(j)) {
		cmd_note(j->c, "%s knows this guest already (0x%llx)", path, (unsigned long long)j->guest_id);
		return 0;
	}
	mem_out_init(&m);
	tguest_put(&m.out, &g);
	o.data = (struct sv){ mem_out_str(&m), (size_t)m.out.total };
	r = convert_add(j->c->sys, &j->host.dat, path, &o, 1, 0, e);
	mem_out_deinit(&m);
	return r;
}

static void put_shift(struct job *j, struct out *o)
{
	struct tshift s = { .peer = j->host_id, .ncpus = j->ncpus, .cpus = j->shifts };

	for (uint32_t i = 0; i < j->ncpus; i++)
		j->shifts[i] = (struct tshift_cpu){ .v = &j->w->shifts[MIN(i, j->w->n_shifts - 1)], .n = 1 };
	tshift_put(o, &s);
}

static int tell_guest(struct job *j, const char *path, struct err *e)
{
	const struct tdat_option *tsc = tdat_option(&j->host.dat, TDAT_TSC2NSEC);
	struct tdat_option o[2] = { { .id = TDAT_TIME_SHIFT } };
	uint64_t once = 1u << TDAT_TIME_SHIFT;
	struct mem_out m;
	size_t n = 1;
	int r;

	mem_out_init(&m);
	put_shift(j, &m.out);
	o[0].data = (struct sv){ mem_out_str(&m), (size_t)m.out.total };
	if (tsc) {
		o[n++] = *tsc;
		once |= 1u << TDAT_TSC2NSEC;
	}
	r = convert_add(j->c->sys, &j->guest.dat, path, o, n, once, e);
	mem_out_deinit(&m);
	return r;
}

/* --- */

static int check(struct job *j, int argc, char **argv, struct err *e)
{
	uint64_t pid;

	if (argc < 2)
		return err_set(e, EINVAL, "the host's recording and the guest's are needed");
	if (!j->w->n_shifts) {
		err_set(e, EINVAL, "-s is needed: what makes times of the guest the host's");
		return err_hint(e, "of an x86 guest: the negative of tsc-offset in /sys/kernel/debug/kvm/PID-*/vcpu0");
	}
	if (j->w->cpus > VCPUS || argc - 2 > THREADS)
		return err_set(e, EINVAL, "more than %d CPUs, or %d threads", VCPUS, THREADS);
	for (int i = 2; i < argc; i++) {
		if (!str_u64(sv_from(argv[i]), 10, &pid) || pid > INT_MAX)
			return err_set(e, EINVAL, "'%s' is no thread", argv[i]);
		j->threads[j->n_threads++] = (int)pid;
	}
	return 0;
}

/* Options are copied from one file to the other, so both must have this machine's byte order. */
static int compare(struct job *j, char **argv, struct err *e)
{
	j->host_id = id_of(&j->host.dat);
	j->guest_id = id_of(&j->guest.dat);
	j->ncpus = j->w->cpus ? (uint32_t)j->w->cpus : MIN(j->guest.dat.ncpus, (uint32_t)VCPUS);
	for (int i = 0; i < 2; i++)
		if ((i ? &j->guest : &j->host)->dat.blob.machine.swap)
			return err_set(e, EOPNOTSUPP, "%s is of a machine with another order of bytes", argv[i]);
	if (!j->guest_id) {
		err_set(e, ENODATA, "%s has no TRACEID by which the host could know it", argv[1]);
		return err_hint(e, "those that 'record' makes have one");
	}
	return map_cpus(j, e) ? err_wrap(e, "%s", argv[0]) : 0;
}

static int attach(struct job *j, char **argv, struct err *e)
{
	int r = input_open(&j->host, j->c->sys, argv[0], e);

	if (r)
		return r;
	r = input_open(&j->guest, j->c->sys, argv[1], e);
	if (!r) {
		r = compare(j, argv, e);
		if (!r)
			r = tell_host(j, argv[0], e);
		if (!r)
			r = tell_guest(j, argv[1], e);
		input_close(&j->guest);
	}
	input_close(&j->host);
	return r;
}

static int attach_verb(struct ctx *c, void *want, int argc, char **argv)
{
	struct job *j = calloc(1, sizeof(*j));
	struct err e = { 0 };
	int r;

	if (!j) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	j->c = c;
	j->w = want;
	if (check(j, argc, argv, &e))
		r = cmd_usage(c, cmd_verb(verbs, "attach"), &e);
	else
		r = attach(j, argv, &e) ? cmd_fail(c, &e) : EXIT_DONE;
	free(j);
	return r;
}

DEFINE_VERB(attach, "attach", .brief = "Synchronize the recordings of a host and its guest",
	    .synopsis = "[options] <host file> <guest file> [<thread>...]",
	    .details = PACKED(
		       "For recordings made at the same time without 'agent' and 'record -A', which do this "
		       "themselves. The guest's recording gets the clock offset to the host, the host's recording the "
		       "mapping of threads to vCPUs: give the threads of the VMM process, and record kvm_entry or "
		       "kvm_exit."),
	    .examples = PACKED(
			"sonde ftrace attach -s 27950965013436847 trace.dat guest.dat 63198 63199\tafter recording\n"
			"sonde ftrace report -i trace.dat -i guest.dat\tboth, merged by time\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = attach_verb);
