module example.com/tape

go 1.26.5
