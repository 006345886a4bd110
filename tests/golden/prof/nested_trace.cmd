# Timers within interrupts, which come within softirqs, too.
irq=irq:irq_handler_entry,irq:irq_handler_exit soft=irq:softirq_entry,irq:softirq_exit
timer=timer:hrtimer_expire_entry,timer:hrtimer_expire_exit
of() { echo "# $*"; $SONDE --sysroot tests/none prof nested-trace -i tests/data/dat/events.dat "$@" 2>&1; }
of -e $irq -e $soft -e $timer
of -e $irq -e $soft -e $timer --impl call-delay
of -e $irq -e $soft -e $timer --impl call -x,
of -e $soft -k vec --perins -j
of -e $irq -e $timer --than 200us --impl call-delay
of -e $irq --impl pair
of -e $irq,irq:softirq_entry
of -e irq:irq_handler_entry -e irq:irq_handler_exit
