/* BPF programs that run before a recording: records of a kernel that is a table of programs. */
#include "abi/bpf.h"
#include "btf_build.h"
#include "perf/record.h"
#include "perf/side.h"
#include "record/synth.h"
#include "sys/bpf.h"

#include <fcntl.h>
#include <unistd.h>

enum { PROG_FD = 100, TYPES_FD = 200, FUNCTIONS = 3 };

struct program {
	uint32_t id, n, n_tags, n_funcs;
	const char *name;
	uint32_t btf_id;
	uint64_t addr[FUNCTIONS];
	uint32_t len[FUNCTIONS], type[FUNCTIONS];
	bool gone;
};

static struct {
	struct program v[4];
	size_t n;
	int refuse;              /* -errno of the first question */
	struct btf_build types;
	int n_open;
} k;

static int next_id(uint32_t *at)
{
	for (size_t i = 0; i < k.n; i++) {
		if (k.v[i].id > at[0]) {
			at[1] = k.v[i].id;
			return 0;
		}
	}
	return -ENOENT;
}

static int open_program(uint32_t id)
{
	for (size_t i = 0; i < k.n; i++) {
		if (k.v[i].id == id && !k.v[i].gone) {
			k.n_open++;
			return PROG_FD + (int)i;
		}
	}
	return -ENOENT;
}

static int tell_types(struct bpf_btf *t)
{
	if (t->bytes) {
		CHECK_EQ(t->size, k.types.n);
		memcpy((void *)(uintptr_t)t->bytes, k.types.v, k.types.n);
	}
	t->size = (uint32_t)k.types.n;
	return 0;
}

static void tell_functions(struct bpf_prog *a, const struct program *p)
{
	for (uint32_t i = 0; i < p->n; i++) {
		struct bpf_func f = { i * 10, p->type[i] };

		if (a->ksyms)
			memcpy((uint8_t *)(uintptr_t)a->ksyms + i * 8, &p->addr[i], 8);
		if (a->lens)
			memcpy((uint8_t *)(uintptr_t)a->lens + i * 4, &p->len[i], 4);
		if (a->tags)
			memset((uint8_t *)(uintptr_t)a->tags + i * BPF_TAG, (int)(0xa0 + i), BPF_TAG);
		if (a->funcs)
			memcpy((uint8_t *)(uintptr_t)a->funcs + i * 16, &f, sizeof(f));
	}
}

/* The kernel refuses sizes of what it does not know, and counts without a place. */
static int tell_program(struct bpf_prog *a, const struct program *p)
{
	CHECK(!a->n_lines && !a->line_size && !a->jited_len);
	CHECK(!a->n_funcs || a->func_size == 16);
	tell_functions(a, p);
	a->id = p->id;
	memset(a->tag, 0xa0, BPF_TAG);
	snprintf(a->name, sizeof(a->name), "%s", p->name);
	a->n_ksyms = a->n_lens = p->n;
	a->n_tags = p->n_tags;
	a->btf_id = p->btf_id;
	a->n_funcs = p->n_funcs;
	a->func_size = p->btf_id ? 16 : 0;
	return 0;
}

static int fake_call(const struct bpf *b UNUSED, int cmd, void *attr, size_t n)
{
	struct bpf_ask *ask = attr;

	CHECK(n >= 12);
	if (k.refuse)
		return k.refuse;
	if (cmd == BPF_PROG_NEXT_ID)
		return next_id(attr);
	if (cmd == BPF_PROG_FD_BY_ID)
		return open_program(*(uint32_t *)attr);
	if (cmd == BPF_BTF_FD_BY_ID) {
		k.n_open++;
		return TYPES_FD;
	}
	CHECK_EQ(cmd, BPF_INFO_BY_FD);
	if (ask->fd == TYPES_FD)
		return tell_types((struct bpf_btf *)(uintptr_t)ask->info);
	CHECK_EQ(ask->size, sizeof(struct bpf_prog));
	return tell_program((struct bpf_prog *)(uintptr_t)ask->info, &k.v[ask->fd - PROG_FD]);
}

static const struct bpf fake = { .call = fake_call };

static int fake_close(const struct sys *s UNUSED, int fd)
{
	if (fd >= PROG_FD)
		k.n_open--;
	else
		close(fd);
	return 0;
}

static char root[64] = "/tmp/synth_bpf.XXXXXX";

static void remove_root(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(root);
}

static void put_kallsyms(const char *text)
{
	char path[128];
	int fd;

	CHECK(mkdtemp(root) != NULL);
	t_at_end(remove_root);
	snprintf(path, sizeof(path), "%s/proc", root);
	CHECK_EQ(sys_live.mkdir(&sys_live, path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* A line for each record that it leaves. */
static const char *told(enum synth_bpf what)
{
	static char text[2048];
	struct sys sys = sys_with_root(root);
	struct mem_out out;
	struct synth s = { .sys = &sys, .out = &out.out, .id = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME } };
	struct perf_record r;
	struct side d;
	uint64_t off = 0;
	size_t n = 0;

	sys.close = fake_close;
	mem_out_init(&out);
	synth_bpf(&s, &fake, what);
	out_flush(&out.out);
	text[0] = '\0';
	while (perf_record_next((struct bytes){ (uint8_t *)out.v, out.n }, false, &off, &r, NULL) == 1) {
		if (r.type == PERF_REC_BPF_EVENT) {
			CHECK_EQ(r.body.n, 16 + 16);
			n += (size_t)snprintf(text + n, sizeof(text) - n, "program %u tag %02x\n", r.body.p[4],
					      r.body.p[15]);
			continue;
		}
		CHECK_EQ(side_decode(&r, false, &d), 1);
		CHECK(!d.ksymbol.gone);
		CHECK_EQ(r.body.p[12], PERF_KSYMBOL_BPF);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%llx %u %s\n", (unsigned long long)d.ksymbol.addr,
				      d.ksymbol.len, d.ksymbol.name);
	}
	CHECK_EQ(off, out.n);
	CHECK_EQ(k.n_open, 0);
	mem_out_deinit(&out);
	return text;
}

static void add(struct program p)
{
	p.n_tags = p.n_tags ? p.n_tags : p.n;
	k.v[k.n++] = p;
}

TEST(synth_bpf_tells_programs_by_tag_and_name)
{
	add((struct program){ .id = 3, .n = 1, .name = "burn", .addr = { 0xffffffffc0001000 }, .len = { 100 } });
	add((struct program){ .id = 4, .n = 1, .name = "", .addr = { 0xffffffffc0002000 }, .len = { 8 } });
	CHECK_STR(told(SYNTH_BPF_EVENTS), "ffffffffc0001000 100 bpf_prog_a0a0a0a0a0a0a0a0_burn\n"
					  "program 3 tag a0\n"
					  "ffffffffc0002000 8 bpf_prog_a0a0a0a0a0a0a0a0\n"
					  "program 4 tag a0\n");
	CHECK_STR(told(SYNTH_BPF_SYMBOLS), "ffffffffc0001000 100 bpf_prog_a0a0a0a0a0a0a0a0_burn\n"
					   "ffffffffc0002000 8 bpf_prog_a0a0a0a0a0a0a0a0\n");
}

TEST(synth_bpf_takes_names_of_functions_from_btf)
{
	struct btf_build *b = &k.types;
	uint32_t type_int, proto, first, second;

	*b = (struct btf_build){ .n_strings = 1 };
	type_int = btf_int(b, "int", 4, BTF_SIGNED | 32);
	proto = btf_type(b, BTF_PROTO, "", 0, type_int);
	first = btf_type(b, BTF_FUNC, "a_name_longer_than_sixteen", 0, proto);
	second = btf_type(b, BTF_FUNC, "helper", 0, proto);
	btf_finish(b);
	/* The last one's type is no function. */
	add((struct program){ .id = 7, .n = 3, .n_funcs = 3, .name = "a_name_longer_t", .btf_id = 9,
			      .addr = { 0x1000, 0x2000, 0x3000 }, .len = { 10, 20, 30 },
			      .type = { first, second, type_int } });
	CHECK_STR(told(SYNTH_BPF_EVENTS), "1000 10 bpf_prog_a0a0a0a0a0a0a0a0_a_name_longer_than_sixteen\n"
					  "2000 20 bpf_prog_a1a1a1a1a1a1a1a1_helper\n"
					  "3000 30 bpf_prog_a2a2a2a2a2a2a2a2\n"
					  "program 7 tag a0\n");
	/* Without types functions are called F, as by the kernel; of bytes that are no BTF nothing is told. */
	k.v[0].btf_id = k.v[0].n_funcs = 0;
	CHECK_STR(told(SYNTH_BPF_SYMBOLS), "1000 10 bpf_prog_a0a0a0a0a0a0a0a0_F\n"
					   "2000 20 bpf_prog_a1a1a1a1a1a1a1a1_F\n"
					   "3000 30 bpf_prog_a2a2a2a2a2a2a2a2_F\n");
	k.v[0].btf_id = 9;
	k.v[0].n_funcs = 3;
	b->v[0] ^= 1;
	CHECK_STR(told(SYNTH_BPF_EVENTS), "");
}

TEST(synth_bpf_leaves_out_what_is_hidden_gone_or_makes_no_sense)
{
	add((struct program){ .id = 1, .n = 1, .name = "hidden", .len = { 10 } });
	add((struct program){ .id = 2, .n = 1, .name = "gone", .addr = { 1 }, .len = { 10 }, .gone = true });
	add((struct program){ .id = 5, .n = 2, .n_tags = 1, .name = "odd", .addr = { 1, 2 }, .len = { 1, 1 } });
	add((struct program){ .id = 6, .n = 1, .name = "interpreted", .addr = { 0x5000 } });
	CHECK_STR(told(SYNTH_BPF_EVENTS), "program 1 tag a0\nprogram 6 tag a0\n");
	k.refuse = -EPERM;
	CHECK_STR(told(SYNTH_BPF_EVENTS), "");
}

TEST(synth_bpf_tells_trampolines_of_the_kernels_list)
{
	put_kallsyms("ffffffff81000000 T _text\n"
		     "ffffffff81000100 t bpf_trampoline_enter\n"
		     "ffffffffc0300000 t bpf_prog_a0a0a0a0a0a0a0a0_burn\t[bpf]\n"
		     "ffffffffc0400000 t bpf_trampoline_6442\t[bpf]\n"
		     "0000000000000000 t bpf_trampoline_6443\t[bpf]\n"
		     "ffffffffc0500000 t bpf_dispatcher_xdp\t[bpf]\n");
	CHECK_STR(told(SYNTH_BPF_SYMBOLS), "");
	add((struct program){ .id = 3, .n = 1, .name = "burn", .addr = { 0xffffffffc0300000 }, .len = { 100 } });

	char want[300];
	long page = sysconf(_SC_PAGESIZE);

	snprintf(want, sizeof(want), "ffffffffc0300000 100 bpf_prog_a0a0a0a0a0a0a0a0_burn\n"
				     "ffffffffc0400000 %ld bpf_trampoline_6442\n"
				     "ffffffffc0500000 %ld bpf_dispatcher_xdp\n", page, page);
	CHECK_STR(told(SYNTH_BPF_SYMBOLS), want);
}
