#!/bin/sh
# as: root
# time: 600
# sonde probe -D on programs made here, for this machine: what needs no kernel.
. "$T_HERE/lib.sh"

need sonde gcc objcopy strip nm
cat > a.c << 'END'
__attribute__((noinline)) int twice(int v)
{
	__asm__ volatile("" : "+r"(v));
	return v * 2;
}

int main(int argc, char **argv)
{
	return argv && twice(argc) != 2;
}
END

t debug_file_of_another_build
for id in 01 02; do
	gcc -O2 -g -o a$id a.c -Wl,--build-id=0x50de000000000000$id && objcopy --only-keep-debug a$id a$id.debug || fail "gcc, objcopy"
done
strip -o a a01
sonde probe -x a --debug-file a01.debug -D 'twice v' > out 2>&1
eq $? 0
has out '^p:probe_a/twice .*/a:0x[0-9a-f]+ v=%[a-z0-9]+:s32$'
sonde probe -x a --debug-file a02.debug -D 'twice v' > out 2>&1
eq $? 1
has out 'a02.debug is not of .*: its build id is another one'

# Its instructions have no fixed size, and nothing tells where one begins.
t address_where_no_function_is_known
cat > n.c << 'END'
void _start(void)
{
	for (;;)
		__asm__ volatile("");
}
END
gcc -O2 -static -nostdlib -fno-asynchronous-unwind-tables -Wl,--build-id=none -o n n.c || fail gcc
addr=0x$(nm n | sed -n 's/^0*\([0-9a-f]*\) T _start$/\1/p')
strip n
case $(uname -m) in
x86_64)
	sonde probe -x n -D "$addr" > out 2>&1
	eq $? 1
	has out "^sonde: no function is known at $addr: whether an instruction begins there cannot be told$"
	has out '^  --unsafe probes it all the same'
	;;
esac
sonde probe --unsafe -x n -D "$addr" > out 2>&1
eq $? 0
has out '^p:probe_n/abs_[0-9a-f]+ .*/n:0x[0-9a-f]+$'

# Go's own calling convention since 1.17 (x86_64) and 1.18 (arm64): cmd/compile/abi-internal.md.
t arguments_of_go_functions
if command -v go > /dev/null; then
	mkdir g
	printf 'module probed\n\ngo 1.18\n' > g/go.mod
	cat > g/main.go <<- 'END'
	package main

	//go:noinline
	func Sum(a, b, c int) int { return a + b*c }

	func main() { println(Sum(1, 2, 3)) }
	END
	(cd g && GOFLAGS=-mod=mod HOME=$PWD GOCACHE=$PWD/cache CGO_ENABLED=0 go build -o g -ldflags=-s .) > out 2>&1 || { cat out; fail "go build"; }
	sonde probe -x g/g -D 'main.Sum $arg1 $arg2 $arg3 $arg4' > out 2>&1
	eq $? 0
	case $(uname -m) in
	x86_64) has out ' arg1=%ax arg2=%bx arg3=%cx arg4=%di$' ;;
	*) has out ' arg1=%x0 arg2=%x1 arg3=%x2 arg4=%x3$' ;;
	esac
else
	skip "no go here"
fi

# A line table may say anything: here that the function ends in line 4294967295.
t lines_beyond_the_source
gcc -O0 -g -S -o l.s a.c && grep -q 'loc 1 5 ' l.s && sed 's/\.loc 1 5 /.loc 1 4294967295 /' l.s > far.s && gcc -o l far.s || fail "gcc"
timeout 100 sonde probe -x l -D 'twice;return*' > out 2>&1
eq $? 0
has out '^p:probe_l/twice .*/l:0x[0-9a-f]+$'

# Two units have a function of one name; in the second it is only inlined.
t same_name_in_another_unit
cat > one.c << 'END'
extern int other(int);
static __attribute__((noinline)) int step(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

int main(int argc, char **argv)
{
	return argv && step(argc) + other(argc) == 100;
}
END
cat > two.c << 'END'
static inline int step(int y)
{
	__asm__ volatile("" : "+r"(y));
	return y * 3;
}

int other(int v)
{
	return step(v) - 1;
}
END
gcc -O2 -g -o both one.c two.c || fail gcc
sonde probe -x both -D step > out 2>&1
eq "$? $(sed 's/.*://' out | sort -u | grep -c .)" "0 2"
sonde probe -x both -D step@two.c > out 2>&1
eq "$? $(grep -c both/step out)" "0 1"
sonde probe -x both -L step@two.c > out 2>&1
has out '^ +0 +static inline int step\(int y\)$'
sonde probe -x both -L step@three.c > out 2>&1
eq $? 1
has out "has no function 'step' in three.c"

t filters_with_parentheses
eq "$(sonde probe -x both -F '(m*|s*|o*)&!*a*' | tr '\n' ' ')" "other step "
eq "$(sonde probe -x both -F '!(_*|*a*|*r*|*e*|fn_*)' | tr '\n' ' ')" ""

# says PATTERN ARGUMENT...: it is refused in these words.
says() {
	pattern=$1
	shift
	sonde probe "$@" > out 2>&1 && fail "taken: sonde probe $*"
	has out "$pattern"
}

t filters_that_do_not_parse
for list in -F "-V step --filter"; do
	says '^sonde: nothing is open here that .\). closes$' -x both $list 'a|b)'
	has out '^     \^$'
	says '^sonde: this .\(. is not closed$' -x both $list 'a|(b'
	has out '^    \^$'
	says '^sonde: a pattern is missing here$' -x both $list 'a||b'
	says '^sonde: a pattern is missing here$' -x both $list '!'
	says '^sonde: & or \| is missing here$' -x both $list '(a)b'
done
says '^sonde: a pattern is missing here$' -d 'a:b|'
says '^sonde: a pattern is missing here$' -l '!'
says 'filter goes with -F' -x both --filter 'a' step

t filters_of_variables
sonde probe -x both -V step@one.c > out 2>&1
has out '^		int	x$'
for f in zzz '!x' 'y|z'; do
	sonde probe -x both -V step@one.c --filter "$f" > out 2>&1
	has out '^		\(No matched variables\)$'
done

# The lines and places that match, whatever function they are in. What perf finds is the measure.
t lines_of_a_file_by_their_text
cat > text.c << 'END2'
#include <stdio.h>

__attribute__((noinline)) int twice(int v)
{
	printf("twice %d\n", v);
	return v * 2;
}

static inline int thrice(int v)
{
	printf("thrice %d\n", v);
	return v * 3;
}

int main(int argc, char **argv)
{
	int r = twice(argc);

	r += thrice(argc);
	printf("%d %s\n", r, argv[0]);
	return 0;
}
END2
gcc -O1 -g -o text text.c || fail gcc
for p in 'text.c;printf*' 'text.c;*v*' 'text.c;return*' 'twice;*v*'; do
	sonde probe -x text -D "$p" > out 2>&1 || fail "$p: $(cat out)"
	sed 's/.*://' out | sort > ours
	if perf probe -x ./text -D "$p" > theirs.out 2> theirs.err; then
		sed 's/.*://' theirs.out | sort > theirs
		cmp -s ours theirs && ok || fail "$p: $(diff ours theirs)"
	fi
done
sonde probe -x text -D 'text.c;printf*' > out 2>&1
eq "$(sed 's/ .*//' out | sort | tr '\n' ' ')" "p:probe_text/main p:probe_text/thrice p:probe_text/twice "
says "no line with code of text.c matches 'zzz\\*'" -x text -D 'text.c;zzz*'
says "has no code of a file 'none.c'" -x text -D 'none.c;*'
mkdir moved && mv text.c moved
says 'the source .*/text.c is not on this machine' -x text -D 'text.c;printf*'
sonde probe -x text -s moved -D 'text.c;printf*' > out 2>&1
eq "$(grep -c . out)" 3
mv moved/text.c .

t source_from_its_first_line
sonde probe -x text -L text.c > out 2>&1
eq $? 0
eq "$(sed -n 's/^<.*\(text.c:[0-9]*\)>$/\1/p' out)" text.c:1
eq "$(sed 1d out | cut -c10-)" "$(cat text.c)"
for line in 5 6 11 12 17 19 20 21; do
	has out "^ +$line  	[pri]"
done
eq "$(sed -n '4p' out)" "         __attribute__((noinline)) int twice(int v)"
# perf's count is one of lines.
sonde probe -x text -L text.c:5+2 > out 2>&1
eq "$(sed 1d out | tr -d ' \t\n')" '5printf("twice%d\n",v);6returnv*2;'
sonde probe -x text -L twice:2-3 > out 2>&1
eq "$(sed 1d out | tr -d ' \t\n')" '2printf("twice%d\n",v);3returnv*2;'
says "no function 'none.c'" -x text -L none.c

t numbers_beyond_any_file
for p in twice:4294967295 twice:4294967299 text.c:4294967297 twice:99999999999999999999; do
	says '^sonde: a number is expected here: a line, up to 2147483647$' -x text -L "$p"
	says '^sonde: a number is expected here: a line, up to 2147483647$' -x text -D "$p"
done
says '^sonde: line 2147483650 is not in .*text.c, which has 22 lines$' -x text -L twice:2147483647
says '^sonde: a number of lines is expected here, from 1 to 2147483647$' -x text -L text.c:5-4294967299
has out '^           \^$'
says '^sonde: a number of lines is expected here' -x text -L text.c:5+4294967299
says '^sonde: the lines end before they begin$' -x text -L twice:3-1

# Headers may be in a segment that is mapped executable.
t addresses_that_are_no_code
gcc -O1 -o flat text.c -Wl,-z,noseparate-code || fail gcc
strip -o bare flat
addr=$(nm flat | sed -n 's/^0*\([0-9a-f]*\) T twice$/\1/p')
for x in flat bare; do
	for a in 0x10 0x200 0x50000; do
		says "^sonde: there is no code at $a in .*/$x\$" -x $x -D $a
		has out '^  the nearest is from 0x[0-9a-f]+ up to 0x[0-9a-f]+$'
	done
	sonde probe -x $x -D "0x$addr" > out 2>&1
	has out "^p:probe_$x/abs_$addr .*/$x:0x$addr\$"
	sonde probe -x $x -D "x=0x$addr" > out 2>&1
	has out "^p:probe_$x/x .*/$x:0x$addr\$"
done
says 'is in the middle of twice: %return needs its start$' -x flat -D "0x$(printf %x $((0x$addr + 4)))%return"

t files_that_are_cut
size=$(($(wc -c < text)))
head -c $((size - 100)) text > cut
sonde probe -x cut -F > out 2> err
eq "$? $(grep -c . err)" "0 1"
has err "^sonde: .*/cut is cut: $((size - 100)) of $size bytes are there, and no sections\$"
[ -s out ] && ok || fail "nothing of what is there is listed"
sonde probe -q -x cut -F > out 2> err
eq "$(cat err)" ""
sonde probe -x text -F > out 2> err
eq "$(cat err)" ""

t names_that_are_none
for o in -x -m -k --debug-file -s; do
	says "^sonde: $o needs a name, which is empty here\$" $o '' -F
done
says '^sonde: -x is a program, -m a module' -x text -m dummy -F
says "^sonde: '-n' stands behind the place: options go in front of it\$" -x text twice -n
says "^sonde: 'main' is one word too many\$" -x text -F twice main
if grep -q '^[0-9a-f]*[1-9a-f][0-9a-f]* . _text$' /proc/kallsyms 2> /dev/null; then
	says '^sonde: cannot open /none: ' -k /none -D vfs_read
	says '^sonde: text is not a kernel: it has no symbol _text$' -k text -D vfs_read
	says '^sonde: text.c: not an ELF file' -k text.c -F
	says '^sonde: module nosuch is not loaded, or has no functions$' -m nosuch -F
	says '^sonde: module nosuch is not loaded, or has no functions$' -m nosuch -F 'a*'
fi

# A file that says it is the running kernel tells where its instructions begin.
t middle_of_a_kernel_instruction
base=$(awk '$3 == "_text" && $1 !~ /^0*$/ { print $1; exit }' /proc/kallsyms 2> /dev/null)
at=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms 2> /dev/null)
if [ "$(uname -m)" = x86_64 ] && [ "$base" ] && [ "$at" ]; then
	cat > k.s <<- 'END2'
	.globl vfs_read
	.type vfs_read, @function
	vfs_read:
		mov $0x11223344, %eax
		mov $0x11223344, %eax
		ret
		.fill 64, 1, 0x90
	END2
	for id in none 0x50de0000000000000001; do
		gcc -nostdlib -static -no-pie -Wl,--build-id=$id -Wl,-e,vfs_read -Wl,-Ttext=0x$at -Wl,--defsym=_text=0x$base -o k$id k.s || fail gcc
	done
	sonde probe -k knone -D vfs_read+5 > out 2>&1
	has out '^p:probe/vfs_read vfs_read\+5$'
	says '^sonde: no probe at 0x[0-9a-f]+: no instruction begins there$' -k knone -D vfs_read+7
	has out '^  the nearest place that takes one is 0x[0-9a-f]+$'
	says 'is not the running kernel.s: its build id is another one$' -k k0x50de0000000000000001 -D vfs_read
else
	skip "instructions of one size, or hidden addresses"
fi

# Where a program is in memory is told by the probe's own address, which at a return is the caller's.
t global_at_a_return
cat > global.c << 'END2'
int seen = 41;

__attribute__((noinline)) double half(double d, int n)
{
	__asm__ volatile("" : "+r"(n));
	return d / 2 + n;
}

__attribute__((noinline)) int twice(int v)
{
	__asm__ volatile("" : "+r"(v));
	return v * 2 + seen;
}

int main(int argc, char **argv)
{
	return argv && twice(argc) + half(argc, argc) == 100;
}
END2
gcc -O1 -g -fPIE -pie -o global global.c || fail gcc
sonde probe -x global -D 'twice%return seen $retval' > out 2> err
eq $? 0
has out '^p:probe_global/twice__return .*/global:0x[0-9a-f]+ seen=[-+][0-9]+\(%[a-z]+\):s32 arg2=%[a-z0-9]+:s32$'
has err 'seen|a global variable is read at the return instructions of twice'
gcc -O1 -g -no-pie -o fixed global.c || fail gcc
sonde probe -x fixed -D 'twice%return seen' > out 2> err
has out '^r:probe_fixed/twice__return .*/fixed:0x[0-9a-f]+ seen=@0x[0-9a-f]+:s32$'

t arguments_by_their_kind_of_register
sonde probe -x global -D 'half $arg2' > out 2>&1
case $(uname -m) in
x86_64) has out ' arg1=%di$' ;;
*) has out ' arg1=%x0$' ;;
esac
says 'd is in register (xmm|v)0, which is for floating point: no probe can read that' -x global -D 'half $arg1'
says 'it is double, returned in register (xmm|v)0' -x global -D 'half%return $retval'
says 'there is no \$arg10: the function has 1 parameter$' -x global -D 'twice $arg10'

# As -F and demanglers print them.
t functions_of_cxx_by_their_whole_text
cat > over.cc << 'END2'
namespace ns {
struct base {
	virtual ~base() { }
	__attribute__((noinline)) virtual int over(int v) { return v + 1; }
};
struct derived : base {
	__attribute__((noinline)) int over(int v) override { asm volatile(""); return v * 2; }
	__attribute__((noinline)) int over(const char *s) const { asm volatile(""); return s[0]; }
};
template <class T> __attribute__((noinline)) T most(T a, T b) { asm volatile(""); return a > b ? a : b; }
__attribute__((noinline)) static int clone(const int *p, int unused) { asm volatile(""); return *p * 3; }
}

int main(int argc, char **argv)
{
	ns::derived d;
	ns::base *b = &d;

	return b->over(argc) + d.over(argv[0]) + ns::most<int>(argc, 2) + (int)ns::most<double>(argc, 2) +
	       ns::clone(&argc, 2);
}
END2
if command -v g++ > /dev/null && g++ -O2 -g -o over over.cc; then
	sonde probe -x over -F 'ns::*|*most*' > names
	[ "$(grep -c . names)" -ge 4 ] && ok || fail "$(cat names)"
	while read -r name; do
		sonde probe -x over -D "$name" > out 2>&1 || fail "$name: $(cat out)"
		sonde probe -x over -D "\"$name\"" > quoted 2>&1 || fail "$name: $(cat out)"
		cmp -s out quoted && ok || fail "$name: $(cat out quoted)"
	done < names
	for name in 'ns::derived::over(int)' 'ns::most<int>(int, int)' 'int ns::most<int>(int, int)' 'ns::clone(int const*, int)' \
			'ns::derived::over(char const*)'; do
		sonde probe -x over -D "$name" > out 2>&1
		eq "$name: $? $(grep -c '^p:' out)" "$name: 0 1"
	done
else
	skip "no g++ here"
fi

t what_a_stripped_library_does_not_list
printf 'int shown(int v) { return v + 1; }\nstatic __attribute__((noinline)) int hidden(int v) { __asm__ volatile("" : "+r"(v)); return v; }\nint other(int v) { return hidden(v) * 2; }\n' > lib.c
gcc -O1 -shared -fPIC -o lib.so lib.c && strip lib.so || fail gcc
sonde probe -x lib.so -F > out 2> err
eq "$(grep -cx 'shown\|other' out)" 2
has err '^sonde: [0-9]+ more functions have no names left: -v lists them by their addresses$'
sonde probe -q -x lib.so -F > out 2> err
eq "$(cat err)" ""
sonde probe -x text -F > out 2> err
eq "$(cat err)" ""

t debug_information_whose_parts_are_missing
gcc -O1 -g -gsplit-dwarf -o parted text.c || fail gcc
sonde probe -x parted -D 'twice v' > out 2>&1
eq $? 0
rm -f ./*.dwo
for what in "-D|twice v" "-V|twice" "-L|twice"; do
	says '\.dwo, which has a part of the debug information, is missing$' -x parted "${what%|*}" "${what#*|}"
done

# What two programs have in common is in a third file then, the name of the function among it.
t debug_information_whose_common_file_is_missing
if command -v dwz > /dev/null; then
	printf 'struct s { int a, b, c; };\nint twice(struct s *v) { return v->a * 2; }\nint main(void) { struct s x = { 1 }; return twice(&x); }\n' > one.c
	sed 's/\* 2/* 3/' one.c > two.c
	gcc -O1 -g -gdwarf-4 -o one one.c && gcc -O1 -g -gdwarf-4 -o two two.c && dwz -m common -M "$PWD/common" one two || fail dwz
	sonde probe -x one -L twice > out 2>&1
	eq $? 0
	rm common
	says '/common, which has a part of the debug information, is missing$' -x one -L twice
	for what in "-D|twice v->a" "-V|twice"; do
		sonde probe -x one "${what%|*}" "${what#*|}" > out 2> err
		has err '/common, which has a part of the debug information, is missing$'
	done
else
	skip "no dwz here"
fi

t variables_of_threads
cat > tls.c << 'END2'
__thread int own = 4;
int all = 5;

int main(int argc, char **argv)
{
	own += argc;
	return argv && own + all == 100;
}
END2
gcc -O1 -g -o tls tls.c || fail gcc
says 'thread local' -x tls -D 'main own'
sonde probe -x tls -V main --externs --range > out 2>&1
has out '^		int	own  \(thread local\)$'
has out '^		int	all  at 0x[0-9a-f]+$'

t names_of_any_length
n=$(printf 'f%.0s' $(seq 700))
printf 'int %s(int v) { return v + 1; }\nint %sx(int v) { return v + 2; }\nint main(void) { return %s(1) + %sx(2); }\n' $n $n $n $n > long.c
gcc -O0 -g -o long long.c || fail gcc
for name in $n ${n}x; do
	sonde probe -x long -D "$name" > out 2>&1
	eq "$? $(sed 's/.*://' out)" "0 0x$(nm long | sed -n "s/^0*\([0-9a-f]*\) T $name\$/\1/p")"
	sonde probe -x long -L "$name" > out 2>&1
	eq $? 0
done
says "there is no function" -x long -D "${n}xy"

t lines_of_inline_probes
says 'a number is expected here: a line' -x text -D 'twice:x'
if sonde stat -x, -o csv -e "uprobe:main@$PWD/text" -- ./text > out 2>&1 && grep -q '^1,' csv; then
	for p in twice:2 text.c:5; do
		sonde stat -x, -o csv -e "uprobe:$p@$PWD/text" -- ./text > out 2>&1 || cat out
		has csv "^1,.*uprobe:$p,"
	done
else
	skip "no uprobes on this machine"
fi
