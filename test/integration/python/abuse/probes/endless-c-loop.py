# ends: timeout
print("before")
sum(range(10**13))
