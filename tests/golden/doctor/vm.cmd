$SONDE --sysroot tests/data/root/vm doctor
