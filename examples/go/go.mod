module saiban.example/orders

go 1.19
