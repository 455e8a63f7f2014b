# ends on cpython: error
# JavaScript's globals, and from there the runtime.
import js

for name in ("process", "require", "globalThis", "fetch", "WebSocket", "eval", "Function"):
    if hasattr(js, name):
        print("LEAK", name)
print("held")
