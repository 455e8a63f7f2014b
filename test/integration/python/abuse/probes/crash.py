# ends on cpython: died
# A crash of the interpreter. (In WebAssembly, address 0 is memory like any other.)
import ctypes

ctypes.string_at(0)
print("held")
