module served

go 1.18
