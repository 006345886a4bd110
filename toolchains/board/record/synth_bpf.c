/* synth_bpf.c - a board's sonde leaves the BPF programs that run already without names. */
#include "record/synth.h"

void synth_bpf(struct synth *s UNUSED, const struct bpf *bpf UNUSED, enum synth_bpf what UNUSED)
{
}
