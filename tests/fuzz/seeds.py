#!/usr/bin/env python3
"""seeds.py DIR NAME... - what the fuzzers start from: real inputs of each parser, in DIR/NAME.
seeds.py DIR files - whole files for `files`, in DIR/seeds, and DIR/trees.

Programs are compiled here, sections are cut out of them, pages and records out of the recordings of tests/data; what a
fuzzer wants in front of it (choices, sizes) is put there. One function for each fuzzer, by its name. A compiler that is
missing costs its seeds and nothing else.
"""
import glob
import gzip
import os
import re
import struct
import subprocess
import sys
import tempfile

LARGEST = 32768
CROSS = "aarch64-linux-gnu-"
PC = 0x10000   # where fuzz_lines has its code


def read(path):
    with open(path, "rb") as f:
        return f.read()


def files(*patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(pattern)):
            if os.path.isfile(path):
                yield os.path.basename(path), read(path)


def literals(*tests):
    """The string literals of unit tests: texts in the parser's own language. Neighbours are one."""
    for test in tests:
        text = read(f"tests/unit/{test}.c").decode()
        for m in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
            yield unescape(m.group(0))


def unescape(literal):
    body = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literal))
    body = re.sub(r"\\([0-7]{1,3})", lambda m: f"\\x{int(m.group(1), 8) & 255:02x}", body)
    return body.encode().decode("unicode_escape").encode("latin1")


def numbered(items, prefix="s"):
    return ((f"{prefix}{i}", x) for i, x in enumerate(items))


# --- programs ---------------------------------------------------------------------------------------------------------

C = r"""
#include <stdarg.h>
struct point { int x, y; double d; struct point *next; unsigned flag : 3; };
enum color { RED, GREEN = 7 };
union either { long l; char text[12]; };
typedef int (*callback)(struct point *, enum color);
volatile int sink;
int table[8];
__attribute__((noinline)) int add(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	while (n--)
		sink += va_arg(ap, int);
	va_end(ap);
	return sink;
}
static inline int twice(int a) { sink = a; return a * 2; }
int walk(struct point *p, enum color c, union either *e)
{
	int sum = 0;
	for (int i = 0; p; p = p->next, i++) {
		char buf[64 + sum % 8];
		struct point *inner = p;
		buf[i % 8] = (char)sum;
		sum += twice(inner->x) + buf[0] + (c == GREEN ? (int)e->l : p->flag);
	}
	return sum;
}
int choose(int a, callback f, struct point *p)
{
	switch (a) {
	case 1: return add(1, a);
	case 2: return f(p, RED);
	case 3: return table[a] / (a + sink);
	case 4: __builtin_trap();
	case 5: return __atomic_add_fetch(&sink, a, 5);
	}
	return a > 5 ? choose(a - 1, f, p) + walk(p, RED, 0) : 0;
}
void _start(void) { struct point p = { 1, 2, 3.0, 0, 1 }; sink = choose(table[0], 0, &p) + (int)(p.d * sink); for (;;); }
"""

CXX = r"""
namespace ns {
struct Base { virtual int f(int); virtual ~Base(); int base; };
template <typename T> struct Box : Base { T v; int f(int a) override { return v + a; } };
int Base::f(int a) { return a; }
Base::~Base() {}
}
void operator delete(void *, unsigned long) noexcept {}
extern "C" void __cxa_pure_virtual() {}
extern "C" int _start(int a) { try { ns::Box<int> b; ns::Base *p = &b; return p->f(a); } catch (...) { return 1; } }
"""

BARE = "-nostdlib -fno-stack-protector -ffreestanding -Wl,-z,noseparate-code -Wl,-z,max-page-size=512 -Wl,--build-id=sha1 -fno-pie -no-pie -static"
SHARED = "-nostdlib -shared -fPIC -fno-stack-protector -Wl,-z,noseparate-code -Wl,-z,max-page-size=512 -Wl,--build-id=sha1"
AT = f"{BARE} -Wl,-Ttext={PC:#x} -Wl,--build-id=none"

# What each is made for stands behind it.
PROGRAMS = {
    "g2": ["gcc", "-g -O2 " + BARE],
    "g0d2": ["gcc", "-g -O0 -gdwarf-2 " + BARE],
    "g2types": ["gcc", "-g -O2 -gdwarf-4 -fdebug-types-section " + BARE],
    "g2frame": ["gcc", "-g -O2 -fno-asynchronous-unwind-tables " + BARE],            # .debug_frame
    "g0fp": ["gcc", "-O0 -fno-omit-frame-pointer " + BARE],
    "g2so": ["gcc", "-O2 " + SHARED],                                                # PLT, dynamic symbols
    "g2now": ["gcc", "-O2 -fcf-protection -Wl,-z,now -Wl,-z,ibtplt -Wl,--hash-style=gnu " + SHARED],
    "g2o": ["gcc", "-g -O2 -ffunction-sections -c"],                                 # relocations
    "g2z": ["gcc", "-g -O2 -gz=zlib " + BARE],
    "c2": ["clang", "-g -O2 -fuse-ld=lld " + BARE],
    "c1d4": ["clang", "-g -O1 -gdwarf-4 -fuse-ld=lld " + BARE],
    "c2frame": ["clang", "-g -O2 -gdwarf-3 -fno-asynchronous-unwind-tables -fuse-ld=lld " + BARE],
    "mips": ["clang", "--target=mips-linux-gnu -g -O1 -c"],                          # big endian, 32 bits
    "i386": ["clang", "--target=i386-linux-gnu -g -O1 -c"],
    "be64": ["clang", "--target=aarch64_be-linux-gnu -g -O1 -c"],
    "a2": [CROSS + "gcc", "-mno-outline-atomics -g -O2 " + AT],
    "a0": [CROSS + "gcc", "-mno-outline-atomics -g -O0 " + AT],
    "a2d4": [CROSS + "gcc", "-mno-outline-atomics -g -O2 -gdwarf-4 " + AT],
    "a0d2": [CROSS + "gcc", "-mno-outline-atomics -g -O0 -gdwarf-2 -gstrict-dwarf " + AT],
    "a1d3": [CROSS + "gcc", "-mno-outline-atomics -g -O1 -gdwarf-3 " + AT],
    "a2frame": [CROSS + "gcc", "-mno-outline-atomics -g -O2 -fno-asynchronous-unwind-tables -fno-exceptions " + AT],
    "a2pac": [CROSS + "gcc", "-mno-outline-atomics -O2 -mbranch-protection=standard " + AT],              # negate_ra_state
    "a2so": [CROSS + "gcc", "-mno-outline-atomics -O2 -mbranch-protection=standard -Wl,-z,pac-plt -Wl,-z,force-bti " + SHARED],
    "a2lse": [CROSS + "gcc", "-O2 -march=armv8.1-a " + AT],
    "ac2": ["clang", f"--target=aarch64-linux-gnu -mno-outline-atomics -g -O2 -fuse-ld=lld {BARE} -Wl,--image-base={PC:#x}"],
    "ac2d4": ["clang", f"--target=aarch64-linux-gnu -mno-outline-atomics -g -O2 -gdwarf-4 -fuse-ld=lld {BARE} -Wl,--image-base={PC:#x}"],
    "bpf": ["clang", "--target=bpf -g -O2 -c -DBPF"],                                # .BTF
    "bpfeb": ["clang", "--target=bpfeb -g -O2 -c -DBPF"],
    "x2": ["g++", "-g -O2 " + BARE + " -fno-rtti -nodefaultlibs -Wl,--unresolved-symbols=ignore-all"],
    "x0a": [CROSS + "g++", "-g -O0 -gdwarf-4 " + BARE + " -fno-rtti -nodefaultlibs -Wl,--unresolved-symbols=ignore-all"],
    "marks": [CROSS + "gcc", "-mno-outline-atomics -O1 " + BARE],                                         # USDT
    "marksg": [CROSS + "gcc", "-mno-outline-atomics -O0 -g " + SHARED],
}

BPF_C = r"""
struct list_head { struct list_head *next, *prev; };
enum kind { A, B = -5, C = 1 << 30 };
struct task { int pid; enum kind kind; struct list_head list; union { long l; char c[8]; }; unsigned bits : 5, more : 3;
	const volatile char *comm; int (*call)(struct task *, ...); double d; _Bool flag; };
typedef struct task task_t;
extern int other(task_t *);
static int global;
__attribute__((noinline)) int first(struct task *t, enum kind kind, unsigned long flags) { return t->pid + kind + global + (int)flags; }
int second(task_t *t) { global++; return first(t, B, t->bits) + (t->kind == C); }
"""


class Made:
    """Programs, compiled when they are first asked for, all at once."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.done = False

    def all(self):
        if not self.done:
            self.build()
            self.done = True
        return {n: read(p) for n in PROGRAMS for p in [os.path.join(self.folder, n)] if os.path.exists(p)}

    def build(self):
        for name, text in (("prog.c", C), ("prog.cc", CXX), ("bpf.c", BPF_C)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        todo = []
        for name, (cc, flags) in PROGRAMS.items():
            out = os.path.join(self.folder, name)
            source = os.path.join(self.folder, "prog.cc" if "++" in cc else "bpf.c" if "BPF" in flags else "prog.c")
            if name.startswith("marks"):
                source = os.path.join(self.folder, "marks.c")
                with open(source, "w", encoding="utf-8") as f:
                    f.write(read("tests/probe/marks.c").decode().replace("int main(", "int _start("))
            if not os.path.exists(out):
                todo.append([cc, *flags.split(), "-w", "-o", out, source])
        at_once = os.cpu_count() or 1
        for i in range(0, len(todo), at_once):
            for p in [start(c) for c in todo[i:i + at_once]]:
                if p:
                    p.wait()


def start(command):
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return None


def sections(elf):
    """name -> bytes"""
    if elf[:4] != b"\177ELF":
        return {}
    end = ">" if elf[5] == 2 else "<"
    if elf[4] == 2:
        shoff, = struct.unpack_from(end + "Q", elf, 40)
        size, n, strings = struct.unpack_from(end + "HHH", elf, 58)
        entry = "IIQQQQ"
    else:
        shoff, = struct.unpack_from(end + "I", elf, 32)
        size, n, strings = struct.unpack_from(end + "HHH", elf, 46)
        entry = "IIIIII"
    table = [struct.unpack_from(end + entry, elf, shoff + i * size) for i in range(n)]
    names = table[strings]
    out = {}
    for name, kind, _, _, off, length in table:
        at = names[4] + name
        out[elf[at:elf.index(b"\0", at)].decode()] = elf[off:off + length] if kind != 8 else b""
    return out


def cut(made, section):
    for name, elf in made.all().items():
        data = sections(elf).get(section, b"")
        if data:
            yield name, data


# --- obj --------------------------------------------------------------------------------------------------------------

def blob(made):
    del made
    for name, data in files("tests/data/perf/*.data"):
        tracing = features(data).get(1, b"")
        if tracing:
            yield name, tracing
    for name, data in files("tests/data/dat/v6*.dat"):
        yield name, data[:LARGEST]
    for swap in (False, True):
        yield f"made{int(swap)}", tracing_data(swap)


def tracing_data(swap=False):
    """As tracefs/dat/blob.h has it."""
    e = ">" if swap else "<"

    def sized(data):
        return struct.pack(e + "Q", len(data)) + data

    formats = dict(files("tests/data/formats/*"))
    out = b"\x17\x08\x44tracing0.6\0" + bytes([swap, 8]) + struct.pack(e + "I", 4096)
    out += b"header_page\0" + sized(formats["header_page"]) + b"header_event\0" + sized(b"# compressed entry header\n")
    out += struct.pack(e + "I", 2) + sized(formats["function"]) + sized(formats["kernel_stack"])
    out += struct.pack(e + "I", 2)
    out += b"sched\0" + struct.pack(e + "I", 2) + sized(formats["sched_switch"]) + sized(formats["sched_process_fork"])
    out += b"irq\0" + struct.pack(e + "I", 1) + sized(formats["irq_handler_entry"])
    for text in (b"ffff000000001000 T _text\nffff000000002000 t f\t[mod]\n", b'0xffff000000005000 : "x=%d\\n"\n'):
        out += struct.pack(e + "I", len(text)) + text
    return out + sized(b"1 init\n42 sleep\n")


def btf(made):
    yield from files("tests/data/btf/*")
    yield from cut(made, ".BTF")


def cfi(made):
    for section in (".eh_frame", ".debug_frame"):
        for name, data in cut(made, section):
            yield name + section, data
    for name in ("g2", "a2pac", "a2so", "g2so", "x2", "c2"):
        elf = made.all().get(name)
        if elf:
            yield name, stripped(elf)


def stripped(elf):
    p = subprocess.run(["llvm-objcopy", "--strip-debug", "-", "-"], input=elf, capture_output=True, check=False)
    return p.stdout or elf


def demangle(made):
    del made
    text = read("tests/unit/test_demangle.c").decode()
    yield from numbered(sorted({m.encode() for m in re.findall(r"_[ZR][A-Za-z0-9_$.]*", text)}))


def dwarf(made):
    yield from files("tests/data/dwarf/*[0-9]", "tests/data/dwarf/*.dw?")
    yield from made.all().items()


def places(made):
    yield from made.all().items()
    yield from files("tests/data/datatypes/host/touch")


def elf(made):
    for name, data in made.all().items():
        yield name, stripped(data)
    for name in ("g2so", "a2so"):
        path = os.path.join(made.folder, name)
        link = subprocess.run(["objcopy", "--add-gnu-debuglink=" + path, path, path + ".link"], capture_output=True, check=False)
        if not link.returncode:
            yield name + "-link", read(path + ".link")


def gofunc(made):
    del made
    yield from files("tests/data/go/*")


def disasm(made):
    """The choice, code."""
    for name, code in cut(made, ".text"):
        for i in range(0, min(len(code), 1600), 400):
            yield f"{name}-{i}", b"\0" + code[i:i + 400]
            yield f"{name}-x-{i}", b"\3" + code[i:i + 400]
    yield "kinds", b"\0" + struct.pack("<8I", 0x90000001, 0x91004020, 0x4c402020, 0xa400a020, 0x05306e40, 0xd53bd040, 0x1e601000, 0x25ed479c)


def flow(made):
    """BTF behind its size, the architecture, places, code."""
    places = bytes([4, 0, 9, 0, 0, 0, 8, 7, 4, 9, 0, 1, 0, 8, 8, 4, 9, 1, 31, 16, 16, 9, 4, 9, 2, 31, 240, 16, 10])
    for btf_name, types in list(files("tests/data/btf/*"))[:4]:
        for name, code in cut(made, ".text"):
            machine, = struct.unpack_from("<H", made.all()[name], 18)
            is_arm = {183: 1, 62: 0}.get(machine)
            for i in range(0, min(len(code), 800), 400) if is_arm is not None and len(types) < 20000 else ():
                yield f"{btf_name}-{name}-{i}", struct.pack("<HB", len(types), is_arm) + types + places + code[i:i + 400]


def insn(made):
    """Architecture and side, place, code."""
    for name, code in cut(made, ".text"):
        machine, = struct.unpack_from("<H", made.all()[name], 18)
        how = {183: 1, 62: 0}.get(machine)
        for i in range(0, min(len(code), 1600), 200) if how is not None else ():
            for side in (0, 2):
                yield f"{name}-{side}-{i}", bytes([how | side, 4]) + code[i:i + 200]
    yield "stxr", b"\x03\x01" + struct.pack("<8I", 0xc85ffc20, 0x91000400, 0xc802fc20, 0x35ffffa2, 0xd65f03c0, 0x58000040,
                                          0x14000002, 0xd503233f)
    for i, text in enumerate((b"\x66\x2e\x0f\x1f\x84\0\0\0\0\0\x66\x90", b"\xc5\xf8\x77\xc4\xe2\x7d\x18\x05\1\0\0\0",
                              b"\x62\xf1\x7c\x48\x10\x07\xf2\x0f\x38\xf1\xc0\xc3", b"\x48\xb8\1\2\3\4\5\6\7\x08\xe8\1\0\0\0\xeb\xfe",
                              b"\x67\x8b\x04\x25\0\0\0\0\xf0\x48\x0f\xc7\x0f\x0f\x05\xcc", b"\x8f\xe9\x78\x80\xc0\xc8\x10\0\0")):
        yield f"x{i}", b"\0\0" + text


def frames(*functions):
    """.eh_frame of functions of 64 bytes each from 0x2000 on, by their instructions."""
    def entry(data):
        data += b"\0" * (-len(data) % 4)
        return struct.pack("<I", len(data)) + data

    out = entry(b"\0\0\0\0\1zR\0\x04\x78\x1e\1\x03\x0c\x1f\0")
    for i, insns in enumerate(functions):
        out += entry(struct.pack("<III", len(out) + 4, 0x2000 + 64 * i, 64) + b"\0" + insns)
    return out + b"\0\0\0\0"


def unwind(made):
    """pc, registers (x28, x29, x30, sp, then others), stack, call frame information; see fuzz_unwind.c."""
    del made
    rules = frames(b"", b"\x41\x0e\x20\x9d\x04\x9e\x03", b"\x07\x1e", b"\x0f\x03\x8f\x08\x06\x9e\x01", b"\x16\x1d\x02\x8f\x08\x09\x1e\x1c")
    stack = [0x7020, 0x2054, 0, 0, 0, 0x2084, 0x7040, 0x20c4] + [0x7000 + 8 * i for i in range(24)]
    for pc in (0x2004, 0x2050, 0x2090, 0x20c8, 0x2108, 0x9000):
        yield f"{pc:x}", struct.pack("<H8H32H", pc, 0, 0x7000, 0x204c, 0x7000, 4, 5, 6, 7, *stack) + rules
    yield "expression", b"\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22\x12\x06\x14\x16\x17\x13\x15\1\x1f\x20\x28\1\0\x96\x23\x10"


# Of fuzz_lines: what the rest of the bytes is.
LINES, EXPRESSION, PAIRS, ENTRIES, FRAME_BASE, FRAMES = range(6)

EXPRESSIONS = (
    "91 08", "50", "70 10", "8f 78", "08 2a 9f", "03 00 00 01 00 00 00 00 00", "90 21", "92 1f 08 06", "50 93 04 51 93 04",
    "93 04 52 93 04", "a3 01 50 9f", "f3 01 51 9f", "70 00 06 23 08 06", "0a 10 01 1c 9f", "70 00 08 ff 1a 9f", "9c 23 10", "96",
    "70 00 71 00 22 9f", "30 20 9f", "70 00 94 04 9f", "71 00 38 24 38 26 9f", "9e 04 01 02 03 04", "a0 00 00 00 00 08",
    "9d 08 04", "70 00 12 30 29 28 01 00 13 9f", "e0", "a8 00 9f", "a5 01 00 9f", "10 80 01 11 7f 1e 9f", "97", "70 04 19 1f 9f",
    "fd 00 00 00 00", "9b", "0c 01 02 03 04 0e 01 02 03 04 05 06 07 08 21 9f", "51 93 03 70 00 38 24 9f 93 05",
)


def lines(made):
    for name, data in cut(made, ".debug_line"):
        yield f"{name}.line", bytes([LINES]) + data
    for i, text in enumerate(EXPRESSIONS):
        yield f"x{i}", bytes([EXPRESSION]) + bytes.fromhex(text)
    for name, data in cut(made, ".debug_loc"):
        yield f"{name}.loc", bytes([PAIRS]) + data
    for name, data in cut(made, ".debug_loclists"):
        for kind in (ENTRIES, FRAME_BASE):
            for skip in (0, 12):   # the section's header, which only the first offset stands behind
                yield f"{name}.lists{kind}{skip}", bytes([kind]) + data[skip:]
    entry = b"\2\x91\x08"
    yield "entries", bytes([ENTRIES]) + b"\6" + struct.pack("<Q", PC) + b"\4\0\4" + entry + b"\5" + entry + b"\0"
    yield "spans", bytes([ENTRIES]) + b"\7" + struct.pack("<QQ", PC, PC + 4) + entry + b"\x08" + struct.pack("<Q", PC) + b"\x20" + entry + b"\0"
    yield "pairs", bytes([PAIRS]) + struct.pack("<QQH2B", 0, 8, 2, 0x91, 8) + struct.pack("<QQ", 2**64 - 1, PC) + \
        struct.pack("<QQHB", 0, 16, 1, 0x50) + bytes(16)
    for name, data in cut(made, ".debug_frame"):
        yield f"{name}.frame", bytes([FRAMES]) + data


def usdt(made):
    for name in ("marks", "marksg"):
        if name in made.all():
            yield name, stripped(made.all()[name])
    yield from numbered(literals("test_usdt"))


# --- recordings -------------------------------------------------------------------------------------------------------

def features(data):
    """number -> bytes, of a perf.data"""
    if data[:8] != b"PERFILE2" or struct.unpack_from("<Q", data, 8)[0] < 104:
        return {}
    off, size = struct.unpack_from("<QQ", data, 40)
    bits = int.from_bytes(data[72:104], "little")
    out = {}
    for i in range(256):
        if bits >> i & 1:
            at, n = struct.unpack_from("<QQ", data, off + size + 16 * len(out))
            out[i] = data[at:at + n]
    return out


def records(data):
    """(type, misc, body), of a perf.data"""
    off, size = struct.unpack_from("<QQ", data, 40)
    end = off + size
    while off + 8 <= end:
        kind, misc, n = struct.unpack_from("<IHH", data, off)
        if n < 8:
            return
        yield kind, misc, data[off + 8:off + n]
        off += n


def perf_file(made):
    del made
    yield from files("tests/data/perf/*.data")


def perf_pipe(made):
    del made
    for name, data in files("tests/data/perf/*pipe.data"):
        for piece in (0, 1, 255):
            yield f"{name}-{piece}", bytes([piece]) + data


def spe(made):
    """A load, a store and a branch, cut at several places, and alignment."""
    del made
    load = b"\xb0" + b"\x56\x34\x12\x10\x00\x80\xff\xa0" + b"\x65" + bytes(4) + b"\x49\x00\x52\x1e\x00\x98\x2c\x01\x99\x14\x00" + \
        b"\xb2" + bytes(range(8)) + b"\xb3" + bytes(range(8)) + b"\x43\x0e\x71" + bytes(range(8))
    rest = b"\x20\xb1" + bytes(range(8)) + b"\x4a\x01\x01" + b"\x49\x01\x62" + bytes(4) + b"\x22\x00" + bytes(6) + b"\x01"
    for core in range(4):
        for cut in (0, 7, 40, 200):
            yield f"{core}-{cut}", bytes([core, 0, cut]) + load + rest + load


def stat(made):
    del made
    yield from files("tests/data/perf/stat*.data")


def dat(made):
    del made
    yield from files("tests/data/dat/*")


def samples_of(data):
    size, = struct.unpack_from("<Q", data, 16)
    at, = struct.unpack_from("<Q", data, 24)
    kind, reads = struct.unpack_from("<QQ", data, at + 24)
    flags, = struct.unpack_from("<Q", data, at + 40)
    branch, user = struct.unpack_from("<QQ", data, at + 72) if size >= 88 else (0, 0)
    intr, = struct.unpack_from("<Q", data, at + 96) if size >= 104 else (0,)
    head = struct.pack("<QQQQQ", kind | (flags >> 18 & 1) << 40, reads, branch, user, intr)
    for i, (number, _, body) in enumerate(records(data)):
        if number == 9 and i < 40 and len(body) < 4096:
            yield head + body
        elif number in (1, 2, 3, 7, 10) and i < 40:
            yield head + body


def sample(made):
    del made
    for name, data in files("tests/data/perf/*.data"):
        if data[:8] == b"PERFILE2" and struct.unpack_from("<Q", data, 8)[0] >= 104:
            yield from numbered(samples_of(data), name)
    # Every bit of the layout alone, and all of them; numbers that count are small.
    for i, bits in enumerate([1 << b for b in range(25)] + [(1 << 25) - 1, (1 << 25) - 1 | 1 << 40]):
        for reads in (0, 31):
            yield f"bit{i}-{reads}", struct.pack("<5Q", bits, reads, 1 << 17, 0x1ffff, 3) + struct.pack("<Q", 2) * 60


def page(made):
    """Choices, then pages of at most 1,020 bytes: what records of the recordings fit, and one of every kind."""
    del made
    for name, data in files("tests/data/dat/v6*.dat"):
        be = "be" in name
        for at in range(4096, len(data), 4096):
            for n in (200, 600, 1016):
                yield f"{name}-{at}-{n}", small_page(data[at:at + 4096], n, be)
    for swap in (False, True):
        e = ">" if swap else "<"

        def word(kind, delta):
            return struct.pack(e + "I", kind << 27 | delta if swap else delta << 5 | kind)

        records_ = word(2, 5) + bytes(8) + word(30, 3) + struct.pack(e + "I", 2) + word(0, 1) + struct.pack(e + "I", 12) + bytes(8) + \
            word(31, 9) + struct.pack(e + "I", 1) + word(29, 0) + struct.pack(e + "I", 4) + word(28, 7) + bytes(112)
        for lost in (0, 1 << 31, 1 << 31 | 1 << 30):
            body = struct.pack(e + "QQ", 1000, len(records_) | lost) + records_ + (struct.pack(e + "Q", 5) if lost >> 30 == 3 else b"")
            body += bytes(-len(body) % 4)
            one = bytes([len(body) // 4]) + body
            yield f"kinds{int(swap)}-{lost}", bytes([int(swap) | 8 | 16, 16]) + one * 4


def small_page(whole, n, be):
    """The records of a page that fit into n bytes."""
    e, word, start_ = (">", 4, 12) if be else ("<", 8, 16)
    end = start_
    at = start_
    commit = int.from_bytes(whole[8:8 + word], "big" if be else "little") & 0xfffff
    while at + 4 <= min(len(whole), commit + start_):
        v, = struct.unpack_from(e + "I", whole, at)
        kind = v >> 27 if be else v & 31
        if kind == 29:
            break
        size = 4 + kind * 4 if 0 < kind < 29 else 8
        if not kind and at + 8 <= len(whole):
            size = 4 + struct.unpack_from(e + "I", whole, at + 4)[0]
        at += (size + 3) & ~3
        if at > n:
            break
        end = at
    body = whole[:8] + (end - start_).to_bytes(word, "big" if be else "little") + whole[start_:end]
    body += bytes(-len(body) % 4)
    return bytes([(3 | 4 if be else 0) | 8 | 16, 12]) + bytes([len(body) // 4]) + body


# --- tracing ----------------------------------------------------------------------------------------------------------

FIELD = re.compile(r"field:([^;]*);\s*offset:(\d+);\s*size:(\d+);")


def tracing_formats(header):
    """ID -> format, of a header of the unit tests: its macros are filled in."""
    text = read(f"tests/unit/{header}.h").decode()
    for name, at, size in (("U32", 0, 4), ("INT", 0, 4), ("U64", 0, 8), ("U8", 0, 1)):
        text = re.sub(name + r'\(\s*"(\w+)", (\d+)\)', rf'"field:int \1;offset:\2;size:{size};"', text)
    text = re.sub(r'RTEXT_HEAD\("(\w+)", (\d+)\)', r'"name: \1\\nID: \2\\nfield:common common_type;offset:0;size:2;"', text)
    out = {}
    for part in re.split(r'(?="name: )', text)[1:]:
        m = re.match(r'"name: \w+\\nID: (\d+)', part)
        if m:
            out[int(m.group(1))] = part
    return out


def record_of(number, text, fill):
    """A record of that format; fill: what its numbers are."""
    size = max([int(o) + max(int(s), 8) for _, o, s in FIELD.findall(text)] + [8])
    raw = bytearray(struct.pack("<HBBi", number, fill & 0x3f, fill & 1, 42) + bytes(size + 24))
    for name, off, n in FIELD.findall(text):
        off, n = int(off), int(n)
        if off < 8:
            continue
        if "char" in name and "[" in name and "loc" not in name:
            raw[off:off + max(n, 8)] = b"sleep\0\0\0".ljust(max(n, 8), b"\0")
        elif "__data_loc" in name:
            raw[off:off + 4] = struct.pack("<I", 8 << 16 | size)
        elif n in (1, 2, 4, 8):
            raw[off:off + n] = (fill * (1 if n < 8 else 0x1000)).to_bytes(8, "little")[:n]
        else:
            raw[off:off + max(n, 8)] = struct.pack("<Q", 0x1000 * fill) * (max(n, 8) // 8)
    return bytes(raw[:(size + 3) & ~3])


def real_records():
    text = read("tests/data/formats/records.txt").decode()
    return [(m.group(1), bytes.fromhex(m.group(2))) for m in re.finditer(r"event \w+/(\w+)\nraw (\w+)", text)]


def bpf_code(made):
    fetches = b"prev_pid=%x0:s32 next_pid=$arg2 ip=+8(%x1):u64 depth=-8(%sp):s32 func=$retval prev_prio=+0(%x2)"
    for i, text in enumerate(["prev_pid", "next_pid > 7 && prev_prio < 100", "(depth << 3) | _cpu", "func / 1000 % 7 == 3u",
                              "-depth + ~ip * (char)prev_pid", "!common_pid || _tid - _pid >= 5", "(bool)ip ^ (long)depth & 0xff"]):
        yield f"{i}", fetches + b"\0" + text.encode()
    yield "none", b"\0prev_pid"


def filter(made):
    del made
    raw = [record_of(n, t, 1) for n, t in tracing_formats("rtext_events").items()]
    for i, text in enumerate(literals("test_tracefs_filter")):
        yield f"s{i}", text + b"\0" + raw[i % len(raw)]


def prof(made):
    del made
    records = [record_of(n, t, 1) for n, t in tracing_formats("rtext_events").items()]
    for i, text in enumerate(literals("test_prof")):
        whole = text if b"/" in text else b"a:b//key=" + text + b"/"
        yield f"s{i}", whole + b"\0" + records[i % len(records)]


def format(made):
    del made
    formats = dict(files("tests/data/formats/*"))
    raws = dict(real_records())
    for name, text in formats.items():
        yield name, text + b"\0" + raws.get(name, bytes(64))


def print_(made):
    del made
    raws = dict(real_records())
    for name, text in files("tests/data/formats/*"):
        m = re.search(rb"print fmt: (.*)", text)
        if m:
            yield name, m.group(1) + b"\0" + raws.get(name, bytes(64))
    for i, text in enumerate(literals("test_tracefs_print")):
        m = re.search(rb"print fmt: (.*)", text)
        if m:
            yield f"s{i}", m.group(1) + b"\0" + bytes(range(64))
    for i, text in enumerate(b'"%pI4 %pI6c %pM %pU %s %*pbl",REC->u, __get_str(d), __get_bitmask(m)|'
                             b'"%s", __print_flags(REC->i, "|", {1, "a"}, {2UL << 1, "b"})|'
                             b'"%s %s", __print_symbolic(REC->u & 0xf, {1, "one"}), __print_hex(__get_dynamic_array(d), 4)|'
                             b'"%s", REC->i > 2 ? __get_rel_str(r) : "no"|'
                             b'"%s", __print_array(__get_dynamic_array(r), __get_dynamic_array_len(r), 4)|'
                             b'"%-8.3s %08llx %c %%", REC->s, (unsigned long long)(REC->u >> (REC->b * 2)) ^ ~REC->a[1], REC->b|'
                             b'"%ps %pS %pB", (void *)REC->p, REC->p, (void *)REC->p'.split(b"|")):
        yield f"x{i}", text + b"\0" + bytes(range(24)) + struct.pack("<IIQ", 8 << 16 | 40, 8 << 16 | 4, 1) + b"text\0\0\0\0"


def sized_records(header, head):
    formats = tracing_formats(header)
    for fill in (0, 1, 2, 3, 17):
        body = b""
        for number, text in formats.items():
            raw = record_of(number, text, fill)[:252]
            raw += bytes(-len(raw) % 4)
            body += bytes([len(raw) // 4, fill & 7]) + raw
        yield head + body


def ktext(made):
    del made
    for choices in (b"\0\0\0\0\0\0", b"\x07\xff\xff\xff\xff\x17", b"\x05\x55\x55\x55\x55\x81", b"\x02\xaa\xaa\xaa\xaa\x46"):
        yield from numbered(sized_records("ktext_formats", choices), choices.hex())


def hist(made):
    del made
    for name, text in files("tests/data/hist/*"):
        for i, part in enumerate(re.split(rb"(?m)^(?=# event histogram)", text)[1:]):
            yield f"{name}-{i}", part
    yield from numbered(t + b"\n" for t in literals("test_tracefs_dynevent", "test_tracefs_trigger", "test_tracefs_hsql"))


# --- texts ------------------------------------------------------------------------------------------------------------

def event(made):
    del made
    text = read("tests/data/event_perf.txt")
    term = b"config:0-15,32-63\n"
    for i, name in enumerate(re.findall(rb"(?m)^== (.*)$", text)):
        yield f"p{i}", term + name
    for i, name in enumerate(literals("test_event", "test_event_machine")):
        yield f"s{i}", term + name
    yield from numbered([b"event=0x11,umask=3\n" + x for x in (b"armv8_cortex_a53/alias,period=7/ukH", b"uncore_dmc_1/alias/,cycles:u",
                                                              b"{cycles,alias}:S,sched:*", b"mem:0x1000/8:rw,r1b:ppp")], "x")


def point(made):
    del made
    yield from numbered(literals("test_point", "test_probe_name"))


def fetch(made):
    del made
    for i, text in enumerate(literals("test_fetch")):
        for how in (2, 6, 14, 23, 39, 127):
            yield f"s{i}-{how}", bytes([how, 255]) + text


def kallsyms(made):
    del made
    yield "made", b"ffff000000001000 T _text\nffff000000002000 t $x\nffff000000003000 D data\n" \
        b"ffff000000004000 t f\t[mod]\nffff000000004000 T alias\t[mod]\nffff000000005000 W weak\nffff000000006000 A _etext\n"
    yield "hidden", b"0000000000000000 T _text\n0000000000000000 t f\t[mod]\n"
    yield from numbered(literals("test_image_kallsyms"))


def asked(made):
    del made
    yield "made", b"\x12vfs_read+0x10/0x340\n\x80ext4_map+0x8/0x20 [ext4]\n\x14again+0x0/0x10\n\x11front+0x8/0x200\n\xffend+0x1/0x2\n\x00zero+0x0/0x1\n"
    yield "nested", b"\x20outer+0x80/0x100\n\x28gone+0x0/0x8 [mod]\n\x2aouter+0x0/0x100\n\x24new+0x40/0x90\n\x2aold+0x70/0x71\n"
    yield from numbered(b"\x30" + text for text in literals("test_sym_asked"))


def jit(made):
    del made
    yield "made", bytes([7]) + b"7000 10 f(int)\n0x7010 0x20 two words\n7000 8 again\n7100 10 half"
    yield from numbered(bytes([3]) + text for text in literals("test_sym_jit"))


def jitdump(made):
    """Both byte orders; a load where another one was, a move, lines, rules for unwinding, the end."""
    del made
    for order in "<>":
        def record(kind, time, *fields, tail=b"", order=order):
            body = b"".join(struct.pack(order + ("I" if k == "i" else "Q"), v) for k, v in fields) + tail
            return struct.pack(order + "IIQ", kind, 16 + len(body), time) + body

        def load(time, addr, size, name, record=record):
            return record(0, time, ("i", 7), ("i", 8), ("q", addr), ("q", addr), ("q", size), ("q", 3), tail=name + bytes(1 + size))

        lines = b"".join(struct.pack(order + "QII", a, n, 0) + f for a, n, f in ((0x7000, 10, b"/a.js\0"), (0x7008, 12, b"\xff\0")))
        yield "little" if order == "<" else "big", struct.pack(order + "IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1, 0) + \
            record(2, 90, ("q", 0x7000), ("q", 2), tail=lines) + record(4, 95, ("q", 24), ("q", 8), ("q", 24), tail=bytes(24)) + \
            load(100, 0x7000, 32, b"first") + load(200, 0x7100, 32, b"second") + load(300, 0x7000, 16, b"third") + \
            record(1, 400, ("i", 7), ("i", 8), ("q", 0x7200), ("q", 0x7100), ("q", 0x7200), ("q", 32), ("q", 3)) + record(3, 500)


def maps(made):
    del made
    yield "self", read("/proc/self/maps")[:4096]
    yield from numbered(literals("test_sym_maps"))
    yield "steps", bytes([0, 3, 9, 1, 4, 5, 30, 7, 1, 6, 2, 0, 8, 0, 63, 2, 1, 20, 4, 0, 12, 19, 9, 3])


def inflate(made):
    del made
    for name, text in files("tests/data/formats/*"):
        yield name, gzip.compress(text, mtime=0)
    for level in (0, 1, 9):
        yield f"level{level}", gzip.compress(read("tests/fuzz/seeds.py")[:16000], level, mtime=0)


def xz(made):
    """With the first byte: whole files, or (1) the chunks that are in a block without its checks."""
    del made
    text = b"".join(f"{i} comm_{i % 7} prev_state\n".encode() for i in range(400))
    for i, how in enumerate(([], ["--check=crc32", "--lzma2=lc=0,lp=2,pb=1"], ["--block-size=999"], ["--check=none", "-0"])):
        p = subprocess.run(["xz", "-c", *how], input=text, capture_output=True, check=False)
        if p.returncode == 0:
            yield f"file{i}", b"\0" + p.stdout
            yield f"chunks{i}", b"\1" + p.stdout[12 + (p.stdout[12] + 1) * 4:]


def zstd(made):
    del made
    for name, text in [*files("tests/data/formats/*"), ("self", read("tests/fuzz/seeds.py")[:24000]), ("zeros", bytes(4000))]:
        for level in ("-1", "-19"):
            p = subprocess.run(["zstd", "-qc", level], input=text, capture_output=True, check=False)
            if not p.returncode:
                yield name + level, p.stdout


# --- inputs of several parts ------------------------------------------------------------------------------------------

def part(data):
    """As parts.h takes it."""
    return struct.pack("<H", min(len(data), 65535)) + data


def message(kind, *fields, data=b""):
    """Of trace-cmd's protocol, as tracing/transport/netmsg.h has it."""
    own = b"".join(struct.pack(">I", f) for f in fields)
    return struct.pack(">III", 12 + len(own) + len(data), kind, len(own)) + own + data


def talks():
    """What a sender says behind the greeting."""
    description = dict(files("tests/data/dat/v6.dat"))["v6.dat"]
    start = description[:description.find(b"flyrecord")]
    for name, options in (("tcp", b"tcp\0"), ("udp", b"")):
        for cpus in (1, 2):
            pieces = [message(3, data=start[i:i + 4000]) for i in range(0, len(start), 4000)]
            yield f"{name}{cpus}", message(1, cpus, 4096, len(options) > 0, data=options) + b"".join(pieces) + message(4) + message(0)
    yield "early", message(1, 1, 4096, 0) + message(0)
    yield "odd", message(1, 2, 4096, 3, data=b"a\0tcp\0b") + message(5) + message(77, 1, 2, 3, 4) + message(3, data=b"x") + message(4)


def netmsg(made):
    del made
    yield "sender", b"-1V3\0" + b"766679\0\0" + b"".join(t for _, t in list(talks())[:1])
    yield "listener", b"tracecmdV3\0OK" + message(2, 2, data=b"40001\x0040002\0")
    yield "old", b"tracecmdV2\0"
    yield from talks()


def pages():
    return [data[at:at + 4096] for _, data in files("tests/data/dat/v6.dat") for at in range(8192, len(data), 4096)]


def listener(made):
    del made
    for name, talk in talks():
        yield name, part(talk) + b"".join(pages())


def change(kind, where="", what="", old="", new=""):
    texts = [t.encode() for t in (where, what, old, new)]
    return f"{kind} {' '.join(str(len(t)) for t in texts)}\n".encode() + b"".join(texts)


def journal(made):
    del made
    head = change("J", "", "0b0e1c4a")
    everything = head + change("t") + change("p", "", "tracing_on", "1") + change("s", "", "tracing_on", "123") + \
        change("a", "", "events/sched/sched_switch/trigger", "!stacktrace", "stacktrace") + change("c", "", "set_event", "", "x") + \
        change("i", "mine") + change("p", "mine", "tracing_on", "0") + change("f", "", "/tmp/keep") + change("o", "", "99", "5") + \
        change("p", "", "set_ftrace_filter", "schedule\nvfs_read\n") + change("p", "", "trace_options", "print-parent\n") + \
        change("a", "", "kprobe_events", "-:sonde/p", "p:sonde/p f")
    yield "all", part(everything) + b"0\n"
    yield "kept", part(head + change("k") + change("p", "", "current_tracer", "function")) + b"nop\n"
    yield "torn", part(everything[:-7]) + b"1\n"
    yield "module", part(head + change("p", "", "set_ftrace_filter", "x [m]\nvfs_read ]\n", "x")) + b"x\n"
    yield "other", part(change("J", "", "someboot") + change("f", "", "/tmp/keep"))
    for kind in "psaciftko":
        yield "one" + kind, part(head + change(kind, "mine", "tracing_on", "1", "2")) + b"2\n"


def pointee(made):
    """A form, how much is shown, whether it is cut, the bytes: syscalls/pointee.h."""
    for form, size in enumerate([8, 8, 16, 16, 16, 32, 16, 8, 4, 56, 56, 8, 32, 32, 16, 16, 16, 32, 16, 8, 4, 24]):
        yield f"form{form}", bytes([form, 32, form & 1]) + bytes(range(size))
    yield "local", bytes([2, 32, 0, 1, 0]) + b"/run/s\0"
    yield "abstract", bytes([2, 32, 0, 1, 0, 0]) + b"name"
    yield "inet6", bytes([2, 32, 0, 10, 0, 0, 53]) + bytes(24)


def restore(made):
    del made
    rings = b"".join(pages())
    for name, data in files("tests/data/dat/v*.dat"):
        start = data[:data.find(b"flyrecord") + 10] if name == "v6.dat" else data[:12000]
        for how in (b"\x04\0\1\2", b"\x09\0\2\3", b"\x0e\1\0\5", b"\x0c\2\3\x09"):
            yield name + how.hex(), how + part(data if len(data) < 20000 else start) + rings
    formats = dict(files("tests/data/formats/*"))
    for name in ("function", "sched_switch"):
        yield "kernel-" + name, b"\x8c\0\1\2" + part(formats[name]) + rings


def split(made):
    del made
    for name, data in files("tests/data/dat/*"):
        for how in ("0000000000000000", "0602000000000000", "0e01000000000000", "0d00400000000000", "3700000000ff0000", "1701000100000000"):
            yield name + how, bytes.fromhex(how) + data


def rtext(made):
    del made
    for choices in (b"\0\0\0\0", b"\x01\0\0\0", b"\x08\0\1\0", b"\x96\x0f\2\0", b"\x40\x04\0\0", b"\x31\x01\0\0"):
        yield from numbered(sized_records("rtext_events", choices), choices.hex())


def file2(made):
    del made
    for name, data in files("tests/data/perf/*.data"):
        found = features(data).get(132, b"")
        if found:
            yield name, found
            yield name + "-one", found[:4 + struct.unpack_from("<I", found)[0]]
    yield from numbered([b"", b"\x02\0\0\0\x0a\0", b"\x06\0\0\0\x0a\0\x22\x02\x1a\0", b"\0\0\0\0\0\0\0\0"])


def packets(made):
    del made
    for name, text in numbered(literals("test_packets", "test_json_read")):
        yield name + "-json", b"\0" + text
        yield name + "-text", b"\1" + text


def session(made):
    del made
    yield from files("tests/data/perf/*.data", "tests/data/dat/*")


def timeline(made):
    yield from session(made)
    yield from files("tests/data/sched/*.data")


def views(made):
    yield from timeline(made)


def dump(made):
    """With a recording of what no machine's own has all of: each kind of record, each field of samples."""
    yield from files("tests/data/perf/*.data")
    for arch in "aarch64", "x86_64":
        with tempfile.TemporaryDirectory() as d:
            subprocess.run([sys.executable, "tests/host/fields.py", d + "/f", arch, "tests/data/perf/vmlinux", "/bin/none"], check=True)
            yield "fields-" + arch, open(d + "/f", "rb").read()


def synth(made):
    symbols = b"ffff800008000000 T _text\nffff800008001000 T _stext\nffff800009000000 T _etext\n"
    modules = b"mod 16384 1 - Live 0xffff800001000000\nother 4096 0 mod, Live 0x0000000000000000 (O)\n"
    note = struct.pack("<III", 4, 20, 3) + b"GNU\0" + bytes(range(20))
    lines_ = b"00400000-00401000 r-xp 00000000 fd:01 7 /bin/prog\nffff0000-ffff1000 r-xp 00000000 00:00 0 \n" \
        b"ffff2000-ffff3000 r-xs 00001000 00:05 9   /tmp/a b\\012c (deleted)\nffff4000-ffff5000 rwxp 0 00:00 0 [stack]\n"
    status = b"Name:\tprog\nTgid:\t42\nPid:\t42\nPPid:\t1\n"
    elf_ = stripped(made.all().get("a2so", b""))
    for name, maps_ in (("small", lines_), ("self", read("/proc/self/maps")[:3000]), ("none", b"")):
        parts = [maps_, status, b"prog\n", b" odd \n", symbols, modules, b"Tgid:\t7\n", maps_[:40], elf_]
        yield name, b"".join(part(x) for x in parts) + note
        yield name + "-hidden", b"".join(part(x) for x in [maps_, b"", b"", b"\n", b"0000000000000000 T _text\n", b"x", status, b""]) + note


def schedstat(made):
    del made
    yield from files("tests/data/schedstat/*.txt")


def header(made):
    del made
    for name, data in files("tests/data/perf/*.data"):
        found = features(data)
        yield name, b"".join(bytes([i]) + part(x[:4000]) for i, x in found.items())
        for i, x in found.items():
            yield f"{name}-{i}", bytes([i]) + part(x[:4000])


def resolver(made):
    symbols = b"ffff000000001000 T _text\nffff000000002000 t f\t[mod]\nffff000000003000 T g\n"

    def mmap(pid, how, dso, start_, length, pgoff=0):
        return bytes([4, pid, 0, how, dso]) + struct.pack("<HH", start_, length) + (b"" if how & 8 else bytes([pgoff]))

    def find(pid, low, kernel):
        return bytes([7, pid, 2]) + struct.pack("<II", low, kernel)

    steps = bytes([0, 1, 1, 4 + 0, 1]) + mmap(1, 0, 0, 0x40, 64) + mmap(1, 1, 5, 4, 100) + mmap(1, 1, 6, 8, 4) + mmap(1, 8, 3, 0x80, 4) + \
        mmap(2, 0, 7, 1, 9) + bytes([1, 2, 1]) + bytes([5, 1, 0]) + struct.pack("<HH", 64, 100) + \
        b"".join(find(p, a, k) for p in (0, 1, 2) for a in range(0x10000, 0x10400, 0x40) for k in (0x2004, 0x4010)) + \
        bytes([6, 0, 0]) + find(2, 0x20010, 0x1000) + bytes([3, 1, 1, 2, 3, 1]) + find(1, 0x10080, 0x3001) + mmap(3, 4, 1, 2, 2)
    for name in ("a2", "g2", "c2", "x2", "a2so"):
        if name in made.all():
            yield name, part(steps) + part(symbols) + made.all()[name]
    yield "bare", part(steps) + part(b"")


def accesses():
    """Recordings of loads and stores, of x86 and of Arm's extension."""
    with tempfile.TemporaryDirectory() as d:
        for name, script, options in ("loads", "mem", ["-n", "60"]), ("anything", "mem", ["-n", "60", "--bad"]), ("spe", "spe", ["-n", "40"]):
            subprocess.run([sys.executable, f"tests/host/{script}.py", d + "/f", *options, "-x", "/bin/sh"], check=True)
            yield name, read(d + "/f")


# --- whole files ------------------------------------------------------------------------------------------------------

# Where the mutated file stands in for one of a machine's.
IN_TREE = """proc/kallsyms proc/modules proc/cpuinfo proc/sys/kernel/perf_event_paranoid proc/mounts proc/version
    sys/kernel/tracing/available_filter_functions sys/kernel/tracing/available_events sys/kernel/tracing/kprobe_events
    sys/kernel/tracing/uprobe_events sys/kernel/tracing/dynamic_events sys/kernel/tracing/saved_cmdlines
    sys/kernel/tracing/printk_formats sys/kernel/tracing/set_ftrace_filter sys/kernel/tracing/trace_options
    sys/kernel/tracing/available_tracers sys/kernel/tracing/trace sys/kernel/tracing/stack_trace
    sys/kernel/tracing/events/header_page sys/kernel/tracing/events/sched/sched_switch/format
    sys/kernel/tracing/events/sched/sched_switch/hist sys/kernel/tracing/events/sched/sched_switch/trigger
    sys/kernel/tracing/per_cpu/cpu0/stats sys/kernel/tracing/trace_clock sys/kernel/tracing/README
    sys/devices/system/cpu/online sys/bus/event_source/devices/armv8_pmuv3/format/event
    sys/bus/event_source/devices/armv8_pmuv3/events/cpu_cycles sys/bus/event_source/devices/armv8_pmuv3/cpus""".split()


def whole_files(out, made):
    """What `files` starts from: KIND-NAME, and a machine whose files are links to the one that is mutated."""
    seeds = os.path.join(out, "seeds")
    os.makedirs(seeds, exist_ok=True)

    def put(name, data):
        with open(os.path.join(seeds, name), "wb") as f:
            f.write(data)

    for name, data in files("tests/data/perf/*.data", "tests/data/sched/*.data", "tests/data/syscalls/*.data", "tests/data/views/*.data"):
        put("perf-" + name, data)
    for name, data in accesses():
        put("perf-" + name, data)
    for name, data in files("tests/data/dat/*"):
        put("dat-" + name, data)
    for name, data in [*dwarf(made), *gofunc(made)]:
        put("elf-" + name, data)
    for name, data in kallsyms(made):
        if len(data) > 100:
            put("kallsyms-" + name, data)
            put("text-kallsyms-" + name, data)
    for name, data in [*files("tests/data/formats/*"), *hist(made)]:
        if len(data) > 300:
            put("text-" + re.sub(r"[^\w.-]", "_", name), data)
    put("aux.data", read("tests/data/perf/arm-clock.data"))
    put("aux.elf", read("tests/data/dwarf/gcc5"))
    for path in IN_TREE:
        at = os.path.join(out, "trees/machine", path)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        if not os.path.islink(at):
            os.symlink("../" * (path.count("/") + 2) + "work/in", at)
    for path, text in (("machine/sys/kernel/tracing/trace_pipe", ""), ("prog.c", C)):
        with open(os.path.join(out, "trees", path), "w", encoding="utf-8") as f:
            f.write(text)
    return 0


def main():
    out, names = sys.argv[1], sys.argv[2:]
    made = Made(os.path.join(out, ".made"))
    here = globals()
    if names == ["files"]:
        return whole_files(out, Made(os.path.join(os.path.dirname(out), "seeds", ".made")))
    for name in names:
        make = here.get(name + "_") or here.get(name)
        if not callable(make):
            print(f"seeds.py: no seeds for {name}", file=sys.stderr)
            return 1
        folder = os.path.join(out, name)
        os.makedirs(folder, exist_ok=True)
        n = 0
        for seed, data in make(made):
            with open(os.path.join(folder, "seed-" + re.sub(r"[^\w.-]", "_", seed)), "wb") as f:
                f.write(data[:LARGEST])
            n += 1
        if not n:
            print(f"seeds.py: {name}: none could be made", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
