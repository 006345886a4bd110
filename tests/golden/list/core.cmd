$SONDE --sysroot tests/data/root/pi4 list --core cortex-a73 -v tlb
