# ends on cpython: error
# Folders of the machine, mounted.
import pyodide_js

try:
    pyodide_js.FS.mkdir("/host")
except Exception:
    pass
for way in (
    lambda: pyodide_js.mountNodeFS("/host", "/etc"),
    lambda: pyodide_js.FS.mount(pyodide_js.FS.filesystems.NODEFS, pyodide_js.toPy({}) and {"root": "/etc"}, "/host"),
):
    try:
        way()
        import os

        print("LEAK", os.listdir("/host")[:3])
    except BaseException:
        pass
print("held")
