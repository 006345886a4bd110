/*
 * files DIR SECONDS [RUNS] - whole files, mutated, through the commands. Seeds stand in DIR/seeds (KIND-NAME), folders
 * that stand for a machine in DIR/trees. Each run is a child of this process, so that a command costs a fork and no
 * start; it has 3 s of CPU time and 64 MB of memory beside the sanitizer's own. An input that comes to new code is
 * mutated further, and kept in DIR/corpus.
 *
 * A crash, a hang or too much memory is kept in DIR/found/NUMBER: in, the file; cmd, the command line that shows it;
 * said, what it said. With RUNS the same inputs are made in each run of this program, and DIR/corpus is not used.
 *
 * files -- ARGUMENTS: the commands alone, under the same bounds.
 */
#include "base/base.h"
#include "base/vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int sonde_main(int argc, char **argv);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
void __sanitizer_cov_8bit_counters_init(uint8_t *from, uint8_t *to);

enum {
	CPU_SECONDS = 3, WALL_SECONDS = 60, MEMORY = 64 << 20, FILE_MOST = 1 << 18, OUTPUT_MOST = 256 << 20,
	EXIT_SANITIZER = 99, EXIT_MEMORY = 98, ARGS = 16, KEPT_MOST = 4000, FOUND_MOST = 100, KEY = 200, LINE = 256,
};

/* Everything that reads a file of that kind; the file is "in". */
static const struct { const char *kind, *line; } commands[] = {
	{ "perf", "report -i in" },
	{ "perf", "report -i in --header -g caller --children -v" },
	{ "perf", "report -i in -s comm,pid,dso,sym -j" },
	{ "perf", "report -i in -x , -F overhead,sample,sym --group" },
	{ "perf", "report -i in --hierarchy -s comm,dso,cpu,sym -n --percent-limit 1" },
	{ "perf", "report -i in --latency -s parallelism,comm,sym" },
	{ "perf", "report -i in --stats" },
	{ "perf", "report -i in --mmaps" },
	{ "perf", "script -i in" },
	{ "perf", "script -i in -F comm,tid,pid,time,event,ip,sym,dso,period,trace --show-mmap-events" },
	{ "perf", "script -i in --header --show-task-events --show-lost-events" },
	{ "perf", "script -i in -j" },
	{ "perf", "script -i in -D -F +iregs,uregs,brstacksym,data_src,cgroup,insn,tod,misc" },
	{ "perf", "script -i in -j -F +iregs,brstack,data_src,cgroup,insn,insnlen,misc" },
	{ "perf", "annotate -i in -l --group" },
	{ "perf", "annotate -i in --symfs . -n --asm-raw" },
	{ "perf", "report -i in -D" },
	{ "perf", "flame -i in -o out.svg" },
	{ "perf", "flame -i in --diff aux.data -o out.svg" },
	{ "perf", "diff aux.data in" },
	{ "perf", "diff in aux.data in -c ratio -p -F -v -s comm,pid,dso,sym,srcline" },
	{ "perf", "diff in aux.data -c wdiff:9223372036854775807,-3 -b -o 0 -j -s cpu,sym" },
	{ "perf", "trace -i in -S --errno-summary" },
	{ "perf", "trace -i in -j" },
	{ "perf", "trace -i in -e o*,mmap --duration 0.001 -T" },
	{ "perf", "sched latency -i in" },
	{ "perf", "sched latency -i in -p -C 0 -j" },
	{ "perf", "sched timehist -i in -wMnVPS --state --show-prio" },
	{ "perf", "sched timehist -i in -IS --time 1,5 --prio 0-120" },
	{ "perf", "sched map -i in --compact --task-name s --fuzzy-name -v" },
	{ "perf", "kmem stat -i in --caller --alloc" },
	{ "perf", "kmem stat -i in --page --slab --live --caller --alloc -l 5" },
	{ "perf", "lock contention -i in -v" },
	{ "perf", "lock contention -i in -l -Y rwsem -S a" },
	{ "perf", "lock report -i in -c" },
	{ "perf", "kwork report -i in -S" },
	{ "perf", "kwork timehist -i in -g" },
	{ "perf", "kwork top -i in -j" },
	{ "perf", "why -i in s" },
	{ "perf", "why -i in -p 1,2,3,4 -j --time 1,5" },
	{ "perf", "c2c report -i in -N -c pid,tid,iaddr,dso --show-all -d peer" },
	{ "perf", "c2c report -i in -NN -j --double-cl -d lcl" },
	{ "perf", "mem report -i in -D -p --data-page-size" },
	{ "perf", "mem report -i in -j" },
	{ "perf", "kvm stat report -i in" },
	{ "perf", "kvm stat report -i in --event mmio -k mean_t -j" },
	{ "perf", "report -i in --sort sym --symfs ." },
	{ "perf", "convert -i in --to folded" },
	{ "perf", "convert -i in --to firefox -o out" },
	{ "perf", "convert -i in --to speedscope --period -o out" },
	{ "perf", "convert -i in --to pprof -o out" },
	{ "perf", "convert -i in --to perfetto -o out" },
	{ "perf", "convert -i in --to chrome -o out" },
	{ "perf", "convert -i in --to otlp -o out" },
	{ "perf", "convert -i in --to sql -o out" },
	{ "perf", "convert -i in --to perf.data -o out" },
	{ "perf", "timeline -i in --counter sched:sched_switch/prev_prio/next_pid -o out" },
	{ "perf", "data convert -i in --to-json -" },
	{ "dat", "ftrace report -i in" },
	{ "dat", "ftrace report -i in -l -R --ts-diff" },
	{ "dat", "ftrace report -i in --profile" },
	{ "dat", "sched latency -i in" },
	{ "dat", "sched timehist -i in -wS" },
	{ "dat", "sched map -i in" },
	{ "dat", "kmem stat -i in --caller --page" },
	{ "dat", "lock contention -i in -t" },
	{ "dat", "kwork latency -i in" },
	{ "dat", "kwork top -i in" },
	{ "dat", "why -i in sh" },
	{ "dat", "ftrace report -i in -w -F sched_switch:next_pid~>~0" },
	{ "dat", "ftrace report -i in --stat --events --uname" },
	{ "dat", "ftrace dump -i in --all" },
	{ "dat", "ftrace split -i in -o out -r -e 50" },
	{ "dat", "ftrace split -i in -o out -p 1" },
	{ "dat", "ftrace hist -i in" },
	{ "dat", "ftrace restore -i in -o out in" },
	{ "dat", "report -i in -g" },
	{ "dat", "script -i in" },
	{ "dat", "convert -i in --to perfetto -o out" },
	{ "dat", "convert -i in --to sql -o out" },
	{ "dat", "convert -i in --to chrome -o out" },
	{ "dat", "data convert -i in --to-json -" },
	{ "dat", "flame -i in -o out.html" },
	{ "dat", "timeline -i in -o out" },
	{ "elf", "probe -x in -v -F *" },
	{ "elf", "probe -x in -D choose~$params" },
	{ "elf", "probe -x in -D walk%return~$retval" },
	{ "elf", "probe -x in -V walk --range --externs" },
	{ "elf", "probe -x in -L choose -s ../trees" },
	{ "elf", "probe -x in -D %marks:*~$params" },
	{ "elf", "probe -x in -D prog.c:20~i~sum~p->next->d~c~e->text[3]" },
	{ "elf", "probe -x in -D ns::*" },
	{ "elf", "probe -x aux.elf --debug-file in -V walk" },
	{ "elf", "report -i aux.data --vmlinux in" },
	{ "kallsyms", "report -i aux.data --kallsyms in" },
	{ "text", "--sysroot ../trees/machine list -v" },
	{ "text", "--sysroot ../trees/machine list sched:*" },
	{ "text", "--sysroot ../trees/machine probe -l" },
	{ "text", "--sysroot ../trees/machine probe -F *a*" },
	{ "text", "--sysroot ../trees/machine probe -D schedule~$params" },
	{ "text", "--sysroot ../trees/machine doctor" },
	{ "text", "--sysroot ../trees/machine ftrace stat" },
	{ "text", "--sysroot ../trees/machine ftrace show" },
	{ "text", "--sysroot ../trees/machine ftrace list -e sched:* -F" },
	{ "text", "--sysroot ../trees/machine ftrace check-events" },
	{ "text", "--sysroot ../trees/machine ftrace show --hist sched:sched_switch" },
	{ "text", "--sysroot ../trees/machine ftrace stack" },
	{ "text", "--sysroot ../trees/machine report -i aux.data" },
};

struct input {
	uint8_t *v;
	size_t n;
	char kind[16];
};

/* Shared with the children. */
struct shared {
	bool fresh;              /* the last run came to new code */
	size_t n;
	uint8_t seen[];          /* for each counter, the classes of its values */
};

static struct {
	uint8_t *from, *to;      /* counters */
	struct shared *shared;
	VEC(struct input) inputs;
	size_t seeds;
	uint64_t random;
	char dir[3072];
	bool keep;
	unsigned found;
	char keys[FOUND_MOST][KEY];
	long live;               /* bytes, in the child */
	bool counting;
} the;

const char *__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=0:allocator_may_return_null=1:handle_sigbus=0:color=never";
}

const char *__ubsan_default_options(void)
{
	return "exitcode=99:print_stacktrace=1";
}

void __sanitizer_cov_8bit_counters_init(uint8_t *from, uint8_t *to)
{
	the.from = from;
	the.to = to;
}

static void failed(const char *what)
{
	fprintf(stderr, "files: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* --- memory --- */

static void on_malloc(const volatile void *p, size_t n)
{
	(void)p;
	if (!the.counting || __atomic_add_fetch(&the.live, (long)n, __ATOMIC_RELAXED) <= MEMORY)
		return;
	the.counting = false;
	fprintf(stderr, "SUMMARY: more than %d MB of memory\n", MEMORY >> 20);
	__sanitizer_print_stack_trace();
	_exit(EXIT_MEMORY);
}

static void on_free(const volatile void *p)
{
	if (the.counting && p)
		__atomic_sub_fetch(&the.live, (long)__sanitizer_get_allocated_size(p), __ATOMIC_RELAXED);
}

/* --- mutations --- */

static uint64_t any(uint64_t below)
{
	the.random ^= the.random << 13;
	the.random ^= the.random >> 7;
	the.random ^= the.random << 17;
	return below ? the.random % below : 0;
}

static uint64_t odd_number(size_t n)
{
	static const uint64_t v[] = { 0, 1, 2, 7, 8, 16, 64, 255, 256, 4096, 65535, 65536, INT32_MAX, UINT32_MAX,
				      INT64_MAX, UINT64_MAX, UINT64_C(1) << 31, UINT64_C(1) << 63, UINT64_C(1) << 40 };
	uint64_t i = any(ARRAY_SIZE(v) + 3);

	return i < ARRAY_SIZE(v) ? v[i] : i == ARRAY_SIZE(v) ? n : i == ARRAY_SIZE(v) + 1 ? any(n) : any(0x10000);
}

static void change_number(struct input *in)
{
	static const uint8_t sizes[] = { 1, 2, 4, 4, 8, 8 };
	size_t size = sizes[any(ARRAY_SIZE(sizes))], at;
	uint64_t v = 0;

	if (in->n < size)
		return;
	at = any(in->n - size + 1);
	if (any(4))
		at = at / size * size;
	memcpy(&v, in->v + at, size);
	v = any(2) ? odd_number(in->n) : v + any(33) - 16;
	memcpy(in->v + at, &v, size);
}

static void copy_block(struct input *in, const struct input *from)
{
	size_t n = any(MIN(from->n, (size_t)4096) + 1), at = any(from->n - n + 1), to = any(in->n + 1);

	if (any(2)) {
		n = MIN(n, in->n - to);
	} else {
		n = MIN(n, (size_t)FILE_MOST - in->n);
		memmove(in->v + to + n, in->v + to, in->n - to);
		in->n += n;
	}
	/* The block itself may have moved: then it is another one. */
	at = MIN(at, from->n - MIN(n, from->n));
	memmove(in->v + to, from->v + at, n);
}

static void mutate_once(struct input *in, const struct input *other)
{
	size_t n = in->n, len;

	switch (any(12)) {
	case 0:
		in->n = any(n + 1);
		break;
	case 1:
		len = any(MIN(n, (size_t)512) + 1);
		n -= len;
		len = any(n + 1);
		memmove(in->v + len, in->v + len + (in->n - n), n - len);
		in->n = n;
		break;
	case 2:
		copy_block(in, other);
		break;
	case 3:
		copy_block(in, in);
		break;
	case 4: case 5:
		if (n)
			in->v[any(n)] ^= (uint8_t)(1u << any(8));
		break;
	default:
		change_number(in);
	}
}

static struct input mutated(const struct input *from)
{
	struct input in = *from;
	const struct input *other = &the.inputs.v[any(the.inputs.n)];
	uint64_t times = 1 + any(1 + any(12));

	in.v = malloc(FILE_MOST);
	if (!in.v)
		failed("memory");
	memcpy(in.v, from->v, from->n);
	if (strcmp(other->kind, in.kind))
		other = from;
	while (times--)
		mutate_once(&in, other);
	return in;
}

/* --- one run --- */

static uint8_t class_of(uint8_t count)
{
	return count > 127 ? 128 : count > 31 ? 64 : count > 15 ? 32 : count > 7 ? 16 : count > 3 ? 8 :
	       (uint8_t)(1u << count >> 1);
}

static void publish(void)
{
	struct shared *s = the.shared;

	for (size_t i = 0; the.counting && i < s->n; i++) {
		uint8_t c = the.from[i] ? class_of(the.from[i]) : 0;

		if (c & ~s->seen[i]) {
			s->seen[i] |= c;
			s->fresh = true;
		}
	}
}

static void limit(int what, rlim_t most)
{
	setrlimit(what, &(struct rlimit){ most, most });
}

static void become(char **args, int n)
{
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_FSIZE, OUTPUT_MOST);
	limit(RLIMIT_CORE, 0);
	memset(the.from, 0, (size_t)(the.to - the.from));
	atexit(publish);
	the.counting = true;
	exit(sonde_main(n, args));
}

/* Blanks separate; ~ is one inside of an argument. */
static int split_line(const char *line, char copy[LINE], char *args[ARGS])
{
	int n = 0;

	snprintf(copy, LINE, "sonde %s%s", strncmp(line, "--sysroot", 9) ? "--sysroot none " : "", line);
	for (char *p = copy; p && n < ARGS - 1; p = strchr(p, ' ')) {
		if (*p == ' ')
			*p++ = '\0';
		args[n++] = p;
	}
	for (int i = 0; i < n; i++)
		for (char *p = args[i]; (p = strchr(p, '~')); )
			*p = ' ';
	args[n] = NULL;
	return n;
}

static void child(const char *line, const char *said)
{
	char copy[LINE], *args[ARGS];
	int n = split_line(line, copy, args), null = open("/dev/null", O_RDWR);
	int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	setpgid(0, 0);
	if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(out, 2) < 0)
		_exit(2);
	become(args, n);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Its wait status; -1: it was waited for in vain. */
static int wait_for(pid_t pid)
{
	double end = now() + WALL_SECONDS;
	sigset_t set;
	int status;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	while (!waitpid(pid, &status, WNOHANG)) {
		sigtimedwait(&set, NULL, &(struct timespec){ .tv_sec = 1 });
		if (now() < end)
			continue;
		kill(-pid, SIGKILL);
		waitpid(pid, &status, 0);
		return -1;
	}
	kill(-pid, SIGKILL);
	return status;
}

/* --- findings --- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type;
	if (f->level)
		remove(path);
	return 0;
}

static void put_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		failed(path);
}

static const char *in_dir(const char *name)
{
	static char path[4][4096];
	static unsigned turn;

	snprintf(path[++turn % 4], sizeof(path[0]), "%s/%s", the.dir, name);
	return path[turn % 4];
}

/* What tells findings apart: what the sanitizer says in its last line, or the command. */
static void name_finding(char key[KEY], const char *why, const char *line)
{
	char text[4096];
	FILE *f = fopen(in_dir("said"), "r");

	snprintf(key, KEY, "%s: %s", why, line);
	while (f && fgets(text, sizeof(text), f)) {
		if (!strncmp(text, "SUMMARY: ", 9) && !strstr(text, "of memory"))
			snprintf(key, KEY, "%.150s", text + 9);
		else if (strstr(text, "runtime error:"))
			snprintf(key, KEY, "%.180s", text);
	}
	if (f)
		fclose(f);
	key[strcspn(key, "\n")] = '\0';
}

static void keep_finding(const struct input *in, const char *why, const char *line)
{
	char key[KEY], name[64], text[4200], self[2048] = "files";

	name_finding(key, why, line);
	for (unsigned i = 0; i < the.found; i++)
		if (!strcmp(the.keys[i], key))
			return;
	if (the.found == FOUND_MOST || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return;
	memcpy(the.keys[the.found++], key, KEY);
	snprintf(name, sizeof(name), "found/%u", the.found);
	mkdir(in_dir("found"), 0755);
	mkdir(in_dir(name), 0755);
	snprintf(name, sizeof(name), "found/%u/in", the.found);
	put_file(in_dir(name), in->v, in->n);
	snprintf(name, sizeof(name), "found/%u/said", the.found);
	rename(in_dir("said"), in_dir(name));
	snprintf(name, sizeof(name), "found/%u/cmd", the.found);
	snprintf(text, sizeof(text), "cp %s/found/%u/in %s/work/in; cd %s/work; %s -- %s%s\n", the.dir, the.found,
		 the.dir, the.dir, self, strncmp(line, "--sysroot", 9) ? "--sysroot none " : "", line);
	put_file(in_dir(name), text, strlen(text));
	printf("FOUND %s/found/%u: %s (%s)\n", the.dir, the.found, key, line);
	fflush(stdout);
}

static void judge(const struct input *in, int status, const char *line)
{
	if (status == -1)
		keep_finding(in, "stuck", line);
	else if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		keep_finding(in, "hang", line);
	else if (WIFSIGNALED(status))
		keep_finding(in, strsignal(WTERMSIG(status)), line);
	else if (WEXITSTATUS(status) == EXIT_MEMORY)
		keep_finding(in, "memory", line);
	else if (WEXITSTATUS(status) == EXIT_SANITIZER)
		keep_finding(in, "sanitizer", line);
}

static void run(const struct input *in, const char *line)
{
	const char *said = in_dir("said");
	pid_t pid;

	put_file("in", in->v, in->n);
	the.shared->fresh = false;
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		failed("fork");
	if (!pid)
		child(line, said);
	judge(in, wait_for(pid), line);
}

/* --- the corpus --- */

static void load_file(const char *folder, const char *name)
{
	struct input *in;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", in_dir(folder), name);
	f = name[0] == '.' || !strncmp(name, "aux.", 4) ? NULL : fopen(path, "r");
	if (!f)
		return;
	in = vec_add(&the.inputs);
	if (!in)
		failed(path);
	*in = (struct input){ .v = malloc(FILE_MOST) };
	in->n = fread(in->v, 1, FILE_MOST, f);
	snprintf(in->kind, sizeof(in->kind), "%.*s", (int)strcspn(name, "-"), name);
	fclose(f);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void load(const char *folder)
{
	struct dirent **v;
	int n = scandir(in_dir(folder), &v, NULL, by_name);

	for (int i = 0; i < n; i++) {
		load_file(folder, v[i]->d_name);
		free(v[i]);
	}
	if (n >= 0)
		free(v);
}

static void keep(struct input *in)
{
	char name[64];
	struct input *slot = the.inputs.n < KEPT_MOST ? vec_add(&the.inputs) : NULL;

	if (!slot) {
		slot = &the.inputs.v[the.seeds + any(KEPT_MOST - the.seeds)];
		free(slot->v);
	}
	*slot = *in;
	slot->v = realloc(in->v, in->n + 1);
	if (!the.keep)
		return;
	snprintf(name, sizeof(name), "corpus/%s-%016llx", in->kind, (unsigned long long)the.random);
	put_file(in_dir(name), slot->v, slot->n);
}

static const char *command_for(const struct input *in)
{
	const char *line = NULL;
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].kind, in->kind) && !any(++n))
			line = commands[i].line;
	return line;
}

/* Each kind its turn, whatever its number of seeds. */
static const struct input *choose(void)
{
	static const char *const kinds[] = { "perf", "dat", "elf", "text", "perf", "dat", "elf", "kallsyms" };
	const char *kind = kinds[any(ARRAY_SIZE(kinds))];
	const struct input *in;

	do
		in = &the.inputs.v[any(the.inputs.n)];
	while (strcmp(in->kind, kind));
	return in;
}

static void set_up(const char *dir)
{
	size_t n = (size_t)(the.to - the.from);
	char *real = realpath(dir, NULL);
	sigset_t set;

	if (!real || strlen(real) >= sizeof(the.dir) - 64)
		failed(dir);
	snprintf(the.dir, sizeof(the.dir), "%s", real);
	free(real);
	the.shared = mmap(NULL, sizeof(*the.shared) + n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (the.shared == MAP_FAILED)
		failed("mmap");
	the.shared->n = n;
	mkdir(in_dir("work"), 0755);
	mkdir(in_dir("corpus"), 0755);
	if (chdir(in_dir("work")))
		failed("work");
	/* Blocked, so that it is waited for; the children have it unblocked again. */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	load("seeds");
	the.seeds = the.inputs.n;
	if (!the.seeds)
		failed("no seeds");
	if (the.keep)
		load("corpus");
}

static void clean(void)
{
	nftw(".", remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (symlink("../seeds/aux.data", "aux.data") || symlink("../seeds/aux.elf", "aux.elf"))
		failed("work");
}

/* What the seeds come to is known before they are mutated; one command for each input that was kept earlier. */
static unsigned long every_seed(void)
{
	unsigned long runs = 0;

	for (size_t i = the.seeds; i < the.inputs.n; i++, runs++) {
		clean();
		run(&the.inputs.v[i], command_for(&the.inputs.v[i]));
	}
	for (size_t i = 0; i < the.seeds; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(commands); k++) {
			if (strcmp(commands[k].kind, the.inputs.v[i].kind))
				continue;
			clean();
			run(&the.inputs.v[i], commands[k].line);
			runs++;
		}
	}
	return runs;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 2 ? atof(argv[2]) : 60);
	unsigned long runs = 0, most = argc > 3 ? strtoul(argv[3], NULL, 10) : ULONG_MAX;

	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	if (argc > 1 && !strcmp(argv[1], "--")) {
		the.shared = calloc(1, sizeof(*the.shared));
		become(argv + 1, argc - 1);
	}
	if (argc < 2)
		return 2;
	the.keep = most == ULONG_MAX;
	the.random = the.keep ? (uint64_t)time(NULL) << 20 | 1 : 88172645463325252;
	set_up(argv[1]);
	if (the.keep)
		runs = every_seed();
	while (runs < most && now() < end) {
		struct input in = mutated(choose());

		clean();
		run(&in, command_for(&in));
		runs++;
		if (the.shared->fresh)
			keep(&in);
		else
			free(in.v);
	}
	printf("%lu runs, %zu inputs, %u found\n", runs, the.inputs.n, the.found);
	return the.found > 0;
}
