/*
 * perf_event.h - the perf_event_open ABI as numbers and layouts (linux/perf_event.h up to 6.18), spelled here because
 * recordings are read on hosts whose headers are older, and because bit fields of a foreign byte order cannot be used.
 */
#ifndef ABI_PERF_EVENT_H
#define ABI_PERF_EVENT_H

#include <stddef.h>
#include <stdint.h>

/* perf_event_attr, VER8 (136 bytes). The flag bits are one word: PERF_ATTR_* below. */
struct perf_attr {
	uint32_t type;
	uint32_t size;
	uint64_t config;
	uint64_t sample_period;      /* or frequency in Hz with PERF_ATTR_FREQ */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	uint32_t wakeup;             /* events, or bytes with PERF_ATTR_WATERMARK */
	uint32_t bp_type;
	uint64_t config1;            /* bp_addr, kprobe_func, uprobe_path */
	uint64_t config2;            /* bp_len, kprobe_addr, probe_offset */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size;
	uint32_t aux_action;
	uint64_t sig_data;
	uint64_t config3;
};

enum perf_attr_size {
	PERF_ATTR_VER0 = 64, PERF_ATTR_VER1 = 72, PERF_ATTR_VER2 = 80, PERF_ATTR_VER3 = 96,
	PERF_ATTR_VER4 = 104, PERF_ATTR_VER5 = 112, PERF_ATTR_VER6 = 120, PERF_ATTR_VER7 = 128,
	PERF_ATTR_VER8 = 136,
};

_Static_assert(sizeof(struct perf_attr) == PERF_ATTR_VER8, "kernel ABI");
_Static_assert(offsetof(struct perf_attr, flags) == 40, "kernel ABI");
_Static_assert(offsetof(struct perf_attr, config1) == 56, "kernel ABI");
_Static_assert(offsetof(struct perf_attr, sample_regs_user) == 80, "kernel ABI");
_Static_assert(offsetof(struct perf_attr, sample_max_stack) == 108, "kernel ABI");
_Static_assert(offsetof(struct perf_attr, config3) == 128, "kernel ABI");

#define PERF_BIT(n) (UINT64_C(1) << (n))

#define PERF_ATTR_DISABLED                PERF_BIT(0)
#define PERF_ATTR_INHERIT                 PERF_BIT(1)
#define PERF_ATTR_PINNED                  PERF_BIT(2)
#define PERF_ATTR_EXCLUSIVE               PERF_BIT(3)
#define PERF_ATTR_EXCLUDE_USER            PERF_BIT(4)
#define PERF_ATTR_EXCLUDE_KERNEL          PERF_BIT(5)
#define PERF_ATTR_EXCLUDE_HV              PERF_BIT(6)
#define PERF_ATTR_EXCLUDE_IDLE            PERF_BIT(7)
#define PERF_ATTR_MMAP                    PERF_BIT(8)
#define PERF_ATTR_COMM                    PERF_BIT(9)
#define PERF_ATTR_FREQ                    PERF_BIT(10)
#define PERF_ATTR_INHERIT_STAT            PERF_BIT(11)
#define PERF_ATTR_ENABLE_ON_EXEC          PERF_BIT(12)
#define PERF_ATTR_TASK                    PERF_BIT(13)
#define PERF_ATTR_WATERMARK               PERF_BIT(14)
#define PERF_ATTR_PRECISE_SHIFT           15
#define PERF_ATTR_PRECISE_MASK            (UINT64_C(3) << 15)
#define PERF_ATTR_MMAP_DATA               PERF_BIT(17)
#define PERF_ATTR_SAMPLE_ID_ALL           PERF_BIT(18)
#define PERF_ATTR_EXCLUDE_HOST            PERF_BIT(19)
#define PERF_ATTR_EXCLUDE_GUEST           PERF_BIT(20)
#define PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL PERF_BIT(21)
#define PERF_ATTR_EXCLUDE_CALLCHAIN_USER  PERF_BIT(22)
#define PERF_ATTR_MMAP2                   PERF_BIT(23)
#define PERF_ATTR_COMM_EXEC               PERF_BIT(24)
#define PERF_ATTR_USE_CLOCKID             PERF_BIT(25)
#define PERF_ATTR_CONTEXT_SWITCH          PERF_BIT(26)
#define PERF_ATTR_WRITE_BACKWARD          PERF_BIT(27)
#define PERF_ATTR_NAMESPACES              PERF_BIT(28)
#define PERF_ATTR_KSYMBOL                 PERF_BIT(29)
#define PERF_ATTR_BPF_EVENT               PERF_BIT(30)
#define PERF_ATTR_AUX_OUTPUT              PERF_BIT(31)
#define PERF_ATTR_CGROUP                  PERF_BIT(32)
#define PERF_ATTR_TEXT_POKE               PERF_BIT(33)
#define PERF_ATTR_BUILD_ID                PERF_BIT(34)
#define PERF_ATTR_INHERIT_THREAD          PERF_BIT(35)
#define PERF_ATTR_REMOVE_ON_EXEC          PERF_BIT(36)
#define PERF_ATTR_SIGTRAP                 PERF_BIT(37)

enum perf_type {
	PERF_HARDWARE, PERF_SOFTWARE, PERF_TRACEPOINT, PERF_HW_CACHE, PERF_RAW, PERF_BREAKPOINT,
};

enum perf_hw {
	PERF_HW_CYCLES, PERF_HW_INSTRUCTIONS, PERF_HW_CACHE_REFERENCES, PERF_HW_CACHE_MISSES,
	PERF_HW_BRANCHES, PERF_HW_BRANCH_MISSES, PERF_HW_BUS_CYCLES, PERF_HW_STALLED_FRONTEND,
	PERF_HW_STALLED_BACKEND, PERF_HW_REF_CYCLES,
};

enum perf_sw {
	PERF_SW_CPU_CLOCK, PERF_SW_TASK_CLOCK, PERF_SW_PAGE_FAULTS, PERF_SW_CONTEXT_SWITCHES,
	PERF_SW_CPU_MIGRATIONS, PERF_SW_MINOR_FAULTS, PERF_SW_MAJOR_FAULTS, PERF_SW_ALIGNMENT_FAULTS,
	PERF_SW_EMULATION_FAULTS, PERF_SW_DUMMY, PERF_SW_BPF_OUTPUT, PERF_SW_CGROUP_SWITCHES,
};

#define PERF_SAMPLE_IP             PERF_BIT(0)
#define PERF_SAMPLE_TID            PERF_BIT(1)
#define PERF_SAMPLE_TIME           PERF_BIT(2)
#define PERF_SAMPLE_ADDR           PERF_BIT(3)
#define PERF_SAMPLE_READ           PERF_BIT(4)
#define PERF_SAMPLE_CALLCHAIN      PERF_BIT(5)
#define PERF_SAMPLE_ID             PERF_BIT(6)
#define PERF_SAMPLE_CPU            PERF_BIT(7)
#define PERF_SAMPLE_PERIOD         PERF_BIT(8)
#define PERF_SAMPLE_STREAM_ID      PERF_BIT(9)
#define PERF_SAMPLE_RAW            PERF_BIT(10)
#define PERF_SAMPLE_BRANCH_STACK   PERF_BIT(11)
#define PERF_SAMPLE_REGS_USER      PERF_BIT(12)
#define PERF_SAMPLE_STACK_USER     PERF_BIT(13)
#define PERF_SAMPLE_WEIGHT         PERF_BIT(14)
#define PERF_SAMPLE_DATA_SRC       PERF_BIT(15)
#define PERF_SAMPLE_IDENTIFIER     PERF_BIT(16)
#define PERF_SAMPLE_TRANSACTION    PERF_BIT(17)
#define PERF_SAMPLE_REGS_INTR      PERF_BIT(18)
#define PERF_SAMPLE_PHYS_ADDR      PERF_BIT(19)
#define PERF_SAMPLE_AUX            PERF_BIT(20)
#define PERF_SAMPLE_CGROUP         PERF_BIT(21)
#define PERF_SAMPLE_DATA_PAGE_SIZE PERF_BIT(22)
#define PERF_SAMPLE_CODE_PAGE_SIZE PERF_BIT(23)
#define PERF_SAMPLE_WEIGHT_STRUCT  PERF_BIT(24)

#define PERF_FORMAT_ENABLED PERF_BIT(0)
#define PERF_FORMAT_RUNNING PERF_BIT(1)
#define PERF_FORMAT_ID      PERF_BIT(2)
#define PERF_FORMAT_GROUP   PERF_BIT(3)
#define PERF_FORMAT_LOST    PERF_BIT(4)

#define PERF_BRANCH_HW_INDEX PERF_BIT(17)
#define PERF_BRANCH_COUNTERS PERF_BIT(19)    /* 6.8: 8 more bytes for each branch, after the entries */

/* struct perf_event_header: in front of every record. */
struct perf_rec {
	uint32_t type;
	uint16_t misc;
	uint16_t size;    /* bytes, header included */
};

_Static_assert(sizeof(struct perf_rec) == 8, "kernel ABI");

enum perf_rec_type {
	PERF_REC_MMAP = 1, PERF_REC_LOST = 2, PERF_REC_COMM = 3, PERF_REC_EXIT = 4, PERF_REC_THROTTLE = 5,
	PERF_REC_UNTHROTTLE = 6, PERF_REC_FORK = 7, PERF_REC_READ = 8, PERF_REC_SAMPLE = 9, PERF_REC_MMAP2 = 10,
	PERF_REC_AUX = 11, PERF_REC_ITRACE_START = 12, PERF_REC_LOST_SAMPLES = 13, PERF_REC_SWITCH = 14,
	PERF_REC_SWITCH_CPU_WIDE = 15, PERF_REC_NAMESPACES = 16, PERF_REC_KSYMBOL = 17, PERF_REC_BPF_EVENT = 18,
	PERF_REC_CGROUP = 19, PERF_REC_TEXT_POKE = 20, PERF_REC_AUX_OUTPUT_HW_ID = 21,
	/* From here on written by the recorder, not by the kernel; without sample_id trailer. */
	PERF_REC_USER = 64,
	PERF_REC_HEADER_ATTR = 64, PERF_REC_EVENT_TYPE = 65, PERF_REC_TRACING_DATA = 66, PERF_REC_BUILD_ID = 67,
	PERF_REC_FINISHED_ROUND = 68, PERF_REC_ID_INDEX = 69, PERF_REC_AUXTRACE_INFO = 70, PERF_REC_AUXTRACE = 71,
	PERF_REC_AUXTRACE_ERROR = 72, PERF_REC_THREAD_MAP = 73, PERF_REC_CPU_MAP = 74, PERF_REC_STAT_CONFIG = 75,
	PERF_REC_STAT = 76, PERF_REC_STAT_ROUND = 77, PERF_REC_EVENT_UPDATE = 78, PERF_REC_TIME_CONV = 79,
	PERF_REC_HEADER_FEATURE = 80, PERF_REC_COMPRESSED = 81, PERF_REC_FINISHED_INIT = 82,
	PERF_REC_COMPRESSED2 = 83,
};

enum perf_ksymbol_type { PERF_KSYMBOL_UNKNOWN, PERF_KSYMBOL_BPF, PERF_KSYMBOL_OOL };

#define PERF_MISC_CPUMODE_MASK 7
#define PERF_MISC_KERNEL       1
#define PERF_MISC_USER         2
#define PERF_MISC_HYPERVISOR   3
#define PERF_MISC_GUEST_KERNEL 4
#define PERF_MISC_GUEST_USER   5
#define PERF_MISC_COMM_EXEC    (1u << 13)    /* COMM: the process called exec */
#define PERF_MISC_FORK_EXEC    (1u << 13)    /* FORK: synthesized by the recorder for an existing task */
#define PERF_MISC_MMAP_DATA     (1u << 13)   /* MMAP, MMAP2: not executable */
#define PERF_MISC_MMAP_BUILD_ID (1u << 14)   /* MMAP2: build id instead of maj, min, ino */
#define PERF_MISC_SWITCH_OUT    (1u << 13)   /* SWITCH, SWITCH_CPU_WIDE: the task stops running */
#define PERF_MISC_PREEMPT       (1u << 14)   /* ... but is still runnable */
#define PERF_MISC_BUILD_ID_SIZE (1u << 15)   /* BUILD_ID: the size byte is valid */

/* Markers in a call chain: the context of the addresses after it. Values >= PERF_CONTEXT_MAX are markers. */
#define PERF_CONTEXT_HV           ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL       ((uint64_t)-128)
#define PERF_CONTEXT_USER         ((uint64_t)-512)
#define PERF_CONTEXT_GUEST        ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER   ((uint64_t)-2560)
#define PERF_CONTEXT_MAX          ((uint64_t)-4095)

/* ioctl numbers: _IO('$', n), _IOW('$', n, type). */
#define PERF_IOC_ENABLE     0x2400u
#define PERF_IOC_DISABLE    0x2401u
#define PERF_IOC_REFRESH    0x2402u
#define PERF_IOC_RESET      0x2403u
#define PERF_IOC_PERIOD     0x40082404u
#define PERF_IOC_SET_OUTPUT 0x2405u
#define PERF_IOC_SET_FILTER 0x40082406u
#define PERF_IOC_ID         0x80082407u
#define PERF_IOC_SET_BPF    0x40042408u
#define PERF_IOC_PAUSE      0x40042409u
#define PERF_IOC_FLAG_GROUP 1u            /* argument of the first ones: for the leader's whole group */

/* perf_event_open flags. */
#define PERF_FLAG_PID_CGROUP 4u
#define PERF_FLAG_CLOEXEC    8u

/* Offsets in the first mapped page of a ring (struct perf_event_mmap_page). */
#define PERF_PAGE_LOCK        8       /* odd while the kernel writes the fields up to time_mask */
#define PERF_PAGE_CAPS        40      /* PERF_PAGE_CAP_* */
#define PERF_PAGE_TIME_SHIFT  50
#define PERF_PAGE_TIME_MULT   52
#define PERF_PAGE_TIME_ZERO   64
#define PERF_PAGE_TIME_CYCLES 80      /* Linux 5.9 */
#define PERF_PAGE_TIME_MASK   88
#define PERF_PAGE_DATA_HEAD   1024
#define PERF_PAGE_DATA_TAIL   1032
#define PERF_PAGE_DATA_OFFSET 1040
#define PERF_PAGE_DATA_SIZE   1048
#define PERF_PAGE_AUX_HEAD    1056
#define PERF_PAGE_AUX_TAIL    1064
#define PERF_PAGE_AUX_OFFSET  1072
#define PERF_PAGE_AUX_SIZE    1080

#define PERF_PAGE_CAP_TIME_ZERO  PERF_BIT(4)
#define PERF_PAGE_CAP_TIME_SHORT PERF_BIT(5)

/* Flags of an AUX record. */
#define PERF_AUX_TRUNCATED 1
#define PERF_AUX_PARTIAL   4
#define PERF_AUX_COLLISION 8

#endif
