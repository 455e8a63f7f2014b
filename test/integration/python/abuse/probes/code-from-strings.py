# ends on cpython: error
# The constructor trick: code from a string that runs outside of Python.
import js, pyodide_js

for start in (js, pyodide_js, pyodide_js.FS, pyodide_js.runPython):
    try:
        process = start.constructor.constructor("return process")()
        print("LEAK", process.pid)
    except Exception:
        pass
print("held")
