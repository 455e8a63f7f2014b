# ends on cpython: error
# ends: timeout
print("before")
while True:
    pass
