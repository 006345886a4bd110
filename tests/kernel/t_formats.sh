#!/bin/sh
# Every format of this kernel is parsed; what of its print fmts cannot be computed outside of the kernel is this list.
. "$T_HERE/lib.sh"

need sonde

# NAME, as check-events gives it, and why: a variable of the running kernel, a function of it, or a name of an enum that
# the kernel left in its text. A new name in a newer kernel fails here and is looked at.
cat > known << 'END'
sizeof(struct page)	the address of a page depends on where the kernel put its memory
jiffies	the time of printing, not of the event
kernel function 'mc_event_error_type'	text made by a function
kernel function 'jiffies_to_msecs'	depends on the kernel's HZ
FAULT_FLAG_WRITE	enum, dax faults
VM_FAULT_OOM	enum, dax faults
DEV_PM_QOS_RESUME_LATENCY	enum
PM_QOS_ADD_REQ	enum
CXL_EVENT_TYPE_INFO	enum
CXL_POISON_TRACE_LIST	enum
EC_RES_SUCCESS	enum
VMSCAN_THROTTLE_WRITEBACK	enum
fscache_active_use	enum
fscache_page_op_alloc_one	enum
fscache_page_cached	enum
fscache_op_cancel	enum
except_type_sync	enum
RPMH_SLEEP_STATE	enum
SWIOTLB_NORMAL	enum
HI_SOFTIRQ	enum
END

t all_formats_are_read
sonde ftrace check-events > out
eq $? 0
has out ' 0 formats not readable$'
# What trace-cmd's plugins would do is built in.
sonde ftrace check-events -N > without_plugins
cmp out without_plugins && ok || fail "-N changes something"

t what_cannot_be_computed_is_known
sed -n 's/^[^ ]*: .* (\(.*\))$/\1/p' out | sort -u > reasons
cut -f1 known | sort > names
comm -23 reasons names > new
[ -s new ] && { grep -F -f new out; fail "not in the list: $(cat new)"; } || ok

t most_is_understood
# 1144 events: 1114 understood, ...
awk '/ events: / && $1 > 1000 && $3 >= $1 * 0.97 { found = 1 } END { exit !found }' out && ok || fail "$(tail -n 1 out)"
