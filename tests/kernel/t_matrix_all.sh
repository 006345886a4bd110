#!/bin/sh
# as: root
# time: 1500
# kernels: none
# also: 6.12
# machine: pauth
# All programs of known call chains (see t_matrix), and what perf makes of them: of recordings of its own, read by both.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_chains.sh"

need sonde perf

CHAINS_ALL=${CHAINS_ALL:-$(ls "$CHAINS" | grep -v '\.\|missing')}
for program in $CHAINS_ALL; do
	chains_ours "$program" dwarf
	chains_theirs "$program" dwarf
	case $program in
	*f) chains_ours "$program" fp && chains_theirs "$program" fp ;;
	esac
done
chains_table
t table
[ -s chains.table ] && ok || fail "nothing was measured"
