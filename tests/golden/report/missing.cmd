$SONDE report -i tests/none
