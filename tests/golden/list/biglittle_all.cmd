$SONDE --sysroot tests/data/root/biglittle list hw cache pmu tracepoint probe
