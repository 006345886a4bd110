#!/bin/sh
# as: root
# time: 100
# Types of the data that loads and stores touch: a program of which they are known, and all functions of a real one.
. "$T_HERE/lib.sh"

need sonde typescan gcc
source=$T_HERE/../data/datatypes/host/touch.c

# What the source says of each function; of its own variables unoptimised code has some in memory, too.
cat > want << 'END'
add int +0
count struct counters +0 total
count struct counters +8 of[].hits
follow struct item +20 pair.b
follow struct item +24 number
limited struct settings +40 limit
own struct pair +0 a
own struct pair +4 b
walk struct item +0 key
walk struct item +8 next
END

# Unoptimised code has its variables on the stack; frames of both kinds, and lists of either version.
for how in "-O2 -gdwarf-5" "-O1 -gdwarf-4 -fno-omit-frame-pointer" "-O0 -gdwarf-5" "-Os -gdwarf-5 -fPIC"; do
	name=$(echo "$how" | tr -d ' -')
	gcc $how -fcf-protection=none -nostdlib -static -fno-pie -no-pie -o "p$name" "$source" 2> err || exit 1

	t "every_operand_is_what_the_source_says_$name"
	typescan "./p$name" all > all
	sed -n 's/^\(add\|count\|follow\|limited\|own\|walk\) [0-9a-f]*: \(.*[^ ]\) *$/\1 \2/p' all | sort -u > got
	# Plain variables of unoptimised code; a constant that the compiler put somewhere has no type.
	grep -v "^[a-z]* \(int\|unsigned int\|long int\|struct [a-z]* \*\|int \*\) +0$\|(stack)$\|^own (unknown)$" got > more
	grep -qx "add int +0" got && echo "add int +0" >> more
	sort -u more | diff - want > out && ok || fail "$(cat out all)"

	t "every_operand_is_known_$name"
	grep "(unknown)" all | grep -v "^own " > out
	[ ! -s out ] && grep -q "^OPERANDS" all && ok || fail "$(cat out)"
done

t variables_of_other_files_are_found_through_the_linkers_tables
printf 'struct shared { long a, b; };\nextern struct shared shared;\nlong get(void) { return shared.b; }\n' > a.c
printf 'struct shared { long a, b; } shared = { 1, 2 };\nlong get(void);\nint main(void) { return (int)get(); }\n' > b.c
for how in "-fPIE -pie" "-fno-pie -no-pie" "-fPIC -shared"; do
	gcc -O2 -g $how -o shared a.c b.c 2> err && typescan ./shared all > out
	grep -q "^get [0-9a-f]*: struct shared +8 b" out || fail "$how: $(cat err out)"
done
ok

sonde record -q -F 5000 -e cpu-clock:u -o item.data ./pO2gdwarf5 2> err

# What each CPU of a kernel on x86 has for itself, as its code has it: an address behind %gs.
if [ "$(uname -m)" = x86_64 ]; then
	t what_each_cpu_has_for_itself
	printf 'struct cpu { long a, b; };\n__seg_gs struct cpu own;\nlong get(void) { return own.b; }\nlong guard(void) { return *(__seg_gs long *)0x28; }\nint main(void) { return (int)(get() + guard()); }\n' > gs.c
	for how in "-fPIE -pie" "-fno-pie -no-pie"; do
		gcc -O2 -g $how -o gs gs.c 2> err && typescan ./gs all > out
		grep -q "^get [0-9a-f]*: struct cpu +8 b" out && grep -q "^guard [0-9a-f]*: (canary)" out || fail "$how: $(cat err out)"
	done
	ok
fi

t samples_have_the_types_of_their_instructions
sonde report -i item.data -q -s sym,typeoff --no-children 2> err | sed -n 's/^ *[0-9.]*% *\[.\] *//p' | sed 's/  */ /g; s/ *$//' > out
# What is written behind a function is one of its types; which of two members samples meet is chance.
bad=$(grep -v "(unknown)" out | sed 's/ +0x8 / +8 /; s/ +0x14 / +20 /; s/ +0x18 / +24 /; s/ +0x28 / +40 /; s/ (no field)$//; s/ (\(.*\))$/ \1/' | grep -vxFf want | grep -v "^work \|^_start \|stack operation")
grep -q "^walk struct item +" out && grep -q "^count struct counters +" out && [ -z "$bad" ] && ok || fail "$bad; $(cat out err)"

t sums_are_those_of_all_samples
sonde annotate --data-type --type-stat -n -i item.data > out 2> err
all=$(sonde report -i item.data -q -n -s dso --no-children -F sample 2> /dev/null | awk '{ n += $1 } END { print n }')
total=$(awk '/^total/ { print $2 + 0 }' out)
known=$(awk '/^total/ { print $4 + 0 }' out)
sum=$(sed -n "s/^Annotate type: .*(\([0-9]*\) samples):/\1/p" out | awk '{ n += $1 } END { print n }')
[ "$all" = "$total" ] && [ "$sum" -le "$known" ] && [ $((sum * 10)) -gt $((known * 8)) ] && ok || fail "$all $total $known $sum $(cat out)"

t a_type_is_written_out_with_its_members
sonde annotate --data-type=item --skip-empty -n -i item.data > out 2> err
sonde annotate --data-type="struct item" -n -i item.data > again 2> err
[ "$(grep -c "^Annotate type" out)" = 1 ] && cmp -s out again && awk -v total="$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' out)" '
	$2 == 0 && /struct item/ && !whole { whole = $1 } /\tkey;/ { key = $1 } /\tnext;/ { following = $1 } /\tpair / { pair = $1 } /\tb;/ { b = $1 } /\tother;/ { other = $1 }
	END { exit !(whole == total && key + following + pair + other == whole && pair == b && following) }' out && ok || fail "$(cat out err)"

t lines_of_a_cache_and_offsets_in_functions
sonde report -i item.data -q -s typecln --no-children 2> err | grep -q "struct item: cache-line 0" && sonde report -i item.data -q -s symoff 2> err |
	grep -q "\[\.\] walk+0x[0-9a-f]" && ok || fail "$(cat err)"

t json_has_them
sonde report -i item.data -j -s type,typeoff 2> err | python3 -c '
import json, sys
rows = json.load(sys.stdin)[0]["rows"]
sys.exit(not any(r.get("type") == "struct item" and r.get("typeoff") == "struct item +0x8 (next)" for r in rows))' && ok || fail "$(sonde report -i item.data -j -s type,typeoff | head -c 600)"

t what_is_not_known_is_told
gcc -O2 -nostdlib -static -s -fno-pie -no-pie -o plain "$source" 2> err
sonde record -q -F 500 -e cpu-clock:u -o plain.data ./plain 2> err
sonde annotate --data-type -i plain.data > out 2> err
[ $? = 1 ] && grep -q "of no sample is known which data it touches" err && grep -q -- "-g" err && ok || fail "$(cat out err)"

# A kernel's file without debug information; where its text begins, and how it is compiled.
t a_kernels_file_has_types_in_its_btf
case $(uname -m) in
x86_64) text=ffffffff81000000 model=-mcmodel=kernel ;;
*) text=ffff800080000000 model=-mcmodel=small ;;
esac
cat > kernel.c << 'END'
struct thing { long key; struct thing *next; int count; };
long walk(struct thing *t, long key);
long walk(struct thing *t, long key)
{
	long n = 0;

	for (; t; t = t->next)
		if (t->key == key)
			n += t->count;
	return n;
}
void _start(void);
void _start(void)
{
}
END
if gcc -O1 -gbtf -ffreestanding -nostdlib -static $model -fno-pie -no-pie "-Wl,-Ttext=0x$text" -o vmlinux kernel.c 2> err; then
	set -- $(objdump -d vmlinux | sed -n '/<walk>:/,/^$/s/^ *\([0-9a-f]*\):\t.*/\1/p')
	python3 "$T_HERE/../host/kernel_data.py" "$text" 1000 "$@" > kernel.data
	sonde report -i kernel.data -k vmlinux -q -s sym,typeoff --no-children 2> err | sed -n 's/^ *[0-9.]*% *\[k\] *//p' | sed 's/  */ /g; s/ *$//' | grep -v unknown | sort -u > out
	printf '%s\n' 'walk struct thing +0 (key)' 'walk struct thing +0x10 (count)' 'walk struct thing +0x8 (next)' | cmp -s - out && ok || fail "$(cat out err)"
	# Damaged, it tells none; nothing else is told instead.
	objcopy --dump-section .BTF=btf vmlinux
	head -c 40 btf > cut
	objcopy --update-section .BTF=cut vmlinux damaged
	sonde report -i kernel.data -k damaged -q -s sym,typeoff --no-children > out 2> err
	grep -q 'struct thing' out && fail "$(cat out)" || ok
else
	skip "the compiler writes no BTF: $(head -n 1 err)"
fi

t a_type_that_nothing_touches_is_told
sonde annotate --data-type=nothing -i item.data > out 2> err
[ $? = 1 ] && grep -q "no sample touches a type 'nothing'" err && ok || fail "$(cat out err)"

t options_that_make_no_sense_are_refused
sonde annotate --type-stat -i item.data > out 2> err
[ $? = 2 ] && grep -q "data-type" err && ok || fail "$(cat out err)"

t the_code_alone_tells_what_variables_do
# All functions of a program with debug information, followed from their parameters alone. What differs is variables that share
# a place in the frame.
typescan "$(command -v typescan)" > out 2> err
tail -n 1 out
awk '/^OPERANDS/ { exit !($2 > 5000 && ($4 + $6) * 10 > $2 * 9 && $13 > 2000 && $15 * 50 < $13) }' out && ok || fail "$(tail -n 40 out)"
