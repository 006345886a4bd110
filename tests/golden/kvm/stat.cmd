# A guest's accesses to ports and devices (x86), with entries and exits between them.
report() { echo "# $*"; $SONDE --sysroot tests/none kvm stat report "$@" 2>&1; }
live() { echo "# live $*"; $SONDE --sysroot tests/none kvm stat live "$@" 2>&1; }
report -i tests/data/views/kvm86.data
report --input tests/data/views/kvm86.data --event mmio --key time --json
report -i tests/data/views/kvm86.data --event ioport -x , -k mean_t --verbose
report -i tests/data/views/kvm86.data --event ioport --quiet -k percent_time --vcpu 0 --field-separator ';'
report -i tests/data/views/kvm86.data --vcpu 1 --stdio --force
report -i tests/data/views/kvm86.data --pid 1 -k min_t
report -i tests/data/views/kvm86.data --event msr
report -i tests/data/views/kvm86.data --event trap
report -i tests/data/views/kvm86.data --event vmexits
report -i tests/data/views/kvm86.data -k size
report -i tests/data/views/kvm86.data --vcpu x
report -i tests/data/views/kvm86.data make
report -i tests/data/prof/guest.data
report -i tests/data/prof/guest.data --vcpu 0
report -i tests/data/views/lock.data
live --display 0
live --duration 10 -j
live --event ioport
live --key time --event mmio --pid 1 --vcpu 0 --field-separator , --proc-map-timeout 500
echo '# kvm'
$SONDE --sysroot tests/none kvm stat record true 2>&1
$SONDE kvm stat stta 2>&1
$SONDE kvm report 2>&1
$SONDE kvm --input tests/data/views/kvm86.data -v --host --guest stat rep -q --event mmio 2>&1
$SONDE prof kvm-exit -i tests/data/views/kvm86.data 2>&1
