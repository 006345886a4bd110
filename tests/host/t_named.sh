#!/bin/sh
# as: root
# time: 240
# Recordings that name themselves: what was hit has its names in the file, for machines that have none of the files, nor this kernel.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload python3 gcc objcopy nm xz chroot

host=$T_HERE/../host
ev=cpu-clock

# elsewhere COMMAND...: as on a machine that has nothing but this sonde and the recordings here.
elsewhere() {
	mkdir -p else && cp "$(command -v sonde)" else/sonde && cp ./*.data else && chroot else /sonde "$@"
}


t recording_works_here
if ! sonde record -q -g -e $ev -F 3999 -o tree.data workload tree 500 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

t the_same_places_are_named_elsewhere
sonde record -q -g -a -e $ev -F 999 -o all.data sh -c 'workload tree 300; ls -R /usr/include; gcc --version' > /dev/null
for file in tree all; do
	sonde script -i $file.data -F ip,sym,symoff,dso --no-inline > here.txt 2> /dev/null
	elsewhere script -i $file.data -F ip,sym,symoff,dso --no-inline > there.txt 2> err
	grep -q 'leaf+0x.*workload' there.txt && ok || fail "$file.data: no leaf of the workload: $(head -n 5 there.txt)"
	cmp here.txt there.txt && ok || fail "$file.data: $(diff here.txt there.txt | head -n 6)"
	elsewhere report -i $file.data -q --no-children -g none > report.txt 2> err
	sonde report -i $file.data -q --no-children -g none 2> /dev/null | cmp - report.txt && ok || fail "$file.data: other rows"
done
if ! grep -q '0000000000000000 T _text' /proc/kallsyms; then
	elsewhere script -i all.data -F ip,sym,dso > there.txt 2> err
	[ "$(grep -c '[a-z].* (\[kernel.kallsyms\])' there.txt)" -gt 20 ] && ok || fail "few functions of the kernel: $(tail -n 5 there.txt)"
fi

t readers_of_its_form_can_take_it
for file in tree all; do
	python3 "$host/file2.py" checks $file.data > not.txt
	[ ! -s not.txt ] && ok || fail "$file.data: $(head -n 5 not.txt)"
done
python3 "$host/file2.py" tree.data | awk '$1 == "elf" && $2 ~ /\/workload$/ { print $3, $5 }' | sort > told.txt
nm -- "$(command -v workload)" | awk '{ sub("^0+", "", $1); print $1, $3 }' | sort > symbols.txt
[ -s told.txt ] && [ -z "$(comm -23 told.txt symbols.txt)" ] && ok || fail "not of its symbols: $(comm -23 told.txt symbols.txt)"

t who_goes_through_a_file_once_can_take_it
sonde record -q -g -a -e $ev,page-faults -F 999 -o two.data sh -c 'workload tree 100; ls /usr/bin' > /dev/null
sonde record -q -e "{$ev,page-faults}:S" -o group.data --switch-output=1M --switch-max-files 2 workload tree 100 2> /dev/null
mv group.data.* group.data
sonde record -q -e $ev,page-faults -B -o bare.data workload tree 100
sonde inject -b -i bare.data -o injected.data
sonde record -q -e $ev,page-faults -o - workload tree 100 2> /dev/null | sonde convert -i - -o converted.data 2> /dev/null
for file in tree all two group injected converted; do
	python3 "$host/file2.py" strict $file.data > out 2>&1 && ok || fail "$(cat out)"
done
{ cat two.data; echo; } > longer.data
python3 "$host/file2.py" strict longer.data > out 2>&1 && fail "a byte behind all is not seen" || has out '1 bytes behind all'
rm -f group.data two.data bare.data injected.data converted.data longer.data

t only_what_was_hit_is_told
[ "$(python3 "$host/file2.py" tree.data | wc -l)" -lt 400 ] && ok || fail "more than 400 functions"
sonde record -q --no-symbols -g -e $ev -o plain.data workload tree 300
eq "$(python3 "$host/file2.py" plain.data | wc -l)" 0
elsewhere script -i plain.data -F ip,sym,dso > there.txt 2> err
grep -q leaf there.txt && fail "a name, of which none was recorded" || ok
sonde record -q -B -g -e $ev -o plain.data workload tree 300
eq "$(python3 "$host/file2.py" plain.data | wc -l)" 0

t perf_passes_over_it
if command -v perf > /dev/null && perf version > /dev/null 2>&1; then
	perf script -i tree.data -F ip,sym > peer.txt 2> peer.err
	eq "$(wc -l < peer.txt),$(grep -vc '^Warning: .*vmlinux' peer.err)" "$(sonde script -i tree.data -F ip,sym --no-inline 2> /dev/null | wc -l),0"
	perf report -i tree.data --stdio > peer.txt 2> peer.err
	has peer.txt leaf
else
	skip "no perf here"
fi

# What is packed into the file (.gnu_debugdata), C++, and functions that only unwinding tables tell.
cat > code.cc <<'END'
namespace work { struct hasher { __attribute__((noinline)) static unsigned mix(volatile unsigned *x); }; }
unsigned work::hasher::mix(volatile unsigned *x)
{
	for (int i = 0; i < 2000; i++)
		*x = *x * 31 + 7;
	return *x;
}

int main()
{
	volatile unsigned x = 1;

	for (int i = 0; i < 50000; i++)
		work::hasher::mix(&x);
	return x == 12345;
}
END

t stripped_files_are_named_as_here
g++ -O1 -o code code.cc
nm --defined-only -f posix code | awk '$2 ~ /^[TtWwVi]$/ { print $1 }' > keep
objcopy -S --keep-symbols=keep code mini && xz -c mini > mini.xz
objcopy -S --add-section .gnu_debugdata=mini.xz code packed
strip -o bare code
for file in packed bare; do
	sonde record -q -e $ev:u -F 3999 -o $file.data ./$file
	mv $file away
	sonde script -i $file.data -F ip,sym,dso > there.txt 2> err
	mv away $file
	sonde script -i $file.data -F ip,sym,dso --no-inline > here.txt 2> err
	[ $file = packed ] && name=work::hasher::mix || name=fn_0x
	has there.txt "$name.*/$file"
	cmp here.txt there.txt && ok || fail "$file: $(diff here.txt there.txt | head -n 4)"
done
elsewhere script -i packed.data -F ip,sym --no-demangle > there.txt 2> err
has there.txt _ZN4work6hasher3mixEPVj

t a_file_of_now_is_not_taken_for_that_of_then
cp "$(command -v workload)" program
printf 'int main(void) { for (volatile int i = 0; i < 100000000; i++) ; return 0; }\n' | gcc -O1 -Wl,--build-id=none -o other -x c -
sonde record -q -e $ev:u -o then.data sh -c './program shape 200 & sleep 0.1; mv other program; wait'
elsewhere script -i then.data -F ip,sym,dso > there.txt 2> err
grep -q ' (.*/program)' there.txt && ok || fail "no sample of the program"
grep 'main.*/program' there.txt && fail "the other file's names" || ok
# Nor the other way round: without a build id its names tell that it is another file.
gcc -O1 -Wl,--build-id=none -o tells -x c - <<'END'
int told(volatile int *p) { for (int i = 0; i < 1000; i++) *p += i; return *p; }
int main(void) { volatile int x = 0; for (int i = 0; i < 100000; i++) told(&x); return 0; }
END
sonde record -q -e $ev:u -o tells.data ./tells
sonde script -i tells.data -F ip,sym > here.txt 2> err
has here.txt told
printf 'int wrong(volatile int *p) { return *p; }\nint main(int n, char **v) { return v && wrong(&n); }\n' | gcc -O1 -Wl,--build-id=none -o tells -x c -
sonde script -i tells.data -F ip,sym > here.txt 2> err
has here.txt told

t damaged_sections_cost_names_and_nothing_else
want=$(sonde script -i tree.data -F comm,ip 2> err | wc -l)
for seed in 1 2 3 4 5 6; do
	python3 "$host/file2.py" damage tree.data damaged.data $seed
	timeout 60 sonde script -i damaged.data -F comm,ip > there.txt 2> err
	code=$?
	[ $code -le 1 ] && [ "$(wc -l < there.txt)" = "$want" ] && ok || fail "seed $seed: $code, $(wc -l < there.txt) lines: $(tail -n 2 err)"
done
python3 "$host/file2.py" damage all.data damaged.data 30
elsewhere report -i damaged.data > there.txt 2>&1
LC_ALL=C grep -q "$(printf '\033')" there.txt && fail "an escape on its way to the terminal" || ok
