#!/bin/sh
# as: root
# time: 900
# machine: small
# kernels: 6.12
# A machine with 90 MB of memory, and a recording of 200 MB whose call tree it cannot hold: it is reported and drawn all the same.
. "$T_HERE/lib.sh"

deep=/cache/deep.data
t a_machine_with_little_memory
memory=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)
if [ ! -e $deep ] || [ "$memory" -gt 100 ]; then
	skip "a machine with $memory MB, or no $deep (tests/vm/test has both)"
	exit 0
fi
[ "$(stat -c %s $deep)" -gt 200000000 ] && ok || fail "a small recording"

# told FILE: that branches were folded, and what they had to do with.
told() {
	has "$1" '^sonde: [0-9]{1,3}(,[0-9]{3})+ light branches of call trees were folded into their callers .* with [0-9.]+ MB of memory'
}

# Seven of eight samples are in one place, whatever was folded.
t report
sonde report -i $deep --no-children > out 2> err
eq $? 0
has out '^# Samples: 380K of event .cpu-clock.'
has out '^ +87\.50% .* 0x7000000$'
told err

t flame
sonde flame -i $deep -o /dev/shm/deep.svg 2> err
eq $? 0
has err 'deep.svg: 380,000 samples of cpu-clock$'
has /dev/shm/deep.svg '0x7000000'
has /dev/shm/deep.svg '</svg>'
told err
