/* prof_blktrace.c - sonde prof blktrace: time that block I/O requests spend in each stage. */
#include "prof/own.h"

struct want {
	struct prof_want prof;
	struct latency_want latency;
	const char *device;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Device"),
	OPT_STR('d', "device", struct want, device, "<device>",
		"/dev/sda, or MAJOR:MINOR (for a recording); a partition: only its sectors of the disk (default: all)"),
	OPT_SUB(latency_than_opts, struct want, latency),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { GETRQ, INSERT, ISSUE, COMPLETE };
static const char *const events[] = {
	"block:block_getrq", "block:block_rq_insert", "block:block_rq_issue", "block:block_rq_complete", NULL
};

struct blktrace {
	struct latency latency;
	struct latency_want want;                /* with cycle: each event ends the stage that the previous one began */
	const struct texpr **dev, **sector, **sectors;
	char filter[160];
	uint64_t flushes;                        /* requests without sectors */
};

/* The kernel's internal encoding of a device number. */
static uint32_t device_number(uint32_t major, uint32_t minor)
{
	return major << 20 | (minor & 0xfffff);
}

static bool read_number(const char *text, uint32_t *dev)
{
	struct sv rest = sv_from(text), major;
	uint64_t a, b;

	if (!sv_cut(&rest, ':', &major) || !str_u64(major, 10, &a) || !str_u64(sv_trim(rest), 10, &b))
		return false;
	*dev = device_number((uint32_t)a, (uint32_t)b);
	return a < 4096 && b < 1 << 20;
}

/* Its path in sysfs: "class/block/sda1", "dev/block/8:1". */
static void folder_of(const char *device, char to[128])
{
	uint32_t dev;
	bool is_number = read_number(device, &dev);

	if (!strncmp(device, "/dev/", 5))
		device += 5;
	snprintf(to, 128, "/sys/%s/%s", is_number ? "dev/block" : "class/block", device);
	/* sysfs has '!' in place of '/': "cciss!c0d0". */
	for (char *p = is_number ? to + 128 : to + strlen("/sys/class/block/"); p < to + 128 && *p; p++)
		if (*p == '/')
			*p = '!';
}

static int of_this_machine(struct prof *p, struct blktrace *b, const char *device, struct err *e)
{
	char folder[128], text[32], disk[32];
	uint64_t start, n;
	uint32_t dev, whole;

	folder_of(device, folder);
	if (sys_read_line(p->sys, text, sizeof(text), "%s/dev", folder) < 0 || !read_number(text, &dev)) {
		err_set(e, ENODEV, "-d %s: there is no such block device", device);
		return err_hint(e, "ls /sys/class/block has them all");
	}
	snprintf(b->filter, sizeof(b->filter), "dev==%u", dev);
	if (sys_read_u64(p->sys, &start, "%s/partition", folder))
		return 0;
	if (sys_read_u64(p->sys, &start, "%s/start", folder) || sys_read_u64(p->sys, &n, "%s/size", folder) ||
	    sys_read_line(p->sys, disk, sizeof(disk), "%s/../dev", folder) < 0 || !read_number(disk, &whole))
		return err_set(e, EIO, "-d %s: which part of which disk it is cannot be read", device);
	/* Requests belong to the disk; before they are remapped they may still have the partition's number. */
	snprintf(b->filter, sizeof(b->filter), "(dev==%u||dev==%u)&&sector>=%llu&&sector<%llu", whole, dev,
		 (unsigned long long)start, (unsigned long long)(start + n));
	return 0;
}

static int read_device(struct prof *p, struct blktrace *b, struct err *e)
{
	const struct want *w = p->want;
	uint32_t dev;

	if (!w->device)
		return 0;
	if (!w->prof.from.input)
		return of_this_machine(p, b, w->device, e);
	if (!read_number(w->device, &dev)) {
		err_set(e, EINVAL, "-d %s: which device that was is not in a recording", w->device);
		return err_hint(e, "-d MAJOR:MINOR, as sonde prof trace -e block:block_rq_issue prints them: 8,0");
	}
	snprintf(b->filter, sizeof(b->filter), "dev==%u", dev);
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct target_want *t = &((const struct want *)p->want)->prof.target;
	struct blktrace *b = p->own;
	int r;

	if (t->pids || t->tids || t->cgroups) {
		err_set(e, EINVAL,
			"-p, -t and --cgroups cannot choose requests: they end in whatever task is interrupted");
		return err_hint(e, "-d chooses a device; of a command they are all while it runs");
	}
	r = own_events(p, events, e);
	r = r ? r : read_device(p, b, e);
	for (size_t i = 0; !r && *b->filter && i < p->specs.v.n; i++)
		if (!p->specs.v.v[i].untraced)
			r = own_filter(p, &p->specs.v.v[i], b->filter, e);
	return r;
}

static const char *dev_text(const struct spec *s)
{
	return s->untraced ? NULL : "dev";
}

static const char *sector_text(const struct spec *s)
{
	return s->untraced ? NULL : "sector";
}

static const char *sectors_text(const struct spec *s)
{
	return s->untraced ? NULL : "nr_sector";
}

static int begin(struct prof *p, struct err *e)
{
	struct blktrace *b = p->own;
	int r = prof_compile(&b->dev, p, dev_text, e);

	r = r ? r : prof_compile(&b->sector, p, sector_text, e);
	r = r ? r : prof_compile(&b->sectors, p, sectors_text, e);
	b->want = ((const struct want *)p->want)->latency;
	b->want.cycle = true;
	b->latency.shape = (struct latency_shape){ .columns = LATENCY_AVG, .count = "reqs" };
	return r ? r : latency_open(&b->latency, p, &b->want, 1, e);
}

/* Requests are identified by disk and first sector; with -d only by the sector, since a partition has two numbers. */
static uint64_t key_of(struct blktrace *b, struct prof *p, const struct hit *h)
{
	uint32_t i = h->tap->index;
	uint64_t sector = expr_number(&p->feed.expr, b->sector[i], h, UINT64_MAX);

	return *b->filter ? sector : hash_u64(expr_number(&p->feed.expr, b->dev[i], h, 0)) ^ sector;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct blktrace *b = p->own;
	int which = own_event(h->tap, events);
	struct stages_event ev = { .hit = h };

	if (which >= 0 && !expr_number(&p->feed.expr, b->sectors[h->tap->index], h, 0)) {
		b->flushes++;
		which = -1;
	} else if (which >= 0) {
		ev.key = key_of(b, p, h);
	}
	if (which == COMPLETE)
		ev.role = STAGES_ENDS;
	else if (which == GETRQ || (which > GETRQ && !spans_newest(&b->latency.stages.open, ev.key)))
		ev.role = STAGES_BEGINS;
	else if (which > GETRQ)
		ev.role = STAGES_BEGINS | STAGES_ENDS;
	return latency_event(&b->latency, &ev);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct blktrace *b = p->own;

	return latency_lost(&b->latency, cpu);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct blktrace *b = p->own;
	int r = latency_show(&b->latency, last, o, e);

	if (last)
		prof_count(p, o, b->flushes, "events are of requests without sectors (flushes)");
	return r;
}

static void close(struct prof *p)
{
	struct blktrace *b = p->own;

	if (b->latency.prof)
		latency_close(&b->latency);
}

DEFINE_PROF(blktrace) = {
	.cmd = {
		.name = "blktrace", .family = "prof",
		.brief = "Show the latencies of block I/O requests by stage",
		.synopsis = "[-d <device>] [options] [-- command [arguments]]",
		.details = PACKED(
			"From block_getrq (allocated) over block_rq_insert (queued in the I/O scheduler) and "
			"block_rq_issue (sent to the device) to block_rq_complete, matched by first sector. Requests "
			"that bypass the scheduler are a row of their own. -e may filter these events or add events "
			"with untraced."),
		.examples = PACKED(
			"sonde prof blktrace -d /dev/sda -i 1000\ta disk, every second\n"
			"sonde prof blktrace -d /dev/mmcblk0p2 --than 10ms\ta partition, print requests longer than 10 "
				"ms\n"
			"sonde prof blktrace -e block:block_rq_issue/bytes>65536/ -- dd if=/dev/sda of=/dev/null "
				"count=100\tall disks while a command runs\n"
			"sonde prof blktrace -d 8:0 -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct blktrace), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
