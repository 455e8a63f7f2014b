# ends on cpython: error
# From any object to the prototypes that all JavaScript shares, and to the runtime's own objects.
import pyodide_js

for way in (
    lambda: pyodide_js.__proto__.constructor.constructor("return process")(),
    lambda: pyodide_js.FS.constructor.prototype.constructor.constructor("return this")(),
    lambda: pyodide_js._module.constructor.constructor("return process")(),
    lambda: pyodide_js.runPython.constructor("return globalThis")(),
):
    try:
        print("LEAK", way().version)
    except Exception:
        pass
print("held")
