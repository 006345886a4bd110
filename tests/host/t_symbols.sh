#!/bin/sh
# as: root
# time: 300
# Names of functions where a file has them in another way than as plain symbols: packed into it (.gnu_debugdata), as distributions make
# it, by the real xz with all that changes how it packs; beside the symbols that the file had itself.
. "$T_HERE/lib.sh"

need sonde python3 gcc objcopy nm xz

host=$T_HERE/../host
cat > code.c <<'END'
#define WORK(n) __attribute__((noinline)) static int work_##n(volatile int *p) { int x = *p; x += x * n - 3; *p = x; return x + n; }
WORK(1) WORK(2) WORK(3) WORK(4)

int main(int argc, char **argv)
{
	volatile int x = argc;

	return !argv + work_1(&x) + work_2(&x) + work_3(&x) + work_4(&x);
}
END
gcc -O1 -o code code.c

# listed FILE: address and name of each function of the text that people wrote
listed() {
	sonde probe -F '*' -v --no-demangle -x "$1" | awk '{ print $1, $NF }' | grep -v '@plt$' | sort
}

# mini FILE: the symbols of its functions that .dynsym has not, as a file of their own, "mini"
mini() {
	nm -D --defined-only -f posix "$1" 2> /dev/null | awk '{ print $1 }' | sort -u > dynamic
	nm --defined-only -f posix "$1" | awk '$2 ~ /^[TtWwVi]$/ { print $1 }' | sort -u | comm -23 - dynamic > keep
	objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep "$1" mini
}

# packed FILE HOW...: FILE.packed has its dynamic symbols, and those of "mini" as xz
packed() {
	file=$1
	shift
	xz -c "$@" mini > mini.xz
	objcopy -S --add-section .gnu_debugdata=mini.xz "$file" "$file.packed"
}

t packed_symbols_are_the_files_own
for file in code $(command -v workload) $(command -v sonde).full; do
	[ -s "$file" ] || continue
	cp "$file" program
	mini program
	listed "$PWD/program" > own
	for how in -0 -9e --check=crc32 --check=none --check=sha256 --block-size=999 --lzma2=lc=0,lp=3,pb=1; do
		packed program "$how"
		listed "$PWD/program.packed" > got
		[ -s got ] && cmp own got && ok || fail "$file: others with xz $how: $(diff own got | head -n 5)"
	done
done

t reports_and_probes_take_packed_names
cp code program
mini program
packed program -6
if python3 "$host/names.py" "$(command -v sonde)" "$PWD/program.packed" > names.txt; then
	ok
else
	cat names.txt
	fail "a function has two names"
fi
listed "$PWD/program.packed" > got
grep -q ' work_3$' got && ok || fail "no work_3: $(cat got)"
sonde probe -x "$PWD/program.packed" -D work_3 > definition 2>&1
at=$(nm program | awk '$3 == "work_3" { sub("^0*", "", $1); print $1 }')
has definition "work_3.*0x0*$at"

t what_is_damaged_gives_no_names
head -c "$(($(wc -c < mini.xz) / 2))" mini.xz > half.xz
objcopy -S --add-section .gnu_debugdata=half.xz program program.half
listed "$PWD/program.half" > got
grep -q work_ got && fail "names of half a file" || ok
# What is not ELF; a file of another machine; one that would be larger than it may.
echo text | xz -c > text.xz
objcopy -S --add-section .gnu_debugdata=text.xz program program.text
listed "$PWD/program.text" > got
eq $? 0
head -c 200M /dev/zero | xz -0 -c > zeros.xz
objcopy -S --add-section .gnu_debugdata=zeros.xz program program.zeros
listed "$PWD/program.zeros" > got
eq $? 0
grep -q work_ got && fail "names of zeros" || ok

t a_debug_file_goes_first
gcc -O1 -g -o program code.c
mini program
LC_ALL=C sed -i 's/work_3/pack_3/' mini
packed program -6
objcopy --only-keep-debug program program.debug
listed "$PWD/program.packed" > got
grep -q ' pack_3$' got && ok || fail "no symbols packed by this test: $(cat got)"
objcopy --add-gnu-debuglink=program.debug program.packed
listed "$PWD/program.packed" > got
grep -q ' work_3$' got && ! grep -q pack_3 got && ok || fail "not those of the debug file: $(cat got)"
