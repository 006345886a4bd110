#!/bin/sh
# as: user
# time: 120
# Call frame information of programs and libraries as they are found on machines, row by row as readelf has it, for both architectures.
. "$T_HERE/lib.sh"

need cfitext readelf python3

t every_row_is_readelfs
cached=${CACHE:-build/cache}/root-trixie/usr
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac
set --
for file in /bin/bash /lib/*-linux-gnu/libc.so.6 /lib/*-linux-gnu/ld-linux*.so.* "$cached"/bin/bash "$cached"/bin/trace-cmd \
	"$cached"/lib/aarch64-linux-gnu/libc.so.6 "$cached"/lib/aarch64-linux-gnu/libstdc++.so.6; do
	[ ! -r "$file" ] || set -- "$@" "$file"
done
if python3 "$T_HERE/../host/cfi.py" "$(command -v cfitext)" "$@" > cfi.txt; then
	ok
else
	fail "$(cat cfi.txt)"
fi

t code_alone_tells_frames_as_the_rules_do
n=0
for file in bin/bash bin/trace-cmd bin/perl lib/aarch64-linux-gnu/libc.so.6 lib/aarch64-linux-gnu/libstdc++.so.6; do
	[ -r "$cached/$file" ] || continue
	n=$((n + 1))
	scantext "$cached/$file" > scan.txt
	echo "$file: $(tail -n 1 scan.txt)"
	# Where functions begin is known: never wrong, an answer at nine of ten places; else at a third of them.
	tail -n 1 scan.txt | awk '{ exit !($1 == "SAME" && $2 > 9 * $6 && $4 == 0 && $8 > 1000 && $10 == 0 && $8 * 2 > $12) }' && ok ||
		fail "$file: $(cat scan.txt)"
done
[ $n -gt 0 ] || skip "no programs for arm64 here"
