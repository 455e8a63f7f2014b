# ends: memory
blocks = []
while True:
    blocks.append(b"x" * (64 << 20))
