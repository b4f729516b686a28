module login

go 1.19
