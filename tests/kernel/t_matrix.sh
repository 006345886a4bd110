#!/bin/sh
# as: root
# time: 400
# kernels: 6.12
# also: 5.10
# machine: pauth
# Programs of known call chains, compiled in many ways: each sample has the chain that is true. Here are those ways that are the most
# common, and what differs most; t_matrix_all has all others, and perf's scores.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_chains.sh"

need sonde

# Those that need no library: Debian 11's are older than what the others were linked with.
for program in g2static g2musl go gobare; do
	chains_ours $program dwarf
done
[ "${SONDE_VM:-}" != 5.10 ] || { chains_table; exit; }

for program in g0 g2 c2 g2lines g2sign c2signf g2hard g2debug g2strip g2mini x2; do
	chains_ours $program dwarf
done
for program in g0f g2f c2f g2signf; do
	chains_ours $program fp
done
chains_table

# Neither rules nor frame records: what only the functions' code tells is marked, where single frames are shown.
t frames_that_were_scanned_are_marked
sonde record -q -e cpu-clock:u -F 997 --call-graph dwarf,keep -o keep.data "$CHAINS/g2bare" 240 > out 2>&1 || cat out
sonde script -i keep.data -F comm,ip,sym > text 2> err
has text 'm_[a-z_]+ \(scanned\)$'
sonde script -i keep.data -j > json 2> err
has json '"scanned":true'
