#!/bin/sh
# as: user
# time: 200
# Instructions as text beside objdump's: whole libraries, the start of a kernel, words and bytes made up.
. "$T_HERE/lib.sh"

need codetext python3 aarch64-linux-gnu-objdump

cached=${CACHE:-build/cache}
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac

t every_text_is_objdumps
set --
for file in root-bullseye/usr/lib/openvswitch-common/ovs-vswitchd root-bullseye/usr/lib/aarch64-linux-gnu/libcrypto.so.1.1 \
	root-bookworm/usr/lib/aarch64-linux-gnu/libc.so.6 kernel-6.12/Image kernel-5.10/Image kernel-6.1/Image; do
	[ ! -r "$cached/$file" ] || set -- "$@" "$cached/$file"
done
[ $# -gt 0 ] || echo "no code for arm64 in the cache: words made up alone"
python3 "$T_HERE/../host/disasm.py" "$(command -v codetext)" aarch64-linux-gnu-objdump "$@" random:1:250000 > texts.txt && ok || fail "$(cat texts.txt)"
cat texts.txt

t x86_texts_and_lengths_are_objdumps
x86_objdump=$(command -v x86_64-linux-gnu-objdump || command -v objdump)
if "$x86_objdump" --help 2> /dev/null | grep -q 'supported targets:.*elf64-x86-64'; then
	set --
	for file in /lib/x86_64-linux-gnu/libc.so.6 /lib/x86_64-linux-gnu/libm.so.6; do
		[ ! -r "$file" ] || set -- "$@" "$(readlink -f "$file")"
	done
	python3 "$T_HERE/../host/disasm.py" "$(command -v codetext)" "$x86_objdump" "$@" random:1:400000 > texts.txt && ok || fail "$(cat texts.txt)"
	cat texts.txt
else
	skip "no objdump for x86-64"
fi

# The same program's lines, with their shares, names of targets and all.
t annotate_of_x86_is_perfs
if [ "$(uname -m)" != x86_64 ] || ! command -v perf objdump workload > /dev/null; then
	skip "neither perf nor objdump for x86-64"
elif ! perf record -q -e cpu-clock:u -F 3999 -o x86.data workload shape 300 > out 2>&1; then
	skip "perf cannot record: $(head -n 1 out)"
else
	lines() {
		grep -E '^ *[0-9.]+ +: +[0-9a-f]+:' | sed 's/ *$//' | tr -s ' '
	}
	# Whoever has recorded it: perf looks at what the recording says of the processor.
	sonde record -q -e cpu-clock:u -F 3999 -o own.data workload shape 300 2> err || fail "$(cat err)"
	for f in hot_a hot_b hot_c; do
		for data in x86.data own.data; do
			perf annotate -i $data --stdio -s $f < /dev/null 2> err | lines > theirs
			sonde annotate -i $data -s $f 2> err | lines > ours
			[ -s theirs ] && cmp theirs ours && ok || fail "$data, $f: $(diff theirs ours | head -n 5)"
		done
	done
fi

# Several programs, mapped at different places, each of which begins as a copy of the shell: what an address is changes.
t annotate_counts_what_script_lists
if sonde record -q -e cpu-clock:u -F 9999 -o many.data sh -c 'for i in 1 2 3 4; do workload shape 60 & find /usr/share -name x > /dev/null; done; wait' 2> err; then
	python3 "$T_HERE/../host/annotated.py" many.data > counted.txt 2>&1 && ok || fail "$(cat counted.txt)"
	cat counted.txt
else
	skip "sonde cannot record: $(head -n 1 err)"
fi
