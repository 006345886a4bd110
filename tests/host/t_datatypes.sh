#!/bin/sh
# as: user
# time: 100
# Types of the data that loads and stores touch: a program of which they are known, beside perf, and all functions of a real one.
. "$T_HERE/lib.sh"

need sonde typescan gcc
source=$T_HERE/../data/datatypes/host/touch.c

# Unoptimised code has its variables on the stack; frames of both kinds, and lists of either version.
for how in "-O2 -gdwarf-5" "-O1 -gdwarf-4 -fno-omit-frame-pointer" "-O0 -gdwarf-5"; do
	name=$(echo "$how" | tr -d ' -')
	gcc $how -fcf-protection=none -nostdlib -static -fno-pie -no-pie -o "p$name" "$source" 2> err || exit 1
	sonde record -q -F 2000 -e cpu-clock:u -o "$name.data" "./p$name" 2> err

	t "every_function_touches_its_types_$name"
	sonde report -i "$name.data" -q -s sym,type --no-children 2> err | sed 's/^ *[0-9.]*% *\[.\] //; s/  */ /g; s/ *$//' | sort > got
	# function: what else than its own it must not touch
	awk '{ f = $1; $1 = ""; sub(/^ /, ""); print f ": " $0 }' got > rows
	bad=$(grep -v "(stack operation)\|(unknown)" rows | grep -v "^walk: struct item\|^follow: struct item\|^count: struct counters\|^limited: struct settings\|^add: int\|^own: struct pair\|^sum_of: struct pair\|^work: \|: int$\|: long$\|: long unsigned int$\|: unsigned int$\|: struct [a-z]* \*$\|: const\|: int \*$\|: struct pair \*$")
	for want in "walk: struct item" "follow: struct item" "count: struct counters" "limited: struct settings" "add: int" "own: struct pair"; do
		grep -qx "$want" rows || bad="$bad missing: $want"
	done
	[ -z "$bad" ] && ok || fail "$bad$(cat err rows)"

	t "members_are_those_of_the_source_$name"
	sonde report -i "$name.data" -q -s sym,typeoff --no-children 2> err > out
	bad=$(awk '$3 == "walk" && $5 == "item" && $6 != "+0" && $6 != "+0x8"' out)
	grep -q "walk *struct item +0 (key)" out && grep -q "walk *struct item +0x8 (next)" out &&
		grep -q "count *struct counters +0 (total)" out && grep -q "count *struct counters +0x8 (of\[\].hits)" out &&
		grep -q "limited *struct settings +0x28 (limit)" out && grep -q "follow *struct item +0x18 (number)" out &&
		grep -q "follow *struct item +0x14 (pair.b)" out && [ -z "$bad" ] && ok || fail "$bad$(cat out)"
done

t sums_are_those_of_all_samples
sonde annotate --data-type --type-stat -n -i O2gdwarf5.data > out 2> err
all=$(sonde report -i O2gdwarf5.data -q -n -s dso --no-children -F sample 2> /dev/null | awk '{ n += $1 } END { print n }')
total=$(awk '/^total/ { print $2 + 0 }' out)
ok_samples=$(awk '/^total/ { print $4 + 0 }' out)
sum=$(sed -n "s/^Annotate type: .*(\([0-9]*\) samples):/\1/p" out | awk '{ n += $1 } END { print n }')
[ "$all" = "$total" ] && [ "$sum" -le "$ok_samples" ] && [ $((sum * 10)) -gt $((ok_samples * 8)) ] && ok || fail "$all $total $ok_samples $sum $(cat out)"

t a_type_is_written_out_with_its_members
sonde annotate --data-type=item --skip-empty -n -i O2gdwarf5.data > out 2> err
[ "$(grep -c "^Annotate type" out)" = 1 ] && awk -v total="$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' out)" '
	$2 == 0 && /struct item/ && !whole { whole = $1 } /\tkey;/ { key = $1 } /\tnext;/ { next_ = $1 } /\tpair / { pair = $1 } /\tb;/ { b = $1 } /\tother;/ { other = $1 }
	END { exit !(whole == total && key + next_ + pair + other == whole && pair == b && key && next_ && other) }' out && ok || fail "$(cat out err)"

t perf_tells_the_same
if perf annotate --help 2>&1 | grep -q data-type || perf annotate -h 2>&1 | grep -q data-type; then
	perf record -q -F 2000 -e cpu-clock:u -o perf.data ./pO2gdwarf5 2> err
	perf report -i perf.data -q -s type,typeoff --stdio 2> err | sed -n 's/^ *\([0-9.]*\)%  *\(.*[^ ]\) *$/\2/p' | sed 's/  */ /g' | grep "^struct" | sort -u > want
	sonde report -i perf.data -q -s type,typeoff --no-children 2> err | sed -n 's/^ *\([0-9.]*\)%  *\(.*[^ ]\) *$/\2/p' | sed 's/  */ /g' | sort -u > got
	# What perf knows, we do; of what it does not know there is more.
	comm -23 want got > missing
	[ -s want ] && [ ! -s missing ] && ok || fail "missing: $(cat missing) want: $(cat want) got: $(cat got)"
else
	skip "this perf has no data types"
fi

t what_is_not_known_is_told
gcc -O2 -nostdlib -static -s -fno-pie -no-pie -o plain "$source" 2> err
sonde record -q -F 500 -e cpu-clock:u -o plain.data ./plain 2> err
sonde annotate --data-type -i plain.data > out 2> err
[ $? = 1 ] && grep -q "of no sample is known which data it touches" err && grep -q -- "-g" err && ok || fail "$(cat out err)"

t the_code_alone_tells_what_variables_do
# All functions of sonde's own tool with debug information, followed from their parameters alone.
typescan "$(command -v typescan)" > out 2> err
tail -n 1 out
awk '/^OPERANDS/ { exit !($2 > 20000 && $4 > $2 / 2 && $14 * 50 < $12) }' out && ok || fail "$(tail -n 40 out)"
