/* stacks: the caller that a chain of frame records misses on aarch64, put back from the link register. */
#include "image/kallsyms.h"
#include "source/stacks.h"

#include "t.h"

enum { LR_BIT = 30, PID = 7 };

#define ENTRY 0xffff800080010100
#define CALLER 0xffff800080010244
#define OUTER 0xffff800080010310
#define TRAMPOLINE 0xffff800080010400

static int kallsyms(void *arg UNUSED, struct kallsyms *k)
{
	return kallsyms_init(k, SV("ffff800080010000 T _text\n"
				    "ffff800080010000 T _stext\n"
				    "ffff800080010100 T vfs_read\n"
				    "ffff800080010200 T ksys_read\n"
				    "ffff800080010300 t __arm64_sys_read\n"
				    "ffff800080010400 t arch_rethook_trampoline\n"
				    "ffff800080010500 T _etext\n"), NULL);
}

static int map(void *arg UNUSED, const char *path UNUSED, const uint8_t **p UNUSED, size_t *n UNUSED)
{
	return -ENOENT;
}

static void unmap(void *arg UNUSED, const uint8_t *p UNUSED, size_t n UNUSED)
{
}

static const struct sample_layout layout = {
	.sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_INTR, .regs_intr = UINT64_C(1) << LR_BIT,
};

/* What a probe at `ip` has as its chain when the link register is lr: each frame on the way, " " between. */
static const char *completed(const struct sample_layout *l, uint64_t ip, uint64_t lr, const struct arch *arch)
{
	static char text[300];
	struct sym_want want = { .files = { .map = map, .unmap = unmap, .kallsyms = kallsyms }, .arch = arch };
	struct resolver *r = resolver_new(&want, NULL);
	uint64_t chain[] = { PERF_CONTEXT_KERNEL, ip, OUTER, PERF_CONTEXT_USER, 0x400100, 0x400200 };
	struct sample s = {
		.pid = PID, .n_chain = ARRAY_SIZE(chain), .intr_abi = 2,
		.chain = { guard_dup(chain, sizeof(chain)), sizeof(chain) },
		.intr_regs = { guard_dup(&lr, sizeof(lr)), sizeof(lr) },
	};
	struct stacks stacks;
	size_t n = 0;

	CHECK_EQ(resolver_mmap(r, &(struct sym_map){
		.pid = UINT32_MAX, .kernel = true, .start = 0xffff800080010000, .len = 0x10000,
		.pgoff = 0xffff800080010000, .name = "[kernel.kallsyms]_text" }), 0);
	stacks_init(&stacks, r, arch);
	CHECK_EQ(stacks_complete(&stacks, l, &s), 0);
	for (uint64_t i = 0; i < s.n_chain; i++) {
		uint64_t v = sample_chain(l, &s, i);

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "",
				      v == PERF_CONTEXT_KERNEL ? "k" : v == PERF_CONTEXT_USER ? "u"
				      : v == OUTER ? "outer" : v == CALLER ? "caller"
				      : v == ip ? "ip" : v == lr ? "lr" : ".");
	}
	CHECK_EQ(stacks.stats.repaired, s.n_chain - ARRAY_SIZE(chain));
	stacks_deinit(&stacks);
	resolver_free(r);
	return text;
}

TEST(stacks_put_back_the_caller_of_a_probed_kernel_function)
{
	CHECK_STR(completed(&layout, ENTRY, CALLER, &arch_aarch64), "k ip caller outer u . .");
}

/* Behind the first instruction the function may have saved it and called others. */
static void stays(uint64_t ip, uint64_t lr, const struct arch *arch)
{
	const char *now = completed(&layout, ip, lr, arch);

	CHECK(!strstr(now, "caller") && !strstr(now, "lr"));
}

TEST(stacks_take_the_link_register_of_a_kernel_function_at_its_start_only)
{
	stays(ENTRY + 4, CALLER, &arch_aarch64);
}

TEST(stacks_take_no_address_that_is_no_code_for_a_caller)
{
	stays(ENTRY, 0, &arch_aarch64);
	stays(ENTRY, 0x700000, &arch_aarch64);
	stays(ENTRY, 0xffff900000000000, &arch_aarch64);
}

TEST(stacks_leave_out_what_waits_for_a_return)
{
	stays(ENTRY, TRAMPOLINE, &arch_aarch64);
}

TEST(stacks_of_x86_64_need_no_link_register)
{
	stays(ENTRY, CALLER, &arch_x86_64);
}

TEST(stacks_without_the_registers_are_left_alone)
{
	struct sample_layout other = layout;

	other.regs_intr = 1;
	CHECK_STR(completed(&other, ENTRY, CALLER, &arch_aarch64), "k ip outer u . .");
}
