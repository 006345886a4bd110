module shapes

go 1.19
