#!/bin/sh
# as: root
# time: 120
# One name for one address, whoever is asked: probe -F, script and report over all functions of programs and libraries as they are found on
# machines, with symbols and without, with debug files, of C, C++, Go and Rust, for both architectures.
. "$T_HERE/lib.sh"

need sonde python3

# some FILE...: those of them that are there, at most two
some() {
	for file; do
		[ ! -r "$file" ] || echo "$file"
	done | head -n 2
}

t every_function_has_one_name
cached=${CACHE:-build/cache}/root-trixie/usr
case $cached in /*) ;; *) cached=$T_HERE/../../$cached ;; esac
set -- $(
	for name in sonde workload bash perl python3 git openssl gofmt rustc; do
		command -v $name
	done
	some /usr/lib/go*/bin/gofmt
	some /root/.cargo/bin/rustc
	some /lib/*-linux-gnu/libc.so.6
	some /usr/lib/*-linux-gnu/libstdc++.so.6
	some /usr/lib/*-linux-gnu/libpython3*.so.1.0
	some /usr/lib/*-linux-gnu/libcrypto.so.3
	some $cached/bin/bash $cached/bin/perl
	some $cached/bin/perf $cached/bin/trace-cmd
	for name in libc.so.6 libm.so.6 libstdc++.so.6 libcrypto.so.3; do
		some $cached/lib/aarch64-linux-gnu/$name
	done
)
elfs=
for file; do
	[ "$(head -c 4 "$file" | tail -c 3)" != ELF ] || elfs="$elfs $file"
done
if python3 "$T_HERE/../host/names.py" "$(command -v sonde)" $elfs > names.txt; then
	ok
else
	cat names.txt
	fail "some functions have two names"
fi
cat names.txt
n=$(grep -c "functions of" names.txt)
[ -d "$cached/bin" ] && least=10 || least=3
[ "$n" -ge $least ] && ok || fail "only $n programs"

t a_function_without_a_symbol_is_called_after_its_start
if python3 "$T_HERE/../host/names.py" "$(command -v sonde)" --stripped "$(command -v bash)" "$(command -v xargs)" "$(command -v git)" \
	> stripped.txt; then
	ok
else
	tail -n 20 stripped.txt
	fail "some functions have other names"
fi
cat stripped.txt

t every_function_of_the_kernel_has_one_name
if [ "$(awk '$1 !~ /^0*$/ { n++ } END { print n + 0 }' /proc/kallsyms)" -lt 1000 ]; then
	skip "this kernel does not show its symbols"
elif python3 "$T_HERE/../host/names.py" "$(command -v sonde)" --kernel "$T_HERE/../data/dat/events.dat" > kernel.txt; then
	ok
else
	cat kernel.txt
	fail "some functions of the kernel have two names"
fi
