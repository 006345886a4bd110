$SONDE doctor now
