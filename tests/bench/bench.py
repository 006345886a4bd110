"""Measures sonde and perf in turn and prints ratios. Nothing here is a test: figures are for people."""
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SONDE = os.environ["SONDE"]
OUT = os.environ.get("O", "build")
BENCH = os.path.join(OUT, "bench")
WORKLOAD = os.path.join(os.path.dirname(SONDE), "tests/workload")
RUNS = int(os.environ.get("RUNS", "5"))
SAMPLES = int(os.environ.get("SAMPLES", "1360000"))


def peak_of(argv):
    """
    Peak KiB of one run. What forks counts as the peak of what it then executes, so that a small program has this
    interpreter's, but for GNU time.
    """
    peak = os.path.join(BENCH, "peak")
    timed = shutil.which("time")
    if timed:
        argv = [timed, "-f", "%M", "-o", peak, *argv]
    pid = os.spawnvpe(os.P_NOWAIT, "/bin/sh", ["sh", "-c", 'exec "$@" >/dev/null 2>&1 </dev/null', "sh", *argv], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status:
        print(f"  ({' '.join(argv)} ended with status {status})")
    if not timed:
        return usage.ru_maxrss
    with open(peak, encoding="utf-8") as f:
        return int(f.read().split()[-1])


def measure(argv, peak=None):
    """Wall seconds, CPU seconds and peak KiB of one run, with nothing between this and it: that takes milliseconds."""
    peak = peak_of(argv) if peak is None else peak
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    start = time.monotonic()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=null)
    _, _, usage = os.wait4(pid, 0)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, peak


def pairs(ours, theirs, runs=RUNS):
    """Both commands in turn after one warm-up each, of which the memory is: two lists of measurements."""
    peaks = peak_of(ours), peak_of(theirs)
    a, b = [], []
    for _ in range(runs):
        a.append(measure(ours, peaks[0]))
        b.append(measure(theirs, peaks[1]))
    return a, b


def median(rows, column):
    return statistics.median(row[column] for row in rows)


def row(name, ours, theirs, unit):
    ratio = ours / theirs if theirs else float("nan")
    print(f"{name:<28} {ours:>12.4g} {theirs:>12.4g} {unit:<8} {ratio:>8.4f}")


def bench_start():
    a, b = pairs([SONDE, "--version"], ["perf", "--version"], RUNS * 4)
    row("start, wall", median(a, 0) * 1000, median(b, 0) * 1000, "ms")
    hello = os.path.join(BENCH, "hello")
    with open(hello + ".c", "w", encoding="utf-8") as f:
        f.write('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    if not subprocess.run(["musl-gcc", "-static", "-O2", "-o", hello, hello + ".c"], check=False).returncode:
        a, b = pairs([SONDE, "--version"], [hello], RUNS * 10)
        row("start, against hello", median(a, 0) * 1000, median(b, 0) * 1000, "ms")


def perf_files():
    """perf's own file and every shared library that the loader maps for it."""
    perf = os.path.realpath(subprocess.run(["sh", "-c", "command -v perf"], capture_output=True, text=True, check=True).stdout.strip())
    if open(perf, "rb").read(4) != b"\x7fELF":
        release = re.match(r'perf version (\d+\.\d+)', subprocess.run(["perf", "--version"], capture_output=True, text=True, check=True).stdout)
        perf = f"/usr/bin/perf_{release.group(1)}" if release else perf
    libs = subprocess.run(["ldd", perf], capture_output=True, text=True, check=False).stdout
    return {os.path.realpath(p) for p in re.findall(r'(/\S+) \(0x', libs)} | {perf}


def bench_size():
    files = perf_files()
    row("size of all files", os.path.getsize(SONDE), sum(map(os.path.getsize, files)), "bytes")
    row("number of files", 1, len(files), "")


def record_cpu(tool, data, seconds, rate, chains):
    """CPU seconds of the recorder alone: the workload runs beside it, not under it. Returns (cpu, samples)."""
    load = subprocess.Popen([WORKLOAD, "procs", "2", str(seconds * 2000)])
    argv = [tool, "record", "-e", "cpu-clock", "-F", rate, *chains, "-p", "", "-o", data, "--", "sleep", str(seconds)]
    time.sleep(0.2)
    kids = subprocess.run(["pgrep", "-P", str(load.pid)], capture_output=True, text=True, check=True).stdout.split()
    argv[argv.index("-p") + 1] = ",".join(kids)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(argv, capture_output=True, text=True, check=False).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    for kid in kids:
        os.kill(int(kid), 15)
    load.wait()
    m = re.search(r'\(([\d,]+) samples\)', text)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, int(m.group(1).replace(",", "")) if m else 0


def bench_recorder(name, rate, chains):
    data = os.path.join(BENCH, "rec.data")
    ours, named, theirs, sizes = [], [], [], {}
    for _ in range(3):
        for tool, options, rates in ((SONDE, ["--no-symbols"], ours), (SONDE, [], named), ("perf", [], theirs)):
            cpu, n = record_cpu(tool, data, 5, rate, [*options, *chains])
            if n:
                rates.append(cpu / n * 1e6)
                sizes[tool] = os.path.getsize(data) / n
    if ours and named and theirs:
        row(f"{name}, CPU per 1M samples", statistics.median(ours), statistics.median(theirs), "s")
        row(f"{name}, with names", statistics.median(named), statistics.median(theirs), "s")
        row(f"{name}, file per sample", sizes[SONDE], sizes["perf"], "bytes")


def bench_record():
    bench_recorder("recorder", "max", ["-g"])
    bench_recorder("recorder, dwarf", "4000", ["--call-graph", "dwarf"])


def big_recording(name="big.data", chains=("-g",)):
    """At least SAMPLES samples of everything that runs, with call chains, made once."""
    data = os.path.join(BENCH, name)
    if os.path.exists(data):
        return data
    print(f"making a recording of {SAMPLES} samples ...", flush=True)
    work = f"for i in 1 2 3 4 5 6; do find /usr /etc -type f | head -n 60000 | xargs -r stat -c %s | sort -n | tail -n 1; done; {WORKLOAD} demo 2000"
    seconds = SAMPLES // 36000
    script = f"end=$(($(date +%s) + {seconds})); while [ $(date +%s) -lt $end ]; do ({work}) & {work}; wait; done"
    rate = open("/proc/sys/kernel/perf_event_max_sample_rate", encoding="utf-8").read().strip()
    subprocess.run([SONDE, "record", "-q", "-e", "cpu-clock", "-F", str(min(int(rate), 24000)), "-m", "8M", "-a", *chains,
                    "-o", data, "--", "sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return data


def rows(name, a, b):
    row(f"{name}, wall", median(a, 0), median(b, 0), "s")
    row(f"{name}, CPU", median(a, 1), median(b, 1), "s")
    row(f"{name}, memory", median(a, 2) / 1024, median(b, 2) / 1024, "MiB")


def bench_rows(name, data, options, jobs):
    """Ours with each number of threads, and perf, in turn."""
    theirs = ["perf", "report", "-i", data, "--stdio", *options]
    for n in jobs:
        a, b = pairs([SONDE, "report", "-i", data, "--stdio", *options, "--jobs", str(n)], theirs, 3)
        rows(f"{name}, {n} jobs", a, b)


def bench_unwind():
    """Copies of stacks as perf has recorded them, of a program without frame pointers; followed by both."""
    data = os.path.join(BENCH, "unwind.data")
    unit = os.path.join(BENCH, "compiled")
    if not os.path.exists(data):
        with open(unit + ".c", "w", encoding="utf-8") as f:
            f.writelines(f"int f{i}(int a, int b)\n{{\n\tint s = 0;\n\tfor (int k = 0; k < b; k++) {{\n\t\ts += a * k ^ {i};\n"
                         f"\t\tif (s & {i + 1})\n\t\t\ts -= b;\n\t}}\n\treturn s;\n}}\n" for i in range(2000))
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "4000", "--call-graph", "dwarf", "-o", data,
                        "gcc", "-O2", "-c", "-o", unit + ".o", unit + ".c"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    n = subprocess.run([SONDE, "script", "-i", data, "-F", "period", "-G"], capture_output=True, text=True, check=False).stdout.count("\n")
    options = ["script", "-i", data, "--no-inline", "-F", "ip"]
    a, b = pairs([SONDE, *options, "--jobs", "1"], ["perf", *options], 1)
    row("unwinding, CPU per 1M stacks", median(a, 1) / n * 1e6, median(b, 1) / n * 1e6, "s")
    row("unwinding, memory", median(a, 2) / 1024, median(b, 2) / 1024, "MiB")
    a, b = pairs([SONDE, "report", "-i", data, "--no-inline", "--stdio"], ["perf", "report", "-i", data, "--no-inline", "--stdio"], 1)
    rows("report of stacks", a, b)


def big_program():
    """A program with 100 MB of debug information, most of it of one unit under many names; made once."""
    program = os.path.join(BENCH, "large")
    if os.path.exists(program):
        return program
    unit, objects = os.path.join(BENCH, "unit"), []
    with open(unit + ".c", "w", encoding="utf-8") as f:
        f.write("extern volatile unsigned long sink;\nstatic inline int low(int a, int b) { int d = a ^ b; return d & sink ? d : a; }\n")
        for i in range(4000):
            f.write(f"struct s{i} {{ int a, b; struct s{max(0, i - 1)} *next; const char *name; unsigned f{i} : 3; }};\n"
                    f"int f{i}(struct s{i} *p, int n)\n{{\n\tint x = low(n, {i}), y;\n\tfor (y = 0; y < n; y++) {{\n\t\tint z = x + y;\n"
                    f"\t\tp->a += low(z, p->b);\n\t\tsink += z;\n\t}}\n\treturn x + y;\n}}\n")
        f.write("void burn(unsigned long n)\n{\n\tfor (unsigned long i = 0; i < n; i++)\n\t\tsink += i;\n}\n")
    subprocess.run(["gcc", "-O2", "-g", "-c", "-o", unit + ".o", unit + ".c"], check=True)
    sections = subprocess.run(["size", "-A", unit + ".o"], capture_output=True, text=True, check=True).stdout
    each = sum(int(n) for n in re.findall(r"^\.debug_(?!str)\S+ +(\d+)", sections, re.M))
    for i in range(max(10, 100_000_000 // each + 1)):
        objects.append(f"{unit}{i}.o")
        subprocess.run(["objcopy", f"--prefix-symbols=u{i}_", unit + ".o", objects[-1]], check=True)
    with open(unit + "main.c", "w", encoding="utf-8") as f:
        f.write("volatile unsigned long sink;\nvoid u9_burn(unsigned long);\nint main(void) { u9_burn(1000000000); return 0; }\n")
        f.writelines(f'extern volatile unsigned long u{i}_sink __attribute__((alias("sink")));\n' for i in range(len(objects)))
    subprocess.run(["gcc", "-O1", "-g", "-o", program, unit + "main.c", *objects], check=True)
    for name in objects:
        os.remove(name)
    return program


def bench_lines():
    """The line of a single sample in a program with much debug information."""
    program, data = big_program(), os.path.join(BENCH, "large.data")
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "20", "-o", data, program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    options = ["script", "-i", data, "-F", "ip,sym,srcline"]
    for name, tool in (("sonde", SONDE), ("perf", "perf")):
        text = subprocess.run([tool, *options], capture_output=True, text=True, check=False).stdout
        print(f"  {name}: {text.count(chr(10) + '  unit.c:')} {' '.join(text.split()[:4])}")
    rows("first line of large file", *pairs([SONDE, *options], ["perf", *options], 3))


def bench_report():
    data, flat = big_recording(), big_recording("flat.data", ())
    for d in (data, flat):
        n = subprocess.run([SONDE, "script", "-i", d, "-F", "period", "-G"], capture_output=True, text=True, check=False).stdout.count("\n")
        print(f"{os.path.basename(d)}: {n} samples, {os.path.getsize(d) / 1e6:.0f} MB")
    bench_rows("report with chains", data, [], (1, 2))
    bench_rows("report -g none", data, ["-g", "none"], (2,))
    bench_rows("report without chains", flat, [], (1, 2))
    for n in (1, 2):
        runs = [measure([SONDE, "flame", "-i", data, "-o", os.path.join(BENCH, "flame.svg"), "--jobs", str(n)]) for _ in range(3)]
        rows(f"flame, {n} jobs", runs, [(0, 0, 0)])


def text_rows(name, ours, theirs):
    """Text of a recording with one thread and two, beside a peer that has one."""
    for n in (1, 2):
        a, b = pairs([*ours, "--jobs", str(n)], theirs, 3)
        rows(f"{name}, {n} jobs", a, b)


def bench_script():
    data = big_recording()
    text_rows("script", [SONDE, "script", "-i", data], ["perf", "script", "-i", data])


def live_cpu(command, calls):
    """CPU seconds of a pipeline that watches a process which makes so many system calls, by million of those that it has seen."""
    target = subprocess.Popen(["sh", "-c", 'sleep 1; exec "$@"', "sh", WORKLOAD, "syscalls", str(calls)])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    watcher = subprocess.run(["sh", "-c", command.format(pid=target.pid)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    target.wait()
    seen = max(int(watcher.stdout.split()[-1] or 0), 1)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / seen * 1e6, seen


def bench_live():
    """Events as they come, added up by a number in them: beside perf's lines, which somebody else would have to add up."""
    ours = f"{SONDE} prof top --no-bpf -m 256 -e raw_syscalls:sys_enter//key=0/ -x, -p {{pid}} | tail -n 1 | cut -d, -f2"
    theirs = "perf record -q -m 256 -e raw_syscalls:sys_enter -p {pid} -o - | perf script -i - | grep -c sys_enter"
    a, b = [], []
    for _ in range(3):
        a.append(live_cpu(ours, 1000000))
        b.append(live_cpu(theirs, 1000000))
    row("live, CPU per million", median(a, 0), median(b, 0), "s")
    row("live, events seen", median(a, 1), median(b, 1), "")


def bench_counted():
    """The same counted in the kernel, of a command: its CPU seconds and the tool's, by million, less those without a tool and those of a tool that counts nothing."""
    load = [WORKLOAD, "syscalls", "300000"]
    enter = "tracepoint:raw_syscalls:sys_enter /pid == cpid/"
    kinds = [
        ("counts by key", ["top", "-e", "raw_syscalls:sys_enter//key=id/"], f"{enter} {{ @[args->id] = count(); }}"),
        ("spread", ["num-dist", "-e", "raw_syscalls:sys_enter//num=id/"],
         f"{enter} {{ @ = hist(args->id); @s = stats(args->id); }}"),
        ("stacks", ["trace", "-g", "--flame-graph", os.path.join(BENCH, "counted"), "-e", "raw_syscalls:sys_enter"],
         f"{enter} {{ @[kstack, ustack, comm] = count(); }}"),
    ]
    if shutil.which("bpftrace") is None:
        print("counted: no bpftrace to compare with")
        return
    alone = median([measure(load, 0) for _ in range(RUNS)], 1)
    idle = median([measure(["bpftrace", "-c", "/bin/true", "-e", "interval:s:100 { }"], 0) for _ in range(RUNS)], 1)
    ours_idle = median([measure([SONDE, "prof", "top", "-e", "raw_syscalls:sys_enter//key=id/", "--", "/bin/true"], 0) for _ in range(RUNS)], 1)
    for name, ours, theirs in kinds:
        a, b = pairs([SONDE, "prof", *ours, "--", *load], ["bpftrace", "-c", " ".join(load), "-e", theirs], 3)
        row(f"counted, {name}", (median(a, 1) - alone - ours_idle) / 0.3, (median(b, 1) - alone - idle) / 0.3, "s")


def flood(command, calls):
    """CPU seconds and peak KiB of who watches two processes that make so many system calls each, at full rate; its two outputs."""
    target = subprocess.Popen(["sh", "-c", 'sleep 1.5; "$@" & "$@"; wait', "sh", WORKLOAD, "syscalls", str(calls)])
    with tempfile.TemporaryFile("w+") as out_file, tempfile.TemporaryFile("w+") as err_file:
        watcher = subprocess.Popen(["sh", "-c", command.format(pid=target.pid)], stdout=out_file, stderr=err_file)
        # Of this one alone: those of all children have the largest of all that ever ran.
        _, _, used = os.wait4(watcher.pid, 0)
        watcher.returncode = 0
        out_file.seek(0)
        err_file.seek(0)
        out, err = out_file.read(), err_file.read()
    target.wait()
    return used.ru_utime + used.ru_stime, used.ru_maxrss, out, err


def bench_flood():
    """Twelve million events as fast as two CPUs make them: each is seen, or told to be lost."""
    calls = int(os.environ.get("FLOOD", "6000000"))
    spent, peak, out, err = flood(f"{SONDE} prof top --no-bpf -m 1024 -e raw_syscalls:sys_enter//key=id/ -x, -p {{pid}}", calls)
    seen = sum(int(line.split(",")[1]) for line in out.splitlines()[1:])
    lost = sum(int(n.replace(",", "")) for n in re.findall(r"([0-9,]+) events were lost", err))
    print(f"flood: {2 * calls} made, {seen} seen + {lost} lost = {seen + lost}; peak {peak} KiB")
    theirs, _, out, _ = flood("perf record -q -m 1024 -e raw_syscalls:sys_enter -p {pid} -o - | perf script -i - | grep -c sys_enter", calls)
    row("flood, CPU per million seen", spent / max(seen, 1) * 1e6, theirs / max(int(out.split()[-1] or 0), 1) * 1e6, "s")


def screen_cpu(argv, seconds):
    """CPU seconds of a screen that shows the whole machine for so long; its input stays open."""
    with subprocess.Popen(["sleep", str(seconds + 5)], stdout=subprocess.PIPE) as quiet:
        pid = os.spawnvpe(os.P_NOWAIT, "/bin/sh", ["sh", "-c", f'exec "$@" >/dev/null 2>&1 </proc/{quiet.pid}/fd/1', "sh", *argv], os.environ)
        time.sleep(seconds)
        os.kill(pid, 2)
        _, _, usage = os.wait4(pid, 0)
        quiet.kill()
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def bench_top():
    """Both screens in turn, beside programs that are busy: what it costs to begin, and what a longer look costs."""
    short = int(os.environ.get("TOP", "20"))
    for name, options, seconds, runs in (("top", [], short, 3), ("top, chains", ["-g"], short, 3), ("top", [], 3 * short, 1)):
        a, b = [], []
        for _ in range(runs):
            load = subprocess.Popen([WORKLOAD, "procs", "2", str(2 * seconds * 1000 + 4000)], start_new_session=True)
            a.append(screen_cpu([SONDE, "top", "-a", "--stdio", *options], seconds))
            b.append(screen_cpu(["perf", "top", "-a", "--stdio", *options], seconds))
            os.killpg(load.pid, 15)
            load.wait()
        row(f"{name}, CPU of {seconds} s", median(a, 0), median(b, 0), "s")
        row(f"{name}, memory", median(a, 1) / 1024, median(b, 1) / 1024, "MiB")


def bench_hour():
    """Top's memory for an hour's samples, and for a tenth of them: in the place of perf's, which takes no recordings, it is the tenth's."""
    data, peaks = os.path.join(BENCH, "hour.data"), []
    for samples in (2880000, 28800000):
        with open(data, "wb") as f:
            subprocess.run([os.path.join(os.path.dirname(SONDE), "tests", "hourlong"), str(samples)], stdout=f, check=True)
        peaks.append(peak_of([SONDE, "top", "--input", data]) / 1024)
    os.unlink(data)
    row("top, an hour beside a tenth", peaks[1], peaks[0], "MiB")


def annotated(lines, options, samples):
    """A recording of a program whose one function has four instructions for each of so many lines; None: no compiler."""
    source, program, data = (os.path.join(BENCH, f"large{lines}" + end) for end in (".c", "", ".data"))
    with open(source, "w", encoding="utf-8") as f:
        f.write("unsigned large(unsigned x)\n{\n")
        f.writelines(f"\tx = (x ^ x >> {i % 13 + 1}) * {2 * i + 3}u;\n" for i in range(lines))
        f.write("\treturn x;\n}\n\nint main(void)\n{\n\tunsigned x = 1;\n\n")
        f.write(f"\tfor (int i = 0; i < {560000000 * (6 if samples > 5000 else 1) // lines}; i++)\n\t\tx = large(x);\n\treturn x == 1;\n}}\n")
    if subprocess.run(["cc", "-O1", "-fno-inline", *options, "-o", program, source], check=False).returncode:
        return None
    subprocess.run([SONDE, "record", "-q", "-e", "cpu-clock:u", "-F", "20000" if samples > 5000 else "5000", "-o", data, program], check=False)
    return data


def bench_annotate():
    """Functions of a hundred thousand instructions and of a thousand, which perf has objdump read; with lines of the source; with many samples."""
    for name, lines, options, samples in (("112,000", 28000, [], 5000), ("112,000, with source", 28000, ["-g"], 5000), ("1,000", 250, [], 5000),
                                          ("112,000, of 100,000 samples", 28000, [], 100000), ("1,000, of 100,000 samples", 250, [], 100000)):
        data = annotated(lines, options, samples)
        if data:
            a, b = pairs([SONDE, "annotate", "-i", data, "-s", "large"], ["perf", "annotate", "--stdio", "-i", data, "-s", "large"], 7)
            rows(f"annotate, instructions: {name}", a, b)


def bench_trace_report():
    """A guest's recording, made once; both programs read it here."""
    data = os.path.join(BENCH, "trace.dat")
    if not os.path.exists(data):
        subprocess.run(["tests/bench/guest"], env={**os.environ, "BENCH": "trace"}, check=False)
    if os.path.exists(data):
        text_rows("trace report", [SONDE, "ftrace", "report", "-i", data], ["trace-cmd", "report", "-i", data])
    else:
        print("no trace.dat: BENCH=trace tests/bench/guest makes it")


def views_recording(name, events, seconds, load):
    """Events of the whole machine as perf writes them, of so many busy processes; made once."""
    data = os.path.join(BENCH, name)
    if not os.path.exists(data):
        words = [word for event in events for word in ("-e", event)]
        script = "for i in 1 2 3 4; do " + load + " & done; wait"
        subprocess.run(["perf", "record", "-q", "-R", "-m", "4096", "-c", "1", "-a", *words, "-o", data, "--", "timeout", str(seconds), "sh", "-c", script],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return data


def bench_memory():
    """Loads and stores, made up: nobody here has a PMU that tells of them."""
    data = os.path.join(BENCH, "mem.data")
    program = os.path.join(BENCH, "mem.program")
    if not os.path.exists(data):
        with open(program, "wb") as f:
            f.write(b"x" * 20000)
        subprocess.run([sys.executable, "tests/host/mem.py", data, "-n", "600000", "-x", program], check=True)
    for words in (["c2c", "report", "--stdio"], ["mem", "report", "--stdio", "-s", "mem,snoop,tlb"]):
        words += ["-i", data]
        rows(" ".join(words[:2]) + (" -s mem,snoop,tlb" if "-s" in words else ""), *pairs([SONDE, *words], ["perf", *words], 3))


def bench_views():
    """perf's own analysers, of one recording each."""
    files = "while :; do find /usr -maxdepth 3 -type f | xargs -r stat -c %s | sort -n | tail -n 1; done"
    sched = ["sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup_new", "sched:sched_migrate_task", "sched:sched_process_fork",
             "sched:sched_process_exit", "sched:sched_stat_runtime"]
    work = ["irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_raise", "irq:softirq_entry", "irq:softirq_exit", "workqueue:*", "sched:sched_switch"]
    views = [
        ("sched.data", sched, [["sched", "latency"], ["sched", "timehist"], ["sched", "map"]]),
        ("kmem.data", ["kmem:kmalloc", "kmem:kfree", "kmem:kmem_cache_alloc", "kmem:kmem_cache_free"], [["kmem", "stat", "--caller", "--alloc"]]),
        ("lock.data", ["lock:contention_begin", "lock:contention_end"], [["lock", "contention"]]),
        ("kwork.data", work, [["kwork", "report"], ["kwork", "latency"], ["kwork", "timehist"]]),
    ]
    for name, events, commands in views:
        data = views_recording(name, events, int(os.environ.get("VIEWS", "30")), files)
        if not os.path.exists(data) or os.path.getsize(data) < 1 << 18:
            print(f"{name}: could not be recorded here")
            continue
        print(f"{name}: {os.path.getsize(data) / 1e6:.0f} MB")
        for verb, *rest in commands:
            words = [verb, "-i", data, *rest] if verb != "kwork" else [verb, *rest, "-i", data]
            rows(" ".join([verb, *rest]), *pairs([SONDE, *words], ["perf", *words], 3))


def main():
    os.makedirs(BENCH, exist_ok=True)
    print(f"{'':<28} {'sonde':>12} {'perf':>12} {'':<8} {'ratio':>8}")
    for step in (bench_start, bench_size, bench_record, bench_unwind, bench_lines, bench_report, bench_script, bench_trace_report, bench_live,
                 bench_counted, bench_flood, bench_annotate, bench_top, bench_hour, bench_views, bench_memory):
        step()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
