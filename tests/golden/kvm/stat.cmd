# A guest's accesses to ports and devices (x86), with entries and exits between them.
of() { echo "# $*"; $SONDE --sysroot tests/none kvm stat "$@" 2>&1; }
of report -i tests/data/views/kvm86.data
of report --input tests/data/views/kvm86.data --event mmio --key time --json
of report -i tests/data/views/kvm86.data --event ioport -x , -k mean_t --verbose
of report -i tests/data/views/kvm86.data --event ioport --field-separator ';' -k percent_time --vcpu 0 --quiet
of report -i tests/data/views/kvm86.data --vcpu 1 --stdio --force
of report -i tests/data/views/kvm86.data --pid 1 -k min_t
of report -i tests/data/views/kvm86.data --event msr
of report -i tests/data/views/kvm86.data --event trap
of report -i tests/data/views/kvm86.data --event vmexits
of report -i tests/data/views/kvm86.data -k size
of report -i tests/data/views/kvm86.data --vcpu x
of report -i tests/data/views/kvm86.data make
of report -i tests/data/prof/guest.data
of report -i tests/data/prof/guest.data --vcpu 0
of report -i tests/data/views/lock.data
of record true
of live --display 0
of live --duration 10 -j
of live --event ioport
of stta
echo '# kvm'
$SONDE kvm report 2>&1
$SONDE kvm --input tests/data/views/kvm86.data -v --host --guest stat rep -q --event mmio 2>&1
$SONDE prof kvm-exit -i tests/data/views/kvm86.data 2>&1
