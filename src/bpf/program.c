/* program.c - calls of bpf(2), and explanations of its errors. */
#include "bpf/program.h"

#include "base/str.h"

enum { LOG_BYTES = 1 << 18 };

static int refused(int code, const char *what, struct err *e)
{
	err_set(e, code, "the kernel takes no %s: %s", what, err_name(code));
	switch (code) {
	case EPERM:
		return err_hint(e, "run as root, or with CAP_BPF and CAP_PERFMON; kernel.unprivileged_bpf_disabled and "
				   "a lockdown (sonde doctor) forbid it, too");
	case ENOSYS:
		return err_hint(e, "build the kernel with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS");
	default:
		return -code;
	}
}

/* The last line of the verifier's log that is not statistics: the reason for its refusal. */
static struct sv last_words(const char *log)
{
	struct sv rest = sv_from(log), line, last = { "", 0 };

	while (sv_cut(&rest, '\n', &line)) {
		bool counts = line.n > 10 && (!memcmp(line.s, "processed ", 10) || !memcmp(line.s, "verificati", 10) ||
					      !memcmp(line.s, "stack dept", 10));

		if (line.n && !counts)
			last = line;
	}
	return last;
}

static int explain(const struct bpf *b, struct bpf_prog_load *load, size_t n, int code, struct err *e)
{
	char *log = calloc(1, LOG_BYTES);
	struct sv why;

	if (!log)
		return err_nomem(e);
	load->log = (uintptr_t)log;
	load->log_size = LOG_BYTES;
	load->log_level = 1;
	/* Load once more, now with a log buffer, only to get the verifier's message. */
	b->call(b, BPF_PROG_LOAD, load, n);
	log[LOG_BYTES - 1] = '\0';
	why = last_words(log);
	if (why.n)
		err_set(e, code, "the kernel's verifier refuses the program: %.*s", (int)MIN(why.n, 200u), why.s);
	else
		refused(code, "BPF program of this kind", e);
	free(log);
	return -code;
}

static int load_prog(const struct bpf *b, const struct asm_prog *a, struct bpf_prog_load *load, struct err *e)
{
	size_t n = load->attach_to ? sizeof(*load) : offsetof(struct bpf_prog_load, name);
	int r = asm_end(a, e);

	if (r)
		return r;
	load->n_insns = a->n;
	load->insns = (uintptr_t)a->v;
	load->license = (uintptr_t)"GPL";
	r = b->call(b, BPF_PROG_LOAD, load, n);
	if (r == -EPERM || r == -ENOSYS)
		return refused(-r, "BPF programs", e);
	return r < 0 ? explain(b, load, n, -r, e) : r;
}

int program_load(const struct bpf *b, const struct asm_prog *a, enum bpf_prog_type type, struct err *e)
{
	struct bpf_prog_load load = { .type = type, .flags = type == BPF_PROG_SYSCALL ? BPF_PROG_SLEEPABLE : 0 };

	return load_prog(b, a, &load, e);
}

int program_load_typed(const struct bpf *b, const struct asm_prog *a, uint32_t typedef_id, struct err *e)
{
	struct bpf_prog_load load = { .type = BPF_PROG_TRACING, .attach = BPF_TRACE_RAW_TP, .attach_to = typedef_id };

	return load_prog(b, a, &load, e);
}

uint64_t program_missed(const struct bpf *b, int fd)
{
	struct bpf_prog p = { 0 };
	struct bpf_ask ask = { .fd = (uint32_t)fd, .size = sizeof(p), .info = (uintptr_t)&p };

	return b->call(b, BPF_INFO_BY_FD, &ask, sizeof(ask)) ? 0 : p.missed;
}

bool program_has_our_tids(const struct sys *sys)
{
	static const char first[] = "pid:[4026531836]";
	char link[64];
	ssize_t n = sys->readlink(sys, "/proc/self/ns/pid", link, sizeof(link));

	return n <= 0 || sv_eq((struct sv){ link, (size_t)n }, first);
}

/* --- maps --- */

int program_map(const struct bpf *b, const struct bpf_map_make *m, struct err *e)
{
	struct bpf_map_make make = *m;
	int r = b->call(b, BPF_MAP_CREATE, &make, sizeof(make));

	return r < 0 ? refused(-r, "BPF maps", e) : r;
}

static int at(const struct bpf *b, enum bpf_cmd cmd, int map, const void *key, const void *value)
{
	struct bpf_map_at a = { .map = (uint32_t)map, .key = (uintptr_t)key, .value = (uintptr_t)value };

	return b->call(b, (int)cmd, &a, sizeof(a));
}

int program_map_get(const struct bpf *b, int map, const void *key, void *value)
{
	return at(b, BPF_MAP_LOOKUP, map, key, value);
}

int program_map_put(const struct bpf *b, int map, const void *key, const void *value)
{
	return at(b, BPF_MAP_UPDATE, map, key, value);
}

int program_map_drop(const struct bpf *b, int map, const void *key)
{
	return at(b, BPF_MAP_DELETE, map, key, NULL);
}

int program_map_next(const struct bpf *b, int map, const void *key, void *next)
{
	return at(b, BPF_MAP_NEXT_KEY, map, key, next);
}
