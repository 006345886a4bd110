# The tables of one core, of all; what events mean, or only their names.
list() { $SONDE --sysroot tests/data/root/pi4 list "$@" 2> /dev/null; }
list --core cortex-a73 l1d_tlb_refill | grep '^Core'
list --all-cores l1d_tlb_refill | grep '^Core events of' | sed -n '1p;20p;$='
for o in --desc --no-desc --no-desc\ -d; do
	list $o cache-misses
	list $o -j cache-misses
done
