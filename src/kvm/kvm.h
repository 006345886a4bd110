/* kvm.h - sonde kvm: why virtual CPUs of guests exit to the host. cmd/cmd_kvm.c runs the views. */
#ifndef KVM_KVM_H
#define KVM_KVM_H

#include "prof/view.h"

extern const struct prof_kind kvm_stat_report;   /* sonde kvm stat report */
extern const struct prof_kind kvm_stat_live;     /* sonde kvm stat live */

/* perf's default name of a recording of guests. */
#define KVM_RECORDING "perf.data.guest"

/* Tracepoints recorded by sonde kvm; NULL-terminated. */
extern const char *const kvm_events[];

#endif
