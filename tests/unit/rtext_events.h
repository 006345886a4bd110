/* rtext_events.h - formats of a 6.12 kernel on arm64, cut to what the tests of reports need, and records of them. */
#ifndef TESTS_RTEXT_EVENTS_H
#define TESTS_RTEXT_EVENTS_H

#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

#define RTEXT_HEAD(name, id) \
	"name: " name "\nID: " #id "\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const struct { const char *system, *text; } rtext_formats[] = {
	{ "ftrace", RTEXT_HEAD("function", 1)
	  "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n" },
	{ "ftrace", RTEXT_HEAD("funcgraph_entry", 11)
	  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n" },
	{ "ftrace", RTEXT_HEAD("funcgraph_exit", 10)
	  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
	  "\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
	  "\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
	  "\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"<-- %ps\", (void *)REC->func\n" },
	{ "ftrace", RTEXT_HEAD("kernel_stack", 4)
	  "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:unsigned long caller[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
	  "print fmt: \"\\t=> %ps\\n\", (void *)REC->caller[0]\n" },
	{ "ftrace", RTEXT_HEAD("bprint", 6)
	  "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n\n"
	  "print fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n" },
	{ "sched", RTEXT_HEAD("sched_switch", 300)
	  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	  "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	  "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	  "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	  "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	  "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	  "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"%s\", REC->prev_comm\n" },
	{ "syscalls", RTEXT_HEAD("sys_enter_futex", 400)
	  "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:u32 * uaddr;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:int op;\toffset:24;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 val;\toffset:32;\tsize:8;\tsigned:0;\n"
	  "\tfield:const struct timespec * utime;\toffset:40;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 * uaddr2;\toffset:48;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 val3;\toffset:56;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"uaddr\"\n" },
	{ "raw_syscalls", RTEXT_HEAD("sys_exit", 401)
	  "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
	  "print fmt: \"NR %ld = %ld\", REC->id, REC->ret\n" },
};

static inline void rtext_events(struct tevents *t)
{
	tevents_init(t, (struct tmachine){ .long_size = 8 });
	for (size_t i = 0; i < ARRAY_SIZE(rtext_formats); i++)
		if (tevents_add(t, sv_from(rtext_formats[i].system), sv_from(rtext_formats[i].text), NULL))
			abort();
}

/* A record of 64 bytes: fields are put by their offsets. */
struct rtext_raw {
	_Alignas(8) uint8_t b[64];
};

static inline void rtext_put(struct rtext_raw *r, size_t off, uint64_t v, size_t size)
{
	memcpy(r->b + off, &v, size);
}

static inline struct rtext_raw rtext_raw(unsigned id, unsigned flags, int pid)
{
	struct rtext_raw r = { 0 };

	rtext_put(&r, 0, id, 2);
	rtext_put(&r, 2, flags, 1);
	rtext_put(&r, 4, (uint32_t)pid, 4);
	return r;
}

#endif
