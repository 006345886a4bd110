$SONDE --sysroot tests/data/root/pi4 doctor
