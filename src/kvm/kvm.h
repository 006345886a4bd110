/* kvm.h - sonde kvm: exits of guests' virtual CPUs. cmd/cmd_kvm.c runs the views. */
#ifndef KVM_KVM_H
#define KVM_KVM_H

#include "prof/view.h"

extern const struct prof_kind kvm_stat_report;   /* sonde kvm stat report */
extern const struct prof_kind kvm_stat_live;     /* sonde kvm stat live */

/* perf's default name for a recording of guests. */
#define KVM_RECORDING "perf.data.guest"

/* The tracepoints to record: the first two are needed, the others only exist on some kernels. Ends with NULL. */
extern const char *const kvm_events[];

#endif
