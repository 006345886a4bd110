/* test_syscalls_value.c - arguments and results of system calls as text. */
#include "syscalls/value.h"
#include "t.h"

static const char *text_of(const char *arch, const char *call, const char *type, const char *name, uint64_t v)
{
	static struct mem_out m;
	struct value_type t = value_type_of(arch_by_name(arch), call, type, name);

	mem_out_deinit(&m);
	mem_out_init(&m);
	if (!value_is_shown(&t, v))
		return "";
	value_put(&t, v, &m.out);
	return mem_out_str(&m);
}

static const char *result(const char *call, int64_t v)
{
	static struct mem_out m;

	mem_out_deinit(&m);
	mem_out_init(&m);
	value_put_result(value_result_of(call), v, &m.out);
	return mem_out_str(&m);
}

TEST(value_bits_have_names)
{
	CHECK_STR(text_of("x86_64", "mmap", "unsigned long", "prot", 5), "READ|EXEC");
	CHECK_STR(text_of("x86_64", "mmap", "unsigned long", "prot", 0), "");
	CHECK_STR(text_of("x86_64", "mmap", "unsigned long", "flags", 0x32), "PRIVATE|FIXED|ANONYMOUS");
	CHECK_STR(text_of("x86_64", "openat", "int", "flags", 02000001), "WRONLY|CLOEXEC");
	CHECK_STR(text_of("x86_64", "openat", "int", "flags", UINT64_C(1) << 40), "RDONLY|0x10000000000");
	CHECK_STR(text_of("x86_64", "access", "int", "mode", 6), "W|R");
	CHECK_STR(text_of("x86_64", "socket", "int", "type", 02000002), "DGRAM|CLOEXEC");
}

/* arm64 has four of open's bits elsewhere. */
TEST(value_of_open_is_the_machines)
{
	CHECK_STR(text_of("x86_64", "openat", "int", "flags", 0200000), "RDONLY|DIRECTORY");
	CHECK_STR(text_of("aarch64", "openat", "int", "flags", 0200000), "RDONLY|DIRECT");
	CHECK_STR(text_of("aarch64", "openat", "int", "flags", 040000), "RDONLY|DIRECTORY");
	CHECK_STR(text_of("aarch64", "openat", "int", "flags", 0100000), "RDONLY|NOFOLLOW");
}

TEST(value_numbers_have_names)
{
	CHECK_STR(text_of("x86_64", "lseek", "unsigned int", "whence", 0), "SET");
	CHECK_STR(text_of("x86_64", "lseek", "unsigned int", "whence", 77), "77");
	CHECK_STR(text_of("x86_64", "futex", "int", "op", 128), "WAIT|PRIVATE_FLAG");
	CHECK_STR(text_of("x86_64", "futex", "int", "op", 129), "WAKE|PRIVATE_FLAG");
	CHECK_STR(text_of("x86_64", "kill", "int", "sig", 9), "KILL");
	CHECK_STR(text_of("x86_64", "prlimit64", "unsigned int", "resource", 0), "CPU");
}

TEST(value_commands_have_names)
{
	CHECK_STR(text_of("x86_64", "ioctl", "unsigned int", "cmd", 0x5413), "TIOCGWINSZ");
	CHECK_STR(text_of("aarch64", "ioctl", "unsigned int", "cmd", 0xae80), "KVM_RUN");
	CHECK_STR(text_of("x86_64", "ioctl", "unsigned int", "cmd", 0xc008ff07), "(READ|WRITE, 0xff, 0x7, 0x8)");
	CHECK_STR(text_of("x86_64", "ioctl", "unsigned long", "arg", 0x10), "0x10");
	CHECK_STR(text_of("x86_64", "prctl", "int", "option", 15), "SET_NAME");
	CHECK_STR(text_of("x86_64", "prctl", "int", "option", 1000), "1000");
	CHECK_STR(text_of("x86_64", "arch_prctl", "int", "option", 0x1002), "SET_FS");
	CHECK_STR(text_of("aarch64", "landlock_add_rule", "enum landlock_rule_type", "rule_type", 2),
		  "LANDLOCK_RULE_NET_PORT");
}

TEST(value_types_tell_the_rest)
{
	CHECK_STR(text_of("x86_64", "openat", "int", "dfd", (uint64_t)-100), "CWD");
	CHECK_STR(text_of("x86_64", "openat", "int", "dfd", 0xffffff9c), "CWD");
	CHECK_STR(text_of("x86_64", "read", "unsigned int", "fd", 0), "0");
	CHECK_STR(text_of("x86_64", "mmap", "unsigned long", "fd", UINT32_MAX), "");
	CHECK_STR(text_of("x86_64", "read", "char *", "buf", 0x1234), "0x1234");
	CHECK_STR(text_of("x86_64", "read", "char *", "buf", 0), "");
	CHECK_STR(text_of("aarch64", "pselect6", "void *", "sig", 0x7fc0), "0x7fc0");
	CHECK_STR(text_of("x86_64", "openat", "umode_t", "mode", 0644), "0644");
	CHECK_STR(text_of("x86_64", "read", "size_t", "count", 832), "832");
}

TEST(value_results)
{
	CHECK_STR(result("mmap", 0x7f00), "0x7f00");
	CHECK_STR(result("read", 12), "12");
	CHECK_STR(result("read", -2), "-1 ENOENT (No such file or directory)");
	CHECK_STR(result("read", -4096), "-4096");
	CHECK_STR(result("umask", 022), "022");
	CHECK_STR(value_errno(115), "EINPROGRESS");
	CHECK_STR(value_errno(512), "ERESTARTSYS");
	CHECK(!value_errno(0));
	CHECK(!value_errno(41));
}
