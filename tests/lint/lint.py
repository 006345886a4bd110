"""Lints over the tree: one function per rule, yielding what breaks it. Prints the counts as its last line."""
import glob
import os
import re
import shlex
import subprocess
import sys

MAX_FILE, MAX_FUNCTION, MAX_COLUMNS, MAX_WANT = 800, 100, 120, 25

# A folder may include only folders to its left; "obj" and "tracefs" stand side by side.
ORDER = [["abi"], ["base"], ["arch"], ["pack"], ["obj", "tracefs"], ["image"], ["types"], ["sym"], ["unwind"], ["perf"], ["spe"], ["probe"], ["analyse"],
         ["show"], ["sys"], ["machine"], ["packets"], ["tracing"], ["probing"], ["source"], ["live"], ["bpf"], ["record"], ["report"], ["engine"], ["prof"], ["poll"], ["sched"], ["syscalls"], ["kmem"], ["lock"], ["kwork"], ["kvm"], ["timeline"], ["timechart"], ["why"], ["c2c"], ["cmd"]]
RANK = {name: i for i, names in enumerate(ORDER) for name in names}
IMPURE = re.compile(r'#include <(unistd\.h|fcntl\.h|dirent\.h|poll\.h|pthread\.h|signal\.h|time\.h|sys/[^>]*)>')


def sources(*patterns):
    for pattern in patterns:
        yield from sorted(glob.glob(pattern, recursive=True))


def product():
    return sources("src/*/*.[ch]", "src/*/*/*.[ch]", "toolchains/board/*/*.c", "toolchains/board/*/*/*.c", "tracefs/*.[ch]", "tracefs/*/*.[ch]", "arch/*.[ch]", "arch/*/*.[ch]", "arch/*/*.def", "arch/*/host/*.h")


def code():
    return list(product()) + list(sources("tests/**/*.[ch]"))


def lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


def folder(path):
    parts = path.removeprefix("toolchains/board/").removeprefix("src/").split("/")
    return parts[0]


def layers():
    for path in product():
        mine = folder(path)
        for n, line in enumerate(lines(path), 1):
            m = re.match(r'#include "([a-z0-9]+)/', line)
            other = m and m.group(1)
            if other in RANK and other != mine and RANK[other] >= RANK[mine]:
                yield f"{path}:{n}: {mine}/ may not include {other}/"


def stand_ins():
    """Each is built in the place of a file, and says nothing of its own: it is short."""
    for path in sources("toolchains/board/**/*.c"):
        other = "src" + path[len("toolchains/board"):]
        if not os.path.exists(other):
            yield f"{path}: there is no {other}"
        elif len(lines(path)) > len(lines(other)):
            yield f"{path}: longer than {other}, which it stands in for"


def purity():
    for path in product():
        if RANK[folder(path)] < RANK["sys"]:
            for n, line in enumerate(lines(path), 1):
                if IMPURE.match(line):
                    yield f"{path}:{n}: system header in a pure folder"


def system_calls():
    """Calls that only sys/ makes."""
    call = re.compile(r'(?<![\w.>])(syscall|fork|execv\w*|waitpid|open|openat|mmap|ioctl|socket|pipe2?|kill|getpid|usleep|nanosleep|'
                      r'perf_event_open|fopen|opendir|isatty|pthread_create|clock_nanosleep|prctl)\(')
    for path in product():
        if folder(path) in ("sys", "arch"):
            continue
        for n, line in enumerate(lines(path), 1):
            m = call.search(line)
            if m and not path.endswith(".h") and not line.lstrip().startswith(("*", "/*")) and not re.search(r'"[^"]*' + re.escape(m.group(0)), line):
                yield f"{path}:{n}: {m.group(1)}() outside sys/"


def outputs():
    """Files are made in one place, which knows about links and other users' files."""
    for path in product():
        if path in ("src/sys/output.c", "src/sys/sys_live.c"):
            continue
        for n, line in enumerate(lines(path), 1):
            if re.search(r'\bO_CREAT\b', re.sub(r'"[^"]*"', "", line)):
                yield f"{path}:{n}: files are made by sys/output"


def who_prints():
    for path in product():
        if folder(path) == "cmd":
            continue
        for n, line in enumerate(lines(path), 1):
            if re.search(r'\b(stderr|perror|printf\(|exit\(|abort\()', re.sub(r'"[^"]*"|_exit\(|\w+_printf\(|snprintf\(', "", line)) \
                    and not line.lstrip().startswith(("*", "/*", "#")) and "PRINTF" not in line and "/*" not in line:
                yield f"{path}:{n}: only cmd/ prints and exits"


def isa_ifdefs():
    for path in code():
        if path.startswith(("arch/", "tests/probe/")):   # programs that are probed are for one architecture
            continue
        for n, line in enumerate(lines(path), 1):
            if re.search(r'__(aarch64|x86_64|arm|i386)__', line):
                yield f"{path}:{n}: the architecture is decided in arch/"


def sizes():
    for path in code():
        text = lines(path)
        if len(text) > MAX_FILE:
            yield f"{path}: {len(text)} lines (at most {MAX_FILE})"
        start = None
        for n, line in enumerate(text, 1):
            if line == "{":
                start = n
            elif line == "}" and start:
                if n - start - 1 > MAX_FUNCTION:
                    yield f"{path}:{start}: function of {n - start - 1} lines (at most {MAX_FUNCTION})"
                start = None


def parameters():
    for path in sources("src/*/*.c", "src/*/*/*.c", "tracefs/*.c", "tracefs/*/*.c", "arch/**/*.c"):
        for m in re.finditer(r'^(?:static )?[a-z_][\w *]*?\b(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)\n\{', "\n".join(lines(path)), re.M):
            flat = re.sub(r'\([^()]*\)', "", m.group(2))
            if flat.count(",") >= 7:
                yield f"{path}: {m.group(1)} has {flat.count(',') + 1} parameters"


def wants():
    """Options stand in blocks, each a struct of its own with its own table: at most 25 members."""
    for path in product():
        for m in re.finditer(r"^struct (\w*want) \{\n(.*?)^\};", "\n".join(lines(path)), re.M | re.S):
            body = re.sub(r"/\*.*?\*/", "", m.group(2), flags=re.S)
            body = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)(?=\()", "", body))    # a callback is one, whatever it takes
            n = sum(len(d.split(",")) for d in re.sub(r"\{[^{}]*\}", "", body).split(";") if d.strip())
            if n > MAX_WANT:
                yield f"{path}: struct {m.group(1)} has {n} members"


def nouns():
    """A struct of a header is the only one of its name in headers."""
    where = {}
    for path in product():
        for name in re.findall(r'^struct (\w+) \{', "\n".join(lines(path)), re.M) if path.endswith(".h") else ():
            if name in where:
                yield f"{path}: struct {name} is another one in {where[name]}"
            where[name] = path


def white_space():
    for path in list(code()) + list(sources("Makefile", "toolchains/*.mk", "tests/**/*.sh")):
        text = lines(path)
        for n, line in enumerate(text, 1):
            if line != line.rstrip():
                yield f"{path}:{n}: white space at the end"
            if path.endswith((".c", ".h")) and re.match(r' +\S', line) and not re.match(r' \*| {1,3}\*', line) and not line.startswith(" *"):
                yield f"{path}:{n}: spaces where a tab belongs"
            if path.endswith((".c", ".h")) and len(line.expandtabs(8)) > MAX_COLUMNS:
                yield f"{path}:{n}: {len(line.expandtabs(8))} columns (at most {MAX_COLUMNS})"
        if text[-1] != "" or (len(text) > 1 and text[-2] == ""):
            yield f"{path}: must end with exactly one newline"


def told(tool, but=()):
    """What nm or objdump says, a pair for each object of the product: one process for all of them."""
    build = os.path.dirname(os.environ.get("SONDE", "build/x86_64/sonde"))
    of = {os.path.join(build, path[:-2] + ".o"): path
          for path in sources("src/*/*.c", "src/*/*/*.c", "tracefs/*.c", "tracefs/*/*.c", "arch/*.c", "arch/*/*.c") if path not in but}
    objs = [obj for obj in of if os.path.exists(obj)]
    out = subprocess.run([*tool, *objs], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(\S+\.o):.*\n", out, flags=re.M)
    if len(parts) // 2 != len(objs):
        raise ValueError(f"{tool[0]} says something of {len(parts) // 2} objects, there are {len(objs)}")
    return [(of[obj], text) for obj, text in zip(parts[1::2], parts[2::2])]


def mutable_globals():
    """No object of the product but main.o has writable data."""
    but = ["src/cmd/main.c"]
    for path, out in told(["nm"], but):
        # .data.rel.ro holds constants with addresses: nm says d for it, its section name tells.
        for m in re.finditer(r" [bBC] (\S+)$", out, re.M):
            yield f"{path}: mutable file-scope variable {m.group(1)}"
    for path, out in told(["objdump", "-t"], but):
        for m in re.finditer(r"\s(\.data\S*)\s+([0-9a-f]{16})\s+(\S+)$", out, re.M):
            if int(m.group(2), 16) and not m.group(1).startswith(".data.rel"):
                yield f"{path}: mutable file-scope variable {m.group(3)}"


def packed_only():
    """The linker packs each nameless constant outside functions (toolchains/packed.ld): there is none but base/packed.h's."""
    for path in product():
        for n, line in enumerate(lines(path), 1):
            if path != "src/base/packed.h" and re.search(r"\(const ([^()*]*|[^()]*\* ?const ?)\[\]\)\s*\{", line):
                yield f"{path}:{n}: a nameless constant, which would be packed: give it a name"
    for path, out in told(["objdump", "-r"]):
        if re.search(r"RECORDS FOR \[\.rodata\.+_*compound_?literal", out):
            yield f"{path}: a nameless constant with addresses, which would be packed: give it a name"


def exports():
    """What a file gives to others has a caller in another file of the product; tests/lint/for_tests has what only tests call."""
    given, taken = {}, set()
    for path, out in told(["nm"]):
        given.update({name: path for name in re.findall(r" [TRD] (\S+)$", out, re.M)})
        taken |= set(re.findall(r" U (\S+)$", out, re.M))
    known = {line.split()[0] for line in lines("tests/lint/for_tests") if line and not line.startswith("#")}
    # The linker's option --wrap has these used in the place of others.
    lonely = {name for name in set(given) - taken - {"main"} if not name.startswith("__wrap_")}
    for name in sorted(lonely - known):
        yield f"{given[name]}: no other file uses {name}: it goes, or becomes static"
    for name in sorted(known - lonely):
        yield f"tests/lint/for_tests: {name} is used by others, or is gone"


def evaluated_twice():
    """MIN and MAX evaluate twice what they give: only calls that change nothing, and are quick, stand in them."""
    harmless = """sizeof MIN MAX strlen strcspn cur_left cur_off cpus_next cpus_count sv_from text_columns weight digits bits_high
                  loghist_at str_copy used_bytes dynamic_count symbol_size counter_place source_end_of meta_for cxx_digit
                  __builtin_clzll""".split()
    for path in product():
        text = "\n".join(lines(path))
        for m in re.finditer(r"\b(?:MIN|MAX)\(", text):
            depth, end = 1, m.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            body = text[m.end():end - 1]
            for call in re.findall(r"\b([a-zA-Z_]\w*)\(", body):
                if call not in harmless and not call.isupper() and call != "UINT64_C":
                    yield f"{path}:{text.count(chr(10), 0, m.start()) + 1}: {call}() inside of MIN or MAX"
            if re.search(r"\+\+|--|[^=<>!]=[^=]", body):
                yield f"{path}:{text.count(chr(10), 0, m.start()) + 1}: a change inside of MIN or MAX"


def own_words():
    host = re.compile(r'https?://[^ ]*(debian\.org|npmjs|mirror)')
    path_of_machine = re.compile(r'(^|[^a-z])/(work|root|home)/[a-z]')
    for path in subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False).stdout.split():
        if path.startswith("tests/data/") or not os.path.isfile(path) or path == "tests/lint/lint.py":
            continue
        try:
            text = lines(path)
        except UnicodeDecodeError:
            continue
        for n, line in enumerate(text, 1):
            if host.search(line):
                yield f"{path}:{n}: host name of an archive"
            if path_of_machine.search(line):
                yield f"{path}:{n}: path of one machine"


def sonde(*args):
    return subprocess.run([os.environ["SONDE"], *args], capture_output=True, text=True, check=False)


def commands():
    return sorted(os.path.basename(p)[4:-2].replace("_", "-") for p in glob.glob("src/cmd/cmd_*.c"))


def usage():
    """Every option that an example or a detail names is in the command's own list of options; lines fit 80 columns."""
    profs = sorted("prof " + os.path.basename(p)[5:-2].replace("_", "-") for p in glob.glob("src/prof/prof_*.c"))
    for cmd in [c for c in commands() if c != "prof"] + profs:
        text = sonde(*cmd.split(), "--help").stdout
        if "Examples:" not in text:
            yield f"{cmd}: --help has no examples"
            continue
        options = set(re.findall(r'(?<![\w-])(--[a-z][a-z-]*|-[A-Za-z])(?![\w-])', text.split("Examples:")[0]))
        for line in text.split("Examples:")[1].splitlines():
            if not line.startswith("  sonde " + cmd + " "):
                continue
            own = re.split(r' -- | \| ', line)[0].split()[1 + len(cmd.split()):]
            for word in own:
                m = re.match(r'(--[a-z][a-z-]*|-[A-Za-z])', word)
                if m and m.group(1) not in options and m.group(1).replace("--no-", "--") not in options:
                    yield f"{cmd}: the example '{line.strip()}' uses {m.group(1)}, which the options do not list"
        for line in text.splitlines():
            if len(line) > 100:
                yield f"{cmd}: --help has a line of {len(line)} columns: {line[:60]}..."


def readme():
    if not os.path.exists("README.md"):
        yield "README.md is missing"
        return
    text = open("README.md", encoding="utf-8").read()
    for cmd in commands():
        if f"sonde {cmd}" not in text:
            yield f"README.md does not show 'sonde {cmd}'"


def words(line):
    """Of a shell's line; as well as may be when its quotes go on in the next one."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";|&()")
        lexer.whitespace_split = True
        lexer.commenters = ""
        return list(lexer)
    except ValueError:
        return line.replace('"', " ").replace("'", " ").split()


class Use:
    """Which options of which commands the tests' scripts give."""

    def __init__(self):
        self.options, self.used = {}, set()
        for line in sonde("--options").stdout.splitlines():
            cmd, letter, name, kind, ident = line.split("\t")
            self.options.setdefault(cmd, []).append((letter, name, kind == "value", ident))

    def command(self, at, others):
        """The command that begins at[0], and what follows; others: functions of the script that run one."""
        program = os.path.basename(at[0].strip('"$({'))
        if at[0] in others:
            verb = next((w for w in at[1:] if "ftrace" in others[at[0]] and "ftrace " + w in self.options), None)
            return (["ftrace " + verb], at[at.index(verb) + 1:]) if verb else (others[at[0]], at[1:])
        if program not in ("sonde", "SONDE", "SONDE}", "perf", "trace-cmd"):
            return [], []
        rest = at[1:]
        while rest and rest[0].startswith("-"):
            rest = rest[2:] if rest[0] == "--sysroot" else rest[1:]
        if program == "trace-cmd":
            rest = ["ftrace"] + rest
        for n in (3, 2):
            cmd = " ".join(rest[:n])
            if cmd in self.options:
                return [cmd], rest[n:]
        return ([rest[0]], rest[1:]) if rest and rest[0] in self.options else ([], [])

    def short(self, cmd, word):
        for letter in word[1:]:
            found = [o for o in self.options[cmd] if o[0] == "-" + letter]
            self.used |= {o[3] for o in found}
            if not found or found[0][2]:
                return

    def note(self, cmd, rest):
        for word in rest:
            if word in ("--", "|", ";", "||", "&&", "&", "(", ")"):
                return
            if word.startswith("--"):
                name = word.split("=")[0]
                self.used |= {o[3] for o in self.options[cmd] if o[1] in (name, name.replace("--no-", "--"), "--no-" + name[2:])}
            elif word.startswith("-"):
                self.short(cmd, word)

    def read(self, text):
        """Names for the program and words of loops are put in; functions that hand their words on to a command are as good."""
        text = re.sub(r"^\s*#.*\n", "", text, flags=re.M)
        text = re.sub(r"\\\n\s*", " ", text)
        for name, value in re.findall(r"^\t*(\w+)=[\"']?((?:\$?\{?)(?:sonde|SONDE)\b[^\"'\n;]*)[\"']?$", text, re.M):
            text = re.sub(r"\$" + name + r"\b", lambda _, value=value: value, text)
        for name, value in re.findall(r"\bfor (\w+) in ([^;\n]*)(?:;|\n)", text):
            text = re.sub(r'"?\$' + name + r'\b"?', lambda m, value=value: value.replace('"', "").replace("'", "") + " " + m.group(0), text)
        others = {}
        for m in re.finditer(r"^(\w+)\(\) \{((?:\n(?s:.*?)^| .* ))\}", text, re.M):
            if re.search(r"[$][@*1-9]", m.group(2)):
                for line in m.group(2).splitlines():
                    all_words = words(line)
                    for i in range(len(all_words)):
                        others.setdefault(m.group(1), []).extend(self.command(all_words[i:], {})[0])
        for line in text.splitlines():
            all_words = words(line)
            for i in range(len(all_words)):
                cmds, rest = self.command(all_words[i:], others)
                for cmd in cmds:
                    self.note(cmd, rest)


def options():
    """Each option of each command is used in a test, or tests/lint/untested has it, and nothing else."""
    use, known = Use(), set()
    for path in sources("tests/golden/*/*.cmd", "tests/kernel/*.sh", "tests/host/*.sh"):
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        # There the other names are those of their own programs.
        if path.endswith(".sh") and not re.search(r"ln -s\S* .*sonde.* (names/)?perf", text):
            text = re.sub(r"(?<![\w/-])(perf|trace-cmd)(?= )", "their", text)
        use.read(text)
    for line in lines("tests/lint/untested"):
        if line and not line.startswith("#"):
            known.add(line)
    named = {}
    for cmd, its in use.options.items():
        for letter, name, _, ident in its:
            named.setdefault(ident, f"{cmd} {name if name != '-' else letter}")   # of several commands, the first
    needed = {entry for ident, entry in named.items() if ident not in use.used}
    for entry in sorted(needed - known):
        yield f"no test uses {entry}"
    for entry in sorted(known - needed):
        yield f"tests/lint/untested: {entry} is used by a test, or there is no such option"


def notes():
    """Each command of tests/kernel/notes.list names the case that runs it, or a reason."""
    cases = set()
    for path in sources("tests/kernel/t_*.sh", "tests/host/t_*.sh"):
        name = os.path.basename(path)[2:-3]
        for case in re.findall(r"^\s*t ([\w-]+)", "\n".join(lines(path)), re.M):
            cases.add(("host/" if "/host/" in path else "") + f"{name}.{case}")
    for number, line in enumerate(lines("tests/kernel/notes.list"), 1):
        command, _, where = line.partition("\t")
        if command and command[0] != "#" and where not in cases and not re.match(r"- \w", where):
            yield f"tests/kernel/notes.list:{number}: no case '{where}'"


RULES = [layers, stand_ins, nouns, purity, system_calls, outputs, who_prints, isa_ifdefs, sizes, parameters, wants, white_space, mutable_globals, packed_only, exports, evaluated_twice, own_words, usage, readme,
         options, notes]


def main():
    failed = 0
    for rule in RULES:
        found = list(rule())
        if found:
            failed += 1
            print(f"FAIL {rule.__name__}")
            for line in found[:20]:
                print("  " + line)
            if len(found) > 20:
                print(f"  and {len(found) - 20} more")
    print(f"{len(RULES) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
