# ends: died
import ctypes

ctypes.string_at(0)
