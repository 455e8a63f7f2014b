# ends on cpython: error
# Another thread, or module, of the runtime, which would have no lockdown of ours.
import js, pyodide_js

for name in ("Worker", "SharedWorker", "importScripts", "process", "require", "module", "global"):
    for start in (js, pyodide_js, pyodide_js._module):
        if getattr(start, name, None) is not None:
            print("LEAK", name, start)
for way in (
    lambda: pyodide_js._api.importScripts("data:text/javascript,1"),
    lambda: pyodide_js._module.ENVIRONMENT_IS_NODE and pyodide_js._module.require("fs").readFileSync("/etc/passwd"),
):
    try:
        print("LEAK", way())
    except Exception:
        pass
print("held")
