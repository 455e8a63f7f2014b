# ends on wasm: error
# ends: died
import os

os.write(3, b"\xff\xff\xff\xffnonsense")
while True:
    pass
