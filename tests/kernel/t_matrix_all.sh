#!/bin/sh
# as: root
# time: 1500
# kernels: none
# also: 6.12
# machine: pauth
# All programs of known call chains (see t_matrix), and what perf makes of some of them, of recordings of its own, read by both: it takes
# a minute for each.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_chains.sh"

need sonde perf

for program in $(cd "$CHAINS" && ls *.truth | sed 's/\.truth$//'); do
	case $program in
	gobare) chains_ours gobare dwarf ;;
	*bare) CHAINS_LEAST=0 && chains_ours "$program" dwarf && CHAINS_LEAST=990 ;;	# nothing but their code tells: for the table
	*baref) chains_ours "$program" fp ;;
	*f) chains_ours "$program" dwarf && chains_ours "$program" fp ;;
	*) chains_ours "$program" dwarf ;;
	esac
done
for program in g2 c2 g2strip x2; do
	chains_theirs "$program" dwarf
done
for program in g2f c2f g2signf; do
	chains_theirs "$program" fp
done
chains_table
t table
[ -s chains.table ] && ok || fail "nothing was measured"
