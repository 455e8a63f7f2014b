# Pyodide's own way to run JavaScript.
try:
    from pyodide.code import run_js
    print("LEAK", run_js("process.version"))
except Exception:
    print("held")
