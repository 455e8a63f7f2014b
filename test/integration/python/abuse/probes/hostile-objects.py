# Objects that do the worst when the result is gathered: exit, raise, print and answer to every name.
import atexit, gc, sys


class Hostile:
    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __repr__(self):
        print("held")
        gc.collect()
        raise KeyboardInterrupt("in repr")

    def __del__(self):
        raise SystemExit("in del")


class Cause(Exception):
    def __str__(self):
        raise SystemExit("in str")


atexit.register(lambda: sys.exit(3))
sys.settrace(lambda *args: None)
sys.excepthook = sys.unraisablehook = None
sys.stderr = Hostile()
Hostile()
