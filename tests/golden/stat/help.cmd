$SONDE stat report --help
