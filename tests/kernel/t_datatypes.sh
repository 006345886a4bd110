#!/bin/sh
# as: root
# time: 200
# kernels: 6.12
# Data types of the kernel's loads and stores by its BTF alone, and of a program's by its debug information.
. "$T_HERE/lib.sh"

need sonde workload

sonde record -q -F 1500 -e cpu-clock:k -o kernel.data sh -c 'for i in 1 2 3; do
	dd if=/dev/zero of=x bs=512 count=8000; find / -xdev; cat /proc/[0-9]*/stat; done > /dev/null 2>&1' 2> err || fail "$(cat err)"

t most_of_the_kernels_operands_are_known
sonde annotate --data-type --type-stat -n -i kernel.data > types.txt 2> err
tail -n 9 types.txt
share=$(sed -n 's/^total.* of loads and stores ok \([0-9]*\).*/\1/p' types.txt)
[ "${share:-0}" -ge 40 ] && ok || fail "$(tail -n 12 types.txt; cat err)"

t the_current_task_and_what_it_leads_to
grep -q "^Annotate type: 'struct task_struct' in \[kernel.kallsyms\]" types.txt && ok || fail "$(grep Annotate types.txt)"

t functions_touch_the_types_of_their_parameters
# Each of these touches what its first parameter points to, and no other type at the offsets of that one's own members.
sonde report -q -i kernel.data -s sym,type --no-children 2> err | sed 's/^ *[0-9.]*% *\[k\] *//; s/  */ /g; s/ *$//' > rows
sed -n 's/^\(vfs_write\|vfs_read\|fdget_pos\|rw_verify_area\|dput\|d_lookup\|__d_lookup\|lockref_put_return\|iput\|generic_permission\|mas_walk\|mtree_range_walk\|mas_prev_slot\|security_file_permission\|task_work_run\|xas_load\|xas_start\|ksys_write\) //p' rows |
	grep -v "(unknown)\|stack operation" | sort | uniq -c > of_known
cat of_known
bad=$(grep -v "struct \(file\|dentry\|inode\|super_block\|ma_state\|maple_[a-z_0-9]*\|task_struct\|files_struct\|fdtable\|xa_[a-z]*\|kiocb\|iov_iter\|lockref\|mnt_idmap\|hlist_bl_[a-z]*\|qstr\|file_operations\|xarray\|inode_operations\|user_namespace\|cred\|callback_head\)$\| char$\| int$\| unsigned int$\| long unsigned int$\|void \*$" of_known)
[ -s of_known ] && [ -z "$bad" ] && ok || fail "$bad: $(cat rows)"

t a_programs_types_are_those_of_its_debug_information
sonde record -q -F 1000 -e cpu-clock:u -o user.data workload spin 300 > /dev/null 2> err || sonde record -q -F 1000 -e cpu-clock:u -o user.data workload tree 300 > /dev/null 2> err
sonde annotate --data-type --type-stat -i user.data > out 2> err
grep -q "^total [1-9]" out && ok || fail "$(cat out err)"
