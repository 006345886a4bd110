#!/bin/sh
# as: root
# time: 60
# sonde ftrace setup-guest in a tree of our own: which pipes it makes, whose they are, and what libvirt is told.
. "$T_HERE/lib.sh"

need sonde

virt=root/var/lib/trace-cmd/virt
mkdir -p root/etc bin
printf 'root:x:0:\nlibvirt-qemu:x:777:a,b\n' > root/etc/group

# A virsh that keeps what it is told.
cat > bin/virsh <<'X'
#!/bin/sh
echo "$1 $2 $3"
cat "$PWD/root$4" 2> /dev/null || cat "$4"
echo "$4" >> asked
[ ! -e no ]
X
chmod +x bin/virsh

guest() {
	sonde --sysroot "$PWD/root" ftrace setup-guest "$@"
}

t pipes
guest -c 2 vm > out 2> err
eq $? 0
eq "$(ls $virt/vm | tr '\n' ' ')" 'trace-pipe-cpu0.in trace-pipe-cpu0.out trace-pipe-cpu1.in trace-pipe-cpu1.out '
for f in $virt/vm/*; do
	eq "$(stat -c '%F %a %g' "$f")" "fifo 660 $(id -g)"
done
eq "$(stat -c %a $virt/vm)" 750
eq "$(grep -c "<channel type='pipe'>" out)" 2
has out "<source path='/var/lib/trace-cmd/virt/vm/trace-pipe-cpu1'/>"
has out "<target type='virtio' name='trace-pipe-cpu1'/>"
has err 'virsh edit vm'

# Whatever the umask, and those that are there get them, too.
t group_and_permissions
(umask 077; guest -c 3 -p 0640 -g libvirt-qemu vm > /dev/null 2>&1)
for f in $virt/vm/*; do
	eq "$(stat -c '%a %g' "$f")" '640 777'
done
eq "$(ls $virt/vm | wc -l)" 6
guest -c 1 -g 5 other > /dev/null 2>&1
eq "$(stat -c %g $virt/other/trace-pipe-cpu0.in)" 5

t nothing_else_becomes_a_pipe
mkdir $virt/held
echo text > $virt/held/trace-pipe-cpu0.in
guest -c 1 held 2> err
eq $? 1
has err 'trace-pipe-cpu0.in: File exists'
eq "$(cat $virt/held/trace-pipe-cpu0.in)" text
rm $virt/held/*
echo text > target
chmod 600 target
ln -s "$PWD/target" $virt/held/trace-pipe-cpu0.in
guest -c 1 held 2> err
eq $? 1
eq "$(stat -c %a target)" 600

t attached_by_virsh
PATH=$PWD/bin:$PATH guest -c 2 -a vm > out 2> err
eq $? 0
eq "$(grep -c '^attach-device --config vm$' err)" 2
has err "<target type='virtio' name='trace-pipe-cpu1'/>"
eq "$(sort -u asked)" /var/lib/trace-cmd/virt/vm/channel.xml
[ ! -e $virt/vm/channel.xml ] && ok || fail "the definition is left"
: > no
PATH=$PWD/bin:$PATH guest -c 2 -a vm > out 2> err
eq $? 1
has err 'virsh has not added the pipe of CPU 0 .exit status 1'
[ ! -e $virt/vm/channel.xml ] && ok || fail "the definition is left"

t wrong_usage
for wrong in '' 'vm' '-c 2' '-c 2 a b' '-c 2 ../x' '-c 2 .x' '-c 2 -p 999 vm' '-c 2 -p 10000 vm' '-c 2 -g nobodys vm' \
	'-c 5000 vm'; do
	guest $wrong > /dev/null 2> err
	eq "$wrong: $?" "$wrong: 2"
done
guest vm 2> err
has err 'virsh vcpucount --maximum vm'
PATH=${PATH%%:*} sonde ftrace setup-guest -c 1 -a vm 2> err
eq $? 2
has err 'without -a the definitions are written'
