#!/bin/sh
# as: root
# time: 300
# Lines of the source, and what is inlined: beside llvm-addr2line over programs as compilers make them, and in reports of a known program.
. "$T_HERE/lib.sh"

need sonde python3 llvm-addr2line g++

lines=$T_HERE/../host/lines.py
cat > code.cpp <<'END'
#include <cstdio>
#include <cstdlib>

namespace work {
struct mixer {
	unsigned long h = 1;
	__attribute__((always_inline)) void mix(unsigned long v)
	{
		for (int i = 0; i < 64; i++)
			h = (h ^ v) * 0x9e3779b97f4a7c15ul + i;
	}
	__attribute__((always_inline)) void twice(unsigned long v)
	{
		mix(v);
		mix(~v);
	}
};
}

extern "C" __attribute__((noinline)) unsigned long outer_function(unsigned long n)
{
	work::mixer m;

	for (unsigned long i = 0; i < n; i++)
		m.twice(i);
	return m.h;
}

int main(int argc, char **argv)
{
	unsigned long sum = argc;

	for (int i = 0; i < 20; i++)
		sum += outer_function(strtoul(argv[1], nullptr, 10)) ^ sum << 3;
	printf("%lx\n", sum);
}
END

t as_llvm_tells_them
for how in -gdwarf-5 "-gdwarf-4 -ffunction-sections" "-gdwarf-5 -gz=zlib -O3" "-gdwarf-3 -O1"; do
	g++ -O2 $how -o "code$(echo "$how" | tr -d ' =')" code.cpp
done
python3 "$lines" "$(command -v sonde)" 3 code-* > lines.txt && ok || fail "$(cat lines.txt)"
full=$(dirname "$(readlink -f "${SONDE:-$(command -v sonde)}")")/sonde.full
for file in "$full" "${full%/*/*}/aarch64/sonde.full" "${full%/*/*}/aarch64/guest/probe/gofull"; do
	[ -s "$file" ] || continue
	python3 "$lines" "$(command -v sonde)" 463 "$file" > lines.txt && ok || fail "$(cat lines.txt)"
	cat lines.txt
done

t reports_show_what_is_inlined
g++ -O2 -g -fno-omit-frame-pointer -o known code.cpp
sonde record -q -e cpu-clock:u -F 2000 -g -o known.data ./known 30000 > /dev/null
sonde report -i known.data --no-children -q > report.txt
grep -q 'outer_function$' report.txt && ok || fail "no row of outer_function: $(cat report.txt)"
grep -q 'work::mixer::mix (inlined)$' report.txt && grep -q 'work::mixer::twice (inlined)$' report.txt && ok ||
	fail "nothing inlined in: $(cat report.txt)"
# What is inlined has no samples of its own: the rows are the same with it and without.
sonde report -i known.data --no-children -q -g none > with.txt
sonde report -i known.data --no-children -q -g none --no-inline > without.txt
cmp with.txt without.txt && ok || fail "rows differ"
sonde report -i known.data -q -s sym -F overhead_children,self,sym -g none > children.txt
awk '$4 == "work::mixer::mix" { sub("%", "", $1); found = $1 + 0 > 50 && $2 == "0.00%" } END { exit !found }' children.txt && ok ||
	fail "$(cat children.txt)"
sonde report -i known.data --no-inline > plain.txt 2>&1
grep -q inlined plain.txt && fail "--no-inline has some" || ok
# The same through each way to show chains.
eq "$(sonde flame -i known.data --folded 2> /dev/null | grep -c 'outer_function;work::mixer::twice (inlined);work::mixer::mix (inlined)')" 1
sonde flame --no-inline -i known.data --folded > flame.txt 2> /dev/null
eq "$(grep -c inlined flame.txt)" 0
sonde script -i known.data -F ip,sym > script.txt
grep -A 1 'work::mixer::mix (inlined)' script.txt | grep -q 'work::mixer::twice (inlined)' && ok || fail "$(head -n 20 script.txt)"
eq "$(sonde script -i known.data -F ip,sym --no-inline | grep -c inlined)" 0

t reports_tell_lines
sonde report -i known.data --no-children -q -g none -s srcline > lines.txt
at=$(grep -n 'h = (h ^ v)' code.cpp | cut -d : -f 1)
awk -v want="code.cpp:$at" '$2 == want || $2 == "code.cpp:" want - 1 { n++ } END { exit !n }' lines.txt && ok || fail "$(cat lines.txt)"
eq "$(awk '$2 == "code.cpp" { print $1 > "/dev/null"; n++ } END { print n }' << END
$(sonde report -i known.data --no-children -q -g none -s srcfile)
END
)" 1
sonde report -i known.data --no-children -q -g none -s srcfile,sym -j > json.txt
python3 -c 'import json; r = json.load(open("json.txt")); assert any(row["srcfile"] == "code.cpp" for row in r[0]["rows"]), r' && ok || fail "$(cat json.txt)"
sonde script -i known.data -F ip,sym,srcline > script.txt
sonde script -i known.data -F ip,sym,srcline --full-source-path > paths.txt
grep -A 1 'work::mixer::mix$' paths.txt | grep -q "^  .*/code.cpp:[0-9]* (inlined)$" && ok || fail "$(head -n 20 paths.txt)"
grep -A 1 'work::mixer::mix$' script.txt | grep -q "^  code.cpp:[0-9]* (inlined)$" && ok || fail "$(head -n 20 script.txt)"
