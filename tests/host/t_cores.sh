#!/bin/sh
# as: root
# time: 240
# Core files of others, of which the chains are known: those that elfutils tests itself with, of programs for both architectures, with
# unwinding rules and with frame pointers alone. Their threads' chains are followed as those of samples are.
. "$T_HERE/lib.sh"

need corechain

# Fetched by tests/vm/source where apt's archive has it; the sources of elfutils hold the files, and say what the chains are.
cache=${CACHE:-build/cache}
case $cache in /*) ;; *) cache=$T_HERE/../../$cache ;; esac
sources=$cache/elfutils.orig.tar.bz2
if [ ! -s "$sources" ]; then
	suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	bash "$T_HERE/../vm/source" elfutils 'elfutils_.*[.]orig[.]tar[.]bz2' "$sources" "$suite" > fetch.log 2>&1 ||
		{ t cores; skip "no sources of elfutils: $(tail -n 1 fetch.log)"; exit 0; }
fi
tar -x -j -f "$sources" --wildcards --strip-components 2 '*/tests/backtrace.*' && bunzip2 backtrace.*.bz2 ||
	{ t cores; skip "the sources of elfutils cannot be unpacked"; exit 0; }

# chain N FILE: the functions of the N-th thread of a text of corechain or eu-stack, in one line.
chain() {
	awk -v n="$1" '/^TID/ { i++; next } i == n { sub(/^#[0-9]+ +/, ""); printf "%s%s", sep, $2; sep = " " }' "$2"
}

# The thread that made the core, and the one that waits for it; what elfutils' own program (backtrace-child.c) tells of them.
for machine in aarch64 aarch64.fp x86_64 x86_64.fp; do
	t "$(echo $machine | tr . _)"
	corechain "backtrace.$machine.core" "backtrace.$machine.exec" > ours 2> err
	cat ours err
	eq "$(chain 1 ours)" "raise sigusr2 stdarg backtracegen start start_thread __clone"
	eq "$(chain 2 ours)" "pthread_join main __libc_start_main _start"
done

# Its own unwinder has some frames of arm64 twice, and none behind others.
t as_eu_stack_has_them
if command -v eu-stack > /dev/null; then
	eu-stack --core backtrace.x86_64.core -e backtrace.x86_64.exec > theirs 2> err
	corechain backtrace.x86_64.core backtrace.x86_64.exec > ours
	eq "$(chain 1 ours)" "$(chain 1 theirs)"
	eq "$(chain 2 ours)" "$(chain 2 theirs)"
	eu-stack --core backtrace.aarch64.core -e backtrace.aarch64.exec > theirs 2> err
	corechain backtrace.aarch64.core backtrace.aarch64.exec > ours
	eq "$(chain 1 ours)" "$(chain 1 theirs)"
else
	skip "there is no eu-stack"
fi
