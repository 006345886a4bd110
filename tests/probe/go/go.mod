module probed

go 1.18
