# ends: output
block = "x" * (1 << 20)
while True:
    print(block)
