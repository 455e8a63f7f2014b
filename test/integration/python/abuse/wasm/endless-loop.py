# ends: timeout
print("before")
while True:
    pass
