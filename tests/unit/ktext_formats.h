/* ktext_formats.h - format texts of events that ktext prints by hand, some of which few kernels have. */
#ifndef TESTS_UNIT_KTEXT_FORMATS_H
#define TESTS_UNIT_KTEXT_FORMATS_H

#define KTEXT_COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define U32(name, at) "\tfield:unsigned int " name ";\toffset:" #at ";\tsize:4;\tsigned:0;\n"
#define INT(name, at) "\tfield:int " name ";\toffset:" #at ";\tsize:4;\tsigned:1;\n"
#define U64(name, at) "\tfield:unsigned long " name ";\toffset:" #at ";\tsize:8;\tsigned:0;\n"
#define U8(name, at) "\tfield:unsigned char " name ";\toffset:" #at ";\tsize:1;\tsigned:0;\n"

static const char *const ktext_formats[] = {
	"name: function\nID: 1\n" KTEXT_COMMON U64("ip", 8) U64("parent_ip", 16) "\nprint fmt: \"\"\n",
	"name: context_switch\nID: 2\n" KTEXT_COMMON U32("prev_pid", 8) U32("next_pid", 12) U32("next_cpu", 16)
		U8("prev_prio", 20) U8("prev_state", 21) U8("next_prio", 22) U8("next_state", 23) "\nprint fmt: \"\"\n",
	"name: kernel_stack\nID: 4\n" KTEXT_COMMON INT(
		"size", 8) "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: bprint\nID: 6\n" KTEXT_COMMON U64(
		"ip", 8) "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
			 "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: funcgraph_exit\nID: 10\n" KTEXT_COMMON U64("func", 8) U64("retval", 16) INT("depth", 24)
		U32("overrun", 28) U64("calltime", 32) U64("rettime", 40) "\nprint fmt: \"\"\n",
	"name: funcgraph_entry\nID: 11\n" KTEXT_COMMON U64("func", 8) INT("depth", 16) "\nprint fmt: \"\"\n",
	"name: bputs\nID: 14\n" KTEXT_COMMON U64("ip", 8) "\tfield:const char * str;\toffset:16;\tsize:8;\tsigned:0;\n"
							  "\nprint fmt: \"\"\n",
	"name: fgraph_retaddr_entry\nID: 17\n" KTEXT_COMMON U64("func", 8) INT("depth", 16)
		U64("retaddr", 24) "\nprint fmt: \"\"\n",
	"name: print\nID: 5\n" KTEXT_COMMON U64(
		"ip", 8) "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: user_stack\nID: 12\n" KTEXT_COMMON U32(
		"tgid", 8) "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: raw_data\nID: 16\n" KTEXT_COMMON U32(
		"id", 8) "\tfield:char buf[];\toffset:12;\tsize:0;\tsigned:0;\n\nprint fmt: \"\"\n",
};

#undef U32
#undef INT
#undef U64
#undef U8

#endif
