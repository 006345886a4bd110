/* test_arch.c - the tables of both architectures against the kernel's headers and perf's tables. */
#include "t.h"

#include <strings.h>
#include <sys/utsname.h>

#include <linux/perf_event.h>

#include "arch/aarch64/metric.h"
#include "arch/aarch64/topdown.h"
#include "arch/arch.h"
#include "host.h"

/* --- registers --- */

#define ARM64_HEADER "/usr/aarch64-linux-gnu/include/asm/perf_regs.h"
#define X86_HEADER "/usr/include/x86_64-linux-gnu/asm/perf_regs.h"

#if __has_include(<asm/perf_regs.h>)
#include <asm/perf_regs.h>
#endif
#if !defined(_ASM_ARM64_PERF_REGS_H) && __has_include(ARM64_HEADER)
#undef PERF_REG_EXTENDED_MASK
#include ARM64_HEADER
#endif
#if !defined(_ASM_X86_PERF_REGS_H) && __has_include(X86_HEADER)
#undef PERF_REG_EXTENDED_MASK
#include X86_HEADER
#endif

#define REG(name, bit, dwarf_nr) ARM64_##name = bit,
enum {
#include "arch/aarch64/regs.def"
};
#undef REG
#define REG(name, bit, dwarf_nr) X86_##name = bit,
enum {
#include "arch/x86_64/regs.def"
};
#undef REG

#ifdef _ASM_ARM64_PERF_REGS_H
#define SAME(ours, kernels) \
	static_assert((int)ARM64_##ours == (int)PERF_REG_ARM64_##kernels, #ours);
SAME(x0, X0) SAME(x1, X1) SAME(x2, X2) SAME(x3, X3) SAME(x4, X4) SAME(x5, X5) SAME(x6, X6)
SAME(x7, X7) SAME(x8, X8) SAME(x9, X9) SAME(x10, X10) SAME(x11, X11) SAME(x12, X12)
SAME(x13, X13) SAME(x14, X14) SAME(x15, X15) SAME(x16, X16) SAME(x17, X17) SAME(x18, X18)
SAME(x19, X19) SAME(x20, X20) SAME(x21, X21) SAME(x22, X22) SAME(x23, X23) SAME(x24, X24)
SAME(x25, X25) SAME(x26, X26) SAME(x27, X27) SAME(x28, X28) SAME(x29, X29) SAME(lr, LR)
SAME(sp, SP) SAME(pc, PC) SAME(vg, VG)
#undef SAME
#endif

#ifdef _ASM_X86_PERF_REGS_H
#define SAME(ours, kernels) static_assert((int)X86_##ours == (int)PERF_REG_X86_##kernels, #ours);
SAME(ax, AX) SAME(bx, BX) SAME(cx, CX) SAME(dx, DX) SAME(si, SI) SAME(di, DI) SAME(bp, BP)
SAME(sp, SP) SAME(ip, IP) SAME(flags, FLAGS) SAME(cs, CS) SAME(ss, SS) SAME(ds, DS) SAME(es, ES)
SAME(fs, FS) SAME(gs, GS) SAME(r8, R8) SAME(r9, R9) SAME(r10, R10) SAME(r11, R11) SAME(r12, R12)
SAME(r13, R13) SAME(r14, R14) SAME(r15, R15)
#undef SAME
#endif

static const struct arch *const archs[] = { &arch_aarch64, &arch_x86_64 };

TEST(arch_registers_of_both_were_compared_with_the_kernels_header)
{
#if !defined(_ASM_ARM64_PERF_REGS_H) || !defined(_ASM_X86_PERF_REGS_H)
	SKIP("asm/perf_regs.h of one architecture is not installed");
#endif
	CHECK_EQ(arch_aarch64.n_regs, 34);
	CHECK_EQ(arch_x86_64.n_regs, 24);
}

TEST(arch_registers_are_unique_and_found_at_their_bit)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const struct arch *a = archs[i];

		for (size_t r = 0; r < a->n_regs; r++) {
			if (r <= a->reg_ip)
				CHECK_EQ(a->regs[r].perf_bit, r);
			for (size_t s = 0; s < r; s++) {
				CHECK(strcmp(a->regs[r].name, a->regs[s].name));
				CHECK(a->regs[r].perf_bit > a->regs[s].perf_bit);
				CHECK(a->regs[r].dwarf != a->regs[s].dwarf);
			}
		}
	}
	CHECK_STR(arch_aarch64.regs[12].name, "x12");
	CHECK_STR(arch_aarch64.regs[21].name, "x21");
}

TEST(arch_special_registers_have_their_names)
{
	CHECK_STR(arch_aarch64.regs[arch_aarch64.reg_sp].name, "sp");
	CHECK_STR(arch_aarch64.regs[arch_aarch64.reg_ip].name, "pc");
	CHECK_STR(arch_aarch64.regs[arch_aarch64.reg_lr].name, "lr");
	CHECK_STR(arch_aarch64.regs[arch_aarch64.reg_fp].name, "x29");
	CHECK_STR(arch_x86_64.regs[arch_x86_64.reg_sp].name, "sp");
	CHECK_STR(arch_x86_64.regs[arch_x86_64.reg_ip].name, "ip");
	CHECK_STR(arch_x86_64.regs[arch_x86_64.reg_fp].name, "bp");
	CHECK_EQ(arch_x86_64.reg_lr, ARCH_NO_REG);
	CHECK_EQ(arch_aarch64.user_regs_mask, 0x1ffffffff);
	CHECK_EQ(arch_x86_64.user_regs_mask, 0xff0fff);
}

TEST(arch_register_is_found_by_exact_name_in_any_case)
{
	const struct arch_reg *r = arch_reg_by_name(&arch_aarch64, guard_dup("X21", 3), 3);

	CHECK(r && r->perf_bit == 21);
	r = arch_reg_by_name(&arch_aarch64, guard_dup("x2", 2), 2);
	CHECK(r && r->perf_bit == 2);
	CHECK(!arch_reg_by_name(&arch_aarch64, "x211", 4));
	CHECK(!arch_reg_by_name(&arch_aarch64, "", 0));
	CHECK(!arch_reg_by_name(&arch_x86_64, "x21", 3));
}

TEST(arch_dwarf_numbers_of_x86_64_are_not_perfs)
{
	static const char *const names[] = {
		"ax", "dx", "cx", "bx", "si", "di", "bp", "sp", "r8", "r9", "r10", "r11", "r12",
		"r13", "r14", "r15", "ip",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		const struct arch_reg *r = arch_reg_by_dwarf(&arch_x86_64, i);

		CHECK_STR(r ? r->name : NULL, names[i]);
	}
	CHECK(!arch_reg_by_dwarf(&arch_x86_64, 17));
	CHECK_STR(arch_reg_by_dwarf(&arch_aarch64, 30)->name, "lr");
	CHECK_STR(arch_reg_by_dwarf(&arch_aarch64, 31)->name, "sp");
	CHECK(!arch_reg_by_dwarf(&arch_aarch64, 33));
}

/* --- system calls, exits of guests --- */

TEST(arch_system_calls_have_the_numbers_of_the_kernels_headers)
{
	static const struct { uint64_t arm, x86; const char *name; } calls[] = {
		{ 63, 0, "read" }, { 56, 257, "openat" }, { 101, 35, "nanosleep" }, { 172, 39, "getpid" },
		{ 222, 9, "mmap" }, { 79, 262, "newfstatat" }, { 293, 334, "rseq" },
		{ 424, 424, "pidfd_send_signal" },
		{ 462, 462, "mseal" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		CHECK_STR(arch_syscall_name(&arch_aarch64, calls[i].arm), calls[i].name);
		CHECK_STR(arch_syscall_name(&arch_x86_64, calls[i].x86), calls[i].name);
	}
	CHECK_STR(arch_syscall_name(&arch_x86_64, 335), "uretprobe");
	CHECK(!arch_syscall_name(&arch_aarch64, 335));
	CHECK(!arch_syscall_name(&arch_aarch64, 463));
	CHECK(!arch_syscall_name(&arch_x86_64, UINT64_MAX));
}

TEST(arch_exits_of_guests_have_names_by_extension)
{
	CHECK_STR(arch_exit_name(ARCH_EXITS_VMX, 48), "EPT_VIOLATION");
	CHECK_STR(arch_exit_name(ARCH_EXITS_SVM, 0x400), "EXIT_NPF");
	CHECK_STR(arch_exit_name(ARCH_EXITS_SVM, 0x80000001), "VMGEXIT_MMIO_READ");
	CHECK_STR(arch_exit_name(ARCH_EXITS_SVM, 0xa6), "EXIT_IDLE_HLT");
	CHECK_STR(arch_exit_name(ARCH_EXITS_VMX, 77), "TDCALL");
	/* What a VMGEXIT of 0x80000005 asks for is no exit. */
	CHECK(!arch_exit_name(ARCH_EXITS_SVM, 1));
	CHECK_STR(arch_exit_name(ARCH_EXITS_ARM, 0x24), "ESR_ELx_EC_DABT_LOW");
	CHECK_STR(arch_exit_name(ARCH_EXITS_ARM, ARCH_EXITS_ARM_CODE), "ARM_EXCEPTION_IRQ");
	CHECK(!arch_exit_name(ARCH_EXITS_VMX, 5));
	CHECK(!arch_exit_name(0, 0));
	CHECK(!arch_exit_name(4, 0));
}

/* --- which architecture --- */

TEST(arch_is_known_by_name_and_elf_machine)
{
	CHECK(arch_by_name("aarch64") == &arch_aarch64);
	CHECK(arch_by_name("arm64") == &arch_aarch64);
	CHECK(arch_by_name("x86_64") == &arch_x86_64);
	CHECK(arch_by_name("amd64") == &arch_x86_64);
	CHECK(!arch_by_name("riscv64"));
	CHECK(!arch_by_name(""));
	CHECK(arch_by_elf(183) == &arch_aarch64);
	CHECK(arch_by_elf(62) == &arch_x86_64);
	CHECK(!arch_by_elf(40));
}

TEST(arch_native_is_what_the_kernel_says)
{
	struct utsname u;

	CHECK_EQ(uname(&u), 0);
	CHECK_STR(arch_native()->name, u.machine);
}

TEST(host_cycles_advance)
{
	uint64_t first = host_cycles(), last = first;

	for (int i = 0; i < 10000000 && last == first; i++) {
		host_relax();
		host_barrier();
		last = host_cycles();
	}
	CHECK(last > first);
}

/* --- pointer authentication --- */

TEST(arch_strip_removes_only_authentication_bits)
{
	static const struct { uint64_t in, out; } t[] = {
		{ 0, 0 },
		{ 0x0000aaaabbbbccc0, 0x0000aaaabbbbccc0 },	/* unsigned, user */
		{ 0x0000ffffffffffff, 0x0000ffffffffffff },
		{ 0x003baaaabbbbccc0, 0x0000aaaabbbbccc0 },	/* signed, user */
		{ 0xff7faaaabbbbccc0, 0x0000aaaabbbbccc0 },
		{ 0xffff800008010000, 0xffff800008010000 },	/* unsigned, kernel */
		{ 0x12bc800008010000, 0xffff800008010000 },	/* signed, kernel */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK_EQ(arch_aarch64.strip(t[i].in), t[i].out);
		CHECK_EQ(arch_x86_64.strip(t[i].in), t[i].in);
	}
}

TEST(arch_strip_knows_other_sizes_of_addresses)
{
	CHECK_EQ(arch_aarch64_strip(0x002ab87fbbbbccc0, 39), 0x0000007fbbbbccc0);
	CHECK_EQ(arch_aarch64_strip(0x1380004008010000, 39), 0xffffffc008010000);
	CHECK_EQ(arch_aarch64_strip(0x003faaaabbbbccc0, 52), 0x000faaaabbbbccc0);
	CHECK_EQ(arch_aarch64_strip(0xab7faaaabbbbccc0, 64), 0x007faaaabbbbccc0);
}

/* --- cores --- */

TEST(midr_is_taken_apart)
{
	struct midr m = midr_parse(0x0000000a481fd013);

	CHECK_EQ(m.impl, 0x48);
	CHECK_EQ(m.variant, 1);
	CHECK_EQ(m.arch, 0xf);
	CHECK_EQ(m.part, 0xd01);
	CHECK_EQ(m.rev, 3);
}

static const struct arch_core *core_of(uint64_t midr_el1)
{
	struct midr m = midr_parse(midr_el1);

	return arch_core_find(m.impl, m.part);
}

TEST(arch_core_names_are_vendors_own)
{
	static const struct { uint64_t midr; const char *vendor, *name; } t[] = {
		{ 0x410fd034, "Arm", "Cortex-A53" },
		{ 0x410fd0c0, "Arm", "Neoverse-N1" },
		{ 0x413fd0c1, "Arm", "Neoverse-N1" },
		{ 0x481fd010, "HiSilicon", "TSV110 (Kunpeng 920)" },
		{ 0x410fd020, "Arm", "Cortex-A34" },
		{ 0x480fd020, "HiSilicon", "HIP09" },		/* the same part as A34 */
		{ 0x410fd490, "Arm", "Neoverse-N2" },
		{ 0x6d0fd490, "Microsoft", "Azure Cobalt 100" },	/* the same part as N2 */
		{ 0x701f6633, "Phytium", "FTC663" },
		{ 0x531f0020, "Samsung", "Exynos-M3" },
		{ 0x430f0a10, "Cavium", "ThunderX" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct arch_core *c = core_of(t[i].midr);

		CHECK_STR(c ? c->vendor : NULL, t[i].vendor);
		CHECK_STR(c ? c->name : NULL, t[i].name);
	}
	CHECK(!core_of(0x410fffff));
	CHECK(!core_of(0));
	CHECK_STR(arch_vendor_name(0x51), "Qualcomm");
	CHECK_STR(arch_vendor_name(0xc0), "Ampere");
	CHECK(!arch_vendor_name(0));
}

TEST(arch_core_table_is_that_of_perfs_mapfile)
{
	static const struct { uint64_t midr; const char *table; } t[] = {
		{ 0x410fd020, "arm/cortex-a34" }, { 0x410fd030, "arm/cortex-a53" },
		{ 0x420f1000, "arm/cortex-a53" }, { 0x410fd040, "arm/cortex-a35" },
		{ 0x410fd050, "arm/cortex-a55" }, { 0x410fd060, "arm/cortex-a65-e1" },
		{ 0x410fd4a0, "arm/cortex-a65-e1" }, { 0x410fd070, "arm/cortex-a57-a72" },
		{ 0x410fd080, "arm/cortex-a57-a72" }, { 0x410fd090, "arm/cortex-a73" },
		{ 0x410fd0a0, "arm/cortex-a75" }, { 0x410fd0b0, "arm/cortex-a76" },
		{ 0x410fd0c0, "arm/neoverse-n1" }, { 0x410fd0d0, "arm/cortex-a77" },
		{ 0x410fd400, "arm/neoverse-v1" }, { 0x410fd410, "arm/cortex-a78" },
		{ 0x410fd4b0, "arm/cortex-a78" }, { 0x410fd440, "arm/cortex-x1" },
		{ 0x410fd4c0, "arm/cortex-x1" }, { 0x410fd460, "arm/cortex-a510" },
		{ 0x410fd470, "arm/cortex-a710" }, { 0x410fd480, "arm/cortex-x2" },
		{ 0x410fd490, "arm/neoverse-n2-v2" }, { 0x410fd4f0, "arm/neoverse-n2-v2" },
		{ 0x420f5160, "cavium/thunderx2" }, { 0x430f0af0, "cavium/thunderx2" },
		{ 0x460f0010, "fujitsu/a64fx" }, { 0x480fd010, "hisilicon/hip08" },
		{ 0x500f0000, "ampere/emag" }, { 0xc00fac30, "ampere/ampereone" },
		{ 0xc00fac40, "ampere/ampereonex" },
		{ 0x410fd0e0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct arch_core *c = core_of(t[i].midr);

		CHECK(c != NULL);
		CHECK_STR(c ? c->table : "no core", t[i].table);
	}
}

TEST(arch_core_only_hip08_needs_a_width)
{
	size_t known = 0;

	for (unsigned impl = 0; impl < 0x100; impl++) {
		if (!arch_vendor_name(impl))
			continue;
		for (unsigned part = 0; part < 0x1000; part++) {
			const struct arch_core *c = arch_core_find(impl, part);

			if (!c)
				continue;
			known++;
			CHECK_EQ(c->slots_width, impl == 0x48 && part == 0xd01 ? 4 : 0);
		}
	}
	/* 78 pairs in Linux 6.12's cputype.h, 3 more in perf's mapfile, 11 others */
	CHECK_EQ(known, 92);
}

/* --- events --- */

enum { COMMON_EVENTS = 64 + 75 + 28 + 50 };

static int find(const struct arch_core *core, const char *name)
{
	size_t n = strlen(name);

	return arch_event_find(core, guard_dup(name, n), n);
}

TEST(arch_events_have_the_kernel_drivers_numbers)
{
	static const struct { const char *name; int config; } t[] = {
		{ "sw_incr", 0x00 }, { "l1d_cache_refill", 0x03 }, { "l1d_cache", 0x04 },
		{ "inst_retired", 0x08 }, { "unaligned_ldst_retired", 0x0f },
		{ "br_mis_pred", 0x10 }, { "cpu_cycles", 0x11 }, { "l2d_cache_refill", 0x17 },
		{ "bus_cycles", 0x1d }, { "chain", 0x1e }, { "br_retired", 0x21 },
		{ "stall_backend", 0x24 }, { "l3d_cache", 0x2b }, { "l2i_tlb", 0x30 },
		{ "itlb_walk", 0x35 }, { "ll_cache_miss_rd", 0x37 }, { "op_spec", 0x3b },
		{ "stall_slot", 0x3f }, { "l1d_cache_rd", 0x40 }, { "l1d_cache_inval", 0x48 },
		{ "l1d_tlb_refill_rd", 0x4c }, { "l2d_cache_wb_victim", 0x56 },
		{ "l2d_tlb_wr", 0x5f }, { "mem_access_wr", 0x67 }, { "ldrex_spec", 0x6c },
		{ "br_indirect_spec", 0x7a }, { "dmb_spec", 0x7e }, { "exc_svc", 0x82 },
		{ "exc_hvc", 0x8a }, { "rc_st_spec", 0x91 }, { "l3d_cache_inval", 0xa8 },
		{ "sample_pop", 0x4000 }, { "l3d_cache_lmiss_rd", 0x400b },
		{ "cti_trigout7", 0x401b }, { "mem_access_checked_wr", 0x4026 },
		{ "sve_inst_retired", 0x8002 }, { "ase_sve_int64_spec", 0x80ef },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK_EQ(find(NULL, t[i].name), t[i].config);
		CHECK(!strcasecmp(arch_event_name(NULL, t[i].config), t[i].name));
	}
}

TEST(arch_event_name_matches_whole_in_any_case)
{
	CHECK_EQ(find(NULL, "CPU_CYCLES"), 0x11);
	CHECK_EQ(find(NULL, "Cpu_Cycles"), 0x11);
	CHECK_EQ(find(NULL, "cpu_cycle"), -ENOENT);
	CHECK_EQ(find(NULL, "cpu_cyclesx"), -ENOENT);
	CHECK_EQ(find(NULL, ""), -ENOENT);
	CHECK(!arch_event_name(NULL, 0xffff));
	CHECK(!arch_event_name(NULL, 0x49));
}

TEST(arch_event_of_a_vendor_needs_its_core)
{
	const struct arch_core *a53 = core_of(0x410fd034), *a57 = core_of(0x411fd070);
	const struct arch_core *a64fx = core_of(0x460f0010), *hip08 = core_of(0x481fd010);

	CHECK_EQ(find(a53, "prefetch_linefill"), 0xc2);
	CHECK_EQ(find(a57, "prefetch_linefill"), -ENOENT);
	CHECK_EQ(find(NULL, "prefetch_linefill"), -ENOENT);
	CHECK_STR(arch_event_name(a53, 0xe8), "ST_DEP_STALL");
	CHECK_STR(arch_event_name(core_of(0x410fd092), 0xe8), "CP15_UTLB_REFILL");
	CHECK(!arch_event_name(a57, 0xe8));
	CHECK_STR(arch_event_name(a64fx, 0x190), "_0INST_COMMIT");
	CHECK_EQ(find(a64fx, "ea_memory"), 0x3e8);
	CHECK_EQ(find(hip08, "fetch_bubble"), 0x2014);
	CHECK_EQ(find(hip08, "mem_stall_l2miss"), 0x7007);
	CHECK_EQ(find(core_of(0xc00fac30), "mmu_i_walk_steps"), 0xd90d);
	CHECK_EQ(find(hip08, "cpu_cycles"), 0x11);
	/* the text that starts a table is no event */
	CHECK_EQ(find(a53, "arm/cortex-a73"), -ENOENT);
}

TEST(arch_event_renumbered_by_a_core_is_gone_there)
{
	const struct arch_core *emag = core_of(0x503f0002);

	CHECK_STR(arch_event_name(NULL, 0x34), "DTLB_WALK");
	CHECK_STR(arch_event_name(emag, 0x34), "L2D_TLB_ACCESS");
	CHECK_EQ(find(emag, "dtlb_walk"), -ENOENT);
	CHECK_EQ(find(emag, "l2i_tlb_access"), 0x35);
}

TEST(arch_events_of_apple_cores_are_unknown)
{
	const struct arch_core *m1 = core_of(0x611f0221);

	CHECK(m1 != NULL);
	CHECK_EQ(find(m1, "cpu_cycles"), -ENOENT);
	CHECK(!arch_event_name(m1, 0x11));
}

/* Every event once, upper case, with a brief that fits a line. */
static size_t walk(const struct arch_core *core)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;
	size_t n = 0;

	while (arch_event_next(&it, &ev)) {
		CHECK_EQ(find(core, ev.name), ev.config);
		CHECK(arch_event_name(core, ev.config) == ev.name);
		CHECK(!ev.brief || strlen(ev.brief) <= 60);
		for (const char *s = ev.name; *s; s++)
			CHECK(!(*s >= 'a' && *s <= 'z'));
		n++;
	}
	return n;
}

TEST(arch_event_iterator_gives_each_event_once)
{
	size_t common = COMMON_EVENTS;

	CHECK_EQ(walk(NULL), common);
	CHECK_EQ(walk(core_of(0x410fd0c0)), common);
	CHECK_EQ(walk(core_of(0x410fd030)), common + 25);
	CHECK_EQ(walk(core_of(0x410fd090)), common + 25);
	CHECK_EQ(walk(core_of(0x500f0000)), common + 25 - 2);
	CHECK_EQ(walk(core_of(0xc00fac30)), common + 97);
	CHECK_EQ(walk(core_of(0x460f0010)), common + 98);
	CHECK_EQ(walk(core_of(0x480fd010)), common + 11);
	CHECK_EQ(walk(core_of(0x610f0220)), 0);
}

/* --- generic names --- */

TEST(arch_generic_labels_say_what_arm64_counts)
{
	static const struct { const char *name; int hw, raw, alt; const char *label; } t[] = {
		{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 0x11, -1, NULL },
		{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, 0x11, -1, NULL },
		{ "instructions", PERF_COUNT_HW_INSTRUCTIONS, 0x08, -1, NULL },
		{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES, 0x04, -1, "L1D accesses" },
		{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES, 0x03, -1, "L1D refills (misses)" },
		{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x0c, 0x21,
		  "branches retired, or only taken ones (PC writes)" },
		{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x0c, 0x21,
		  "branches retired, or only taken ones (PC writes)" },
		{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES, 0x10, -1,
		  "mispredicted branches, also speculative ones" },
		{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES, 0x1d, -1, NULL },
		{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x23, -1,
		  NULL },
		{ "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x23, -1, NULL },
		{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x24, -1, NULL },
		{ "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x24, -1, NULL },
		{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES, -1, -1, NULL },
		{ "L1-dcache-loads", -1, 0x04, 0x40, "L1D accesses (on some cores reads only)" },
		{ "L1-dcache-load-misses", -1, 0x03, 0x42,
		  "L1D refills (on some cores for reads only)" },
		{ "L1-dcache-stores", -1, -1, 0x41, NULL },
		{ "L1-dcache-store-misses", -1, -1, 0x43, NULL },
		{ "L1-icache-loads", -1, 0x14, -1, NULL },
		{ "L1-icache-load-misses", -1, 0x01, -1, NULL },
		{ "LLC-loads", -1, 0x36, -1, NULL },
		{ "LLC-load-misses", -1, 0x37, -1, NULL },
		{ "dTLB-loads", -1, 0x25, 0x4e, "L1 data TLB lookups (on some cores reads only)" },
		{ "dTLB-load-misses", -1, 0x05, 0x4c, "L1 data TLB refills, not page walks" },
		{ "iTLB-loads", -1, 0x26, -1, "L1 instruction TLB lookups" },
		{ "iTLB-load-misses", -1, 0x02, -1, "L1 instruction TLB refills, not page walks" },
		{ "branch-loads", -1, 0x12, -1, "predictable branches, also speculative ones" },
		{ "branch-load-misses", -1, 0x10, -1,
		  "mispredicted branches, also speculative ones" },
		{ "node-loads", -1, -1, 0x60, "bus reads" },
		{ "node-stores", -1, -1, 0x61, "bus writes" },
	};

	CHECK_EQ(arch_aarch64.n_generics, ARRAY_SIZE(t));
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct arch_generic *g = &arch_aarch64.generics[i];

		CHECK_STR(g->alias, t[i].name);
		CHECK_EQ(g->hw, t[i].hw & 0xff);
		CHECK_EQ(g->raw, t[i].raw & 0xffff);
		CHECK_EQ(g->alt, t[i].alt & 0xffff);
		CHECK_STR(arch_generic_label(&arch_aarch64, t[i].name), t[i].label);
		CHECK(!arch_generic_label(&arch_x86_64, t[i].name));
		CHECK(t[i].raw < 0 || arch_event_name(NULL, g->raw));
		CHECK(t[i].alt < 0 || arch_event_name(NULL, g->alt));
	}
	CHECK_STR(arch_generic_label(&arch_aarch64, "DTLB-LOAD-MISSES"),
		  "L1 data TLB refills, not page walks");
	CHECK(!arch_generic_label(&arch_aarch64, "page-faults"));
}

/* --- top-down --- */

static void set(struct topdown_in *in, uint16_t event, uint64_t count)
{
	for (size_t i = 0; i < in->plan.n; i++) {
		if (in->plan.event[i] == event) {
			in->count[i] = count;
			return;
		}
	}
	t_fail(__FILE__, __LINE__, "event 0x%x is not in the plan", event);
}

static bool near(double got, double want)
{
	double d = got - want;

	return d < 1e-9 && d > -1e-9;
}

TEST(topdown_divides_the_slots)
{
	struct topdown_in in = { .plan = topdown_choose(0x410fd4e0, 8) };
	struct topdown_out out;

	CHECK_EQ(in.plan.kind, TOPDOWN_SLOTS);
	CHECK_EQ(in.plan.n, 6);
	set(&in, 0x11, 1000);
	set(&in, 0x3a, 3000);
	set(&in, 0x3b, 4000);
	set(&in, 0x3f, 4000);	/* half of 8000 */
	set(&in, 0x3e, 1000);
	set(&in, 0x3d, 3000);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	CHECK(near(out.frontend_bound, 12.5));
	CHECK(near(out.backend_bound, 37.5));
	CHECK(near(out.bad_speculation, 12.5));
	CHECK(near(out.retiring, 37.5));
}

/* 5 slots, 1000 cycles, 10 mispredictions; of the slots 20 % frontend stalls, 30 % backend. */
static void n2_case(uint64_t midr, uint64_t stall_slot, uint64_t stall_frontend)
{
	struct topdown_in in = { .plan = topdown_choose(midr, 5) };
	struct topdown_out out;

	CHECK_EQ(in.plan.n, 7);
	set(&in, 0x11, 1000);
	set(&in, 0x3a, 3000);
	set(&in, 0x3b, 4000);
	set(&in, 0x3f, stall_slot);
	set(&in, 0x3e, stall_frontend);
	set(&in, 0x3d, 1500);
	set(&in, 0x10, 10);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	CHECK(near(out.frontend_bound, 20 - 1));
	CHECK(near(out.backend_bound, 30 - 3));
	CHECK(near(out.bad_speculation, 12.5 + 4));
	CHECK(near(out.retiring, 37.5));
}

TEST(topdown_corrects_early_neoverse_n2)
{
	n2_case(0x410fd490, 3500, 2000);	/* r0p0: 1000 too many in each */
	n2_case(0x410fd492, 3500, 2000);
	n2_case(0x410fd493, 2500, 1000);	/* r0p3 */
	n2_case(0x411fd490, 2500, 1000);	/* r1p0 */
	n2_case(0x410fd4f0, 2500, 1000);	/* V2 r0p0 */
}

TEST(topdown_moves_mispredictions_of_neoverse_v1)
{
	struct topdown_in in = { .plan = topdown_choose(0x411fd401, 8) };
	struct topdown_out out;

	set(&in, 0x11, 1000);
	set(&in, 0x3a, 3000);
	set(&in, 0x3b, 4000);
	set(&in, 0x3f, 4000);
	set(&in, 0x3e, 1000);
	set(&in, 0x3d, 3000);
	set(&in, 0x10, 10);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	CHECK(near(out.frontend_bound, 12.5 - 4));
	CHECK(near(out.backend_bound, 37.5));
	CHECK(near(out.bad_speculation, 12.5 + 4));
	CHECK(near(out.retiring, 37.5));
}

TEST(topdown_of_another_vendor_with_n2s_part_is_plain)
{
	CHECK_EQ(topdown_choose(0x6d0fd490, 5).n, 6);
	CHECK_EQ(topdown_choose(0x6d0fd490, 5).stall_surplus, 0);
}

TEST(topdown_of_hip08_knows_its_width)
{
	struct topdown_in in = { .plan = topdown_choose(0x481fd010, 0) };
	struct topdown_out out;

	CHECK_EQ(in.plan.kind, TOPDOWN_WIDTH);
	CHECK_EQ(in.plan.slots, 4);
	set(&in, 0x11, 1000);
	set(&in, 0x2014, 800);
	set(&in, 0x1b, 2400);
	set(&in, 0x08, 2000);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	CHECK(near(out.frontend_bound, 20));
	CHECK(near(out.bad_speculation, 10));
	CHECK(near(out.retiring, 50));
	CHECK(near(out.backend_bound, 20));
}

TEST(topdown_without_slots_gives_stalled_cycles)
{
	struct topdown_in in = { .plan = topdown_choose(0x410fd083, 0) };
	struct topdown_out out;

	CHECK_EQ(in.plan.kind, TOPDOWN_STALLS);
	CHECK_EQ(topdown_stalls().kind, TOPDOWN_STALLS);
	set(&in, 0x11, 1000);
	set(&in, 0x23, 250);
	set(&in, 0x24, 400);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	CHECK(near(out.frontend_bound, 25));
	CHECK(near(out.backend_bound, 40));
	CHECK(near(out.retiring, 0) && near(out.bad_speculation, 0));
}

TEST(topdown_refuses_to_divide_by_nothing)
{
	struct topdown_in in = { .plan = topdown_choose(0x410fd4e0, 8) };
	struct topdown_out out;

	CHECK_EQ(topdown_compute(&in, &out), -ENODATA);
	set(&in, 0x11, 1000);
	CHECK_EQ(topdown_compute(&in, &out), -ENODATA);
	set(&in, 0x3b, 1);
	CHECK_EQ(topdown_compute(&in, &out), 0);
	in.plan.slots = 0;
	CHECK_EQ(topdown_compute(&in, &out), -EINVAL);
	in.plan = topdown_stalls();
	in.plan.n = TOPDOWN_EVENTS_MAX + 1;
	CHECK_EQ(topdown_compute(&in, &out), -EINVAL);
}

/* --- metrics --- */

TEST(arm_metrics_are_of_known_events)
{
	const struct arm_metric *m;
	size_t n = 0, basic = 0;

	CHECK_STR(arm_metric_at(0)->name, "ipc");
	for (; (m = arm_metric_any(n)); n++) {
		uint16_t raw[METRIC_EVENTS_MAX];

		CHECK(arm_metric_about(n)->groups[0] && arm_metric_about(n)->brief[0]);
		CHECK(m->scale == 1 || m->scale == 100 || m->scale == 1000);
		for (size_t i = arm_metric_events(m, raw); i-- > 0;)
			CHECK(arch_event_name(NULL, raw[i]) != NULL);
		CHECK_EQ(m->alias != NULL, arm_metric_at(n) != NULL);
		basic += arm_metric_at(n) != NULL;
	}
	CHECK_EQ(basic, 12);
	CHECK_EQ(n, 42);
	CHECK(!arm_metric_about(n));
}

static const struct arm_metric *metric_named(const char *name)
{
	const struct arm_metric *m = NULL;

	for (size_t i = 0; (m = arm_metric_any(i)) && strcmp(m->name, name);)
		i++;
	return m;
}

TEST(arm_metrics_of_sums_differences_and_slots)
{
	const struct arm_metric *sum = metric_named("branch_percentage");
	const struct arm_metric *hits = metric_named("ll_cache_read_hit_ratio"), *rate = metric_named("ipc_rate");
	const uint64_t counts[] = { 20, 5, 100 };
	uint16_t raw[METRIC_EVENTS_MAX];
	double v;

	CHECK_EQ(arm_metric_events(sum, raw), 3);
	CHECK(raw[0] == 0x78 && raw[1] == 0x7a && raw[2] == 0x1b);
	CHECK_EQ(arm_metric_compute(sum, counts, 0, &v), 0);
	CHECK(near(v, 25));
	/* What is divided by was counted already. */
	CHECK_EQ(arm_metric_events(hits, raw), 2);
	CHECK(raw[0] == 0x36 && raw[1] == 0x37);
	CHECK_EQ(arm_metric_compute(hits, counts, 0, &v), 0);
	CHECK(near(v, 75));
	CHECK_EQ(arm_metric_events(rate, raw), 2);
	CHECK_EQ(arm_metric_compute(rate, counts, 8, &v), 0);
	CHECK(near(v, 100 * 20 / (5. * 8)));
	CHECK_EQ(arm_metric_compute(rate, counts, 0, &v), -ENODATA);
	CHECK_EQ(arm_metric_compute(arm_metric_at(0), (const uint64_t[]){ 7, 0 }, 0, &v), -ENODATA);
	CHECK_EQ(arm_metric_compute(arm_metric_at(0), (const uint64_t[]){ 7, 14 }, 0, &v), 0);
	CHECK(near(v, 0.5));
}

/* --- uncore --- */

TEST(arch_uncore_names_are_told_from_the_pmu)
{
	static const struct { const char *pmu, *unit; } t[] = {
		{ "arm_cmn_0", "CMN mesh" },
		{ "arm_dsu_12", "DynamIQ shared unit and L3" },
		{ "arm_dmc620_10008c00", "DMC-620 memory controller" },
		{ "smmuv3_pmcg_100142", "SMMU address translation" },
		{ "CCI_400_r1", "CCI interconnect" },
		{ "arm_ni_0_cd_3", "NI-700 interconnect" },
		{ "arm_spe_0", "statistical profiling (SPE)" },
		{ "hisi_sccl1_l3c10", "HiSilicon L3 cache" },
		{ "hisi_sccl3_ddrc1", "HiSilicon memory controller" },
		{ "hisi_sccl3_ddrc1_0", "HiSilicon memory controller" },
		{ "hisi_sccl3_hha2", "HiSilicon Hydra home agent" },
		{ "hisi_sccl3_uc2_1", "HiSilicon unified cache" },
		{ "hisi_sicl0_pa1", "HiSilicon protocol adapter" },
		{ "hisi_sicl0_cpa1", "HiSilicon coherency protocol agent" },
		{ "l3cache_0_1", "Qualcomm L3 cache" },
		{ "l3c0", "X-Gene L3 cache" },
		{ "mc3", "X-Gene memory controller" },
		{ "mcb0", "X-Gene memory bridge" },
		{ "imx8_ddr0", "i.MX memory controller" },
		{ "imx9_ddr0", "i.MX memory controller" },
		{ "nvidia_nvlink_c2c1_pmu_0", "NVIDIA link between chips" },
		{ "ali_drw_21000", "Yitian memory controller" },
		{ "cxl_pmu_mem0.0", "CXL memory device" },
		{ "armv8_pmuv3_0", NULL },
		{ "arm_cmn_", NULL },
		{ "arm_cmn_x", NULL },
		{ "cpu", NULL },
		{ "mce", NULL },
		{ "software", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK_STR(arch_uncore_name(t[i].pmu), t[i].unit);
}
