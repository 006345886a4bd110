/*
 * peerperf.c - a program called `perf` for the shell tests of perf itself: it is their workload, and for all else
 * sonde under that name. The functions have the names that the tests look for.
 *
 *   perf test -w noploop [S]    spin for S seconds (1) in noploop
 *   perf test -w thloop [S]     the same in test_loop, in two threads
 *   perf test -w leafloop [S]   in leaf, which keeps no frame record, called from parent
 *   perf test -w brstack [N]    N rounds of calls, direct and by pointer, and of branches
 *   perf test -w datasym [S]    write to two places of the variable buf1 (for ever)
 *   perf test -w landlock       landlock_add_rule for two kinds of rules, of a descriptor that is none
 *   perf test -vv -F Symbols    print the names, as the tests look them up
 *   perf bench ...              the program that PEERBENCH names, which makes load: sonde has none
 *   perf ANYTHING ELSE          `sonde` of the PATH, called perf; or the program that PEERPERF names
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline)) void

static volatile sig_atomic_t done;

static void on_alarm(int sig)
{
	(void)sig;
	done = 1;
}

static void end_after(unsigned seconds)
{
	signal(SIGALRM, on_alarm);
	alarm(seconds);
}

/* Of names outside of this file, as those of perf are: none of them is a clone of another. */
FUNCTION noploop(void);
FUNCTION test_loop(void);
FUNCTION leaf(volatile int step);
FUNCTION parent(volatile int step);
FUNCTION leafloop(void);
FUNCTION brstack_foo(void);
FUNCTION brstack_bar(void);
FUNCTION brstack_bench(uint64_t round);
void *thfunc(void *arg);

FUNCTION noploop(void)
{
	while (!done)
		;
}

FUNCTION test_loop(void)
{
	while (!done)
		;
}

void *thfunc(void *arg)
{
	test_loop();
	return arg;
}

static volatile uint64_t sink;

FUNCTION leaf(volatile int step)
{
	while (!done)
		sink += (uint64_t)step;
}

FUNCTION parent(volatile int step)
{
	leaf(step);
	sink++;
}

FUNCTION leafloop(void)
{
	parent(2);
	sink++;
}

FUNCTION brstack_bar(void)
{
	sink++;
}

FUNCTION brstack_foo(void)
{
	brstack_bar();
	sink++;
}

FUNCTION brstack_bench(uint64_t round)
{
	void (*volatile by_pointer)(void) = brstack_foo;

	if (round % 3)
		brstack_bar();
	by_pointer();
	brstack_foo();
}

static volatile struct {
	uint64_t data1;
	char between[0x30];
	uint64_t data2;
} __attribute__((aligned(64))) buf1;

static int do_noploop(unsigned n)
{
	end_after(n ? n : 1);
	noploop();
	return 0;
}

static int do_thloop(unsigned n)
{
	pthread_t other;

	end_after(n ? n : 1);
	if (pthread_create(&other, NULL, thfunc, NULL))
		return 1;
	test_loop();
	return pthread_join(other, NULL) != 0;
}

static int do_leafloop(unsigned n)
{
	end_after(n ? n : 1);
	leafloop();
	return 0;
}

static int do_brstack(unsigned n)
{
	for (unsigned i = 0; i < (n ? n : 999999); i++)
		brstack_bench(i);
	return 0;
}

static int do_datasym(unsigned n)
{
	if (n)
		end_after(n);
	while (!done) {
		buf1.data1++;
		buf1.data2++;
	}
	return 0;
}

/* Linux 5.13, the same number on all architectures; network rules: 6.7. */
static int do_landlock(unsigned n)
{
	enum { ADD_RULE = 445, BENEATH = 1, PORT, FD = 11, FLAGS = 45 };
	uint64_t rule[2] = { 0 };

	(void)n;
	syscall(ADD_RULE, FD, BENEATH, rule, FLAGS);
	syscall(ADD_RULE, FD, PORT, rule, FLAGS);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(unsigned n);
} works[] = {
	{ "noploop", do_noploop }, { "thloop", do_thloop }, { "leafloop", do_leafloop }, { "brstack", do_brstack },
	{ "datasym", do_datasym }, { "landlock", do_landlock },
};

static int work(int argc, char **argv)
{
	for (size_t i = 0; argc > 3 && i < sizeof(works) / sizeof(works[0]); i++)
		if (!strcmp(argv[3], works[i].name))
			return works[i].run(argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0);
	fprintf(stderr, "perf: no workload '%s'\n", argc > 3 ? argv[3] : "");
	return 1;
}

static int names(void)
{
	static const char *const all[] = {
		"noploop", "test_loop", "thfunc", "leaf", "parent", "leafloop", "brstack_foo", "brstack_bar",
		"brstack_bench", "buf1",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		printf("\t%s\n", all[i]);
	return 0;
}

int main(int argc, char **argv)
{
	static char name[] = "perf";
	const char *program = getenv("PEERPERF"), *bench = getenv("PEERBENCH");

	if (argc > 2 && !strcmp(argv[1], "test"))
		return !strcmp(argv[2], "-w") ? work(argc, argv) : names();
	if (argc > 1 && !strcmp(argv[1], "bench"))
		program = bench ? bench : "/usr/bin/perf";
	argv[0] = name;
	execvp(program ? program : "sonde", argv);
	perror("perf: cannot run the one of that name");
	return 127;
}
