$SONDE --sysroot tests/data/root/n1 doctor -j
